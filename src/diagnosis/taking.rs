//! How a record is taken in: its lock and its key become numbers, and it waits.

use super::lock::Lock;
use super::{DEFAULT_MEMORY, Diagnosis};
use crate::evidence::{Answer, Event, Glance, Place, Record};
use crate::timeline::{Kind, Step, Symbol};

impl Diagnosis {
    /// Takes one record. `place.arrival` grows from record to record.
    #[inline]
    pub fn observe(&mut self, place: Place, record: &Record<'_>) {
        self.observe_at_a_glance(place, record);
    }

    /// The same, of a record that was never put together.
    #[doc(hidden)]
    pub fn observe_at_a_glance(&mut self, place: Place, record: &impl Glance) {
        let expected = self.expected_lock(record);
        let locks = self.symbols.of_mut(Kind::Lock);
        let name = locks.intern_near(expected, record.lock());
        let observer = self.options.observers.of(place.source);
        let several = self.options.observers.are_several();
        let at = self.place_of(name, observer, several);
        let lock = &mut self.locks[at];
        let keys = self.symbols.of_mut(Kind::Key);
        let last_key = lock.last_key();
        let key = record.key();
        let key = key.map(|key| keys.intern_near(last_key, key));
        let (seq, mut seq_by) = (record.seq(), record.seq_by());
        if seq.is_some() && seq_by.is_none() {
            seq_by = self.options.observers.role(observer);
        }
        let numbered = seq.map(|_| seq_by.or(self.options.seq_by));
        let (event, answer) = (record.event(), record.answer());
        lock.facts
            .note_record(place.source, event, answer, numbered);
        let before = lock.waiting();
        lock.push(place, record, key, seq_by);
        let grown = lock.waiting() - before;
        self.records += 1;
        if event == Event::Write {
            let decided = matches!(
                answer,
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
        if several {
            let record = Record {
                seq_by,
                ..record.record()
            };
            let step = Step::of(&record, place, &mut self.symbols);
            let steps = self.room() / size_of::<Step>();
            self.groups.take(name, observer, at, step, steps);
        }
        // Most records fit into what was made room for before.
        if grown > 0 {
            self.waiting += grown;
            // A quarter is for judging them.
            let room = self.room() / 4 * 3;
            if self.waiting > room.max(self.full) {
                self.make_room(place.arrival, room);
            }
        }
    }

    /// How many bytes the records of each observer may take, before they are joined.
    fn room(&self) -> usize {
        let room = self.options.memory.unwrap_or(DEFAULT_MEMORY);
        if self.options.observers.are_several() {
            // Half for the order of each observer, half for joining them.
            room / 2
        } else {
            room
        }
    }

    /// Where the records of a lock wait.
    #[inline(always)]
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
