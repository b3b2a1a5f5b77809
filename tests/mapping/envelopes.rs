//! What presets find in what collectors put around the values of a system, and what of it is
//! nothing of theirs.

use lockdiag::ingest::mapping::Preset;
use serde_json::json;

use crate::support::{Seen, read};

/// A state of a key in Consul, as text.
const STATE: &str =
    r#"{"Key":"lock/a","Session":"s1","LockIndex":1,"ModifyIndex":7,"Flags":0,"Value":null}"#;
const RECORD: &str = "lock/a acquire acquired lease=s1 token=1 seq=7001 by=authority";

fn seen(preset: &str, frame: &str) -> Seen {
    read(
        &mut *Preset::from_name(preset).unwrap().dialect(),
        frame.as_bytes(),
    )
}

#[test]
fn members_of_several_collectors_do_not_hide_each_other() {
    for frame in [
        json!({"log": {"offset": 3, "file": {"path": "x"}}, "message": STATE}),
        json!({"message": "consul", "log": STATE}),
        json!({"log": STATE, "message": STATE}),
        json!({"log": STATE, "log\u{0}": 1, "events": [], "Item": null}),
        json!({"message": json!({"log": json!({"log": STATE}).to_string()}).to_string()}),
        json!({"records": [{"properties": {"log": STATE}}]}),
    ] {
        let seen = seen("consul-kv", &frame.to_string());
        assert_eq!(seen.records, [RECORD], "{frame}");
        assert_eq!((seen.rejects.len(), seen.others), (0, 0), "{frame}");
    }
    let twice = format!(r#"{{"log":"ready","log":{}}}"#, json!(STATE));
    assert_eq!(seen("consul-kv", &twice).records, [RECORD]);
}

#[test]
fn evidence_that_is_broken_inside_other_text_is_told() {
    let cut = r#"{"lockName":"a","event":"wr"#;
    let stepless = r#"{"lockName":"a","fenceToken":3}"#;
    for (frame, reject) in [
        (format!("worker-a-1  | {cut}"), "ends inside a string"),
        (json!({"log": cut}).to_string(), "ends inside a string"),
        (format!("worker-a-1  | {stepless}"), "neither `event` nor"),
        (
            json!({"ctx": {"lock_name": "a"}}).to_string(),
            "neither `event` nor",
        ),
        (
            json!({"leaseId": "l", "message": "x"}).to_string(),
            "no `lockName`",
        ),
    ] {
        let seen = seen("wrapped-evidence", &frame);
        let told = seen.rejects.iter().any(|one| one.contains(reject));
        assert!(told, "{frame}: {seen:?}");
        assert_eq!(
            (seen.records.len(), seen.rejects.len(), seen.others),
            (0, 1, 0),
            "{frame}"
        );
    }
    let flawed = r#"x {"lockName":"a","event":"write","result":"accepted","fenceToken":-1}"#;
    let seen = seen("wrapped-evidence", flawed);
    assert_eq!(
        (seen.records.len(), seen.problems.len()),
        (1, 1),
        "{seen:?}"
    );
}

/// A write as it was recorded, and how often it may be found in what collectors make of it.
#[test]
fn a_record_counts_once_however_often_it_was_written() {
    let record = r#"{"lockName":"a","event":"write","result":"accepted","fenceToken":1}"#;
    let parsed =
        || json!({"result": "accepted", "event": "write", "lockName": "a", "fenceToken": "1"});
    let labels = json!({"lockName": "a", "event": "write"});
    let insights = [
        json!({"field": "@message", "value": record}),
        json!({"field": "@log", "value": record}),
    ];
    for (frame, count) in [
        (json!({"rows": [["1932", record, record]]}), 1),
        (json!({"rows": [["1932", record], ["1933", record]]}), 2),
        (json!({"results": [insights]}), 1),
        (
            json!({"values": [["1932", record, {"parsed": parsed()}]]}),
            1,
        ),
        (json!({"entries": [record, parsed()]}), 1),
        (
            json!({"events": [{"message": record}, {"message": record}]}),
            2,
        ),
        (json!({"log": record, "log_processed": parsed()}), 1),
        (json!({"labels": labels, "message": record}), 1),
        (
            json!({"short_message": record[..40], "full_message": record}),
            1,
        ),
        (json!(format!("{record} {}", parsed())), 1),
        (
            json!(format!("{record} {}", record.replace(":1}", ":2}"))),
            2,
        ),
    ] {
        let seen = seen("wrapped-evidence", &format!("x {frame}"));
        assert_eq!(seen.records.len(), count, "{frame}: {seen:?}");
        let whole = |one: &String| one.contains("accepted");
        assert!(seen.records.iter().all(whole), "{frame}: {seen:?}");
        assert_eq!(
            (seen.rejects.len(), seen.others),
            (0, 0),
            "{frame}: {seen:?}"
        );
    }
}

#[test]
fn whatever_stands_before_a_record_or_behind_it() {
    let record = r#"{"lockName":"a","event":"write","result":"accepted"}"#;
    let quoted = json!(format!("lock evidence: {record}"));
    let colours = "\u{1b}[36m".repeat(90);
    for line in [
        format!("{record} took 3 ms").into_bytes(),
        format!("time=1 msg={quoted} pid=7").into_bytes(),
        format!("{colours} {record}").into_bytes(),
        [b"caf\xe9 ", record.as_bytes()].concat(),
    ] {
        let mut dialect = Preset::from_name("wrapped-evidence").unwrap().dialect();
        let mut seen = Seen::default();
        dialect.read(&line, &mut seen);
        let counts = (seen.records.len(), seen.rejects.len(), seen.others);
        let shown = String::from_utf8_lossy(&line);
        assert_eq!(counts, (1, 0, 0), "{shown}: {seen:?}");
    }
    // One that can't be read is told beside one that can.
    let broken = format!(r#"{record} {{ "lockName":"b","event":"wr"#);
    let seen = seen("wrapped-evidence", &broken);
    assert_eq!((seen.records.len(), seen.rejects.len()), (1, 1), "{seen:?}");
}

#[test]
fn many_brackets_and_layers_are_no_evidence() {
    let record = r#"{"lockName":"a","result":"acquired"}"#;
    let nested =
        |layers: usize| format!("{}{record}{}", "{\"a\":".repeat(layers), "}".repeat(layers));
    assert_eq!(seen("wrapped-evidence", &nested(4)).records.len(), 1);
    for frame in [
        nested(100),
        nested(100_000),
        "{[".repeat(100_000),
        "[{\"".repeat(100_000),
    ] {
        assert_eq!(seen("wrapped-evidence", &frame).records.len(), 0);
    }
}

#[test]
fn messages_of_other_programs_are_other_lines() {
    let presets = [
        "consul-kv",
        "etcd-watch",
        "kubernetes-audit",
        "terraform-lock",
        "wrapped-evidence",
    ];
    for preset in presets {
        for text in [
            "[INFO] ready",
            "[1, 2",
            "{not json}",
            "{}",
            "{",
            "",
            "[]",
            "[[\"a\"]]",
        ] {
            for frame in [
                json!({"log": text}),
                json!({"events": [{"message": text}, 5, null]}),
            ] {
                let seen = seen(preset, &frame.to_string());
                let counts = (seen.records.len(), seen.rejects.len(), seen.others);
                assert_eq!(counts, (0, 0, 1), "{preset} {frame}");
            }
        }
        // An object that was cut off may have been evidence, where it is known what begins so.
        if preset == "wrapped-evidence" {
            continue;
        }
        let cut = json!({"log": "{\"Key\":\"lock/a\",\"Ses"}).to_string();
        let seen = seen(preset, &cut);
        assert_eq!((seen.rejects.len(), seen.others), (1, 0), "{preset}");
    }
}

#[test]
fn a_prefix_may_stand_between_brackets() {
    for prefix in [
        "consul-1 | ",
        "[pod-1] ",
        "[2026-11-30 10:00:00] INFO ",
        "[1/3] ",
        "[a, \"b\"] c: ",
    ] {
        let seen = seen("consul-kv", &format!("{prefix}{STATE}"));
        assert_eq!(seen.records, [RECORD], "{prefix}");
        assert_eq!((seen.rejects.len(), seen.others), (0, 0), "{prefix}");
    }
}

#[test]
fn text_between_brackets_is_another_line() {
    for text in ["[main] INFO ready", "[1/3] step", "[a] {x}"] {
        let seen = seen("consul-kv", text);
        let counts = (seen.records.len(), seen.rejects.len(), seen.others);
        assert_eq!(counts, (0, 0, 1), "{text}");
    }
}
