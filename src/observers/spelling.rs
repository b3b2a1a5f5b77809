//! One lease id in two spellings: decimal at one observer, hexadecimal at another, with
//! `0x` or without, in capitals or not.

use hashbrown::{HashMap, HashSet};

use crate::timeline::spelling::{Number, same};
use crate::timeline::{Symbol, Symbols};

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
