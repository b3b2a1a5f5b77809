//! `explain`: what a class, a variant, a field, an answer or an exit code means.

mod topic;

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write};

use clap::{Args, ValueEnum};

use super::exit::{Exit, Stop};
use super::terminal::Terminal;
use crate::escape;
use crate::incident::catalogue::{self, Language};
use topic::{Kind, Page, topics};

/// Say what a class, a variant, a field, an answer or an exit code means
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The name, as it stands in an incident, a record or a message; without it, the list
    name: Option<String>,
    /// The form of the answer
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = Form::Text)]
    format: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// For people
    Text,
    /// For programs: an array of pages, in English
    Json,
}

pub(super) fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Stop> {
    let language = match args.format {
        Form::Text => terminal.stdout.language,
        Form::Json => Language::En,
    };
    let mut pages = topics(language);
    if let Some(name) = &args.name {
        pages = find(pages, name)?;
    }
    let mut out = BufWriter::new(io::stdout());
    let written = match (args.format, &args.name) {
        (Form::Json, _) => json(&pages, &mut out),
        (Form::Text, None) => list(&pages, terminal, &mut out),
        (Form::Text, Some(_)) => text(&pages, terminal, &mut out),
    };
    written
        .and_then(|()| out.flush())
        .map_err(|error| Stop::writing("standard output", &error))?;
    Ok(Exit::Done)
}

/// The pages of that name. `class/variant` is understood as incidents write it, and
/// case, `_` and `-` do not matter.
fn find(pages: Vec<Page>, name: &str) -> Result<Vec<Page>, Stop> {
    let wanted = plain(name.rsplit('/').next().unwrap_or(name));
    let (found, others): (Vec<Page>, Vec<Page>) = pages
        .into_iter()
        .partition(|page| page.names().any(|name| plain(name) == wanted));
    if !found.is_empty() {
        return Ok(found);
    }
    let known: BTreeSet<&str> = others.iter().flat_map(Page::names).collect();
    let nearest = known
        .into_iter()
        .map(|known| (strsim::jaro_winkler(&plain(known), &wanted), known))
        .filter(|(score, _)| *score >= 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let stop = Stop::unusable(format!("`{name}` names nothing that is explained here"));
    Err(match nearest {
        Some((_, name)) => stop.hint(format!("did you mean `{name}`?")),
        None => stop.hint("`lockdiag explain` lists the names"),
    })
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| *c != '-' && *c != '_')
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

fn json(pages: &[Page], out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, page) in pages.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        escape::json(out, page)?;
    }
    out.write_all(b"\n]\n")
}

fn list(pages: &[Page], terminal: &Terminal, out: &mut dyn Write) -> io::Result<()> {
    let style = &terminal.stdout;
    let mut kind = None;
    for page in pages {
        if kind != Some(page.kind) {
            if kind.is_some() {
                writeln!(out)?;
            }
            kind = Some(page.kind);
            style.title(page.kind.heading(style.language), out)?;
        }
        let indent = if page.kind == Kind::Variant { 4 } else { 2 };
        style.entry(indent, &page.name, &page.title, out)?;
    }
    Ok(())
}

fn text(pages: &[Page], terminal: &Terminal, out: &mut dyn Write) -> io::Result<()> {
    let style = &terminal.stdout;
    for (index, page) in pages.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        let heading = format!("{}: {}", page.name, page.kind.one(style.language));
        style.title(&heading, out)?;
        style.paragraph(&page.title, out)?;
        for part in &page.parts {
            let label = catalogue::label(style.language, part.label);
            style.items(label, &part.texts, out)?;
        }
    }
    Ok(())
}
