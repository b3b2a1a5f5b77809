//! The report as one HTML file: no request, no script, readable on paper.

use std::fmt::Write as _;
use std::io;

use base64::Engine as _;
use sha2::{Digest, Sha256};

use super::model::{Group, Incident, Report, Timeline};
use super::picture::layout::{Drawing, Shape};
use super::picture::{lay_out, story, svg};
use super::text::{Piece, Text};
use super::view::{self, Table};
use super::words::{fill, words};
use crate::escape::{json_in_html, xml};
use crate::incident::catalogue::{self, Label, Language, Noun};
use crate::incident::{Outcome, Status};

const STYLE: &str = include_str!("style.css");

/// Names up to this length stay on one line.
const SHORT: usize = 14;

/// The report as a page. `data` is the same report in the language of machines, which is
/// embedded as JSON.
///
/// # Errors
/// Where the data can't be written as JSON.
pub fn render(report: &Report, data: &Report, language: Language) -> io::Result<String> {
    let mut page = Page {
        out: String::with_capacity(1 << 16),
        report,
        language,
    };
    page.head();
    page.body();
    let data = json_in_html(data)?;
    page.end(&data);
    Ok(page.out)
}

/// A text as inline HTML.
pub fn inline(text: &Text) -> String {
    let mut out = String::new();
    for piece in text.pieces() {
        match piece {
            Piece::Words(words) => {
                for (at, part) in words.split('`').enumerate() {
                    if at % 2 == 1 {
                        name(part, &mut out);
                    } else {
                        out.push_str(&xml(part));
                    }
                }
            }
            Piece::Name(one) => name(one, &mut out),
        }
    }
    out
}

/// A name: set apart, so that what is written from right to left stays by itself.
fn name(name: &str, out: &mut String) {
    let name = if name.is_empty() { "\"\"" } else { name };
    // A short name is never broken over two lines.
    let short = name.chars().count() <= SHORT;
    out.push_str(if short {
        "<code class=\"short\"><bdi>"
    } else {
        "<code><bdi>"
    });
    out.push_str(&xml(name));
    out.push_str("</bdi></code>");
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

/// The parts of the page: an id, and a heading.
const PARTS: [(&str, Label); 8] = [
    ("in-short", Label::Headline),
    ("incidents", Label::Incidents),
    ("shows", Label::WhatItShows),
    ("does-not-show", Label::WhatItDoesNotShow),
    ("record-next", Label::RecordNextTime),
    ("timeline", Label::Timeline),
    ("for-people", Label::ForPeople),
    ("provenance", Label::Provenance),
];

/// How badly something went, as a class of the style sheet and a sign that needs no
/// colour.
fn grade(status: Status, outcome: Outcome) -> (&'static str, &'static str) {
    match (status, outcome) {
        (Status::Undecided, _) => ("undecided", "?"),
        (_, Outcome::Breached) => ("breached", "✖"),
        (_, Outcome::Exposed) => ("exposed", "▲"),
        (_, Outcome::Unknown) => ("unknown", "?"),
        (_, Outcome::Guarded) => ("guarded", "✔"),
    }
}

impl Page<'_> {
    fn label(&self, label: Label) -> &'static str {
        catalogue::label(self.language, label)
    }

    fn head(&mut self) {
        let style = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE));
        let title = xml(self.label(Label::ReportTitle));
        put!(
            self,
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{style}'; img-src data:; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"generator\" content=\"{}\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>",
            self.language.tag(),
            xml(&self.report.provenance.tool),
        );
    }

    fn body(&mut self) {
        let words = words(self.language);
        put!(
            self,
            "<body>\n<a class=\"skip\" href=\"#report\">{}</a>",
            xml(words.skip)
        );
        put!(
            self,
            "<header>\n<h1>{}</h1>\n<p class=\"subtitle\">{}</p>",
            xml(self.label(Label::ReportTitle)),
            xml(words.subtitle)
        );
        put!(
            self,
            "<p class=\"counts\">{}</p>",
            xml(&view::counts(self.report, self.language))
        );
        put!(
            self,
            "</header>\n<nav aria-label=\"{}\">\n<ul>",
            xml(words.contents)
        );
        for (id, label) in PARTS {
            put!(
                self,
                "<li><a href=\"#{id}\">{}</a></li>",
                xml(self.label(label))
            );
        }
        put!(self, "</ul>\n</nav>\n<main id=\"report\" tabindex=\"-1\">");
        self.headlines();
        self.incidents();
        self.shows();
        self.does_not_show();
        self.record_next();
        self.timelines();
        self.people();
        put!(self, "</main>");
    }

    fn section(&mut self, part: usize) {
        if let Some((id, label)) = PARTS.get(part) {
            put!(
                self,
                "<section id=\"{id}\" aria-labelledby=\"{id}-title\">\n<h2 id=\"{id}-title\">{}</h2>",
                xml(self.label(*label))
            );
        }
    }

    fn list(&mut self, texts: &[Text]) {
        put!(self, "<ul>");
        for text in texts {
            put!(self, "<li>{}</li>", inline(text));
        }
        put!(self, "</ul>");
    }

    fn more(&mut self, text: &str) {
        put!(self, "<p class=\"more\">{}</p>", inline(&Text::words(text)));
    }

    /// A table in a box of its own, which scrolls where the page is narrow.
    fn table(&mut self, table: &Table, class: &str) {
        let name = xml(&table.caption.plain()).into_owned();
        put!(
            self,
            "<div class=\"wide\" role=\"region\" aria-label=\"{name}\" tabindex=\"0\">\n<table class=\"{class}\">\n<caption>{}</caption>\n<thead><tr>",
            inline(&table.caption)
        );
        for head in &table.head {
            put!(self, "<th scope=\"col\">{}</th>", xml(head));
        }
        put!(self, "</tr></thead>\n<tbody>");
        for row in &table.rows {
            self.out.push_str("<tr>");
            for (at, cell) in row.iter().enumerate() {
                let cell = inline(cell);
                if at == 0 {
                    let _ = write!(self.out, "<th scope=\"row\">{cell}</th>");
                } else {
                    let _ = write!(self.out, "<td>{cell}</td>");
                }
            }
            put!(self, "</tr>");
        }
        put!(self, "</tbody>\n</table>\n</div>");
    }

    fn chip(&self, status: Status, outcome: Outcome) -> String {
        let (class, sign) = grade(status, outcome);
        let status_name = catalogue::status(self.language, status).name;
        let text = match status {
            Status::Undecided => status_name.to_owned(),
            _ => format!(
                "{}, {status_name}",
                catalogue::outcome(self.language, outcome).name
            ),
        };
        format!(
            "<span class=\"chip {class}\"><span aria-hidden=\"true\">{sign}</span> {}</span>",
            xml(&text)
        )
    }

    fn headlines(&mut self) {
        let report = self.report;
        let words = words(self.language);
        self.section(0);
        put!(self, "<ul class=\"headlines\">");
        for one in &report.headlines {
            let (class, _) = grade(one.status, one.outcome);
            let chip = self.chip(one.status, one.outcome);
            let text = inline(&one.text);
            put!(self, "<li class=\"{class}\">{chip} <p>{text}");
            if one.incident > 0 {
                let title = fill(words.incident, &[&one.incident.to_string()]);
                put!(
                    self,
                    " <a href=\"#incident-{}\">{}</a>",
                    one.incident,
                    xml(&title)
                );
            }
            put!(self, "</p></li>");
        }
        if report.quiet_locks > 0 || report.headlines.is_empty() {
            let locks = catalogue::count(self.language, report.quiet_locks, Noun::Lock);
            put!(
                self,
                "<li class=\"quiet\"><p>{}</p></li>",
                xml(&fill(words.quiet, &[&locks]))
            );
        }
        put!(self, "</ul>");
        if report.more_headlines > 0 {
            let locks = catalogue::count(self.language, report.more_headlines, Noun::Lock);
            self.more(&fill(words.more, &[&locks]));
        }
        if !report.cautions.is_empty() {
            put!(
                self,
                "<aside aria-labelledby=\"cautions\"><h3 id=\"cautions\">{}</h3>",
                xml(self.label(Label::Cautions))
            );
            self.list(&report.cautions);
            if report.more_cautions > 0 {
                self.more(&fill(words.more, &[&report.more_cautions.to_string()]));
            }
            put!(self, "</aside>");
        }
        put!(self, "</section>");
    }

    fn incidents(&mut self) {
        let report = self.report;
        self.section(1);
        if report.groups.is_empty() {
            put!(self, "<p>{}.</p>", xml(self.label(Label::NoIncident)));
        }
        for group in &report.groups {
            self.group(group);
        }
        put!(self, "</section>");
    }

    fn group(&mut self, group: &Group) {
        let (class, _) = grade(group.status, group.outcome);
        put!(
            self,
            "<div class=\"group {class}\">\n<h3>{} {}</h3>\n<p class=\"names\">{}/{}</p>",
            xml(group.title),
            self.chip(group.status, group.outcome),
            group.class,
            group.variant
        );
        for incident in &group.incidents {
            self.incident(incident, group.incidents.len() == 1);
        }
        if group.more > 0 {
            self.more(&fill(
                words(self.language).more_incidents,
                &[&group.more.to_string()],
            ));
        }
        if group.incidents.len() > 1 {
            put!(self, "<h4>{}</h4>", xml(words(self.language).for_all));
        }
        put!(self, "<dl class=\"advice\">");
        let next = inline(&group.next_action);
        put!(
            self,
            "<div class=\"next\"><dt>{}</dt><dd>{next}</dd></div>",
            xml(self.label(Label::NextAction))
        );
        let boundary = inline(&group.boundary);
        put!(
            self,
            "<div><dt>{}</dt><dd>{boundary}</dd></div>",
            xml(self.label(Label::Boundary))
        );
        for (label, texts) in [
            (Label::Check, &group.check),
            (Label::NotCovered, &group.not_covered),
        ] {
            put!(self, "<div><dt>{}</dt><dd>", xml(self.label(label)));
            self.list(texts);
            put!(self, "</dd></div>");
        }
        put!(self, "</dl>\n</div>");
    }

    fn incident(&mut self, incident: &Incident, open: bool) {
        let words = words(self.language);
        let number = incident.number;
        let title = fill(words.incident, &[&number.to_string()]);
        put!(
            self,
            "<article id=\"incident-{number}\" aria-labelledby=\"incident-{number}-title\">\n<h4 id=\"incident-{number}-title\"><span class=\"ordinal\">{}</span> {}</h4>",
            xml(&title),
            inline(&incident.headline)
        );
        put!(
            self,
            "<p>{} <span class=\"id\">{}</span></p>",
            inline(&incident.story),
            xml(&incident.id)
        );
        // One incident is told openly; of many, each is unfolded by whoever wants it.
        let open = if open { " open" } else { "" };
        put!(
            self,
            "<details{open}><summary>{}</summary>\n<dl class=\"facts\">",
            xml(words.details)
        );
        let facts = view::facts(incident, self.language);
        let mut last = "";
        for (name, value) in &facts {
            if *name != last {
                if !last.is_empty() {
                    put!(self, "</div>");
                }
                put!(self, "<div><dt>{}</dt>", xml(name));
                last = name;
            }
            put!(self, "<dd>{}</dd>", inline(value));
        }
        put!(
            self,
            "{}</dl>",
            if facts.is_empty() { "" } else { "</div>" }
        );
        let mut table = view::evidence(incident, self.report, self.language);
        table.caption = table.caption.and(&format!(" ({})", title));
        self.table(&table, "evidence");
        put!(self, "</details>\n</article>");
    }

    fn shows(&mut self) {
        self.section(2);
        self.list(&self.report.shows);
        put!(self, "</section>");
    }

    fn does_not_show(&mut self) {
        self.section(3);
        self.list(&self.report.does_not_show);
        let table = view::coverage(self.report, self.language);
        put!(self, "<h3>{}</h3>", xml(self.label(Label::Coverage)));
        self.table(&table, "coverage");
        put!(self, "</section>");
    }

    fn record_next(&mut self) {
        let words = words(self.language);
        self.section(4);
        if self.report.record_next.is_empty() {
            put!(self, "<p>{}</p>", xml(words.nothing_missing));
        } else {
            put!(self, "<ul>");
            for one in &self.report.record_next {
                let text = view::record_next(one, self.language);
                put!(self, "<li>{}</li>", inline(&text));
            }
            put!(self, "</ul>");
        }
        put!(self, "</section>");
    }

    fn timelines(&mut self) {
        let report = self.report;
        self.section(5);
        let incidents: Vec<&Incident> = report.incidents().collect();
        let drawn: Vec<(&Timeline, Vec<Drawing>)> = report
            .timelines
            .iter()
            .map(|one| (one, lay_out(&story::read(one, &incidents), &one.columns)))
            .collect();
        if !drawn.is_empty() {
            self.legend(drawn.iter().flat_map(|(_, parts)| parts));
        } else {
            put!(self, "<p>{}</p>", xml(self.label(Label::None)));
        }
        for (index, (timeline, parts)) in drawn.iter().enumerate() {
            self.timeline(timeline, parts, index + 1);
        }
        if report.more_timelines > 0 {
            let locks = catalogue::count(self.language, report.more_timelines, Noun::Lock);
            self.more(&fill(words(self.language).more_timelines, &[&locks]));
        }
        put!(self, "</section>");
    }

    fn timeline(&mut self, timeline: &Timeline, parts: &[Drawing], number: usize) {
        let words = words(self.language);
        let lock = inline(&Text::name(&timeline.lock_name));
        put!(
            self,
            "<h3>{lock}</h3>\n<p>{}</p>",
            inline(&view::order(timeline, self.language))
        );
        for (at, drawing) in parts.iter().enumerate() {
            let id = format!("t{number}-{}", at + 1);
            let part = fill(
                words.part,
                &[&(at + 1).to_string(), &parts.len().to_string()],
            );
            let name = Text::words(words.picture)
                .and(": ")
                .and(&timeline.lock_name)
                .and(", ")
                .and(&part);
            put!(
                self,
                "<div class=\"wide picture\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">",
                xml(&name.plain())
            );
            if parts.len() > 1 {
                put!(self, "<p class=\"part\">{}</p>", xml(&part));
            }
            put!(
                self,
                "{}\n</div>",
                svg::svg(drawing, timeline, self.language, &id)
            );
        }
        put!(
            self,
            "<details><summary>{}</summary>",
            xml(self.label(Label::AsTable))
        );
        self.table(&view::timeline(timeline, self.language), "steps");
        put!(self, "</details>");
    }

    /// What the marks mean, as far as they occur.
    fn legend<'d>(&mut self, drawings: impl Iterator<Item = &'d Drawing>) {
        let words = words(self.language);
        let mut shapes = std::collections::BTreeSet::new();
        let (mut open, mut arrows, mut removals, mut breaks, mut lines) =
            (false, false, false, false, false);
        for drawing in drawings {
            shapes.extend(drawing.marks.iter().map(|mark| mark.shape));
            open |= drawing
                .bars
                .iter()
                .any(|bar| bar.open_start || bar.open_end);
            arrows |= drawing.arrows.iter().any(|arrow| !arrow.removal);
            removals |= drawing.arrows.iter().any(|arrow| arrow.removal);
            breaks |= !drawing.breaks.is_empty();
            lines |= !drawing.lines.is_empty();
        }
        put!(
            self,
            "<details class=\"legend\" open><summary>{}</summary>\n<ul>",
            xml(words.legend)
        );
        for shape in shapes {
            put!(
                self,
                "<li>{}<span>{}</span></li>",
                svg::symbol(shape),
                xml(self.shape(shape))
            );
        }
        for (shown, key, text) in [
            (true, "lease", words.legend_lease),
            (open, "open", words.legend_open),
            (lines, "highest", self.label(Label::HighestToken)),
            (arrows, "meeting", words.legend_arrow),
            (removals, "removal", words.legend_removed),
            (breaks, "tear", words.legend_gap),
        ] {
            if shown {
                let inside = match key {
                    "lease" => {
                        "<rect class=\"bar\" x=\"2\" y=\"5\" width=\"26\" height=\"12\"/><path class=\"edge\" d=\"M2 5H28V17H2Z\"/>"
                    }
                    "open" => {
                        "<rect class=\"bar open-end\" x=\"2\" y=\"5\" width=\"26\" height=\"12\"/><path class=\"edge\" d=\"M28 5H2V17H28\"/>"
                    }
                    "highest" => "<polyline class=\"highest\" points=\"2,17 15,17 15,6 28,6\"/>",
                    "meeting" => {
                        "<path class=\"meeting\" d=\"M28 17Q15 -2 4 14\"/><path class=\"tip\" d=\"M2 17L3 9L9 13Z\"/>"
                    }
                    "removal" => {
                        "<path class=\"removal\" d=\"M15 3V14\"/><path class=\"tip\" d=\"M11 13H19L15 20Z\"/>"
                    }
                    _ => "<path class=\"tear\" d=\"M10 2l4 5l-4 5l4 5M20 2l4 5l-4 5l4 5\"/>",
                };
                put!(
                    self,
                    "<li><svg class=\"symbol\" width=\"30\" height=\"22\" viewBox=\"0 0 30 22\" aria-hidden=\"true\" focusable=\"false\">{inside}</svg><span>{}</span></li>",
                    xml(text)
                );
            }
        }
        put!(self, "</ul></details>");
    }

    fn shape(&self, shape: Shape) -> &'static str {
        use crate::evidence::Answer;
        let answer = |answer| catalogue::answer(self.language, answer).name;
        match shape {
            Shape::Acquired => answer(Answer::Acquired),
            Shape::Renewed => answer(Answer::Renewed),
            Shape::Expired => answer(Answer::Expired),
            Shape::Released => answer(Answer::Released),
            Shape::RefusedByAuthority => words(self.language).legend_refused,
            Shape::Nothing => answer(Answer::ReleaseNoop),
            Shape::Sent => words(self.language).legend_write,
            Shape::Accepted => answer(Answer::Accepted),
            Shape::RefusedAsStale => answer(Answer::RejectedStaleFence),
            Shape::RefusedAsDuplicate => answer(Answer::RejectedDuplicate),
            Shape::RefusedOtherwise => answer(Answer::RejectedOther),
            Shape::InDoubt => answer(Answer::InDoubt),
        }
    }

    fn people(&mut self) {
        self.section(6);
        put!(
            self,
            "<p>{}</p>\n<dl class=\"blanks\">",
            xml(words(self.language).people)
        );
        let people = &self.report.for_people;
        let blank = self.label(Label::FillIn);
        for (label, value) in [
            (Label::Impact, &people.impact),
            (Label::RootCause, &people.root_cause),
            (Label::ActionOwners, &people.action_owners),
            (Label::Dates, &people.dates),
        ] {
            let value = value.as_deref().unwrap_or(blank);
            put!(
                self,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                xml(self.label(label)),
                xml(value)
            );
        }
        put!(self, "</dl>\n</section>");
    }

    fn end(&mut self, data: &str) {
        let provenance = &self.report.provenance;
        let words = words(self.language);
        put!(self, "<footer>");
        self.section(7);
        put!(self, "<dl class=\"facts\">");
        for (name, value) in view::origins(provenance, self.language) {
            put!(
                self,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                xml(name),
                inline(&value)
            );
        }
        put!(self, "</dl>");
        self.table(&view::inputs(provenance, self.language), "inputs");
        if provenance.more_inputs > 0 {
            let inputs = catalogue::count(self.language, provenance.more_inputs, Noun::Input);
            self.more(&fill(words.more, &[&inputs]));
        }
        put!(
            self,
            "<h3>{}</h3>\n<p>{}</p>\n</section>\n</footer>",
            xml(words.as_data),
            xml(words.as_data_means)
        );
        put!(
            self,
            "<script type=\"application/json\" id=\"report-data\">{data}</script>\n</body>\n</html>"
        );
    }
}
