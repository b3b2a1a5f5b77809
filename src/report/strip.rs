//! The timeline as lines of text, for a terminal and for a fenced block of Markdown.

use std::collections::HashMap;
use std::io;

use super::model::{Column, Report, Timeline};
use super::picture::story::{self, Bar, Story};
use super::view;
use super::words::{fill, words};
use crate::escape;
use crate::evidence::Answer;
use crate::incident::catalogue::{self, Label, Language, Noun};
use crate::render::text::Style;

/// With more owners than this there is no column for each.
const MOST_OWNERS: usize = 10;

/// Writes every timeline of a report for a terminal; incidents are called by their ids.
///
/// # Errors
/// What the writer says.
pub fn write(report: &Report, style: &Style, out: &mut dyn io::Write) -> io::Result<()> {
    let language = style.language;
    let ids: HashMap<u64, &str> = report
        .incidents()
        .map(|one| (one.number, one.id.as_str()))
        .collect();
    for timeline in &report.timelines {
        let title = catalogue::label(language, Label::Timeline);
        let lock = escape::terminal(&timeline.lock_name);
        let order = view::order(timeline, language).plain();
        writeln!(out, "\n{title}: {lock}\n  {}\n", escape::terminal(&order))?;
        let name = |number| ids.get(&number).copied().unwrap_or_default().to_owned();
        out.write_all(lines(timeline, report, language, &name).as_bytes())?;
    }
    if report.more_timelines > 0 {
        let locks = catalogue::count(language, report.more_timelines, Noun::Lock);
        let more = fill(words(language).more_timelines, &[&locks]);
        writeln!(out, "\n{more}")?;
    }
    Ok(())
}

/// The lines of one timeline, each ended; names are escaped for a terminal.
pub fn strip(timeline: &Timeline, report: &Report, language: Language) -> String {
    lines(timeline, report, language, &|number| number.to_string())
}

fn lines(
    timeline: &Timeline,
    report: &Report,
    language: Language,
    name: &dyn Fn(u64) -> String,
) -> String {
    let incidents: Vec<_> = report.incidents().collect();
    let story = story::read(timeline, &incidents);
    let owners = &story.owners;
    let digits = |n: Option<u64>| n.map_or(1, |n| n.to_string().len());
    let entries = || timeline.columns.iter().filter_map(Column::entry);
    let wide = digits(entries().map(|one| one.position).max());
    let mut out = String::new();
    for (at, column) in timeline.columns.iter().enumerate() {
        let number = match column.entry() {
            Some(entry) => entry.position.to_string(),
            None => "…".to_owned(),
        };
        let pad = wide.saturating_sub(number.chars().count());
        out.push_str(&" ".repeat(pad + 2));
        out.push_str(&number);
        out.push_str("  ");
        if owners.len() <= MOST_OWNERS {
            for owner in owners {
                out.push(lane(column, owner, at, &story));
                out.push(' ');
            }
            out.push(' ');
        }
        out.push_str(&escape::terminal(&view::line(column, language)));
        let decided: Vec<String> = column
            .entry()
            .into_iter()
            .flat_map(|entry| &entry.incidents)
            .filter(|part| part.decides)
            .map(|part| format!("[{}]", name(part.incident)))
            .collect();
        if !decided.is_empty() {
            out.push_str("  ◀ ");
            out.push_str(&decided.join(" "));
        }
        out.push('\n');
    }
    out
}

/// What stands in an owner's lane: its own record, a lease that it holds, or nothing.
fn lane(column: &Column, owner: &Option<String>, at: usize, story: &Story) -> char {
    let Some(entry) = column.entry() else {
        return '┊';
    };
    if entry.record.owner_id == *owner {
        return match entry.record.result {
            Answer::InDoubt => '?',
            Answer::Expired | Answer::Released | Answer::ReleaseNoop => '○',
            Answer::AcquireRejectedHeld
            | Answer::RenewRejectedNotOwner
            | Answer::ReleaseRejectedNotOwner
            | Answer::RejectedStaleFence
            | Answer::RejectedDuplicate
            | Answer::RejectedOther => '✗',
            Answer::Acquired | Answer::Renewed | Answer::Accepted => '●',
        };
    }
    let place = story::at(at);
    let holds = |bar: &&Bar| bar.owner == *owner && bar.from < place && place < bar.to;
    if story.bars.iter().any(|bar| holds(&bar)) {
        '│'
    } else {
        ' '
    }
}
