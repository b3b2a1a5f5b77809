//! Copies of small packs that real systems left: lint names the fields that each system
//! could not supply, and what it says can be decided is what is then decided.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Event, Field};
use lockdiag::incident::{Class, Classification, Status};
use lockdiag::ingest::{self, ReadOptions, Source};
use lockdiag::lint::decidability::{Level, WAYS, way_of};
use lockdiag::lint::{Code, Report};

use super::{lint, settings};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lint/packs")
}

/// The packs, each with its logs.
fn packs() -> BTreeMap<String, Vec<(String, Vec<u8>)>> {
    let mut packs: BTreeMap<String, Vec<(String, Vec<u8>)>> = BTreeMap::new();
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if let Some((pack, _)) = name.split_once(".jsonl") {
            let pack = pack.split_once('@').map_or(pack, |(pack, _)| pack);
            let log = (name.clone(), fs::read(&path).unwrap());
            packs.entry(pack.to_owned()).or_default().push(log);
        }
    }
    for logs in packs.values_mut() {
        logs.sort();
    }
    packs
}

pub fn classify(logs: &[(String, Vec<u8>)], options: Options) -> Classification {
    let source = |(name, bytes): &(String, Vec<u8>)| {
        Source::reader(name.clone(), std::io::Cursor::new(bytes.clone()))
    };
    let mut diagnosis = Diagnosis::new(options);
    let sources = logs.iter().map(source).collect();
    ingest::read(sources, &ReadOptions::default(), &mut diagnosis).unwrap();
    let names: Vec<String> = logs.iter().map(|(name, _)| name.clone()).collect();
    diagnosis.finish(&names)
}

/// The fields of the table, as the table calls them.
fn column(field: Field) -> Option<&'static str> {
    Some(match field {
        Field::LeaseId => "leaseId",
        Field::FenceToken => "fenceToken",
        Field::ResourceHighestTokenBefore => "highestBefore",
        Field::ResourceHighestTokenAfter => "highestAfter",
        Field::ActiveOwnerId => "activeOwner",
        Field::ActiveLeaseId => "activeLease",
        Field::ActiveFenceToken => "activeToken",
        Field::Seq => "seq",
        Field::OwnerId => "ownerId",
        Field::ResourceKey => "resourceKey",
        Field::OperationId => "operationId",
        Field::LockName | Field::Result | Field::Event => "never",
        Field::SeqBy | Field::ActiveLease | Field::Ts => return None,
    })
}

/// What lint counts as missing, in the form of the table.
fn missing(report: &Report) -> BTreeSet<String> {
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for (event, field, coverage) in &report.coverage {
        let handle = matches!(field, Field::LeaseId | Field::FenceToken);
        if let Some(column) = column(*field).filter(|_| !(handle && *event == Event::Expire)) {
            let count = counts.entry(column).or_default();
            count.0 += coverage.present;
            count.1 += coverage.of;
        }
    }
    counts
        .into_iter()
        .filter(|(_, (present, of))| present < of)
        .map(|(column, (present, of))| match present {
            0 => column.to_owned(),
            _ => format!("{column} ({present}/{of})"),
        })
        .collect()
}

/// The table: a line a pack, its name and the fields that it lacks.
fn table() -> BTreeMap<String, BTreeSet<String>> {
    fs::read_to_string(folder().join("MISSING.txt"))
        .unwrap()
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (pack, fields) = line.split_once(':').unwrap();
            let fields = fields.split(',').map(|field| field.trim().to_owned());
            (
                pack.to_owned(),
                fields.filter(|field| !field.is_empty()).collect(),
            )
        })
        .collect()
}

#[test]
fn lint_names_the_fields_that_each_system_could_not_supply() {
    let table = table();
    for (pack, logs) in packs() {
        let report = lint(logs, settings(None));
        assert_eq!(missing(&report), table[&pack], "{pack}");
        // And a finding says so for each.
        let told: BTreeSet<&str> = report
            .findings
            .iter()
            .filter(|one| {
                let family = one.code.family();
                family == lockdiag::lint::Family::Fields
                    || matches!(one.code, Code::OnlyClock | Code::SeqOnSome)
            })
            .filter_map(|one| column(one.field?))
            .collect();
        let named: BTreeSet<&str> = table[&pack]
            .iter()
            .filter_map(|field| field.split(' ').next())
            .collect();
        assert_eq!(told, named, "{pack}");
    }
}

#[test]
fn what_is_decided_could_be_decided() {
    let mut proven = 0;
    for (pack, logs) in packs() {
        let report = lint(logs.clone(), settings(None));
        for incident in classify(&logs, Options::default()).incidents {
            let lock = report
                .locks
                .iter()
                .find(|lock| lock.lock_name == incident.lock_name)
                .unwrap();
            let level = |class: Class| {
                let ways = lock.ways.iter().filter(|way| way.way.class == class);
                ways.map(|way| way.level).max().unwrap()
            };
            let context = format!("{pack}: {} {}", incident.lock_name, incident.variant);
            if let Some(way) = way_of(incident.variant) {
                let at = WAYS.iter().position(|one| one == way).unwrap();
                let needed = match incident.status {
                    Status::Proven => Level::CanProve,
                    _ => Level::CanOnlySuspect,
                };
                proven += u64::from(needed == Level::CanProve);
                assert!(lock.ways[at].level >= needed, "{context}");
            }
            for candidate in &incident.candidates {
                assert!(
                    level(*candidate) >= Level::CanOnlySuspect,
                    "{context}: {candidate}"
                );
            }
        }
    }
    assert!(proven > 20);
}

#[test]
fn what_could_be_proven_throughout_is_proven() {
    #[derive(serde::Deserialize)]
    struct Truth {
        incidents: Vec<True>,
    }
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct True {
        lock_name: String,
        class: String,
    }
    let (mut checked, mut below) = (0, 0);
    for (pack, logs) in packs() {
        let truth = fs::read_to_string(folder().join(format!("{pack}.truth.json"))).unwrap();
        let truth: Truth = serde_json::from_str(&truth).unwrap();
        let report = lint(logs.clone(), settings(None));
        let found = classify(&logs, Options::default()).incidents;
        for one in truth.incidents {
            let Some(class) = Class::from_name(&one.class).filter(|c| *c != Class::Undecided)
            else {
                continue;
            };
            let of_class: Vec<_> = found
                .iter()
                .filter(|it| it.lock_name == one.lock_name && it.class() == class)
                .collect();
            let lock = report.locks.iter().find(|it| it.lock_name == one.lock_name);
            let lock = lock.unwrap();
            let is_proven = of_class.iter().any(|it| it.status == Status::Proven);
            let complete = lock
                .ways
                .iter()
                .filter(|way| way.way.class == class)
                .all(|way| (way.level == Level::CanProve && way.complete) || way.of == 0);
            if complete {
                checked += 1;
                assert!(is_proven, "{pack}: {} {class}", one.lock_name);
            }
            let never = lock
                .ways
                .iter()
                .filter(|way| way.way.class == class)
                .all(|way| way.level < Level::CanProve);
            if never {
                below += 1;
                assert!(!is_proven, "{pack}: {} {class}", one.lock_name);
            }
        }
    }
    assert!(checked > 5 && below > 3, "{checked} {below}");
}

#[test]
fn a_late_line_that_classify_cautions_of_is_found() {
    let mut cautions = 0;
    for (pack, logs) in packs() {
        let report = lint(logs.clone(), settings(None));
        for caution in classify(&logs, Options::default()).summary.cautions {
            let Some(lock) = caution.lock_name else {
                continue;
            };
            cautions += 1;
            let told = report.findings.iter().any(|one| {
                one.code == Code::ReadingContradictsOrder && one.lock_name.as_ref() == Some(&lock)
            });
            assert!(told, "{pack}: {lock} {:?}", caution.kind);
        }
    }
    assert!(cautions > 0);
}
