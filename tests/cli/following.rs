//! An input that is read while it is written.

use std::io::{BufRead, BufReader, Read, Write};
use std::thread;
use std::time::Duration;

use super::{STORY, piped, run, text};

const TAKEN_OVER: [&str; 4] = [
    r#"{"event":"acquire","lockName":"L","ownerId":"A","leaseId":"l1","fenceToken":1,"result":"acquired"}"#,
    r#"{"event":"acquire","lockName":"L","ownerId":"B","leaseId":"l2","fenceToken":2,"result":"acquired"}"#,
    r#"{"event":"release","lockName":"L","ownerId":"A","leaseId":"l1","fenceToken":1,"result":"released"}"#,
    r#"{"event":"release","lockName":"L","ownerId":"B","leaseId":"l2","fenceToken":2,"result":"release-noop"}"#,
];

/// Reads up to the first line that holds `word`, while the input stays open.
fn read_to(out: &mut impl BufRead, word: &str) -> String {
    let mut line = String::new();
    while !line.contains(word) {
        line.clear();
        assert_ne!(out.read_line(&mut line).unwrap(), 0, "no {word}");
    }
    line
}

#[test]
fn following_tells_at_once_and_again_on_a_change() {
    let mut child = piped(&["classify", "--follow", "--format", "jsonl"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in &TAKEN_OVER[..3] {
        writeln!(stdin, "{line}").unwrap();
    }
    let first = read_to(&mut stdout, "removed-other-lease");
    assert!(first.contains("\"outcome\":\"unknown\""));
    writeln!(stdin, "{}", TAKEN_OVER[3]).unwrap();
    let second = read_to(&mut stdout, "removed-other-lease");
    assert!(second.contains("\"outcome\":\"breached\""));
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn following_in_text_says_what_changed() {
    let mut child = piped(&["classify", "--follow"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in &TAKEN_OVER[..3] {
        writeln!(stdin, "{line}").unwrap();
    }
    read_to(&mut stdout, "removed-other-lease");
    writeln!(stdin, "{}", TAKEN_OVER[3]).unwrap();
    let now = read_to(&mut stdout, "Now ");
    assert!(now.contains("suspected, breached; told before as suspected, unknown"));
    drop(stdin);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn following_takes_back_what_later_records_explain() {
    let mut child = piped(&["classify", "--follow"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in &TAKEN_OVER[..3] {
        writeln!(stdin, "{line}").unwrap();
    }
    read_to(&mut stdout, "removed-other-lease");
    // The lease lived on, so the release removed nothing.
    let renewed = r#"{"event":"renew","lockName":"L","ownerId":"B","leaseId":"l2","fenceToken":2,"result":"renewed"}"#;
    writeln!(stdin, "{renewed}").unwrap();
    drop(stdin);
    read_to(&mut stdout, "Withdrawn");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

/// A log that is followed may have no end that could say it.
#[test]
fn following_says_that_nothing_is_read_while_it_waits() {
    let mut child = piped(&["classify", "--follow"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let writer = thread::spawn(move || {
        // Until nobody reads any more, since lines written at once may be read at once.
        while writeln!(stdin, "worker-a-1  | {}", TAKEN_OVER[0]).is_ok() {
            thread::sleep(Duration::from_millis(10));
        }
    });
    let warning = read_to(&mut stderr, "warning");
    assert!(warning.contains("<stdin>:1: evidence stands inside other text"));
    assert!(read_to(&mut stderr, "hint").contains("--preset wrapped-evidence"));
    child.kill().unwrap();
    child.wait().unwrap();
    writer.join().unwrap();
}

#[test]
fn following_ends_with_what_a_whole_run_says() {
    let whole = run(&["classify", "-q", "--format", "json", STORY]);
    let whole: serde_json::Value = serde_json::from_slice(&whole.stdout).unwrap();
    let followed = run(&["classify", "-q", "--follow", "--format", "jsonl", STORY]);
    let count = whole["incidents"].as_array().unwrap().len();
    assert_eq!(text(&followed.stdout).lines().count(), count);
}
