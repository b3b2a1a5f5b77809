//! A proposal is a mapping that can be read, and on logs with telling names it already
//! finds the evidence.

use std::fmt::Write as _;
use std::io::Cursor;
use std::sync::Arc;

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::ingest::mapping::{Mapped, Mapping, Preset, suggest};
use lockdiag::ingest::{ReadOptions, Source};
use serde_json::json;

use crate::support::{data, mapped, names, read, sample};

/// What a log is diagnosed as by a proposal that nobody edited.
fn incidents(mapping: &Arc<Mapping>, log: &[u8]) -> String {
    let mut diagnosis = Diagnosis::new(Options::default());
    let source = Source::reader("log", Cursor::new(log.to_vec()))
        .read_by(Box::new(Mapped::new(Arc::clone(mapping))));
    lockdiag::ingest::read(vec![source], &ReadOptions::default(), &mut diagnosis).unwrap();
    let mut shown = String::new();
    for one in diagnosis.finish(&["log".to_owned()]).incidents {
        let (class, variant) = (one.class(), one.variant);
        let lines: Vec<u64> = one.evidence.iter().map(|e| e.line).collect();
        let (lock, status) = (&one.lock_name, one.status);
        let _ = writeln!(
            shown,
            "incident: {lock} {class:?} {variant:?} {status:?} {lines:?}"
        );
    }
    shown
}

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

/// Small logs of which something was once missed, or taken for what it does not say: the
/// proposal, and what it finds. One that can't be used as it stands says what is missing.
#[test]
fn what_is_proposed_for_small_logs() {
    for name in names("proposals") {
        let log = data(&format!("proposals/{name}"));
        let toml = suggest(&String::from_utf8(log.clone()).unwrap()).toml;
        let mut shown = format!("{toml}\n---\n");
        match Mapping::parse(&name, &toml) {
            Ok(mapping) => {
                let mapping = Arc::new(mapping);
                let seen = read(&mut Mapped::new(Arc::clone(&mapping)), &log);
                for record in &seen.records {
                    let _ = writeln!(shown, "{record}");
                }
                for problem in seen.problems.iter().chain(&seen.rejects) {
                    let _ = writeln!(shown, "problem: {problem}");
                }
                let _ = writeln!(shown, "others: {}", seen.others);
                shown.push_str(&incidents(&mapping, &log));
            }
            Err(errors) => {
                for error in errors {
                    let _ = writeln!(shown, "fault: {}", error.message);
                }
            }
        }
        check(&name, &shown);
    }
}

/// Whatever they are called, who asks is the owner, and who holds the lock was current.
#[test]
fn who_asks_is_told_from_who_holds() {
    let named = "proposals/asker-and-holder.jsonl";
    let log = String::from_utf8(data(named)).unwrap();
    for holder in [
        "holder",
        "holderId",
        "lock_holder",
        "locked_by",
        "lock_owner",
        "owner",
    ] {
        for asker in [
            "worker",
            "clientId",
            "requester",
            "consumer",
            "node",
            "instance",
            "pod",
            "member",
            "hostname",
            "runner",
        ] {
            let log = log
                .replace("\"worker\"", &format!("\"{asker}\""))
                .replace("\"holder\"", &format!("\"{holder}\""));
            let toml = suggest(&log).toml;
            let fields = [("ownerId", asker), ("activeOwnerId", holder)];
            for (field, path) in fields {
                let line = format!("\n{field} = '{path}' ");
                assert!(toml.contains(&line), "{asker}, {holder}: {toml}");
            }
        }
    }
}

#[test]
fn a_log_that_a_preset_reads_is_told_so() {
    for name in names("systems") {
        let preset = Preset::from_name(name.split('.').nth(1).unwrap()).unwrap();
        let log = data(&format!("systems/{name}"));
        let seen = read(&mut *preset.dialect(), &log);
        let suggestion = suggest(&String::from_utf8(log).unwrap());
        let expected = (!seen.records.is_empty()).then_some(preset);
        assert_eq!(suggestion.preset, expected, "{name}\n{}", suggestion.toml);
        if expected.is_some() {
            assert!(suggestion.toml.contains(preset.name()), "{name}");
        }
    }
}

/// Evidence under its own names, deeper in the objects of a logger, needs no mapping.
#[test]
fn evidence_inside_is_read_by_a_preset() {
    let log = data("60/app-loguru.jsonl");
    let suggestion = suggest(&String::from_utf8(log.clone()).unwrap());
    assert_eq!(suggestion.preset, Some(Preset::WrappedEvidence));
    let seen = read(&mut *Preset::WrappedEvidence.dialect(), &log);
    assert_eq!(seen.records, read(&mut sample("loguru"), &log).records);
    assert_eq!(seen.records.len(), 14);
    // Evidence that stands alone needs no preset either.
    let alone = suggest("{\"lockName\":\"a\",\"result\":\"acquired\",\"fenceToken\":1}\n");
    assert_eq!(alone.preset, None, "{}", alone.toml);
}

/// Sentences, and the log of a system, that a collector put into JSON line by line.
#[test]
fn text_that_objects_carry_is_to_be_read_alone() {
    for (file, name, command) in [
        ("60/app-prose.log", "log", "map suggest"),
        (
            "systems/plain-del.redis-monitor.txt",
            "MESSAGE",
            "classify --preset redis-monitor",
        ),
    ] {
        let mut log = String::new();
        for line in String::from_utf8(data(file)).unwrap().lines() {
            let _ = writeln!(
                log,
                "{}",
                json!({"stream": "stdout", name: format!("{line}\n")})
            );
        }
        let toml = suggest(&log).toml;
        let told =
            format!("objects | .{name} // empty | rtrimstr(\"\\n\")' FILE | lockdiag {command}\n");
        assert!(toml.contains(&told), "{toml}");
        let other = log.replace(&format!("\"{name}\""), "\"note\"");
        assert!(!suggest(&other).toml.contains("rtrimstr"));
    }
}

#[test]
fn logs_of_applications_are_none_of_a_preset() {
    for file in [
        "60/app-structlog.jsonl",
        "60/app-otlp.jsonl",
        "60/app-prose.log",
        "63/app-pino.jsonl",
    ] {
        let log = String::from_utf8(data(file)).unwrap();
        assert_eq!(suggest(&log).preset, None, "{file}");
    }
}

#[test]
fn prose_gets_patterns() {
    let toml = proposal("60/app-prose.log");
    check("prose", &toml);
    let seen = read(&mut mapped("prose", &toml), &data("60/app-prose.log"));
    assert_eq!((seen.records.len(), seen.others), (14, 0), "{seen:?}");
}

#[test]
fn a_proposal_says_how_much_it_has_seen() {
    let line = "level=info msg=\"lock acquired\" lock=a owner=w-1 token=1\n";
    let log = line.to_owned() + &"level=info msg=ready took=3 of=5\n".repeat(3000) + line;
    let toml = suggest(&log).toml;
    let seen = "# Looked at: the first 2000 lines, and 1 later ones that speak of locks.";
    assert!(toml.starts_with(seen), "{toml}");
    assert!(!suggest(&line.repeat(20)).toml.contains("Looked at"));
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
