//! Small logs of two observers, and what they show together.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Runs `classify` in a directory and returns its incidents.
pub fn classify(dir: &Path, arguments: &[&str]) -> Vec<Value> {
    let output = Command::new(env!("CARGO_BIN_EXE_lockdiag"))
        .args(["classify", "-q", "--format", "jsonl"])
        .args(arguments)
        .current_dir(dir)
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {error}");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// `variant status x occurrences`, one an incident.
fn told(incidents: &[Value]) -> Vec<String> {
    incidents
        .iter()
        .map(|one| {
            let word = |field: &str| one[field].as_str().unwrap().to_owned();
            format!(
                "{} {} x{}",
                word("variant"),
                word("status"),
                one["occurrences"]
            )
        })
        .collect()
}

fn logs(logs: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in logs {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

const APP: &str = r#"
{"lockName":"l","event":"acquire","result":"acquired","ownerId":"A","leaseId":"a","fenceToken":1,"seq":1}
{"lockName":"l","event":"acquire","result":"acquired","ownerId":"B","leaseId":"b","fenceToken":2,"seq":2}
{"lockName":"l","event":"write","result":"accepted","ownerId":"B","leaseId":"b","fenceToken":2,"resourceKey":"k","operationId":"o2","seq":3}
{"lockName":"l","event":"write","result":"accepted","ownerId":"A","leaseId":"a","fenceToken":1,"resourceKey":"k","operationId":"o1","seq":4}
"#;

/// The same two writes, numbered anew.
const RESOURCE: &str = r#"
{"lockName":"l","event":"write","result":"accepted","fenceToken":2,"resourceKey":"k","operationId":"o2","seq":1}
{"lockName":"l","event":"write","result":"accepted","fenceToken":1,"resourceKey":"k","operationId":"o1","seq":2}
"#;

#[test]
fn a_write_seen_twice_is_one_write_and_the_decider_proves_its_order() {
    let dir = logs(&[("app", APP), ("resource", RESOURCE)]);
    let alone = classify(dir.path(), &["app"]);
    assert_eq!(told(&alone), ["both-accepted suspected x1"]);
    let named = ["a=app", "r=resource"];
    let together = classify(dir.path(), &named);
    assert_eq!(told(&together), ["both-accepted suspected x1"]);
    let vouched = classify(
        dir.path(),
        &[&named[..], &["--role", "r=resource"]].concat(),
    );
    assert_eq!(told(&vouched), ["both-accepted proven x1"]);
    // What the resource does not know comes from the application.
    assert_eq!(vouched[0]["late"]["leaseId"], "a");
    assert_eq!(vouched[0]["id"], alone[0]["id"]);
}

#[test]
fn nothing_orders_the_records_of_two() {
    let first = APP.lines().nth(4).unwrap();
    let second = RESOURCE.lines().nth(1).unwrap();
    let dir = logs(&[("app", first), ("resource", second)]);
    for order in [["r=resource", "a=app"], ["a=app", "r=resource"]] {
        let role = ["--role", "r=resource", "--role", "a=authority"];
        let found = classify(dir.path(), &[&order[..], &role[..]].concat());
        assert_eq!(told(&found), [""; 0]);
    }
}

#[test]
fn readings_and_operations_are_compared_across_observers() {
    let write = |owner: &str, token: u64, before: u64, operation: &str| {
        format!(
            r#"{{"lockName":"l","event":"write","result":"accepted","ownerId":"{owner}","fenceToken":{token},"resourceKey":"k","resourceHighestTokenBefore":{before},"operationId":"{operation}"}}"#
        )
    };
    let acquired =
        r#"{"lockName":"l","event":"acquire","result":"acquired","leaseId":"b","fenceToken":3}"#;
    // Both rise from 0, and nobody saw both.
    let a = format!("{}\n{acquired}", write("A", 2, 0, "o1"));
    let b = format!("{}\n{acquired}", write("B", 3, 0, "o2"));
    let dir = logs(&[("a", &a), ("b", &b)]);
    let both = ["one=a", "two=b"];
    assert_eq!(told(&classify(dir.path(), &both)), ["forked proven x1"]);
    // One operation under two tokens.
    let b = format!("{}\n{acquired}", write("B", 3, 2, "o1"));
    let dir = logs(&[("a", &a), ("b", &b)]);
    assert_eq!(
        told(&classify(dir.path(), &both)),
        ["redelivered proven x1"]
    );
    // No token in common: they may come of two counters.
    let a = write("A", 2, 0, "o1");
    let b = write("B", 3, 0, "o2");
    let dir = logs(&[("a", &a), ("b", &b)]);
    assert_eq!(told(&classify(dir.path(), &both)), [""; 0]);
}

#[test]
fn a_lease_in_two_spellings_is_one() {
    let app = r#"
{"lockName":"l","event":"acquire","result":"acquired","leaseId":"694dad9f7c8fc903","seq":1}
{"lockName":"l","event":"release","result":"released","leaseId":"694dad9f7c8fc903","seq":2}
"#;
    let active = |lease: &str| {
        format!(
            r#"{{"lockName":"l","event":"release","result":"released","leaseId":"0x694DAD9F7C8FC903","activeLeaseId":"{lease}"}}"#
        )
    };
    let own = active("7587911847690356995");
    let other = active("7587911847690356996");
    let dir = logs(&[("app", app), ("own", &own), ("other", &other)]);
    // The authority spells it in two ways itself: that is its own affair.
    let found = classify(dir.path(), &["a=app", "w=other"]);
    assert_eq!(told(&found), ["removed-other-lease proven x1"]);
    assert_eq!(found[0]["late"]["leaseId"], "694dad9f7c8fc903");
    let hex = own.replace("7587911847690356995", "0x694DAD9F7C8FC903");
    let dir = logs(&[("app", app), ("own", &hex)]);
    assert_eq!(told(&classify(dir.path(), &["a=app", "w=own"])), [""; 0]);
}

#[test]
fn names_that_nobody_shares_are_not_compared() {
    // The authority names connections, and its leases by numbers of its own.
    let app = r#"
{"lockName":"l","event":"acquire","result":"acquired","ownerId":"A","leaseId":"a","fenceToken":1}
{"lockName":"l","event":"release","result":"released","ownerId":"A","leaseId":"a","fenceToken":1}
"#;
    let authority = r#"
{"lockName":"lock:l","event":"acquire","result":"acquired","ownerId":"10.0.0.1:4711","fenceToken":1,"seq":1}
{"lockName":"lock:l","event":"release","result":"released","ownerId":"10.0.0.1:4711","fenceToken":1,"activeLeaseId":"77","activeOwnerId":"10.0.0.1:4711","seq":2}
"#;
    let dir = logs(&[("app", app), ("authority", authority)]);
    let arguments = [
        "a=app",
        "w=authority",
        "--role",
        "w=authority",
        "--lock-prefix",
        "w=lock:",
    ];
    assert_eq!(told(&classify(dir.path(), &arguments)), [""; 0]);
}

#[test]
fn a_name_that_is_not_there_is_told() {
    let dir = logs(&[("app", APP)]);
    for (arguments, says) in [
        (&["a=app", "--role", "b=worker"][..], "no input is named b"),
        (&["a=app", "--role", "worker"], "say for which input"),
        (&["a=app", "--role", "a=boss"], "boss is no role"),
        (
            &["a=app", "--preset", "b=etcd-watch"],
            "no input is named b",
        ),
        (&["a=app", "--preset", "a=etcd"], "no preset of that name"),
        (
            &[
                "a=app",
                "--preset",
                "a=etcd-watch",
                "--preset",
                "a=consul-kv",
            ],
            "was said before",
        ),
        (
            &[
                "app",
                "--preset",
                "etcd-watch",
                "--field",
                "lockName=x",
                "--field",
                "result=y",
            ],
            "are given for the same inputs",
        ),
        (&["a=nothing"], "nothing: no such file"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_lockdiag"))
            .arg("classify")
            .args(arguments)
            .current_dir(dir.path())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.contains(says), "{arguments:?}: {error}");
    }
}

/// An operation may write several keys. Where the resource does not say which key it read,
/// the application's line of the operation makes that likely, and no more.
#[test]
fn a_key_from_another_observer_proves_nothing_of_a_reading() {
    let app = r#"
{"lockName":"l","event":"write","result":"accepted","ownerId":"A","leaseId":"a","fenceToken":1,"resourceKey":"k","operationId":"o1"}
{"lockName":"l","event":"write","result":"accepted","ownerId":"B","leaseId":"b","fenceToken":2,"resourceKey":"k","operationId":"o2"}
"#;
    let keyless = r#"
{"lockName":"l","event":"write","result":"accepted","leaseId":"a","fenceToken":1,"resourceHighestTokenBefore":0,"operationId":"o1","seq":1,"seqBy":"resource"}
{"lockName":"l","event":"write","result":"accepted","leaseId":"b","fenceToken":2,"resourceHighestTokenBefore":0,"operationId":"o2","seq":2,"seqBy":"resource"}
"#;
    let keyed = keyless.replace("\"operationId\"", "\"resourceKey\":\"k\",\"operationId\"");
    let both = |resource: &str| {
        let dir = logs(&[("app", app), ("res", resource)]);
        told(&classify(dir.path(), &["a=app", "r=res"]))
    };
    assert_eq!(both(keyless), ["forked suspected x1"]);
    assert_eq!(both(&keyed), ["forked proven x1"]);
    // In the order of the resource, too, the key is only the application's.
    let late = keyless
        .replace(",\"resourceHighestTokenBefore\":0", "")
        .replace("\"seq\":1,", "\"seq\":3,");
    assert_eq!(both(&late), ["both-accepted suspected x1"]);
    let late = keyed
        .replace(",\"resourceHighestTokenBefore\":0", "")
        .replace("\"seq\":1,", "\"seq\":3,");
    assert_eq!(both(&late), ["both-accepted proven x1"]);
}
