//! The report as one HTML file: no request, no script, readable on paper.

// Writing to a String cannot fail, so its results are let go throughout.
macro_rules! put {
    ($page:expr, $($arg:tt)*) => {{ let _ = writeln!($page.out, $($arg)*); }};
}

mod closing;
mod headlines;
mod incidents;
mod legend;
mod shows;
mod timelines;

use std::fmt::Write as _;
use std::io;

use base64::Engine as _;
use sha2::{Digest, Sha256};

use super::model::Report;
use super::text::{Piece, Text};
use super::view::{self, Table};
use super::words::words;
use crate::escape::{json_in_html, xml};
use crate::incident::catalogue::{self, Label, Language};
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
}
