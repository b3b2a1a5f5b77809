//! A proposal is a mapping that can be read, and on logs with telling names it already
//! finds the evidence.

use lockdiag::ingest::mapping::suggest;

use crate::support::{data, mapped, read};

fn proposal(file: &str) -> String {
    suggest(&String::from_utf8(data(file)).unwrap()).toml
}

fn check(name: &str, toml: &str) {
    insta::with_settings!({
        snapshot_path => "snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(format!("suggest-{name}"), toml);
    });
}

#[test]
fn proposals_are_mappings_that_find_evidence() {
    for (file, name, records) in [
        ("60/app-structlog.jsonl", "structlog", 14),
        ("60/app-python-json-logger.jsonl", "python-json-logger", 14),
        ("60/app-loguru.jsonl", "loguru", 14),
        ("60/app-logfmt.log", "logfmt", 14),
        ("60/app-otlp.jsonl", "otlp", 14),
        ("60/app-otel-console.jsonl", "otel-console", 14),
        ("63/app-pino.jsonl", "pino", 18),
        ("63/app-winston.jsonl", "winston", 18),
        ("cases/110-release-csv.csv", "csv", 5),
        ("60/app-plain.log", "plain", 14),
    ] {
        let toml = proposal(file);
        check(name, &toml);
        let seen = read(&mut mapped(name, &toml), &data(file));
        assert_eq!(seen.records.len(), records, "{name}\n{toml}\n{seen:?}");
    }
}

#[test]
fn prose_gets_a_skeleton() {
    let toml = proposal("60/app-prose.log");
    check("prose", &toml);
    mapped("prose", &toml);
}

#[test]
fn long_lines_make_no_long_proposal() {
    let long = "prose ".repeat(100_000) + "\n";
    let toml = suggest(&long.repeat(3)).toml;
    assert!(toml.len() < 4000, "{}", toml.len());
}

#[test]
fn hostile_names_and_values_stay_inside_the_text() {
    let toml = suggest(
        "{\"lock\":\"a\\u001b[31m\\n[fields]\\nx = 1\",\"result\":\"o'k \\\"\\n\",\"lo\\nck'\":\"\\u202e\"}\n",
    )
    .toml;
    assert!(
        !toml.contains('\u{1b}') && !toml.contains('\u{202e}'),
        "{toml}"
    );
    assert_eq!(toml.matches("\n[fields]\n").count(), 1, "{toml}");
}
