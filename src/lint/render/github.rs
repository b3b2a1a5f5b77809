//! Annotations of a GitHub workflow run: one command a line.

use std::io::{self, Write};

use super::View;
use crate::escape;
use crate::ingest::source::STDIN_NAME;
use crate::lint::code::Severity;

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in &view.report.findings {
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let (source, line) = view.place(finding);
        // What came through standard input lies in no file of the repository.
        let mut place = String::new();
        if source != STDIN_NAME {
            place = format!("file={},line={line},", escape::github_property(source));
            if finding.spot.column > 0 {
                place.push_str(&format!("col={},", finding.spot.column));
            }
        }
        let title = format!("{} {}", finding.code, finding.code.name());
        let mut message = escape::terminal(&finding.message).into_owned();
        if finding.occurrences > 1 {
            message.push_str(&format!(" ({} records)", finding.occurrences));
        }
        message.push('\n');
        message.push_str(&escape::terminal(&finding.hint));
        writeln!(
            out,
            "::{command} {place}title={}::{}",
            escape::github_property(&title),
            escape::github_message(&message)
        )?;
    }
    Ok(())
}
