//! Values behind the names of fields: `fencing_token: 1`, `'owner': 'w-1'`, `fence=1`.

use std::sync::LazyLock;

use regex::Regex;

use super::anchors::{Anchor, is_free};
use super::others::is_of_others;
use crate::evidence::Field;
use crate::ingest::mapping::sample::{is_blank, is_placeholder};
use crate::ingest::mapping::synonyms::NAMES;
use crate::near::plain;

/// A name and its value: `fencing_token: 1`, `'owner': 'w-1'`. A name begins the line or a
/// clause.
const NAMED: &str = r#"(?:^|[{(\[,;:]\s*|\s-\s+)(['"]?)([A-Za-z_][\w.-]*)(['"]?):\s+(?:'([^']+)'|"([^"]+)"|([\w./:@#+=-]*\w))"#;

/// A pair in a sentence: `(fence=11)`.
const PAIR: &str =
    r#"(?:^|[{(\[,;\s])()([A-Za-z_][\w.-]*)()=(?:'([^']+)'|"([^"]+)"|([\w./:@#+=-]*\w))"#;

/// A member of an object in a line: `{"owner":"w-1","token":7}`.
const MEMBER: &str = r#"[{,]\s*(")([A-Za-z_][\w.-]*)("):(?:'([^']+)'|"([^"]+)"|([\w./:@#+=-]*\w))"#;

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let all = [NAMED, PAIR, MEMBER].iter();
    all.filter_map(|pattern| Regex::new(pattern).ok()).collect()
});

/// Where the name of a lock was to be put: `the "{resource}" lock`.
static UNFILLED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let name = r#"['"]?\{(\w+)\}['"]?"#;
    let lock = "(?:lock|lease|mutex)";
    Regex::new(&format!(r"(?i)\b{lock}:?\s+{name}|{name}\s+{lock}\b")).ok()
});

/// The name of a lock that was not put into its sentence, and stands behind it.
fn unfilled(line: &str) -> Option<Anchor> {
    let groups = UNFILLED.as_ref()?.captures(line)?;
    let name = groups.iter().skip(1).flatten().next()?.as_str();
    let mut pairs = PATTERNS
        .iter()
        .flat_map(|pattern| pattern.captures_iter(line));
    let value = pairs.find_map(|pair| {
        let value = pair.iter().skip(4).flatten().next()?;
        (pair.get(2)?.as_str() == name && !is_blank(value.as_str())).then_some(value)
    });
    Some(Anchor::new(Field::LockName, value?.range()))
}

/// Values behind the names of fields.
pub(super) fn named(line: &str) -> Vec<Anchor> {
    let mut found: Vec<Anchor> = unfilled(line).into_iter().collect();
    for pattern in PATTERNS.iter() {
        add(pattern, line, &mut found);
    }
    found
}

fn add(pattern: &Regex, line: &str, found: &mut Vec<Anchor>) {
    // A comma may end one pair and begin the next.
    let mut from = 0;
    while let Some(groups) = pattern.captures_at(line, from) {
        let (Some(key), Some(value)) = (groups.get(2), groups.iter().skip(4).flatten().next())
        else {
            break;
        };
        from = value.end();
        let name = plain(&format!("{}{}", thing(line, key.start()), key.as_str()));
        let digits = value.as_str().bytes().all(|b| b.is_ascii_digit());
        let Some(field) = NAMES.iter().find_map(|(field, names)| {
            let fits = match field {
                // A number is a generation, and anything else a handle.
                Field::LeaseId if name.contains("token") => !digits,
                Field::LockName => name.contains("lock") || name.contains("mutex"),
                field => !field.is_number() || digits && name != "version",
            };
            (fits && is_told(*field) && names.contains(&name.as_str())).then_some(*field)
        }) else {
            continue;
        };
        let before = line.get(..key.start()).unwrap_or_default();
        // `app::client: lock acquired` begins with the name of a logger.
        if before.ends_with("::")
            || is_blank(value.as_str())
            || is_placeholder(value.as_str())
            || found.iter().any(|a| a.field == field)
            || !is_free(&value.range(), found)
            || is_of_others(field, before)
        {
            continue;
        }
        found.push(Anchor::new(field, value.range()));
    }
}

/// What a name is the name of: `lock` in `lock{name="a"}`, as spans and objects are written.
fn thing(line: &str, key: usize) -> &str {
    let (before, rest) = line.split_at_checked(key).unwrap_or_default();
    let is_name = ["id", "key", "name"].iter().any(|name| {
        let behind = rest.strip_prefix(name).unwrap_or_default();
        behind.starts_with(['=', ':'])
    });
    let opened = before.trim_end().strip_suffix(['{', '(']);
    let of = opened.filter(|_| is_name).unwrap_or_default().trim_end();
    let start = of.rfind(|c: char| !c.is_alphanumeric() && c != '_');
    of.get(start.map_or(0, |at| at + 1)..).unwrap_or_default()
}

/// Fields that a name and a colon give.
const fn is_told(field: Field) -> bool {
    matches!(
        field,
        Field::OwnerId
            | Field::LeaseId
            | Field::FenceToken
            | Field::ResourceHighestTokenBefore
            | Field::ResourceHighestTokenAfter
            | Field::ResourceKey
            | Field::OperationId
            | Field::ActiveLeaseId
            | Field::ActiveOwnerId
            | Field::LockName
    )
}
