//! One incident a row, for spreadsheets (RFC 4180).
//!
//! Cells are made to be looked at: what can't be seen is written out, and what would be a
//! formula starts with `'`. The exact bytes of a name are in the JSON forms.

use std::io::{self, Write};

use super::View;
use crate::escape;
use crate::incident::catalogue::{self, Language};
use crate::incident::{Actor, Incident, Witness};

const HEADER: [&str; 24] = [
    "id",
    "class",
    "variant",
    "status",
    "outcome",
    "lockName",
    "resourceKey",
    "lateOwnerId",
    "lateLeaseId",
    "lateFenceToken",
    "currentOwnerId",
    "currentLeaseId",
    "currentFenceToken",
    "operationId",
    "occurrences",
    "assumes",
    "missing",
    "candidates",
    "observation",
    "boundary",
    "check",
    "nextAction",
    "notCovered",
    "evidence",
];

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    table.write_record(HEADER).map_err(csv_error)?;
    for incident in &view.shown {
        let row = row(incident);
        let cells = row.iter().map(|cell| escape::csv_cell(cell).into_owned());
        table.write_record(cells).map_err(csv_error)?;
    }
    table.flush()
}

/// What the writer said itself: a reader that has gone away is told from a full disk by it.
pub(crate) fn csv_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

fn row(incident: &Incident) -> [String; 24] {
    let told = catalogue::tell(Language::En, incident);
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    let [late_owner, late_lease, late_token] = actor(incident.late.as_ref());
    let [current_owner, current_lease, current_token] = actor(incident.current.as_ref());
    [
        incident.id.clone(),
        incident.class().name().to_owned(),
        incident.variant.name().to_owned(),
        incident.status.name().to_owned(),
        incident.outcome.name().to_owned(),
        incident.lock_name.clone(),
        optional(&incident.resource_key),
        late_owner,
        late_lease,
        late_token,
        current_owner,
        current_lease,
        current_token,
        optional(&incident.operation_id),
        incident.occurrences.to_string(),
        list(incident.assumes.iter().map(|one| one.name())),
        list(incident.missing.iter().map(|one| one.name())),
        list(incident.candidates.iter().map(|one| one.name())),
        told.observation,
        told.boundary,
        told.check.join("; "),
        told.next_action,
        told.not_covered.join("; "),
        list(incident.evidence.iter().map(witness)),
    ]
}

fn actor(actor: Option<&Actor>) -> [String; 3] {
    let Some(actor) = actor else {
        return Default::default();
    };
    [
        actor.owner_id.clone().unwrap_or_default(),
        actor.lease_id.clone().unwrap_or_default(),
        actor
            .fence_token
            .map(|token| token.to_string())
            .unwrap_or_default(),
    ]
}

fn witness(witness: &Witness) -> String {
    format!(
        "{}:{} {}",
        witness.source,
        witness.line,
        witness.role.name()
    )
}

fn list<T: AsRef<str>>(parts: impl Iterator<Item = T>) -> String {
    let mut joined = String::new();
    for part in parts {
        if !joined.is_empty() {
            joined.push_str("; ");
        }
        joined.push_str(part.as_ref());
    }
    joined
}
