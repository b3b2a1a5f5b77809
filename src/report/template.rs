//! Templates of the user's own, in the language of Jinja.
//!
//! A template sees the model of [`super::model`] under the names of its JSON, and what
//! `docs/report.md` lists beside it. Whatever it shows is escaped for the format that was
//! asked for.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Error, ErrorKind, Output, State, Value};

use super::model::Report;
use super::picture::{lay_out, story, svg};
use super::strip::strip;
use super::words::words;
use crate::escape::{markdown_cell, markdown_name, terminal, xml};
use crate::incident::catalogue::Language;

/// The work that a template may do before it is stopped.
const FUEL: u64 = 20_000_000;

/// What a template writes, and so how what it shows is escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Into {
    /// Markdown: every value becomes a code span, or words with their markup escaped.
    Markdown,
    /// HTML.
    Html,
}

/// Why a template can't be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TemplateError(String);

/// Fills a template of that name with a report.
///
/// # Errors
/// [`TemplateError`] with the place in the template.
pub fn render(
    name: &str,
    source: &str,
    into: Into,
    report: &Report,
    language: Language,
) -> Result<String, TemplateError> {
    let mut environment = Environment::new();
    let syntax = SyntaxConfig::builder().keep_trailing_newline(true).build();
    environment.set_syntax(syntax.map_err(|error| TemplateError(error.to_string()))?);
    environment.set_fuel(Some(FUEL));
    environment.set_auto_escape_callback(move |_| match into {
        Into::Html => AutoEscape::Html,
        Into::Markdown => AutoEscape::Custom("markdown".into()),
    });
    environment.set_formatter(write);
    environment.set_undefined_behavior(minijinja::UndefinedBehavior::Strict);
    environment.add_filter("code", move |text: String| {
        Value::from_safe_string(match into {
            Into::Html => format!("<code>{}</code>", xml(&text)),
            Into::Markdown => markdown_name(&text),
        })
    });
    let pictures: Vec<String> = report
        .timelines
        .iter()
        .enumerate()
        .map(|(index, timeline)| {
            let incidents: Vec<_> = report.incidents().collect();
            let story = story::read(timeline, &incidents);
            lay_out(&story, &timeline.columns)
                .iter()
                .enumerate()
                .map(|(part, drawing)| {
                    let id = format!("t{}-{}", index + 1, part + 1);
                    svg::svg(drawing, timeline, language, &id)
                })
                .collect()
        })
        .collect();
    environment.add_function("picture", move |index: usize| {
        pictures
            .get(index)
            .map(|picture| Value::from_safe_string(picture.clone()))
            .ok_or_else(|| Error::new(ErrorKind::InvalidOperation, "no such timeline"))
    });
    let strips: Vec<String> = report
        .timelines
        .iter()
        .map(|timeline| strip(timeline, report, language))
        .collect();
    environment.add_function("strip", move |index: usize| {
        let strip = strips
            .get(index)
            .ok_or_else(|| Error::new(ErrorKind::InvalidOperation, "no such timeline"))?;
        Ok::<_, Error>(Value::from_safe_string(match into {
            Into::Html => xml_lines(strip),
            Into::Markdown => {
                let fence = crate::escape::markdown_fence(strip);
                format!("{fence}text\n{strip}{fence}")
            }
        }))
    });
    let fail = |error: Error| TemplateError(describe(name, &error));
    let template = environment
        .template_from_named_str(name, source)
        .map_err(fail)?;
    template
        .render(minijinja::context! {
            report => Value::from(Serde(report)),
            subtitle => words(language).subtitle,
        })
        .map_err(fail)
}

/// Lines stay lines: each is escaped on its own.
fn xml_lines(text: &str) -> String {
    text.lines()
        .map(|line| format!("{}\n", xml(line)))
        .collect()
}

/// Writes a value escaped, whatever it is.
fn write(out: &mut Output<'_>, state: &mut State<'_, '_>, value: &Value) -> Result<(), Error> {
    let text = match value.as_str() {
        Some(text) => text.to_owned(),
        None if value.is_none() => String::new(),
        None => value.to_string(),
    };
    if value.is_safe() || value.is_number() {
        return out.write_str(&text).map_err(Error::from);
    }
    let escaped = match state.auto_escape() {
        AutoEscape::Custom(_) => markdown(&text),
        _ => xml(&text).into_owned(),
    };
    out.write_str(&escaped).map_err(Error::from)
}

/// A text whose names can no longer be told from its words: each word with anything in it
/// that could be an address or markup is a code span.
fn markdown(text: &str) -> String {
    let text = terminal(text);
    let words = text.split(' ').map(|word| {
        let tame = |c: char| c.is_alphanumeric() || ",;()→–—'?".contains(c);
        let bare = word.trim_end_matches(['.', ',', ':', ';']);
        let end = word.get(bare.len()..).unwrap_or_default();
        match bare.chars().all(tame) {
            true => word.to_owned(),
            false => format!("{}{end}", markdown_cell(bare)),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn describe(name: &str, error: &Error) -> String {
    let line = error
        .line()
        .map(|line| format!(":{line}"))
        .unwrap_or_default();
    let detail = error
        .detail()
        .map(|detail| format!(": {detail}"))
        .unwrap_or_default();
    format!("{name}{line}: {}{detail}", error.kind())
}
