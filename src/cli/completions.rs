//! `completions`: a script that completes commands and options in a shell.

use std::io::{self, Write};

use clap::Args;
use clap_complete::Shell;

use super::exit::{Exit, Stop};

/// Write a completion script for a shell to standard output
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(super) fn run(args: &CompletionsArgs) -> Result<Exit, Stop> {
    // Through memory: the generator panics where a write fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::command(), "lockdiag", &mut script);
    let mut stdout = io::stdout();
    stdout
        .write_all(&script)
        .and_then(|()| stdout.flush())
        .map_err(|error| Stop::writing("standard output", &error))?;
    Ok(Exit::Done)
}
