//! Incidents become output: one file a format.
//!
//! A renderer gets a finished [`View`] and a writer. It opens nothing, asks no terminal
//! and no environment, and every word from a log passes through [`crate::escape`].

pub(crate) mod csv;
mod github;
pub mod json;
mod junit;
mod sarif;
mod severity;
pub mod text;

use std::io::{self, Write};
use std::path::Path;

use crate::incident::{Classification, Incident, Summary};
use crate::ingest::SourceCounts;
pub use severity::Severity;

/// What a renderer shows.
#[derive(Debug, Clone)]
pub struct View<'a> {
    /// The incidents that were asked for, in order of their first deciding record.
    pub shown: Vec<&'a Incident>,
    /// Every incident of the run, for the counts.
    pub all: &'a [Incident],
    /// What else the run says.
    pub summary: &'a Summary,
    /// The lines that became no record.
    pub lines: LineCounts,
    /// How many threads may put incidents into words; 0 is one. What they write is the same.
    pub threads: usize,
}

impl<'a> View<'a> {
    /// Every incident of a run, put into words by the calling thread; of its other lines
    /// nothing is known.
    pub fn new(run: &'a Classification) -> View<'a> {
        View {
            shown: run.incidents.iter().collect(),
            all: &run.incidents,
            summary: &run.summary,
            lines: LineCounts::default(),
            threads: 1,
        }
    }

    /// How many incidents exist and were not asked for.
    pub fn hidden(&self) -> usize {
        self.all.len().saturating_sub(self.shown.len())
    }
}

/// How many lines of the input became no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCounts {
    /// Lines that are no evidence, and no error.
    pub other: u64,
    /// Lines that were meant as evidence and have something wrong, be it one field.
    pub rejected: u64,
}

impl From<&SourceCounts> for LineCounts {
    fn from(read: &SourceCounts) -> LineCounts {
        LineCounts {
            other: read.other,
            rejected: read.rejected + read.flawed,
        }
    }
}

/// The formats of `classify`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// For people.
    Text,
    /// One incident a line.
    Jsonl,
    /// One document, with the summary.
    Json,
    /// One incident a row, for spreadsheets.
    Csv,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of a GitHub workflow run.
    Github,
    /// JUnit XML.
    Junit,
}

impl Format {
    /// Every format, in documented order.
    pub const ALL: [Format; 7] = [
        Format::Text,
        Format::Jsonl,
        Format::Json,
        Format::Csv,
        Format::Sarif,
        Format::Github,
        Format::Junit,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Text => "text",
            Format::Jsonl => "jsonl",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Sarif => "sarif",
            Format::Github => "github",
            Format::Junit => "junit",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The format that the ending of a file name stands for.
    pub fn from_path(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "txt" => Format::Text,
            "jsonl" | "ndjson" => Format::Jsonl,
            "json" => Format::Json,
            "csv" => Format::Csv,
            "sarif" => Format::Sarif,
            "xml" => Format::Junit,
            _ => return None,
        })
    }
}

/// Writes a whole run in one format. `style` is for the text form alone: what machines
/// read is the same in every language and on every terminal.
///
/// # Errors
/// What the writer says.
pub fn render(
    format: Format,
    view: &View<'_>,
    style: &text::Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Text => text::render(view, style, out),
        Format::Jsonl => json::lines(view, out),
        Format::Json => json::document(view, out),
        Format::Csv => csv::render(view, out),
        Format::Sarif => sarif::render(view, out),
        Format::Github => github::render(view, out),
        Format::Junit => junit::render(view, out),
    }
}

#[cfg(test)]
mod tests;
