//! `simulate`: evidence from the model, with its truth.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Args, ValueEnum};

use super::exit::{Exit, Stop};
use crate::diagnosis::Options;
use crate::evidence::Field;
use crate::model::{
    Agreement, Bound, DeliveryFault, Faults, FieldSet, Found, KeyFault, Names, Numbering, Observer,
    Rates, ResourceFault, Run, Schedule, Setup, Sighting, Story, TokenFault, Truth, Watching,
    agreement, classify, labels, source_name, stories, story,
};

/// How many bytes of evidence are gathered before they are written.
const BUFFER: usize = 1 << 20;

/// Write evidence from a model of a lock, with its truth
///
/// Runs a small model of authority, resource, workers and observers, in which every
/// fault has a switch, and writes what the observers saw. The same command line gives
/// the same bytes; it is printed on standard error.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("what").required(true).args(["story", "seed"])))]
pub(super) struct SimulateArgs {
    /// Tell a story: a short scripted run of one kind of incident, or of one trap
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(story_names()))]
    story: Option<String>,
    /// Run a random schedule
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    #[command(flatten)]
    size: SizeArgs,
    #[command(flatten)]
    faults: FaultArgs,
    #[command(flatten)]
    watch: WatchArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// How large a random run is.
#[derive(Debug, Args)]
#[command(next_help_heading = "Random runs")]
struct SizeArgs {
    /// End after this many events
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        conflicts_with = "story"
    )]
    events: u64,
    /// How many locks
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16_777_216), conflicts_with = "story")]
    locks: u32,
    /// How many workers
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=65_536), conflicts_with = "story")]
    workers: u32,
    /// Steps of a thousand made by a worker that comes back with an old handle
    #[arg(long, value_name = "PERMILLE", default_value_t = Rates::default().old_handles, value_parser = permille(), conflicts_with = "story")]
    old_handles: u16,
    /// Writes of a thousand that repeat an operation (see --delivery)
    #[arg(long, value_name = "PERMILLE", default_value_t = Rates::default().redelivered, value_parser = permille(), conflicts_with = "story")]
    redelivered: u16,
    /// Requests of a thousand that are lost, or whose answer is
    #[arg(long, value_name = "PERMILLE", default_value_t = 0, value_parser = permille(), conflicts_with = "story")]
    lost_answers: u16,
}

/// What is wrong.
#[derive(Debug, Args)]
#[command(next_help_heading = "Faults")]
struct FaultArgs {
    /// How the resource treats the token of a write
    #[arg(long, value_name = "HOW", value_parser = choice(ResourceFault::ALL, ResourceFault::name))]
    resource: Option<ResourceFault>,
    /// What a release compares
    #[arg(long, value_name = "HOW", value_parser = choice(Bound::ALL, Bound::name))]
    release: Option<Bound>,
    /// What a renewal compares
    #[arg(long, value_name = "HOW", value_parser = choice(Bound::ALL, Bound::name))]
    renewal: Option<Bound>,
    /// Which key of the resource a write falls on
    #[arg(long, value_name = "HOW", value_parser = choice(KeyFault::ALL, KeyFault::name))]
    keys: Option<KeyFault>,
    /// Where the tokens come from
    #[arg(long, value_name = "HOW", value_parser = choice(TokenFault::ALL, TokenFault::name))]
    tokens: Option<TokenFault>,
    /// How often an operation is delivered
    #[arg(long, value_name = "HOW", value_parser = choice(DeliveryFault::ALL, DeliveryFault::name))]
    delivery: Option<DeliveryFault>,
    /// The resource keeps the operations it applied, and refuses to repeat one
    #[arg(long)]
    ledger: bool,
}

/// Who sees it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Observers")]
struct WatchArgs {
    /// Who writes the log; several each write their own lines
    #[arg(long, value_name = "WHO", value_delimiter = ',', value_parser = choice(Observer::ALL, Observer::name))]
    observers: Vec<Observer>,
    /// Who numbers the lines
    #[arg(long, value_name = "WHO", value_parser = choice(Numbering::ALL, Numbering::name))]
    numbering: Option<Numbering>,
    /// Evidence fields that nobody records
    #[arg(long, value_name = "FIELD", value_delimiter = ',', value_parser = hideable())]
    hide: Vec<Field>,
    /// Lines of a thousand in which each other field is missing
    #[arg(long, value_name = "PERMILLE", value_parser = permille())]
    patchy: Option<u16>,
    /// Lines of a thousand that are lost
    #[arg(long, value_name = "PERMILLE", value_parser = permille())]
    lose: Option<u16>,
    /// By how many lines a line may come late
    #[arg(long, value_name = "N")]
    late: Option<u32>,
    /// Lines of a thousand that are delivered twice
    #[arg(long, value_name = "PERMILLE", value_parser = permille())]
    repeat: Option<u16>,
    /// Over how many files the lines are split; --output is then a directory
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    files: Option<u32>,
}

/// What is written where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct OutputArgs {
    /// jsonl is the evidence; text and json tell a story
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Format::Jsonl)]
    format: Format,
    /// Write the evidence to FILE, and not to standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write the true incidents, as JSON
    #[arg(long, value_name = "FILE")]
    truth: Option<PathBuf>,
    /// Classify the evidence and hold the verdicts against the truth; end with 1 where
    /// they differ
    #[arg(long)]
    check: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
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

fn permille() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(0..=1000)
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

impl FaultArgs {
    fn over(&self, faults: Faults) -> Faults {
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
    fn over(&self, mut watching: Watching) -> Watching {
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

impl SimulateArgs {
    /// The command line that gives the same evidence, with every default written out.
    fn command(&self, faults: &Faults, watching: &Watching) -> String {
        let mut line = "lockdiag simulate".to_owned();
        let mut say = |words: std::fmt::Arguments<'_>| {
            let _ = line.write_fmt(words);
        };
        match (&self.story, self.seed) {
            (Some(story), _) => say(format_args!(" --story {story}")),
            (None, seed) => {
                let size = &self.size;
                say(format_args!(
                    " --seed {} --events {} --locks {} --workers {} --old-handles {} --redelivered {} --lost-answers {}",
                    seed.unwrap_or_default(),
                    size.events,
                    size.locks,
                    size.workers,
                    size.old_handles,
                    size.redelivered,
                    size.lost_answers
                ));
            }
        }
        say(format_args!(
            " --resource {} --release {} --renewal {} --keys {} --tokens {} --delivery {}",
            faults.resource,
            faults.release,
            faults.renewal,
            faults.keys,
            faults.tokens,
            faults.delivery
        ));
        if faults.ledger {
            say(format_args!(" --ledger"));
        }
        let observers: Vec<&str> = watching.observers.iter().map(|one| one.name()).collect();
        say(format_args!(
            " --observers {} --numbering {}",
            observers.join(","),
            watching.numbering
        ));
        let hidden: Vec<Field> = watching.hide.into();
        if !hidden.is_empty() {
            let hidden: Vec<&str> = hidden.iter().map(|field| field.name()).collect();
            say(format_args!(" --hide {}", hidden.join(",")));
        }
        for (name, value) in [
            ("patchy", u32::from(watching.patchy)),
            ("lose", u32::from(watching.lose)),
            ("late", watching.late),
            ("repeat", u32::from(watching.repeat)),
        ] {
            if value > 0 {
                say(format_args!(" --{name} {value}"));
            }
        }
        if watching.files > 1 {
            say(format_args!(" --files {}", watching.files));
        }
        line
    }
}

pub(super) fn run(args: &SimulateArgs) -> Result<Exit, Stop> {
    match args.story.as_deref().and_then(Story::named) {
        Some(story) => tell(args, story),
        None => random(args),
    }
}

fn tell(args: &SimulateArgs, mut story: Story) -> Result<Exit, Stop> {
    let faults = args.faults.over(story.faults);
    story.watching = args.watch.over(story.watching);
    let command = args.command(&faults, &story.watching);
    let told = story.tell_with(faults);
    let names = story.names();
    let evidence = args.output.output.is_some() || args.output.format == Format::Jsonl;
    if evidence {
        let mut out = Evidence::open(&args.output, story.watching.files, names.clone())?;
        told.run.lines.iter().try_for_each(|line| out.take(line))?;
        out.finish()?;
    }
    let text = story::text(&story, &told);
    match args.output.format {
        Format::Jsonl => complain(&text),
        Format::Text => print(&text)?,
        Format::Json => print(&story::json(&story, &told))?,
    }
    complain(&format!("{command}\n"));
    let agrees = label_and_check(
        args,
        &told.run.truth,
        &told.run.lines,
        story.watching.files,
        &names,
        &command,
    )?;
    Ok(if told.held() && agrees {
        Exit::Done
    } else {
        Exit::Found
    })
}

fn random(args: &SimulateArgs) -> Result<Exit, Stop> {
    if args.output.format != Format::Jsonl {
        return Err(Stop::unusable("a random run has no text and no json form")
            .hint("--format jsonl writes its evidence, --truth its incidents"));
    }
    let seed = args.seed.unwrap_or_default();
    let size = &args.size;
    let setup = Setup {
        locks: size.locks,
        workers: size.workers,
        faults: args.faults.over(Faults::default()),
        ..Setup::default()
    };
    let rates = Rates {
        old_handles: size.old_handles,
        redelivered: size.redelivered,
        lost: size.lost_answers,
    };
    let watching = args.watch.over(Watching::default());
    let command = args.command(&setup.faults, &watching);
    let names = Names::numbered();
    let mut out = Evidence::open(&args.output, watching.files, names.clone())?;
    let keep = args.output.check || args.output.truth.is_some();
    let files = watching.files;
    let mut run = Run::new(setup, watching, seed, keep);
    let mut schedule = Schedule::new(seed, rates);
    let mut kept = Vec::new();
    while run.world().happened() < size.events {
        let action = schedule.next(run.world());
        for line in run.step(action) {
            out.take(line)?;
            if args.output.check {
                kept.push(*line);
            }
        }
    }
    let (last, truth) = run.finish();
    last.iter().try_for_each(|line| out.take(line))?;
    kept.extend(last);
    out.finish()?;
    complain(&format!("{command}\n"));
    let truth = truth.unwrap_or_else(|| Truth::new(setup.faults));
    let agrees = label_and_check(args, &truth, &kept, files, &names, &command)?;
    Ok(if agrees { Exit::Done } else { Exit::Found })
}

/// Writes the truth and holds the verdicts against it, where either is asked for.
fn label_and_check(
    args: &SimulateArgs,
    truth: &Truth,
    lines: &[Sighting],
    files: u32,
    names: &Names,
    command: &str,
) -> Result<bool, Stop> {
    if let Some(path) = &args.output.truth {
        let text = labels::json(truth, names, command, |file| {
            source(args.output.output.as_deref(), files, file)
        });
        std::fs::write(path, text)
            .map_err(|error| Stop::writing(&path.display().to_string(), &error))?;
    }
    if !args.output.check {
        return Ok(true);
    }
    let verdicts = classify(lines, names, Options::default());
    let agreement = agreement(truth, &verdicts, names);
    complain(&report(&agreement, names));
    Ok(agreement.holds())
}

/// What came of the comparison, in a few lines.
fn report(agreement: &Agreement, names: &Names) -> String {
    let count = |wanted| {
        agreement
            .found
            .iter()
            .filter(|(_, found)| *found == wanted)
            .count()
    };
    let mut text = format!(
        "{} true incidents: {} proven, {} suspected, {} undecided, {} missed; {} falsely proven\n",
        agreement.found.len(),
        count(Found::Proven),
        count(Found::Suspected),
        count(Found::Undecided),
        count(Found::Missed),
        agreement.false_proofs.len()
    );
    for incident in &agreement.false_proofs {
        let _ = writeln!(
            text,
            "falsely proven: {} ({}) at {}",
            incident.class(),
            incident.variant,
            incident.lock_name
        );
    }
    for incident in &agreement.excused {
        let assumed: Vec<&str> = incident
            .assumes
            .iter()
            .map(|assumption| assumption.name())
            .collect();
        let _ = writeln!(
            text,
            "not true, as it warned: {} ({}) at {} assumes {}",
            incident.class(),
            incident.variant,
            incident.lock_name,
            assumed.join(", ")
        );
    }
    for gap in agreement.gaps() {
        let lock = names.text(|n, out| n.lock(out, gap.lock));
        let _ = writeln!(
            text,
            "shown and not proven: {} at {lock}: {}",
            gap.class,
            gap.kind.says()
        );
    }
    text.push_str(if agreement.holds() {
        "the verdicts agree with the truth\n"
    } else {
        "the verdicts differ from the truth\n"
    });
    text
}

/// What a file of the evidence is called.
fn source(output: Option<&Path>, files: u32, file: u32) -> String {
    match output {
        None => "-".to_owned(),
        Some(path) if files == 1 => path.display().to_string(),
        Some(path) => path.join(source_name(file)).display().to_string(),
    }
}

/// The files of the evidence.
struct Evidence {
    names: Names,
    outputs: Vec<(String, Box<dyn Write>, Vec<u8>)>,
}

impl Evidence {
    fn open(args: &OutputArgs, files: u32, names: Names) -> Result<Evidence, Stop> {
        let mut outputs: Vec<(String, Box<dyn Write>, Vec<u8>)> = Vec::new();
        match &args.output {
            None if files > 1 => {
                return Err(Stop::unusable("several files can't go to standard output")
                    .hint("name a directory with --output"));
            }
            None => outputs.push((
                "standard output".to_owned(),
                Box::new(io::stdout()),
                Vec::new(),
            )),
            Some(path) => {
                let failed = |error: &io::Error| Stop::writing(&path.display().to_string(), error);
                if files > 1 {
                    std::fs::create_dir_all(path).map_err(|error| failed(&error))?;
                }
                for file in 0..files {
                    let name = source(Some(path), files, file);
                    let open = File::create(&name).map_err(|error| Stop::writing(&name, &error))?;
                    outputs.push((name, Box::new(open), Vec::new()));
                }
            }
        }
        Ok(Evidence { names, outputs })
    }

    fn take(&mut self, line: &Sighting) -> Result<(), Stop> {
        let Some(output) = self.outputs.get_mut(line.file as usize) else {
            return Ok(());
        };
        line.write(&mut output.2, &self.names);
        if output.2.len() >= BUFFER {
            flush(output)?;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Stop> {
        self.outputs.iter_mut().try_for_each(flush)
    }
}

fn flush((name, out, buffer): &mut (String, Box<dyn Write>, Vec<u8>)) -> Result<(), Stop> {
    out.write_all(buffer)
        .and_then(|()| out.flush())
        .map_err(|error| Stop::writing(name, &error))?;
    buffer.clear();
    Ok(())
}

fn print(text: &str) -> Result<(), Stop> {
    let mut stdout = io::stdout().lock();
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(|error| Stop::writing("standard output", &error))
}

/// Tells what is beside the result. Where standard error is closed, nobody listens.
fn complain(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
