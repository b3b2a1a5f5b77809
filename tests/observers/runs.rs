//! Random runs of the model, each observer with a log of its own.

use std::collections::BTreeMap;

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Field, Origin, Place};
use lockdiag::incident::{Class, Classification, Incident, Status, Variant};
use lockdiag::model::{
    Bound, DeliveryFault, Faults, FieldSet, KeyFault, Names, Numbering, Observer, Rates,
    ResourceFault, Rng, Setup, Sighting, TokenFault, Truth, Watch, Watching, World, agreement,
    random_actions, source_name,
};
use lockdiag::observers::Observers;

/// An observer: its name, what it sees, how its log suffers.
struct Watcher {
    name: &'static str,
    role: Option<Origin>,
    watching: Watching,
}

struct Run {
    faults: Faults,
    watchers: Vec<Watcher>,
    logs: Vec<Vec<Sighting>>,
    truth: Truth,
}

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u64) as usize]
}

fn watching(rng: &mut Rng, observer: Observer, complete: bool) -> Watching {
    let mut hide = FieldSet::default();
    for field in Field::ALL {
        if field != Field::LockName && !complete && rng.below(10) == 0 {
            hide = hide.with(field);
        }
    }
    let whole = complete || rng.below(2) == 0;
    let spoilt = |rng: &mut Rng, all: &[u16]| if whole { 0 } else { pick(rng, all) };
    Watching {
        observers: vec![observer],
        numbering: pick(rng, Numbering::ALL),
        hide,
        patchy: spoilt(rng, &[0, 50, 300]),
        lose: spoilt(rng, &[0, 50, 300]),
        late: u32::from(spoilt(rng, &[0, 3, 12])),
        repeat: spoilt(rng, &[0, 100]),
        files: 1,
    }
}

fn run(seed: u64, complete: bool) -> Run {
    let mut rng = Rng::new(seed);
    let faults = Faults {
        resource: pick(&mut rng, ResourceFault::ALL),
        release: pick(&mut rng, Bound::ALL),
        renewal: pick(&mut rng, Bound::ALL),
        keys: pick(&mut rng, KeyFault::ALL),
        tokens: pick(&mut rng, TokenFault::ALL),
        delivery: pick(&mut rng, DeliveryFault::ALL),
        ledger: rng.below(2) == 0,
    };
    let kinds = [
        ("app", Observer::ClientsOnly, Origin::Worker),
        ("resource", Observer::ResourceOnly, Origin::Resource),
        ("authority", Observer::AuthorityOnly, Origin::Authority),
        ("whole", Observer::Complete, Origin::Collector),
    ];
    let mut watchers = Vec::new();
    for (name, observer, role) in kinds {
        // Mostly three of them; the one that sees everything now and then.
        let there = match name {
            "whole" => rng.below(4) == 0,
            _ => rng.below(8) != 0,
        };
        let last_chance = name == "authority" && watchers.is_empty();
        if !there && !last_chance {
            continue;
        }
        let watching = watching(&mut rng, observer, complete);
        // A role vouches for numbers: only who numbers by its decisions may have one.
        let truthful = watching.numbering == Numbering::Decider || !role.decides();
        watchers.push(Watcher {
            name,
            role: Some(role).filter(|_| truthful && name != "whole"),
            watching,
        });
    }
    let setup = Setup {
        locks: 2,
        workers: 3,
        faults,
        ..Setup::default()
    };
    let rates = Rates {
        lost: pick(&mut rng, &[0, 60]),
        ..Rates::default()
    };
    let mut world = World::new(setup);
    let mut truth = Truth::new(faults);
    let mut watches: Vec<Watch> = watchers
        .iter()
        .zip(1u64..)
        .map(|(one, n)| Watch::new(one.watching.clone(), seed.wrapping_mul(8) + n))
        .collect();
    let mut logs = vec![Vec::new(); watchers.len()];
    for action in random_actions(setup, rates, seed, 40) {
        world.forget();
        world.apply(action);
        let (events, facts) = world.news();
        truth.happened(events, facts);
        for event in events {
            for (watch, log) in watches.iter_mut().zip(&mut logs) {
                watch.see(event, log);
            }
        }
    }
    for (file, (watch, log)) in watches.iter_mut().zip(&mut logs).enumerate() {
        watch.finish(log);
        for line in log {
            line.file = file as u32;
            truth.saw(line);
        }
    }
    Run {
        faults,
        watchers,
        logs,
        truth,
    }
}

impl Run {
    /// Classifies the logs of these observers, in this order, as inputs of their names.
    fn classify(&self, files: &[usize], memory: Option<usize>) -> Classification {
        let mut observers = Observers::default();
        for file in files {
            let Watcher { name, role, .. } = &self.watchers[*file];
            observers.assign(*file, name, *role);
        }
        let mut diagnosis = Diagnosis::new(Options {
            observers,
            memory,
            ..Options::default()
        });
        let mut arrival = 0;
        for file in files {
            for (line, sighting) in (1..).zip(&self.logs[*file]) {
                let place = Place {
                    arrival,
                    source: *file as u32,
                    line,
                };
                diagnosis.observe(place, &sighting.record(&Names::numbered()));
                arrival += 1;
            }
        }
        let sources: Vec<String> = (0..4).map(source_name).collect();
        diagnosis.finish(&sources)
    }

    fn all(&self) -> Vec<usize> {
        (0..self.logs.len()).collect()
    }

    fn told(&self) -> String {
        let mut text = format!("{:?}\n", self.faults).into_bytes();
        for (watcher, log) in self.watchers.iter().zip(&self.logs) {
            text.extend(format!("{} {:?}\n", watcher.name, watcher.role).bytes());
            for line in log {
                line.write(&mut text, &Names::numbered());
            }
        }
        let mut text = String::from_utf8(text).unwrap();
        text = text
            .lines()
            .map(|line| format!("{}\n", line.split(",\"ts\"").next().unwrap_or(line)))
            .collect();
        for fact in self.truth.facts() {
            text.push_str(&format!("  {fact:?}\n"));
        }
        text
    }
}

fn hold(complete: bool, fails: impl Fn(&Run) -> Option<String>) {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let start = number("LOCKDIAG_SEED").unwrap_or(0);
    for seed in start..start + number("LOCKDIAG_CASES").unwrap_or(200) {
        let run = run(seed, complete);
        if let Some(why) = fails(&run) {
            panic!("seed {seed}: {why}\n{}", run.told());
        }
    }
}

/// Whether together something is said that is at least what an observer shows alone.
fn is_there(alone: &Incident, together: &Classification) -> bool {
    let mut of_lock = together
        .incidents
        .iter()
        .filter(|one| one.lock_name == alone.lock_name || one.variant == Variant::TwoLocksOneKey);
    of_lock.any(|one| {
        let as_firm = one.class() == alone.class() && one.status >= alone.status;
        // A refusal that only another observer can explain is no stale owner.
        let explains = one.class() == Class::TokenOrder
            || matches!(
                one.variant,
                Variant::SameLeaseToken | Variant::TwoLocksOneKey
            );
        as_firm || alone.variant == Variant::WriteRefused && explains
    })
}

fn never_less(run: &Run, memory: Option<usize>) -> Option<String> {
    let together = run.classify(&run.all(), memory);
    for file in run.all() {
        let alone = run.classify(&[file], memory);
        // What was undecided alone may be decided together.
        let decided = |one: &&Incident| one.status != Status::Undecided;
        let lost = alone
            .incidents
            .iter()
            .filter(decided)
            .find(|one| !is_there(one, &together));
        if let Some(lost) = lost {
            let name = run.watchers[file].name;
            return Some(format!("{name} alone shows {lost:#?}\nnot {together:#?}"));
        }
    }
    None
}

#[test]
fn nothing_that_one_shows_alone_is_lost() {
    hold(false, |run| never_less(run, None));
}

/// Too little room to join: each is judged alone, and all of it is told.
#[test]
fn what_does_not_fit_is_not_joined_and_not_lost() {
    let told = std::cell::Cell::new(false);
    // Every line in its order, so that none comes too late for the order of its observer.
    hold(true, |run| {
        let numbered = |one: &Watcher| one.watching.numbering != Numbering::Worker;
        if !run.watchers.iter().all(numbered) {
            return None;
        }
        // Some forty steps fit.
        let room = 8 << 10;
        let together = run.classify(&run.all(), Some(room));
        let reasons = together.summary.withheld.iter();
        let reason = lockdiag::incident::WithheldReason::NotJoined;
        let reasons: Vec<_> = reasons.map(|one| one.reason).collect();
        told.set(told.get() || reasons.contains(&reason));
        // An answer that came long after its number was given is another matter.
        let too_late = lockdiag::incident::WithheldReason::ReorderMemory;
        if reasons.contains(&too_late) {
            return None;
        }
        never_less(run, Some(room))
    });
    assert!(told.get());
}

#[test]
fn nothing_is_proven_that_is_not_true() {
    hold(false, |run| {
        let names = Names::numbered();
        let together = run.classify(&run.all(), None);
        let found = agreement(&run.truth, &together, &names);
        let alone: Vec<String> = run
            .all()
            .into_iter()
            .flat_map(|file| {
                let alone = run.classify(&[file], None);
                agreement(&run.truth, &alone, &names).false_proofs
            })
            .map(|one| one.id)
            .collect();
        // What one observer's log gets wrong alone is no fault of joining.
        let new = |one: &&Incident| !alone.contains(&one.id);
        let wrong = found.false_proofs.iter().find(new)?;
        Some(format!("falsely proven: {wrong:#?}"))
    });
}

/// The verdicts as a set: without places, and with how often.
fn verdicts(found: &Classification) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for one in &found.incidents {
        let shared = one.variant == Variant::TwoLocksOneKey;
        let lock = if shared { "" } else { &one.lock_name };
        let verdict = format!("{lock} {} {} {:?}", one.class(), one.variant, one.status);
        // Of two writes that fork, the one that arrived later is the occurrence.
        let told_once = shared || one.variant == Variant::Forked;
        *all.entry(verdict).or_insert(0) += if told_once { 0 } else { one.occurrences };
    }
    all
}

#[test]
fn the_order_of_inputs_changes_nothing() {
    hold(false, |run| {
        // A shared key is told under the lock that was read first.
        if run.faults.keys == KeyFault::TwoLocks {
            return None;
        }
        let forwards = verdicts(&run.classify(&run.all(), None));
        let backwards: Vec<usize> = run.all().into_iter().rev().collect();
        let backwards = verdicts(&run.classify(&backwards, None));
        (forwards != backwards).then(|| format!("{forwards:#?}\n{backwards:#?}"))
    });
}
