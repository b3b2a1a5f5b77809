//! A timeline as a table, a column of it as a line, and what orders it.

use super::{Table, highest, label, lower, number, saying};
use crate::incident::catalogue::{self, Label, Language, Noun};
use crate::report::model::{Column, Entry, OrderUsed, Saying, Timeline};
use crate::report::names;
use crate::report::text::Text;
use crate::report::words::{fill, words};

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
        let lease = names::brief(lease);
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
