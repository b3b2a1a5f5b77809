//! How fast evidence is read: `cargo bench --bench ingest`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::Cursor;
use std::ops::ControlFlow;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{
    self, Dialect, Framing, NativeJson, Output, ReadOptions, Rejected, Sink, Source,
};

/// Looks at each record and keeps nothing.
struct Look;

impl Sink for Look {
    fn record(&mut self, _: Place, record: &Record<'_>) -> ControlFlow<()> {
        black_box(record);
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, _: &Rejected<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// The native dialect that learns nothing from the lines before.
struct Parser;

impl Dialect for Parser {
    fn framing(&self) -> Framing {
        NativeJson.framing()
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        NativeJson.read(frame, output);
    }

    fn read_text(&mut self, frame: &str, output: &mut dyn Output) {
        NativeJson.read_text(frame, output);
    }

    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        Some(Box::new(Parser))
    }
}

/// How lines are laid out.
const SHAPES: [&str; 3] = ["compact", "spaced", "sorted"];

fn log(shape: &str, lines: usize) -> String {
    let mut log = String::new();
    for n in 0..lines {
        let lock = n * 7919 % 1000;
        let fields = [
            (
                "lockName",
                format!("\"tenant-{}:report:{lock}:rebuild\"", lock % 97),
            ),
            (
                "ownerId",
                format!("\"worker-{}-7d9fc{:03x}\"", n % 16, n % 512),
            ),
            (
                "leaseId",
                format!("\"{:032x}\"", n as u128 * 0x9e37_79b9_7f4a_7c15),
            ),
            ("fenceToken", (n / 1000 + 1).to_string()),
            ("resourceHighestTokenBefore", (n / 1000).to_string()),
            ("result", "\"accepted\"".to_owned()),
            ("event", "\"write\"".to_owned()),
            ("seq", n.to_string()),
            ("seqBy", "\"resource\"".to_owned()),
            (
                "resourceKey",
                format!("\"tenant-{}/report/{lock}\"", lock % 97),
            ),
            ("resourceHighestTokenAfter", (n / 1000 + 1).to_string()),
            ("operationId", format!("\"rebuild-{lock}-{n}\"")),
            ("ts", format!("\"2026-11-01T00:00:00.{:03}Z\"", n % 1000)),
        ];
        let mut order: Vec<_> = fields.iter().collect();
        if shape == "sorted" {
            order.sort();
        }
        let (comma, colon) = if shape == "spaced" {
            (", ", ": ")
        } else {
            (",", ":")
        };
        for (n, (name, value)) in order.into_iter().enumerate() {
            let before = if n == 0 { "{" } else { comma };
            write!(log, "{before}\"{name}\"{colon}{value}").unwrap();
        }
        log.push_str("}\n");
    }
    log
}

fn read(log: &str, threads: usize, dialect: Box<dyn Dialect + Send>) {
    let mut options = ReadOptions::default();
    options.threads = threads;
    let source = Source::reader("log", Cursor::new(log.to_owned())).read_by(dialect);
    let counts = ingest::read(vec![source], &options, &mut Look).unwrap();
    assert_eq!(counts.total.rejected, 0);
}

fn ingest(c: &mut Criterion) {
    let mut group = c.benchmark_group("ingest");
    group.sample_size(20);
    for shape in SHAPES {
        let log = log(shape, 20_000);
        group.throughput(Throughput::Bytes(log.len() as u64));
        for threads in [1, 2] {
            let id = BenchmarkId::new(shape, format!("{threads} threads"));
            group.bench_with_input(id, &log, |b, log| {
                b.iter(|| read(log, threads, Box::new(NativeJson)));
            });
        }
        let id = BenchmarkId::new(shape, "parser only");
        group.bench_with_input(id, &log, |b, log| {
            b.iter(|| read(log, 1, Box::new(Parser)));
        });
    }
    group.finish();
}

criterion_group!(benches, ingest);
criterion_main!(benches);
