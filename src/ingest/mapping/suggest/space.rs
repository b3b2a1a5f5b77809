//! What tells locks of one name apart: the namespace or the tenant whose they are.

use std::collections::BTreeMap;

use super::choice::Guess;
use super::trial::{Identity, Row, rows};
use super::write::write;
use crate::evidence::{Answer, Field};
use crate::near::plain;

/// Names of what locks may be counted within. A region or a cluster is none of them: after a
/// fail-over one lock has tokens from two.
const SPACES: [&str; 18] = [
    "namespace",
    "ns",
    "tenant",
    "tenantid",
    "tenantname",
    "realm",
    "keyspace",
    "lockspace",
    "lockgroup",
    "database",
    "db",
    "dbname",
    "schema",
    "environment",
    "env",
    "project",
    "org",
    "account",
];

/// The path of what tells locks of one name apart, if the log shows it: by their names alone one
/// token was given to two leases, or a lower one to a later lease, and within each space none was.
///
/// Where nothing contradicts it, one name is one lock: where a worker runs is often told by such
/// a name, too.
pub(super) fn space<'s>(guess: &Guess<'s>, records: &[Row]) -> Option<&'s str> {
    if !guess.has(Field::LockName) || !contradicts_itself(records) {
        return None;
    }
    let paths = guess.sample.paths.iter();
    let mut named = paths.filter(|(path, values)| {
        let name = plain(&values.name);
        values.seen.len() > 1 && guess.is_free(path) && SPACES.contains(&name.as_str())
    });
    let tells = |path: &str| {
        let within = rows(&write(&guess.within(path)).toml, guess.text);
        // A record that names no space names no lock then.
        within.len() == records.len() && !contradicts_itself(&within) && !has_two_locks(&within)
    };
    named.find_map(|(path, _)| Some(path.as_str()).filter(|path| tells(path)))
}

/// Whether a lock gave one token to two leases, or a lower one later.
fn contradicts_itself(rows: &[Row]) -> bool {
    let mut given: BTreeMap<(&str, u64), &Identity> = BTreeMap::new();
    let mut greatest: BTreeMap<&str, u64> = BTreeMap::new();
    rows.iter().any(|row| {
        let Some(token) = row.own.token.filter(|_| row.answer == Answer::Acquired) else {
            return false;
        };
        let first = *given.entry((&row.lock, token)).or_insert(&row.own);
        let is_another = |one: &Option<String>, other: &Option<String>| {
            one.is_some() && other.is_some() && one != other
        };
        let greatest = greatest.entry(&row.lock).or_insert(token);
        let fell = token < *greatest;
        *greatest = token.max(*greatest);
        fell || is_another(&first.lease, &row.own.lease) || is_another(&first.owner, &row.own.owner)
    })
}

/// Whether one lease is of two locks.
fn has_two_locks(rows: &[Row]) -> bool {
    let mut locks: BTreeMap<&str, &str> = BTreeMap::new();
    rows.iter().any(|row| {
        let lease = row.own.lease.as_deref();
        lease.is_some_and(|lease| *locks.entry(lease).or_insert(&row.lock) != row.lock)
    })
}
