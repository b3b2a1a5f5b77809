//! The values in a sentence: each stands behind a word that says what it is.

use std::ops::Range;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::named::named;
use super::others::is_of_others;
use crate::evidence::Field;

/// A value, and the field that it is of.
pub(super) struct Anchor {
    pub(super) field: Field,
    pub(super) span: Range<usize>,
    pub(super) number: bool,
    /// Only its looks say what it is: one that looks otherwise is something else.
    pub(super) by_looks: bool,
    /// It is the resource key, too: what was written has the name of its lock.
    pub(super) is_key: bool,
}

/// A value in quotes, or one without spaces that ends before what ends a sentence.
const VALUE: &str = r#"(?:'([^']+)'|"([^"]+)"|\[?([\w./:@#+=-]*\w))"#;
const NUMBER: &str = r"\[?(0x[0-9a-fA-F]+|\d+)\b";

/// What stands between a word and its value, as in `lock 'a'`, `lock: a`, `'lock': 'a'`.
const BETWEEN: &str = r#"['"]?:?\s+"#;

/// What a value must hold, so that it is no word of the sentence. One in quotes is a value
/// as it stands, but for `Marked`.
#[derive(Clone, Copy, PartialEq)]
enum Must {
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

/// Who does it, before what is done.
const SUBJECT: &str = r"(?:^|\s)([\w./:@#+=-]*\w) (?:has |was |successfully )?(?:acquired|obtained|took|got|released|renewed|extended|wrote|updated|locked|unlocked|(?:failed|tried) to|could ?n[o']t|cannot|can't|did not|is not)\b";

static CALLED_A_LOCK: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"(?i)(?:'([^']+)'|"([^"]+)") (?:lock|mutex)\b"#).ok());
static GOT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let got =
        r"(?i)\b(?:acquired?|obtained|renew(?:ed)?|extend(?:ed)?|released?|unlock(?:ed)?|lost)\s+";
    Regex::new(&format!("{got}{VALUE}")).ok()
});
static ACTOR: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(SUBJECT).ok());
static WRITTEN: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!(r"(?i)\b(?:write|update){BETWEEN}{VALUE}")).ok());

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
            let group = groups.iter().skip(1).flatten().next()?;
            let quoted = groups.get(1).or_else(|| groups.get(2)).is_some();
            let owned = || found.iter().any(|anchor| anchor.field == Field::OwnerId);
            let as_it_stands = !matches!(must, Must::Marked | Must::Namespaced | Must::Owned);
            let fits = (quoted && as_it_stands || fits(group.as_str(), *must))
                && (*must != Must::Owned || owned());
            let before = line.get(..whole.start())?;
            // `app.lock` is the name of a logger.
            let of_logger = *field == Field::LockName && before.ends_with('.');
            let other = is_time(group.as_str()) || is_of_others(*field, before);
            (fits && !other && !of_logger).then(|| group.range())
        });
        let mut values = values.filter(|span| span.start >= from && is_free(span, &found));
        if let Some(span) = values.next() {
            found.push(Anchor {
                field: *field,
                span,
                number: matches!(must, Must::Number),
                by_looks: matches!(must, Must::Marked),
                is_key: false,
            });
        }
    }
    found.extend(operation(line, &found));
    if found.iter().all(|anchor| anchor.field != Field::OwnerId) {
        let span = actor(line).or_else(|| known(line, owners));
        let span = span.filter(|span| is_free(span, &found));
        found.extend(span.map(|span| Anchor {
            field: Field::OwnerId,
            span,
            number: false,
            by_looks: false,
            is_key: false,
        }));
    }
    if found.iter().all(|anchor| anchor.field != Field::LockName) {
        let span = called_a_lock(line).or_else(|| got(line, &found));
        let span = span.filter(|span| is_free(span, &found));
        found.extend(span.map(|span| Anchor {
            field: Field::LockName,
            span,
            number: false,
            by_looks: false,
            is_key: false,
        }));
    }
    found.sort_by_key(|anchor| anchor.span.start);
    found
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
        let value = groups.iter().skip(1).flatten().next()?;
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

/// `3ms` is no name.
fn is_time(value: &str) -> bool {
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    unit.len() < value.len() && matches!(unit, "ms" | "s" | "us" | "ns" | "m" | "min" | "h")
}

/// `write op-1 to acct/42`: an operation where the key is another value, or where it is called
/// one.
fn operation(line: &str, found: &[Anchor]) -> Option<Anchor> {
    let has = |field| found.iter().any(|anchor| anchor.field == field);
    if has(Field::OperationId) {
        return None;
    }
    let groups = WRITTEN.as_ref()?.captures(line)?;
    let value = groups.iter().skip(1).flatten().next()?;
    let text = value.as_str().to_lowercase();
    let called = ["op", "req", "job", "msg", "tx", "cmd"]
        .iter()
        .any(|name| text.starts_with(name));
    let is_id = fits(&text, Must::Digit) && !fits(&text, Must::Path);
    let fits = is_id && (called || has(Field::ResourceKey)) && is_free(&value.range(), found);
    fits.then(|| Anchor {
        field: Field::OperationId,
        span: value.range(),
        number: false,
        by_looks: !has(Field::ResourceKey),
        is_key: false,
    })
}

/// `the "a" lock`.
fn called_a_lock(line: &str) -> Option<Range<usize>> {
    let groups = CALLED_A_LOCK.as_ref()?.captures(line)?;
    Some(groups.iter().skip(1).flatten().next()?.range())
}

/// `w-1 acquired a-1`, where a token says that it was a lock.
fn got(line: &str, found: &[Anchor]) -> Option<Range<usize>> {
    let has = |field| found.iter().any(|anchor| anchor.field == field);
    let groups = GOT.as_ref()?.captures(line)?;
    let value = groups.iter().skip(1).flatten().next()?;
    let is_name = fits(value.as_str(), Must::Mark) && !is_time(value.as_str());
    (is_name && has(Field::OwnerId) && has(Field::FenceToken)).then(|| value.range())
}

/// Who does it. The name of a class or a clock does nothing.
fn actor(line: &str) -> Option<Range<usize>> {
    let name = ACTOR.as_ref()?.captures(line)?.get(1)?;
    let text = name.as_str();
    let of_logger = text.chars().all(|c| c.is_alphabetic() || c == '.')
        || !text.contains(char::is_alphabetic)
        || text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(':');
    (fits(text, Must::Mark) && !of_logger).then(|| name.range())
}

/// The one owner of other lines that is named here, and not as somebody else.
fn known(line: &str, owners: &[String]) -> Option<Range<usize>> {
    let mut named: Vec<Range<usize>> = Vec::new();
    for span in owners.iter().filter_map(|owner| word(line, owner)) {
        // One may be the beginning of another, which comes first.
        if named
            .iter()
            .all(|n| span.end <= n.start || span.start >= n.end)
        {
            named.push(span);
        }
    }
    let [span] = named.as_slice() else {
        return None;
    };
    let before = line.get(..span.start)?.trim_end();
    let before = before.strip_suffix("by").unwrap_or(before);
    (!is_of_others(Field::OwnerId, before)).then(|| span.clone())
}

/// Where a name stands as a word of its own.
pub(super) fn word(line: &str, name: &str) -> Option<Range<usize>> {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    let joint = |c: char| matches!(c, '-' | '.' | '/' | ':');
    let goes_on = |chars: &mut dyn Iterator<Item = char>| match chars.next() {
        Some(c) if joint(c) => chars.next().is_some_and(letter),
        next => next.is_some_and(letter),
    };
    let mut places = line.match_indices(name);
    places.find_map(|(at, _)| {
        let end = at + name.len();
        let (before, behind) = (line.get(..at)?, line.get(end..)?);
        let part_of_more = goes_on(&mut before.chars().rev()) || goes_on(&mut behind.chars());
        (!part_of_more).then_some(at..end)
    })
}

fn fits(value: &str, must: Must) -> bool {
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
