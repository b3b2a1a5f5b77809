//! The command line tool: parse, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    lockdiag::cli::run(std::env::args_os())
}
