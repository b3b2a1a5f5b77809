//! The report as Markdown, to be pasted into an incident document.

use std::fmt::Write as _;

use super::model::{Group, Incident, Report};
use super::strip::strip;
use super::text::{Piece, Text};
use super::view::{self, Table};
use super::words::{fill, words};
use crate::escape::{markdown_cell, markdown_fence, markdown_name, markdown_words};
use crate::incident::catalogue::{self, Label, Language, Noun};

/// The report as Markdown.
pub fn render(report: &Report, language: Language) -> String {
    let mut page = Page {
        out: String::new(),
        report,
        language,
    };
    page.write();
    page.out
}

/// A text as inline Markdown.
pub fn inline(text: &Text) -> String {
    with_names(text, markdown_name)
}

/// The same inside a table.
fn cell(text: &Text) -> String {
    with_names(text, markdown_cell)
}

fn with_names(text: &Text, of_name: impl Fn(&str) -> String) -> String {
    text.pieces()
        .iter()
        .map(|piece| match piece {
            Piece::Words(words) => spans(words),
            Piece::Name(name) => of_name(name),
        })
        .collect()
}

/// Words of the catalogue: what stands between backticks there is a code span here too.
fn spans(words: &str) -> String {
    let mut out = String::new();
    for (at, part) in words.split('`').enumerate() {
        if at % 2 == 1 {
            out.push_str(&markdown_name(part));
        } else {
            out.push_str(&markdown_words(part));
        }
    }
    out
}

struct Page<'p> {
    out: String,
    report: &'p Report,
    language: Language,
}

// Writing to a String cannot fail, so its results are let go throughout.
macro_rules! put {
    ($page:expr, $($arg:tt)*) => {{ let _ = writeln!($page.out, $($arg)*); }};
}

impl Page<'_> {
    fn label(&self, label: Label) -> &'static str {
        catalogue::label(self.language, label)
    }

    fn write(&mut self) {
        let words = words(self.language);
        put!(
            self,
            "# {}\n",
            markdown_words(self.label(Label::ReportTitle))
        );
        put!(self, "{}.\n", markdown_words(words.subtitle));
        self.headlines();
        self.incidents();
        self.limits();
        self.record_next();
        self.timelines();
        self.people();
        self.provenance();
    }

    fn heading(&mut self, level: usize, text: &str) {
        put!(self, "{} {text}\n", "#".repeat(level));
    }

    fn list(&mut self, texts: &[Text]) {
        for text in texts {
            put!(self, "- {}", inline(text));
        }
        self.out.push('\n');
    }

    fn more(&mut self, template: &str, count: u64) {
        if count > 0 {
            put!(
                self,
                "_{}_\n",
                spans(&fill(template, &[&count.to_string()]))
            );
        }
    }

    fn table(&mut self, table: &Table) {
        let head: Vec<String> = table.head.iter().map(|head| markdown_words(head)).collect();
        put!(self, "| {} |", head.join(" | "));
        put!(self, "|{}", " --- |".repeat(head.len()));
        for row in &table.rows {
            let cells: Vec<String> = row.iter().map(cell).collect();
            put!(self, "| {} |", cells.join(" | "));
        }
        self.out.push('\n');
    }

    fn headlines(&mut self) {
        let report = self.report;
        self.heading(2, self.label(Label::Headline));
        for one in &report.headlines {
            let outcome = match one.status {
                crate::incident::Status::Undecided => catalogue::status(self.language, one.status),
                _ => catalogue::outcome(self.language, one.outcome),
            };
            put!(
                self,
                "- **{}** — {}",
                markdown_words(outcome.name),
                inline(&one.text)
            );
        }
        if report.more_headlines > 0 {
            let locks = catalogue::count(self.language, report.more_headlines, Noun::Lock);
            put!(self, "- {}", fill(words(self.language).more, &[&locks]));
        }
        if report.quiet_locks > 0 || report.headlines.is_empty() {
            let locks = catalogue::count(self.language, report.quiet_locks, Noun::Lock);
            put!(self, "- {}", fill(words(self.language).quiet, &[&locks]));
        }
        put!(self, "\n{}.\n", view::counts(report, self.language));
        if !report.cautions.is_empty() {
            self.heading(3, self.label(Label::Cautions));
            self.list(&report.cautions);
            self.more(words(self.language).more, report.more_cautions);
        }
    }

    fn incidents(&mut self) {
        let report = self.report;
        self.heading(2, self.label(Label::Incidents));
        if report.groups.is_empty() {
            put!(self, "{}.\n", self.label(Label::NoIncident));
        }
        for group in &report.groups {
            self.group(group);
        }
    }

    fn group(&mut self, group: &Group) {
        let judged = format!(
            "{}, {}",
            catalogue::status(self.language, group.status).name,
            catalogue::outcome(self.language, group.outcome).name
        );
        self.heading(
            3,
            &format!(
                "{} ({})",
                markdown_words(group.title),
                markdown_words(&judged)
            ),
        );
        put!(self, "`{}` / `{}`\n", group.class, group.variant);
        for incident in &group.incidents {
            self.incident(incident);
        }
        self.more(words(self.language).more_incidents, group.more);
        if group.incidents.len() > 1 {
            self.heading(4, words(self.language).for_all);
        }
        let boundary = inline(&group.boundary);
        put!(self, "**{}:** {boundary}\n", self.label(Label::Boundary));
        put!(self, "**{}:**\n", self.label(Label::Check));
        self.list(&group.check);
        let next = inline(&group.next_action);
        put!(self, "**{}:** {next}\n", self.label(Label::NextAction));
        put!(self, "**{}:**\n", self.label(Label::NotCovered));
        self.list(&group.not_covered);
    }

    fn incident(&mut self, incident: &Incident) {
        let title = fill(
            words(self.language).incident,
            &[&incident.number.to_string()],
        );
        let headline = inline(&incident.headline);
        self.heading(4, &format!("{title}. {headline}"));
        put!(self, "{} (`{}`)\n", inline(&incident.story), incident.id);
        for (name, value) in view::facts(incident, self.language) {
            put!(self, "- {}: {}", markdown_words(name), inline(&value));
        }
        self.out.push('\n');
        self.table(&view::evidence(incident, self.report, self.language));
    }

    fn limits(&mut self) {
        let report = self.report;
        self.heading(2, self.label(Label::WhatItShows));
        self.list(&report.shows);
        self.heading(2, self.label(Label::WhatItDoesNotShow));
        self.list(&report.does_not_show);
        self.heading(3, self.label(Label::Coverage));
        self.table(&view::coverage(report, self.language));
    }

    fn record_next(&mut self) {
        let words = words(self.language);
        self.heading(2, self.label(Label::RecordNextTime));
        for one in &self.report.record_next {
            let text = view::record_next(one, self.language);
            put!(self, "- {}", inline(&text));
        }
        if self.report.record_next.is_empty() {
            put!(self, "{}", words.nothing_missing);
        }
        self.out.push('\n');
    }

    fn timelines(&mut self) {
        let report = self.report;
        self.heading(2, self.label(Label::Timeline));
        for timeline in &report.timelines {
            self.heading(3, &markdown_name(&timeline.lock_name));
            put!(self, "{}\n", inline(&view::order(timeline, self.language)));
            let strip = strip(timeline, report, self.language);
            let fence = markdown_fence(&strip);
            put!(self, "{fence}text\n{}{fence}\n", strip);
            self.table(&view::timeline(timeline, self.language));
        }
        if report.timelines.is_empty() {
            put!(self, "{}\n", self.label(Label::None));
        }
        if report.more_timelines > 0 {
            let locks = catalogue::count(self.language, report.more_timelines, Noun::Lock);
            let more = fill(words(self.language).more_timelines, &[&locks]);
            put!(self, "_{more}_\n");
        }
    }

    fn people(&mut self) {
        self.heading(2, self.label(Label::ForPeople));
        put!(self, "{}\n", words(self.language).people);
        let blank = self.label(Label::FillIn);
        let people = &self.report.for_people;
        for (label, value) in [
            (Label::Impact, &people.impact),
            (Label::RootCause, &people.root_cause),
            (Label::ActionOwners, &people.action_owners),
            (Label::Dates, &people.dates),
        ] {
            let value = value
                .as_deref()
                .map_or_else(|| format!("_{blank}_"), markdown_words);
            put!(self, "- **{}:** {value}", self.label(label));
        }
        self.out.push('\n');
    }

    fn provenance(&mut self) {
        let provenance = &self.report.provenance;
        self.heading(2, self.label(Label::Provenance));
        for (name, value) in view::origins(provenance, self.language) {
            put!(self, "- {}: {}", markdown_words(name), inline(&value));
        }
        self.out.push('\n');
        self.table(&view::inputs(provenance, self.language));
        if provenance.more_inputs > 0 {
            let inputs = catalogue::count(self.language, provenance.more_inputs, Noun::Input);
            put!(self, "_{}_\n", fill(words(self.language).more, &[&inputs]));
        }
        while self.out.ends_with("\n\n") {
            self.out.pop();
        }
    }
}
