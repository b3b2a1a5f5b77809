//! The options of `simulate`: the run, its faults, who sees it, and what is written.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, ValueEnum};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::cli::number::whole;
use crate::evidence::Field;
use crate::model::{
    Bound, DeliveryFault, Faults, FieldSet, KeyFault, Numbering, Observer, Rates, ResourceFault,
    TokenFault, Watching, stories,
};

const EXIT_CODES: &str = "\
Exit codes:
  0  done; the story went as it tells, and with --check the verdicts agree with the truth
  1  the story did not go as it tells, or --check and the verdicts differ from the truth
  2  wrong usage, an output that can't be written";

/// Write evidence from a model of a lock, with its truth
///
/// Runs a small model of authority, resource, workers and observers, in which every
/// fault has a switch, and writes what the observers saw. The same command line gives
/// the same bytes; it is printed on standard error.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
#[command(group(ArgGroup::new("what").required(true).args(["story", "seed"])))]
pub(in crate::cli) struct SimulateArgs {
    /// Tell a story: a short scripted run of one kind of incident, or of one trap
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(story_names()))]
    pub(super) story: Option<String>,
    /// Run a random schedule
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0, u64::MAX), allow_hyphen_values = true)]
    pub(super) seed: Option<u64>,
    #[command(flatten)]
    pub(super) size: SizeArgs,
    #[command(flatten)]
    pub(super) faults: FaultArgs,
    #[command(flatten)]
    pub(super) watch: WatchArgs,
    #[command(flatten)]
    pub(super) output: OutputArgs,
}

/// How large a random run is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Random runs")]
pub(super) struct SizeArgs {
    /// End after this many events
    #[arg(
        long,
        value_name = "N",
        value_parser = whole::<u64>(0, u64::MAX),
        allow_hyphen_values = true,
        default_value_t = 1000,
        conflicts_with = "story"
    )]
    pub(super) events: u64,
    /// How many locks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1, 16_777_216), allow_hyphen_values = true, conflicts_with = "story")]
    pub(super) locks: u32,
    /// How many workers
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole::<u32>(1, 65_536), allow_hyphen_values = true, conflicts_with = "story")]
    pub(super) workers: u32,
    /// Steps of a thousand made by a worker that comes back with an old handle
    #[arg(long, value_name = "PERMILLE", default_value_t = Rates::default().old_handles, value_parser = whole::<u16>(0, 1000), allow_hyphen_values = true, conflicts_with = "story")]
    pub(super) old_handles: u16,
    /// Writes of a thousand that repeat an operation (see --delivery)
    #[arg(long, value_name = "PERMILLE", default_value_t = Rates::default().redelivered, value_parser = whole::<u16>(0, 1000), allow_hyphen_values = true, conflicts_with = "story")]
    pub(super) redelivered: u16,
    /// Requests of a thousand that are lost, or whose answer is
    #[arg(long, value_name = "PERMILLE", default_value_t = 0, value_parser = whole::<u16>(0, 1000), allow_hyphen_values = true, conflicts_with = "story")]
    pub(super) lost_answers: u16,
}

/// What is wrong.
#[derive(Debug, Args)]
#[command(next_help_heading = "Faults")]
pub(super) struct FaultArgs {
    /// How the resource treats the token of a write
    #[arg(long, value_name = "HOW", value_parser = choice(ResourceFault::ALL, ResourceFault::name))]
    pub(super) resource: Option<ResourceFault>,
    /// What a release compares
    #[arg(long, value_name = "HOW", value_parser = choice(Bound::ALL, Bound::name))]
    pub(super) release: Option<Bound>,
    /// What a renewal compares
    #[arg(long, value_name = "HOW", value_parser = choice(Bound::ALL, Bound::name))]
    pub(super) renewal: Option<Bound>,
    /// Which key of the resource a write falls on
    #[arg(long, value_name = "HOW", value_parser = choice(KeyFault::ALL, KeyFault::name))]
    pub(super) keys: Option<KeyFault>,
    /// Where the tokens come from
    #[arg(long, value_name = "HOW", value_parser = choice(TokenFault::ALL, TokenFault::name))]
    pub(super) tokens: Option<TokenFault>,
    /// How often an operation is delivered
    #[arg(long, value_name = "HOW", value_parser = choice(DeliveryFault::ALL, DeliveryFault::name))]
    pub(super) delivery: Option<DeliveryFault>,
    /// The resource keeps the operations it applied, and refuses to repeat one
    #[arg(long)]
    pub(super) ledger: bool,
}

/// Who sees it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Observers")]
pub(super) struct WatchArgs {
    /// Who writes the log; several each write their own lines
    #[arg(long, value_name = "WHO", value_delimiter = ',', value_parser = choice(Observer::ALL, Observer::name))]
    pub(super) observers: Vec<Observer>,
    /// Who numbers the lines
    #[arg(long, value_name = "WHO", value_parser = choice(Numbering::ALL, Numbering::name))]
    pub(super) numbering: Option<Numbering>,
    /// Evidence fields that nobody records
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = hideable())]
    pub(super) hide: Vec<Field>,
    /// Lines of a thousand in which each other field is missing
    #[arg(long, value_name = "PERMILLE", value_parser = whole::<u16>(0, 1000), allow_hyphen_values = true)]
    pub(super) patchy: Option<u16>,
    /// Lines of a thousand that are lost
    #[arg(long, value_name = "PERMILLE", value_parser = whole::<u16>(0, 1000), allow_hyphen_values = true)]
    pub(super) lose: Option<u16>,
    /// By how many lines a line may come late
    #[arg(long, value_name = "N", value_parser = whole::<u32>(0, u64::from(u32::MAX)), allow_hyphen_values = true)]
    pub(super) late: Option<u32>,
    /// Lines of a thousand that are delivered twice
    #[arg(long, value_name = "PERMILLE", value_parser = whole::<u16>(0, 1000), allow_hyphen_values = true)]
    pub(super) repeat: Option<u16>,
    /// Over how many files the lines are split; --output is then a directory
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, 256), allow_hyphen_values = true)]
    pub(super) files: Option<u32>,
}

/// What is written where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(super) struct OutputArgs {
    /// jsonl is the evidence; text and json tell a story
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Jsonl)]
    pub(super) format: Format,
    /// Write the evidence to FILE, and not to standard output; - is standard output
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// Write the true incidents, as JSON
    #[arg(long, value_name = "FILE")]
    pub(super) truth: Option<PathBuf>,
    /// Classify the evidence and hold the verdicts against the truth; end with 1 where
    /// they differ
    #[arg(long)]
    pub(super) check: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Jsonl,
    Text,
    Json,
}

fn choice<T>(all: &'static [T], name: fn(T) -> &'static str) -> impl TypedValueParser<Value = T>
where
    T: FromStr + Copy + Send + Sync + 'static,
    T::Err: std::error::Error + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.iter().map(move |one| name(*one))).try_map(|word| word.parse())
}

fn story_names() -> Vec<&'static str> {
    stories().iter().map(|story| story.name).collect()
}

/// Every field but the lock: a record without one is none. `activeLease` is another way
/// to write the three that have names of their own.
fn hideable() -> impl TypedValueParser<Value = Field> {
    let names = Field::ALL
        .into_iter()
        .filter(|field| !matches!(field, Field::LockName | Field::ActiveLease))
        .map(Field::name);
    PossibleValuesParser::new(names)
        .try_map(|word| Field::from_name(&word).ok_or("no field of that name"))
}

impl OutputArgs {
    /// The file, or directory, of the evidence; none is standard output.
    pub(super) fn file(&self) -> Option<&Path> {
        self.output
            .as_deref()
            .filter(|path| *path != Path::new("-"))
    }
}

impl FaultArgs {
    pub(super) fn over(&self, faults: Faults) -> Faults {
        Faults {
            resource: self.resource.unwrap_or(faults.resource),
            release: self.release.unwrap_or(faults.release),
            renewal: self.renewal.unwrap_or(faults.renewal),
            keys: self.keys.unwrap_or(faults.keys),
            tokens: self.tokens.unwrap_or(faults.tokens),
            delivery: self.delivery.unwrap_or(faults.delivery),
            ledger: self.ledger || faults.ledger,
        }
    }
}

impl WatchArgs {
    pub(super) fn over(&self, mut watching: Watching) -> Watching {
        if !self.observers.is_empty() {
            watching.observers.clone_from(&self.observers);
        }
        if !self.hide.is_empty() {
            watching.hide = FieldSet::of(&self.hide);
        }
        watching.numbering = self.numbering.unwrap_or(watching.numbering);
        watching.patchy = self.patchy.unwrap_or(watching.patchy);
        watching.lose = self.lose.unwrap_or(watching.lose);
        watching.late = self.late.unwrap_or(watching.late);
        watching.repeat = self.repeat.unwrap_or(watching.repeat);
        watching.files = self.files.unwrap_or(watching.files);
        watching
    }
}
