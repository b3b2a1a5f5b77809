//! Reads evidence for a command: inputs, located complaints, rejects, progress.

mod file_id;
mod further;
mod rejects;
mod taking;
mod unused;
mod warnings;

use std::io::{self, Write};
use std::path::Path;

use miette::{GraphicalReportHandler, GraphicalTheme};

use super::args::InputArgs;
use super::exit::{Exit, Stop};
use super::files;
use super::observers::{self, Team};
use super::terminal::Terminal;
use crate::evidence::{Place, Record};
use crate::ingest::mapping::Reading as How;
use crate::ingest::source::{self, Input, Source};
use crate::ingest::{self, Broken, Counts, Dialect, Kept, ReadOptions, Rejected};
use crate::observers::Observers;
use file_id::FileId;
use rejects::Rejects;
use taking::Taking;
use unused::Unused;

/// Who gets the records.
pub(super) trait Observer {
    /// A line or value is about to be read.
    fn frame(&mut self, _place: Place, _bytes: &[u8]) {}
    /// What was just read is another line.
    fn other(&mut self) {}
    /// Whether the observer tells of the other lines that hold evidence inside; else a
    /// warning does.
    fn tells_of_evidence_inside(&self) -> bool {
        false
    }
    /// A record.
    fn record(&mut self, place: Place, record: &Record<'_>);
    /// The same as [`Observer::frame`] and [`Observer::record`], of a record that is not put
    /// together yet.
    fn kept(&mut self, place: Place, kept: &Kept<'_>) {
        self.frame(place, kept.frame());
        self.record(place, &kept.record());
    }
    /// Something wrong. Whether the observer tells of it; else it is shown as a complaint.
    fn rejected(&mut self, _rejected: &Rejected<'_>) -> bool {
        false
    }
    /// An input that ended before its end; it is told on standard error in any case.
    fn broken(&mut self, _broken: &Broken<'_>) {}
    /// Everything that was there so far was handed over.
    fn idle(&mut self) -> Result<(), Stop> {
        Ok(())
    }
}

/// The inputs of a run, found and not yet read.
#[derive(Debug)]
pub(super) struct Inputs {
    sources: Vec<Source>,
    /// Their names, by [`Place::source`].
    pub(super) names: Vec<String>,
    team: Team,
    /// Whether to take the SHA-256 of each.
    pub(super) digest: bool,
}

/// What reading came to.
#[derive(Debug)]
pub(super) struct Reading {
    /// What was read.
    pub(super) counts: Counts,
    /// Whether an input ended before its end, so that the run can't end well.
    pub(super) broken: bool,
    /// Whether a mapping or a preset told how to read.
    mapped: bool,
    /// The presets that did.
    presets: Vec<&'static str>,
    /// What was read and is no evidence.
    unused: Unused,
}

impl Inputs {
    /// Finds the inputs. A terminal on standard input that nobody named is refused:
    /// waiting for it would look like a hang.
    pub(super) fn find(
        args: &InputArgs,
        command: &[&str],
        terminal: &Terminal,
    ) -> Result<Inputs, Stop> {
        if args.inputs.is_empty() && source::stdin_is_terminal() {
            let mut tool = super::command();
            tool.build();
            let found = command
                .iter()
                .try_fold(&mut tool, |within, name| within.find_subcommand_mut(name));
            if let Some(found) = found {
                let help = super::colored(&found.render_long_help(), terminal.stderr.colored);
                let _ = io::stderr().write_all(help.as_bytes());
            }
            return Err(Stop::unusable(
                "no input: name files or directories, or pipe a log in",
            ));
        }
        let (sources, written_by) = observers::find(&args.inputs)?;
        warnings::of_passed_over(&args.inputs, terminal);
        let names = sources.iter().map(|source| source.name.clone()).collect();
        if let Some(path) = &args.rejects {
            files::is_file("--rejects", path)?;
        }
        // A mapping is checked whole before any input is opened.
        let team = Team::of(args, &written_by, terminal)?;
        team.differ(&sources)?;
        let mut inputs = Inputs {
            sources,
            names,
            team,
            digest: false,
        };
        inputs.read_each_by(How::dialect);
        Ok(inputs)
    }

    /// Which input was written by whom.
    pub(super) fn observers(&self) -> Observers {
        self.team.observers.clone()
    }

    /// How inputs are read of which the command line says nothing else.
    pub(super) fn otherwise(&mut self, how: How) {
        self.team.otherwise(how);
        self.read_each_by(How::dialect);
    }

    /// Has every input read by the dialect that is made of how it is to be read.
    pub(super) fn read_each_by(
        &mut self,
        mut dialect: impl FnMut(&How) -> Box<dyn Dialect + Send>,
    ) {
        for (number, source) in self.sources.iter_mut().enumerate() {
            source.dialect = dialect(self.team.how(number));
        }
    }

    /// Whether some input is read by a mapping or a preset.
    pub(super) fn are_mapped(&self) -> bool {
        self.team.is_mapped()
    }

    /// Refuses to write over what is about to be read, under whatever name.
    pub(super) fn guard(&self, output: &Path) -> Result<(), Stop> {
        let Some(output) = FileId::of(output) else {
            return Ok(());
        };
        for source in &self.sources {
            let input = match &source.input {
                Input::File(path) => FileId::of(path),
                Input::Stdin => FileId::of_stdin(),
                Input::Reader(_) => None,
            };
            if input.is_some_and(|input| input == output) {
                return Err(Stop::unusable(format!(
                    "{}: is an input, and would be written over",
                    source.name
                )));
            }
        }
        Ok(())
    }

    /// Reads them all.
    pub(super) fn read(
        self,
        args: &InputArgs,
        terminal: &Terminal,
        observer: &mut dyn Observer,
    ) -> Result<Reading, Stop> {
        let rejects = args
            .rejects
            .as_deref()
            .map(|path| {
                self.guard(path)?;
                Rejects::create(path)
            })
            .transpose()?;
        let options = ReadOptions {
            digest: self.digest,
            ..options(args)
        };
        let mapped = self.team.is_mapped();
        let presets = self.team.presets();
        let mut sink = Taking::new(
            observer,
            &self.names,
            &self.team,
            terminal,
            rejects,
            args.strict,
        );
        let counts = ingest::read(self.sources, &options, &mut sink)
            .map_err(|error| Stop::unusable(error.to_string()));
        let (broken, unused) = sink.finish()?;
        let counts = counts?;
        warnings::of_useless(&args.inputs, &self.names, &counts, terminal);
        Ok(Reading {
            counts,
            broken,
            mapped,
            presets,
            unused,
        })
    }
}

fn options(args: &InputArgs) -> ReadOptions {
    let max_line = usize::try_from(args.max_line).unwrap_or(usize::MAX);
    ReadOptions {
        max_line,
        max_decompressed: args.max_decompressed,
        threads: args.threads(),
        ..ReadOptions::default()
    }
}

impl Reading {
    /// The exit code of the reading alone, where it decides.
    pub(super) fn exit(&self) -> Option<Exit> {
        self.broken.then_some(Exit::Unusable)
    }

    /// Says that there was nothing to judge.
    pub(super) fn no_evidence(&self) -> Stop {
        self.no_evidence_or(if self.mapped {
            "`lockdiag map explain` shows which fields a mapping found and which not; \
             `lockdiag map show NAME` says what a preset reads"
        } else {
            "an evidence record is a JSON object with lockName and result, see `lockdiag \
             explain`; for a log of another shape `lockdiag map suggest FILE` proposes a \
             mapping, and `--preset NAME` reads what known systems write"
        })
    }

    /// The same, with that hint where no preset reads the log.
    pub(super) fn no_evidence_or(&self, otherwise: &str) -> Stop {
        let total = &self.counts.total;
        let message = match (total.lines, total.rejected, self.unused.holding_evidence()) {
            (0, _, _) => "the input is empty: there is no evidence to read".to_owned(),
            (lines, _, holding @ 1..) => format!(
                "not one evidence record in {lines} line{}: in {holding} of them it stands inside \
                 other text",
                plural(lines)
            ),
            (lines, 0, _) => format!(
                "not one evidence record in {lines} line{}: none holds the fields of one",
                plural(lines)
            ),
            (lines, rejected, _) => format!(
                "not one evidence record in {lines} line{}: {rejected} could not be used",
                plural(lines)
            ),
        };
        let otherwise = match self.unused.holding_evidence() {
            _ if self.unused.is_own_output() => {
                "this is output of lockdiag itself; give it the log that the output was made from"
            }
            0 => otherwise,
            _ => {
                "`lockdiag map suggest FILE > map.toml` proposes how to read what stands behind a \
                 prefix or in another object; then `--map map.toml`"
            }
        };
        let preset = self.unused.preset();
        let preset = preset.filter(|name| !self.presets.contains(name));
        Stop::no_evidence(message).hint(match preset {
            Some(name) => format!("the preset {name} reads lines of it: --preset {name}"),
            None => otherwise.to_owned(),
        })
    }
}

fn plural(n: u64) -> &'static str {
    if n == 1 { "" } else { "s" }
}

pub(super) fn handler(terminal: &Terminal) -> GraphicalReportHandler {
    let theme = if terminal.stderr.colored {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    GraphicalReportHandler::new_themed(theme)
        .with_width(terminal.stderr.width)
        .with_links(false)
}
