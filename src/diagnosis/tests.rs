//! Memory while records wait, and what is told of records that are forgotten.

use super::{Diagnosis, Options};
use crate::evidence::{Answer, Event, Origin, Place, Record};
use crate::incident::{Classification, Status, Variant, WithheldReason};

/// A write of the only owner, which is accepted or refused by what it reads.
fn write(token: u64, before: u64, seq: u64) -> Record<'static> {
    let answer = if token < before {
        Answer::RejectedStaleFence
    } else {
        Answer::Accepted
    };
    Record {
        token: Some(token),
        before: Some(before),
        key: Some("report/417".into()),
        operation: Some(format!("rebuild-{seq}").into()),
        seq: Some(seq),
        seq_by: Some(Origin::Resource),
        ..Record::new("report:417", Event::Write, answer)
    }
}

fn place(arrival: u64) -> Place {
    Place {
        arrival,
        source: 0,
        line: arrival + 1,
    }
}

fn little(memory: usize, follow: bool) -> Diagnosis {
    Diagnosis::new(Options {
        memory: Some(memory),
        follow,
        ..Options::default()
    })
}

/// Also where the numbers come in the wrong order, so that an early one blocks the rest.
#[test]
fn what_waits_stays_within_memory() {
    const MEMORY: usize = 64 << 10;
    for step in [1, 7919] {
        let mut diagnosis = little(MEMORY, false);
        for n in 0..20_000 {
            let seq = n * step % 20_011;
            diagnosis.observe(place(n), &write(seq + 1, seq, seq));
            assert!(
                diagnosis.waiting <= 2 * MEMORY,
                "{} at {n}",
                diagnosis.waiting
            );
        }
        let found = diagnosis.finish(&["log".to_owned()]);
        let reasons: Vec<_> = found
            .summary
            .withheld
            .iter()
            .map(|one| one.reason)
            .collect();
        assert!(reasons.contains(&WithheldReason::Forgotten), "{reasons:?}");
        let disordered = reasons.contains(&WithheldReason::ReorderMemory);
        assert_eq!(disordered, step > 1);
    }
}

/// What is known of judged records takes more than the records did while they waited. A
/// lock that has all of a log to itself is judged in pieces, whatever the order of its lines.
#[test]
fn a_lock_with_all_of_the_memory_is_judged_in_pieces() {
    const RECORDS: u64 = 10_000;
    for step in [1, 7919] {
        let judge = |memory| {
            let mut diagnosis = little(memory, false);
            for n in 0..RECORDS {
                let seq = n * step % RECORDS;
                // One of a hundred comes too late and is refused.
                let token = if seq % 100 == 50 { 1 } else { seq + 1 };
                diagnosis.observe(place(n), &write(token, seq, seq));
            }
            assert!(diagnosis.waiting < memory / 4 * 3, "{}", diagnosis.waiting);
            diagnosis.finish(&["log".to_owned()])
        };
        let (plenty, little) = (judge(64 << 20), judge(768 << 10));
        assert_eq!(plenty.summary.withheld, []);
        assert_eq!(little.summary.withheld[0].reason, WithheldReason::Forgotten);
        for found in [plenty, little] {
            let refused = found.incidents.iter();
            let mut refused = refused.filter(|one| one.variant == Variant::WriteRefused);
            assert_eq!(
                refused.next().map(|one| one.occurrences),
                Some(RECORDS / 100)
            );
            assert_eq!(refused.next(), None);
        }
    }
}

/// Into which pieces a lock is cut depends on memory alone.
#[test]
fn the_number_of_threads_changes_nothing_where_locks_are_cut() {
    let judge = |threads| {
        let mut diagnosis = Diagnosis::new(Options {
            memory: Some(8 << 20),
            threads,
            ..Options::default()
        });
        for n in 0..80_000 {
            let (lock, seq) = (n % 2, n / 2);
            let token = if seq % 997 == 50 { 1 } else { seq + 1 };
            let record = Record {
                lock: format!("report:{lock}").into(),
                key: Some(format!("report/{lock}").into()),
                // One operation comes again in another piece.
                operation: Some(format!("rebuild-{:030}", seq % 30_011).into()),
                ..write(token, seq, seq)
            };
            diagnosis.observe(place(n), &record);
        }
        let big = diagnosis
            .locks
            .iter()
            .filter(|lock| lock.waiting() >= 1 << 20);
        assert_eq!(big.count(), 2);
        diagnosis.finish(&["log".to_owned()])
    };
    let one = judge(1);
    assert_eq!(one.summary.withheld.len(), 2);
    for threads in [2, 5] {
        assert_eq!(judge(threads), one, "{threads} threads");
    }
}

/// A lease that had a newer token itself, and a neighbour that wrote at the same key, may
/// have been forgotten: either shows the refused owner to be no stale one.
#[test]
fn nothing_is_proven_where_records_were_forgotten() {
    let log = ["log".to_owned()];
    let lease = |token, record: Record<'static>| Record {
        lease: Some("lease-1".into()),
        token: Some(token),
        ..record
    };
    for shares_key in [false, true] {
        let mut diagnosis = little(1 << 10, false);
        diagnosis.observe(place(0), &lease(2, write(2, 0, 1)));
        for n in 1..200 {
            let elsewhere = Record {
                key: Some("report/418".into()),
                ..write(n + 2, n + 1, n + 1)
            };
            diagnosis.observe(place(n), &elsewhere);
        }
        let mut late = lease(1, write(1, 2, 201));
        if shares_key {
            late.lock = "report:419".into();
            late.seq = Some(1);
        }
        diagnosis.observe(place(200), &late);
        let found = diagnosis.finish(&log);
        let mut withheld = found.summary.withheld.iter();
        assert!(withheld.any(|one| one.lock_name == late.lock));
        let mut of_lock = found.incidents.iter();
        let refused = of_lock.find(|one| one.lock_name == late.lock);
        let said = refused.map(|one| (one.variant, one.status));
        assert_eq!(said, Some((Variant::WriteRefused, Status::Suspected)));
    }
}

/// Between two questions more may come than is kept.
#[test]
fn what_was_forgotten_while_following_is_told() {
    let mut diagnosis = little(4 << 10, true);
    diagnosis.observe(place(0), &write(5, 0, 1));
    diagnosis.observe(place(1), &write(1, 5, 2));
    for n in 2..1000 {
        diagnosis.observe(place(n), &write(n + 5, n + 4, n + 1));
    }
    let log = ["log".to_owned()];
    let told = diagnosis.changes(&log);
    let refused = |told: &[crate::incident::Incident]| {
        let mut refused = told
            .iter()
            .filter(|one| one.variant == Variant::WriteRefused);
        refused.next().map(|one| one.evidence[0].line)
    };
    assert_eq!(refused(&told), Some(2));
    diagnosis.observe(place(1000), &write(2000, 1999, 1001));
    assert_eq!(refused(&diagnosis.changes(&log)), None);
    assert_eq!(refused(&diagnosis.finish(&log).incidents), Some(2));
}

/// With room for a record or so at a time.
fn with_hardly_any_memory(records: &[Record<'_>]) -> Classification {
    let mut diagnosis = little(40, false);
    for (n, record) in records.iter().enumerate() {
        diagnosis.observe(place(n as u64), record);
    }
    diagnosis.finish(&["log".to_owned()])
}

/// The lock whose records all wait forgets nothing, so what it shows is no weaker.
#[test]
fn a_lock_that_forgot_nothing_is_not_taken_for_one_that_did() {
    let first = Record {
        token: Some(1),
        key: Some("store".into()),
        seq: Some(1),
        ..Record::new("first", Event::Write, Answer::Accepted)
    };
    let second = Record {
        token: Some(2),
        before: Some(1),
        lease: Some("lease-1".into()),
        key: Some("store".into()),
        operation: Some("rebuild".into()),
        seq: Some(2),
        ..Record::new("second", Event::Write, Answer::Accepted)
    };
    let found = with_hardly_any_memory(&[first, second]);
    assert_eq!(found.summary.withheld, []);
    let [incident] = &found.incidents[..] else {
        panic!("{:?}", found.incidents);
    };
    assert_eq!(incident.variant, Variant::TwoLocksOneKey);
    assert_eq!(incident.status, Status::Proven);
}

/// A write that came late by its line alone: the newer one had read its token. Where that is
/// forgotten, the write is not called late.
#[test]
fn a_forgotten_reading_makes_no_write_late() {
    let accepted = |token, before, seq, key: Option<&'static str>| Record {
        token: Some(token),
        before: Some(before),
        seq: Some(seq),
        key: key.map(Into::into),
        ..Record::new("lock", Event::Write, Answer::Accepted)
    };
    let refused = Record {
        seq: Some(2),
        ..Record::new("lock", Event::Write, Answer::RejectedOther)
    };
    for key in [None, Some("store")] {
        let (newer, late) = (accepted(3, 2, 1, key), accepted(2, 0, 3, key));
        let found = with_hardly_any_memory(&[newer, refused.clone(), late]);
        assert_eq!(found.incidents, [], "{key:?}");
        let withheld: Vec<_> = found
            .summary
            .withheld
            .iter()
            .map(|one| one.reason)
            .collect();
        assert_eq!(withheld, [WithheldReason::Forgotten], "{key:?}");
    }
}
