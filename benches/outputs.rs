//! How fast incidents are written in each format of `classify`: `cargo bench --bench outputs`.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Answer, Event, Origin, Place, Record};
use lockdiag::incident::Classification;
use lockdiag::render::text::{Style, summary};
use lockdiag::render::{Format, LineCounts, View, render};

const LOCKS: u64 = 1000;

/// One incident of each lock: a write of an owner whose lease is over, refused in every
/// second lock.
fn classification() -> Classification {
    let mut diagnosis = Diagnosis::new(Options::default());
    let mut arrival = 0;
    for lock in 0..LOCKS {
        let name = format!("tenant-{}:report:{lock}:rebuild", lock % 97);
        let key = format!("tenant-{}/report/{lock}", lock % 97);
        let mut step = |seq: u64, event, answer, token: u64, before: Option<u64>| {
            let owner = format!("worker-{lock}-{token}");
            let lease = format!("{:032x}", u128::from(lock * 7 + token));
            let operation = format!("rebuild-{lock}-{token}");
            let write = event == Event::Write;
            let record = Record {
                owner: Some(owner.into()),
                lease: Some(lease.into()),
                token: Some(token),
                before,
                seq: Some(seq),
                seq_by: Some(Origin::Resource),
                key: write.then(|| key.clone().into()),
                operation: write.then(|| operation.into()),
                ..Record::new(name.clone(), event, answer)
            };
            let place = Place {
                arrival,
                source: 0,
                line: arrival + 1,
            };
            diagnosis.observe(place, &record);
            arrival += 1;
        };
        step(1, Event::Acquire, Answer::Acquired, 1, None);
        step(2, Event::Acquire, Answer::Acquired, 2, None);
        step(3, Event::Write, Answer::Accepted, 2, Some(0));
        let late = [Answer::Accepted, Answer::RejectedStaleFence][lock as usize % 2];
        step(4, Event::Write, late, 1, Some(2));
    }
    diagnosis.finish(&["service.jsonl".to_owned()])
}

fn outputs(c: &mut Criterion) {
    let all = classification();
    assert!(all.incidents.len() as u64 >= LOCKS);
    let view = View {
        shown: all.incidents.iter().collect(),
        all: &all.incidents,
        summary: &all.summary,
        lines: LineCounts {
            other: 1,
            rejected: 2,
        },
        threads: 1,
    };
    let style = Style::default();
    let mut group = c.benchmark_group("outputs");
    group.sample_size(20);
    group.throughput(Throughput::Elements(all.incidents.len() as u64));
    for format in Format::ALL {
        group.bench_function(format!("{format:?}"), |b| {
            b.iter(|| {
                let mut out = Vec::new();
                render(format, &view, &style, &mut out).unwrap();
                black_box(out)
            });
        });
    }
    group.bench_function("summary", |b| {
        b.iter(|| {
            let mut out = Vec::new();
            summary::render(&view, &style, &mut out).unwrap();
            black_box(out)
        });
    });
    group.finish();
}

criterion_group!(benches, outputs);
criterion_main!(benches);
