//! How a record is taken in: its names become numbers, and it waits at its lock.

use std::borrow::Cow;

use super::lock::Lock;
use super::{DEFAULT_MEMORY, Diagnosis};
use crate::evidence::{Active, Answer, Event, Place, Record};
use crate::timeline::{ActiveLease, Handle, Kind, Step, Symbol, Symbols};

impl Diagnosis {
    /// Takes one record. `place.arrival` grows from record to record.
    pub fn observe(&mut self, place: Place, record: &Record<'_>) {
        let name = self.symbols.intern(Kind::Lock, &record.lock);
        let observer = self.options.observers.of(place.source);
        let several = self.options.observers.are_several();
        let at = self.place_of(name, observer, several);
        let lock = &mut self.locks[at];
        let mut step = step(record, place, lock, &mut self.symbols);
        if step.seq.is_some() && step.seq_by.is_none() {
            step.seq_by = self.options.observers.role(observer);
        }
        lock.facts.note(&step, self.options.seq_by);
        let before = lock.waiting();
        lock.push(&step, record.operation.as_deref());
        self.waiting += lock.waiting() - before;
        self.records += 1;
        if step.event == Event::Write {
            let decided = matches!(
                step.answer,
                Answer::Accepted | Answer::RejectedStaleFence | Answer::RejectedDuplicate
            );
            self.decided_writes += u64::from(decided);
            if let Some(key) = step.key.filter(|_| !several) {
                self.keys.note(key, at);
            }
        }
        if self.options.follow && self.touched.last() != Some(&at) {
            self.touched.push(at);
        }
        let mut room = self.options.memory.unwrap_or(DEFAULT_MEMORY);
        if several {
            // Half for the order of each observer, half for joining them.
            room /= 2;
            let operations = self.symbols.of_mut(Kind::Operation);
            step.operation = record
                .operation
                .as_deref()
                .map(|name| operations.intern(name));
            let steps = room / size_of::<Step>();
            self.groups.take(name, observer, at, step, steps);
        }
        if self.waiting > room.max(self.full) {
            self.make_room(place.arrival, room);
        }
    }

    /// Where the records of a lock wait.
    fn place_of(&mut self, name: Symbol, observer: u32, several: bool) -> usize {
        let next = self.locks.len();
        let at = if several {
            *self.index.entry((name, observer)).or_insert(next)
        } else {
            // Past the names that are told apart, locks share the last one.
            name.number().min(next)
        };
        if at == next {
            self.locks.push(Lock::new(name));
        }
        at
    }
}

/// The step of a record, but for its operation. Most records of a lock name what the one
/// before named.
fn step(record: &Record<'_>, place: Place, lock: &Lock, symbols: &mut Symbols) -> Step {
    let last = lock.last();
    let mut name = |name: &Option<Cow<'_, str>>, kind, last: Option<Symbol>| {
        let name = name.as_deref()?;
        Some(symbols.of_mut(kind).intern_near(last, name))
    };
    let handle = Handle {
        owner: name(&record.owner, Kind::Owner, last.owner()),
        lease: name(&record.lease, Kind::Lease, last.lease()),
        token: record.token,
    };
    let active = match &record.active {
        Active::Unrecorded => ActiveLease::Unrecorded,
        Active::None => ActiveLease::None,
        Active::Lease {
            owner,
            lease,
            token,
        } => ActiveLease::Lease(Handle {
            owner: name(owner, Kind::Owner, handle.owner),
            lease: name(lease, Kind::Lease, handle.lease),
            token: *token,
        }),
    };
    Step {
        place,
        seq: record.seq,
        seq_by: record.seq_by,
        event: record.event,
        answer: record.answer,
        handle,
        before: record.before,
        after: record.after,
        key: name(&record.key, Kind::Key, last.key()),
        operation: None,
        active,
    }
}
