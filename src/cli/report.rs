//! `report`: the page that goes into the postmortem.

mod output;

use std::env;
use std::io;

use clap::Args;

use super::args::{EXIT_CODES, InputArgs, OrderArgs};
use super::evidence::{Inputs, Observer};
use super::exit::{Exit, Stop};
use super::filter::FailOn;
use super::heap;
use super::terminal::Terminal;
use crate::diagnosis::{Diagnosis, Options};
use crate::escape;
use crate::evidence::{Place, Record};
use crate::incident::catalogue::Language;
use crate::lint::{self, Gaps, Settings};
use crate::report::template;
use crate::report::{self, Keeper, Limits, Origins};
use output::{Format, ReportOutput};

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

pub(super) fn run(args: &ReportArgs, terminal: &Terminal) -> Result<Exit, Stop> {
    let mut inputs = Inputs::find(&args.input, &["report"], terminal)?;
    inputs.digest = true;
    let targets = args
        .output
        .targets(&inputs, args.input.rejects.as_deref())?;
    let template = args.output.template(&targets)?;
    heap::keep_given_back(args.order.memory);
    let options = Options {
        threads: args.input.threads(),
        observers: inputs.observers(),
        ..args.order.options()
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
        memory: args.order.memory,
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
        return reading.exit().ok_or_else(|| reading.no_evidence());
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
    let fail_on = || args.fail_on.exit(&classification.incidents);
    Ok(reading.exit().unwrap_or_else(fail_on))
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
