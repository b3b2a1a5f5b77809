//! Where results go: standard output, and any number of files, in any of the formats.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::named;
use super::evidence::Inputs;
use super::exit::Stop;
use super::target::{self, Formats};
use super::terminal::Terminal;
use crate::incident::Incident;
use crate::render::{self, Format, View, json, text};

/// Written at once: a run may tell of thousands of incidents.
const AT_ONCE: usize = 1 << 16;

/// Formats and places of the result.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// The format of standard output [default: text], and of each FILE whose ending names
    /// none
    #[arg(long, value_name = "FORMAT", value_parser = named(Format::ALL.map(Format::name), Format::from_name))]
    format: Option<Format>,
    /// Write to FILE instead; may be repeated. The format follows the ending (.txt .jsonl
    /// .ndjson .json .csv .sarif .xml) or is given as FORMAT=FILE; another ending needs
    /// --format. - is standard output
    #[arg(short, long, value_name = "[FORMAT=]FILE")]
    output: Vec<PathBuf>,
}

const FORMATS: Formats<Format> = Formats {
    default: Format::Text,
    from_name: Format::from_name,
    from_path: Format::from_path,
    example: "github=annotations.log",
};

type Target = target::Target<Format>;

impl OutputArgs {
    /// Whether nothing but the text form on standard output was asked for.
    pub(super) fn text_alone(&self) -> bool {
        self.output.is_empty() && self.format.unwrap_or(Format::Text) == Format::Text
    }

    /// Refuses to write two things to one file.
    pub(super) fn guard(&self, other: Option<&Path>) -> Result<(), Stop> {
        let targets = self.targets()?;
        targets.iter().try_for_each(|one| one.differs_from(other))
    }

    fn targets(&self) -> Result<Vec<Target>, Stop> {
        FORMATS.targets(&self.output, self.format)
    }
}

impl Target {
    fn open(&self) -> Result<Box<dyn Write>, Stop> {
        Ok(match &self.path {
            None => Box::new(BufWriter::with_capacity(AT_ONCE, io::stdout())),
            Some(path) => {
                let file = File::create(path).map_err(|error| self.failed(&error))?;
                Box::new(BufWriter::with_capacity(AT_ONCE, file))
            }
        })
    }

    fn failed(&self, error: &io::Error) -> Stop {
        match Stop::writing(&self.name(), error) {
            // Only the reader of standard output may leave quietly.
            Stop::ClosedPipe if self.path.is_some() => {
                Stop::unusable(format!("{}: {error}", self.name()))
            }
            stop => stop,
        }
    }

    fn style<'t>(&self, terminal: &'t Terminal) -> &'t text::Style {
        match self.path {
            None => &terminal.stdout,
            Some(_) => &terminal.file,
        }
    }

    /// Whether an incident can be written before the run is over.
    fn streams(&self) -> bool {
        matches!(self.format, Format::Text | Format::Jsonl)
    }
}

/// All places of one run.
pub(super) struct Outputs<'t> {
    targets: Vec<Target>,
    /// Those that take incidents as they come, already open.
    streams: Vec<(Target, Box<dyn Write>)>,
    terminal: &'t Terminal,
}

impl<'t> Outputs<'t> {
    /// Checks the places before anything is read. Files are made when there is something
    /// to write, so that a run that fails leaves an earlier result alone.
    pub(super) fn new(
        args: &OutputArgs,
        inputs: &Inputs,
        terminal: &'t Terminal,
    ) -> Result<Outputs<'t>, Stop> {
        let targets = args.targets()?;
        for target in &targets {
            if let Some(path) = &target.path {
                inputs.guard(path)?;
            }
            target.check()?;
        }
        Ok(Outputs {
            targets,
            streams: Vec::new(),
            terminal,
        })
    }

    /// Opens the places that can take incidents as they come.
    pub(super) fn follow(&mut self) -> Result<(), Stop> {
        for target in self.targets.extract_if(.., |target| target.streams()) {
            let out = target.open()?;
            self.streams.push((target, out));
        }
        Ok(())
    }

    /// Refuses an option that adds to the text form where nothing is written as text.
    pub(super) fn some_text(&self, option: &str) -> Result<(), Stop> {
        let all = || {
            self.targets
                .iter()
                .chain(self.streams.iter().map(|one| &one.0))
        };
        if all().any(|target| target.format == Format::Text) {
            return Ok(());
        }
        let written = all().next().map_or("", |target| target.format.name());
        Err(Stop::unusable(format!(
            "`{option}` adds to the text form, and the result is written as {written}"
        ))
        .hint(format!("leave {option} out, or write text=FILE as well")))
    }

    /// Refuses a format that what is written has not.
    pub(super) fn only_text(&self, option: &str) -> Result<(), Stop> {
        let other = |target: &&Target| target.format != Format::Text;
        match self.targets.iter().find(other) {
            None => Ok(()),
            Some(target) => Err(Stop::unusable(format!(
                "`{option}` has no form as {}",
                target.format.name()
            ))
            .hint("it is text: leave --format out, and write files as text=FILE")),
        }
    }

    /// Writes one incident to the places that take them as they come.
    pub(super) fn stream(&mut self, incident: &Incident, change: text::Change) -> Result<(), Stop> {
        self.each_stream(|target, style, out| match (target.format, change) {
            (Format::Text, text::Change::Withdrawn) => text::withdrawn(incident, style, out),
            (Format::Text, change) => text::one(incident, change, style, out),
            // A withdrawal has no line of its own; the summary counts what stands.
            (_, text::Change::Withdrawn) => Ok(()),
            _ => json::line(incident, out),
        })
    }

    /// Says that there was nothing, to the places for people that were told nothing.
    pub(super) fn stream_nothing(&mut self, view: &View<'_>) -> Result<(), Stop> {
        self.each_stream(|target, style, out| match target.format {
            Format::Text => render::render(Format::Text, view, style, out),
            _ => Ok(()),
        })
    }

    /// Brings what was written so far to whoever waits for it.
    pub(super) fn flush(&mut self) -> Result<(), Stop> {
        self.each_stream(|_, _, out| out.flush())
    }

    fn each_stream(
        &mut self,
        mut write: impl FnMut(&Target, &text::Style, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), Stop> {
        for (target, out) in &mut self.streams {
            let style = target.style(self.terminal);
            write(target, style, out).map_err(|error| target.failed(&error))?;
        }
        Ok(())
    }

    /// Writes a finished result of any kind to every place that waited for it.
    pub(super) fn finish_with(mut self, write: &mut WriteResult<'_>) -> Result<(), Stop> {
        self.flush()?;
        // Files first: a reader that leaves standard output takes nothing from them.
        let (files, stdout): (Vec<_>, Vec<_>) = self
            .targets
            .iter()
            .partition(|target| target.path.is_some());
        for target in files.into_iter().chain(stdout) {
            let mut out = target.open()?;
            write(target.format, target.style(self.terminal), &mut out)
                .and_then(|()| out.flush())
                .map_err(|error| target.failed(&error))?;
        }
        Ok(())
    }
}

/// Writes a result in one format.
pub(super) type WriteResult<'w> =
    dyn FnMut(Format, &text::Style, &mut dyn Write) -> io::Result<()> + 'w;
