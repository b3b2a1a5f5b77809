//! Numbers by hash, where the names behind them stand elsewhere: one list of words, so that
//! to look is one visit to memory, and to grow needs no name.

/// Numbers, each under the hash of its name.
#[derive(Debug, Default)]
pub struct Index {
    /// The upper half of a hash and one more than its number, from the place of the hash on;
    /// 0 where there is none. As many as a power of two, or none.
    slots: Vec<u64>,
    count: usize,
}

/// A place that a number may take.
pub struct Vacant(usize);

const FEWEST: usize = 16;
const HASH: u64 = !0 << 32;

impl Index {
    /// The number under `hash` that `is` accepts, else where one may be put.
    #[inline]
    pub fn find(&mut self, hash: u64, is: impl Fn(u32) -> bool) -> Result<u32, Vacant> {
        if self.count >= self.slots.len() / 4 * 3 {
            self.grow();
        }
        let mut at = self.place(hash);
        loop {
            match self.slots[at] {
                0 => return Err(Vacant(at)),
                slot if (slot ^ hash) & HASH == 0 && is(slot as u32 - 1) => {
                    return Ok(slot as u32 - 1);
                }
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// Puts a number where it was looked for and not found.
    #[inline]
    pub fn put(&mut self, Vacant(at): Vacant, hash: u64, number: u32) {
        self.slots[at] = hash & HASH | (u64::from(number) + 1);
        self.count += 1;
    }

    /// Removes all numbers. Their room is kept, and halved where few of it was used.
    pub fn clear(&mut self) {
        if self.slots.len() > FEWEST && self.count < self.slots.len() / 8 {
            self.slots.truncate(self.slots.len() / 2);
        }
        self.slots.fill(0);
        self.count = 0;
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    #[inline(never)]
    fn grow(&mut self) {
        let room = (self.slots.len() * 2).max(FEWEST);
        let slots = std::mem::replace(&mut self.slots, vec![0; room]);
        for slot in slots.into_iter().filter(|slot| *slot != 0) {
            let mut at = self.place(slot);
            while self.slots[at] != 0 {
                at = (at + 1) & (room - 1);
            }
            self.slots[at] = slot;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn numbers_are_found_by_hash_and_name() {
        let names: Vec<String> = (0..500).map(|number| format!("name {number}")).collect();
        // Few hashes, so that many names stand in each other's places.
        let hash = |name: &str| (name.len() as u64 * 7) << 32;
        let mut index = Index::default();
        for _ in 0..3 {
            for (number, name) in (0..).zip(&names) {
                let is = |known: u32| names[known as usize] == *name;
                let vacant = index.find(hash(name), is);
                index.put(vacant.expect_err("new"), hash(name), number);
                assert_eq!(index.find(hash(name), is).ok(), Some(number));
            }
            for (number, name) in (0..).zip(&names) {
                let is = |known: u32| names[known as usize] == *name;
                assert_eq!(index.find(hash(name), is).ok(), Some(number));
            }
            index.clear();
            assert!(index.find(hash("name 1"), |_| true).is_err());
        }
    }
}
