//! One incident: its headline, its judgements, who it is about, and the lines that show it.

use std::borrow::Cow;
use std::io::{self, Write};

use super::group::{Member, Section};
use super::paint::{self, Style};
use super::phrases::phrases;
use crate::incident::catalogue::{self, Label, Noun};
use crate::incident::{Actor, Incident, Outcome, Status};

/// The longest name that is shown whole; the exact one is in the forms for machines.
const LONGEST_NAME: usize = 160;

/// What happened to an incident that is told on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It was just concluded.
    New,
    /// It was told before, with these judgements.
    Judged(Status, Outcome),
    /// Later records took it back.
    Withdrawn,
}

pub(super) fn change(
    incident: &Incident,
    change: Change,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let words = phrases(style.language);
    let judged = |status, outcome| {
        format!(
            "{}, {}",
            catalogue::status(style.language, status).name,
            catalogue::outcome(style.language, outcome).name
        )
    };
    let text = match change {
        Change::New => return Ok(()),
        Change::Judged(status, outcome) => words
            .now
            .replace("{now}", &judged(incident.status, incident.outcome))
            .replace("{before}", &judged(status, outcome)),
        Change::Withdrawn => words.withdrawn.to_owned(),
    };
    style.wrapped("", &format!("{text} ({})", incident.id), paint::BOLD, out)
}

/// Writes an incident. `shared` is the end of its observation that the group has told already.
pub(super) fn write(
    member: &Member,
    shared: &str,
    section: Section,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Member { incident, told, .. } = member;
    let language = style.language;
    let (loud, quiet) = match section {
        Section::Guarded => (paint::DIM, paint::DIM),
        _ => (paint::BOLD, paint::PLAIN),
    };
    let headline = catalogue::headline(language, incident);
    style.wrapped("", &headline, loud, out)?;
    let judgement = format!(
        "{}/{}, {}, {}, {}",
        incident.class(),
        incident.variant,
        catalogue::status(language, incident.status).name,
        catalogue::outcome(language, incident.outcome).name,
        incident.id
    );
    style.wrapped("  ", &judgement, section.colour(), out)?;
    let observation = told.observation.strip_suffix(shared);
    let observation = observation.unwrap_or(&told.observation).trim_end();
    style.wrapped("  ", observation, quiet, out)?;
    about(member, style, quiet, out)?;
    grounds(incident, style, quiet, out)
}

/// Who and what the incident is about, and how often it happened.
fn about(
    member: &Member,
    style: &Style,
    ansi: anstyle::Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Member { incident, also, .. } = member;
    let language = style.language;
    let label = |label| catalogue::label(language, label);
    for (name, actor) in [
        (Label::Late, &incident.late),
        (Label::Current, &incident.current),
    ] {
        if let Some(actor) = actor {
            let actor = catalogue::actor(language, Some(actor));
            style.labelled(label(name), &actor, ansi, out)?;
        }
    }
    if let Some(key) = &incident.resource_key {
        style.labelled(label(Label::ResourceKey), key, ansi, out)?;
    }
    if let Some(operation) = &incident.operation_id {
        style.labelled(label(Label::Operation), operation, ansi, out)?;
    }
    if incident.occurrences > 1 {
        let times = catalogue::count(language, incident.occurrences, Noun::Time);
        let text = match also {
            Some(also) => format!("{times}. {also}"),
            None => times,
        };
        style.labelled(label(Label::Occurrences), &text, ansi, out)?;
    }
    Ok(())
}

/// What the incident rests on: its records, what is taken on trust, and what is missing.
fn grounds(
    incident: &Incident,
    style: &Style,
    ansi: anstyle::Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let language = style.language;
    let label = |label| catalogue::label(language, label);
    let witnesses = witnesses(incident, style);
    style.list(label(Label::Evidence), &witnesses, ansi, out)?;
    let assumes = incident.assumes.iter().map(|one| {
        let term = catalogue::assumption(language, *one);
        format!("{}. {}", term.name, term.meaning)
    });
    let assumes: Vec<String> = assumes.collect();
    style.list(label(Label::Assumes), &assumes, ansi, out)?;
    let missing = incident
        .missing
        .iter()
        .map(|field| format!("{}: {}", field.name(), catalogue::missing(language, *field)));
    let missing: Vec<String> = missing.collect();
    style.list(label(Label::Missing), &missing, ansi, out)?;
    if !incident.candidates.is_empty() {
        let classes: Vec<&str> = incident.candidates.iter().map(|one| one.name()).collect();
        style.labelled(label(Label::Candidates), &classes.join(", "), ansi, out)?;
    }
    Ok(())
}

/// The records as `source:line`, which terminals and editors make a link of.
fn witnesses(incident: &Incident, style: &Style) -> Vec<String> {
    incident
        .evidence
        .iter()
        .map(|witness| {
            let role = catalogue::role(style.language, witness.role).name;
            let seq = witness
                .seq
                .map(|seq| format!(", seq {seq}"))
                .unwrap_or_default();
            format!("{}:{}{seq}, {role}", witness.source, witness.line)
        })
        .collect()
}

/// The incident with names that a person can read to the end.
pub(super) fn shortened(incident: &Incident) -> Incident {
    let mut incident = incident.clone();
    let actor = |actor: &mut Option<Actor>| {
        for part in actor
            .iter_mut()
            .flat_map(|actor| [&mut actor.owner_id, &mut actor.lease_id])
        {
            shorten(part);
        }
    };
    actor(&mut incident.late);
    actor(&mut incident.current);
    shorten(&mut incident.resource_key);
    shorten(&mut incident.operation_id);
    if let Cow::Owned(short) = short(&incident.lock_name) {
        incident.lock_name = short;
    }
    incident
}

fn shorten(name: &mut Option<String>) {
    if let Some(long) = name
        && let Cow::Owned(short) = short(long)
    {
        *long = short;
    }
}

/// A name that a person can read to the end.
pub(crate) fn short(name: &str) -> Cow<'_, str> {
    let count = name.chars().count();
    if count <= LONGEST_NAME {
        return Cow::Borrowed(name);
    }
    let head: String = name.chars().take(LONGEST_NAME / 2).collect();
    let tail: String = name.chars().skip(count - LONGEST_NAME / 4).collect();
    let left_out = count - LONGEST_NAME / 2 - LONGEST_NAME / 4;
    Cow::Owned(format!("{head}…(+{left_out})…{tail}"))
}
