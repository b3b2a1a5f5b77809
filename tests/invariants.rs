//! What every verdict must survive, over made-up histories, the cases and the packs.

#[path = "support/made.rs"]
mod made;
mod support;

use std::collections::{BTreeMap, BTreeSet};

use lockdiag::diagnosis::{Options, OrderBy};
use lockdiag::incident::{
    Assumption, Class, Classification, Incident, Outcome, Status, Variant, WithheldReason,
};
use lockdiag::timeline::Step;
use made::{Numbers, all_numbered, history, numbered, numbers};
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use support::{gist, gists, judge};

fn verdicts(inputs: &[Vec<Value>]) -> Classification {
    judge(inputs, Options::default()).0
}

/// Every file of evidence that the other tests use, parsed; what is no JSON is left out.
fn recorded() -> Vec<(String, Vec<Value>)> {
    let mut found = Vec::new();
    for root in ["tests/cases", "tests/packs"] {
        for path in support::files(root, ".jsonl") {
            if support::file_name(&path).ends_with(".expected.jsonl") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let records: Vec<Value> = text
                .lines()
                .filter_map(|line| serde_json::from_str(line.trim_start_matches('\u{feff}')).ok())
                .collect();
            found.push((path.display().to_string(), records));
        }
    }
    found
}

/// A fixed, poor, sufficient source of numbers: the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.roll(at + 1));
        }
    }
}

fn with(record: &Value, name: &str, value: Value) -> Value {
    let mut record = record.clone();
    record[name] = value;
    record
}

fn without(record: &Value, name: &str) -> Value {
    let mut record = record.clone();
    if let Value::Object(fields) = &mut record {
        fields.remove(name);
    }
    record
}

// ---- 1. no clock

fn clocks(at: usize) -> Value {
    match at % 6 {
        0 => json!("1970-01-01T00:00:00Z"),
        1 => json!(-1),
        2 => json!({"nested": [1, 2, {"deep": null}]}),
        3 => json!("yesterday \u{202e}\u{1b}[31m"),
        4 => json!(1e300),
        _ => json!(null),
    }
}

fn check_no_clock(records: &[Value]) -> Result<(), String> {
    let plain: Vec<Value> = records.iter().map(|record| without(record, "ts")).collect();
    let false_clock: Vec<Value> = plain
        .iter()
        .enumerate()
        .map(|(at, record)| with(record, "ts", clocks(at)))
        .collect();
    let (a, b) = (verdicts(&[plain]), verdicts(&[false_clock]));
    let c = verdicts(&[records.to_vec()]);
    (a == b && a == c)
        .then_some(())
        .ok_or_else(|| differ(&gists(&a), &gists(&b)))
}

fn differ(a: &BTreeSet<String>, b: &BTreeSet<String>) -> String {
    let lost: Vec<_> = a.difference(b).collect();
    let new: Vec<_> = b.difference(a).collect();
    format!("only before {lost:#?}\nonly after {new:#?}")
}

fn same(a: &Classification, b: &Classification) -> Result<(), String> {
    let (a, b) = (gists(a), gists(b));
    (a == b).then_some(()).ok_or_else(|| differ(&a, &b))
}

// ---- 2. with seq, lines and files mean nothing

fn check_shuffled(records: &[Value], dice: &mut Dice) -> Result<(), String> {
    let mut shuffled = records.to_vec();
    dice.shuffle(&mut shuffled);
    let mut files = vec![Vec::new(); 3];
    for record in shuffled.clone() {
        files[dice.roll(3)].push(record);
    }
    let before = verdicts(&[records.to_vec()]);
    same(&before, &verdicts(&[shuffled]))?;
    same(&before, &verdicts(&files))
}

// ---- 3. less evidence, never a different accusation

fn proven(found: &Classification) -> BTreeMap<(String, Class), Vec<Incident>> {
    let mut classes: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for incident in &found.incidents {
        if incident.status == Status::Proven {
            let class = (incident.lock_name.clone(), incident.class());
            classes.entry(class).or_default().push(incident.clone());
        }
    }
    classes
}

/// Whether the full evidence shows that what `incident` takes on trust is not so.
fn assumption_failed(incident: &Incident, full: &Classification) -> bool {
    let of_lock = || {
        full.incidents
            .iter()
            .filter(|other| other.lock_name == incident.lock_name)
    };
    incident.assumes.iter().any(|assumption| match assumption {
        // Tokens of another counter, tokens of one lease, tokens in the wrong order.
        Assumption::OrderedTokens => of_lock().any(|other| {
            other.class() == Class::TokenOrder
                || matches!(
                    other.variant,
                    Variant::TwoLocksOneKey | Variant::SameLeaseToken
                )
        }),
        // What the authority named itself shows more than one lease, or an answer that
        // was given although nothing was removed.
        Assumption::ExclusiveLock | Assumption::TruthfulRelease => true,
    })
}

fn check_less(full: &Classification, less: &[Vec<Value>]) -> Result<(), String> {
    let less = verdicts(less);
    let known: BTreeSet<(String, Class)> = full
        .incidents
        .iter()
        .map(|incident| (incident.lock_name.clone(), incident.class()))
        .collect();
    for (class, incidents) in proven(&less) {
        if known.contains(&class) {
            continue;
        }
        if let Some(new) = incidents.iter().find(|new| !assumption_failed(new, full)) {
            return Err(format!(
                "less evidence proves {}\nall of it says {:#?}",
                gist(new),
                gists(full)
            ));
        }
    }
    Ok(())
}

const FIELDS: [&str; 11] = [
    "ownerId",
    "leaseId",
    "fenceToken",
    "resourceHighestTokenBefore",
    "resourceHighestTokenAfter",
    "resourceKey",
    "operationId",
    "result",
    "seq",
    "seqBy",
    "activeLease",
];

// ---- 5. names mean nothing

fn rename(name: &str) -> String {
    name.chars().rev().chain("\u{e9}".chars()).collect()
}

fn remap(token: u64) -> u64 {
    token * token * 1_000_003 + token
}

fn renamed(record: &Value) -> Value {
    let mut record = record.clone();
    let Value::Object(fields) = &mut record else {
        return record;
    };
    for (name, value) in fields.iter_mut() {
        match (name.as_str(), &value) {
            ("event" | "result" | "seqBy" | "ts" | "seq" | "sequence", _) => {}
            (_, Value::String(text)) => *value = json!(rename(text)),
            (_, Value::Number(number)) => *value = json!(remap(number.as_u64().unwrap_or(0))),
            (_, Value::Object(_)) => *value = renamed(value),
            _ => {}
        }
    }
    record
}

fn renamed_incident(incident: &Incident) -> Incident {
    let name = |text: &Option<String>| text.as_deref().map(rename);
    let actor = |actor: &Option<lockdiag::incident::Actor>| {
        actor.as_ref().map(|actor| lockdiag::incident::Actor {
            owner_id: name(&actor.owner_id),
            lease_id: name(&actor.lease_id),
            fence_token: actor.fence_token.map(remap),
        })
    };
    Incident {
        id: String::new(),
        lock_name: rename(&incident.lock_name),
        resource_key: name(&incident.resource_key),
        operation_id: name(&incident.operation_id),
        late: actor(&incident.late),
        current: actor(&incident.current),
        ..incident.clone()
    }
}

fn check_renamed(records: &[Value]) -> Result<(), String> {
    let before = verdicts(&[records.to_vec()]);
    let after = verdicts(&[records.iter().map(renamed).collect()]);
    let wanted: Vec<Incident> = before.incidents.iter().map(renamed_incident).collect();
    let found: Vec<Incident> = after
        .incidents
        .iter()
        .map(|incident| Incident {
            id: String::new(),
            ..incident.clone()
        })
        .collect();
    (wanted == found)
        .then_some(())
        .ok_or_else(|| format!("{wanted:#?}\n{found:#?}"))
}

// ---- 6. locks are independent

fn check_interleaved(records: &[Value], foreign: &[Value], dice: &mut Dice) -> Result<(), String> {
    let alone = verdicts(&[records.to_vec()]);
    let mut mixed = Vec::new();
    let mut others = foreign.iter();
    for record in records {
        for other in others.by_ref().take(dice.roll(3)) {
            mixed.push(other.clone());
        }
        mixed.push(record.clone());
    }
    mixed.extend(others.cloned());
    let mut both = verdicts(&[mixed]);
    both.incidents
        .retain(|incident| !incident.lock_name.starts_with("other-"));
    same(&alone, &both)
}

/// The records under other locks and other keys, with the same leases and operations.
fn elsewhere(records: &[Value]) -> Vec<Value> {
    let moved = |record: &Value, field: &str| {
        let name = record[field].as_str().map(|name| format!("other-{name}"));
        name.map_or_else(|| record.clone(), |name| with(record, field, json!(name)))
    };
    records
        .iter()
        .map(|record| moved(&moved(record, "lockName"), "resourceKey"))
        .collect()
}

// ---- memory, and following

fn room_for(steps: usize) -> Options {
    Options {
        memory: Some(steps * size_of::<Step>()),
        ..Options::default()
    }
}

/// Whether a variant is settled only when the input has ended.
fn at_end(variant: Variant) -> bool {
    use Variant::{KeysDiverge, NewerOwnerSilent, OrderUnknown, TwoLocksOneKey};
    matches!(
        variant,
        OrderUnknown | NewerOwnerSilent | KeysDiverge | TwoLocksOneKey
    )
}

fn check_followed(records: &[Value]) -> Result<(), String> {
    let plain = verdicts(&[records.to_vec()]);
    let options = Options {
        follow: true,
        ..Options::default()
    };
    let (followed, told) = judge(&[records.to_vec()], options);
    if plain != followed {
        return Err(differ(&gists(&plain), &gists(&followed)));
    }
    let two_locks: BTreeSet<&str> = plain
        .incidents
        .iter()
        .filter(|incident| incident.variant == Variant::TwoLocksOneKey)
        .map(|incident| incident.lock_name.as_str())
        .collect();
    for incident in &plain.incidents {
        if at_end(incident.variant) || two_locks.contains(incident.lock_name.as_str()) {
            continue;
        }
        let last = told.iter().rev().find(|told| told.id == incident.id);
        let says = |incident: &Incident| (incident.status, incident.outcome);
        if last.map(says) != Some(says(incident)) {
            return Err(format!("told {last:#?}\nin the end {incident:#?}"));
        }
    }
    Ok(())
}

// ---- over made-up histories

fn fails(result: Result<(), String>) -> Result<(), TestCaseError> {
    result.map_err(TestCaseError::fail)
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 400,
        failure_persistence: None,
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
        let full = verdicts(&[records.clone()]);
        let mut less = records.clone();
        less.remove(gone.index(less.len()));
        fails(check_less(&full, &[less]))?;
    }

    #[test]
    fn a_removed_field_accuses_of_nothing_else(
        records in history(2, 1..12, false), numbers in numbers(), at: Index, field: Index, everywhere: bool,
    ) {
        let records = numbered(records, numbers);
        let full = verdicts(&[records.clone()]);
        let field = FIELDS[field.index(FIELDS.len())];
        let at = at.index(records.len());
        let less = records
            .iter()
            .enumerate()
            .map(|(n, record)| if everywhere || n == at { without(record, field) } else { record.clone() })
            .collect();
        fails(check_less(&full, &[less]))?;
    }

    #[test]
    fn names_mean_nothing(records in history(2, 0..14, true), numbers in numbers()) {
        fails(check_renamed(&numbered(records, numbers)))?;
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
    fn little_memory_gives_the_same_verdicts_or_none(
        records in history(2, 0..30, true), numbers in all_numbered(), seed: u64, room in 4usize..12, apart in 1usize..12,
    ) {
        let mut records = numbered(records, numbers);
        let mut dice = Dice(seed);
        for block in records.chunks_mut(apart) {
            dice.shuffle(block);
        }
        let plenty = verdicts(&[records.clone()]);
        let (little, _) = judge(&[records.clone()], room_for(room));
        let (none, _) = judge(&[records], Options { order: OrderBy::None, ..Options::default() });
        // Half of the room always waits, so what is out of place by less is put in order.
        if apart < room / 2 {
            prop_assert!(little.summary.withheld.is_empty(), "{:?}", little.summary.withheld);
        }
        for lock in ["lock-0", "lock-1"] {
            let of_lock = |all: &Classification| -> BTreeSet<String> {
                all.incidents.iter().filter(|incident| incident.lock_name == lock).map(gist).collect()
            };
            let withheld = little.summary.withheld.iter().any(|w| {
                w.lock_name == lock && w.reason == WithheldReason::ReorderMemory
            });
            let wanted = of_lock(if withheld { &none } else { &plenty });
            let found = of_lock(&little);
            prop_assert!(wanted == found, "{lock} withheld={withheld}\n{}", differ(&wanted, &found));
        }
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
        let stride = records.len() / 40 + 1;
        for at in (0..records.len()).step_by(stride) {
            let mut less = records.to_vec();
            less.remove(at);
            check_less(&full, &[less])
                .map_err(|why| format!("without record {}: {why}", at + 1))?;
            for field in FIELDS {
                let mut less = records.to_vec();
                less[at] = without(&less[at], field);
                check_less(&full, &[less])
                    .map_err(|why| format!("record {} without {field}: {why}", at + 1))?;
            }
        }
        for field in FIELDS {
            let less = records
                .iter()
                .map(|record| without(record, field))
                .collect();
            check_less(&full, &[less]).map_err(|why| format!("without any {field}: {why}"))?;
        }
        Ok(())
    });
}
