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
mod heap;
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
mod target;
mod terminal;
mod usage;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::builder::StyledStr;
use clap::{CommandFactory, Parser};

pub use args::Cli;
use args::{Command, Global};
use exit::{Exit, Stop};
use terminal::Terminal;

/// Runs the tool with these arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // What is wrong with the others is told in the colours that were asked for.
            let terminal = Terminal::new(&Global::among(&arguments));
            return match usage::told(&error) {
                Some(stop) => end(stop, &terminal),
                None => answer(&error, &terminal),
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

/// Writes help or the version. Asked for, they are an answer and go to standard output;
/// where a command was called with nothing, they say what is missing.
fn answer(error: &clap::Error, terminal: &Terminal) -> ExitCode {
    let text = error.render();
    if error.use_stderr() {
        let text = colored(&text, terminal.stderr.colored);
        // Where standard error is closed there is nobody left to tell.
        let _ = io::stderr().write_all(text.as_bytes());
        return Exit::Unusable.into();
    }
    let text = colored(&text, terminal.stdout.colored);
    let mut stdout = io::stdout();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Ok(()) => Exit::Done.into(),
        Err(error) => end(Stop::writing("standard output", &error), terminal),
    }
}

/// What clap has to say, with its colours or without.
fn colored(text: &StyledStr, colored: bool) -> String {
    if colored {
        text.ansi().to_string()
    } else {
        text.to_string()
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
