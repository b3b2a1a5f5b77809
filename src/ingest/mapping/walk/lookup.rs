//! Looks for single values in an array or an object, without a plan.

use std::borrow::Cow;
use std::ops::Range;

use super::Walk;
use crate::ingest::mapping::plan::Plan;
use crate::ingest::mapping::slot::{Kind, unescape};

/// The places of the elements of the array that a walk called whole.
pub(crate) fn elements(text: &str, array: Range<usize>) -> Vec<Range<usize>> {
    let plan = Plan { nodes: Vec::new() };
    let mut walk = Walk::new(&plan, &mut [], text);
    let mut found = Vec::new();
    if text.as_bytes().get(array.start) != Some(&b'[') {
        return found;
    }
    let mut at = walk.blanks(array.start + 1);
    while at < array.end && text.as_bytes().get(at) != Some(&b']') {
        let Ok(end) = walk.value(at, None) else { break };
        found.push(at..end);
        at = walk.blanks(end);
        if text.as_bytes().get(at) == Some(&b',') {
            at = walk.blanks(at + 1);
        }
    }
    found
}

/// What stands at a place: its kind, where, and whether it holds escapes.
type Value = (Kind, Range<usize>, bool);

/// The scalar member of that name of the object at `at`, as text.
pub(super) fn member<'t>(text: &'t str, at: usize, name: &str) -> Option<Cow<'t, str>> {
    let (kind, span, escaped) = find(text, at, |key| key == name)?;
    let raw = text.get(span)?;
    match kind {
        Kind::Whole | Kind::Null | Kind::Missing => None,
        _ if escaped => Some(Cow::Owned(unescape(raw))),
        _ => Some(Cow::Borrowed(raw)),
    }
}

/// The value of an element that a selection found: of `{key, value}` the value, and of
/// an OTLP value (`{"intValue": "7"}`) what it wraps.
pub(super) fn unwrapped(text: &str, span: Range<usize>) -> Option<Value> {
    let (kind, span, escaped) = find(text, span.start, |key| key == "value")?;
    if kind != Kind::Whole || text.as_bytes().get(span.start) != Some(&b'{') {
        return Some((kind, span, escaped));
    }
    let mut members = 0;
    let wrapped = find(text, span.start, |key| {
        members += 1;
        key.ends_with("Value")
    });
    match wrapped {
        Some(value) => Some(value),
        // An OTLP value without a type is an empty one.
        None if members == 0 => Some((Kind::Null, span, false)),
        None => Some((Kind::Whole, span, false)),
    }
}

/// The value of the first member whose key is wanted, of the object at `at`.
fn find(text: &str, at: usize, mut wanted: impl FnMut(&str) -> bool) -> Option<Value> {
    let plan = Plan { nodes: Vec::new() };
    let mut walk = Walk::new(&plan, &mut [], text);
    let bytes = text.as_bytes();
    let mut at = walk.blanks(at + 1);
    while bytes.get(at) == Some(&b'"') {
        let (end, _) = walk.string(at).ok()?;
        let key = text.get(at + 1..end - 1).unwrap_or_default();
        let colon = walk.blanks(end);
        if bytes.get(colon) != Some(&b':') {
            return None;
        }
        let start = walk.blanks(colon + 1);
        let end = walk.value(start, None).ok()?;
        if wanted(key) {
            return Some(match bytes.get(start) {
                Some(b'"') => {
                    let inside = start + 1..end - 1;
                    let raw = text.get(inside.clone()).unwrap_or_default();
                    (Kind::Text, inside, raw.contains('\\'))
                }
                Some(b'{' | b'[') => (Kind::Whole, start..end, false),
                Some(b'n') => (Kind::Null, start..end, false),
                Some(b't' | b'f') => (Kind::Bool, start..end, false),
                _ => (Kind::Number, start..end, false),
            });
        }
        at = walk.blanks(end);
        if bytes.get(at) == Some(&b',') {
            at = walk.blanks(at + 1);
        }
    }
    None
}
