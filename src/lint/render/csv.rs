//! One finding a row, for spreadsheets (RFC 4180). What would be a formula starts with
//! `'`; the exact bytes of a name are in the JSON forms.

use std::io::{self, Write};

use super::View;
use crate::escape;
use crate::render::csv::csv_error;

const HEADER: [&str; 13] = [
    "code",
    "name",
    "severity",
    "source",
    "line",
    "column",
    "lockName",
    "event",
    "field",
    "message",
    "hint",
    "occurrences",
    "fingerprint",
];

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut table = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .from_writer(out);
    table.write_record(HEADER).map_err(csv_error)?;
    for finding in &view.report.findings {
        let (source, line) = view.place(finding);
        let column = match finding.spot.column {
            0 => String::new(),
            column => column.to_string(),
        };
        let row = [
            finding.code.id(),
            finding.code.name(),
            finding.severity.name(),
            source,
            &line.to_string(),
            &column,
            finding.lock_name.as_deref().unwrap_or_default(),
            finding.event.map_or("", |event| event.word()),
            finding.field.map_or("", |field| field.name()),
            &finding.message,
            &finding.hint,
            &finding.occurrences.to_string(),
            &finding.fingerprint,
        ];
        let cells = row.iter().map(|cell| escape::csv_cell(cell).into_owned());
        table.write_record(cells).map_err(csv_error)?;
    }
    table.flush()
}
