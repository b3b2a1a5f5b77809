//! Version 1 of the JSON that `lint` writes: `lockdiag.lint/1`, `lockdiag.finding/1` and
//! `lockdiag.lock/1`.
//!
//! Every field is always there: null where nothing is known, `[]` where a list is empty.
//! The order of the fields is part of the contract. A field may be added at the end of
//! its object; anything else is a new version.

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::{Event, Field};
use crate::incident::Class;
use crate::lint::code::Severity;
use crate::lint::decidability::{Level, Need, WayVerdict, by_class};
use crate::lint::finding;
use crate::lint::report::{CodeCount, LockReport, Report, WaySummary};

/// The name of the document's schema.
pub const LINT: &str = "lockdiag.lint/1";
/// The name of a finding's schema.
pub const FINDING: &str = "lockdiag.finding/1";
/// The name of the schema of a lock's line.
pub const LOCK: &str = "lockdiag.lock/1";

/// One finding.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding<'a> {
    /// `lockdiag.finding/1`.
    schema: &'static str,
    /// The code, `LD101`.
    code: &'static str,
    /// Its name.
    name: &'static str,
    severity: Severity,
    /// The input, or the file of the user's, as it was named.
    source: &'a str,
    /// The line in it, from 1.
    line: u64,
    /// The character on that line, from 1; null where only the line is known.
    column: Option<u64>,
    lock_name: Option<&'a str>,
    /// The step of the record.
    event: Option<Event>,
    /// The evidence field that it is about.
    field: Option<Field>,
    /// One sentence: what is wrong.
    message: &'a str,
    /// What would be right.
    hint: &'a str,
    /// How many records it concerns; the place is that of the first.
    occurrences: u64,
    /// Stable under added and moved lines; unique in a run.
    fingerprint: &'a str,
}

impl<'a> Finding<'a> {
    /// A finding, at its place.
    pub fn new(finding: &'a finding::Finding, (source, line): (&'a str, u64)) -> Finding<'a> {
        Finding {
            schema: FINDING,
            code: finding.code.id(),
            name: finding.code.name(),
            severity: finding.severity,
            source,
            line,
            column: Some(finding.spot.column).filter(|column| *column > 0),
            lock_name: finding.lock_name.as_deref(),
            event: finding.event,
            field: finding.field,
            message: &finding.message,
            hint: &finding.hint,
            occurrences: finding.occurrences,
            fingerprint: &finding.fingerprint,
        }
    }
}

/// The whole document of `--format json`, for its schema: the document itself is written
/// piece by piece.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Lint<'a> {
    /// `lockdiag.lint/1`.
    schema: &'static str,
    /// The kept findings, by place.
    findings: Vec<Finding<'a>>,
    decidability: Decidability<'a>,
    /// How many of the records that should carry a field do.
    fields: Vec<FieldCount>,
    summary: Summary,
}

/// What the records can decide.
#[derive(Debug, Serialize, JsonSchema)]
struct Decidability<'a> {
    /// Every way over all locks, worst first.
    summary: Vec<Way<'a>>,
    /// Every lock, in order of appearance.
    locks: Vec<Lock<'a>>,
}

/// One way in which a class shows, over all locks.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Way<'a> {
    class: Class,
    /// The name of the way.
    way: &'static str,
    /// The question that it asks of the records.
    question: &'static str,
    /// Locks that can prove it throughout.
    can_prove: u64,
    /// Locks that can prove it for some records, or some of such incidents.
    can_prove_in_part: u64,
    /// Locks that can only suspect it.
    can_only_suspect: u64,
    /// Locks at which it would not show.
    blind: u64,
    /// Of these, those without any record of the step concerned.
    unseen: u64,
    /// The sets of fields that would make it provable; the one that helps most locks
    /// first.
    needs: Vec<CountedNeeds<'a>>,
}

/// A set of fields, and how many locks it would help.
#[derive(Debug, Serialize, JsonSchema)]
struct CountedNeeds<'a> {
    fields: &'a [Need],
    locks: u64,
}

impl<'a> Way<'a> {
    /// One way over all locks.
    pub fn new(way: &'a WaySummary) -> Way<'a> {
        Way {
            class: way.way.class,
            way: way.way.name,
            question: way.way.question,
            can_prove: way.prove,
            can_prove_in_part: way.in_part,
            can_only_suspect: way.suspect,
            blind: way.blind,
            unseen: way.unseen,
            needs: way
                .needs
                .iter()
                .map(|(fields, locks)| CountedNeeds {
                    fields,
                    locks: *locks,
                })
                .collect(),
        }
    }
}

/// What the records of one lock can decide.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lock<'a> {
    lock_name: &'a str,
    /// Its records, repeated ones once.
    records: u64,
    classes: Vec<ClassVerdict<'a>>,
    /// There, and true, where records were forgotten that would tell whether two of them
    /// share a `seq`: `--memory` or `--window` was too small, and the order of the lock counts
    /// as unknown.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    forgot: bool,
}

/// A lock as a line of its own.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LockLine<'a> {
    /// `lockdiag.lock/1`.
    schema: &'static str,
    #[serde(flatten)]
    lock: Lock<'a>,
}

/// One class at one lock.
#[derive(Debug, Serialize, JsonSchema)]
struct ClassVerdict<'a> {
    class: Class,
    /// The best of its ways.
    level: Level,
    /// Whether each way can be proven throughout.
    complete: bool,
    ways: Vec<LockWay<'a>>,
}

/// One way at one lock.
#[derive(Debug, Serialize, JsonSchema)]
struct LockWay<'a> {
    way: &'static str,
    level: Level,
    /// Whether that holds for every record concerned and every such incident.
    complete: bool,
    /// The records that carry enough for that level.
    records: u64,
    /// The records concerned.
    of: u64,
    /// The smallest sets of fields that would make it provable throughout.
    needs: &'a [Vec<Need>],
}

impl<'a> Lock<'a> {
    /// One lock.
    pub fn new(lock: &'a LockReport) -> Lock<'a> {
        let class = |(class, ways): (Class, Vec<&'a WayVerdict>)| ClassVerdict {
            class,
            level: ways
                .iter()
                .map(|way| way.level)
                .max()
                .unwrap_or(Level::Blind),
            complete: ways
                .iter()
                .all(|way| way.complete && way.level == Level::CanProve),
            ways: ways
                .into_iter()
                .map(|verdict| LockWay {
                    way: verdict.way.name,
                    level: verdict.level,
                    complete: verdict.complete,
                    records: verdict.records,
                    of: verdict.of,
                    needs: &verdict.needs,
                })
                .collect(),
        };
        Lock {
            lock_name: &lock.lock_name,
            records: lock.records,
            classes: by_class(&lock.ways).into_iter().map(class).collect(),
            forgot: lock.forgot,
        }
    }
}

impl<'a> LockLine<'a> {
    /// One lock as a line.
    pub fn new(lock: &'a LockReport) -> LockLine<'a> {
        LockLine {
            schema: LOCK,
            lock: Lock::new(lock),
        }
    }
}

/// How many of the records of a step that should carry a field do.
#[derive(Debug, Serialize, JsonSchema)]
pub struct FieldCount {
    event: Event,
    field: Field,
    present: u64,
    of: u64,
}

/// The field counts of a report.
pub fn fields(report: &Report) -> Vec<FieldCount> {
    report
        .coverage
        .iter()
        .map(|(event, field, coverage)| FieldCount {
            event: *event,
            field: *field,
            present: coverage.present,
            of: coverage.of,
        })
        .collect()
}

/// What was read and what was found.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// Evidence records read.
    records: u64,
    /// Distinct locks.
    locks: u64,
    /// Lines that are no evidence.
    other_lines: u64,
    /// Lines or values with something that can't be used, be it one field: those that
    /// `--rejects` keeps.
    rejected_lines: u64,
    /// New findings of severity `error`, kept or not.
    errors: u64,
    /// New findings of severity `warning`.
    warnings: u64,
    /// New findings of severity `note`.
    notes: u64,
    /// Every code that was raised, loudest first.
    codes: Vec<CodeLine>,
    /// Whether what was seen longest ago was forgotten, so that a contradiction with it is
    /// not found: `--memory` or `--window` was too small for the input.
    forgot: bool,
}

/// One code over the whole input.
#[derive(Debug, Serialize, JsonSchema)]
struct CodeLine {
    code: &'static str,
    name: &'static str,
    severity: Severity,
    /// How often it was raised; ignored ones do not count.
    total: u64,
    /// Of these, those that the baseline accepts.
    known: u64,
    /// How often an ignore covered it.
    ignored: u64,
    /// How many of the new ones the findings above stand for.
    kept: u64,
}

impl Summary {
    /// The summary of a report.
    pub fn new(report: &Report) -> Summary {
        let line = |count: CodeCount| CodeLine {
            code: count.code.id(),
            name: count.code.name(),
            severity: count.severity,
            total: count.tally.total,
            known: count.tally.known,
            ignored: count.tally.ignored,
            kept: count.kept,
        };
        Summary {
            records: report.records,
            locks: report.locks.len() as u64,
            other_lines: report.others,
            rejected_lines: report.rejected,
            errors: report.of_severity(Severity::Error),
            warnings: report.of_severity(Severity::Warning),
            notes: report.of_severity(Severity::Note),
            codes: report.counts().into_iter().map(line).collect(),
            forgot: report.forgot,
        }
    }
}
