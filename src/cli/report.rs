//! `report`: the page that goes into the postmortem.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::{EXIT_CODES, InputArgs, OrderArgs, named};
use super::evidence::{Inputs, Observer};
use super::exit::{Exit, Stop};
use super::files;
use super::filter::FailOn;
use super::heap;
use super::size;
use super::terminal::Terminal;
use crate::diagnosis::{Diagnosis, Options};
use crate::escape;
use crate::evidence::{Place, Record};
use crate::incident::catalogue::Language;
use crate::lint::{self, Gaps, Settings};
use crate::report::moment::Moment;
use crate::report::template;
use crate::report::{self, Keeper, Limits, Origins};

/// Write the report of an incident for its postmortem
///
/// What the records show and what they do not, on which of them each verdict rests, the
/// order of events of each lock as a picture and as a table, what to check and what to do,
/// and where all of it comes from. The parts that no log knows are left blank for people.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub(super) struct ReportArgs {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    output: ReportOutput,
    #[command(flatten)]
    order: OrderArgs,
    /// End with 1 where there is such an incident
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        default_value_t = FailOn::Never,
        help_heading = "Exit code"
    )]
    fail_on: FailOn,
}

/// What a report is written as, and where to.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
struct ReportOutput {
    /// The format of standard output [default: markdown], and of each FILE whose ending names
    /// none
    #[arg(long, value_name = "FORMAT", value_parser = named(Format::ALL.map(Format::name), Format::from_name))]
    format: Option<Format>,
    /// Write to FILE instead; may be repeated. The format follows the ending (.md .html
    /// .json .mmd) or is given as FORMAT=FILE; another ending needs --format. - is standard
    /// output
    #[arg(short, long, value_name = "[FORMAT=]FILE")]
    output: Vec<PathBuf>,
    /// Replace owners, leases and addresses by placeholders, the same one for the same
    /// name in every format, and directories in the names of inputs
    #[arg(long)]
    redact: bool,
    /// Fill this template (Jinja) instead of the built-in page, for Markdown and HTML
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// When the report was made, as it shall say: RFC 3339, or seconds since 1970; without
    /// it SOURCE_DATE_EPOCH, and without that no time is told
    #[arg(long, value_name = "TIME", value_parser = moment)]
    now: Option<Moment>,
    /// A page larger than this tells less of everything, and how much it leaves out
    #[arg(long, value_name = "SIZE", value_parser = size::parse, allow_hyphen_values = true, default_value = "5MiB")]
    max_size: u64,
}

/// The formats of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Markdown,
    Html,
    Json,
    Mermaid,
}

impl Format {
    const ALL: [Format; 4] = [
        Format::Markdown,
        Format::Html,
        Format::Json,
        Format::Mermaid,
    ];

    const fn name(self) -> &'static str {
        match self {
            Format::Markdown => "markdown",
            Format::Html => "html",
            Format::Json => "json",
            Format::Mermaid => "mermaid",
        }
    }

    fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|one| one.name() == name)
    }

    fn from_path(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "md" | "markdown" => Format::Markdown,
            "html" | "htm" => Format::Html,
            "json" => Format::Json,
            "mmd" | "mermaid" => Format::Mermaid,
            _ => return None,
        })
    }
}

fn moment(text: &str) -> Result<Moment, &'static str> {
    Moment::parse(text).ok_or("a time is written as 2027-01-31T12:00:00Z, or in seconds since 1970")
}

/// One place and its format; no path is standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Target {
    format: Format,
    path: Option<PathBuf>,
}

impl Target {
    fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "standard output".to_owned(),
        }
    }

    fn write(&self, text: &str) -> Result<(), Stop> {
        match &self.path {
            Some(path) => fs::write(path, text).map_err(|error| {
                Stop::unusable(format!("{}: cannot be written: {error}", self.name()))
            }),
            None => {
                let mut out = io::stdout();
                out.write_all(text.as_bytes())
                    .and_then(|()| out.flush())
                    .map_err(|error| Stop::writing(&self.name(), &error))
            }
        }
    }
}

impl ReportOutput {
    fn targets(&self, inputs: &Inputs, rejects: Option<&Path>) -> Result<Vec<Target>, Stop> {
        let mut targets: Vec<Target> = Vec::new();
        if self.output.is_empty() {
            targets.push(Target {
                format: self.format.unwrap_or(Format::Markdown),
                path: None,
            });
        }
        for word in &self.output {
            let target = self.target(word)?;
            let twice = targets.iter().any(|other| other.path == target.path)
                || (target.path.is_some() && target.path.as_deref() == rejects);
            if twice {
                let name = target.name();
                return Err(Stop::unusable(format!(
                    "{name}: is named twice as an output"
                )));
            }
            if let Some(path) = &target.path {
                inputs.guard(path)?;
                if path.is_dir() {
                    return Err(Stop::unusable(format!("{}: is a directory", target.name())));
                }
            }
            targets.push(target);
        }
        // Files first: a reader that leaves standard output takes nothing from them.
        targets.sort_by_key(|target| target.path.is_none());
        Ok(targets)
    }

    fn target(&self, word: &Path) -> Result<Target, Stop> {
        let prefixed = word.to_str().and_then(|text| {
            let (name, path) = text.split_once('=')?;
            Some((Format::from_name(name)?, Path::new(path)))
        });
        let (given, path) = match prefixed {
            Some((format, path)) => (Some(format), path),
            None => (None, word),
        };
        if path == Path::new("-") {
            return Ok(Target {
                format: given.or(self.format).unwrap_or(Format::Markdown),
                path: None,
            });
        }
        let format = given.or_else(|| Format::from_path(path)).or(self.format);
        let Some(format) = format else {
            return Err(
                Stop::unusable(format!("{}: the ending names no format", word.display()))
                    .hint("give --format, or write it as FORMAT=FILE, as in markdown=report.txt"),
            );
        };
        Ok(Target {
            format,
            path: Some(path.to_owned()),
        })
    }

    /// When the report was made, by whoever asked for it.
    fn generated(&self) -> Result<Option<String>, Stop> {
        if let Some(now) = &self.now {
            return Ok(Some(now.to_string()));
        }
        let Ok(epoch) = env::var("SOURCE_DATE_EPOCH") else {
            return Ok(None);
        };
        let moment = epoch.parse().ok().and_then(Moment::from_seconds);
        match moment {
            Some(moment) => Ok(Some(moment.to_string())),
            None => Err(Stop::unusable(format!(
                "SOURCE_DATE_EPOCH: `{epoch}` is no number of seconds since 1970"
            ))),
        }
    }

    /// The template: its name and its text. Refused where nothing would be made of it.
    fn template(&self, targets: &[Target]) -> Result<Option<(String, String)>, Stop> {
        let Some(path) = &self.template else {
            return Ok(None);
        };
        let formats: Vec<Format> = targets.iter().map(|target| target.format).collect();
        let fills = |one: &Format| matches!(one, Format::Markdown | Format::Html);
        if let Some(format) = formats.first()
            && !formats.iter().any(fills)
        {
            return Err(Stop::unusable(format!(
                "`--template` fills Markdown and HTML, and the report is written as {}",
                format.name()
            ))
            .hint("leave it out, or give --format markdown or html"));
        }
        let name = path.display().to_string();
        let text = files::read(path, "a template is a text file in the language of Jinja")?;
        Ok(Some((name, text)))
    }
}

pub(super) fn run(args: &ReportArgs, terminal: &Terminal) -> Result<Exit, Stop> {
    let mut inputs = Inputs::find(&args.input, &["report"], terminal)?;
    inputs.digest = true;
    let targets = args
        .output
        .targets(&inputs, args.input.rejects.as_deref())?;
    let template = args.output.template(&targets)?;
    heap::keep_given_back(args.order.memory());
    let options = Options {
        threads: args.input.threads(),
        ..args.order.options(false, inputs.observers())
    };
    let origins = Origins {
        command: command(),
        generated: args.output.generated()?,
        order: options.order,
        vouched_by: options.seq_by,
    };
    let names = inputs.names.clone();
    let settings = Settings {
        order: options.order,
        seq_by: options.seq_by,
        memory: args.order.memory(),
        observers: inputs.observers(),
        ..Settings::default()
    };
    let mut run = Run {
        diagnosis: Diagnosis::new(options),
        keeper: Keeper::default(),
        gaps: Gaps::new(&settings),
        frame: Vec::new(),
    };
    let reading = inputs.read(&args.input, terminal, &mut run)?;
    let classification = run.diagnosis.finish(&names);
    if classification.summary.records == 0 {
        return match reading.exit() {
            Some(exit) => Ok(exit),
            None => Err(reading.no_evidence()),
        };
    }
    let gaps = lint::Report {
        locks: run.gaps.finish(),
        ..lint::Report::default()
    };
    let mut writer = Writer {
        run: report::Run {
            classification: &classification,
            gaps: &gaps,
            read: &reading.counts,
            inputs: &names,
            origins: &origins,
        },
        keeper: run.keeper,
        output: &args.output,
        template,
        language: terminal.file.language,
    };
    for target in &targets {
        let text = writer.render(target.format)?;
        target.write(&text)?;
    }
    Ok(match reading.exit() {
        Some(exit) => exit,
        None if classification
            .incidents
            .iter()
            .any(|one| args.fail_on.fails(one)) =>
        {
            Exit::Found
        }
        None => Exit::Done,
    })
}

/// The words of this run. The tool itself is named without its directory: where it lies
/// says nothing of the evidence.
fn command() -> Vec<String> {
    let words = env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    std::iter::once("lockdiag".to_owned())
        .chain(words)
        .collect()
}

struct Writer<'r> {
    run: report::Run<'r>,
    keeper: Keeper,
    output: &'r ReportOutput,
    template: Option<(String, String)>,
    language: Language,
}

impl Writer<'_> {
    fn report(&mut self, language: Language, limits: &Limits) -> report::Report {
        self.run
            .report(&mut self.keeper, language, self.output.redact, limits)
    }

    fn render(&mut self, format: Format) -> Result<String, Stop> {
        let mut limits = Limits::default();
        loop {
            let text = self.once(format, &limits)?;
            if text.len() as u64 <= self.output.max_size {
                return Ok(text);
            }
            match limits.halved() {
                Some(fewer) => limits = fewer,
                None => return Ok(text),
            }
        }
    }

    fn once(&mut self, format: Format, limits: &Limits) -> Result<String, Stop> {
        let language = self.language;
        let failed = |error: io::Error| Stop::unusable(format!("the report: {error}"));
        if format == Format::Json {
            // What machines read is the same in every language.
            let report = self.report(Language::En, limits);
            let mut bytes = Vec::new();
            escape::json(&mut bytes, &report).map_err(failed)?;
            bytes.push(b'\n');
            return String::from_utf8(bytes).map_err(|error| failed(io::Error::other(error)));
        }
        let report = self.report(language, limits);
        let into = match format {
            Format::Markdown => template::Into::Markdown,
            Format::Html => template::Into::Html,
            Format::Json | Format::Mermaid => {
                return Ok(report::mermaid::render(&report, language));
            }
        };
        if let Some((name, text)) = &self.template {
            return template::render(name, text, into, &report, language)
                .map_err(|error| Stop::unusable(error.to_string()));
        }
        if format == Format::Markdown {
            return Ok(report::markdown::render(&report, language));
        }
        let data = self.report(Language::En, limits);
        report::html::render(&report, &data, language).map_err(failed)
    }
}

struct Run {
    diagnosis: Diagnosis,
    keeper: Keeper,
    gaps: Gaps,
    /// The line or value being read.
    frame: Vec<u8>,
}

impl Observer for Run {
    fn frame(&mut self, _place: Place, bytes: &[u8]) {
        self.keeper.frame(bytes);
        self.frame.clear();
        self.frame.extend_from_slice(bytes);
    }

    fn record(&mut self, place: Place, record: &Record<'_>) {
        self.diagnosis.observe(place, record);
        self.keeper.keep(place, record);
        self.gaps.record(place, record, &self.frame);
    }
}
