//! The command line: one file a command.
//!
//! Commands return how they end and never end the process themselves. Environment,
//! terminal and locale are asked here and nowhere else.

mod args;
mod classify;
mod completions;
mod evidence;
pub mod exit;
mod explain;
mod files;
mod filter;
mod lint;
mod man;
mod map;
mod mapping;
mod number;
mod observers;
mod output;
mod progress;
mod report;
mod schema;
mod simulate;
mod size;
mod terminal;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

pub use args::Cli;
use args::{Command, Global};
use exit::{Exit, Stop};
use terminal::Terminal;

/// Runs the tool with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(stop) = usage::told(&error) {
                return end(stop, &Terminal::new(&Global::default()));
            }
            // Help and version are an answer and go to standard output. Where even that
            // is closed, nothing is left to tell.
            let _ = error.print();
            return match error.exit_code() {
                0 => Exit::Done.into(),
                _ => Exit::Unusable.into(),
            };
        }
    };
    let terminal = Terminal::new(&cli.global);
    let result = match &cli.command {
        Command::Classify(args) => classify::run(args, &terminal),
        Command::Report(args) => report::run(args, &terminal),
        Command::Lint(args) => lint::run(args, &terminal),
        Command::Explain(args) => explain::run(args, &terminal),
        Command::Schema(args) => schema::run(args),
        Command::Map(args) => map::run(args, &terminal),
        Command::Simulate(args) => simulate::run(args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    };
    match result {
        Ok(exit) => exit.into(),
        Err(stop) => end(stop, &terminal),
    }
}

/// Tells why a run ended early, and ends it.
fn end(stop: Stop, terminal: &Terminal) -> ExitCode {
    match stop {
        Stop::ClosedPipe => Exit::Done.into(),
        Stop::Because {
            message,
            hint,
            exit,
        } => {
            terminal.error(&message, hint.as_deref());
            exit.into()
        }
    }
}

/// The whole command, for help, completions and the man page.
fn command() -> clap::Command {
    Cli::command()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_command_is_well_formed() {
        super::command().debug_assert();
    }
}
