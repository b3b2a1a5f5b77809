//! What each preset makes of logs that the systems wrote (or, where the preset says that
//! none could be had, of logs after their documentation): `NAME.PRESET.EXT` is read by
//! PRESET, and the snapshot holds its records.

use std::fmt::Write as _;

use lockdiag::ingest::mapping::Preset;

use crate::support::{Seen, data, names, read};

fn shown(seen: &Seen) -> String {
    let mut text = String::new();
    for record in &seen.records {
        let _ = writeln!(text, "{record}");
    }
    for (what, lines) in [("problem", &seen.problems), ("reject", &seen.rejects)] {
        for line in lines {
            let _ = writeln!(text, "{what}: {line}");
        }
    }
    let _ = write!(text, "others: {}", seen.others);
    text
}

fn check(dir: &str, name: &str, seen: &Seen) {
    insta::with_settings!({
        snapshot_path => "snapshots",
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!(format!("{dir}-{name}"), shown(seen));
    });
}

#[test]
fn every_preset_reads_its_logs() {
    let mut read_by = std::collections::BTreeSet::new();
    for name in names("systems") {
        let preset = Preset::from_name(name.split('.').nth(1).unwrap()).unwrap();
        let seen = read(&mut *preset.dialect(), &data(&format!("systems/{name}")));
        check("systems", &name, &seen);
        read_by.insert(preset.name());
    }
    let all: Vec<&str> = Preset::ALL.iter().map(|p| p.name()).collect();
    assert_eq!(read_by.into_iter().collect::<Vec<_>>(), all);
}

/// The native cases: each by its preset, or by the mapping of a logger that writes so.
#[test]
fn native_cases() {
    let preset = |name: &str| Preset::from_name(name).unwrap().dialect();
    let sample = |name: &str| Box::new(crate::support::sample(name)) as Box<_>;
    for (file, mut dialect) in [
        (
            "101-k8s-audit-release-refused.k8s-audit.jsonl",
            preset("kubernetes-audit"),
        ),
        (
            "104-etcd-watch-delete-without-actor.etcd-watch.jsonl",
            preset("etcd-watch"),
        ),
        (
            "106-redis-monitor-plain-del.redis-monitor.txt",
            preset("redis-monitor"),
        ),
        ("108-logfmt-stale-and-tie.logfmt", sample("logfmt")),
        ("109-otlp-missing-fencing.otlp.json", sample("otlp")),
        ("110-release-csv.csv", sample("csv")),
        ("112-pino-nested.pino.jsonl", sample("pino")),
        ("113-broker-refusals.log", preset("broker-refusals")),
    ] {
        let seen = read(&mut *dialect, &data(&format!("cases/{file}")));
        check("cases", file, &seen);
    }
}
