//! The program, run on staged evidence.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A file of the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

pub fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// What an incident is held to: lock, class, variant, status, outcome.
pub type Incident = [String; 5];

/// The incidents that `lockdiag classify` finds in `evidence`, every line of which it must
/// take without a complaint.
pub fn classify(evidence: &str) -> Vec<Incident> {
    let (incidents, complaints, code) = run(evidence, &["--strict", "--quiet"]);
    assert_ne!(code, Some(3), "{complaints}\n{evidence}");
    incidents
}

/// The incidents, what was said on standard error, and the exit code.
pub fn run(evidence: &str, options: &[&str]) -> (Vec<Incident>, String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_lockdiag"))
        .args(["classify", "--format", "jsonl"])
        .args(options)
        .arg("-")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let evidence = evidence.to_owned();
    let feed = std::thread::spawn(move || stdin.write_all(evidence.as_bytes()));
    let output = child.wait_with_output().unwrap();
    // Where the program stopped at a line, the pipe is closed, and the complaint says why.
    let _ = feed.join().unwrap();
    let incidents = String::from_utf8(output.stdout)
        .unwrap()
        .lines()
        .map(|line| {
            let incident: Value = serde_json::from_str(line).unwrap();
            ["lockName", "class", "variant", "status", "outcome"]
                .map(|field| incident[field].as_str().unwrap_or_default().to_owned())
        })
        .collect();
    let complaints = String::from_utf8(output.stderr).unwrap();
    (incidents, complaints, output.status.code())
}

/// As the `.expected` files and the page show incidents.
pub fn listing(incidents: &[Incident]) -> String {
    incidents
        .iter()
        .map(|incident| incident.join("  ") + "\n")
        .collect()
}
