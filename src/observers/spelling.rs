//! One lease id in two spellings: decimal at one observer, hexadecimal at another, with
//! `0x` or without, in capitals or not.

use hashbrown::{HashMap, HashSet};

use crate::timeline::{Symbol, Symbols};

/// Below this, bare digits that happen to be one number in two bases are a coincidence
/// that small counters produce every day; above it, they are one random or packed id.
const TELLING: u128 = 1 << 32;

/// What a lease id may mean as a number.
#[derive(Debug, Clone, Copy)]
struct Number {
    decimal: Option<u128>,
    hex: Option<u128>,
    /// Whether it says itself that it is hexadecimal.
    says_hex: bool,
}

impl Number {
    fn of(text: &str) -> Number {
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

    fn values(self) -> impl Iterator<Item = u128> {
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

fn same(a: &str, b: &str) -> bool {
    // Words may differ in nothing but case and be two leases; digits of one id may not.
    let digits = a.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    digits && a.eq_ignore_ascii_case(b) || Number::of(a).is(Number::of(b))
}

/// For lease ids of one observer, the ids of another that are the same ones: only where
/// each has exactly one counterpart, and neither is known to both observers as it stands.
pub(super) fn reconcile(
    known: &HashSet<Symbol>,
    new: &HashSet<Symbol>,
    symbols: &Symbols,
) -> HashMap<Symbol, Symbol> {
    let mut by_value: HashMap<u128, Vec<Symbol>> = HashMap::new();
    let mut by_case: HashMap<String, Vec<Symbol>> = HashMap::new();
    for symbol in known.difference(new) {
        let text = symbols.name(*symbol);
        by_case
            .entry(text.to_ascii_lowercase())
            .or_default()
            .push(*symbol);
        for value in Number::of(text).values() {
            by_value.entry(value).or_default().push(*symbol);
        }
    }
    let mut pairs = Vec::new();
    for symbol in new.difference(known) {
        let text = symbols.name(*symbol);
        let cased = by_case.get(&text.to_ascii_lowercase());
        let valued = Number::of(text)
            .values()
            .filter_map(|value| by_value.get(&value));
        let mut found: Vec<Symbol> = cased
            .into_iter()
            .chain(valued)
            .flatten()
            .copied()
            .filter(|other| same(text, symbols.name(*other)))
            .collect();
        found.sort_unstable();
        found.dedup();
        pairs.extend(found.into_iter().map(|other| (*symbol, other)));
    }
    let mut times: HashMap<Symbol, u32> = HashMap::new();
    for (new, known) in &pairs {
        *times.entry(*new).or_default() += 1;
        *times.entry(*known).or_default() += 1;
    }
    let only = |symbol: &Symbol| times.get(symbol) == Some(&1);
    pairs.retain(|(new, known)| only(new) && only(known));
    pairs.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::reconcile;
    use crate::timeline::{Kind, Symbols};

    fn pairs(known: &[&str], new: &[&str]) -> Vec<(String, String)> {
        let mut symbols = Symbols::default();
        let known = known
            .iter()
            .map(|text| symbols.intern(Kind::Lease, text))
            .collect();
        let new = new
            .iter()
            .map(|text| symbols.intern(Kind::Lease, text))
            .collect();
        let mut found: Vec<_> = reconcile(&known, &new, &symbols)
            .into_iter()
            .map(|(a, b)| (symbols.name(a).to_owned(), symbols.name(b).to_owned()))
            .collect();
        found.sort();
        found
    }

    #[test]
    fn one_number_in_two_spellings_is_one_lease() {
        for (a, b) in [
            ("7587911847690356995", "694dad9f7c8fc903"),
            ("7587911847690356995", "0x694DAD9F7C8FC903"),
            ("694dad9f7c8fc903", "694DAD9F7C8FC903"),
            ("0x10", "16"),
            ("0xbeef", "beef"),
            ("00694dad9f7c8fc903", "0x694dad9f7c8fc903"),
            ("6F9619FF-8B86", "6f9619ff-8b86"),
        ] {
            assert_eq!(pairs(&[a], &[b]), [(b.to_owned(), a.to_owned())], "{a} {b}");
            assert_eq!(pairs(&[b], &[a]), [(a.to_owned(), b.to_owned())], "{b} {a}");
        }
    }

    #[test]
    fn what_may_be_two_leases_stays_two() {
        for (known, new) in [
            // Small counters meet in two bases by chance.
            (&["10", "11"][..], &["16", "17"][..]),
            (&["10"], &["0x10"]),
            // Two counterparts, on either side.
            (&["0x10", "0X10"], &["16"]),
            (&["16"], &["0x10", "0X10"]),
            // Known to both as it stands.
            (&["0x10", "16"], &["16"]),
            (&["lease-1"], &["lease-2"]),
            (&["lease-a"], &["lease-A"]),
            (&["007"], &["7"]),
            (&["0xffffffffffffffffffffffffffffffffff"], &["x"]),
        ] {
            assert_eq!(pairs(known, new), [], "{known:?} {new:?}");
        }
    }
}
