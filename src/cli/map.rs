//! `map`: presets, proposals, and a mapping at work.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use clap::{Args, Subcommand};

use super::args::{EXIT_CODES_OF_READING, InputArgs};
use super::evidence::{Inputs, Observer};
use super::exit::{Exit, Stop};
use super::files;
use super::mapping::preset;
use super::number::whole;
use super::terminal::Terminal;
use crate::evidence::{Place, Record};
use crate::ingest::Rejected;
use crate::ingest::decode::Decoder;
use crate::ingest::mapping::{Explaining, Explanation, Preset, suggest};
use crate::ingest::source;

/// Lines that are shown one by one.
pub(super) const FIRST: usize = 10;
/// How much of a log a proposal is made from.
const SAMPLE: usize = 4 << 20;

/// Bring a log that has other names: presets, proposals, and a mapping at work
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(super) struct MapArgs {
    #[command(subcommand)]
    command: MapCommand,
}

#[derive(Debug, Subcommand)]
enum MapCommand {
    /// Print a preset: its mapping, or what its reader takes from where; without NAME, the list
    Show {
        /// The preset
        #[arg(value_name = "NAME", value_parser = preset(), hide_possible_values = true)]
        preset: Option<Preset>,
    },
    /// Propose a mapping for a foreign log, from the names and the values of a sample
    ///
    /// The proposal is TOML to be checked and edited; it is never applied by itself.
    Suggest {
        /// The log; - or nothing for standard input
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
    },
    /// Show for the first lines which field came from where, and what found nothing
    Explain(Box<ExplainArgs>),
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES_OF_READING, after_long_help = EXIT_CODES_OF_READING)]
struct ExplainArgs {
    #[command(flatten)]
    input: InputArgs,
    /// How many lines to show one by one
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, u64::MAX), allow_hyphen_values = true, default_value_t = FIRST)]
    first: usize,
}

pub(super) fn run(args: &MapArgs, terminal: &Terminal) -> Result<Exit, Stop> {
    match &args.command {
        MapCommand::Show { preset: None } => print(&list()),
        MapCommand::Show {
            preset: Some(preset),
        } => print(preset.text()),
        MapCommand::Suggest { file } => {
            let suggestion = suggest(&sample(file.as_deref())?);
            print(&suggestion.toml)?;
            if suggestion.records > 0 {
                return Ok(Exit::Done);
            }
            Err(Stop::no_evidence(
                "no record of the log is read by this proposal as it stands",
            )
            .hint("complete it, and see with `lockdiag map explain --map FILE LOG` what it finds"))
        }
        MapCommand::Explain(args) => {
            let inputs = Inputs::find(&args.input, &["map", "explain"], terminal)?;
            explain(inputs, &args.input, args.first, terminal, |text| {
                print(text).map(|_| ())
            })
        }
    }
}

fn list() -> String {
    let width = Preset::ALL
        .iter()
        .map(|p| p.name().len())
        .max()
        .unwrap_or(0);
    let lines = Preset::ALL
        .iter()
        .map(|p| format!("{:width$}  {}\n", p.name(), p.summary()));
    lines.collect()
}

/// The beginning of a log, unpacked, up to its last whole line.
fn sample(path: Option<&Path>) -> Result<String, Stop> {
    if path.is_none() && source::stdin_is_terminal() {
        let stop = Stop::unusable("no log: name a file, or pipe one in");
        return Err(stop.hint("`lockdiag map suggest --help` says more"));
    }
    let path = path.unwrap_or(Path::new("-"));
    let name = path.display().to_string();
    let failed = |error: &dyn std::fmt::Display| Stop::unusable(format!("{name}: {error}"));
    let input: Box<dyn Read + Send> = if path == Path::new("-") {
        Box::new(io::stdin())
    } else {
        Box::new(files::open(
            path,
            "a log is a file, or - for standard input",
        )?)
    };
    let mut decoder =
        Decoder::new(input, SAMPLE as u64 * 2, false).map_err(|error| failed(&error))?;
    let mut bytes = Vec::new();
    let mut block = vec![0; 64 << 10];
    while bytes.len() < SAMPLE {
        match decoder.read(&mut block).map_err(|error| failed(&error))? {
            0 => break,
            n => bytes.extend_from_slice(block.get(..n).unwrap_or_default()),
        }
    }
    if bytes.len() >= SAMPLE
        && let Some(end) = bytes.iter().rposition(|b| *b == b'\n')
    {
        bytes.truncate(end);
    }
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes.as_slice() {
        let stop = failed(&"this is UTF-16 text, and a log is read as UTF-8");
        return Err(stop.hint("convert it first: iconv -f UTF-16 -t UTF-8"));
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    if text.trim_ascii().is_empty() {
        return Err(failed(&"empty: there is nothing to propose a mapping from"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Shows a mapping at work on the inputs. Complaints about lines go to standard error as
/// ever.
pub(super) fn explain(
    mut inputs: Inputs,
    args: &InputArgs,
    first: usize,
    terminal: &Terminal,
    write: impl FnOnce(&str) -> Result<(), Stop>,
) -> Result<Exit, Stop> {
    if !inputs.are_mapped() {
        return Err(Stop::unusable("there is no mapping to explain")
            .hint("give --map FILE, --preset NAME, or --field and --pattern"));
    }
    let names = inputs.names.clone();
    let mut notes = Vec::new();
    inputs.read_each_by(|how| {
        let (explaining, of_input) = Explaining::new(how, first);
        notes.push(of_input);
        Box::new(explaining)
    });
    let mut told = Told {
        notes: &notes,
        source: 0,
    };
    let reading = inputs.read(args, terminal, &mut told)?;
    let mut out = String::new();
    for (name, note) in names.iter().zip(&notes) {
        if names.len() > 1 {
            out.push_str(&format!("{}:\n", crate::escape::terminal(name)));
        }
        out.push_str(&locked(note).text());
    }
    write(&out)?;
    match reading.exit() {
        Some(exit) => Ok(exit),
        None if reading.counts.total.records == 0 => Err(reading.no_evidence_or(
            "compare what was looked for with what the lines hold; `lockdiag map suggest FILE` \
             proposes a mapping, and `lockdiag map show NAME` says what a preset reads",
        )),
        None => Ok(Exit::Done),
    }
}

fn locked(notes: &Mutex<Explanation>) -> MutexGuard<'_, Explanation> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tells the explanation of each input what became of its lines.
struct Told<'n> {
    notes: &'n [Arc<Mutex<Explanation>>],
    /// The input whose line was announced last.
    source: usize,
}

impl Told<'_> {
    fn tell(&self, source: usize, tell: impl FnOnce(&mut Explanation)) {
        if let Some(notes) = self.notes.get(source) {
            tell(&mut locked(notes));
        }
    }
}

impl Observer for Told<'_> {
    fn frame(&mut self, place: Place, bytes: &[u8]) {
        self.source = place.source as usize;
        self.tell(self.source, |notes| notes.frame(bytes));
    }

    fn other(&mut self) {
        self.tell(self.source, Explanation::other);
    }

    fn record(&mut self, place: Place, record: &Record<'_>) {
        self.tell(place.source as usize, |notes| notes.record(record));
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> bool {
        let source = rejected.place.source as usize;
        self.tell(source, |notes| notes.rejected(rejected));
        false
    }
}

fn print(text: &str) -> Result<Exit, Stop> {
    let mut stdout = io::stdout();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| Stop::writing("standard output", &error))?;
    Ok(Exit::Done)
}
