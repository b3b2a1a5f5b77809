use std::sync::Arc;

use super::super::{Mapped, Mapping};
use crate::evidence::Record;
use crate::ingest::compact::Compact;
use crate::ingest::dialect::{Dialect, Output, Problem};
use proptest::prelude::*;

const MAPPING: &str = r#"
format = "json"

[fields]
lockName = "lock"
ownerId = "who"
leaseId = "lease"
fenceToken = "token"
activeOwnerId = "now.who"
activeLeaseId = "now.lease"
activeFenceToken = "now.token"
ts = "at"

[[shape]]
name = "write"
when = { step = ["write", "put"] }
[shape.fields]
event = { value = "write" }
resourceKey = "key"
operationId = "id"
resourceHighestTokenBefore = "before"
resourceHighestTokenAfter = "after"
seq = "n"
seqBy = { value = "resource" }
result = { path = "status", words = { 200 = "accepted", 409 = "stale", true = "ok", 5xx = "in-doubt" } }

[[shape]]
name = "loss"
when = { step = "loss" }
[shape.fields]
event = { value = "expire" }
result = { value = "expired" }
seq = "n"
seqBy = "by"

[[shape]]
name = "other"
[shape.fields]
event = { path = "step", words = { take = "acquire", keep = "renew", give = "release" } }
result = "status"
"#;

/// Everything that is said of a line, and whether its record came at once.
#[derive(Default)]
struct Said {
    lines: Vec<String>,
    at_once: bool,
}

impl Output for Said {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        self.lines.push(format!("{offset} {record:?} {problems:?}"));
    }
    fn compact(&mut self, record: Compact, frame: &str) {
        self.at_once = true;
        self.record(0, &record.record(frame.as_bytes(), ""), &[]);
    }
    fn reject(&mut self, problem: Problem) {
        self.lines.push(format!("{problem:?}"));
    }
    fn other(&mut self) {
        self.lines.push("other".to_owned());
    }
}

/// The same mapping, at once and field by field.
fn readers() -> [Mapped; 2] {
    let mapping = Mapping::parse("here.toml", MAPPING).unwrap();
    let mut slow = Mapping::parse("here.toml", MAPPING).unwrap();
    slow.shapes
        .iter_mut()
        .for_each(|shape| shape.at_once = None);
    [mapping, slow].map(|mapping| Mapped::new(Arc::new(mapping)))
}

/// Whether the record of a line came at once; it is the same as if it had not.
fn agree([fast, slow]: &mut [Mapped; 2], line: &str) -> bool {
    let (mut at_once, mut one_by_one) = (Said::default(), Said::default());
    fast.read_text(line, &mut at_once);
    slow.read_text(line, &mut one_by_one);
    assert_eq!(at_once.lines, one_by_one.lines, "{line}");
    assert!(!one_by_one.at_once);
    at_once.at_once
}

#[test]
fn good_lines_are_taken_at_once() {
    let mut readers = readers();
    for line in [
        r#"{"lock":"a","step":"write","status":200,"token":7,"before":"6","n":1,"key":"k","id":5}"#,
        r#"{"lock":"a","step":"put","status":409,"token":7,"after":8,"who":"é"}"#,
        r#"{"lock":"a","step":"loss","by":"authority","n":3}"#,
        r#"{"lock":"a","step":"take","status":"acquired","lease":17,"token":null}"#,
        r#"{"lock":"a","step":"give","status":"Not owner","now":{"who":"b","token":8}}"#,
        r#"{"lock":"a","step":"give","now":{"who":null}}"#,
        r#"{"lock":"a","step":"keep"}"#,
    ] {
        assert!(agree(&mut readers, line), "{line}");
    }
}

#[test]
fn doubtful_lines_are_taken_field_by_field() {
    let mut readers = readers();
    for line in [
        r#"{"step":"write","status":200}"#,
        r#"{"lock":"","step":"write","status":200}"#,
        r#"{"lock":"\u0061","step":"write","status":200}"#,
        r#"{"lock":"a","step":"write","status":503}"#,
        r#"{"lock":"a","step":"write","status":"busy"}"#,
        r#"{"lock":"a","step":"write","status":200,"token":-7}"#,
        r#"{"lock":"a","step":"write","status":200,"token":"x"}"#,
        r#"{"lock":"a","step":"write","status":200,"who":true}"#,
        r#"{"lock":"a","step":"write","status":200,"who":1.5}"#,
        r#"{"lock":"a","step":"write","status":200,"who":"a","who":"b"}"#,
        r#"{"lock":"a","step":"loss","by":"nobody","n":3}"#,
        r#"{"lock":"a","step":"loss","by":"worker","at":"x","at":"y"}"#,
        r#"{"lock":"a","step":"loss","by":"worker","at":{},"at":2}"#,
        r#"{"lock":"a","step":"Take","status":"acquired"}"#,
        r#"{"lock":"a","step":"give","status":"acquired"}"#,
        r#"{"lock":"a","status":"who knows"}"#,
    ] {
        assert!(!agree(&mut readers, line), "{line}");
    }
}

fn member() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "lock", "at", "who", "lease", "token", "now", "step", "key", "id", "before", "after", "n",
        "by", "status", "x",
    ]);
    let value = prop_oneof![
        3 => prop::sample::select(vec![
            "\"write\"", "\"put\"", "\"loss\"", "\"take\"", "\"keep\"", "\"give\"", "\"acquired\"",
            "\"accepted\"", "\"released\"", "\"refused\"", "200", "409", "503", "\"authority\"",
        ]).prop_map(str::to_owned),
        2 => "\"[a-z0-9é]{0,4}\"",
        2 => any::<u64>().prop_map(|n| (n >> (n % 64)).to_string()),
        1 => Just("{\"who\":\"b\",\"lease\":null,\"token\":5}".to_owned()),
        1 => prop::sample::select(vec![
            "null", "true", "-1", "1.5", "1e3", "007", "\"007\"", "\"\\n\"", "{}", "[]",
            "18446744073709551615", "18446744073709551616", "\"0x1f\"", "\"\"",
        ]).prop_map(str::to_owned),
    ];
    (name, value).prop_map(|(name, value)| format!("\"{name}\":{value}"))
}

proptest! {
    #[test]
    fn at_once_and_field_by_field_say_the_same(
        lines in prop::collection::vec(prop::collection::vec(member(), 0..9), 1..20),
    ) {
        let mut readers = readers();
        for members in lines {
            agree(&mut readers, &format!("{{\"lock\":\"a\",{}}}", members.join(",")));
            agree(&mut readers, &format!("{{{}}}", members.join(",")));
        }
    }
}
