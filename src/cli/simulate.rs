//! `simulate`: evidence from the model, with its truth.

mod args;
mod command;
mod output;
mod verdicts;

use std::io::{self, Write as _};

use self::args::Format;
pub(super) use self::args::SimulateArgs;
use self::output::{Evidence, source};
use self::verdicts::report;
use super::exit::{Exit, Stop};
use super::files;
use crate::diagnosis::Options;
use crate::model::{
    Faults, KeyFault, Names, Rates, Run, Schedule, Setup, Sighting, Story, Truth, Watching,
    agreement, classify, labels, story,
};

pub(super) fn run(args: &SimulateArgs) -> Result<Exit, Stop> {
    if let Some(path) = &args.output.truth {
        files::is_file("--truth", path)?;
    }
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
    if evidence && args.output.file().is_none() && args.output.format != Format::Jsonl {
        return Err(
            Stop::unusable("the story and its evidence can't both go to standard output")
                .hint("name a file with --output, or leave it out"),
        );
    }
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
    if setup.faults.keys == KeyFault::TwoLocks && setup.locks < 2 {
        return Err(
            Stop::unusable("`--keys two-locks` needs two locks, and the run has one")
                .hint("add --locks 2"),
        );
    }
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
            source(args.output.file(), files, file)
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
