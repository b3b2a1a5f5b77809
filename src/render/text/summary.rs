//! What a run says beside its incidents, for standard error.

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::paint::{self, Style};
use super::phrases::phrases;
use crate::incident::catalogue::{self, Label, Noun};
use crate::incident::{Class, Outcome, Status, WithheldReason};
use crate::render::View;

/// How many lines of one kind are written before the rest is counted. The forms for
/// machines hold them all.
const LONGEST_LIST: usize = 20;

/// Writes the summary.
///
/// # Errors
/// What the writer says.
pub fn render(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let language = style.language;
    let label = |label| catalogue::label(language, label);
    let count = |n, noun| catalogue::count(language, n, noun);
    let summary = view.summary;
    let mut read = vec![
        count(summary.records, Noun::Record),
        count(summary.locks, Noun::Lock),
        count(summary.decided_writes, Noun::DecidedWrite),
    ];
    for (n, noun) in [
        (summary.repeated_records, Noun::RepeatedRecord),
        (view.lines.other, Noun::OtherLine),
        (view.lines.rejected, Noun::RejectedLine),
    ] {
        if n > 0 {
            read.push(count(n, noun));
        }
    }
    style.wrapped("", &format!("{}:", label(Label::Summary)), paint::BOLD, out)?;
    style.hanging("  ", "    ", &read.join(", "), paint::PLAIN, out)?;
    incidents(view, style, out)?;
    // The name at the end is what `explain` knows more of.
    let cautions = summary
        .cautions
        .iter()
        .map(|one| format!("{} ({})", catalogue::caution(language, one), one.kind));
    capped(label(Label::Cautions), cautions, style, out)?;
    let mut locks: BTreeMap<WithheldReason, Vec<&str>> = BTreeMap::new();
    for one in &summary.withheld {
        locks.entry(one.reason).or_default().push(&one.lock_name);
    }
    let withheld = locks.into_iter().map(|(reason, locks)| {
        let text = catalogue::withheld(language, reason, &locks);
        format!("{text} ({reason})")
    });
    capped(label(Label::Withheld), withheld, style, out)
}

fn incidents(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let language = style.language;
    let mut counts: BTreeMap<(Class, Status, Outcome), u64> = BTreeMap::new();
    for incident in view.all {
        *counts
            .entry((incident.class(), incident.status, incident.outcome))
            .or_default() += 1;
    }
    let mut total = catalogue::count(language, view.all.len() as u64, Noun::Incident);
    if view.hidden() > 0 {
        let hidden = view.hidden().to_string();
        total.push_str(", ");
        total.push_str(&phrases(language).hidden.replace("{}", &hidden));
    }
    style.hanging("  ", "    ", &total, paint::PLAIN, out)?;
    for ((class, status, outcome), n) in counts {
        let text = format!(
            "{n} {class}, {}, {}",
            catalogue::status(language, status).name,
            catalogue::outcome(language, outcome).name
        );
        style.hanging("    ", "      ", &text, paint::PLAIN, out)?;
    }
    Ok(())
}

fn capped(
    label: &str,
    items: impl ExactSizeIterator<Item = String>,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    let total = items.len();
    if total == 0 {
        return Ok(());
    }
    style.wrapped("  ", &format!("{label}:"), paint::PLAIN, out)?;
    for item in items.take(LONGEST_LIST) {
        style.hanging("    ", "      ", &item, paint::PLAIN, out)?;
    }
    let left = total.saturating_sub(LONGEST_LIST) as u64;
    if left > 0 {
        let more = catalogue::count(style.language, left, Noun::More);
        style.wrapped("    ", &more, paint::PLAIN, out)?;
    }
    Ok(())
}
