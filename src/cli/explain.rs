//! `explain`: what a name means that stands in an output, a record or a message.

use std::io::{self, Write};

use clap::{Args, ValueEnum};

use super::exit::{Exit, Stop};
use super::terminal::Terminal;
use crate::escape;
use crate::explain::{self, UnknownTopic};
use crate::incident::catalogue::Language;

/// Say what a name means: a class, a variant, a caution, a field, a lint code
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
    /// For programs, in English
    Json,
}

pub(super) fn run(args: &ExplainArgs, terminal: &Terminal) -> Result<Exit, Stop> {
    let mut out = Vec::new();
    let language = match args.format {
        Form::Text => terminal.stdout.language,
        Form::Json => Language::En,
    };
    let failed = |error: io::Error| Stop::writing("standard output", &error);
    match (&args.name, args.format) {
        (None, Form::Text) => {
            out.extend(explain::list(&explain::topics(language), language).bytes())
        }
        (None, Form::Json) => escape::json(&mut out, &explain::topics(language)).map_err(failed)?,
        (Some(name), form) => {
            let page = find(name, language)?;
            match form {
                Form::Text => out.extend(explain::text(&page, language).bytes()),
                Form::Json => escape::json(&mut out, &page).map_err(failed)?,
            }
        }
    }
    if args.format == Form::Json {
        out.push(b'\n');
    }
    let mut stdout = io::stdout();
    stdout
        .write_all(&out)
        .and_then(|()| stdout.flush())
        .map_err(failed)?;
    Ok(Exit::Done)
}

/// The page of a name. `class/variant` is understood, since incidents are named so.
fn find(name: &str, language: Language) -> Result<explain::Page, Stop> {
    let last = name.rsplit('/').next().unwrap_or(name);
    explain::explain(last, language).map_err(|UnknownTopic { nearest, .. }| {
        let stop = Stop::unusable(format!("`{name}` names nothing that is explained here"));
        match nearest.first() {
            Some(nearest) => stop.hint(format!(
                "did you mean `{nearest}`? `lockdiag explain` lists the names"
            )),
            None => stop.hint("`lockdiag explain` lists the names"),
        }
    })
}
