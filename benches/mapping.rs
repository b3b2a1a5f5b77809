//! How fast foreign logs are read by mappings: `cargo bench --bench mapping`. All logs hold
//! the same records, so the rates in elements compare.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::mapping::{Mapping, Reading};
use lockdiag::ingest::{self, ReadOptions, Rejected, Sink, Source};

const RECORDS: usize = 20_000;

/// Counts the records and looks at each.
struct Look(usize);

impl Sink for Look {
    fn record(&mut self, _: Place, record: &Record<'_>) -> ControlFlow<()> {
        black_box(record);
        self.0 += 1;
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        panic!("{:?}", rejected.problems)
    }
}

/// The values of one record.
struct Write {
    lock: String,
    owner: String,
    lease: String,
    token: usize,
    seq: usize,
}

fn write(n: usize) -> Write {
    let lock = n * 7919 % 1000;
    Write {
        lock: format!("tenant-{}:report:{lock}", lock % 97),
        owner: format!("worker-{}", n % 512),
        lease: format!("{:032x}", n as u128 * 0x9e37_79b9_7f4a_7c15),
        token: n / 1000 + 1,
        seq: n,
    }
}

const NATIVE: &str = "";
const FLAT: &str = r#"
[fields]
lockName = "lock"
ownerId = "worker"
leaseId = "lease"
fenceToken = "epoch"
seq = "n"
event = { value = "write" }
result = { path = "outcome", words = { applied = "accepted", fenced = "rejected-stale-fence" } }
"#;
const NESTED: &str = r#"
[fields]
lockName = "lock.name"
ownerId = "lock.holder.pod"
leaseId = "lock.holder.lease"
fenceToken = "lock.epoch"
seq = "seq.n"
[[shape]]
when = { step = "lock.write" }
[shape.fields]
event = { value = "write" }
result = { path = "status", words = { 200 = "accepted", 409 = "rejected-stale-fence" } }
"#;
/// A row of texts and runs, which needs no search.
const PATTERN: &str = r#"
format = "text"
pattern = '^\S+ INFO write (?<result>\w+) lock=(?<lockName>\S+) owner=(?<ownerId>\S+) lease=(?<leaseId>\S+) token=(?<fenceToken>\d+) seq=(?<seq>\d+)$'
fields.event = { value = "write" }
"#;
/// Patterns that must be searched for.
const SEARCHED: &str = r#"
format = "text"
[[shape]]
pattern = 'acquired lock=(?<lockName>\S+)'
fields.result = { value = "acquired" }
[[shape]]
pattern = 'write (?<result>\w+?) lock=(?<lockName>.+) owner=(?<ownerId>.+) lease=(?<leaseId>.+) token=(?<fenceToken>\d+) seq=(?<seq>\d+)$'
fields.event = { value = "write" }
"#;
const LOGFMT: &str = r#"
format = "logfmt"
[fields]
lockName = "lock"
ownerId = "owner"
leaseId = "lease"
fenceToken = "token"
seq = "seq"
event = "step"
result = "outcome"
"#;
const CSV: &str = r#"
format = "csv"
[fields]
lockName = "lock"
ownerId = "owner"
leaseId = "lease"
fenceToken = "token"
seq = "seq"
event = { value = "write" }
result = "outcome"
"#;

fn text(w: &Write) -> String {
    format!(
        "2026-11-01T00:00:00.000Z INFO write accepted lock={} owner={} lease={} token={} seq={}",
        w.lock, w.owner, w.lease, w.token, w.seq
    )
}

type Line = fn(&Write) -> String;

fn cases() -> [(&'static str, &'static str, Line); 7] {
    [
        ("native", NATIVE, |w| {
            format!(
                r#"{{"ts":"2026-11-01T00:00:00.000Z","lockName":"{}","ownerId":"{}","leaseId":"{}","fenceToken":{},"seq":{},"event":"write","result":"accepted"}}"#,
                w.lock, w.owner, w.lease, w.token, w.seq
            )
        }),
        ("JSON, flat", FLAT, |w| {
            format!(
                r#"{{"level":"info","msg":"lock step","lock":"{}","worker":"{}","lease":"{}","epoch":{},"n":{},"outcome":"applied"}}"#,
                w.lock, w.owner, w.lease, w.token, w.seq
            )
        }),
        ("JSON, nested", NESTED, |w| {
            format!(
                r#"{{"level":30,"step":"lock.write","status":200,"lock":{{"name":"{}","holder":{{"pod":"{}","lease":"{}"}},"epoch":{}}},"seq":{{"n":{}}}}}"#,
                w.lock, w.owner, w.lease, w.token, w.seq
            )
        }),
        ("text, pattern", PATTERN, text),
        ("text, searched", SEARCHED, text),
        ("logfmt", LOGFMT, |w| {
            format!(
                r#"level=info msg="lock step" step=write outcome=accepted lock={} owner={} lease={} token={} seq={}"#,
                w.lock, w.owner, w.lease, w.token, w.seq
            )
        }),
        ("CSV", CSV, |w| {
            format!(
                "{},{},{},{},{},accepted",
                w.lock, w.owner, w.lease, w.token, w.seq
            )
        }),
    ]
}

fn mapping(c: &mut Criterion) {
    let mut group = c.benchmark_group("mapping");
    group.sample_size(20);
    group.throughput(Throughput::Elements(RECORDS as u64));
    for (name, text, line) in cases() {
        let lines = (0..RECORDS).map(|n| line(&write(n)) + "\n");
        let mut log: String = lines.collect();
        if name == "CSV" {
            log.insert_str(0, "lock,owner,lease,token,seq,outcome\n");
        }
        let reading = match text {
            NATIVE => Reading::Native,
            text => Reading::Mapped(Arc::new(Mapping::parse(name, text).unwrap())),
        };
        let mut options = ReadOptions::default();
        options.threads = 1;
        group.bench_function(name, |b| {
            b.iter(|| {
                let source =
                    Source::reader("log", Cursor::new(log.clone())).read_by(reading.dialect());
                let mut look = Look(0);
                ingest::read(vec![source], &options, &mut look).unwrap();
                assert_eq!(look.0, RECORDS);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, mapping);
criterion_main!(benches);
