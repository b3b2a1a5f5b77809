//! The incidents of a logger's file are those of the evidence that the programs wrote.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{
    Broken, Dialect, NativeJson, Progress, ReadOptions, Rejected, Sink, Source, read,
};

use crate::support::sample;

struct Judge(Diagnosis);

impl Sink for Judge {
    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        self.0.observe(place, record);
        ControlFlow::Continue(())
    }
    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        panic!("{rejected:?}");
    }
    fn broken(&mut self, broken: &Broken<'_>) -> ControlFlow<()> {
        panic!("{broken:?}");
    }
    fn idle(&mut self, _: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// What each incident is, on which lock, how sure, and by which lines.
fn incidents(file: &str, dialect: Box<dyn Dialect + Send>) -> BTreeSet<String> {
    let path = format!("{}/tests/mapping/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut judge = Judge(Diagnosis::new(Options::default()));
    let source = Source::file(path).read_by(dialect);
    read(vec![source], &ReadOptions::default(), &mut judge).unwrap();
    let found = judge.0.finish(&[file.to_owned()]).incidents;
    found
        .iter()
        .map(|one| {
            let lines: Vec<u64> = one.evidence.iter().map(|e| e.line).collect();
            format!(
                "{} {:?} {:?} {:?} {:?} {lines:?}",
                one.lock_name,
                one.class(),
                one.variant,
                one.status,
                one.outcome
            )
        })
        .collect()
}

fn by_evidence(pack: &str) -> BTreeSet<String> {
    incidents(&format!("{pack}/evidence.jsonl"), Box::new(NativeJson))
}

fn by_log(pack: &str, file: &str, name: &str) -> BTreeSet<String> {
    incidents(&format!("{pack}/{file}"), Box::new(sample(name)))
}

#[test]
fn of_every_logger() {
    for pack in ["60", "61"] {
        let evidence = by_evidence(pack);
        assert!(!evidence.is_empty());
        for (file, name) in [
            ("app-structlog.jsonl", "structlog"),
            ("app-python-json-logger.jsonl", "python-json-logger"),
            ("app-loguru.jsonl", "loguru"),
            ("app-logfmt.log", "logfmt"),
            ("app-plain.log", "plain"),
            ("app-prose.log", "prose"),
            ("app-otlp.jsonl", "otlp"),
            ("app-otel-console.jsonl", "otel-console"),
        ] {
            assert_eq!(by_log(pack, file, name), evidence, "{pack} {name}");
        }
    }
    assert_eq!(by_log("63", "app-pino.jsonl", "pino"), by_evidence("63"));
}

#[test]
fn of_a_log_without_the_highest_token() {
    // winston wrote no reading of the resource. Two operations were let in with one token, so
    // what was refused as stale was no second write of a lease.
    let logged = by_log("63", "app-winston.jsonl", "winston");
    assert_eq!(logged, by_evidence("63"));
}

#[test]
fn of_the_native_cases() {
    use lockdiag::ingest::mapping::Preset;
    type Case<'a> = (&'a str, Box<dyn Dialect + Send>, &'a [&'a str]);
    let cases: [Case<'_>; 8] = [
        (
            "101-k8s-audit-release-refused.k8s-audit.jsonl",
            Preset::KubernetesAudit.dialect(),
            &[],
        ),
        (
            "104-etcd-watch-delete-without-actor.etcd-watch.jsonl",
            Preset::EtcdWatch.dialect(),
            &[],
        ),
        (
            "106-redis-monitor-plain-del.redis-monitor.txt",
            Preset::RedisMonitor.dialect(),
            &[],
        ),
        (
            "108-logfmt-stale-and-tie.logfmt",
            Box::new(sample("logfmt")),
            &["StaleOwner"],
        ),
        (
            "109-otlp-missing-fencing.otlp.json",
            Box::new(sample("otlp")),
            &["MissingFencing"],
        ),
        (
            "110-release-csv.csv",
            Box::new(sample("csv")),
            &["UnboundRelease"],
        ),
        (
            "112-pino-nested.pino.jsonl",
            Box::new(sample("pino")),
            &["StaleOwner"],
        ),
        (
            "113-broker-refusals.log",
            Preset::BrokerRefusals.dialect(),
            &["StaleOwner", "StaleOwner", "StaleOwner"],
        ),
    ];
    for (file, dialect, expected) in cases {
        let found = incidents(&format!("cases/{file}"), dialect);
        let classes: Vec<&str> = found
            .iter()
            .map(|one| {
                let known = expected.iter().find(|class| one.contains(**class));
                known.copied().unwrap_or(one)
            })
            .collect();
        assert_eq!(classes, expected, "{file}");
    }
}
