//! The values in a sentence: each stands behind a word that says what it is.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Match, Regex};

use super::named::named;
use super::others::is_of_others;
use super::verbs::{actor, called_a_lock, got, known, operation};
use crate::evidence::Field;
use crate::ingest::mapping::sample::is_placeholder;

/// A value, and the field that it is of.
#[derive(Clone)]
pub(super) struct Anchor {
    pub(super) field: Field,
    pub(super) span: Range<usize>,
    /// Only its looks say what it is: one that looks otherwise is something else.
    pub(super) by_looks: bool,
    /// It is the resource key, too: what was written has the name of its lock.
    pub(super) is_key: bool,
}

impl Anchor {
    /// A value behind its name.
    pub(super) fn new(field: Field, span: Range<usize>) -> Anchor {
        Anchor {
            field,
            span,
            by_looks: false,
            is_key: false,
        }
    }

    /// Whether it has to be a number.
    pub(super) fn is_number(&self) -> bool {
        self.field.is_number()
    }
}

/// A value in quotes, or one without spaces that ends before what ends a sentence.
pub(super) const VALUE: &str = r#"(?:'([^']+)'|"([^"]+)"|\[?([\w./:@#+=-]*\w))"#;
const NUMBER: &str = r"\[?(0x[0-9a-fA-F]+|\d+)\b";

/// What stands between a word and its value, as in `lock 'a'`, `lock: a`, `'lock': 'a'`.
pub(super) const BETWEEN: &str = r#"['"]?:?\s+"#;

/// What a value must hold, so that it is no word of the sentence. One in quotes is a value
/// as it stands, but for `Marked`.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Must {
    /// It is a number.
    Number,
    /// A digit.
    Digit,
    /// A digit, or what separates the parts of a name.
    Mark,
    /// A separator of a path.
    Path,
    /// A separator of a path, in quotes, too.
    Marked,
    /// Quotes.
    Quoted,
    /// A namespace and a name.
    Namespaced,
    /// A digit, or what separates the parts of a name, where something else names the owner.
    Owned,
}

/// The words before a value, in the order in which they are looked for.
const BEFORE: [(Field, &str, Must); 13] = [
    (Field::LockName, r"(?:lock|mutex)", Must::Mark),
    (Field::LockName, r"(?:un)?locked", Must::Quoted),
    // Whom it was acquired for may be the owner, too.
    (
        Field::LockName,
        r"(?:lock|lease) (?:was |is |has |been )*(?:acquired|obtained|taken|renewed|extended|expired|lost|released) (?:for|on)",
        Must::Owned,
    ),
    // Kubernetes elects leaders by a lease, and names it; other leases have handles.
    (
        Field::LockName,
        r"(?:leader|acquired?|acquiring|renew(?:ed|ing)?|releas(?:ed?|ing)) lease",
        Must::Namespaced,
    ),
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
        Field::ActiveLeaseId,
        r"(?:active|current) (?:lease|session|handle)(?: id)?",
        Must::Digit,
    ),
    (
        Field::LeaseId,
        r"(?:lease|session|handle)(?: id)?",
        Must::Digit,
    ),
    (
        Field::OperationId,
        r"(?:operation|op|request|job|message)",
        Must::Digit,
    ),
    (
        Field::ResourceKey,
        r"(?:on|to|key|resource|row)",
        Must::Path,
    ),
    // What was written is a key only where it looks like one.
    (
        Field::ResourceKey,
        r"(?:writes?|wrote|updates?|updated)",
        Must::Marked,
    ),
    (
        Field::OwnerId,
        r"(?:by|of|for|from|as|owner|holder)",
        Must::Mark,
    ),
];

static PATTERNS: LazyLock<Vec<(Field, Regex, Must)>> = LazyLock::new(|| {
    let all = BEFORE.iter().filter_map(|(field, words, must)| {
        let value = match must {
            Must::Number => NUMBER,
            _ => VALUE,
        };
        let pattern = Regex::new(&format!(r"(?i)\b{words}{BETWEEN}{value}")).ok()?;
        Some((*field, pattern, *must))
    });
    all.collect()
});

/// The values in a line, in their order. An owner may also be one of those that are known.
pub(super) fn anchors(line: &str, owners: &[String]) -> Vec<Anchor> {
    let mut found: Vec<Anchor> = named(line);
    for (field, pattern, must) in PATTERNS.iter() {
        if found.iter().any(|anchor| anchor.field == *field) {
            continue;
        }
        let before = found
            .iter()
            .find(|a| a.field == Field::ResourceHighestTokenBefore);
        // `highest token was 1, is 2`: only behind the reading before.
        let from = match (field, before) {
            (Field::ResourceHighestTokenAfter, None) => continue,
            (Field::ResourceHighestTokenAfter, Some(before)) => before.span.end,
            _ => 0,
        };
        let values = captures(pattern, line, *field).filter_map(|groups| {
            let whole = groups.get(0)?;
            let group = value(&groups)?;
            let quoted = groups.get(1).or_else(|| groups.get(2)).is_some();
            let owned = || found.iter().any(|anchor| anchor.field == Field::OwnerId);
            let as_it_stands = !matches!(must, Must::Marked | Must::Namespaced | Must::Owned);
            let fits = (quoted && as_it_stands || fits(group.as_str(), *must))
                && (*must != Must::Owned || owned());
            let before = line.get(..whole.start())?;
            // `app.lock` is the name of a logger.
            let of_logger = *field == Field::LockName && before.ends_with('.');
            let text = group.as_str();
            let other = is_time(text) || is_placeholder(text) || is_of_others(*field, before);
            (fits && !other && !of_logger).then(|| group.range())
        });
        let mut values = values.filter(|span| span.start >= from && is_free(span, &found));
        let first = values.next();
        // `Lock [exec-1] acquired lock [a-1]`: first the names of a logger and a thread.
        let bracketed = first.as_ref().is_some_and(|span| is_bracketed(line, span));
        let span = match *field == Field::LockName && bracketed {
            true => values.last().or(first),
            false => first,
        };
        if let Some(span) = span {
            found.push(Anchor {
                by_looks: matches!(must, Must::Marked),
                ..Anchor::new(*field, span)
            });
        }
    }
    found.extend(operation(line, &found));
    if found.iter().all(|anchor| anchor.field != Field::OwnerId) {
        let span = actor(line).or_else(|| known(line, owners));
        let span = span.filter(|span| is_free(span, &found));
        found.extend(span.map(|span| Anchor::new(Field::OwnerId, span)));
    }
    if found.iter().all(|anchor| anchor.field != Field::LockName) {
        let span = called_a_lock(line).or_else(|| got(line, &found));
        let span = span.filter(|span| is_free(span, &found));
        found.extend(span.map(|span| Anchor::new(Field::LockName, span)));
    }
    found.sort_by_key(|anchor| anchor.span.start);
    found
}

/// The value that one of the groups of a pattern has.
pub(super) fn value<'l>(groups: &Captures<'l>) -> Option<Match<'l>> {
    groups.iter().skip(1).flatten().next()
}

/// Where a word and its value stand. What seems to be the value of `lock` may be the word again:
/// `lock Lock a-1`.
fn captures<'l>(
    pattern: &'l Regex,
    line: &'l str,
    field: Field,
) -> impl Iterator<Item = Captures<'l>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let groups = pattern.captures_at(line, from)?;
        let value = value(&groups)?;
        from = match field {
            Field::LockName => value.start(),
            _ => value.end(),
        };
        Some(groups)
    })
}

pub(super) fn is_free(span: &Range<usize>, found: &[Anchor]) -> bool {
    found
        .iter()
        .all(|a| span.end <= a.span.start || span.start >= a.span.end)
}

fn is_bracketed(line: &str, span: &Range<usize>) -> bool {
    line.get(..span.start)
        .is_some_and(|before| before.ends_with('['))
}

/// `3ms` is no name.
pub(super) fn is_time(value: &str) -> bool {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    unit.len() < value.len() && matches!(unit, "ms" | "s" | "us" | "ns" | "m" | "min" | "h")
}

pub(super) fn fits(value: &str, must: Must) -> bool {
    let digit = value.contains(|c: char| c.is_ascii_digit());
    match must {
        Must::Number => true,
        Must::Digit => digit,
        Must::Mark | Must::Owned => digit || value.contains(['/', ':', '_', '-', '.']),
        Must::Path | Must::Marked => value.contains(['/', ':']),
        Must::Quoted => false,
        Must::Namespaced => value
            .split_once('/')
            .is_some_and(|(space, name)| !space.is_empty() && !name.contains('/')),
    }
}

#[cfg(test)]
mod tests;
