//! `schema`: the JSON Schema of what is read and written.

use std::io::{self, Write};

use clap::Args;

use super::args::named;
use super::exit::{Exit, Stop};
use crate::schema::Name;

/// Write a JSON Schema to standard output
///
/// JSON Schema 2020-12 of the evidence record, of what the commands write as JSON, and of
/// the configuration.
#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Of what
    #[arg(value_parser = named(Name::ALL.map(Name::name), Name::from_name))]
    name: Name,
}

pub(super) fn run(args: &SchemaArgs) -> Result<Exit, Stop> {
    let mut out = io::stdout();
    out.write_all(crate::schema::text(args.name).as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| Stop::writing("standard output", &error))?;
    Ok(Exit::Done)
}
