//! The word that somebody is likely to have meant: near enough that they would say so
//! themselves, and none where there is no such word.

/// How far `known` is from `wrong`, where it is near: 0 where only case and punctuation
/// differ.
pub(crate) fn distance(wrong: &str, known: &str) -> Option<usize> {
    let (wrong, known) = (plain(wrong), plain(known));
    let whole = within(&wrong, &known);
    // Who writes the beginning of a name left out its end.
    let begun = known
        .get(..wrong.len())
        .and_then(|begin| within(&wrong, begin));
    let begun = begun.filter(|far| wrong.len() > if *far == 0 { 2 } else { 3 });
    whole.into_iter().chain(begun.map(|far| far + 1)).min()
}

/// The nearest of the words, the first of those that are equally near.
pub(crate) fn nearest<'w>(wrong: &str, known: impl Iterator<Item = &'w str>) -> Option<&'w str> {
    known
        .filter_map(|word| Some((distance(wrong, word)?, word)))
        .min_by_key(|(far, _)| *far)
        .map(|(_, word)| word)
}

/// One slip of the finger in a short word, one for every four letters of a longer one.
fn within(wrong: &str, known: &str) -> Option<usize> {
    let length = wrong.chars().count().max(known.chars().count());
    let far = strsim::damerau_levenshtein(wrong, known);
    // Of a word of two letters a slip leaves nothing to know it by.
    (far <= (length / 4).max(usize::from(length > 2))).then_some(far)
}

/// Letters and digits only, in lower case.
pub(crate) fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_slip_is_understood_and_a_guess_is_not_made() {
        for (wrong, known, expected) in [
            ("lockNam", &["ownerId", "lockName"][..], Some("lockName")),
            ("lock_name", &["lockName"], Some("lockName")),
            (
                "stail-owner",
                &["stale-owner", "token-order"],
                Some("stale-owner"),
            ),
            (
                "etdc",
                &["postgres-csvlog", "etcd-watch"],
                Some("etcd-watch"),
            ),
            ("sec", &["auto", "seq"], Some("seq")),
            ("shwo", &["show", "suggest"], Some("show")),
            ("owner", &["leaseId", "ownerId"], Some("ownerId")),
            ("fencingToken", &["fenceToken"], Some("fenceToken")),
            ("foo", &["forgotten", "note"], None),
            ("nosuchname", &["no-lock-name"], None),
            ("frobnicate", &["format", "follow"], None),
            ("oner", &["order"], None),
            ("on", &["of"], None),
            ("", &["a", "seq"], None),
        ] {
            assert_eq!(nearest(wrong, known.iter().copied()), expected, "{wrong}");
        }
    }

    #[test]
    fn the_nearest_of_several_is_meant() {
        let known = ["release", "released", "relapsed"];
        assert_eq!(nearest("relased", known.into_iter()), Some("released"));
        assert_eq!(nearest("RELEASE", known.into_iter()), Some("release"));
    }
}
