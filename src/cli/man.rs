//! `man`: the manual page, of the tool or of one command.

use std::io::{self, Write};

use clap::Args;
use clap_mangen::Man;

use super::exit::{Exit, Stop};
use super::usage;

/// Write the manual page to standard output, in roff
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The command whose page it is; without it, the page of the tool
    command: Option<String>,
}

pub(super) fn run(args: &ManArgs) -> Result<Exit, Stop> {
    let mut tool = super::command();
    tool.build();
    let page = match &args.command {
        None => tool,
        Some(name) => page(&tool, name)?,
    };
    let mut stdout = io::stdout();
    Man::new(page)
        .render(&mut stdout)
        .and_then(|()| stdout.flush())
        .map_err(|error| Stop::writing("standard output", &error))?;
    Ok(Exit::Done)
}

fn page(tool: &clap::Command, name: &str) -> Result<clap::Command, Stop> {
    let Some(found) = tool.find_subcommand(name) else {
        return Err(Stop::unusable(format!("there is no command `{name}`"))
            .hint(usage::command_hint(tool, name)));
    };
    // A page of its own is called `lockdiag-classify`, as git's are.
    Ok(found
        .clone()
        .name(format!("lockdiag-{name}"))
        .version(env!("CARGO_PKG_VERSION"))
        .bin_name(format!("lockdiag {name}")))
}
