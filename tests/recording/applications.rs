//! The log calls of applications, each run where its language is at hand.

use std::process::Command;

use serde_json::Value;

use crate::app;
use crate::page;
use crate::servers::skip;
use crate::tool::{classify, listing, project};

/// One line, which keeps every digit of its tokens and proves what it shows.
fn proves(line: &str) {
    assert_eq!(line.lines().count(), 1, "{line}");
    let record: Value = serde_json::from_str(line).unwrap();
    let digits = |field: &str| record[field].to_string().replace('"', "");
    assert_eq!(digits("fenceToken"), "9007199254740992");
    assert_eq!(digits("resourceHighestTokenBefore"), "9007199254740993");
    assert_eq!(
        listing(&classify(line)),
        "report:417:rebuild  stale-owner  write-refused  proven  guarded\n"
    );
    page::shows("app", line);
}

/// Whether a program can be started.
fn is_here(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok()
}

/// Runs a sample by `command`, where the toolchain is here that `needs` is a part of.
fn run(needs: &str, command: &[&str], sample: &str) {
    if !is_here(needs) {
        // Which languages a machine has is no matter of the servers.
        eprintln!("skipped: {sample} needs {needs}");
        return;
    }
    let output = Command::new(command[0])
        .args(&command[1..])
        .arg(project("samples/recording/app").join(sample))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    proves(&String::from_utf8(output.stdout).unwrap());
}

#[test]
fn rust() {
    let mut out = Vec::new();
    app::log_refused_write(&mut out).unwrap();
    proves(&String::from_utf8(out).unwrap());
}

#[test]
fn python() {
    if !is_here("python3") {
        skip("python3 is not installed");
        return;
    }
    run("python3", &["python3"], "evidence.py");
}

#[test]
fn node() {
    run("node", &["node"], "evidence.mjs");
}

#[test]
fn java() {
    // A runtime without the compiler cannot run a source file.
    run("javac", &["java"], "Evidence.java");
}

#[test]
fn go() {
    run("go", &["go", "run"], "evidence.go");
}
