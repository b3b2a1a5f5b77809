//! Random schedules with random faults and observers, through the diagnosis.
//!
//! `LOCKDIAG_CASES` sets the number of random cases of each property (default 300), and
//! `LOCKDIAG_SEED` where they begin. A schedule that fails is shrunk and printed as data;
//! kept as a file in `tests/schedules/kept/` it is run every time.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod invariants;
mod schedule;

use std::collections::BTreeSet;

use lockdiag::diagnosis::Options;
use lockdiag::evidence::Field;
use lockdiag::incident::{Assumption, Class, Incident, Outcome, Status, Variant};
use lockdiag::model::{
    Bound, DeliveryFault, FactKind, Faults, FieldSet, Found, KeyFault, Names, Numbering, Observer,
    Rates, ResourceFault, Rng, TokenFault, Watching, agreement, classify,
};
use schedule::{Case, cases, pick, seed, shrunk};

fn any_faults(rng: &mut Rng) -> Faults {
    Faults {
        resource: pick(rng, ResourceFault::ALL),
        release: pick(rng, Bound::ALL),
        renewal: pick(rng, Bound::ALL),
        keys: pick(rng, KeyFault::ALL),
        tokens: pick(rng, TokenFault::ALL),
        delivery: pick(rng, DeliveryFault::ALL),
        ledger: rng.below(2) == 0,
    }
}

/// Observers that lose, delay, repeat, hide and split at will.
fn any_watching(rng: &mut Rng) -> Watching {
    const OBSERVERS: &[&[Observer]] = &[
        &[Observer::Complete],
        &[Observer::ClientsOnly],
        &[Observer::ResourceOnly],
        &[Observer::AuthorityOnly],
        &[Observer::ClientsOnly, Observer::ResourceOnly],
        &[Observer::AuthorityOnly, Observer::ResourceOnly],
        &[Observer::ClientsOnly, Observer::AuthorityOnly],
    ];
    let mut hide = FieldSet::default();
    for field in Field::ALL {
        if field != Field::LockName && rng.below(8) == 0 {
            hide = hide.with(field);
        }
    }
    Watching {
        observers: pick(rng, OBSERVERS).to_vec(),
        numbering: pick(rng, Numbering::ALL),
        hide: if rng.below(2) == 0 {
            FieldSet::default()
        } else {
            hide
        },
        patchy: pick(rng, &[0, 50, 300]),
        lose: pick(rng, &[0, 50, 300]),
        late: pick(rng, &[0, 3, 12]),
        repeat: pick(rng, &[0, 100]),
        files: pick(rng, &[1, 2, 3]),
    }
}

/// Every line of who decided, in any order and any number of files.
fn complete_watching(rng: &mut Rng) -> Watching {
    Watching {
        late: pick(rng, &[0, 3, 12]),
        repeat: pick(rng, &[0, 100]),
        files: pick(rng, &[1, 2, 3]),
        ..Watching::default()
    }
}

/// Runs a property over random cases; the first that fails is shrunk and told.
fn hold(
    name: &str,
    make: impl Fn(&mut Rng) -> (Faults, Watching, Rates),
    fails: impl Fn(&Case) -> Option<String>,
) {
    for number in 0..cases() {
        let seed = seed().wrapping_add(number);
        let mut rng = Rng::new(seed);
        let (faults, watching, rates) = make(&mut rng);
        let case = Case::random(faults, watching, rates, seed);
        if fails(&case).is_some() {
            let case = shrunk(case, |case| fails(case).is_some());
            let why = fails(&case).unwrap();
            panic!("{name}, seed {seed}: {why}\n{}", case.told());
        }
    }
    for (file, case) in Case::kept() {
        if let Some(why) =
            fails(&case).filter(|_| case.property.is_empty() || case.property == name)
        {
            panic!("{name}, {file}: {why}\n{}", case.told());
        }
    }
}

/// What is called proven and is not true; the assumptions that it names and that failed
/// are excused, and no others.
fn false_proof(case: &Case) -> Option<String> {
    let agreement = case.agreement();
    // A strict resource refuses its highest token as well. Where no reading tells, the lines
    // came late and the first write of the newest lease is not on record, its second one
    // looks like one of an old lease.
    let strict = |one: &&Incident| {
        !case.is_unlost()
            && case.faults.resource == ResourceFault::Strict
            && one.variant == Variant::WriteRefused
            && one.missing.contains(&Field::ResourceHighestTokenBefore)
    };
    let incident = agreement.false_proofs.iter().find(|one| !strict(one))?;
    Some(format!("falsely proven: {incident:#?}"))
}

#[test]
fn soundness() {
    hold(
        "soundness",
        |rng| {
            let lost = pick(rng, &[0, 60]);
            (
                any_faults(rng),
                any_watching(rng),
                Rates {
                    lost,
                    ..Rates::default()
                },
            )
        },
        false_proof,
    );
}

/// With complete observers every true incident is found, and is proven where a reading
/// or the order of who decided shows it.
#[test]
fn completeness() {
    hold(
        "completeness",
        |rng| (any_faults(rng), complete_watching(rng), Rates::default()),
        |case| {
            if case.watching.observers != [Observer::Complete] || !case.is_unhidden() {
                return None;
            }
            let agreement = case.agreement();
            // A write that is late at another key says that instead of the lost highest.
            let says_more =
                |kind| kind == FactKind::HighestLost && case.faults.keys != KeyFault::One;
            // Where tokens do not follow the leases, the lower one need not be an old one.
            let refuted = |kind| {
                kind == FactKind::AppliedBelowOtherKey && case.faults.tokens != TokenFault::Ordered
            };
            let excused = |kind| says_more(kind) || refuted(kind);
            if let Some(gap) = agreement.gaps().find(|gap| !excused(gap.kind)) {
                return Some(format!("shown and not proven: {gap:#?}"));
            }
            let missed = agreement.found.iter().find(|(incident, found)| {
                *found == Found::Missed && !told_otherwise(case, incident.kind)
            });
            missed.map(|(incident, _)| format!("missed: {incident:#?}"))
        },
    );
}

/// What complete records may leave unsaid: where tokens do not follow the leases, or two
/// locks share a key, a refusal is told as an occurrence of that; and a token of the
/// other lock is told apart only where this lock never wrote the same number.
fn told_otherwise(case: &Case, kind: FactKind) -> bool {
    match kind {
        FactKind::HeldTokenOfOtherLock => true,
        // Writes that rose from one reading say that first.
        FactKind::AppliedBelowOtherKey => !case.faults.resource.keeps_highest(),
        // A write that is late at another key says that instead.
        FactKind::HighestLost => case.faults.keys != KeyFault::One,
        // Without a token one write that is told twice looks the same; where two leases
        // share a token, an operation at two keys looks like the work of one lease.
        FactKind::AppliedAgain => case.faults.tokens != TokenFault::Ordered,
        FactKind::OldWriteRefused | FactKind::EqualRefused | FactKind::RefusedInOrder => {
            case.faults.tokens != TokenFault::Ordered || case.faults.keys == KeyFault::TwoLocks
        }
        _ => false,
    }
}

/// A correct system has no incident but the guarded ones that its schedule caused.
#[test]
fn silence() {
    hold(
        "silence",
        |rng| {
            let ledger = rng.below(2) == 0;
            let delivery = if ledger {
                pick(rng, DeliveryFault::ALL)
            } else {
                DeliveryFault::Once
            };
            let faults = Faults {
                delivery,
                ledger,
                ..Faults::default()
            };
            (faults, complete_watching(rng), Rates::default())
        },
        |case| {
            let correct = Faults {
                delivery: case.faults.delivery,
                ledger: case.faults.ledger,
                ..Faults::default()
            };
            let contained = case.faults.ledger || case.faults.delivery == DeliveryFault::Once;
            if case.faults != correct
                || !contained
                || case.watching.observers != [Observer::Complete]
                || !case.is_unhidden()
            {
                return None;
            }
            let verdicts = case.verdicts();
            let loud = verdicts
                .incidents
                .iter()
                .find(|one| one.outcome != Outcome::Guarded);
            loud.map(|incident| format!("not guarded: {incident:#?}"))
        },
    );
}

/// Less evidence never proves another class, unless an assumption that it names failed.
#[test]
fn monotony() {
    hold(
        "monotony",
        |rng| (any_faults(rng), complete_watching(rng), Rates::default()),
        |case| {
            let (lines, truth) = case.seen();
            let names = Names::numbered();
            let full = classify(&lines, &names, Options::default());
            let all: BTreeSet<(String, Class)> = proven(&full.incidents);
            let mut rng = Rng::new(case.seed ^ 0xfeed);
            let mut hide = FieldSet::default();
            for field in [
                Field::OwnerId,
                Field::LeaseId,
                Field::FenceToken,
                Field::ResourceHighestTokenBefore,
                Field::ResourceHighestTokenAfter,
                Field::SeqBy,
                Field::Seq,
                Field::ResourceKey,
                Field::OperationId,
                Field::ActiveLeaseId,
                Field::ActiveOwnerId,
                Field::ActiveFenceToken,
            ] {
                if rng.below(4) == 0 {
                    hide = hide.with(field);
                }
            }
            let lose = pick(&mut rng, &[0, 0, 100, 400]);
            let fewer: Vec<_> = lines
                .iter()
                .filter(|_| !rng.chance(lose))
                .map(|line| lockdiag::model::Sighting {
                    fields: line.fields.without(hide),
                    ..*line
                })
                .collect();
            let verdicts = classify(&fewer, &names, Options::default());
            let less = verdicts
                .incidents
                .iter()
                .filter(|one| one.status == Status::Proven);
            let new = less.filter(|one| !all.contains(&(one.lock_name.clone(), one.class())));
            // That this lock wrote the same number itself may be among what is lost; two
            // locks share the key all the same.
            let shared = case.faults.keys == KeyFault::TwoLocks;
            // Two writes that rose from one reading are told as that alone; without the
            // reading, that the late one fell on another key comes to light.
            let masked = |one: &Incident| {
                let forked = |other: &Incident| {
                    other.variant == Variant::Forked && other.lock_name == one.lock_name
                };
                one.variant == Variant::LateWriteOtherKey && full.incidents.iter().any(forked)
            };
            // Lines alone may put a refusal after the acceptance that it came before, and a
            // key may be all that tells two deliveries apart; the operation was delivered
            // again all the same.
            let delivered = |one: &Incident| {
                one.class() == Class::DuplicateDelivery
                    && truth.facts().iter().any(|fact| {
                        let name =
                            |number| names.text(|n, out| n.operation(out, fact.lock, number));
                        fact.kind.class() == Class::DuplicateDelivery
                            && fact.operation.map(name) == one.operation_id
                    })
            };
            let mut new = new.filter(|one| {
                !(shared && one.variant == Variant::TwoLocksOneKey || masked(one) || delivered(one))
            });
            let broken = |one: &Assumption| broken(&case.faults, *one);
            new.find(|one| !one.assumes.iter().any(broken))
                .map(|incident| {
                    let hidden: Vec<Field> = hide.into();
                    format!(
                        "without {hidden:?} and {lose}‰ of the lines, newly proven: {incident:#?}"
                    )
                })
        },
    );
}

fn proven(incidents: &[Incident]) -> BTreeSet<(String, Class)> {
    let proven = incidents.iter().filter(|one| one.status == Status::Proven);
    proven
        .map(|one| (one.lock_name.clone(), one.class()))
        .collect()
}

/// Whether an assumption does not hold in a world with those faults.
fn broken(faults: &Faults, assumption: Assumption) -> bool {
    match assumption {
        Assumption::OrderedTokens => {
            faults.tokens != TokenFault::Ordered || faults.keys == KeyFault::TwoLocks
        }
        Assumption::ExclusiveLock => faults.tokens == TokenFault::Reset,
        Assumption::TruthfulRelease => {
            [faults.release, faults.renewal].contains(&Bound::Idempotent)
        }
    }
}

#[test]
fn every_story_agrees_with_its_truth() {
    for story in lockdiag::model::stories() {
        let told = story.tell();
        let names = story.names();
        let verdicts = classify(&told.run.lines, &names, Options::default());
        let agreement = agreement(&told.run.truth, &verdicts, &names);
        assert!(agreement.holds(), "{}: {agreement:#?}", story.name);
        assert!(
            agreement.excused.is_empty() || story.name == "release-says-yes",
            "{}",
            story.name
        );
    }
}
