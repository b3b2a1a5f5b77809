//! Which locks share a resource key: only these have to be judged side by side.

use std::collections::BTreeSet;

use crate::fetch;
use crate::timeline::Symbol;

/// Who wrote at which key.
#[derive(Debug, Default)]
pub struct Keys {
    /// By the number of a key: the first lock that wrote there, plus one.
    first: Vec<u32>,
    sharing: BTreeSet<usize>,
}

impl Keys {
    /// The lock of that index wrote at `key`, whatever came of it.
    #[inline]
    pub fn note(&mut self, key: Symbol, lock: usize) {
        let at = key.number();
        if self.first.len() <= at {
            self.first.resize(at + 1, 0);
        }
        let own = u32::try_from(lock + 1).unwrap_or(u32::MAX);
        match self.first[at] {
            0 => self.first[at] = own,
            first if first == own && own != u32::MAX => {}
            first => {
                self.sharing.insert(first as usize - 1);
                self.sharing.insert(lock);
            }
        }
    }

    /// Fetches from memory what is noted of a key.
    #[inline]
    pub fn fetch(&self, key: Symbol) {
        fetch::element(&self.first, key.number());
    }

    /// The locks that wrote at a key where another lock wrote, by their index.
    pub fn sharing(&self) -> &BTreeSet<usize> {
        &self.sharing
    }
}
