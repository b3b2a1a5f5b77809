//! What a log says when it is read by a proposal: whether what a field is then believed to
//! say can be so.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::evidence::{Answer, Event, Place, Record};
use crate::ingest::mapping::synonyms::plain;
use crate::ingest::mapping::{Mapped, Mapping};
use crate::ingest::{Dialect, ReadOptions, Rejected, Sink, Source, read};

/// Records that are looked at.
const MAX_ROWS: usize = 20_000;

/// What is asked of a record.
pub(super) struct Row {
    event: Event,
    answer: Answer,
    lock: String,
    pub(super) owner: Option<String>,
    lease: Option<String>,
    key: Option<String>,
    pub(super) operation: Option<String>,
    token: Option<u64>,
    before: Option<u64>,
}

/// The records of a log by a mapping; none where the mapping can't be used as it stands.
pub(super) fn rows(toml: &str, text: &str) -> Vec<Row> {
    let Ok(mapping) = Mapping::parse("proposal", toml) else {
        return Vec::new();
    };
    let mapping = Arc::new(mapping);
    let dialect = || Box::new(Mapped::new(Arc::clone(&mapping))) as Box<dyn Dialect>;
    let mut kept = Kept(Vec::new());
    match read_sample(text, &dialect, &mut kept) {
        true => kept.0,
        false => Vec::new(),
    }
}

/// Reads the text of a sample. `false` where that can't be done.
pub(super) fn read_sample(
    text: &str,
    dialect: &dyn Fn() -> Box<dyn Dialect>,
    sink: &mut dyn Sink,
) -> bool {
    let options = ReadOptions {
        threads: 1,
        ..ReadOptions::default()
    };
    let source = Source::reader("sample", Cursor::new(text.as_bytes().to_vec()));
    read(vec![source], &options, &mut |_, _| dialect(), sink).is_ok()
}

struct Kept(Vec<Row>);

impl Sink for Kept {
    fn record(&mut self, _place: Place, record: &Record<'_>) -> ControlFlow<()> {
        let text =
            |value: &Option<std::borrow::Cow<'_, str>>| value.as_ref().map(|v| v.to_string());
        self.0.push(Row {
            event: record.event,
            answer: record.answer,
            lock: record.lock.to_string(),
            owner: text(&record.owner),
            lease: text(&record.lease),
            key: text(&record.key),
            operation: text(&record.operation),
            token: record.token,
            before: record.before,
        });
        if self.0.len() < MAX_ROWS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn rejected(&mut self, _rejected: &Rejected<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What a reading of the highest token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Highest {
    Before,
    /// It is written down after the write: the first write of a token has it already.
    After,
    /// It may be either.
    Unsure,
}

/// When a resource's highest token, which has this name, was read. A resource that compares
/// accepts no write below the highest, and the first of a token is above it: where no
/// accepted write is, the reading was not made before the write.
pub(super) fn highest(rows: &[Row], name: &str) -> Highest {
    let name = plain(name);
    if ["before", "prev", "old"]
        .iter()
        .any(|word| name.contains(word))
    {
        return Highest::Before;
    }
    let writes = rows
        .iter()
        .filter(|row| row.event == Event::Write && row.answer == Answer::Accepted);
    let readings: Vec<(&Row, u64, u64)> = writes
        .filter_map(|row| Some((row, row.token?, row.before?)))
        .collect();
    if readings.is_empty() || readings.iter().any(|(_, token, before)| before < token) {
        return Highest::Before;
    }
    let mut seen = BTreeSet::new();
    let mut firsts = readings
        .iter()
        .filter(|(row, token, _)| seen.insert((&row.lock, &row.key, token)));
    let own = firsts.all(|(_, token, before)| token == before);
    let acquired = |row: &&Row| row.answer == Answer::Acquired && row.token.is_some();
    if own && (seen.len() > 1 || rows.iter().any(|row| acquired(&row))) {
        Highest::After
    } else {
        Highest::Unsure
    }
}

/// Names that only the id of one business operation bears.
const OPERATIONS: [&str; 6] = [
    "operationid",
    "opid",
    "idempotencykey",
    "deliveryid",
    "commandid",
    "resourcerequestid",
];

/// Names that several operations may share.
const SHARED: [&str; 6] = [
    "jobid",
    "messageid",
    "transactionid",
    "txid",
    "correlationid",
    "operation",
];

/// Why what is at a path of this name is not the id of one operation, where a repetition would
/// be shown that is none:
///
/// - what repeats has no digit and is short: it names a kind of operation;
/// - all writes have the same, and the name does not say that it is of one operation;
/// - each of several leases has one of its own for all its writes: it is the lease's;
/// - the name is one that several operations may share, and more than a few repeat.
pub(super) fn no_operation(rows: &[Row], name: &str) -> Option<&'static str> {
    let name = plain(name);
    let mut by_operation: BTreeMap<&str, Repeated<'_>> = BTreeMap::new();
    let mut by_lease: BTreeMap<_, Repeated<'_>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.event == Event::Write) {
        let Some(operation) = row.operation.as_deref() else {
            continue;
        };
        let lease = (&row.lock, &row.owner, &row.lease, row.token);
        for one in [
            by_operation.entry(operation).or_default(),
            by_lease.entry(lease).or_default(),
        ] {
            one.count += 1;
            one.keys.insert(row.key.as_deref());
            one.operations.insert(operation);
            one.leases.insert(lease);
        }
    }
    let repeated: Vec<(&str, usize)> = by_operation
        .iter()
        .filter(|(_, one)| one.is_more_than_one())
        .map(|(operation, one)| (*operation, one.count))
        .collect();
    if repeated.is_empty() {
        return None;
    }
    if !repeated.iter().all(|(operation, _)| is_id(operation)) {
        return Some("what repeats there looks like a kind of operation, not like one operation");
    }
    if OPERATIONS.iter().any(|known| name.ends_with(known)) {
        return None;
    }
    if by_operation.len() == 1 {
        return Some("all writes have the same");
    }
    let busy = by_lease
        .values()
        .filter(|one| one.is_more_than_one())
        .count();
    if busy > 1 && by_lease.values().all(|one| one.operations.len() == 1) {
        return Some("all writes of a lease have the same");
    }
    let few = repeated.len() * 4 <= by_operation.len() && repeated.iter().all(|(_, n)| *n <= 3);
    if !few && SHARED.iter().any(|known| name.ends_with(known)) {
        return Some("several operations may share it");
    }
    None
}

/// Lease: lock, owner, handle and token.
type Lease<'r> = (
    &'r String,
    &'r Option<String>,
    &'r Option<String>,
    Option<u64>,
);

/// Writes that have something in common.
#[derive(Default)]
struct Repeated<'r> {
    count: usize,
    keys: BTreeSet<Option<&'r str>>,
    operations: BTreeSet<&'r str>,
    leases: BTreeSet<Lease<'r>>,
}

impl Repeated<'_> {
    /// One operation may write several keys under one lease.
    fn is_more_than_one(&self) -> bool {
        self.leases.len() > 1 || self.count > self.keys.len()
    }
}

/// Whether a text looks like the id of one thing.
fn is_id(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) || text.len() >= 16
}

#[cfg(test)]
mod tests {
    use super::{Highest, Row, highest, no_operation};
    use crate::evidence::{Answer, Event};

    fn row(owner: &str, token: u64, before: u64, operation: &str) -> Row {
        Row {
            event: Event::Write,
            answer: Answer::Accepted,
            lock: "a".to_owned(),
            owner: Some(owner.to_owned()),
            lease: None,
            key: None,
            operation: Some(operation.to_owned()),
            token: Some(token),
            before: Some(before),
        }
    }

    fn of(rows: &[(&str, u64, u64, &str)]) -> Vec<Row> {
        rows.iter().map(|r| row(r.0, r.1, r.2, r.3)).collect()
    }

    #[test]
    fn what_repeats_may_be_no_operation() {
        let two = |op| of(&[("w-1", 1, 0, op), ("w-2", 2, 1, op)]);
        let kept = |rows: &[Row], name| no_operation(rows, name).is_none();
        assert!(!kept(&two("transfer"), "operation_id"));
        assert!(!kept(&two("job-7"), "job_id"));
        assert!(!kept(&two("r-7"), "request_id"));
        assert!(kept(&two("op-7"), "operation_id"));
        assert!(kept(&two("op-7"), "Idempotency-Key"));
        // Once more among others.
        let again = of(&[
            ("w-1", 1, 0, "r-1"),
            ("w-1", 1, 1, "r-1"),
            ("w-2", 2, 1, "r-2"),
        ]);
        assert!(kept(&again, "request_id"));
        assert!(!kept(&again, "correlation_id"));
        let many = ["m-1", "m-2", "m-3", "m-4", "m-1"].map(|op| ("w-1", 1, 0, op));
        assert!(kept(&of(&many), "message_id"));
        // One for each lease.
        let each = of(&[
            ("w-1", 1, 0, "r-1"),
            ("w-1", 1, 1, "r-1"),
            ("w-2", 2, 1, "r-2"),
            ("w-2", 2, 2, "r-2"),
        ]);
        assert!(!kept(&each, "request_id"));
        assert!(kept(&each, "operation_id"));
    }

    #[test]
    fn when_the_highest_token_was_read() {
        let of = |rows: &[(u64, u64)]| {
            let rows: Vec<Row> = rows.iter().map(|(t, b)| row("w", *t, *b, "o")).collect();
            highest(&rows, "highest")
        };
        assert_eq!(of(&[(1, 0), (2, 1), (1, 2)]), Highest::Before);
        assert_eq!(of(&[(1, 1), (2, 2), (2, 2)]), Highest::After);
        assert_eq!(of(&[(2, 2)]), Highest::Unsure);
        assert_eq!(of(&[(1, 2)]), Highest::Unsure);
        assert_eq!(of(&[(2, 2), (1, 2)]), Highest::Unsure);
        assert_eq!(
            highest(&[row("w", 1, 2, "o")], "highest_before"),
            Highest::Before
        );
    }
}
