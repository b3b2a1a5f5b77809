//! What every verdict must survive, over made-up histories, the cases and the packs.

#![allow(clippy::unwrap_used)] // a test may stop at what it cannot read

mod common;
mod growing;
mod less;
mod made;
mod nothing;
mod spelled;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeSet;

use common::{Dice, recorded, verdicts, without};
use growing::{check_followed, room_for};
use less::{FIELDS, accuses_of_nothing_else, check_less};
use lockdiag::diagnosis::{Options, OrderBy};
use lockdiag::incident::{Classification, Incident, Status, Variant, WithheldReason};
use made::{Numbers, all_numbered, history, numbered, numbers};
use nothing::{check_interleaved, check_no_clock, check_renamed, check_shuffled, elsewhere};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::Value;
use spelled::check_spelled;
use support::judge;

// ---- over made-up histories

fn fails(result: Result<(), String>) -> Result<(), TestCaseError> {
    result.map_err(TestCaseError::fail)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 256,
        failure_persistence: None,
        // The same histories in every run; PROPTEST_CASES and PROPTEST_RNG_SEED ask for others.
        rng_seed: RngSeed::Fixed(417),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn no_clock(records in history(2, 0..14, true), numbers in numbers()) {
        fails(check_no_clock(&numbered(records, numbers)))?;
    }

    #[test]
    fn with_seq_neither_lines_nor_files_matter(
        records in history(2, 0..14, true), numbers in all_numbered(), seed: u64, twice: Index,
    ) {
        let mut records = numbered(records, numbers);
        if !records.is_empty() {
            // A line that is shipped again.
            let again = twice.get(&records).clone();
            records.push(again);
        }
        fails(check_shuffled(&records, &mut Dice(seed)))?;
    }

    #[test]
    fn a_removed_record_accuses_of_nothing_else(
        records in history(2, 1..12, false), numbers in numbers(), gone: Index,
    ) {
        let records = numbered(records, numbers);
        let full = verdicts(std::slice::from_ref(&records));
        let mut less = records.clone();
        less.remove(gone.index(less.len()));
        fails(check_less(&full, &[less], None))?;
    }

    #[test]
    fn a_removed_field_accuses_of_nothing_else(
        records in history(2, 1..12, false), numbers in numbers(), at: Index, field: Index, everywhere: bool,
    ) {
        let records = numbered(records, numbers);
        let full = verdicts(std::slice::from_ref(&records));
        let field = FIELDS[field.index(FIELDS.len())];
        let at = at.index(records.len());
        let less = records
            .iter()
            .enumerate()
            .map(|(n, record)| if everywhere || n == at { without(record, field) } else { record.clone() })
            .collect();
        fails(check_less(&full, &[less], Some(field)))?;
    }

    #[test]
    fn names_mean_nothing(records in history(2, 0..14, true), numbers in numbers()) {
        fails(check_renamed(&numbered(records, numbers)))?;
    }

    #[test]
    fn a_lease_in_two_spellings_proves_nothing_more(
        records in history(2, 0..14, true), numbers in numbers(), seed: u64,
    ) {
        fails(check_spelled(&numbered(records, numbers), &mut Dice(seed)))?;
    }

    #[test]
    fn locks_are_independent(
        records in history(1, 0..10, true), foreign in history(2, 0..10, true), numbers in numbers(), seed: u64,
    ) {
        let records = numbered(records, numbers);
        let foreign = numbered(elsewhere(&foreign), numbers);
        fails(check_interleaved(&records, &foreign, &mut Dice(seed)))?;
    }

    #[test]
    fn little_memory_gives_the_same_verdicts_or_less(
        records in history(2, 0..30, false), numbers in all_numbered(), seed: u64, room in 40usize..800, apart in 1usize..12,
    ) {
        let mut records = numbered(records, numbers);
        let mut dice = Dice(seed);
        for block in records.chunks_mut(apart) {
            dice.shuffle(block);
        }
        let plenty = verdicts(std::slice::from_ref(&records));
        let (little, _) = judge(&[records.clone()], room_for(room));
        if little.summary.withheld.is_empty() {
            prop_assert_eq!(&little, &plenty);
        }
        // As where earlier records are missing, or where nothing orders them.
        let (unordered, _) = judge(&[records], Options { order: OrderBy::None, ..Options::default() });
        let mut all = plenty;
        all.incidents.extend(unordered.incidents);
        fails(accuses_of_nothing_else(&all, &little, None))?;
        // What is forgotten may have held an accusation back, so no class gets firmer.
        let firmest = |of: &Classification, one: &Incident| {
            let same = |other: &&Incident| other.lock_name == one.lock_name && other.class() == one.class();
            of.incidents.iter().filter(same).map(|other| other.status).max()
        };
        for one in little.incidents.iter().filter(|one| one.status == Status::Proven) {
            prop_assert_eq!(firmest(&all, one), Some(Status::Proven), "{:?}", one);
        }
        let known: BTreeSet<_> = all.incidents.iter().map(|incident| &incident.lock_name).collect();
        for withheld in &little.summary.withheld {
            let reason = withheld.reason;
            let memory = [WithheldReason::ReorderMemory, WithheldReason::Forgotten];
            prop_assert!(memory.contains(&reason), "{reason:?}");
        }
        prop_assert!(little.incidents.iter().all(|one| known.contains(&one.lock_name)));
    }

    #[test]
    fn following_ends_with_the_same_verdicts(records in history(2, 0..14, true), numbers in numbers(), seed: u64, mixed: bool) {
        let mut records = numbered(records, numbers);
        if mixed && matches!(numbers, Numbers::All(_)) {
            Dice(seed).shuffle(&mut records);
        }
        fails(check_followed(&records))?;
    }
}

#[test]
fn the_histories_reach_every_variant() {
    let mut runner = TestRunner::new(config());
    let strategy = (1..3u64).prop_flat_map(|locks| (history(locks, 8..16, true), numbers()));
    let mut missed: BTreeSet<Variant> = Variant::ALL.iter().copied().collect();
    let mut tried = 0;
    while !missed.is_empty() && tried < 8000 {
        let (records, numbers) = strategy.new_tree(&mut runner).unwrap().current();
        for incident in &verdicts(&[numbered(records, numbers)]).incidents {
            missed.remove(&incident.variant);
        }
        tried += 1;
    }
    assert!(missed.is_empty(), "{missed:?} in {tried}");
}

// ---- over the cases and the packs

fn is_numbered(records: &[Value]) -> bool {
    let mut seen = BTreeSet::new();
    records.iter().all(|record| {
        let seq = record["seq"].as_u64().or(record["sequence"].as_u64());
        seq.is_some_and(|seq| seen.insert((record["lockName"].to_string(), seq)))
    })
}

fn over_recorded(check: impl Fn(&[Value]) -> Result<(), String>) {
    let recorded = recorded();
    assert!(
        recorded.len() > 250,
        "only {} files of evidence",
        recorded.len()
    );
    let wrong: Vec<String> = recorded
        .iter()
        .filter_map(|(name, records)| check(records).err().map(|why| format!("{name}: {why}")))
        .collect();
    assert!(
        wrong.is_empty(),
        "{} files\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn recorded_in_two_spellings() {
    over_recorded(|records| check_spelled(records, &mut Dice(3)));
}

#[test]
fn recorded_no_clock() {
    over_recorded(check_no_clock);
}

#[test]
fn recorded_with_seq_neither_lines_nor_files_matter() {
    over_recorded(|records| {
        if is_numbered(records) {
            check_shuffled(records, &mut Dice(7))
        } else {
            Ok(())
        }
    });
}

#[test]
fn recorded_names_mean_nothing() {
    over_recorded(check_renamed);
}

#[test]
fn recorded_locks_are_independent() {
    let foreign = elsewhere(&support::values(
        &support::files(
            "tests/packs/01-redis-redispy-stale-owner-fenced",
            "evidence.jsonl",
        )[0],
    ));
    over_recorded(|records| check_interleaved(records, &foreign, &mut Dice(11)));
}

#[test]
fn recorded_following_ends_with_the_same_verdicts() {
    over_recorded(|records| {
        if records.len() > 100 {
            Ok(())
        } else {
            check_followed(records)
        }
    });
}

#[test]
fn recorded_less_evidence_accuses_of_nothing_else() {
    over_recorded(|records| {
        let full = verdicts(&[records.to_vec()]);
        // Every single removal in small files, a sample of them in large ones.
        let stride = records.len() / 12 + 1;
        for at in (0..records.len()).step_by(stride) {
            let mut less = records.to_vec();
            less.remove(at);
            check_less(&full, &[less], None)
                .map_err(|why| format!("without record {}: {why}", at + 1))?;
            for field in FIELDS {
                let mut less = records.to_vec();
                less[at] = without(&less[at], field);
                check_less(&full, &[less], Some(field))
                    .map_err(|why| format!("record {} without {field}: {why}", at + 1))?;
            }
        }
        for field in FIELDS {
            let less = records
                .iter()
                .map(|record| without(record, field))
                .collect();
            check_less(&full, &[less], Some(field))
                .map_err(|why| format!("without any {field}: {why}"))?;
        }
        Ok(())
    });
}
