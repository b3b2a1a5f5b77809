use super::super::{Learning, NativeJson};
use super::Layout;
use crate::evidence::{Field, Record};
use crate::ingest::compact::Plain;
use crate::ingest::dialect::{Dialect, Output, Problem};
use proptest::prelude::*;

/// Everything that a dialect says.
#[derive(Default, PartialEq, Debug)]
struct Said(Vec<String>);

impl Output for Said {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        self.0.push(format!("{offset} {record:?} {problems:?}"));
    }
    fn reject(&mut self, problem: Problem) {
        self.0.push(format!("{problem:?}"));
    }
    fn other(&mut self) {
        self.0.push("other".to_owned());
    }
}

fn agree(learning: &mut Learning, line: &str) {
    let (mut fast, mut slow) = (Said::default(), Said::default());
    learning.read(line.as_bytes(), &mut fast);
    NativeJson.read(line.as_bytes(), &mut slow);
    assert_eq!(fast, slow, "{line}");
    // The same among other lines, where what follows must not be taken for a part of it.
    let block = format!("{PLAIN}\n{line}\n{PLAIN}\n");
    let start = PLAIN.len() + 1;
    let mut records = Vec::new();
    if let Some(Plain { end, is_record }) = learning.plain(&block, start, &mut records) {
        assert_eq!(records.len(), usize::from(is_record));
        let mut said = Said::default();
        let end = end - start;
        if line.as_bytes().get(end).is_some_and(|byte| *byte != b'\r') {
            return;
        }
        assert_eq!(line.strip_suffix('\r').unwrap_or(line).len(), end);
        match records.first() {
            Some(record) => said.record(0, &record.record(block.as_bytes(), ""), &[]),
            None => said.other(),
        }
        assert_eq!(said, slow, "{line}");
    }
}

/// Whether the parser is not needed.
fn scans(layout: &mut Layout, line: &str) -> bool {
    let line = line.strip_suffix('\r').unwrap_or(line);
    layout
        .scan(line, 0, &mut Vec::new())
        .is_some_and(|plain| plain.end == line.len())
}

const PLAIN: &str = r#"{"lockName":"a","ownerId":"o","leaseId":"l","fenceToken":7,"resourceHighestTokenBefore":null,"result":"accepted","event":"write","seq":18,"seqBy":"resource","resourceKey":"k","resourceHighestTokenAfter":"7","operationId":"p","ts":"2026-11-29T13:42:35.573Z"}"#;

#[test]
fn the_common_shapes_are_read_here() {
    let value: serde_json::Value = serde_json::from_str(PLAIN).unwrap();
    let sorted = serde_json::to_string(&value).unwrap();
    let spaced = PLAIN.replace(",\"", ", \"").replace("\":", "\": ");
    let snake = PLAIN
        .replace("lockName", "lock_name")
        .replace("seq\"", "sequence\"");
    let release = r#"{"lockName":"é","event":"release","activeLeaseId":5,"activeOwnerId":null}"#;
    let carriage = format!("{PLAIN}\r");
    let mut learning = Learning::default();
    for _ in 0..3 {
        for line in [PLAIN, &sorted, &spaced, &snake, release, &carriage] {
            assert!(scans(&mut learning.layout, line), "{line}");
            agree(&mut learning, line);
        }
    }
}

#[test]
fn every_doubt_goes_to_the_parser() {
    let mut layout = Layout::default();
    assert!(scans(&mut layout, PLAIN));
    for (from, to) in [
        ("\"a\"", "\"\\u0061\""),
        ("\"a\"", "\"a\tb\""),
        ("\"a\"", "\"\""),
        ("\"a\"", "5"),
        ("\"a\"", "\"a\",\"lockName\":\"a\""),
        ("\"a\"", "\"a\",\"lock_name\":\"a\""),
        (":7,", ":07,"),
        (":7,", ":7.0,"),
        (":7,", ":-7,"),
        (":7,", ":18446744073709551615,"),
        (":7,", ":\"x\","),
        (":7,", ":{},"),
        (":7,", ":,"),
        (":7,", ":7 8,"),
        ("null", "nul"),
        ("null", "nulll"),
        ("write", "wirte"),
        ("\"resource\"", "\"nobody\""),
        ("\"ts\":\"", "\"ts\":[],\"x\":\""),
        ("Z\"}", "Z\"},"),
        ("Z\"}", "Z\"}}"),
        ("Z\"}", "Z\""),
        ("Z\"}", "Z"),
        ("{\"lock", " {\"lock"),
        ("\"ts\"", "ts"),
        ("\"ts\":", "\"ts\""),
    ] {
        let line = PLAIN.replacen(from, to, 1);
        assert_ne!(line, PLAIN);
        assert!(!scans(&mut layout, &line), "{line}");
        agree(&mut Learning::default(), &line);
    }
    for line in ["}", "{}", "{ }", "{,}", "{\"lockName\":\"a\",}"] {
        assert!(!scans(&mut layout, line), "{line}");
        agree(&mut Learning::default(), line);
    }
    for cut in 0..PLAIN.len() {
        assert!(!scans(&mut layout, &PLAIN[..cut]));
    }
}

#[test]
fn a_known_name_counts_only_where_a_name_may_stand() {
    let mut learning = Learning::default();
    // Each field is known by its name, as the first one and as a later one.
    for line in [
        r#"{"lockName":"a","event":"write","fenceToken":1,"x":1}"#,
        r#"{"event":"write","x":1,"fenceToken":1,"lockName":"a"}"#,
        r#"{"fenceToken":1,"lockName":"a","x":1,"event":"write"}"#,
        r#"{"x":1,"fenceToken":1,"event":"write","lockName":"a"}"#,
    ] {
        assert!(scans(&mut learning.layout, line), "{line}");
        agree(&mut learning, line);
    }
    for line in [
        r#"{"x":1,"lockName":"a"{"event":"write"}"#,
        r#"{"x":1{"lockName":"a"}"#,
        r#"{,"lockName":"a"}"#,
        r#"{"x":1,,"lockName":"a"}"#,
        r#"{"x":1,"event":"writes","lockName":"a"}"#,
        r#"{"x":1,"event":"write"s,"lockName":"a"}"#,
        r#"{"x":1,"lockName":"a","fenceToken":}"#,
        r#"{"x":1,"lockName":"a","fenceToken":1"#,
        r#"{"x":1,"lockName":"a","#,
    ] {
        agree(&mut learning, line);
    }
}

#[test]
fn names_without_end_change_nothing() {
    let mut learning = Learning::default();
    for n in 0..30_000 {
        let line = match n % 3 {
            0 => format!(r#"{{"lockName":"a","event":"write","name{n}":"{n}"}}"#),
            1 => format!(r#"{{"event":"word{n}","result":"word{n}","a":true}}"#),
            _ => format!(r#"{{"lockName":"a","fenceToken":{n},"{n}":{n},"event":"renew"}}"#),
        };
        assert!(scans(&mut learning.layout, &line), "{line}");
        if n % 997 == 0 {
            agree(&mut learning, &line);
        }
    }
    // And what comes often is still found.
    for line in [PLAIN, r#"{"lockName":"a","event":"wrong"}"#] {
        agree(&mut learning, line);
        agree(&mut learning, line);
    }
    assert!(scans(&mut learning.layout, PLAIN));
}

#[test]
fn a_value_of_another_kind_is_read_where_it_stands() {
    let mut learning = Learning::default();
    for value in ["7", "null", "\"7\"", "7", "\"0x7\"", "null", ":"] {
        for name in ["fenceToken", "seq", "leaseId", "ts", "x"] {
            let line = format!(r#"{{"lockName":"a","event":"write","{name}":{value}}}"#);
            assert_eq!(scans(&mut learning.layout, &line), value != ":", "{line}");
            agree(&mut learning, &line);
        }
    }
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(Field::ALL.to_vec()).prop_map(|field| field.name().to_owned()),
        2 => prop::sample::select(Field::ALL.to_vec())
            .prop_map(|field| field.snake_name().to_owned()),
        1 => prop::sample::select(Field::ALL.map(Field::other_names).concat())
            .prop_map(str::to_owned),
        1 => Just("caf\\u00e9".to_owned()),
        1 => Just("lock\\u004eame".to_owned()),
        1 => "[a-z]{0,50}",
    ]
}

fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "\"[a-z0-9é-]{0,12}\"",
        3 => any::<u64>().prop_map(|n| (n >> (n % 64)).to_string()),
        2 => prop::sample::select(vec![
            "\"write\"", "\"acquire\"", "\"release\"", "\"Write\"", "\"accepted\"", "\"busy\"",
            "\"stale\"", "\"rejectedStaleFence\"", "\"IN__doubt\"", "\"re-lease\"", "\"released\"", "\"resource\"", "\"Authority\"", "\"12\"", "\"0x1f\"",
        ]).prop_map(str::to_owned),
        2 => Just("null".to_owned()),
        1 => prop::sample::select(vec![
            "true", "false", "0", "-0", "00", "01", "-1", "1.5", "1e3", "1.", "+1", ".5", "nul",
            "\"\\n\"", "\"\\ud83d\"", "\"\\ud83d\\ude00\"", "\"\\x\"", "\"\t\"", "\"\u{7f}\"",
            "\"", "[]", "[1,{}]", "{}", "{\"ownerId\":\"o\",\"fenceToken\":3}", "{\"leaseId\":null}",
            "", "18446744073709551615", "18446744073709551616", "9999999999999999999", "NaN",
        ]).prop_map(str::to_owned),
    ]
}

fn line() -> impl Strategy<Value = String> {
    let spaces = prop::sample::select(vec!["", "", "", " ", "  ", "\t", "\r", "\u{a0}", "\u{c}"]);
    let member = (name(), value(), spaces.clone(), spaces.clone());
    let ending = prop::sample::select(vec!["}", "}", "}", "} ", "}\r", "", "}}", ",}", "}x", "]"]);
    (
        prop::collection::vec(member, 0..8),
        spaces,
        ending,
        0..20usize,
    )
        .prop_map(|(members, space, ending, cut)| {
            let members: Vec<String> = members
                .into_iter()
                .map(|(name, value, a, b)| format!("{a}\"{name}\"{b}:{a}{value}{b}"))
                .collect();
            let mut line = format!("{{{}{ending}", members.join(&format!(",{space}")));
            if cut == 1 {
                let mut at = line.len() / 2;
                while !line.is_char_boundary(at) {
                    at += 1;
                }
                line.truncate(at);
            }
            line
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn both_ways_of_reading_say_the_same(lines in prop::collection::vec(line(), 1..6)) {
        let mut learning = Learning::default();
        // Twice: what was learned from the lines changes nothing.
        for line in lines.iter().chain(&lines) {
            agree(&mut learning, line);
        }
    }

    #[test]
    fn a_damaged_line_is_judged_by_the_parser(
        damages in prop::collection::vec((0..PLAIN.len(), any::<char>(), any::<bool>()), 0..3),
    ) {
        let mut learning = Learning::default();
        agree(&mut learning, PLAIN);
        let mut line: Vec<char> = PLAIN.chars().collect();
        for (at, char, insert) in damages {
            let at = at.min(line.len() - 1);
            if insert {
                line.insert(at, char);
            } else {
                line[at] = char;
            }
        }
        agree(&mut learning, &line.into_iter().collect::<String>());
    }
}
