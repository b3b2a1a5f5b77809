//! One id in two spellings: decimal here, hexadecimal there, with `0x` or without, in
//! capitals or not. Authorities print one lease in several ways (etcd does).

/// Below this, bare digits that happen to be one number in two bases are a coincidence
/// that small counters produce every day; above it, they are one random or packed id.
const TELLING: u128 = 1 << 32;

/// What a lease id may mean as a number.
#[derive(Debug, Clone, Copy)]
pub struct Number {
    decimal: Option<u128>,
    hex: Option<u128>,
    /// Whether it says itself that it is hexadecimal.
    says_hex: bool,
}

impl Number {
    /// What the text may mean.
    pub fn of(text: &str) -> Number {
        let prefixed = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
        let digits = prefixed.unwrap_or(text);
        let only = |test: fn(&u8) -> bool| !digits.is_empty() && digits.bytes().all(|b| test(&b));
        let hex = only(u8::is_ascii_hexdigit)
            .then(|| u128::from_str_radix(digits, 16).ok())
            .flatten();
        let decimal = (prefixed.is_none() && only(u8::is_ascii_digit))
            .then(|| digits.parse().ok())
            .flatten();
        let letters = digits.bytes().any(|b| !b.is_ascii_digit());
        Number {
            decimal,
            hex,
            says_hex: hex.is_some() && (prefixed.is_some() || letters),
        }
    }

    /// The numbers that it may be.
    pub fn values(self) -> impl Iterator<Item = u128> {
        [self.decimal, self.hex.filter(|_| self.hex != self.decimal)]
            .into_iter()
            .flatten()
    }

    fn is(self, other: Number) -> bool {
        let equal =
            |a: Option<u128>, b: Option<u128>| matches!((a, b), (Some(a), Some(b)) if a == b);
        let telling = |number: Option<u128>| number.is_some_and(|number| number >= TELLING);
        let one_base =
            equal(self.hex, other.hex) && (telling(self.hex) || self.says_hex && other.says_hex);
        let decimal = equal(self.decimal, other.decimal) && telling(self.decimal);
        let bases = |decimal: Number, hex: Number| {
            equal(decimal.decimal, hex.hex) && (hex.says_hex || telling(hex.hex))
        };
        one_base || decimal || bases(self, other) || bases(other, self)
    }
}

/// Whether two ids are one id in two spellings, as far as spelling can tell.
pub fn same(a: &str, b: &str) -> bool {
    // Words may differ in nothing but case and be two leases; digits of one id may not.
    let digits = a.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    digits && a.eq_ignore_ascii_case(b) || Number::of(a).is(Number::of(b))
}

/// Whether two ids may be one id in two spellings, so that nothing is proven by their being
/// two. It is enough that one of them is hexadecimal for sure, and that the other may be
/// the same number in some base.
pub fn may_be_one(a: &str, b: &str) -> bool {
    if are_plain_hex([a, b].map(str::as_bytes).into_iter()) {
        return a == b;
    }
    may_be_one_number(a, b)
}

/// The same of ids that are not both plain hexadecimal digits, which nearly all are.
fn may_be_one_number(a: &str, b: &str) -> bool {
    let (x, y) = (Number::of(a), Number::of(b));
    let meet = || {
        x.values()
            .any(|value| y.values().any(|other| other == value))
    };
    same(a, b)
        || (x.says_hex || y.says_hex) && meet()
        || long_hex(a).is_some_and(|a| Some(a) == long_hex(b))
}

/// Keys of an id: two that [`may_be_one`] have one in common. Others seldom do.
pub fn keys(id: &str) -> impl Iterator<Item = u64> {
    let numbers = Number::of(id).values();
    let numbers = numbers.map(|number| (number ^ number >> 64) as u64);
    // Ids in groups, and numbers beyond 128 bits, by their digits.
    let digits = id.strip_prefix("0x").or_else(|| id.strip_prefix("0X"));
    let digits = digits.unwrap_or(id).trim_start_matches('0').as_bytes();
    let listed = digits.len() > 32 || digits.contains(&b'-');
    let hex = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let folded = (listed && digits.iter().all(hex)).then(|| {
        let digits = digits.iter().map(u8::to_ascii_lowercase);
        // A prime makes every digit count.
        digits.fold(0u64, |key, digit| {
            key.wrapping_mul(0x0100_0000_01b3) ^ u64::from(digit)
        })
    });
    numbers.chain(folded)
}

/// Whether ids are all hexadecimal numbers as most are written: with a letter and no capital,
/// and all of one length or with no zero in front. Any two of them are then two numbers.
pub fn are_plain_hex<'a>(ids: impl Iterator<Item = &'a [u8]>) -> bool {
    let (mut padded, mut length, mut one_length) = (false, None, true);
    for bytes in ids {
        // All bytes are looked at, without a branch: several at once.
        let (mut letters, mut others) = (0u8, 0u8);
        for byte in bytes {
            let letter = matches!(byte, b'a'..=b'f');
            letters |= u8::from(letter);
            others |= u8::from(!letter & !byte.is_ascii_digit());
        }
        if letters == 0 || others != 0 {
            return false;
        }
        padded |= bytes.first() == Some(&b'0');
        one_length &= *length.get_or_insert(bytes.len()) == bytes.len();
    }
    one_length || !padded
}

/// The digits of a hexadecimal number, also of one beyond 128 bits.
fn long_hex(text: &str) -> Option<String> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let digits = digits.unwrap_or(text).trim_start_matches('0');
    let hex = digits.len() > 32 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    hex.then(|| digits.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{are_plain_hex, keys, may_be_one, may_be_one_number};

    #[test]
    fn one_number_may_be_one_lease() {
        let long = "7".repeat(40);
        for (a, b) in [
            ("694d8a7b", "1766689403"),
            ("0x694D8A7B", "1766689403"),
            ("694d8a7b", "0x694D8A7B"),
            ("0x2a", "42"),
            ("0x10", "10"),
            ("00beef", "BEEF"),
            ("7293a2278b09a506", "8256120832620340486"),
            ("1234567890", "78187493520"),
            ("6F9619FF-8B86", "6f9619ff-8b86"),
            (&format!("0x00{long}"), &long),
        ] {
            assert!(may_be_one(a, b) && may_be_one(b, a), "{a} {b}");
            assert!(
                keys(a).any(|key| keys(b).any(|other| other == key)),
                "{a} {b}"
            );
        }
    }

    #[test]
    fn of_plain_hexadecimal_ids_any_two_are_two_numbers() {
        let plain = |ids: &[&str]| are_plain_hex(ids.iter().map(|id| id.as_bytes()));
        for ids in [
            &["a", "1a", "a1", "10a", "ff", "1f4", "e0", "694d8a7b"][..],
            &["00a", "01a", "10a", "a00"],
        ] {
            assert!(plain(ids));
            for (n, a) in ids.iter().enumerate() {
                let one = |b: &&&str| may_be_one(a, b) || may_be_one_number(a, b);
                assert!(!ids.iter().skip(n + 1).any(|b| one(&b)));
                assert!(may_be_one(a, a) && may_be_one_number(a, a));
            }
        }
        assert!(!plain(&["0a", "a"]));
        for other in ["", "0x1a", "1A", "42", "lease", "1a-2b"] {
            assert!(!plain(&[other]), "{other}");
        }
    }

    #[test]
    fn what_no_base_makes_equal_is_two_leases() {
        for (a, b) in [
            // Counters meet in two bases by chance.
            ("10", "16"),
            ("7", "007"),
            ("694d8a7b", "1766689404"),
            ("lease-a", "lease-A"),
            ("lease-10", "lease-16"),
            ("0x", "0"),
            ("", "0"),
        ] {
            assert!(!may_be_one(a, b) && !may_be_one(b, a), "{a} {b}");
        }
    }
}
