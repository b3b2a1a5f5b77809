//! Whether what is called a term or a version can be the token of a lease.

use std::collections::BTreeMap;

use super::trial::Row;
use crate::evidence::{Answer, Event};
use crate::near::plain;

/// Names of numbers that a log may have for other things: the term of a cluster, the version
/// of a document.
const OF_ANYTHING: [&str; 7] = [
    "epoch",
    "generation",
    "leaderepoch",
    "leaderterm",
    "revision",
    "term",
    "version",
];
/// What is written has one of its own, too.
const OF_WRITTEN: [&str; 3] = ["generation", "revision", "version"];

/// Why what is at a path of this name is not the token of a lease:
///
/// - all leases of a lock have the same, so that it tells none from another;
/// - writes have it and no acquisition does: it may be of what is written.
pub(super) fn no_token(rows: &[Row], name: &str) -> Option<&'static str> {
    let name = plain(name);
    if !OF_ANYTHING.contains(&name.as_str()) {
        return None;
    }
    let acquired = || rows.iter().filter(|row| row.answer == Answer::Acquired);
    let of_leases = |row: &Row| row.event != Event::Write && row.own.token.is_some();
    if OF_WRITTEN.contains(&name.as_str())
        && acquired().next().is_some()
        && !rows.iter().any(of_leases)
    {
        return Some("no acquisition has it: it may be that of what is written");
    }
    let mut by_lock: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in acquired().filter(|row| row.own.token.is_some()) {
        by_lock.entry(&row.lock).or_default().push(row);
    }
    let differ = |rows: &[&Row], is: fn(&Row, &Row) -> bool| {
        let first = rows.first().copied();
        rows.iter()
            .any(|row| first.is_some_and(|first| is(first, row)))
    };
    let tokens_differ = |rows: &[&Row]| differ(rows, |one, other| one.own.token != other.own.token);
    let leases_differ = |rows: &[&Row]| {
        differ(rows, |one, other| {
            match (&one.own.lease, &other.own.lease) {
                (Some(one), Some(other)) => one != other,
                _ => {
                    one.own.owner.is_some()
                        && other.own.owner.is_some()
                        && one.own.owner != other.own.owner
                }
            }
        })
    };
    let constant = by_lock.values().any(|rows| leases_differ(rows))
        && !by_lock.values().any(|rows| tokens_differ(rows));
    constant.then_some("all leases of a lock have the same")
}
