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
    /// What was forgotten, where that is asked for.
    gone: Option<Sieve>,
}

/// Keys that were put in, and some that were not: of a key outside it is certain that it
/// never was.
#[derive(Debug, Clone, Default)]
struct Sieve {
    /// None before the first key.
    words: Vec<u64>,
}

impl Sieve {
    fn put(&mut self, key: u64, room: usize) {
        if self.words.is_empty() {
            // A word for each key of a generation: few keys are taken for others until
            // many generations are gone.
            self.words = vec![0; room.next_power_of_two()];
        }
        for (word, bit) in self.places(key) {
            self.words[word] |= bit;
        }
    }

    fn may_hold(&self, key: u64) -> bool {
        !self.words.is_empty()
            && self
                .places(key)
                .into_iter()
                .all(|(word, bit)| self.words[word] & bit != 0)
    }

    /// Two bits for each key.
    fn places(&self, key: u64) -> [(usize, u64); 2] {
        let last = self.words.len() - 1;
        [key, key.rotate_left(32)].map(|part| {
            let word = (part >> 6) as usize & last;
            (word, 1 << (part % 64))
        })
    }
}

/// How many buckets a table has for each that it may fill: seven of eight.
const BUCKETS: u64 = 8;
const FILLED: u64 = 7;

/// The most entries of each map that fit into `memory`, where the maps have `bytes` a
/// bucket together and keep `texts` bytes beside the tables for each entry of a
/// generation. A table grows by doubling, and for a moment it is there twice.
pub fn room(memory: u64, bytes: u64, texts: u64) -> usize {
    let fits = |power: u32| {
        let buckets = 1_u64 << power;
        let tables = bytes.saturating_mul(buckets).saturating_mul(5) / 2;
        let left = memory.checked_sub(tables)?;
        let by_text = left.checked_div(texts * 2).unwrap_or(u64::MAX);
        Some(by_text.min(buckets / BUCKETS * FILLED))
    };
    let most = (3..48).filter_map(fits).max().unwrap_or(0);
    usize::try_from(most).unwrap_or(usize::MAX).max(1)
}

impl<V> Recent<V> {
    /// What a bucket of the table takes.
    pub const BYTES: u64 = (size_of::<(u64, V)>() + 1) as u64;
    /// The same where it can tell what it forgot.
    pub const RECALLING: u64 = Self::BYTES + 8;

    /// A map that holds at least the `room` entries touched last.
    pub fn new(room: usize) -> Recent<V> {
        Recent {
            young: HashMap::default(),
            old: HashMap::default(),
            room: room.max(1),
            forgot: false,
            gone: None,
        }
    }

    /// The same, and it can tell what it may have forgotten.
    pub fn recalling(room: usize) -> Recent<V> {
        Recent {
            gone: Some(Sieve::default()),
            ..Recent::new(room)
        }
    }

    /// Whether there may have been a value under `key`, which is not there now. Where that
    /// is not so, there was none.
    pub fn may_have_forgotten(&self, key: u64) -> bool {
        match &self.gone {
            Some(gone) => gone.may_hold(key),
            None => self.forgot,
        }
    }

    /// Takes out the value under `key`, which does not count as forgotten.
    pub fn remove(&mut self, key: u64) {
        self.young.remove(&key);
        self.old.remove(&key);
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
            if let Some(gone) = &mut self.gone {
                for key in self.old.keys() {
                    gone.put(*key, self.room);
                }
            }
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
    use super::{Recent, hash, room};

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
    fn what_was_forgotten_is_known_to_have_been_there() {
        let mut map = Recent::recalling(100);
        assert!(!map.may_have_forgotten(hash(&1)));
        for n in 0..1000 {
            map.insert(hash(&n), n);
        }
        let gone = |map: &Recent<i32>, n: i32| map.may_have_forgotten(hash(&n));
        for n in 0..1000 {
            assert!(gone(&map, n) || map.get_mut(hash(&n)).is_some(), "{n}");
        }
        let others = (1000..2000).filter(|n| gone(&map, *n)).count();
        assert!(others < 200, "{others}");
    }

    #[test]
    fn the_room_fits_into_the_memory() {
        for memory in [1, 10_000, 1 << 20, 100_000_000, 1 << 29, 1 << 33] {
            for (bytes, texts) in [(41, 0), (280, 256), (25, 10_000)] {
                let room = room(memory, bytes, texts) as u64;
                let taken = |room: u64| {
                    let buckets = (room * 8).div_ceil(7).next_power_of_two().max(8);
                    bytes * buckets * 5 / 2 + texts * 2 * room
                };
                assert!(
                    taken(room) <= memory || room == 1,
                    "{memory} {bytes} {texts}"
                );
                // And it is made use of.
                assert!(taken(room * 2 + 8) > memory, "{memory} {bytes} {texts}");
            }
        }
        assert!(room(1 << 33, 41, 0) > room(1 << 29, 41, 0));
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
