//! Annotations of a GitHub workflow run: one command a line.

use std::io::{self, Write};

use super::{Severity, View};
use crate::escape;
use crate::incident::Incident;
use crate::incident::catalogue::{self, Language};
use crate::ingest::source::STDIN_NAME;

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    view.shown
        .iter()
        .try_for_each(|incident| annotation(incident, out))
}

fn annotation(incident: &Incident, out: &mut dyn Write) -> io::Result<()> {
    let command = match Severity::of(incident) {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let told = catalogue::tell(Language::En, incident);
    let title = format!(
        "{}/{} ({}, {})",
        incident.class(),
        incident.variant,
        incident.status.name(),
        incident.outcome.name()
    );
    // What came through standard input lies in no file of the repository.
    let place = incident
        .evidence
        .first()
        .filter(|witness| witness.source != STDIN_NAME)
        .map(|witness| {
            let file = escape::github_property(&witness.source);
            format!("file={file},line={},", witness.line)
        })
        .unwrap_or_default();
    let headline = catalogue::headline(Language::En, incident);
    let message = [&headline, &told.observation, &told.next_action]
        .map(|text| escape::terminal(text))
        .join("\n");
    writeln!(
        out,
        "::{command} {place}title={}::{}",
        escape::github_property(&title),
        escape::github_message(&message)
    )
}
