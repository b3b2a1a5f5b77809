//! How foreign logs are read: a mapping, a preset, or a few fields on the command line.

use std::io::{self, Write};
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use miette::{LabeledSpan, MietteDiagnostic, NamedSource, Report};

use super::evidence::handler;
use super::exit::Stop;
use super::files;
use super::terminal::Terminal;
use crate::escape;
use crate::ingest::mapping::{Mapping, MappingError, Preset, Reading};

/// How to read a log that does not use the names of the evidence.
#[derive(Debug, Args)]
#[command(next_help_heading = "Mapping")]
pub(super) struct MappingArgs {
    /// Read a foreign log by this mapping (TOML); `lockdiag map suggest` proposes one.
    /// With NAME= it is for the inputs of that name, else for those that have none of
    /// their own
    #[arg(long, value_name = "[NAME=]FILE")]
    pub(super) map: Vec<String>,
    /// Read the log of a system that has a fixed shape; `lockdiag map show` lists them
    #[arg(long, value_name = "[NAME=]PRESET")]
    pub(super) preset: Vec<String>,
    /// Take an evidence field from a path of the record, such as leaseId=lock.lease.id, or
    /// from a constant, such as result:=acquired
    #[arg(long, value_name = "EVIDENCE=PATH")]
    pub(super) field: Vec<String>,
    /// Read lines of text by a pattern whose groups bear the names of evidence fields
    #[arg(long, value_name = "REGEX")]
    pub(super) pattern: Vec<String>,
}

/// The name of a preset.
pub(super) fn preset() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .try_map(|name| Preset::from_name(&name))
}

impl MappingArgs {
    /// The mapping that fields and patterns on the command line make, where some are given.
    pub(super) fn quick(&self, terminal: &Terminal) -> Result<Option<Reading>, Stop> {
        if self.field.is_empty() && self.pattern.is_empty() {
            return Ok(None);
        }
        match Mapping::quick(&self.field, &self.pattern) {
            Ok(mapping) => Ok(Some(Reading::Mapped(mapping.into()))),
            Err(errors) => {
                let mut last = Stop::unusable("the fields can't be read so");
                for (number, error) in errors.iter().enumerate() {
                    let hint = (!error.hint.is_empty()).then_some(error.hint.as_str());
                    // An argument has one line.
                    let message = format!("{}: {}", error.file, error.message);
                    if number + 1 < errors.len() {
                        terminal.error(&message, hint);
                        continue;
                    }
                    last = Stop::unusable(message);
                    if let Some(hint) = hint {
                        last = last.hint(hint);
                    }
                }
                Err(last)
            }
        }
    }
}

/// Reads a mapping, and checks it whole.
pub(super) fn read(path: &Path, terminal: &Terminal) -> Result<Reading, Stop> {
    let name = path.display().to_string();
    let otherwise = match Preset::from_name(&name) {
        Ok(_) => format!("that is a preset: `--preset {name}`"),
        Err(_) => "a mapping is a TOML file; `lockdiag map suggest LOG` proposes one, and \
                   `lockdiag map show` lists the presets, which need none"
            .to_owned(),
    };
    let text = files::read(path, &otherwise)?;
    Reading::parse(&name, &text).map_err(|errors| refused(&name, &text, &errors, terminal))
}

/// Shows every fault of a mapping at its place.
fn refused(name: &str, text: &str, errors: &[MappingError], terminal: &Terminal) -> Stop {
    let handler = handler(terminal);
    // Text that would have to be rewritten to be shown is not shown.
    let plain = text.lines().all(|line| escape::terminal(line) == line);
    for error in errors {
        let mut diagnostic = MietteDiagnostic::new(escape::terminal(&error.message));
        if !error.hint.is_empty() {
            diagnostic = diagnostic.with_help(escape::terminal(&error.hint));
        }
        let report = if plain {
            let length = error.span.len().max(1);
            // One line of a fault is enough to find it.
            let line = text
                .get(error.span.start..)
                .and_then(|rest| rest.find('\n'));
            let length = length.min(line.unwrap_or(length).max(1));
            diagnostic = diagnostic.with_label(LabeledSpan::new(
                Some("here".to_owned()),
                error.span.start,
                length,
            ));
            let source = NamedSource::new(escape::terminal(name), text.to_owned());
            Report::new(diagnostic).with_source_code(source)
        } else {
            diagnostic.message = escape::terminal(&error.to_string()).into_owned();
            Report::new(diagnostic)
        };
        let mut shown = String::new();
        if handler.render_report(&mut shown, report.as_ref()).is_ok() {
            let _ = writeln!(io::stderr(), "{}", shown.trim_end());
        }
    }
    let faults = errors.len();
    let s = if faults == 1 { "" } else { "s" };
    Stop::unusable(format!(
        "{name}: {faults} fault{s} in the mapping, nothing was read"
    ))
}
