//! The records that a report draws, kept while they are read.
//!
//! Which locks have an incident is known at the end only, so the records of all are kept,
//! as small as they can be, up to a bound. Past it each lock keeps its first and its last
//! records and counts the ones between.

use std::collections::VecDeque;

use hashbrown::HashMap;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::evidence::{Field, Place, Record};
use crate::lint::members::{Members, Names};
use crate::timeline::{Kind, Step, Symbol, Symbols};

/// How many records are kept unless somebody asks for another bound: some 60 MB.
pub const DEFAULT_ROOM: usize = 250_000;
/// No lock keeps fewer than this, as long as it is known at all.
const FEWEST: usize = 8;
/// The longest wall-clock label that is kept.
const LONGEST_TS: usize = 64;

/// One record, as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// What happened.
    pub step: Step,
    /// The wall clock beside it: a label for people, never an order.
    pub ts: Option<Box<str>>,
}

/// The records of one lock.
#[derive(Debug, Default)]
pub(crate) struct KeptLock {
    /// The first ones.
    pub first: Vec<Kept>,
    /// The last ones.
    pub last: VecDeque<Kept>,
    /// How many there were between.
    pub dropped: u64,
    /// How many of all carry a `seq`.
    pub with_seq: u64,
}

impl KeptLock {
    /// How many records there were.
    pub fn total(&self) -> u64 {
        (self.first.len() + self.last.len()) as u64 + self.dropped
    }

    fn len(&self) -> usize {
        self.first.len() + self.last.len()
    }

    /// Makes it fit: half of the room for the first records, half for the last.
    fn fit(&mut self, room: usize) {
        if self.len() > room {
            self.divide(room);
            self.drop_to(room);
            self.last.shrink_to_fit();
        }
    }

    /// Counts all that do not fit into the first half of the room among the last ones.
    fn divide(&mut self, room: usize) {
        let half = room / 2;
        if self.first.len() > half {
            for kept in self.first.drain(half..).rev() {
                self.last.push_front(kept);
            }
            self.first.shrink_to_fit();
            self.last.shrink_to_fit();
        }
    }

    fn drop_to(&mut self, room: usize) {
        while self.len() > room && self.last.pop_front().is_some() {
            self.dropped += 1;
        }
    }
}

/// Keeps records while they are read.
#[derive(Debug)]
pub struct Keeper {
    /// The names in the records.
    pub(crate) symbols: Symbols,
    locks: HashMap<Symbol, KeptLock, foldhash::fast::FixedState>,
    /// How many records may be kept.
    room: usize,
    /// How many are.
    kept: usize,
    /// How many each lock may keep.
    each: usize,
    ts: Option<Box<str>>,
    /// The names of members.
    names: Names,
}

impl Default for Keeper {
    fn default() -> Keeper {
        Keeper::new(DEFAULT_ROOM)
    }
}

#[derive(Deserialize)]
struct Clock<'a> {
    #[serde(borrow)]
    ts: Option<&'a RawValue>,
}

impl Keeper {
    /// Keeps up to so many records.
    pub fn new(room: usize) -> Keeper {
        let room = room.max(FEWEST);
        Keeper {
            symbols: Symbols::default(),
            locks: HashMap::default(),
            room,
            kept: 0,
            each: room,
            ts: None,
            names: Names::default(),
        }
    }

    /// Looks for the wall clock in the line or value that the next record is read from.
    pub fn frame(&mut self, bytes: &[u8]) {
        self.ts = clock(bytes, &mut self.names);
    }

    /// Keeps one record.
    pub fn keep(&mut self, place: Place, record: &Record<'_>) {
        // Past this many locks a new one is not remembered: its incidents are still
        // told, without a picture.
        let full = self.locks.len() >= self.room / FEWEST;
        let name = self.symbols.intern(Kind::Lock, &record.lock);
        if full && !self.locks.contains_key(&name) {
            return;
        }
        let lock = self.locks.entry(name).or_default();
        let before = lock.last.back().or(lock.first.last());
        let before = before.map(|kept| &kept.step);
        let kept = Kept {
            step: Step::after(before, record, place, &mut self.symbols),
            ts: self.ts.take(),
        };
        lock.with_seq += u64::from(kept.step.seq.is_some());
        let known = lock.len();
        if lock.last.is_empty() && lock.dropped == 0 && known < self.each {
            lock.first.push(kept);
        } else {
            if known >= self.each {
                lock.divide(self.each);
                lock.drop_to(self.each - 1);
            }
            lock.last.push_back(kept);
        }
        self.kept = self.kept + lock.len() - known;
        if self.kept > self.room {
            self.make_room();
        }
    }

    fn make_room(&mut self) {
        while self.kept > self.room && self.each > FEWEST {
            // Locks are of very different sizes, so the bound is found by halving.
            self.each = (self.each / 2).max(FEWEST);
            for lock in self.locks.values_mut() {
                lock.fit(self.each);
            }
            self.kept = self.locks.values().map(KeptLock::len).sum();
        }
    }

    /// What was kept of each lock, in no order.
    pub(crate) fn locks(&self) -> impl Iterator<Item = (&str, &KeptLock)> {
        self.locks
            .iter()
            .map(|(name, kept)| (self.symbols.name(*name), kept))
    }

    /// What was kept of a lock.
    pub(crate) fn lock(&mut self, name: &str) -> Option<&KeptLock> {
        let symbol = self.symbols.intern(Kind::Lock, name);
        self.locks.get(&symbol)
    }
}

/// The wall clock of a line, where it has exactly one.
fn clock(line: &[u8], names: &mut Names) -> Option<Box<str>> {
    // An object in the line may have a clock of its own.
    let flat = |members: &Members<'_>| !members.frame[1..].contains(&b'{');
    if let Some(members) = Members::plain(line, names).filter(flat) {
        let mut clocks = members
            .all
            .iter()
            .filter(|one| one.field == Some(Field::Ts));
        return match (clocks.next(), clocks.next()) {
            (Some(ts), None) => label(members.raw(ts)),
            _ => None,
        };
    }
    let Clock { ts } = serde_json::from_slice(line).ok()?;
    label(ts?.get())
}

/// A wall clock as a label: a string as it is, a number as it was written.
fn label(raw: &str) -> Option<Box<str>> {
    let own;
    let text = match serde_json::from_str::<&str>(raw) {
        Ok(text) => text,
        Err(_) => match serde_json::from_str::<serde_json::Value>(raw).ok()? {
            serde_json::Value::String(text) => {
                own = text;
                &own
            }
            serde_json::Value::Number(_) => raw,
            _ => return None,
        },
    };
    let end = text
        .char_indices()
        .nth(LONGEST_TS)
        .map_or(text.len(), |(at, _)| at);
    (end > 0).then(|| text[..end].into())
}

#[cfg(test)]
mod tests {
    use super::{FEWEST, Keeper};
    use crate::evidence::{Answer, Event, Place, Record};

    fn place(arrival: u64) -> Place {
        Place {
            arrival,
            source: 0,
            line: arrival + 1,
        }
    }

    #[test]
    fn a_full_keeper_keeps_the_first_and_the_last_of_each_lock() {
        let mut keeper = Keeper::new(40);
        for n in 0..1000 {
            let lock = if n % 10 == 0 { "rare" } else { "busy" };
            keeper.keep(place(n), &Record::new(lock, Event::Write, Answer::Accepted));
        }
        let busy = keeper.lock("busy").unwrap();
        assert_eq!(busy.total(), 900);
        assert_eq!(busy.first[0].step.place.line, 2);
        assert_eq!(busy.last.back().unwrap().step.place.line, 1000);
        let lines: Vec<u64> = busy
            .first
            .iter()
            .chain(&busy.last)
            .map(|kept| kept.step.place.line)
            .collect();
        assert!(lines.is_sorted());
        assert_eq!(keeper.lock("rare").unwrap().total(), 100);
        assert!(keeper.kept <= 40);
    }

    #[test]
    fn more_locks_than_room_are_not_remembered() {
        let mut keeper = Keeper::new(FEWEST * 4);
        for n in 0..100 {
            let record = Record::new(format!("lock-{n}"), Event::Write, Answer::Accepted);
            keeper.keep(place(n), &record);
        }
        assert!(keeper.lock("lock-3").is_some());
        assert!(keeper.lock("lock-4").is_none());
    }

    #[test]
    fn the_wall_clock_is_a_label() {
        let mut keeper = Keeper::default();
        for (n, (line, ts)) in [
            (r#"{"ts":"10:00"}"#, Some("10:00")),
            (r#"{"ts":1.50}"#, Some("1.50")),
            (r#"{"ts":null}"#, None),
            (r#"{"ts":{"a":1}}"#, None),
            (r#"{"ts":"\u0031é"}"#, Some("1é")),
            (r#"{"activeLease":{"ts":1},"x":2}"#, None),
            (r#"{"activeLease":{"ts":1},"ts":2}"#, Some("2")),
            (r#"{"ts":1,"ts":2}"#, None),
            ("no json", None),
        ]
        .into_iter()
        .enumerate()
        {
            keeper.frame(line.as_bytes());
            let lock = format!("{n}");
            keeper.keep(
                place(n as u64),
                &Record::new(lock.as_str(), Event::Write, Answer::Accepted),
            );
            let kept = &keeper.lock(&lock).unwrap().first[0];
            assert_eq!(kept.ts.as_deref(), ts, "{line}");
        }
    }
}
