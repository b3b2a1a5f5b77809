//! Whether a value is of somebody or something else than the line is about.

use crate::evidence::Field;

/// What stands before a value of somebody or something else than the line is about.
const OF_OTHERS: [&str; 30] = [
    "active",
    "after",
    "another",
    "belongs",
    "blocked",
    "by",
    "current",
    "deleted",
    "existing",
    "expected",
    "fenced",
    "foreign",
    "have",
    "held",
    "highest",
    "instead",
    "last",
    "latest",
    "new",
    "newer",
    "newest",
    "other",
    "owned",
    "previous",
    "removed",
    "replaced",
    "seen",
    "stolen",
    "stored",
    "superseded",
];

/// Whether the words before a value say that it is of somebody else: `held by`, `newer token`.
pub(super) fn is_of_others(field: Field, before: &str) -> bool {
    let clause = before
        .rsplit([',', ';', ':', '(', '{', '['])
        .next()
        .unwrap_or_default();
    let mut words = clause
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .rev()
        .map(str::to_lowercase);
    let others = |word: String| OF_OTHERS.binary_search(&word.as_str()).is_ok();
    match field {
        Field::OwnerId => {
            let near: Vec<String> = words.by_ref().take(3).collect();
            let last = near.first().is_some_and(|word| {
                others(word.clone()) && !matches!(word.as_str(), "new" | "by" | "after")
            });
            // `released after writes of w-1`.
            let then = near
                .get(1)
                .is_some_and(|word| word == "after" || word == "before");
            last || then || near.iter().any(|word| word == "removed" || word == "held")
        }
        Field::FenceToken | Field::LeaseId => words.next().is_some_and(|word| {
            others(word.clone()) && !(field == Field::LeaseId && word == "new")
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn words_of_others_are_in_order() {
        assert!(super::OF_OTHERS.is_sorted());
    }
}
