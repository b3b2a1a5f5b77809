//! Values that a verb gives away where no word names them: who acquires, what is written, what is
//! a lock.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::anchors::{Anchor, BETWEEN, Must, VALUE, fits, is_free, is_time, value};
use super::others::is_of_others;
use crate::evidence::Field;
use crate::ingest::mapping::sample::is_placeholder;

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

/// `write op-1 to acct/42`: an operation where the key is another value, or where it is called
/// one.
pub(super) fn operation(line: &str, found: &[Anchor]) -> Option<Anchor> {
    let has = |field| found.iter().any(|anchor| anchor.field == field);
    if has(Field::OperationId) {
        return None;
    }
    let groups = WRITTEN.as_ref()?.captures(line)?;
    let value = value(&groups)?;
    let text = value.as_str().to_lowercase();
    let called = ["op", "req", "job", "msg", "tx", "cmd"]
        .iter()
        .any(|name| text.starts_with(name));
    let is_id = fits(&text, Must::Digit) && !fits(&text, Must::Path);
    let fits = is_id && (called || has(Field::ResourceKey)) && is_free(&value.range(), found);
    fits.then(|| Anchor {
        by_looks: !has(Field::ResourceKey),
        ..Anchor::new(Field::OperationId, value.range())
    })
}

/// `the "a" lock`.
pub(super) fn called_a_lock(line: &str) -> Option<Range<usize>> {
    let groups = CALLED_A_LOCK.as_ref()?.captures(line)?;
    let name = value(&groups)?;
    (!is_placeholder(name.as_str())).then(|| name.range())
}

/// `w-1 acquired a-1`, where a token says that it was a lock.
pub(super) fn got(line: &str, found: &[Anchor]) -> Option<Range<usize>> {
    let has = |field| found.iter().any(|anchor| anchor.field == field);
    let groups = GOT.as_ref()?.captures(line)?;
    let value = value(&groups)?;
    let is_name = fits(value.as_str(), Must::Mark) && !is_time(value.as_str());
    (is_name && has(Field::OwnerId) && has(Field::FenceToken)).then(|| value.range())
}

/// Who does it. The name of a class or a clock does nothing.
pub(super) fn actor(line: &str) -> Option<Range<usize>> {
    let name = ACTOR.as_ref()?.captures(line)?.get(1)?;
    let text = name.as_str();
    let of_logger = text.chars().all(|c| c.is_alphabetic() || c == '.')
        || !text.contains(char::is_alphabetic)
        || text.starts_with(|c: char| c.is_ascii_digit()) && text.contains(':');
    (fits(text, Must::Mark) && !of_logger).then(|| name.range())
}

/// The one owner of other lines that is named here, and not as somebody else.
pub(super) fn known(line: &str, owners: &[String]) -> Option<Range<usize>> {
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
