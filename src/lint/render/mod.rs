//! A lint report becomes output: one file a format.
//!
//! A renderer gets a finished [`View`] and a writer, and every word from a log passes
//! through [`crate::escape`].

mod csv;
mod github;
mod junit;
mod sarif;
mod text;
pub mod v1;

use std::io::{self, Write};

use super::decidability::{Need, On};
use super::finding::{Finding, Where};
use super::report::Report;
use crate::escape;
use crate::render::Format;
use crate::render::text::Style;

/// What is rendered.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// The result.
    pub report: &'a Report,
    /// The inputs, as the user named them.
    pub sources: &'a [String],
    /// Whether the text form says of every lock what it can decide.
    pub details: bool,
}

impl<'a> View<'a> {
    /// The file and line of a finding.
    fn place(&self, finding: &'a Finding) -> (&'a str, u64) {
        match &finding.place {
            Where::Input { source, line } => {
                let name = self.sources.get(*source as usize);
                (name.map_or("", String::as_str), *line)
            }
            Where::File { path, line } => (path, *line),
        }
    }
}

/// Writes a report in one format. `style` is for the text form alone.
///
/// # Errors
/// What the writer says.
pub fn render(
    format: Format,
    view: &View<'_>,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::render(view, style, out),
        Format::Jsonl => lines(view, out),
        Format::Json => document(view, out),
        Format::Csv => csv::render(view, out),
        Format::Sarif => sarif::render(view, out),
        Format::Github => github::render(view, out),
        Format::Junit => junit::render(view, out),
    }
}

/// The counts, for standard error.
///
/// # Errors
/// What the writer says.
pub fn summary(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    text::summary(view, style, out)
}

/// One finding a line, then one line for each lock that can't decide everything.
fn lines(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    for finding in &view.report.findings {
        escape::json(out, &v1::Finding::new(finding, view.place(finding)))?;
        out.write_all(b"\n")?;
    }
    for lock in &view.report.locks {
        escape::json(out, &v1::LockLine::new(lock))?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// One document. Each finding and each lock has its own line, and no more than one of
/// them is held in words at a time.
fn document(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"schema\":")?;
    escape::json(out, v1::LINT)?;
    out.write_all(b",\"findings\":[")?;
    for (at, finding) in view.report.findings.iter().enumerate() {
        out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        escape::json(out, &v1::Finding::new(finding, view.place(finding)))?;
    }
    out.write_all(b"\n],\"decidability\":{\"summary\":[")?;
    for (at, way) in view.report.summary().iter().enumerate() {
        out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        escape::json(out, &v1::Way::new(way))?;
    }
    out.write_all(b"\n],\"locks\":[")?;
    for (at, lock) in view.report.locks.iter().enumerate() {
        out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        escape::json(out, &v1::Lock::new(lock))?;
    }
    out.write_all(b"\n]},\"fields\":")?;
    escape::json(out, &v1::fields(view.report))?;
    out.write_all(b",\"summary\":")?;
    escape::json(out, &v1::Summary::new(view.report))?;
    out.write_all(b"}\n")
}

/// A set of needs in words: `fenceToken and resourceKey on writes; seq on every record`.
pub fn needs(set: &[Need]) -> String {
    let groups = set.chunk_by(|a, b| a.on == b.on);
    let group = |group: &[Need]| {
        let fields: Vec<&str> = group.iter().map(|need| need.field.name()).collect();
        let on = match group.first().map(|need| need.on) {
            Some(On::Write) => "writes",
            Some(On::Acquire) => "acquisitions",
            Some(On::Renew) => "renewals",
            Some(On::Release) => "releases",
            Some(On::LeaseSteps) => "lease steps",
            Some(On::EveryRecord) | None => "every record",
        };
        format!("{} on {on}", listed(&fields))
    };
    let groups: Vec<String> = groups.map(group).collect();
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    listed(&groups)
}

/// `a, b and c`.
fn listed(parts: &[&str]) -> String {
    match parts {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
