//! Reads evidence of a distributed-lock incident and says what it shows and what it does not
//! show.
//!
//! The evidence is a log of what the parts of a lock protocol did: leases acquired, renewed and
//! released, writes accepted or refused by their fencing token. [`ingest`] reads it into
//! [records](evidence::Record), a [`Diagnosis`](diagnosis::Diagnosis) judges them, and what
//! comes out are [incidents](incident::Incident): what happened, how firmly the records say it,
//! and which lines show it. The command line tool is made of the same parts.
//!
//! # From a log to incidents
//!
//! ```
//! use lockdiag::diagnosis::{Diagnosis, Options};
//! use lockdiag::incident::{Outcome, Status};
//! use lockdiag::ingest::{self, ReadOptions, Source};
//! use lockdiag::render::{Format, LineCounts, View, render, text::Style};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let log = r#"
//! {"lockName":"stock","ownerId":"b","fenceToken":6,"resourceKey":"stock/1","resourceHighestTokenBefore":5,"result":"accepted"}
//! {"lockName":"stock","ownerId":"a","fenceToken":5,"resourceKey":"stock/1","resourceHighestTokenBefore":6,"result":"accepted"}
//! "#;
//! // Source::file("evidence.jsonl") reads a file, gzip and zstd included.
//! let sources = vec![Source::reader("stock.jsonl", log.as_bytes())];
//! let names: Vec<String> = sources.iter().map(|source| source.name.clone()).collect();
//!
//! let mut diagnosis = Diagnosis::new(Options::default());
//! let read = ingest::read(sources, &ReadOptions::default(), &mut diagnosis)?;
//! let run = diagnosis.finish(&names);
//!
//! let [incident] = run.incidents.as_slice() else { panic!("one incident") };
//! assert_eq!(incident.variant.name(), "not-compared");
//! assert_eq!((incident.status, incident.outcome), (Status::Proven, Outcome::Breached));
//!
//! let mut page = Vec::new();
//! let mut view = View::new(&run);
//! view.lines = LineCounts::from(&read.total);
//! render(Format::Text, &view, &Style::default(), &mut page)?;
//! assert!(String::from_utf8(page)?.starts_with("BREACHED (1)"));
//! # Ok(())
//! # }
//! ```
//!
//! Records that a program already has need no log: see [`Diagnosis`](diagnosis::Diagnosis).
//!
//! # A log of another shape
//!
//! A [`Reading`](ingest::mapping::Reading) says how an input is read: as evidence, by a mapping,
//! or by the [preset](ingest::mapping::Preset) of a system such as etcd or Redis. It gives the
//! dialect by which a [`Source`](ingest::Source) is read.
//!
//! ```
//! use lockdiag::ingest::Source;
//! use lockdiag::ingest::mapping::{Reading, suggest};
//!
//! // What `suggest` proposes is meant to be checked by a person.
//! let log = r#"{"msg":"lock acquired","lock":"stock","owner":"a","token":5}"#;
//! let proposal = suggest(log).toml;
//! match Reading::parse("proposed.toml", &proposal) {
//!     Ok(reading) => {
//!         let source = Source::reader("stock.log", log.as_bytes()).read_by(reading.dialect());
//!     }
//!     Err(faults) => faults.iter().for_each(|fault| eprintln!("{fault}")),
//! }
//! ```
//!
//! # What the records lack
//!
//! [`lint`] says what is wrong with records and what a pack can and cannot decide. A
//! [`LintSink`](lint::LintSink) goes where the diagnosis goes above:
//!
//! ```
//! use lockdiag::incident::catalogue::Language;
//! use lockdiag::ingest::{self, ReadOptions, Source};
//! use lockdiag::lint::{LintSink, Settings, catalogue};
//!
//! # fn main() -> Result<(), ingest::ReadError> {
//! let log = r#"{"lockName":"stock","event":"write","result":"accepted"}"#;
//! let sources = vec![Source::reader("stock.jsonl", log.as_bytes())];
//! let mut lint = LintSink::new(Settings::default());
//! ingest::read(sources, &ReadOptions::default(), &mut lint)?;
//! let report = lint.finish();
//! for finding in &report.findings {
//!     println!("{}: {}", finding.code, catalogue::entry(Language::En, finding.code).summary);
//! }
//! assert!(!report.findings.is_empty());
//! # Ok(())
//! # }
//! ```
//!
//! # The rooms
//!
//! | to | see |
//! |---|---|
//! | read records, or make them | [`ingest`], [`evidence`] |
//! | judge them | [`diagnosis`], [`incident`], [`observers`] |
//! | write what was found | [`render`], [`report`], [`schema`] |
//! | find words for it, in English or Russian | [`incident::catalogue`], [`explain`] |
//! | check records | [`lint`], [`config`] |
//! | make evidence whose truth is known | [`model`] |
//!
//! The library prints nothing, ends no process and reads no clock and no environment; [`cli`],
//! which is the tool, does, and only [`ingest`] opens files.

pub mod cli;
pub mod config;
pub mod diagnosis;
pub mod escape;
pub mod evidence;
pub mod explain;
mod fetch;
pub mod incident;
pub mod ingest;
pub mod lint;
pub mod model;
mod named;
mod near;
pub mod observers;
pub mod render;
pub mod report;
mod rules;
pub mod schema;
mod timeline;
