//! What every verdict must survive, over records that the model wrote.

use std::borrow::Cow;
use std::collections::BTreeMap;

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Active, Place, Record};
use lockdiag::incident::Variant;
use lockdiag::ingest::{Dialect, NativeJson, Output, Problem};
use lockdiag::model::{KeyFault, Names, Rates, Rng, Sighting, Watching};

use super::schedule::{Case, pick};
use super::{any_faults, any_watching, hold};

/// A verdict without its places: what must not change.
type Verdict = String;

fn verdicts<'a>(records: impl IntoIterator<Item = (u32, Record<'a>)>) -> BTreeMap<Verdict, u64> {
    verdicts_of(records, |_| true)
}

fn verdicts_of<'a>(
    records: impl IntoIterator<Item = (u32, Record<'a>)>,
    shown: impl Fn(&str) -> bool,
) -> BTreeMap<Verdict, u64> {
    let mut diagnosis = Diagnosis::new(Options::default());
    let mut lines = [0u64; 8];
    for (arrival, (source, record)) in records.into_iter().enumerate() {
        lines[source as usize] += 1;
        let place = Place {
            arrival: arrival as u64,
            source,
            line: lines[source as usize],
        };
        diagnosis.observe(place, &record);
    }
    let sources: Vec<String> = (0..8).map(|source| format!("{source}")).collect();
    let mut counted = BTreeMap::new();
    for one in diagnosis.finish(&sources).incidents {
        if shown(&one.lock_name) {
            // Who speaks for several records is the first that arrived: no verdict.
            // A shared key is told once, under whichever lock comes first.
            let shared = one.variant == Variant::TwoLocksOneKey;
            let lock = if shared { "" } else { &one.lock_name };
            let verdict = format!(
                "{} {} {} {} {} {:?} x{} assumes {:?} missing {:?} candidates {:?}",
                one.class(),
                one.variant,
                one.status.name(),
                one.outcome.name(),
                lock,
                one.resource_key,
                one.occurrences,
                one.assumes,
                one.missing,
                one.candidates
            );
            *counted.entry(verdict).or_insert(0) += 1;
        }
    }
    counted
}

fn records(lines: &[Sighting]) -> Vec<(u32, Record<'static>)> {
    let names = Names::numbered();
    lines
        .iter()
        .map(|line| (line.file, line.record(&names)))
        .collect()
}

fn differs(a: &BTreeMap<Verdict, u64>, b: &BTreeMap<Verdict, u64>) -> Option<String> {
    let only = |a: &BTreeMap<Verdict, u64>, b: &BTreeMap<Verdict, u64>| {
        let only = a
            .iter()
            .filter(|(verdict, times)| b.get(*verdict) != Some(times));
        only.map(|(verdict, times)| format!("\n  {times} {verdict}"))
            .collect::<String>()
    };
    (a != b).then(|| format!("before:{}\nafter:{}", only(a, b), only(b, a)))
}

fn survives(name: &str, check: impl Fn(&Case, &mut Rng) -> Option<String>) {
    hold(
        name,
        |rng| (any_faults(rng), any_watching(rng), Rates::default()),
        |case| check(case, &mut Rng::new(case.seed ^ 0x51de)),
    );
}

/// One clock and another, and none; and what is written is what was meant.
#[test]
fn no_clock_and_the_line_is_the_record() {
    struct Read(Vec<Record<'static>>);
    impl Output for Read {
        fn record(&mut self, _: usize, record: &Record<'_>, problems: &[Problem]) {
            assert!(problems.is_empty(), "{problems:?}");
            self.0.push(owned(record));
        }
        fn reject(&mut self, problem: Problem) {
            panic!("{problem:?}");
        }
        fn other(&mut self) {
            panic!("a line that is no evidence");
        }
    }
    survives("no clock", |case, rng| {
        let names = Names::numbered();
        for line in case.seen().0 {
            let mut text = Vec::new();
            line.write(&mut text, &names);
            let text = String::from_utf8(text).unwrap();
            let falsified = match text.trim_end().split_once(",\"ts\":") {
                Some((start, _)) if rng.below(2) == 0 => {
                    format!("{start},\"ts\":\"{}\"}}", rng.draw())
                }
                Some((start, _)) => format!("{start}}}"),
                None => text.trim_end().to_owned(),
            };
            for text in [text.trim_end(), &falsified] {
                let mut read = Read(Vec::new());
                NativeJson.read(text.as_bytes(), &mut read);
                if read.0 != [line.record(&names)] {
                    return Some(format!("{text} is read as {:?}", read.0));
                }
            }
        }
        None
    });
}

fn owned(record: &Record<'_>) -> Record<'static> {
    renamed(record, |text| Cow::Owned(text.to_string()), |token| token)
}

fn renamed(
    record: &Record<'_>,
    name: impl Fn(&Cow<'_, str>) -> Cow<'static, str>,
    token: impl Fn(u64) -> u64,
) -> Record<'static> {
    let mut new = Record::new(name(&record.lock), record.event, record.answer);
    new.owner = record.owner.as_ref().map(&name);
    new.lease = record.lease.as_ref().map(&name);
    new.key = record.key.as_ref().map(&name);
    new.operation = record.operation.as_ref().map(&name);
    new.token = record.token.map(&token);
    new.before = record.before.map(&token);
    new.after = record.after.map(&token);
    (new.seq, new.seq_by) = (record.seq, record.seq_by);
    new.active = match &record.active {
        Active::Unrecorded => Active::Unrecorded,
        Active::None => Active::None,
        Active::Lease {
            owner,
            lease,
            token: active,
        } => Active::Lease {
            owner: owner.as_ref().map(&name),
            lease: lease.as_ref().map(&name),
            token: active.map(&token),
        },
    };
    new
}

/// With `seq`, neither the order of lines nor the split into files changes a verdict.
#[test]
fn seq_alone_orders() {
    survives("order of lines", |case, rng| {
        let mut case = case.clone();
        case.watching = Watching {
            hide: case.watching.hide.without(lockdiag::model::FieldSet::of(&[
                lockdiag::evidence::Field::Seq,
            ])),
            numbering: Watching::default().numbering,
            observers: case.watching.observers[..1].to_vec(),
            patchy: 0,
            ..case.watching.clone()
        };
        let lines = case.seen().0;
        let straight = verdicts(records(&lines));
        let mut shuffled = records(&lines);
        for at in (1..shuffled.len()).rev() {
            shuffled.swap(at, rng.below(at as u64 + 1) as usize);
        }
        let files = pick(rng, &[1, 2, 4]);
        shuffled
            .iter_mut()
            .for_each(|(file, _)| *file = rng.below(files) as u32);
        differs(&straight, &verdicts(shuffled))
    });
}

/// Other names, and tokens moved up in step, change nothing but themselves.
#[test]
fn names_mean_nothing() {
    survives("names", |case, _| {
        let name = |text: &Cow<'_, str>| {
            Cow::Owned(format!(
                "⟨{}⟩\u{202e}",
                text.chars().rev().collect::<String>()
            ))
        };
        let token = |token: u64| {
            if token == 0 {
                0
            } else {
                token * 1_000_003 + (1 << 60)
            }
        };
        let lines = case.seen().0;
        let plain = records(&lines);
        let changed: Vec<_> = plain
            .iter()
            .map(|(file, one)| (*file, renamed(one, name, token)))
            .collect();
        let count = |verdicts: BTreeMap<Verdict, u64>| {
            let mut shapes: BTreeMap<String, u64> = BTreeMap::new();
            for (verdict, times) in verdicts {
                let shape: Vec<&str> = verdict.split(' ').take(4).collect();
                *shapes.entry(shape.join(" ")).or_insert(0) += times;
            }
            shapes
        };
        differs(&count(verdicts(plain)), &count(verdicts(changed)))
    });
}

/// The records of another lock change nothing, unless the two share a key.
#[test]
fn locks_are_independent() {
    survives("other locks", |case, _| {
        if case.faults.keys == KeyFault::TwoLocks {
            return None;
        }
        let all = records(&case.seen().0);
        let first = |lock: &str| lock == "lock-0";
        let alone: Vec<_> = all
            .iter()
            .filter(|(_, one)| first(&one.lock))
            .cloned()
            .collect();
        differs(&verdicts_of(all, first), &verdicts(alone))
    });
}
