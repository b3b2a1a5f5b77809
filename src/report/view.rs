//! The tables and lines that every form of a report shows alike.

use super::model::{
    Active, Actor, Column, Entry, Incident, OrderUsed, Provenance, Report, Saying, Timeline,
};
use super::text::Text;
use super::words::{fill, words};
use crate::incident::catalogue::{self, Label, Language, Noun};

/// A table: a head and rows of the same length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it is.
    pub caption: Text,
    /// The heads of its columns.
    pub head: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Vec<Text>>,
}

impl Table {
    fn new(caption: Text, head: Vec<&'static str>) -> Table {
        Table {
            caption,
            head,
            rows: Vec::new(),
        }
    }

    /// Without the columns in which no row says anything.
    fn filled(mut self) -> Table {
        let said: Vec<bool> = (0..self.head.len())
            .map(|at| {
                self.rows
                    .iter()
                    .any(|row| row.get(at).is_some_and(|cell| !cell.is_empty()))
            })
            .collect();
        let mut keep = said.iter();
        self.head.retain(|_| keep.next().copied().unwrap_or(true));
        for row in &mut self.rows {
            let mut keep = said.iter();
            row.retain(|_| keep.next().copied().unwrap_or(true));
        }
        self
    }
}

fn label(language: Language, label: Label) -> &'static str {
    catalogue::label(language, label)
}

fn named(name: Option<&str>) -> Text {
    name.map(Text::name).unwrap_or_default()
}

fn number(number: Option<u64>) -> Text {
    number
        .map(|one| Text::words(one.to_string()))
        .unwrap_or_default()
}

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
        let mut row = vec![
            Text::words(catalogue::role(language, witness.role).name),
            place,
        ];
        match &witness.record {
            Some(record) => row.extend(saying(record, language)),
            None => row.extend(vec![Text::default(); 7]),
        }
        table.rows.push(row);
    }
    table.filled()
}

/// Owner, token, answer, highest token, key, lease, time: what decides stands first.
fn saying(record: &Saying, language: Language) -> Vec<Text> {
    let mut answer = Text::words(catalogue::answer(language, record.result).name);
    if record.result.event().is_none() {
        answer = Text::words(catalogue::event(language, record.event).name)
            .and(": ")
            .and(catalogue::answer(language, record.result).name);
    }
    if let Some(active) = &record.active {
        let (before, after) = words(language).active.split_once("{}").unwrap_or_default();
        answer = answer.and(" (").and(before);
        answer = match active {
            Active::None => answer.and(words(language).nobody),
            Active::Lease(actor) => holder(answer, actor),
        };
        answer = answer.and(after).and(")");
    }
    vec![
        named(record.owner_id.as_deref()),
        number(record.fence_token),
        answer,
        highest(record),
        named(record.resource_key.as_deref()),
        named(record.lease_id.as_deref()),
        named(record.ts.as_deref()),
    ]
}

/// The lease of somebody, with what is known of it.
fn holder(text: Text, actor: &Actor) -> Text {
    match (&actor.lease_id, actor.fence_token, &actor.owner_id) {
        (Some(lease), ..) => text.and_name(lease),
        (None, Some(token), _) => text.and(&token.to_string()),
        (None, None, Some(owner)) => text.and_name(owner),
        (None, None, None) => text.and("?"),
    }
}

fn highest(record: &Saying) -> Text {
    let shown = |token: Option<u64>| token.map_or("?".to_owned(), |one| one.to_string());
    match (
        record.resource_highest_token_before,
        record.resource_highest_token_after,
    ) {
        (None, None) => Text::default(),
        (before, after) => Text::words(format!("{} → {}", shown(before), shown(after))),
    }
}

/// Which column of a timeline's table has the answer.
const ANSWER: usize = 6;

/// The columns of a timeline, one a row.
pub fn timeline(timeline: &Timeline, language: Language) -> Table {
    let words = words(language);
    let head = [
        words.position,
        label(language, Label::Line),
        "seq",
        words.incident_column,
        label(language, Label::Owner),
        label(language, Label::Token),
        label(language, Label::Result),
        words.highest,
        label(language, Label::ResourceKey),
        label(language, Label::Lease),
        words.time,
    ];
    let caption = Text::words(label(language, Label::AsTable))
        .and(": ")
        .and_name(&timeline.lock_name);
    let mut table = Table::new(caption, head.to_vec());
    let several = several_sources(timeline);
    for column in &timeline.columns {
        let Some(entry) = column.entry() else {
            let records = catalogue::count(language, column.count(), Noun::Record);
            let mut row = vec![Text::default(); head.len()];
            if let Some(cell) = row.first_mut() {
                *cell = Text::words("…");
            }
            if let Some(cell) = row.get_mut(ANSWER) {
                *cell = Text::words(fill(words.gap, &[&records]));
            }
            table.rows.push(row);
            continue;
        };
        let line = Text::words(entry.line.to_string());
        let mut row = vec![
            Text::words(match column {
                Column::Run { last_position, .. } => format!("{}–{last_position}", entry.position),
                _ => entry.position.to_string(),
            }),
            match several {
                true => Text::name(&entry.source).and(&format!(":{}", entry.line)),
                false => line,
            },
            number(entry.seq),
        ];
        row.push(parts(entry, language));
        row.extend(saying(&entry.record, language));
        if let (
            Column::Run {
                count, last_line, ..
            },
            Some(answer),
        ) = (column, row.get_mut(ANSWER))
        {
            let run = fill(words.run, &[&count.to_string(), &last_line.to_string()]);
            *answer = answer.clone().and(" (").and(&run).and(")");
        }
        table.rows.push(row);
    }
    table.filled()
}

fn several_sources(timeline: &Timeline) -> bool {
    let mut sources = timeline
        .columns
        .iter()
        .filter_map(|column| Some(column.entry()?.source.as_str()));
    let first = sources.next();
    sources.any(|other| Some(other) != first)
}

fn parts(entry: &Entry, language: Language) -> Text {
    let parts: Vec<String> = entry
        .incidents
        .iter()
        .map(|part| {
            let role = catalogue::role(language, part.role).name;
            format!("{}: {role}", part.incident)
        })
        .collect();
    if parts.is_empty() {
        Text::default()
    } else {
        Text::words(parts.join("; "))
    }
}

/// A column in one line, names as they are.
pub fn line(column: &Column, language: Language) -> String {
    let Some(entry) = column.entry() else {
        let records = catalogue::count(language, column.count(), Noun::Record);
        return fill(words(language).gap, &[&records]);
    };
    let record = &entry.record;
    let mut said = vec![what(record, language)];
    // A token names the lease of a write as well, and is shorter.
    let brief = record.event == crate::evidence::Event::Write && record.fence_token.is_some();
    if let Some(lease) = record.lease_id.as_deref().filter(|_| !brief) {
        let lease = super::names::brief(lease);
        said.push(format!("{} {lease}", lower(label(language, Label::Lease))));
    }
    if let Some(token) = record.fence_token {
        said.push(format!("{} {token}", lower(label(language, Label::Token))));
    }
    let highest = highest(record);
    if !highest.is_empty() {
        let name = lower(label(language, Label::HighestToken));
        said.push(format!("{name} {}", highest.plain()));
    }
    if let Column::Run {
        count, last_line, ..
    } = column
    {
        let run = fill(
            words(language).run,
            &[&count.to_string(), &last_line.to_string()],
        );
        said.push(run);
    }
    let owner = match record.owner_id.as_deref() {
        Some("") => "\"\"",
        Some(owner) => owner,
        None => words(language).unnamed_owner,
    };
    format!("{owner}: {}", said.join(", "))
}

/// The step and its answer, with the key that a write went to.
fn what(record: &Saying, language: Language) -> String {
    let answer = catalogue::answer(language, record.result).name;
    let event = catalogue::event(language, record.event).name;
    match (record.event, &record.resource_key) {
        (crate::evidence::Event::Write, Some(key)) => format!("{event} {key}, {answer}"),
        (crate::evidence::Event::Write, None) => format!("{event}, {answer}"),
        _ if record.result.event().is_none() => format!("{event}, {answer}"),
        _ => answer.to_owned(),
    }
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// What orders a timeline, and how much of it is drawn.
pub fn order(timeline: &Timeline, language: Language) -> Text {
    let words = words(language);
    let mut text = Text::words(match timeline.order {
        OrderUsed::Seq => words.by_seq,
        OrderUsed::Lines => words.by_lines,
        OrderUsed::None => words.no_order,
    });
    if let Some(reason) = timeline.withheld {
        text = text
            .and(" ")
            .and(catalogue::withheld_reason(language, reason).meaning);
    }
    let drawn: u64 = timeline
        .columns
        .iter()
        .filter(|column| column.entry().is_some())
        .map(Column::count)
        .sum();
    if drawn < timeline.records {
        let records = catalogue::count(language, timeline.records, Noun::Record);
        let drawn = fill(words.drawn, &[&drawn.to_string(), &records]);
        text = text.and(" ").and(&drawn);
    }
    text
}

/// Which questions a token answers.
pub fn coverage(report: &Report, language: Language) -> Table {
    let head = vec![
        label(language, Label::Question),
        label(language, Label::CoveredByToken),
        label(language, Label::WhatDoes),
    ];
    let mut table = Table::new(Text::words(label(language, Label::Coverage)), head);
    for row in &report.coverage {
        table.rows.push(vec![
            Text::words(row.question),
            Text::words(row.covered),
            Text::words(row.what_does),
        ]);
    }
    table
}

/// The inputs.
pub fn inputs(provenance: &Provenance, language: Language) -> Table {
    let head = vec![
        label(language, Label::Source),
        label(language, Label::Size),
        label(language, Label::Lines),
        words(language).records,
        label(language, Label::OtherLines),
        label(language, Label::RejectedLines),
        label(language, Label::Sha256),
    ];
    let caption = Text::words(label(language, Label::Source));
    let mut table = Table::new(caption, head);
    for input in &provenance.inputs {
        let count = |n: u64| Text::words(n.to_string());
        table.rows.push(vec![
            Text::name(&input.name),
            Text::words(format!("{} {}", input.bytes, words(language).bytes)),
            count(input.lines),
            count(input.records),
            count(input.other_lines),
            count(input.rejected_lines),
            input.sha256.as_deref().map_or_else(
                || Text::words(label(language, Label::NotRecorded)),
                Text::name,
            ),
        ]);
    }
    table
}

/// Facts of the provenance beside the inputs: a name and a value.
pub fn origins(provenance: &Provenance, language: Language) -> Vec<(&'static str, Text)> {
    let words = words(language);
    let mut facts = vec![
        (
            label(language, Label::ToolVersion),
            Text::words(provenance.tool.as_str()),
        ),
        (
            label(language, Label::Command),
            Text::name(&provenance.command),
        ),
    ];
    if let Some(generated) = &provenance.generated {
        facts.push((
            label(language, Label::Generated),
            Text::words(generated.as_str()),
        ));
    }
    facts.push((
        label(language, Label::OrderUsed),
        Text::name(&fill(words.order_option, &[provenance.order])),
    ));
    let vouched = provenance.vouched_by.unwrap_or(words.nobody_vouched);
    facts.push((label(language, Label::OrderVouchedBy), Text::words(vouched)));
    if let Some(one) = provenance.redacted {
        let counts = [one.owners, one.leases, one.addresses, one.directories];
        let counts = counts.map(|count| count.to_string());
        let counts: Vec<&str> = counts.iter().map(String::as_str).collect();
        facts.push((
            label(language, Label::Redacted),
            Text::words(fill(words.replaced, &counts)),
        ));
    }
    facts
}

/// What was read, in one line.
pub fn counts(report: &Report, language: Language) -> String {
    let counts = &report.counts;
    let mut said = vec![
        catalogue::count(language, counts.records, Noun::Record),
        catalogue::count(language, counts.locks, Noun::Lock),
        catalogue::count(language, counts.decided_writes, Noun::DecidedWrite),
    ];
    for (n, noun) in [
        (counts.repeated_records, Noun::RepeatedRecord),
        (counts.other_lines, Noun::OtherLine),
        (counts.rejected_lines, Noun::RejectedLine),
    ] {
        if n > 0 {
            said.push(catalogue::count(language, n, noun));
        }
    }
    said.join(", ")
}

/// Facts of one incident beside its story: a name and a value.
pub fn facts(incident: &Incident, language: Language) -> Vec<(&'static str, Text)> {
    let mut facts = Vec::new();
    let actor = |actor: &Actor| {
        let plain = crate::incident::Actor {
            owner_id: actor.owner_id.as_deref().map(super::text::marked),
            lease_id: actor.lease_id.as_deref().map(super::text::marked),
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
pub fn record_next(one: &super::model::RecordNext, language: Language) -> Text {
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
