//! The form for people: each finding with its place in the line, then what the records
//! can decide, worst first.

use std::collections::HashMap;
use std::io::{self, Write};

use miette::{GraphicalReportHandler, GraphicalTheme};

use super::{View, needs};
use crate::escape::terminal;
use crate::ingest::diagnostic::Finding as Shown;
use crate::ingest::excerpt::Excerpt;
use crate::lint::code::Severity;
use crate::lint::decidability::Level;
use crate::lint::finding::Finding;
use crate::lint::report::{LockReport, Report, WaySummary};
use crate::render::text::{Style, short};

pub(super) fn render(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let theme = if style.colored {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::unicode_nocolor()
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(style.width)
        .with_links(false);
    for group in groups(view.report) {
        let shown = shown(&group, view.place(group.finding));
        let mut text = String::new();
        if handler.render_report(&mut text, &shown).is_ok() {
            writeln!(out, "{}\n", text.trim_end())?;
        }
    }
    not_shown(view, style, out)?;
    if view.report.records == 0 {
        return wrapped(
            style,
            "  ",
            "There is no evidence record in the input.",
            out,
        );
    }
    decidability(view, style, out)?;
    gaps(view, style, out)?;
    if view.details {
        for lock in &view.report.locks {
            details(lock, style, out)?;
        }
    }
    Ok(())
}

/// Findings that say one thing of several locks, told once.
struct Group<'r> {
    finding: &'r Finding,
    records: u64,
    locks: u64,
}

/// The findings, loudest first; what is counted per lock is put together.
fn groups(report: &Report) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known = HashMap::new();
    for finding in &report.findings {
        let key = (finding.code, finding.event, finding.field);
        let at = match finding.folded {
            true => *known.entry(key).or_insert(groups.len()),
            false => groups.len(),
        };
        match groups.get_mut(at) {
            Some(group) => {
                group.records += finding.occurrences;
                group.locks += 1;
            }
            None => groups.push(Group {
                finding,
                records: finding.occurrences,
                locks: 1,
            }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.finding.severity));
    groups
}

fn not_shown(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    for count in view.report.counts() {
        let left = (count.tally.total - count.tally.known).saturating_sub(count.kept);
        if left > 0 {
            let text = format!(
                "and {left} more of {} {}, counted and not kept; --limit keeps more",
                count.code,
                count.code.name()
            );
            wrapped(style, "  ", &text, out)?;
        }
    }
    Ok(())
}

fn decidability(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let locks = view.report.locks.len() as u64;
    let heading = format!(
        "What these records can decide, worst first ({})",
        of(locks, "lock")
    );
    title(style, &heading, out)?;
    let forgot = view.report.locks.iter().filter(|lock| lock.forgot).count() as u64;
    if forgot > 0 {
        let text = format!(
            "the order of {} counts as unknown: records were forgotten that would tell whether \
             two of them share a `seq`; --memory or --window keeps more",
            of(forgot, "lock")
        );
        writeln!(out)?;
        wrapped(style, "  ", &text, out)?;
    }
    for way in view.report.summary() {
        writeln!(out)?;
        let heading = format!("{} / {}: {}", way.way.class, way.way.name, way.way.question);
        wrapped(style, "  ", &heading, out)?;
        let mut texts = vec![levels(&way, locks)];
        texts.extend(ask(&way));
        for text in texts {
            wrapped(style, "    ", &text, out)?;
        }
    }
    writeln!(out)
}

fn of(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn levels(way: &WaySummary, locks: u64) -> String {
    let parts: Vec<String> = [
        (way.blind - way.unseen, "blind"),
        (way.unseen, "no such step with an answer on record"),
        (way.suspect, "can only suspect"),
        (way.in_part, "can prove in part"),
        (way.prove, "can prove"),
    ]
    .into_iter()
    .filter(|(count, _)| *count > 0)
    .map(|(count, level)| {
        if count == locks {
            level.to_owned()
        } else {
            format!("{level} at {}", of(count, "lock"))
        }
    })
    .collect();
    parts.join(", ")
}

/// What to log next, in the smallest sets.
fn ask(way: &WaySummary) -> Option<String> {
    let sets: Vec<String> = way
        .needs
        .iter()
        .take(3)
        .map(|(set, _)| needs(set))
        .collect();
    (!sets.is_empty()).then(|| format!("to prove it, log {}", sets.join("; or ")))
}

/// The fields that some records lack.
fn gaps(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let gaps: Vec<String> = view
        .report
        .coverage
        .iter()
        .filter(|(_, _, coverage)| coverage.present < coverage.of)
        .map(|(event, field, coverage)| {
            format!(
                "{field} on {}: {} of {}",
                event.word(),
                coverage.present,
                coverage.of
            )
        })
        .collect();
    if gaps.is_empty() {
        return Ok(());
    }
    title(style, "Fields that records lack", out)?;
    for gap in gaps {
        wrapped(style, "  ", &gap, out)?;
    }
    writeln!(out)
}

fn details(lock: &LockReport, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let heading = format!(
        "{} ({})",
        short(&lock.lock_name),
        of(lock.records, "record")
    );
    title(style, &heading, out)?;
    if lock.forgot {
        let text = "records were forgotten that would tell whether two of them share a `seq`, so \
                    the order counts as unknown; --memory or --window keeps more";
        wrapped(style, "  ", text, out)?;
    }
    for verdict in lock.ways.iter() {
        let level = match (verdict.level, verdict.complete) {
            (Level::Blind, _) => "blind",
            (Level::CanOnlySuspect, _) => "can only suspect",
            (Level::CanProve, false) => "can prove in part",
            (Level::CanProve, true) => "can prove",
        };
        let mut text = format!("{} / {}: {level}", verdict.way.class, verdict.way.name);
        if verdict.of > 0 {
            text.push_str(&format!(
                " ({} of {})",
                verdict.records,
                of(verdict.of, "record")
            ));
        }
        if !verdict.needs.is_empty() {
            let sets: Vec<String> = verdict.needs.iter().map(|set| needs(set)).collect();
            text.push_str(&format!("; to prove it, log {}", sets.join("; or ")));
        }
        wrapped(style, "  ", &text, out)?;
    }
    writeln!(out)
}

pub(super) fn summary(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let report = view.report;
    let parts: Vec<String> = Severity::ALL
        .into_iter()
        .map(|severity| of(report.of_severity(severity), severity.name()))
        .collect();
    let (mut known, mut ignored) = (0, 0);
    for (_, _, tally) in &report.tallies {
        known += tally.known;
        ignored += tally.ignored;
    }
    let mut text = format!(
        "{} of {}: {}",
        of(report.records, "record"),
        of(report.locks.len() as u64, "lock"),
        parts.join(", ")
    );
    for (count, what) in [
        (known, format!("{known} known by the baseline")),
        (ignored, format!("{ignored} ignored")),
        (report.others, of(report.others, "other line")),
        (
            report.rejected,
            format!("{} rejected", of(report.rejected, "line")),
        ),
    ] {
        if count > 0 {
            text.push_str(", ");
            text.push_str(&what);
        }
    }
    title(style, &text, out)?;
    if report.forgot {
        let text = "what was seen longest ago was forgotten, and what contradicts it later was \
                    not found; --memory or --window keeps more";
        wrapped(style, "  ", text, out)?;
    }
    Ok(())
}

fn title(style: &Style, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let text = terminal(text);
    if style.colored {
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}{text}{bold:#}")
    } else {
        writeln!(out, "{text}")
    }
}

/// Text that may hold words from a log, wrapped below an indent.
fn wrapped(style: &Style, indent: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let rest = format!("{indent}  ");
    let options = textwrap::Options::new(style.width.max(40))
        .initial_indent(indent)
        .subsequent_indent(&rest)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    for line in textwrap::wrap(&terminal(text), options) {
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// A group as it is shown: its first finding, and of how many records it is.
fn shown(group: &Group<'_>, (source, line): (&str, u64)) -> Shown {
    let finding = group.finding;
    let spot = &finding.spot;
    let mut message = terminal(&finding.message).into_owned();
    if group.records > 1 {
        let records = of(group.records, "record");
        let locks = of(group.locks, "lock");
        message.push_str(&format!(" ({records} of {locks}, the first here)"));
    }
    let known = !spot.label.is_empty();
    let mut code = format!("{} {}", finding.code, finding.code.name());
    if let Some(lock) = finding.lock_name.as_ref().filter(|_| group.locks == 1) {
        code.push_str(&format!(" at {}", terminal(&short(lock))));
    }
    if !known {
        code.push_str(&format!(" in {}:{line}", terminal(source)));
    }
    let place = (line, spot.column);
    Shown {
        message,
        hint: terminal(&finding.hint).into_owned(),
        code: Some(code),
        severity: match finding.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
            Severity::Note => miette::Severity::Advice,
        },
        excerpt: known.then(|| Excerpt::new(source, place, &spot.excerpt, &spot.mark, spot.label)),
    }
}
