//! Whether what is called an operation can be the id of one operation.

use std::collections::{BTreeMap, BTreeSet};

use super::choice::Guess;
use super::toml::quoted;
use super::trial::{Identity, Row, rows};
use super::write::write;
use crate::evidence::{Answer, Event, Field};
use crate::near::plain;

/// Names that only the id of one business operation bears.
const OPERATIONS: [&str; 4] = ["operationid", "opid", "idempotencykey", "resourcerequestid"];

/// Names that several operations may share.
const SHARED: [&str; 11] = [
    "jobid",
    "messageid",
    "transactionid",
    "txid",
    "correlationid",
    "operation",
    "requestid",
    "reqid",
    "req",
    "commandid",
    "deliveryid",
];

/// Of these several messages may be: that one was delivered again says nothing of them.
const OF_MESSAGES: [&str; 4] = ["transactionid", "txid", "correlationid", "operation"];

/// Names of what says that a message was delivered again, and the least number that says so.
const AGAIN: [(&str, u64); 11] = [
    ("redelivered", 1),
    ("isredelivered", 1),
    ("redelivery", 1),
    ("redeliverycount", 1),
    ("redeliveries", 1),
    ("deliverycount", 2),
    ("xdeliverycount", 2),
    ("deliveryattempt", 2),
    ("receivecount", 2),
    ("approximatereceivecount", 2),
    ("timesdelivered", 2),
];

/// Numbers that may count the steps of a lease are below this one.
const MAX_STEP: u64 = 1000;
/// What steps are called that are counted.
const STEPS: [&str; 12] = [
    "step", "phase", "part", "stage", "chunk", "batch", "page", "attempt", "try", "retry", "no",
    "nr",
];

const SHARE: &str = "several operations may share it";

/// Which records say that what they are of was delivered again; none where nothing says so.
pub(super) fn delivered_again(guess: &Guess<'_>) -> Vec<bool> {
    let named = guess.sample.paths.iter().find_map(|(path, values)| {
        let name = plain(&values.name);
        let (_, least) = AGAIN.iter().find(|(known, _)| *known == name)?;
        Some((path, *least))
    });
    let Some((path, least)) = named else {
        return Vec::new();
    };
    // Read as the lease that was current, of which nothing is asked here.
    let says = |row: Row| {
        let text = row.active.lease.unwrap_or_default().to_lowercase();
        matches!(text.as_str(), "true" | "yes" | "t") || text.parse().is_ok_and(|n: u64| n >= least)
    };
    let others = guess.with(|c| c.field != Field::ActiveLeaseId && c.path != path);
    let read = format!(
        "[fields]\nactiveLeaseId = {{ path = {}, words = {{ true = \"true\" }} }}\n",
        quoted(path)
    );
    let toml = write(&others).toml.replacen("[fields]\n", &read, 1);
    let rows = rows(&toml, guess.text);
    rows.into_iter().map(says).collect()
}

/// Why what is at a path of this name is not the id of one operation, where a repetition would
/// be shown that is none:
///
/// - what repeats has no digit and is short: it names a kind of operation;
/// - each of several leases counts its own from the same number, or what repeats is a small one;
/// - all writes have the same, and the name does not say that it is of one operation;
/// - one lease made several writes with it, and nothing says that one of them was a repetition;
/// - each of several leases has one of its own for all its writes: it is the lease's;
/// - the name is one that several operations may share, and more than a few repeat.
///
/// What repeats only where the record itself (`again`) says that it was delivered again names
/// the operation.
pub(super) fn no_operation(rows: &[Row], name: &str, again: &[bool]) -> Option<&'static str> {
    let name = plain(name);
    let ends = |names: &[&str]| names.iter().any(|known| name.ends_with(known));
    let writes = Writes::of(rows);
    let repeated: Vec<(&str, usize)> = writes
        .by_operation
        .iter()
        .filter(|(_, one)| one.is_more_than_one())
        .map(|(operation, one)| (*operation, one.ids.len()))
        .collect();
    if repeated.is_empty() {
        return None;
    }
    if !repeated.iter().all(|(operation, _)| is_id(operation)) {
        return Some("what repeats there looks like a kind of operation, not like one operation");
    }
    if ends(&OPERATIONS) {
        let counts = writes.counts_from_the_same(small);
        return counts.then_some("each lease counts its writes from the same number");
    }
    let told_again = |operation: &str| is_delivered_again(rows, operation, again);
    if !ends(&OF_MESSAGES) && repeated.iter().all(|(operation, _)| told_again(operation)) {
        return None;
    }
    if writes.by_operation.len() == 1 {
        return Some("all writes have the same");
    }
    // A resource that refuses what it has seen says that it is of one operation.
    let refused = name == "op" && has_refused(rows);
    if refused {
        return None;
    }
    let is_step = |(operation, _): &(&str, usize)| step(operation).is_some();
    let at_its_end = |id: &str| counted(id).map(|(_, number)| number);
    if repeated.iter().all(is_step) || writes.counts_from_the_same(at_its_end) {
        return Some("each lease may count its writes by it");
    }
    let by_lease = &writes.by_lease;
    let busy = by_lease.values().filter(|one| one.is_more_than_one());
    if busy.count() > 1 && by_lease.values().all(Repeated::has_one_id) {
        return Some("all writes of a lease have the same");
    }
    if writes.in_one_lease {
        return Some("several operations may share it, for one lease made several writes with it");
    }
    let few =
        repeated.len() * 4 <= writes.by_operation.len() && repeated.iter().all(|(_, n)| *n <= 3);
    (!few && ends(&SHARED)).then_some(SHARE)
}

/// Whether an operation repeats only under other leases than the first one, and each time
/// the record says that it was delivered again.
fn is_delivered_again(rows: &[Row], operation: &str, again: &[bool]) -> bool {
    if again.len() != rows.len() {
        return false;
    }
    let mut leases = BTreeSet::new();
    let writes = rows.iter().zip(again).filter(|(row, _)| {
        row.event == Event::Write && row.operation.as_deref() == Some(operation)
    });
    let mut writes = writes.enumerate();
    writes.all(|(n, (row, again))| leases.insert(lease(row)) && *again == (n > 0))
}

/// Whether an operation was refused as a repetition of one that was accepted.
fn has_refused(rows: &[Row]) -> bool {
    let mut accepted = BTreeSet::new();
    rows.iter().any(|row| match row.answer {
        Answer::Accepted => {
            accepted.insert(&row.operation);
            false
        }
        Answer::RejectedDuplicate => row.operation.is_some() && accepted.contains(&row.operation),
        _ => false,
    })
}

/// A lease: its lock, and what tells it from others.
type Lease<'r> = (&'r str, &'r Identity);

fn lease(row: &Row) -> Lease<'_> {
    (&row.lock, &row.own)
}

/// The writes that name an operation.
#[derive(Default)]
struct Writes<'r> {
    by_operation: BTreeMap<&'r str, Repeated<'r>>,
    by_lease: BTreeMap<Lease<'r>, Repeated<'r>>,
    /// One lease made several accepted writes to one key with one id.
    in_one_lease: bool,
}

impl<'r> Writes<'r> {
    fn of(rows: &'r [Row]) -> Writes<'r> {
        let mut all = Writes::default();
        let mut accepted = BTreeSet::new();
        for row in rows.iter().filter(|row| row.event == Event::Write) {
            let Some(operation) = row.operation.as_deref() else {
                continue;
            };
            let (lease, key) = (lease(row), row.key.as_deref());
            for one in [
                all.by_operation.entry(operation).or_default(),
                all.by_lease.entry(lease).or_default(),
            ] {
                one.ids.push(operation);
                one.keys.insert(key);
                one.leases.insert(lease);
            }
            if row.answer == Answer::Accepted {
                all.in_one_lease |= !accepted.insert((operation, lease, key));
            }
        }
        all
    }

    /// Whether several leases made several writes each, and counted them upwards from the same
    /// id, where `number` finds one in each id.
    fn counts_from_the_same(&self, number: impl Fn(&str) -> Option<u64>) -> bool {
        let counts = self.by_lease.values().filter_map(|Repeated { ids, .. }| {
            let numbers: Option<Vec<u64>> = ids.iter().map(|id| number(id)).collect();
            let up = numbers?.is_sorted_by(|one, next| one < next);
            ids.first().filter(|_| ids.len() > 1 && up)
        });
        let mut firsts = BTreeSet::new();
        counts.into_iter().any(|first| !firsts.insert(first))
    }
}

/// Writes that have something in common.
#[derive(Default)]
struct Repeated<'r> {
    /// Their operations, in their order.
    ids: Vec<&'r str>,
    keys: BTreeSet<Option<&'r str>>,
    leases: BTreeSet<Lease<'r>>,
}

impl Repeated<'_> {
    /// One operation may write several keys under one lease.
    fn is_more_than_one(&self) -> bool {
        self.leases.len() > 1 || self.ids.len() > self.keys.len()
    }

    fn has_one_id(&self) -> bool {
        self.ids.iter().all(|id| self.ids.first() == Some(id))
    }
}

/// An id that is a small number.
fn small(id: &str) -> Option<u64> {
    id.parse().ok().filter(|number| *number < MAX_STEP)
}

/// A small number at the end of an id, and what stands before it.
fn counted(id: &str) -> Option<(&str, u64)> {
    let word = id.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = id.get(word.len()..)?.parse().ok()?;
    let word = word.trim_end_matches(['-', '_', '#', '.', ':', ' ', '/']);
    (number < MAX_STEP).then_some((word, number))
}

/// The number of an id that looks like one that counts steps.
fn step(id: &str) -> Option<u64> {
    let (word, number) = counted(id)?;
    let word = word.to_lowercase();
    (word.is_empty() || STEPS.contains(&word.as_str())).then_some(number)
}

/// Whether a text looks like the id of one thing.
fn is_id(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) || text.len() >= 16
}

#[cfg(test)]
mod tests;
