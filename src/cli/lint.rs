//! `lint`: is this evidence, what can it decide, and what is missing?

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::{Args, ValueEnum};

use super::args::{EXIT_CODES, InputArgs, Order, origin};
use super::evidence::{Inputs, Observer};
use super::exit::{Exit, Stop};
use super::files;
use super::number::whole;
use super::output::{OutputArgs, Outputs};
use super::size;
use super::terminal::Terminal;
use super::{map, mapping};
use crate::config::{Config, FILE_NAME, MappedBy};
use crate::evidence::{Origin, Place, Record};
use crate::ingest::mapping::Reading;
use crate::ingest::{Broken, Rejected, Sink};
use crate::lint::baseline::Baseline;
use crate::lint::render::{self, View};
use crate::lint::settings::{DEFAULT_LIMIT, DEFAULT_WINDOW, Date};
use crate::lint::{LintSink, Settings, Severity};

/// Say whether a pack is evidence, what it can decide, and what is missing
///
/// Reports what is wrong with the records, each with a code that `explain` tells more
/// about, and says for every lock and class whether the records could prove it, could only
/// suspect it, or would not show it, and which fields would change that.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub(super) struct LintArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    output: OutputArgs,
    /// Say of every lock what its records can decide (text)
    #[arg(long, help_heading = "Output")]
    details: bool,
    /// Instead of findings, show for the first lines which field the mapping took from
    /// where, what found nothing, and which lines fit no shape (text)
    #[arg(
        long,
        help_heading = "Mapping",
        conflicts_with_all = ["details", "limit", "baseline", "write_baseline", "fail_on"]
    )]
    explain_mapping: bool,
    /// Keep this many findings of each code; the rest is counted
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, u64::MAX), allow_hyphen_values = true, default_value_t = DEFAULT_LIMIT, help_heading = "Output")]
    limit: usize,
    /// Write no summary. What cannot be read is told all the same
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// What may order the records of a lock
    #[arg(long, value_name = "HOW", value_enum, default_value_t = Order::Auto, help_heading = "Order")]
    order: Order,
    /// Vouch for who gave `seq` in records that do not say so
    #[arg(long, value_name = "WHO", value_parser = origin(), help_heading = "Order")]
    seq_by: Option<Origin>,
    /// Memory for the leases, tokens, names and records that are remembered to be compared
    /// with later ones. What was not seen for longest is forgotten first, and the summary
    /// says so
    #[arg(long, value_name = "SIZE", value_parser = size::parse, allow_hyphen_values = true, default_value = "512MiB", help_heading = "Order")]
    memory: u64,
    /// Remember no more than this many of each, whatever --memory allows
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0, u64::MAX), allow_hyphen_values = true, default_value_t = DEFAULT_WINDOW, help_heading = "Order")]
    window: usize,
    /// Read this configuration; without it, the nearest lockdiag.toml in this directory or
    /// one above
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    config: Option<PathBuf>,
    /// Accept the findings that FILE counts, and report only what is new
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    baseline: Option<PathBuf>,
    /// Accept everything found now: write its counts to FILE, and end with 0
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    write_baseline: Option<PathBuf>,
    /// The day by which ignores expire; without it, the system's
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = today, help_heading = "Configuration")]
    today: Option<Date>,
    /// End with 1 where there is a new finding of this severity or a louder one
    #[arg(
        long,
        value_name = "SEVERITY",
        value_enum,
        default_value_t = FailOn::Error,
        help_heading = "Exit code"
    )]
    fail_on: FailOn,
}

/// Where to read about configurations.
const HOLDS: &str = "`lockdiag schema config` says what a configuration holds";

/// What makes the run end with 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Nothing
    Never,
    /// An error
    Error,
    /// A warning or an error
    Warning,
    /// A note, a warning or an error
    Note,
    /// Any finding, as note
    Any,
}

impl FailOn {
    fn fails(self, loudest: Option<Severity>) -> bool {
        let threshold = match self {
            FailOn::Never => return false,
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Note | FailOn::Any => Severity::Note,
        };
        loudest >= Some(threshold)
    }
}

fn today(text: &str) -> Result<Date, &'static str> {
    Date::parse(text).ok_or("a day is written as 2027-01-31")
}

pub(super) fn run(args: &LintArgs, terminal: &Terminal) -> Result<Exit, Stop> {
    let (mut settings, configured) = settings(args, terminal)?;
    let mut inputs = Inputs::find(&args.input, &["lint"], terminal)?;
    inputs.otherwise(configured);
    settings.mapped = inputs.are_mapped();
    if args.explain_mapping {
        let outputs = Outputs::new(&args.output, &inputs, terminal)?;
        outputs.only_text("--explain-mapping")?;
        return map::explain(inputs, &args.input, map::FIRST, terminal, |text| {
            outputs.finish_with(&mut |_, _, out| out.write_all(text.as_bytes()))
        });
    }
    if let Some(path) = &args.write_baseline {
        files::is_file("--write-baseline", path)?;
        inputs.guard(path)?;
    }
    let names = inputs.names.clone();
    let outputs = Outputs::new(&args.output, &inputs, terminal)?;
    if args.details {
        outputs.some_text("--details")?;
    }
    settings.inputs.clone_from(&names);
    settings.observers = inputs.observers();
    let mut run = Run {
        tells_of_evidence_inside: !settings.mapped,
        sink: LintSink::new(settings),
    };
    let reading = inputs.read(&args.input, terminal, &mut run)?;
    let mut report = run.sink.finish();
    // Every command counts them as the reader does.
    report.rejected = reading.counts.total.rejected + reading.counts.total.flawed;
    let view = View {
        report: &report,
        sources: &names,
        details: args.details,
    };
    outputs.finish_with(&mut |format, style, out| render::render(format, &view, style, out))?;
    if !args.quiet {
        // Where standard error is closed, nobody wants a summary.
        let _ = render::summary(&view, &terminal.stderr, &mut io::stderr().lock());
    }
    if let Some(exit) = reading.exit() {
        return Ok(exit);
    }
    if report.records == 0 {
        return Err(reading.no_evidence());
    }
    if let Some(path) = &args.write_baseline {
        fs::write(path, report.baseline().to_text())
            .map_err(|error| Stop::writing(&path.display().to_string(), &error))?;
        return Ok(Exit::Done);
    }
    Ok(if args.fail_on.fails(report.loudest) {
        Exit::Found
    } else {
        Exit::Done
    })
}

struct Run {
    sink: LintSink,
    /// Each line of it has a finding, where evidence is read under its own names.
    tells_of_evidence_inside: bool,
}

impl Observer for Run {
    fn frame(&mut self, place: Place, bytes: &[u8]) {
        self.sink.frame(place, bytes);
    }

    fn other(&mut self) {
        self.sink.other();
    }

    fn tells_of_evidence_inside(&self) -> bool {
        self.tells_of_evidence_inside
    }

    // The sink never asks to stop.
    fn record(&mut self, place: Place, record: &Record<'_>) {
        let _ = self.sink.record(place, record);
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> bool {
        let _ = self.sink.rejected(rejected);
        true
    }

    fn broken(&mut self, broken: &Broken<'_>) {
        let _ = self.sink.broken(broken);
    }
}

/// What the command line and the configuration decide, and how the latter has evidence
/// read.
fn settings(args: &LintArgs, terminal: &Terminal) -> Result<(Settings, Reading), Stop> {
    let mut settings = Settings {
        limit: args.limit,
        window: args.window,
        memory: args.memory,
        seq_by: args.seq_by,
        order: args.order.into(),
        today: args.today.or_else(clock),
        ..Settings::default()
    };
    let config = match &args.config {
        Some(path) => Some(path.clone()),
        None => nearest_config(),
    };
    let how = match config {
        Some(path) => configure(&path, &mut settings, terminal)?,
        None => Reading::Native,
    };
    if let Some(path) = &args.baseline {
        let name = path.display().to_string();
        let text = files::read(path, "`--write-baseline FILE` makes one")?;
        let baseline =
            Baseline::parse(&text).map_err(|error| Stop::unusable(format!("{name}: {error}")))?;
        settings.baseline = Some(baseline);
        settings.baseline_path = name;
    }
    Ok((settings, how))
}

/// The day by the system's clock, in UTC. It decides about ignores and nothing else.
fn clock() -> Option<Date> {
    let since = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .ok()?;
    Some(Date::from_days(since.as_secs() / 86_400))
}

fn nearest_config() -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    let found = here.ancestors().find(|dir| dir.join(FILE_NAME).is_file())?;
    // Named from here, so that messages are the same on every machine.
    let up = here.strip_prefix(found).ok()?.components().count();
    Some(PathBuf::from("../".repeat(up)).join(FILE_NAME))
}

fn configure(path: &Path, settings: &mut Settings, terminal: &Terminal) -> Result<Reading, Stop> {
    let name = path.display().to_string();
    let text = files::read(path, HOLDS)?;
    let by = Config::parse(&text)
        .and_then(|config| {
            config.lint(&name, &text, settings)?;
            config.input(&text)
        })
        .map_err(|error| {
            let message = format!("{name}:{}:{}: {error}", error.line, error.column);
            let otherwise = || HOLDS.to_owned();
            Stop::unusable(message).hint(error.hint.unwrap_or_else(otherwise))
        })?;
    match by {
        None => Ok(Reading::Native),
        Some(MappedBy::Preset(preset)) => Ok(Reading::Preset(preset)),
        Some(MappedBy::File(file)) => {
            let beside = path.parent().unwrap_or(Path::new(""));
            mapping::read(&beside.join(file), terminal)
        }
    }
}
