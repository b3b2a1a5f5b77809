//! Names of locks that other lines tell: `Accepted write to invoice-1`, where another line says
//! `Acquired lock invoice-1`.

use super::anchors::{Anchor, is_free};
use super::others::is_of_others;
use super::sentence::{says, spoken};
use super::verbs::word;
use crate::evidence::Field;

/// Whether a lock can be known by its name. One letter, or a word, may stand in any sentence.
pub(super) fn is_name(lock: &str) -> bool {
    lock.len() > 2
        && lock.contains(char::is_alphabetic)
        && lock.contains(|c: char| c.is_ascii_digit() || matches!(c, '/' | ':' | '_'))
}

/// Whether an answer is that of a write. What else is acquired, released or has expired may have
/// the name of a lock, too, but not its lease.
fn is_of_a_write(says: &str) -> bool {
    says.starts_with("rejected") || matches!(says, "accepted" | "applied" | "stale" | "duplicate")
}

/// Adds the one lock of other lines that a line with a token or a lease names, and not as another
/// one. What is written may have the name of its lock: then it is both.
pub(super) fn add(line: &str, found: &mut Vec<Anchor>, locks: &[String]) {
    let has = |field| found.iter().any(|anchor| anchor.field == field);
    if has(Field::LockName) || !has(Field::FenceToken) && !has(Field::LeaseId) {
        return;
    }
    let mut named = locks.iter().filter_map(|lock| word(line, lock));
    let (Some(span), None) = (named.next(), named.next()) else {
        return;
    };
    let before = line.get(..span.start).unwrap_or_default();
    let fields: Vec<Field> = found.iter().map(|anchor| anchor.field).collect();
    let (mut words, end) = spoken(line, 0, found);
    words.push_str(line.get(end..).unwrap_or_default());
    let of_a_write = says(&words, &fields).is_some_and(is_of_a_write);
    if !of_a_write && !has(Field::LeaseId) || is_of_others(Field::FenceToken, before) {
        return;
    }
    let is_key = |anchor: &&mut Anchor| anchor.field == Field::ResourceKey && anchor.span == span;
    if let Some(key) = found.iter_mut().find(is_key) {
        key.field = Field::LockName;
        key.by_looks = false;
        key.is_key = true;
    } else if is_free(&span, found) {
        found.push(Anchor::new(Field::LockName, span));
        found.sort_by_key(|anchor| anchor.span.start);
    }
}
