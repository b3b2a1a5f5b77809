//! Words for the numbers of a run.

use super::event::Key;

/// How a run names its locks, workers, leases, keys and operations. Every name is plain
/// ASCII that needs no escape in JSON.
#[derive(Debug, Clone, Default)]
pub struct Names {
    locks: &'static [&'static str],
    lease: Option<&'static str>,
}

impl Names {
    /// `lock-0`, `worker-0`, `lease-0-1`: the names of a run of any size.
    pub fn numbered() -> Names {
        Names::default()
    }

    /// The names of a told story: locks by name, workers by letter, and leases that
    /// begin with one word.
    pub fn told(locks: &'static [&'static str], lease: &'static str) -> Names {
        Names {
            locks,
            lease: Some(lease),
        }
    }

    /// Appends the name of a lock.
    pub fn lock(&self, out: &mut Vec<u8>, lock: u32) {
        match self.locks.get(lock as usize) {
            Some(name) => out.extend_from_slice(name.as_bytes()),
            None => {
                out.extend_from_slice(b"lock-");
                push_number(out, u64::from(lock));
            }
        }
    }

    /// Appends the name of a worker.
    pub fn owner(&self, out: &mut Vec<u8>, owner: u32) {
        out.extend_from_slice(b"worker-");
        match u8::try_from(owner) {
            Ok(letter @ 0..26) if self.lease.is_some() => out.push(b'A' + letter),
            _ => push_number(out, u64::from(owner)),
        }
    }

    /// Appends the handle of a lease.
    pub fn lease(&self, out: &mut Vec<u8>, lock: u32, number: u64) {
        match self.lease {
            Some(word) => out.extend_from_slice(word.as_bytes()),
            None => out.extend_from_slice(b"lease"),
        }
        out.push(b'-');
        if self.lease.is_none() || lock > 0 {
            push_number(out, u64::from(lock));
            out.push(b'-');
        }
        push_number(out, number);
    }

    /// Appends a resource key.
    pub fn key(&self, out: &mut Vec<u8>, key: Key) {
        match self.locks.get(key.item as usize) {
            // The item of `report:417:rebuild` is `report:417`.
            Some(name) => {
                let item = name.rsplit_once(':').map_or(*name, |(item, _)| item);
                out.extend_from_slice(item.as_bytes());
            }
            None => {
                out.extend_from_slice(b"item-");
                push_number(out, u64::from(key.item));
            }
        }
        if key.part > 0 {
            out.push(b'/');
            push_number(out, u64::from(key.part));
        }
    }

    /// Appends an operation.
    pub fn operation(&self, out: &mut Vec<u8>, lock: u32, number: u64) {
        out.extend_from_slice(b"op-");
        if self.lease.is_none() || lock > 0 {
            push_number(out, u64::from(lock));
            out.push(b'-');
        }
        push_number(out, number);
    }

    /// A name as text.
    pub fn text(&self, write: impl FnOnce(&Names, &mut Vec<u8>)) -> String {
        let mut out = Vec::new();
        write(self, &mut out);
        String::from_utf8(out).unwrap_or_default()
    }
}

/// Appends a number in decimal digits.
pub fn push_number(out: &mut Vec<u8>, number: u64) {
    let mut digits = [0u8; 20];
    let mut rest = number;
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[start..]);
}

#[cfg(test)]
mod tests {
    use super::{Key, Names, push_number};

    #[test]
    fn every_number_is_written_in_full() {
        for number in [0, 9, 10, 417, u64::MAX] {
            let mut out = Vec::new();
            push_number(&mut out, number);
            assert_eq!(String::from_utf8(out).unwrap(), number.to_string());
        }
    }

    #[test]
    fn told_and_numbered_names() {
        let told = Names::told(&["report:417:rebuild"], "training-lease");
        assert_eq!(told.text(|n, out| n.lock(out, 0)), "report:417:rebuild");
        assert_eq!(told.text(|n, out| n.owner(out, 1)), "worker-B");
        assert_eq!(told.text(|n, out| n.lease(out, 0, 2)), "training-lease-2");
        assert_eq!(
            told.text(|n, out| n.key(out, Key { item: 0, part: 0 })),
            "report:417"
        );
        let plain = Names::numbered();
        assert_eq!(plain.text(|n, out| n.lease(out, 7, 2)), "lease-7-2");
        assert_eq!(
            plain.text(|n, out| n.key(out, Key { item: 7, part: 3 })),
            "item-7/3"
        );
    }
}
