//! A map that remembers what it was asked for lately and forgets the rest: what needs
//! comparing in a log is mostly near, and memory has a bound.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// A map of at most about twice `room` entries; those not touched for longest go first,
/// half of them at a time.
#[derive(Debug, Clone)]
pub struct Recent<V> {
    young: HashMap<u64, V, foldhash::fast::FixedState>,
    old: HashMap<u64, V, foldhash::fast::FixedState>,
    room: usize,
    /// Whether anything was ever forgotten.
    pub forgot: bool,
}

impl<V> Recent<V> {
    /// A map that holds at least the `room` entries touched last.
    pub fn new(room: usize) -> Recent<V> {
        Recent {
            young: HashMap::default(),
            old: HashMap::default(),
            room: room.max(1),
            forgot: false,
        }
    }

    /// The value under `key`, if it is still there.
    pub fn get_mut(&mut self, key: u64) -> Option<&mut V> {
        if !self.young.contains_key(&key)
            && let Some(value) = self.old.remove(&key)
        {
            self.insert(key, value);
        }
        self.young.get_mut(&key)
    }

    /// Puts a value under `key`.
    pub fn insert(&mut self, key: u64, value: V) {
        self.make_room(key);
        self.young.insert(key, value);
    }

    /// The value under `key`; where there is none, `value` is put there and none given.
    pub fn get_or_insert(&mut self, key: u64, value: V) -> Option<&mut V> {
        if self.young.len() >= self.room {
            // Where it is old, it comes along.
            self.get_mut(key);
        }
        self.make_room(key);
        match self.young.entry(key) {
            Entry::Occupied(known) => Some(known.into_mut()),
            Entry::Vacant(place) => match self.old.remove(&key) {
                Some(known) => Some(place.insert(known)),
                None => {
                    place.insert(value);
                    None
                }
            },
        }
    }

    /// Makes room for one more, unless it is `key` that is there already.
    fn make_room(&mut self, key: u64) {
        if self.young.len() >= self.room && !self.young.contains_key(&key) {
            self.forgot |= !self.old.is_empty();
            std::mem::swap(&mut self.old, &mut self.young);
            self.young.clear();
        }
    }
}

/// The hash of a value: names are compared by it, 64 bits.
pub fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    foldhash::quality::FixedState::default().hash_one(value)
}

#[cfg(test)]
mod tests {
    use super::Recent;

    #[test]
    fn what_was_touched_lately_is_kept() {
        let mut map = Recent::new(10);
        map.insert(0, 0);
        for n in 1..100 {
            assert_eq!(map.get_mut(0).copied(), Some(0));
            map.insert(n, n);
        }
        assert_eq!(map.get_mut(99).copied(), Some(99));
        assert_eq!(map.get_mut(90).copied(), Some(90));
        assert_eq!(map.get_mut(50), None);
        assert!(map.forgot && map.young.len() + map.old.len() <= 20);
    }

    #[test]
    fn to_get_or_insert_is_to_get_and_then_insert() {
        let (mut one, mut two) = (Recent::new(5), Recent::new(5));
        for n in 0..2000_u64 {
            let key = n * n % 23 % (1 + n % 19);
            let known = one.get_or_insert(key, n).copied();
            assert_eq!(known, two.get_mut(key).copied());
            if known.is_none() {
                two.insert(key, n);
            }
            assert_eq!((&one.young, &one.old), (&two.young, &two.old));
            assert_eq!(one.forgot, two.forgot);
        }
    }
}
