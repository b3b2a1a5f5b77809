//! Short texts, such as names, compared and hashed without a call.

/// Whether two texts are equal. Their ends are looked at first: most names that are alike
/// differ there.
#[inline]
pub fn same(a: &[u8], b: &[u8]) -> bool {
    let len = a.len();
    if len != b.len() {
        return false;
    }
    if len >= 16 {
        let end = len - 16;
        let same = |at| sixteen(a, at) == sixteen(b, at);
        let (mut at, mut so_far) = (0, same(end));
        while so_far && at < end {
            so_far = same(at);
            at += 16;
        }
        so_far
    } else if len >= 8 {
        let same = |at| eight(a, at) == eight(b, at);
        same(0) && same(len - 8)
    } else {
        a.iter().eq(b)
    }
}

/// The bytes from there on, as a number; 0 where there are too few.
#[inline]
fn sixteen(text: &[u8], at: usize) -> u128 {
    let part = text.get(at..at + 16).and_then(|part| part.as_array());
    part.map_or(0, |part| u128::from_le_bytes(*part))
}

#[inline]
fn eight(text: &[u8], at: usize) -> u64 {
    let part = text.get(at..at + 8).and_then(|part| part.as_array());
    part.map_or(0, |part| u64::from_le_bytes(*part))
}

const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd1b5_4a32_d192_ed03;

/// A hash for tables: every bit of the text reaches all of its bits. The length is in it, so
/// that parts of the text may overlap.
#[inline]
pub fn hash(text: &[u8]) -> u64 {
    let len = text.len();
    let mut sum = FIRST ^ len as u64;
    if len >= 16 {
        let (mut at, end) = (0, len - 16);
        while at < end {
            sum = mixed(sum, sixteen(text, at));
            at += 16;
        }
        sum = mixed(sum, sixteen(text, end));
    } else if len >= 8 {
        let (first, last) = (eight(text, 0), eight(text, len - 8));
        sum = mixed(sum, u128::from(first) | u128::from(last) << 64);
    } else {
        let few = text.iter();
        let few = few.fold(0, |few, byte| few << 8 | u128::from(*byte));
        sum = mixed(sum, few);
    }
    // Names that count up would still stand in rows.
    sum.wrapping_mul(FIRST).rotate_left(26)
}

/// Both halves of a product: the low bits of it know nothing of the high bits of its factors.
#[inline]
fn mixed(sum: u64, part: u128) -> u64 {
    let (a, b) = (part as u64 ^ sum, (part >> 64) as u64 ^ SECOND);
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::{hash, same};
    use std::collections::HashSet;

    #[test]
    fn texts_are_the_same_where_every_byte_is() {
        let text: Vec<u8> = (0..70).collect();
        for len in 0..text.len() {
            let one = &text[..len];
            let copy = one.to_vec();
            assert!(same(one, &copy));
            assert!(!same(one, &text[..len + 1]));
            for at in 0..len {
                let mut other = one.to_vec();
                other[at] ^= 0x40;
                assert!(!same(one, &other), "{len} {at}");
                assert_ne!(hash(one), hash(&other), "{len} {at}");
            }
        }
    }

    #[test]
    fn names_that_are_counted_up_spread_over_a_table() {
        for before in [
            "",
            "acct:",
            "tenant-30:report:",
            "00000000-0000-0000-0000-0000",
        ] {
            let hashes: Vec<u64> = (0..10_000)
                .map(|n| hash(format!("{before}{n}").as_bytes()))
                .collect();
            let low: HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff).collect();
            let high: HashSet<u64> = hashes.iter().map(|hash| hash >> 48).collect();
            // Of so many drawn at random, some 9280 differ.
            assert!(low.len() > 9100 && high.len() > 9100, "{before}");
        }
    }
}
