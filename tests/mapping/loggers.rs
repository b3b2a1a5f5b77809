//! For every logger: the records of its file equal the evidence that the programs wrote
//! themselves, in every field that the logger's line has.

use serde_json::Value;

use crate::support::{data, read, sample};

/// The evidence of a pack as record lines, without `seq`, which no logger writes, and
/// without the fields of `lacking`.
fn evidence(pack: &str, lacking: &[&str]) -> Vec<String> {
    let text = String::from_utf8(data(&format!("{pack}/evidence.jsonl"))).unwrap();
    text.lines().map(|line| expected(line, lacking)).collect()
}

fn expected(line: &str, lacking: &[&str]) -> String {
    let record: Value = serde_json::from_str(line).unwrap();
    let get = |field: &str| match &record[field] {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let answer = match get("result").unwrap().as_str() {
        "busy" => "acquire-rejected-held".to_owned(),
        "duplicate" => "rejected-duplicate".to_owned(),
        "release-noop-absent" => "release-noop".to_owned(),
        other => other.to_owned(),
    };
    let mut text = format!(
        "{} {} {answer}",
        get("lockName").unwrap(),
        get("event").unwrap()
    );
    for (name, field) in [
        ("owner", "ownerId"),
        ("lease", "leaseId"),
        ("token", "fenceToken"),
        ("before", "resourceHighestTokenBefore"),
        ("after", "resourceHighestTokenAfter"),
        ("key", "resourceKey"),
        ("op", "operationId"),
    ] {
        if let Some(value) = get(field).filter(|_| !lacking.contains(&field)) {
            text.push_str(&format!(" {name}={value}"));
        }
    }
    text
}

/// The lines of packs 60, 61 and 63 are in the order of the evidence; those of pack 72 in
/// an order of their own.
fn equal(logger: &str, file: &str, packs: &[&str], lacking: &[&str]) {
    for pack in packs {
        let mut mapped = sample(logger);
        let seen = read(&mut mapped, &data(&format!("{pack}/{file}")));
        assert_eq!(seen.problems, [""; 0], "{logger} {pack}");
        assert_eq!(seen.rejects, [""; 0], "{logger} {pack}");
        assert_eq!(seen.others, 0, "{logger} {pack}");
        let (mut records, mut evidence) = (seen.records, evidence(pack, lacking));
        if *pack == "72" {
            records.sort();
            evidence.sort();
        }
        assert_eq!(records, evidence, "{logger} {pack}");
    }
}

#[test]
fn structlog() {
    equal("structlog", "app-structlog.jsonl", &["60", "61", "72"], &[]);
}

#[test]
fn python_json_logger() {
    let file = "app-python-json-logger.jsonl";
    equal("python-json-logger", file, &["60", "61", "72"], &[]);
}

#[test]
fn loguru() {
    equal("loguru", "app-loguru.jsonl", &["60", "61"], &[]);
}

#[test]
fn logfmt() {
    equal("logfmt", "app-logfmt.log", &["60", "61", "72"], &[]);
}

#[test]
fn plain() {
    equal("plain", "app-plain.log", &["60", "61", "72"], &[]);
}

#[test]
fn prose() {
    equal("prose", "app-prose.log", &["60", "61", "72"], &[]);
}

#[test]
fn otlp() {
    equal("otlp", "app-otlp.jsonl", &["60", "61", "72"], &[]);
}

#[test]
fn otel_console() {
    equal(
        "otel-console",
        "app-otel-console.jsonl",
        &["60", "61", "72"],
        &[],
    );
}

#[test]
fn pino() {
    equal("pino", "app-pino.jsonl", &["63"], &[]);
}

#[test]
fn winston_does_not_say_the_highest_token() {
    let lacking = ["resourceHighestTokenBefore", "resourceHighestTokenAfter"];
    equal("winston", "app-winston.jsonl", &["63"], &lacking);
}

#[test]
fn ecs_in_both_spellings() {
    let seen = read(&mut sample("ecs"), &data("ecs.jsonl"));
    assert_eq!(
        seen.records,
        [
            "acct:9 acquire acquired owner=w-1 lease=l-1 token=7",
            "acct:9 write rejected-stale-fence owner=w-0 lease=l-0 token=6 before=7 after=7 key=acct/9 op=t-1",
        ]
    );
    assert_eq!((seen.problems.len(), seen.others), (0, 1));
}
