//! The arguments that more than one command takes.

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};

use super::mapping::MappingArgs;
use super::number::whole;
use super::observers::ObserverArgs;
use super::{classify, completions, explain, lint, man, map, report, schema, simulate, size};
use crate::diagnosis::{Options, OrderBy};
use crate::evidence::Origin;
use crate::ingest::read::MOST_THREADS;

/// Reads the evidence of a distributed-lock incident and says what it shows, on which
/// records that rests, and what may not be concluded from it.
#[derive(Debug, Parser)]
#[command(name = "lockdiag", version, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub struct Cli {
    #[command(flatten)]
    pub(super) global: Global,
    #[command(subcommand)]
    pub(super) command: Command,
}

pub(super) const EXIT_CODES: &str = "\
Exit codes:
  0  done, nothing at or above --fail-on
  1  something at or above --fail-on
  2  wrong usage, unreadable input, an output that can't be written
  3  --strict and a rejected line, or not one evidence record in the input";

/// Those of a command that looks for nothing.
pub(super) const EXIT_CODES_OF_READING: &str = "\
Exit codes:
  0  done
  2  wrong usage, unreadable input, an output that can't be written
  3  --strict and a rejected line, or not one evidence record in the input";

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    Classify(classify::ClassifyArgs),
    Report(report::ReportArgs),
    Lint(lint::LintArgs),
    Explain(explain::ExplainArgs),
    Schema(schema::SchemaArgs),
    Map(map::MapArgs),
    Simulate(simulate::SimulateArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// What every command understands.
#[derive(Debug, Default, Args)]
pub(super) struct Global {
    /// When to colour
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = Color::Auto)]
    pub(super) color: Color,
    /// Language of what people read; the locale decides where it is not given
    #[arg(long, global = true, value_name = "LANG", value_enum)]
    pub(super) lang: Option<Lang>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Color {
    /// On a terminal, unless NO_COLOR is set; anywhere, where CLICOLOR_FORCE is set and not 0
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Lang {
    /// English
    En,
    /// Russian
    Ru,
}

/// Where the evidence comes from, and how it is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(super) struct InputArgs {
    /// Files, directories (searched for .jsonl, .ndjson, .json, .log, also .gz and .zst),
    /// or - for standard input; NAME=INPUT names the observer that wrote it
    #[arg(value_name = "INPUT", help_heading = None::<&'static str>)]
    pub(super) inputs: Vec<PathBuf>,
    /// Write each line that has something wrong to FILE, byte for byte
    #[arg(long, value_name = "FILE")]
    pub(super) rejects: Option<PathBuf>,
    /// Stop at the first line that has something wrong, with exit code 3
    #[arg(long)]
    pub(super) strict: bool,
    /// The longest line, or JSON value, that is read
    #[arg(long, value_name = "SIZE", value_parser = size::parse, allow_hyphen_values = true, default_value = "16MiB")]
    pub(super) max_line: u64,
    /// How much may come out of one compressed input
    #[arg(long, value_name = "SIZE", value_parser = size::parse, allow_hyphen_values = true, default_value = "64GiB")]
    pub(super) max_decompressed: u64,
    /// Threads that read the lines; all processors where it is not given. The result is
    /// the same for any number
    #[arg(long, value_name = "N", value_parser = threads, allow_hyphen_values = true)]
    pub(super) threads: Option<NonZero<usize>>,
    #[command(flatten)]
    pub(super) mapping: MappingArgs,
    #[command(flatten)]
    pub(super) observers: ObserverArgs,
}

/// What orders the records.
#[derive(Debug, Args)]
#[command(next_help_heading = "Order")]
pub(super) struct OrderArgs {
    /// What may order the records of a lock
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Order::Auto)]
    pub(super) order: Order,
    /// Vouch for who gave `seq` in records that do not say so
    #[arg(long, value_name = "WHO", value_parser = origin())]
    pub(super) seq_by: Option<Origin>,
    /// Memory for records that wait to be judged; past it the earliest are judged and
    /// forgotten, and the summary says which verdicts that may have cost
    #[arg(long, value_name = "SIZE", value_parser = size::parse, allow_hyphen_values = true, default_value = "512MiB")]
    pub(super) memory: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Order {
    /// `seq` where every record of a lock has one, lines where none has
    Auto,
    /// Only `seq`
    Seq,
    /// Only the lines of one input
    Input,
    /// Nothing: verdicts that need an order are withheld
    None,
}

impl Global {
    /// What these arguments say, where they can't be read as a whole: the last that is
    /// right counts.
    pub(super) fn among(arguments: &[OsString]) -> Global {
        let mut global = Global::default();
        let mut words = arguments
            .iter()
            .map(|word| word.to_str().unwrap_or(""))
            .peekable();
        while let Some(word) = words.next() {
            let value = match word.split_once('=') {
                _ if word == "--" => break,
                Some(("--color", value)) => value,
                None if word == "--color" => words.peek().copied().unwrap_or(""),
                _ => continue,
            };
            global.color = Color::from_str(value, false).unwrap_or(global.color);
        }
        global
    }
}

impl InputArgs {
    /// How many threads to use.
    pub(super) fn threads(&self) -> usize {
        let given = self.threads.map(NonZero::get);
        let all = || std::thread::available_parallelism().map_or(1, NonZero::get);
        given.unwrap_or_else(all).min(MOST_THREADS)
    }
}

impl From<Order> for OrderBy {
    fn from(order: Order) -> OrderBy {
        match order {
            Order::Auto => OrderBy::Auto,
            Order::Seq => OrderBy::Seq,
            Order::Input => OrderBy::Input,
            Order::None => OrderBy::None,
        }
    }
}

impl OrderArgs {
    /// How a run judges that has this order and nothing else of its own.
    pub(super) fn options(&self) -> Options {
        Options {
            order: self.order.into(),
            seq_by: self.seq_by,
            memory: Some(usize::try_from(self.memory).unwrap_or(usize::MAX)),
            ..Options::default()
        }
    }
}

fn threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = whole::<usize>(1, u64::MAX)(text)?;
    NonZero::new(number).ok_or_else(|| "it is a whole number, 1 or more".to_owned())
}

pub(super) fn origin() -> impl TypedValueParser<Value = Origin> {
    named(Origin::ALL.map(Origin::word), Origin::from_word)
}

/// A value out of a list of names: help shows them, a wrong one suggests the nearest.
pub(super) fn named<T: Clone + Send + Sync + 'static, const N: usize>(
    names: [&'static str; N],
    from_name: fn(&str) -> Option<T>,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(names)
        .try_map(move |name| from_name(&name).ok_or("no value of that name"))
}

#[cfg(test)]
mod tests {
    use super::{Cli, Color, Command, Global};
    use crate::diagnosis::{DEFAULT_MEMORY, OrderBy};
    use crate::ingest::ReadOptions;
    use clap::Parser;
    use std::ffi::OsString;

    #[test]
    fn what_help_calls_the_default_is_the_default() {
        let cli = Cli::try_parse_from(["lockdiag", "classify"]).unwrap();
        let Command::Classify(args) = cli.command else {
            panic!("not classify");
        };
        let order = args.order.options();
        assert_eq!(order.memory, Some(DEFAULT_MEMORY));
        assert_eq!(order.order, OrderBy::Auto);
        let read = ReadOptions::default();
        assert_eq!(args.input.max_line, read.max_line as u64);
        assert_eq!(args.input.max_decompressed, read.max_decompressed);
    }

    #[test]
    fn colours_are_found_among_arguments_that_are_wrong() {
        for (arguments, color) in [
            (&["classify", "--folow"][..], Color::Auto),
            (&["--color", "never", "--folow"], Color::Never),
            (&["classify", "--color=always", "--folow"], Color::Always),
            (&["--color=always", "--color", "never"], Color::Never),
            (&["--color=always", "--color", "sometimes"], Color::Always),
            (&["classify", "--color"], Color::Auto),
            (&["classify", "--", "--color=never"], Color::Auto),
        ] {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            assert_eq!(Global::among(&arguments).color, color, "{arguments:?}");
        }
    }
}
