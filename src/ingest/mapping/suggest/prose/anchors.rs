//! The values in a sentence: each stands behind a word that says what it is.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::evidence::Field;

/// A value, and the field that it is of.
pub(super) struct Anchor {
    pub(super) field: Field,
    pub(super) span: Range<usize>,
    pub(super) number: bool,
}

/// A value in quotes, or one without spaces that ends before what ends a sentence.
const VALUE: &str = r#"(?:'([^']+)'|"([^"]+)"|([\w./:@#+=-]*\w))"#;
const NUMBER: &str = r"(0x[0-9a-fA-F]+|\d+)\b";

/// What stands between a word and its value, as in `lock 'a'`, `lock: a`, `'lock': 'a'`.
const BETWEEN: &str = r#"['"]?:?\s+"#;

/// What a value without quotes must hold, so that it is no word of the sentence.
#[derive(Clone, Copy)]
enum Must {
    /// It is a number.
    Number,
    /// A digit.
    Digit,
    /// A digit, or what separates the parts of a name.
    Mark,
    /// A separator of a path.
    Path,
}

/// The words before a value, in the order in which they are looked for.
const BEFORE: [(Field, &str, Must); 8] = [
    (Field::LockName, r"(?:lock|mutex)", Must::Mark),
    (
        Field::ResourceHighestTokenBefore,
        r"(?:highest|stored|last seen|last accepted)(?: (?:token|epoch|seen|accepted|so far|was|is))*",
        Must::Number,
    ),
    (
        Field::ResourceHighestTokenAfter,
        r"(?:is|now)",
        Must::Number,
    ),
    (
        Field::FenceToken,
        r"(?:token|epoch|czxid|zxid|generation|term)",
        Must::Number,
    ),
    (
        Field::LeaseId,
        r"(?:lease|session|handle)(?: id)?",
        Must::Digit,
    ),
    (
        Field::OperationId,
        r"(?:operation|op|request|job|message|write|update)",
        Must::Digit,
    ),
    (
        Field::ResourceKey,
        r"(?:on|to|key|resource|row)",
        Must::Path,
    ),
    (
        Field::OwnerId,
        r"(?:by|of|for|from|as|owner|holder)",
        Must::Mark,
    ),
];

static PATTERNS: LazyLock<Vec<(Field, Regex, Must)>> = LazyLock::new(|| {
    let all = BEFORE.iter().filter_map(|(field, words, must)| {
        let value = if matches!(must, Must::Number) {
            NUMBER
        } else {
            VALUE
        };
        let pattern = Regex::new(&format!(r"(?i)\b{words}{BETWEEN}{value}")).ok()?;
        Some((*field, pattern, *must))
    });
    all.collect()
});

/// The values in a line, in their order. An owner may also be one of those that are known.
pub(super) fn anchors(line: &str, owners: &[String]) -> Vec<Anchor> {
    let mut found: Vec<Anchor> = Vec::new();
    for (field, pattern, must) in PATTERNS.iter() {
        let before = found
            .iter()
            .find(|a| a.field == Field::ResourceHighestTokenBefore);
        // `highest token was 1, is 2`: only behind the reading before.
        let from = match (field, before) {
            (Field::ResourceHighestTokenAfter, None) => continue,
            (Field::ResourceHighestTokenAfter, Some(before)) => before.span.end,
            _ => 0,
        };
        let free = |span: &Range<usize>| {
            span.start >= from
                && found
                    .iter()
                    .all(|a| span.end <= a.span.start || span.start >= a.span.end)
        };
        let values = pattern.captures_iter(line).filter_map(|groups| {
            let group = groups.iter().skip(1).flatten().next()?;
            let quoted = groups.get(1).or_else(|| groups.get(2)).is_some();
            let fits = quoted || fits(group.as_str(), *must);
            fits.then(|| group.range())
        });
        let mut values = values.filter(free);
        if let Some(span) = values.next() {
            found.push(Anchor {
                field: *field,
                span,
                number: matches!(must, Must::Number),
            });
        }
    }
    if found.iter().all(|anchor| anchor.field != Field::OwnerId) {
        let named = owners.iter().find_map(|owner| word(line, owner));
        found.extend(named.map(|span| Anchor {
            field: Field::OwnerId,
            span,
            number: false,
        }));
    }
    found.sort_by_key(|anchor| anchor.span.start);
    found
}

/// Where a name stands as a word of its own.
fn word(line: &str, name: &str) -> Option<Range<usize>> {
    let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':');
    let mut places = line.match_indices(name);
    places.find_map(|(at, _)| {
        let end = at + name.len();
        let before = line.get(..at)?.chars().next_back();
        let after = line.get(end..)?.chars().next();
        (!before.is_some_and(part) && !after.is_some_and(part)).then_some(at..end)
    })
}

fn fits(value: &str, must: Must) -> bool {
    let digit = value.contains(|c: char| c.is_ascii_digit());
    match must {
        Must::Number => true,
        Must::Digit => digit,
        Must::Mark => digit || value.contains(['/', ':', '_', '-', '.']),
        Must::Path => value.contains(['/', ':']),
    }
}

#[cfg(test)]
mod tests {
    use super::anchors;

    fn seen(line: &str) -> Vec<String> {
        let anchors = anchors(line, &[]);
        let shown = anchors
            .iter()
            .map(|a| format!("{}={}", a.field.name(), &line[a.span.clone()]));
        shown.collect()
    }

    #[test]
    fn an_owner_may_be_known_from_other_lines() {
        let line = "Lock 'a' is busy, w-1 will retry";
        assert_eq!(anchors(line, &[]).len(), 1);
        let found = anchors(line, &["w".to_owned(), "w-1".to_owned()]);
        assert_eq!(&line[found[1].span.clone()], "w-1");
    }

    #[test]
    fn values_stand_behind_words() {
        let line = "Applied operation op-1 of w-A on 'acct:1' under lock 'acct-1' (lease l1, fencing token 2); highest token was 1, is 2";
        assert_eq!(
            seen(line),
            [
                "operationId=op-1",
                "ownerId=w-A",
                "resourceKey=acct:1",
                "lockName=acct-1",
                "leaseId=l1",
                "fenceToken=2",
                "resourceHighestTokenBefore=1",
                "resourceHighestTokenAfter=2"
            ]
        );
        let line =
            "Write refused for w-A on acct/42 under lock /locks/a-1: token 5 is stale, highest 17";
        assert_eq!(
            seen(line),
            [
                "ownerId=w-A",
                "resourceKey=acct/42",
                "lockName=/locks/a-1",
                "fenceToken=5",
                "resourceHighestTokenBefore=17"
            ]
        );
    }
}
