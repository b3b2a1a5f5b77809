//! Names of locks that other lines tell: `Accepted write to invoice-1`, where another line says
//! `Acquired lock invoice-1`.

use super::MAX_OWNERS;
use super::anchors::{Anchor, anchors, is_free, word};
use super::others::is_of_others;
use crate::evidence::Field;
use crate::ingest::mapping::suggest::meaning::meaning;

/// Locks as lines name them. One letter, or a word, may stand in any sentence.
pub(super) fn locks<'l>(lines: impl Iterator<Item = &'l String>) -> Vec<String> {
    let mut locks: Vec<String> = Vec::new();
    for line in lines {
        let anchors = anchors(line, &[]);
        let lock = anchors.iter().find(|a| a.field == Field::LockName);
        let lock = lock.and_then(|anchor| line.get(anchor.span.clone()));
        let is_name = |lock: &&str| {
            lock.len() > 2
                && lock.contains(char::is_alphabetic)
                && lock.contains(|c: char| c.is_ascii_digit() || matches!(c, '/' | ':' | '_'))
        };
        if let Some(lock) = lock.filter(is_name)
            && locks.len() < MAX_OWNERS
            && !locks.iter().any(|known| known == lock)
        {
            locks.push(lock.to_owned());
        }
    }
    locks
}

/// Whether an answer is that of a write. What else is acquired, released or has expired may have
/// the name of a lock, too.
fn is_of_a_write(says: &str) -> bool {
    says.starts_with("rejected") || matches!(says, "accepted" | "applied" | "stale" | "duplicate")
}

/// Adds the one lock of other lines that a line of a write with a token names, and not as another
/// one.
pub(super) fn add(line: &str, found: &mut Vec<Anchor>, locks: &[String]) {
    let has = |field| found.iter().any(|anchor| anchor.field == field);
    if has(Field::LockName) || !has(Field::FenceToken) {
        return;
    }
    let mut named = locks.iter().filter_map(|lock| word(line, lock));
    let (Some(span), None) = (named.next(), named.next()) else {
        return;
    };
    let before = line.get(..span.start).unwrap_or_default();
    if !meaning(line).is_some_and(is_of_a_write) {
        return;
    }
    if is_free(&span, found) && !is_of_others(Field::FenceToken, before) {
        found.push(Anchor {
            field: Field::LockName,
            span,
            number: false,
            by_looks: false,
        });
        found.sort_by_key(|anchor| anchor.span.start);
    }
}
