//! A page, and the list of topics, as plain text.

use std::fmt::Write as _;

use super::{Kind, Page, PageEntry, Records, RowEntry, Topic};
use crate::incident::catalogue::{Label, Language, label};

const WIDTH: usize = 88;

/// The page as text for people.
pub fn text(page: &Page, language: Language) -> String {
    let mut out = String::new();
    for (n, entry) in page.entries.iter().enumerate() {
        if n > 0 {
            out.push('\n');
        }
        one(&mut out, entry, language);
    }
    out
}

/// All topics by kind, as text for people.
pub fn list(topics: &[Topic], language: Language) -> String {
    let mut out = String::new();
    let width = topics
        .iter()
        .map(|topic| topic.name.len())
        .max()
        .unwrap_or(0);
    let mut last = None;
    for topic in topics {
        if last != Some(topic.kind) {
            let gap = if last.is_some() { "\n" } else { "" };
            let _ = writeln!(out, "{gap}{}", kind(topic.kind, language));
            last = Some(topic.kind);
        }
        let _ = writeln!(out, "  {:width$}  {}", topic.name, topic.title);
    }
    out
}

fn kind(kind: Kind, language: Language) -> &'static str {
    let name = match kind {
        Kind::Class => Label::Class,
        Kind::Variant => Label::Variant,
        Kind::Status => Label::Status,
        Kind::Outcome => Label::Outcome,
        Kind::Assumption => Label::Assumes,
        Kind::Role => Label::Role,
        Kind::Caution => Label::Caution,
        Kind::Withheld => Label::WithheldReason,
        Kind::Origin => Label::Origin,
        Kind::Event => Label::Event,
        Kind::Result => Label::Result,
        Kind::Synonym => Label::Synonyms,
        Kind::Field => Label::Field,
        Kind::ExitCode => Label::ExitCode,
        Kind::LintCode => {
            return match language {
                Language::En => "Lint code",
                Language::Ru => "Код lint",
            };
        }
    };
    label(language, name)
}

fn one(out: &mut String, entry: &PageEntry, language: Language) {
    let heading = match entry.kind {
        Kind::Variant | Kind::Class => format!("{}: {}", entry.name, entry.title),
        _ if entry.title == entry.name => entry.name.clone(),
        _ => format!("{}: {}", entry.name, entry.title),
    };
    let _ = writeln!(
        out,
        "{heading}  ({})",
        kind(entry.kind, language).to_lowercase()
    );
    for paragraph in &entry.meaning {
        out.push('\n');
        wrapped(out, "  ", "  ", paragraph);
    }
    for fact in entry.facts.iter().filter(|fact| !fact.values.is_empty()) {
        let _ = writeln!(out, "\n{}", fact.label);
        for value in &fact.values {
            wrapped(out, "  - ", "    ", value);
        }
    }
    if !entry.rows.is_empty() {
        let _ = writeln!(out, "\n{}", label(language, Label::Rows));
        wrapped(out, "  ", "  ", label(language, Label::RowLetters));
        for row in &entry.rows {
            row_text(out, row, language);
        }
    }
    records(out, entry.example.as_ref(), Label::Example, language);
    records(out, entry.near_miss.as_ref(), Label::NearMiss, language);
    if !entry.see_also.is_empty() {
        let _ = writeln!(out, "\n{}", label(language, Label::SeeAlso));
        wrapped(out, "  ", "  ", &entry.see_also.join(", "));
    }
}

fn row_text(out: &mut String, row: &RowEntry, language: Language) {
    wrapped(out, "  - ", "    ", &row.when);
    let say = |out: &mut String, name: Label, values: &[String], separator: &str| {
        if !values.is_empty() {
            let line = format!("{}: {}", label(language, name), values.join(separator));
            wrapped(out, "    ", "      ", &line);
        }
    };
    say(out, Label::Status, &row.status, " / ");
    say(out, Label::Outcome, std::slice::from_ref(&row.outcome), "");
    say(out, Label::Assumes, &row.assumes, ", ");
    say(out, Label::Missing, &row.missing, ", ");
    say(out, Label::Candidates, &row.candidates, ", ");
    say(out, Label::Case, std::slice::from_ref(&row.id), "");
}

fn records(out: &mut String, records: Option<&Records>, name: Label, language: Language) {
    let Some(records) = records else { return };
    let _ = writeln!(out, "\n{}", label(language, name));
    for line in &records.lines {
        let _ = writeln!(out, "  {line}");
    }
    if let Some(note) = &records.note {
        wrapped(out, "  ", "  ", note);
    }
}

/// Breaks a paragraph at spaces. A word longer than the line stays whole.
fn wrapped(out: &mut String, first: &str, rest: &str, text: &str) {
    let mut column = first.chars().count();
    out.push_str(first);
    for (n, word) in text.split_whitespace().enumerate() {
        let width = word.chars().count();
        if n > 0 && column + 1 + width > WIDTH {
            out.push('\n');
            out.push_str(rest);
            column = rest.chars().count();
        } else if n > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out.push('\n');
}
