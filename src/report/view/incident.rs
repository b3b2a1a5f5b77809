//! What is said of one incident: its records, its facts, and what to record next time.

use super::{Table, label, lower, saying};
use crate::incident::catalogue::{self, Label, Language, Noun};
use crate::report::model::{Actor, Incident, RecordNext, Report};
use crate::report::text::{self, Text};
use crate::report::words::{fill, words};

/// What the records of an incident say.
pub fn evidence(incident: &Incident, report: &Report, language: Language) -> Table {
    let one_input = report.provenance.inputs.len() == 1 && report.provenance.more_inputs == 0;
    let words = words(language);
    let head = [
        label(language, Label::Role),
        label(language, Label::Record),
        label(language, Label::Owner),
        label(language, Label::Token),
        label(language, Label::Result),
        words.highest,
        label(language, Label::ResourceKey),
        label(language, Label::Lease),
        words.time,
    ];
    let caption = Text::words(label(language, Label::Evidence));
    let mut table = Table::new(caption, head.to_vec());
    for witness in &incident.evidence {
        // With one input its name would only take room.
        let mut place = if one_input {
            let line = lower(label(language, Label::Line));
            Text::words(format!("{line} {}", witness.line))
        } else {
            Text::name(&witness.source).and(&format!(":{}", witness.line))
        };
        if let Some(seq) = witness.seq {
            place = place.and(&format!(", seq {seq}"));
        }
        let mut part = Text::words(catalogue::role(language, witness.role).name);
        if let Some(lock) = &witness.other_lock_name {
            let word = lower(label(language, Label::Lock));
            part = part.and(&format!(", {word} ")).and_name(lock);
        }
        let mut row = vec![part, place];
        match &witness.record {
            Some(record) => row.extend(saying(record, language)),
            None => row.extend(vec![Text::default(); 7]),
        }
        table.rows.push(row);
    }
    table.filled()
}

/// Facts of one incident beside its story: a name and a value.
pub fn facts(incident: &Incident, language: Language) -> Vec<(&'static str, Text)> {
    let mut facts = Vec::new();
    let actor = |actor: &Actor| {
        let plain = crate::incident::Actor {
            owner_id: actor.owner_id.as_deref().map(text::marked),
            lease_id: actor.lease_id.as_deref().map(text::marked),
            fence_token: actor.fence_token,
        };
        Text::cut(&catalogue::actor(language, Some(&plain)))
    };
    facts.push((
        label(language, Label::Lock),
        Text::name(&incident.lock_name),
    ));
    if let Some(one) = &incident.late {
        facts.push((label(language, Label::Late), actor(one)));
    }
    if let Some(one) = &incident.current {
        facts.push((label(language, Label::Current), actor(one)));
    }
    if let Some(key) = &incident.resource_key {
        facts.push((label(language, Label::ResourceKey), Text::name(key)));
    }
    if let Some(operation) = &incident.operation_id {
        facts.push((label(language, Label::Operation), Text::name(operation)));
    }
    if incident.occurrences > 1 {
        let times = catalogue::count(language, incident.occurrences, Noun::Time);
        let mut text = Text::words(times);
        if let Some(also) = &incident.also {
            text = text.and(". ").and(&also.plain());
        }
        facts.push((label(language, Label::Occurrences), text));
    }
    for one in &incident.assumes {
        let term = catalogue::assumption(language, *one);
        let text = Text::words(format!("{}. {}", term.name, term.meaning));
        facts.push((label(language, Label::Assumes), text));
    }
    for field in &incident.missing {
        let text = Text::name(field.name())
            .and(": ")
            .and(catalogue::missing(language, *field));
        facts.push((label(language, Label::Missing), text));
    }
    if !incident.candidates.is_empty() {
        let classes: Vec<&str> = incident.candidates.iter().map(|one| one.name()).collect();
        facts.push((
            label(language, Label::Candidates),
            Text::words(classes.join(", ")),
        ));
    }
    facts
}

/// A field to record next time, in words.
pub fn record_next(one: &RecordNext, language: Language) -> Text {
    use crate::lint::decidability::On;
    let words = words(language);
    let [write, acquire, renew, release, lease, every] = words.on;
    let on: Vec<&str> = one
        .on
        .iter()
        .map(|on| match on {
            On::Write => write,
            On::Acquire => acquire,
            On::Renew => renew,
            On::Release => release,
            On::LeaseSteps => lease,
            On::EveryRecord => every,
        })
        .collect();
    let mut text = Text::name(one.field.name());
    if !on.is_empty() {
        text = text.and(" ").and(&on.join(", "));
    }
    text = text.and(": ").and(one.why).and(".");
    if one.incidents > 0 {
        let incidents = catalogue::count(language, one.incidents, Noun::Incident);
        text = text.and(" ").and(&fill(words.would_settle, &[&incidents]));
    }
    if !one.classes.is_empty() {
        let classes: Vec<&str> = one.classes.iter().map(|class| class.name()).collect();
        let locks = catalogue::count(language, one.locks, Noun::Lock);
        let prove = fill(words.would_prove, &[&classes.join(", "), &locks]);
        text = text.and(" ").and(&prove);
    }
    text
}
