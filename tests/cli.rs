//! The command line as its users meet it: transcripts, outputs, pipes, full disks.

#![allow(clippy::unwrap_used)]

#[path = "cli/complaints.rs"]
mod complaints;
#[path = "cli/following.rs"]
mod following;
#[path = "cli/outputs.rs"]
mod outputs;
#[path = "cli/terminal.rs"]
mod terminal;

use std::process::{Child, Command, Output, Stdio};

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("LC_ALL", "C")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .case("tests/cli/*.trycmd");
}

const STORY: &str = "tests/cli/data/report-417.jsonl";

fn lockdiag(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockdiag"));
    command.args(arguments).env("LC_ALL", "C");
    command
}

fn run(arguments: &[&str]) -> Output {
    lockdiag(arguments).output().unwrap()
}

fn piped(arguments: &[&str]) -> Child {
    lockdiag(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
