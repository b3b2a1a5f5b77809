//! A map that is a short list until it grows: most locks have one key and a few leases.

use std::hash::Hash;

use hashbrown::HashMap;

/// Below this length a linear search beats hashing.
const INDEX_FROM: usize = 8;

/// A map that keeps the order of insertion. Entries are never removed.
#[derive(Debug, Clone)]
pub struct SmallMap<K, V> {
    entries: Vec<(K, V)>,
    index: Option<Box<HashMap<K, usize, foldhash::fast::FixedState>>>,
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        SmallMap {
            entries: Vec::new(),
            index: None,
        }
    }
}

impl<K: Copy + Eq + Hash, V> SmallMap<K, V> {
    fn position(&self, key: K) -> Option<usize> {
        match &self.index {
            Some(index) => index.get(&key).copied(),
            None => self.entries.iter().position(|(known, _)| *known == key),
        }
    }

    /// The value under `key`.
    pub fn get(&self, key: K) -> Option<&V> {
        self.position(key).map(|at| &self.entries[at].1)
    }

    /// The value under `key`, to be changed.
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        self.position(key).map(|at| &mut self.entries[at].1)
    }

    /// The value under `key`, made by `new` where there is none yet.
    pub fn entry(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        let at = self.position(key).unwrap_or_else(|| {
            let at = self.entries.len();
            self.entries.push((key, new()));
            match &mut self.index {
                Some(index) => {
                    index.insert(key, at);
                }
                None if at + 1 > INDEX_FROM => {
                    let all = self
                        .entries
                        .iter()
                        .enumerate()
                        .map(|(at, (key, _))| (*key, at));
                    self.index = Some(Box::new(all.collect()));
                }
                None => {}
            }
            at
        });
        &mut self.entries[at].1
    }

    /// All entries, in order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.entries.iter().map(|(key, value)| (*key, value))
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::SmallMap;

    #[test]
    fn a_long_map_answers_as_a_short_one() {
        let mut map = SmallMap::default();
        for n in 0..100u64 {
            *map.entry(n % 50, || 0) += n;
        }
        assert_eq!(map.len(), 50);
        assert_eq!(map.get(7), Some(&64));
        assert_eq!(map.get(50), None);
        assert_eq!(map.iter().next(), Some((0, &50)));
    }
}
