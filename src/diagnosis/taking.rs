//! How a record is taken in: its lock and its key become numbers, and it waits.

use super::lock::Lock;
use super::{DEFAULT_MEMORY, Diagnosis};
use crate::evidence::{Answer, Event, Place, Record, View};
use crate::timeline::{Kind, Step, Symbol};

impl Diagnosis {
    /// Takes one record. `place.arrival` grows from record to record.
    pub fn observe(&mut self, place: Place, record: &Record<'_>) {
        self.observe_view(place, &View::from(record));
    }

    /// The same, of a record that was never put together.
    #[doc(hidden)]
    pub fn observe_view(&mut self, place: Place, record: &View<'_>) {
        let name = self.symbols.of_mut(Kind::Lock).intern_bytes(record.lock);
        let observer = self.options.observers.of(place.source);
        let several = self.options.observers.are_several();
        let at = self.place_of(name, observer, several);
        let lock = &mut self.locks[at];
        let keys = self.symbols.of_mut(Kind::Key);
        let last_key = lock.last_key();
        let key = record.key;
        let key = key.map(|key| keys.intern_near(last_key, key));
        let mut record = *record;
        if record.seq.is_some() && record.seq_by.is_none() {
            record.seq_by = self.options.observers.role(observer);
        }
        let numbered = record.seq.map(|_| record.seq_by.or(self.options.seq_by));
        lock.facts
            .note_record(place.source, record.event, record.answer, numbered);
        let before = lock.waiting();
        lock.push(place, &record, key);
        self.waiting += lock.waiting() - before;
        self.records += 1;
        if record.event == Event::Write {
            let decided = matches!(
                record.answer,
                Answer::Accepted | Answer::RejectedStaleFence | Answer::RejectedDuplicate
            );
            self.decided_writes += u64::from(decided);
            if let Some(key) = key.filter(|_| !several) {
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
            let step = Step::of(&record.record(), place, &mut self.symbols);
            let steps = room / size_of::<Step>();
            self.groups.take(name, observer, at, step, steps);
        }
        // A quarter is for judging them.
        let room = room / 4 * 3;
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
