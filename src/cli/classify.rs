//! `classify`: the incidents in a log or a pack.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use clap::Args;

use super::args::{EXIT_CODES, InputArgs, OrderArgs};
use super::evidence::{Inputs, Observer};
use super::exit::{Exit, Stop};
use super::filter::{FailOn, ShowArgs};
use super::heap;
use super::output::{OutputArgs, Outputs};
use super::terminal::Terminal;
use crate::diagnosis::{Diagnosis, Options, OrderBy};
use crate::evidence::{Place, Record};
use crate::incident::{Classification, Incident, Outcome, Status};
use crate::ingest::Kept;
use crate::render::text::{self, Change};
use crate::render::{self, Format, LineCounts, View};
use crate::report::{self, Keeper};

/// Say which incidents a log or a pack of evidence shows
///
/// Reads evidence records and writes one incident per lock, class, variant and subject:
/// what happened, which records show it, what to check, what to do next, and what may
/// not be concluded. The summary and complaints about lines go to standard error.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub(super) struct ClassifyArgs {
    #[command(flatten)]
    pub(super) input: InputArgs,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    show: ShowArgs,
    #[command(flatten)]
    pub(super) order: OrderArgs,
    /// Write an incident as soon as it is concluded, and again when its status or outcome
    /// changes (text and jsonl; the other formats are written at the end)
    #[arg(long, help_heading = "Output")]
    follow: bool,
    /// After the incidents, show the order of events at each lock that has one (text)
    #[arg(long, help_heading = "Output", conflicts_with = "follow")]
    timeline: bool,
    /// Write no summary. What is wrong with lines is told all the same
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// End with 1 where there is such an incident, shown or not
    #[arg(
        long,
        value_name = "WHAT",
        value_enum,
        default_value_t = FailOn::Never,
        help_heading = "Exit code"
    )]
    fail_on: FailOn,
}

pub(super) fn run(args: &ClassifyArgs, terminal: &Terminal) -> Result<Exit, Stop> {
    let inputs = Inputs::find(&args.input, &["classify"], terminal)?;
    args.output.guard(args.input.rejects.as_deref())?;
    let names = inputs.names.clone();
    heap::keep_given_back(args.order.memory);
    let options = Options {
        threads: args.input.threads(),
        follow: args.follow,
        observers: inputs.observers(),
        ..args.order.options()
    };
    let mut outputs = Outputs::new(&args.output, &inputs, terminal)?;
    if args.follow {
        outputs.follow()?;
    }
    if args.timeline {
        outputs.some_text("--timeline")?;
    }
    let mut run = Run {
        diagnosis: Diagnosis::new(options),
        outputs,
        names: &names,
        show: &args.show,
        follow: args.follow,
        told: HashMap::new(),
        keeper: args.timeline.then(Keeper::default),
    };
    let reading = inputs.read(&args.input, terminal, &mut run)?;
    let Run {
        diagnosis,
        mut outputs,
        mut told,
        keeper,
        ..
    } = run;
    let classification = diagnosis.finish(&names);
    let all = &classification.incidents;
    let view = View {
        shown: all.iter().filter(|one| args.show.shows(one)).collect(),
        all,
        summary: &classification.summary,
        lines: LineCounts::from(&reading.counts.total),
        threads: args.input.threads(),
    };
    let empty = classification.summary.records == 0;
    if args.follow {
        settle(&view, &args.show, &mut told, &mut outputs)?;
        if view.shown.is_empty() && !empty {
            outputs.stream_nothing(&view)?;
        }
    }
    if !(empty && args.output.text_alone()) {
        let mut timelines = Timelines {
            keeper,
            view: &view,
            inputs: &names,
            order: args.order.order.into(),
        };
        outputs.finish_with(&mut |format, style, out| {
            render::render(format, &view, style, out)?;
            match format {
                Format::Text => timelines.write(style, out),
                _ => Ok(()),
            }
        })?;
    }
    if empty {
        return reading.exit().ok_or_else(|| reading.no_evidence());
    }
    if !args.quiet {
        summarize(&view, terminal);
    }
    Ok(reading.exit().unwrap_or_else(|| args.fail_on.exit(all)))
}

/// Tells people what the run came to as a whole.
fn summarize(view: &View<'_>, terminal: &Terminal) {
    let mut stderr = io::stderr().lock();
    // On a terminal both streams share the screen. Where standard error is closed,
    // nobody wants a summary.
    if terminal.watched {
        let _ = writeln!(stderr);
    }
    let _ = text::summary::render(view, &terminal.stderr, &mut stderr);
}

/// What was told of an incident.
struct Told {
    judged: (Status, Outcome),
    incident: Incident,
}

struct Run<'a> {
    diagnosis: Diagnosis,
    outputs: Outputs<'a>,
    names: &'a [String],
    show: &'a ShowArgs,
    follow: bool,
    told: HashMap<String, Told>,
    /// The records for the timelines, where these are wanted.
    keeper: Option<Keeper>,
}

/// Writes the timelines of the incidents that are shown.
struct Timelines<'t> {
    keeper: Option<Keeper>,
    view: &'t View<'t>,
    inputs: &'t [String],
    order: OrderBy,
}

impl Timelines<'_> {
    fn write(&mut self, style: &text::Style, out: &mut dyn Write) -> io::Result<()> {
        let Some(keeper) = &mut self.keeper else {
            return Ok(());
        };
        let classification = Classification {
            incidents: self.view.shown.iter().copied().cloned().collect(),
            summary: self.view.summary.clone(),
        };
        let run = report::Run {
            classification: &classification,
            gaps: &crate::lint::Report::default(),
            read: &crate::ingest::Counts::default(),
            inputs: self.inputs,
            origins: &report::Origins {
                order: self.order,
                ..report::Origins::default()
            },
        };
        let limits = report::Limits {
            incidents_a_group: usize::MAX,
            ..report::Limits::default()
        };
        let report = run.report(keeper, style.language, false, &limits);
        report::strip::write(&report, style, out)
    }
}

impl Observer for Run<'_> {
    fn frame(&mut self, _place: Place, bytes: &[u8]) {
        if let Some(keeper) = &mut self.keeper {
            keeper.frame(bytes);
        }
    }

    fn record(&mut self, place: Place, record: &Record<'_>) {
        self.diagnosis.observe(place, record);
        if let Some(keeper) = &mut self.keeper {
            keeper.keep(place, record);
        }
    }

    fn kept(&mut self, place: Place, kept: &Kept<'_>) {
        match self.keeper {
            None => self.diagnosis.observe_at_a_glance(place, kept),
            Some(_) => {
                self.frame(place, kept.frame());
                self.record(place, &kept.record());
            }
        }
    }

    fn idle(&mut self) -> Result<(), Stop> {
        if !self.follow {
            return Ok(());
        }
        let changes = self.diagnosis.changes(self.names);
        if changes.is_empty() {
            return Ok(());
        }
        for incident in changes {
            // What was told is told again even where it no longer fits what was asked for.
            if self.show.shows(&incident) || self.told.contains_key(&incident.id) {
                tell(&incident, &mut self.told, &mut self.outputs)?;
            }
        }
        self.outputs.flush()
    }
}

/// Tells an incident that is new, or whose judgement is.
fn tell(
    incident: &Incident,
    told: &mut HashMap<String, Told>,
    outputs: &mut Outputs<'_>,
) -> Result<(), Stop> {
    let judged = (incident.status, incident.outcome);
    let change = match told.get(&incident.id) {
        Some(before) if before.judged == judged => return Ok(()),
        Some(before) => Change::Judged(before.judged.0, before.judged.1),
        None => Change::New,
    };
    outputs.stream(incident, change)?;
    told.insert(
        incident.id.clone(),
        Told {
            judged,
            incident: incident.clone(),
        },
    );
    Ok(())
}

/// The input ended: tells what is still untold, and takes back what does not stand.
fn settle(
    view: &View<'_>,
    show: &ShowArgs,
    told: &mut HashMap<String, Told>,
    outputs: &mut Outputs<'_>,
) -> Result<(), Stop> {
    for incident in view.all {
        if show.shows(incident) || told.contains_key(&incident.id) {
            tell(incident, told, outputs)?;
        }
    }
    let standing: HashSet<&str> = view.all.iter().map(|one| one.id.as_str()).collect();
    let mut gone: Vec<&Told> = told
        .values()
        .filter(|one| !standing.contains(one.incident.id.as_str()))
        .collect();
    gone.sort_by(|a, b| a.incident.id.cmp(&b.incident.id));
    for one in gone {
        outputs.stream(&one.incident, Change::Withdrawn)?;
    }
    Ok(())
}
