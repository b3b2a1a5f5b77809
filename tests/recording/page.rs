//! docs/recording.md shows nothing that did not come out of a recipe. A comment before a
//! block says what the block is held to: `from: NAME` are evidence lines that NAME left,
//! `incidents: NAME` is what they prove, `excerpt: FILE` stands so in that file.

use std::fmt::Write as _;

use serde_json::Value;

use crate::tool::{Incident, project, read, run};

const PAGE: &str = "docs/recording.md";

/// The blocks of the page that a comment `<!-- KIND: NAME -->` introduces, with their names.
fn blocks(kind: &str) -> Vec<(String, String)> {
    let page = read(project(PAGE));
    let mut lines = page.lines();
    let mut found = Vec::new();
    while let Some(line) = lines.next() {
        let Some(name) = line
            .strip_prefix(&format!("<!-- {kind}: "))
            .and_then(|rest| rest.strip_suffix(" -->"))
        else {
            continue;
        };
        let fence = lines.next().unwrap_or_default();
        assert!(fence.starts_with("```"), "no block after {line}");
        let block = lines.by_ref().take_while(|line| *line != "```");
        found.push((
            name.to_owned(),
            block.fold(String::new(), |text, line| text + line + "\n"),
        ));
    }
    found
}

/// The record of a line without what differs from run to run: clocks, the lease ids that
/// etcd gives, and the order of fields where a server's own encoder chose it.
fn steady(line: &str) -> Value {
    let mut record: Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    record["ts"] = Value::Null;
    for place in ["/leaseId", "/activeLease/leaseId"] {
        if let Some(Value::String(lease)) = record.pointer_mut(place)
            && lease.bytes().all(|byte| byte.is_ascii_digit())
        {
            "given".clone_into(lease);
        }
    }
    record
}

/// Every line that the page shows of `name` is one of `evidence`.
pub fn shows_only(name: &str, evidence: &str) {
    let evidence: Vec<Value> = evidence.lines().map(steady).collect();
    let mut shown = 0;
    for (_, block) in blocks("from").iter().filter(|(it, _)| it == name) {
        for line in block.lines() {
            assert!(evidence.contains(&steady(line)), "{name} left no {line}");
            shown += 1;
        }
    }
    assert!(shown > 0, "{PAGE} shows nothing of {name}");
}

/// The page shows `line`, but for its clock, its spacing, and whether numbers stand as text.
pub fn shows(name: &str, line: &str) {
    let fields = |line: &str| {
        let mut record: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
        record.remove("ts");
        for value in record.values_mut().filter(|value| value.is_number()) {
            *value = Value::String(value.to_string());
        }
        record
    };
    let blocks = blocks("from");
    let mut shown = blocks.iter().filter(|(it, _)| it == name);
    assert!(
        shown.any(|(_, block)| block.lines().any(|it| fields(it) == fields(line))),
        "{PAGE} does not show {line}"
    );
}

#[test]
fn excerpts_stand_in_their_files() {
    let excerpts = blocks("excerpt");
    assert!(!excerpts.is_empty());
    for (file, text) in excerpts {
        let source = read(project(&file));
        assert!(source.contains(&text), "not in {file}:\n{text}");
    }
}

#[test]
fn incidents_are_those_that_the_evidence_proves() {
    let shown = blocks("incidents");
    assert!(!shown.is_empty());
    for (name, text) in shown {
        let expected = read(project(&format!("tests/recording/{name}.expected")));
        assert_eq!(text, expected);
    }
}

/// What a recorder might leave out, each as the fields that go together.
const LEFT_OUT: [&[&str]; 9] = [
    &["fenceToken"],
    &["resourceKey"],
    &["resourceHighestTokenBefore", "resourceHighestTokenAfter"],
    &["operationId"],
    &["activeLease"],
    &["seqBy"],
    &["seq", "seqBy"],
    &[
        "seqBy",
        "resourceHighestTokenBefore",
        "resourceHighestTokenAfter",
        "activeLease",
    ],
    &["result"],
];

/// The page says, for each of these, what becomes of the incidents staged on Redis.
pub fn table_of_fields(evidence: &str) {
    let (whole, _, _) = run(evidence, &[]);
    let mut table = String::from("| not recorded | what becomes of the incidents |\n|---|---|\n");
    for fields in LEFT_OUT {
        let (left, _, _) = run(&without(evidence, fields), &[]);
        let names: Vec<String> = fields.iter().map(|it| format!("`{it}`")).collect();
        let _ = writeln!(
            table,
            "| {} | {} |",
            names.join(", "),
            change(&whole, &left)
        );
    }
    let (begin, end) = ("<!-- begin: left-out -->\n", "<!-- end: left-out -->");
    let page = read(project(PAGE));
    let (before, rest) = page.split_once(begin).unwrap();
    let (shown, after) = rest.split_once(end).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(project(PAGE), format!("{before}{begin}{table}{end}{after}")).unwrap();
    } else {
        assert_eq!(shown, table, "UPDATE_DOCS=1 writes it anew");
    }
}

fn without(evidence: &str, fields: &[&str]) -> String {
    let mut out = String::new();
    for line in evidence.lines() {
        let mut record: serde_json::Map<String, Value> = serde_json::from_str(line).unwrap();
        record.retain(|name, _| !fields.contains(&name.as_str()));
        let _ = writeln!(out, "{}", Value::Object(record));
    }
    out
}

/// What became of each incident of `whole` in `left`, as a reader would say it.
fn change(whole: &[Incident], left: &[Incident]) -> String {
    let mut said = Vec::new();
    for [lock, class, variant, status, _] in whole {
        let same = |it: &&Incident| it[0] == *lock && it[2] == *variant;
        // One that stands in the place of this one: of its lock, and not there before.
        let instead = |it: &&Incident| {
            it[0] == *lock && !whole.iter().any(|old| old[0] == *lock && old[2] == it[2])
        };
        let from = format!("{class} / `{variant}`");
        match left.iter().find(same) {
            Some(it) if it[3] == *status => {}
            Some(it) => said.push(format!("{from} is only {}", it[3])),
            None => said.push(match left.iter().find(instead) {
                Some(it) if it[1] == it[3] => format!("{from} becomes {} / `{}`", it[1], it[2]),
                Some(it) => format!("{from} becomes {} / `{}`, {}", it[1], it[2], it[3]),
                None => format!("{from} is gone"),
            }),
        }
    }
    if said.len() == whole.len() && left.is_empty() {
        return "none is left".to_owned();
    }
    said.join("; ")
}
