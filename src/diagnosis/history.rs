//! The records of one lock that wait to be judged, packed: some twenty bytes a record and
//! the names in it that are new.
//!
//! A record is told by what differs from the one before: most records of a lock are of
//! the same lease and stand one behind the other. The names of owners, leases and
//! operations stand here as they were written, so that nothing is left of them when the
//! records are gone.

mod step_back;
mod writing;

use super::packed::Bytes;
use crate::evidence::{Answer, Event, Origin, Place, Token};
use crate::fetch;
use crate::timeline::{ActiveLease, Handle, Kind, Step, Symbol, Symbols};
use step_back::StepBack;

/// Packed records, in the order in which they were put in.
#[derive(Debug, Default)]
pub struct History {
    bytes: Vec<u8>,
    last: Last,
    owners: Recent,
    leases: Recent,
}

/// What the next record is told against, beside names. It fills forty bytes, and there may be
/// millions.
#[derive(Debug, Clone, Copy, Default)]
struct Last {
    arrival: u64,
    token: Token,
    seq: u64,
    line_offset: LineOffset,
    source: u32,
    key: Option<Symbol>,
    /// Whether the latest record carries a `seq`.
    has_seq: bool,
    arranged: Arranged,
}

/// The line less the arrival, which stays the same as long as nothing else stands between.
/// What does not fit is told anew with each record.
#[derive(Debug, Clone, Copy, Default)]
struct LineOffset(i32);

impl LineOffset {
    const BEYOND: LineOffset = LineOffset(i32::MIN);

    fn of(offset: u64) -> LineOffset {
        i32::try_from(offset as i64).map_or(LineOffset::BEYOND, LineOffset)
    }

    /// The offset, where it fits; else some number to tell differences from.
    fn get(self) -> u64 {
        i64::from(self.0) as u64
    }

    fn is(self, offset: u64) -> bool {
        self.get() == offset && self.0 != LineOffset::BEYOND.0
    }
}

/// Whether the records stand in order: every one carries a greater `seq` than the one
/// before, or none carries one and they stand as they arrived.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Arranged {
    /// All of them.
    #[default]
    All,
    /// Those that came since they were last put in order.
    Since,
    /// They have to be put in order.
    No,
}

/// Where the two names stand that were told last: behind these many bytes, the latest
/// first; 0 where there is none.
#[derive(Debug, Clone, Copy, Default)]
struct Recent([u32; 2]);

/// Where in a history reading stands.
#[derive(Debug, Clone, Default)]
pub struct Cursor {
    at: usize,
    last: Last,
    owners: Known,
    leases: Known,
}

/// The two names read last, the latest first.
#[derive(Debug, Clone, Copy, Default)]
struct Known([Option<Symbol>; 2]);

impl Known {
    /// The name that is told so.
    #[inline]
    fn name(
        &mut self,
        told: u32,
        kind: Kind,
        rest: &mut Bytes<'_>,
        names: &mut Symbols,
    ) -> Option<Symbol> {
        let [latest, earlier] = self.0;
        match told & 3 {
            ABSENT => return None,
            LATEST => return latest,
            EARLIER => self.0 = [earlier, latest],
            _ => self.0 = [Some(names.of_mut(kind).intern_bytes(rest.text())), latest],
        }
        self.0[0]
    }
}

impl Cursor {
    /// Gives the names told last other symbols.
    pub fn rename(&mut self, rename: &mut dyn FnMut(Symbol) -> Symbol) {
        let names = self.owners.0.iter_mut().chain(&mut self.leases.0).flatten();
        names.for_each(|name| *name = rename(*name));
    }
}

// The bits of a record's head, which takes four bytes. Names take two bits each: see
// `ABSENT` and what follows it.
const ANSWER: u32 = 3;
const SEQ_BY: u32 = 7;
const TOKEN: u32 = 1 << 10;
const BEFORE: u32 = 1 << 11;
const AFTER: u32 = 1 << 12;
const SEQ: u32 = 1 << 13;
const OPERATION: u32 = 1 << 14;
const MOVED: u32 = 1 << 15;
const OWNER: u32 = 16;
const LEASE: u32 = 18;
const KEY: u32 = 20;
const ACTIVE: u32 = 22;
const ACTIVE_OWNER: u32 = 24;
const ACTIVE_LEASE: u32 = 26;
const ACTIVE_TOKEN: u32 = 1 << 28;

/// That nobody is known to have given a `seq`.
const NOBODY: u32 = Origin::ALL.len() as u32;

/// How a name is told: not there, as the latest, as the one before that, or anew.
const ABSENT: u32 = 0;
const LATEST: u32 = 1;
const EARLIER: u32 = 2;
const NEW: u32 = 3;

/// The length of a name shorter than this takes one byte.
const SHORT: usize = 0x80;

/// How the current lease of the authority is told.
const UNRECORDED: u32 = 0;
const NO_LEASE: u32 = 1;
const THIS_LEASE: u32 = 2;
const NAMED_LEASE: u32 = 3;

impl History {
    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.bytes.capacity()
    }

    /// Whether its records stand in order already.
    pub fn is_arranged(&self) -> bool {
        self.last.arranged == Arranged::All
    }

    /// Whether what came since [`History::replace`] stands in order.
    pub fn is_still_arranged(&self) -> bool {
        self.last.arranged != Arranged::No
    }

    /// The key of the latest record that has one.
    pub fn last_key(&self) -> Option<Symbol> {
        self.last.key
    }

    /// Fetches from memory the names that the next record is told against, and the place
    /// where it will stand.
    #[inline]
    pub fn fetch_names(&self) {
        let Recent([lease, lease_before]) = self.leases;
        let Recent([owner, _]) = self.owners;
        // Ids of leases and what is told anew are long.
        let (lease, end) = (lease as usize, self.bytes.len());
        for place in [lease, lease + 32, end, end + 64] {
            fetch::element(&self.bytes, place);
        }
        for place in [lease_before, owner] {
            fetch::element(&self.bytes, place as usize);
        }
    }

    /// The next record behind `cursor`, which moves on. Names become symbols of `names`.
    pub fn next(&self, cursor: &mut Cursor, names: &mut Symbols) -> Option<Step> {
        let mut step = NO_STEP;
        self.read(cursor, names, &mut step).then_some(step)
    }

    /// The same, into the room of an earlier step: one is large. Says whether there is a
    /// record.
    pub fn read(&self, cursor: &mut Cursor, names: &mut Symbols, step: &mut Step) -> bool {
        let Cursor {
            at,
            last,
            owners,
            leases,
        } = cursor;
        if *at >= self.bytes.len() {
            return false;
        }
        let mut rest = Bytes::new(&self.bytes, *at);
        let head = rest.head();
        let event = Event::ALL.get((head & 7) as usize).copied();
        let answer = Answer::ALL.get((head >> ANSWER & 15) as usize).copied();
        let (Some(event), Some(answer)) = (event, answer) else {
            return false;
        };
        (step.event, step.answer) = (event, answer);
        step.seq_by = Origin::ALL.get((head >> SEQ_BY & 7) as usize).copied();
        last.arrival = rest.sum(last.arrival);
        let mut line_offset = last.line_offset.get();
        if head & MOVED != 0 {
            last.source = rest.number() as u32;
            line_offset = rest.sum(line_offset);
            last.line_offset = LineOffset::of(line_offset);
        }
        step.place = Place {
            arrival: last.arrival,
            source: last.source,
            line: last.arrival.wrapping_add(line_offset),
        };
        step.seq = None;
        if head & SEQ != 0 {
            last.seq = rest.sum(last.seq);
            step.seq = Some(last.seq);
        }
        step.key = None;
        if head >> KEY & 3 != ABSENT {
            if head >> KEY & 3 == NEW {
                last.key = Some(Symbol::new(Kind::Key, rest.number() as usize));
            }
            step.key = last.key;
        }
        step.handle.token = None;
        if head & TOKEN != 0 {
            last.token = rest.sum(last.token);
            step.handle.token = Some(last.token);
        }
        let mut if_there = |bit: u32| (head & bit != 0).then(|| rest.sum(last.token));
        step.before = if_there(BEFORE);
        step.after = if_there(AFTER);
        let active_token = if_there(ACTIVE_TOKEN);
        step.handle.owner = owners.name(head >> OWNER, Kind::Owner, &mut rest, names);
        step.handle.lease = leases.name(head >> LEASE, Kind::Lease, &mut rest, names);
        step.active = match head >> ACTIVE & 3 {
            UNRECORDED => ActiveLease::Unrecorded,
            NO_LEASE => ActiveLease::None,
            THIS_LEASE => ActiveLease::Lease(step.handle),
            _ => ActiveLease::Lease(Handle {
                owner: owners.name(head >> ACTIVE_OWNER, Kind::Owner, &mut rest, names),
                lease: leases.name(head >> ACTIVE_LEASE, Kind::Lease, &mut rest, names),
                token: active_token,
            }),
        };
        step.operation = None;
        if head & OPERATION != 0 {
            let operations = names.of_mut(Kind::Operation);
            step.operation = Some(operations.intern_bytes(rest.text()));
        }
        *at = rest.at();
        true
    }

    /// Whether nothing stands behind `cursor`.
    pub fn is_at_end(&self, cursor: &Cursor) -> bool {
        cursor.at >= self.bytes.len()
    }

    /// All records.
    pub fn steps(&self, names: &mut Symbols) -> Vec<Step> {
        let mut cursor = Cursor::default();
        std::iter::from_fn(|| self.next(&mut cursor, names)).collect()
    }

    /// Puts the record of a step behind the others.
    pub fn push_step(&mut self, step: &Step, names: &Symbols) {
        self.push(step.place, &StepBack { step, names }, step.key, step.seq_by);
    }

    /// Puts these records in the place of all there are.
    pub fn replace(&mut self, steps: &[Step], names: &Symbols) {
        *self = History::default();
        for step in steps {
            self.push_step(step, names);
        }
        if self.last.arranged == Arranged::No {
            self.last.arranged = Arranged::Since;
        }
    }
}

/// A step that says nothing, for [`History::read`] to read into.
pub const NO_STEP: Step = Step {
    place: Place {
        arrival: 0,
        source: 0,
        line: 0,
    },
    seq: None,
    seq_by: None,
    event: Event::Acquire,
    answer: Answer::InDoubt,
    handle: Handle {
        owner: None,
        lease: None,
        token: None,
    },
    before: None,
    after: None,
    key: None,
    operation: None,
    active: ActiveLease::Unrecorded,
};

#[cfg(test)]
mod tests;
