//! The locks of the records that come next, so that what these are held against can be
//! fetched from memory beforehand. It makes taking them in faster and changes no result.

use super::Diagnosis;
use crate::evidence::Glance;
use crate::fetch;
use crate::timeline::{Kind, Symbol};

/// So many records are looked at together. What is fetched for them has to stay in the
/// nearest cache until they are taken in.
const TOGETHER: usize = 32;

/// The names that the locks of the next records are likely to have, the next one last;
/// `None` for a lock that is not known yet.
#[derive(Debug, Default)]
pub struct Expected(Vec<Option<Symbol>>);

impl Diagnosis {
    /// The name that the lock of `record` is likely to have.
    #[inline]
    pub(super) fn expected_lock(&mut self, record: &impl Glance) -> Option<Symbol> {
        let coming = record.coming()?;
        if self.expected.0.is_empty() {
            self.expect(coming);
        }
        self.expected.0.pop().flatten()
    }

    /// Guesses the locks of the next records, and fetches what the next records will be held against: first the locks, and once these
    /// are on their way, what they lead to.
    #[inline(never)]
    fn expect<'a>(&mut self, locks: impl Iterator<Item = &'a [u8]>) {
        let (names, keys) = (self.symbols.of(Kind::Lock), self.symbols.of(Kind::Key));
        let expected = &mut self.expected.0;
        for lock in locks.take(TOGETHER) {
            expected.push(names.guess(lock));
        }
        expected.reverse();
        if self.options.observers.are_several() {
            // Their records wait elsewhere.
            return;
        }
        let known = |name: &Symbol| self.locks.get(name.number());
        for name in expected.iter().rev().flatten() {
            names.fetch(*name);
            if let Some(lock) = known(name) {
                fetch::whole(lock);
            }
        }
        for lock in expected.iter().rev().flatten().filter_map(known) {
            lock.fetch_names();
            if let Some(key) = lock.last_key() {
                keys.fetch(key);
                self.keys.fetch(key);
            }
        }
    }
}
