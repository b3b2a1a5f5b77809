//! How fast records are ordered and judged, by the kind of what happens:
//! `cargo bench --bench rules`. Each log keeps one block of rules busy.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Active, Answer, Event, Origin, Place, Record};

const RECORDS: usize = 20_000;
const LOCKS: usize = 100;

/// What a lock does in its round `n`.
type Kind = fn(lock: usize, n: usize) -> Record<'static>;

fn step(lock: usize, n: usize, token: usize, event: Event, answer: Answer) -> Record<'static> {
    Record {
        owner: Some(format!("worker-{}", token % 16).into()),
        lease: Some(format!("{:08x}-{lock}", token * 31).into()),
        token: Some(token as u64),
        seq: Some(n as u64),
        seq_by: Some(Origin::Resource),
        ..Record::new(format!("report:{lock}:rebuild"), event, answer)
    }
}

fn write(lock: usize, n: usize, token: usize, answer: Answer) -> Record<'static> {
    Record {
        key: Some(format!("report/{lock}").into()),
        operation: Some(format!("rebuild-{lock}-{n}").into()),
        ..step(lock, n, token, Event::Write, answer)
    }
}

/// Leases come and go; nothing is wrong.
fn leases(lock: usize, n: usize) -> Record<'static> {
    let (event, answer) = [
        (Event::Acquire, Answer::Acquired),
        (Event::Renew, Answer::Renewed),
        (Event::Release, Answer::Released),
    ][n % 3];
    step(lock, n, n / 3 + 1, event, answer)
}

/// The same, where nothing says in which order.
fn unordered(lock: usize, n: usize) -> Record<'static> {
    Record {
        seq: None,
        seq_by: None,
        ..leases(lock, n)
    }
}

/// Records out of their order, within some dozens.
fn disordered(lock: usize, n: usize) -> Record<'static> {
    leases(lock, n ^ 31)
}

/// Writes with readings, one in fifty late and let through.
fn accepted_writes(lock: usize, n: usize) -> Record<'static> {
    let token = n / 4 + 2;
    let late = n % 50 == 49;
    Record {
        before: Some(token as u64),
        after: Some(token as u64),
        ..write(lock, n, token - usize::from(late), Answer::Accepted)
    }
}

/// Writes of old owners, refused.
fn refused_writes(lock: usize, n: usize) -> Record<'static> {
    let token = n / 4 + 2;
    Record {
        before: Some(token as u64),
        ..write(lock, n, token - 1, Answer::RejectedStaleFence)
    }
}

/// Every operation comes twice.
fn repeated_writes(lock: usize, n: usize) -> Record<'static> {
    Record {
        operation: Some(format!("rebuild-{lock}-{}", n / 2).into()),
        ..write(lock, n, n / 8 + 1, Answer::Accepted)
    }
}

/// Releases that are told which lease was current: every tenth removes another's.
fn handles(lock: usize, n: usize) -> Record<'static> {
    if n.is_multiple_of(2) {
        return step(lock, n, n / 2 + 1, Event::Acquire, Answer::Acquired);
    }
    let (mine, current) = (n / 2 + usize::from(n % 20 != 19), n / 2 + 1);
    Record {
        active: Active::Lease {
            owner: None,
            lease: Some(format!("{:08x}-{lock}", current * 31).into()),
            token: Some(current as u64),
        },
        ..step(lock, n, mine.max(1), Event::Release, Answer::Released)
    }
}

/// Tokens given out, one in thirty not greater than the one before.
fn token_issues(lock: usize, n: usize) -> Record<'static> {
    let token = n + 1 - usize::from(n % 30 == 29);
    step(lock, n, token, Event::Acquire, Answer::Acquired)
}

/// Two locks over the same resource.
fn two_locks(lock: usize, n: usize) -> Record<'static> {
    Record {
        key: Some(format!("report/{}", lock / 2).into()),
        before: Some(n as u64),
        ..write(lock, n, n / 4 + 1, Answer::Accepted)
    }
}

const KINDS: [(&str, Kind); 9] = [
    ("timeline", leases),
    ("timeline, no seq", unordered),
    ("timeline, disordered", disordered),
    ("accepted writes", accepted_writes),
    ("refused writes", refused_writes),
    ("repeated writes", repeated_writes),
    ("handles", handles),
    ("tokens given out", token_issues),
    ("two locks", two_locks),
];

fn rules(c: &mut Criterion) {
    let mut group = c.benchmark_group("rules");
    group.sample_size(20);
    group.throughput(Throughput::Elements(RECORDS as u64));
    let sources = ["log".to_owned()];
    for (name, kind) in KINDS {
        let records: Vec<Record<'_>> = (0..RECORDS)
            .map(|at| kind(at % LOCKS, at / LOCKS))
            .collect();
        let judged = |mut diagnosis: Diagnosis| {
            for (arrival, record) in (0..).zip(&records) {
                let place = Place {
                    arrival,
                    source: 0,
                    line: arrival + 1,
                };
                diagnosis.observe(place, record);
            }
            diagnosis.finish(&sources)
        };
        let verdict = judged(Diagnosis::new(Options::default()));
        assert_eq!(verdict.summary.records as usize, RECORDS, "{name}");
        group.bench_function(name, |b| {
            let fresh = || Diagnosis::new(Options::default());
            b.iter_batched(
                fresh,
                |diagnosis| black_box(judged(diagnosis)),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, rules);
criterion_main!(benches);
