//! Small logs, each about one way: how firmly it can be decided, in how many of the records
//! concerned, and what is needed. What `classify` says of them is no firmer than that.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lockdiag::diagnosis::Options;
use lockdiag::incident::Status;
use lockdiag::lint::decidability::{Level, WayVerdict};

use super::packs::classify;
use super::{lint, settings};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint/levels")
}

/// A verdict in the form of the table.
fn written(verdict: &WayVerdict) -> String {
    let sets = verdict.needs.iter().map(|set| {
        let needs = set
            .iter()
            .map(|need| format!("{}.{}", need.on.name(), need.field));
        needs.collect::<Vec<String>>().join(" + ")
    });
    format!(
        "{} {} {} {}/{}; {}",
        verdict.way.name,
        verdict.level.name(),
        if verdict.complete {
            "throughout"
        } else {
            "in-part"
        },
        verdict.records,
        verdict.of,
        sets.collect::<Vec<String>>().join(" | ")
    )
}

#[test]
fn each_log_is_decided_as_firmly_as_lint_says() {
    let table = fs::read_to_string(folder().join("LEVELS.txt")).unwrap();
    let mut told = BTreeSet::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (name, expected) = line.split_once(": ").unwrap();
        let (found, verdict) = expected.split_once(' ').unwrap();
        let way = verdict.split(' ').next().unwrap();
        told.insert(format!("{name}.jsonl"));
        let bytes = fs::read(folder().join(format!("{name}.jsonl"))).unwrap();
        let log = vec![(name.to_owned(), bytes)];
        // The last lock is the one that the log is about.
        let report = lint(log.clone(), settings(None));
        let lock = report.locks.last().unwrap();
        let of_way = lock.ways.iter().find(|one| one.way.name == way).unwrap();
        assert_eq!(written(of_way), verdict, "{name}");
        let incidents = classify(&log, Options::default()).incidents;
        let status = incidents
            .iter()
            .filter(|one| one.lock_name == lock.lock_name)
            .filter(|one| of_way.way.variants.contains(&one.variant))
            .map(|one| one.status)
            .max();
        assert_eq!(status.map_or("nothing", Status::name), found, "{name}");
        let needed = match status {
            None => Level::Blind,
            Some(Status::Proven) => Level::CanProve,
            Some(_) => Level::CanOnlySuspect,
        };
        assert!(of_way.level >= needed, "{name}");
    }
    let logs: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".jsonl"))
        .collect();
    assert_eq!(told, logs);
}
