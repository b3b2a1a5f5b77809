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
fn messages_of_other_programs_are_other_lines() {
    let presets = [
        "consul-kv",
        "etcd-watch",
        "kubernetes-audit",
        "terraform-lock",
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
        // An object that was cut off may have been evidence.
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
