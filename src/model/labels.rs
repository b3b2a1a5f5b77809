//! The truth of a run as data: labels for a log that the model wrote.

use schemars::JsonSchema;
use serde::Serialize;

use super::fact::FactKind;
use super::names::Names;
use super::truth::{Subject, TrueIncident, Truth};
use crate::incident::Class;

/// The name of the document's schema.
pub(crate) const SCHEMA: &str = "lockdiag.truth/1";

/// The incidents of a run as the model knows them.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Document<'a> {
    /// `lockdiag.truth/1`.
    schema: &'static str,
    /// The command line that gives the same run.
    command: &'a str,
    incidents: Vec<Label>,
}

/// One incident as it truly was.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Label {
    class: Class,
    /// What happened first.
    kind: FactKind,
    lock_name: String,
    resource_key: Option<String>,
    lease_id: Option<String>,
    fence_token: Option<u64>,
    operation_id: Option<String>,
    /// Whether nothing was done that should not have been.
    contained: bool,
    /// Whether the records show it, by a reading or by the order of who decided.
    decidable: bool,
    /// How often it happened.
    occurrences: usize,
    /// The records about it.
    records: Vec<Record>,
}

/// One record of the evidence.
#[derive(Serialize, JsonSchema)]
struct Record {
    /// The file.
    source: String,
    /// The line in it, from 1.
    line: u64,
}

/// The truth as one JSON document. `command` reproduces the run; `source` names a file
/// of its evidence.
pub fn json(truth: &Truth, names: &Names, command: &str, source: impl Fn(u32) -> String) -> String {
    let label = |incident: &TrueIncident| {
        let (key, lease, token, operation) = match incident.subject {
            Subject::Write(key, token) => (key, None, token, None),
            Subject::WriteOfLease(key, lease) => (key, lease, None, None),
            Subject::Lease(lease) => (None, lease, None, None),
            Subject::Operation(operation) => (None, None, None, operation),
            Subject::Key(key) => (key, None, None, None),
            Subject::Lock => (None, None, None, None),
        };
        let lock = incident.lock;
        Label {
            class: incident.class,
            kind: incident.kind,
            lock_name: names.text(|n, out| n.lock(out, lock)),
            resource_key: key.map(|key| names.text(|n, out| n.key(out, key))),
            lease_id: lease.map(|number| names.text(|n, out| n.lease(out, lock, number))),
            fence_token: token,
            operation_id: operation
                .map(|number| names.text(|n, out| n.operation(out, lock, number))),
            contained: incident.contained,
            decidable: incident.decidable,
            occurrences: incident.facts.len(),
            records: incident
                .lines
                .iter()
                .map(|(file, line)| Record {
                    source: source(*file),
                    line: *line,
                })
                .collect(),
        }
    };
    let document = Document {
        schema: SCHEMA,
        command,
        incidents: truth.incidents().iter().map(label).collect(),
    };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}
