//! A map for keys that mostly come in ascending order: tokens grow, and names are numbered
//! as they are first seen. Most locks have one key and a few leases; some have many.

use std::hash::Hash;

use hashbrown::HashMap;

/// Below this length a linear search beats hashing.
const INDEX_FROM: usize = 8;
/// What is asked for is mostly among the latest entries.
const LATEST: usize = 4;
/// Room for so many entries is kept.
const KEPT: usize = 4096;

/// A map that keeps the order of insertion. Entries are never removed.
#[derive(Debug, Clone)]
pub struct SmallMap<K, V> {
    entries: Vec<(K, V)>,
    /// Whether some key came after a greater one; until then no index is needed.
    disordered: bool,
    index: Option<Box<HashMap<K, usize, foldhash::fast::FixedState>>>,
}

impl<K, V> Default for SmallMap<K, V> {
    fn default() -> Self {
        SmallMap {
            entries: Vec::new(),
            disordered: false,
            index: None,
        }
    }
}

impl<K: Copy + Ord + Hash, V> SmallMap<K, V> {
    /// The place of `key`, where the newest entry does not have it.
    #[inline]
    fn earlier(&self, key: K) -> Option<usize> {
        let [.., (newest, _)] = self.entries.as_slice() else {
            return None;
        };
        if *newest < key && !self.disordered {
            return None;
        }
        self.earlier_position(key)
    }

    /// The same, where the newest entry does not tell.
    #[inline(never)]
    fn earlier_position(&self, key: K) -> Option<usize> {
        if let Some(index) = &self.index {
            return index.get(&key).copied();
        }
        if self.disordered {
            return self.entries.iter().position(|(known, _)| *known == key);
        }
        let early = self.entries.len().saturating_sub(LATEST);
        let (early, latest) = self.entries.split_at(early);
        for (n, (known, _)) in latest.iter().enumerate().rev() {
            if *known <= key {
                return (*known == key).then_some(early.len() + n);
            }
        }
        early.binary_search_by_key(&key, |(known, _)| *known).ok()
    }

    #[inline]
    fn is_newest(&self, key: K) -> bool {
        matches!(self.entries.as_slice(), [.., (newest, _)] if *newest == key)
    }

    /// The value under `key`.
    #[inline]
    pub fn get(&self, key: K) -> Option<&V> {
        match self.entries.as_slice() {
            [.., (newest, value)] if *newest == key => Some(value),
            entries => self.earlier(key).map(|at| &entries[at].1),
        }
    }

    /// The value under `key`, to be changed.
    #[inline]
    pub fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let at = match self.is_newest(key) {
            true => self.entries.len() - 1,
            false => self.earlier(key)?,
        };
        Some(&mut self.entries[at].1)
    }

    /// The value under `key`, made by `new` where there is none yet.
    #[inline]
    pub fn entry(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        match self.entries.as_slice() {
            [.., (newest, _)] if *newest == key => {
                let newest = self.entries.len() - 1;
                return &mut self.entries[newest].1;
            }
            [.., (newest, _)] if *newest < key && !self.disordered => {}
            // Most locks have one key and few leases.
            [] => self.entries.reserve_exact(1),
            _ => {
                if let Some(at) = self.earlier_or_disorder(key) {
                    return &mut self.entries[at].1;
                }
            }
        }
        &mut self.entries.push_mut((key, new())).1
    }

    /// The value under `key`, which mostly is the newest one; made where there is none.
    #[inline]
    pub fn or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        if !self.is_newest(key) {
            return self.earlier_or_default(key);
        }
        let newest = self.entries.len() - 1;
        &mut self.entries[newest].1
    }

    #[inline(never)]
    fn earlier_or_default(&mut self, key: K) -> &mut V
    where
        V: Default,
    {
        self.entry(key, V::default)
    }

    /// The place of `key`, which is to be the next entry where it has none.
    #[inline(never)]
    fn earlier_or_disorder(&mut self, key: K) -> Option<usize> {
        let earlier = self.earlier_position(key);
        if earlier.is_none() {
            self.note_disorder(key);
        }
        earlier
    }

    /// Indexes the key of the next entry, where one came or comes after a greater one.
    fn note_disorder(&mut self, key: K) {
        let at = self.entries.len();
        self.disordered = true;
        match &mut self.index {
            Some(index) => {
                index.insert(key, at);
            }
            None if at + 1 > INDEX_FROM => {
                let keys = self.entries.iter().map(|(key, _)| *key).chain([key]);
                self.index = Some(Box::new(keys.zip(0..).collect()));
            }
            None => {}
        }
    }

    /// Gives back the room that no entry needs.
    pub fn shrink(&mut self) {
        self.entries.shrink_to_fit();
    }

    /// Removes all entries. Their room is kept for the next ones, unless it is large.
    pub fn clear(&mut self) {
        empty(&mut self.entries);
        self.disordered = false;
        self.index = None;
    }

    /// Takes all values out, in order of insertion; the map is empty afterwards.
    pub fn take(&mut self) -> impl Iterator<Item = V> {
        self.disordered = false;
        self.index = None;
        self.entries.drain(..).map(|(_, value)| value)
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
}

/// Empties a list. Its room is kept for what comes next, unless it is large.
pub fn empty<T>(list: &mut Vec<T>) {
    if list.capacity() > KEPT {
        *list = Vec::new();
    }
    list.clear();
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::SmallMap;

    proptest! {
        #[test]
        fn it_answers_as_a_sorted_map_does(
            mut keys in proptest::collection::vec(0..60u64, 0..60),
            ascending in 0..60usize,
        ) {
            let ascending = ascending.min(keys.len());
            keys[..ascending].sort_unstable();
            let (mut map, mut known) = (SmallMap::default(), BTreeMap::new());
            let mut order = Vec::new();
            for (n, key) in keys.into_iter().enumerate() {
                if !known.contains_key(&key) {
                    order.push(key);
                }
                *map.entry(key, || 0) += n;
                *known.entry(key).or_insert(0) += n;
                for key in 0..60 {
                    prop_assert_eq!(map.get(key), known.get(&key));
                }
            }
            prop_assert_eq!(map.iter().map(|(key, _)| key).collect::<Vec<_>>(), order);
            prop_assert_eq!(map.len(), known.len());
        }
    }
}
