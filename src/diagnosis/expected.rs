//! The locks of the records that come next, so that what these are held against can be
//! fetched from memory beforehand. It makes taking them in faster and changes no result.

use super::Diagnosis;
use crate::evidence::Glance;
use crate::fetch;
use crate::timeline::{Kind, Symbol};

/// So many records are looked at together. What is fetched for two such groups has to stay
/// in the nearest cache until they are taken in.
const TOGETHER: usize = 32;

/// The names that the locks of the next records are likely to have, the next one last;
/// `None` for a lock that is not known yet.
#[derive(Debug, Default)]
pub struct Expected {
    now: Vec<Option<Symbol>>,
    /// Those behind them, of which only the locks themselves are on their way.
    later: Vec<Option<Symbol>>,
}

impl Diagnosis {
    /// The name that the lock of `record` is likely to have.
    #[inline]
    pub(super) fn expected_lock(&mut self, record: &impl Glance) -> Option<Symbol> {
        let coming = record.coming();
        if coming.is_empty() {
            return None;
        }
        if self.expected.now.is_empty() {
            self.expect(coming);
        }
        self.expected.now.pop().flatten()
    }

    /// Goes on to the next records: what they are held against is fetched, and the locks of
    /// those behind them.
    #[inline(never)]
    fn expect(&mut self, coming: &[u64]) {
        let expected = &mut self.expected;
        std::mem::swap(&mut expected.now, &mut expected.later);
        let (now, later) = coming.split_at(TOGETHER.min(coming.len()));
        if expected.now.is_empty() {
            self.expect_later(now);
            std::mem::swap(&mut self.expected.now, &mut self.expected.later);
        }
        self.fetch_names();
        self.expect_later(later);
    }

    /// Guesses the locks of the next few records, and fetches them.
    fn expect_later(&mut self, coming: &[u64]) {
        let names = self.symbols.of(Kind::Lock);
        for name_hash in coming.iter().take(TOGETHER) {
            let guess = names.guess(*name_hash);
            if let Some(name) = guess {
                names.fetch(name);
                // Of several observers they are elsewhere, and something is fetched in vain.
                if let Some(lock) = self.locks.get(name.number()) {
                    fetch::whole(lock);
                }
            }
            self.expected.later.push(guess);
        }
        self.expected.later.reverse();
    }

    /// Fetches what the locks that come now lead to.
    fn fetch_names(&self) {
        let keys = self.symbols.of(Kind::Key);
        let known = |name: &Symbol| self.locks.get(name.number());
        for lock in self.expected.now.iter().rev().flatten().filter_map(known) {
            lock.fetch_names();
            if let Some(key) = lock.last_key() {
                keys.fetch(key);
                self.keys.fetch(key);
            }
        }
    }
}
