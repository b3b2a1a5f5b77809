//! Random schedules with random faults and observers, through the diagnosis.
//!
//! What a run found wrong is kept, shrunk, in `tests/schedules/`, and is run first.
//! `LOCKDIAG_CASES` sets the number of random cases of each property (default 200).

use lockdiag::diagnosis::Options;
use lockdiag::model::{
    Action, Agreement, Bound, DeliveryFault, Faults, KeyFault, Names, Rates, ResourceFault, Setup,
    Sighting, TokenFault, Truth, Watching, agreement, classify, random_actions, run,
};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    #[serde(default)]
    faults: Faults,
    #[serde(default)]
    watching: Watching,
    #[serde(default)]
    seed: u64,
    locks: u32,
    workers: u32,
    actions: Vec<Action>,
}

fn seen(case: &Case) -> (Vec<Sighting>, Truth) {
    let setup = Setup {
        locks: case.locks,
        workers: case.workers,
        ttl: 5_000_000,
        faults: case.faults,
    };
    run(setup, &case.actions, case.watching.clone(), case.seed)
}

fn judged(case: &Case) -> Agreement {
    let (lines, truth) = seen(case);
    let names = Names::numbered();
    agreement(
        &truth,
        &classify(&lines, &names, Options::default()),
        &names,
    )
}

fn text(lines: &[Sighting]) -> String {
    let mut out = Vec::new();
    for line in lines {
        line.write(&mut out, &Names::numbered());
    }
    String::from_utf8(out).unwrap()
}

/// Leaves out actions, as long as the case still fails.
fn shrink(mut case: Case, fails: impl Fn(&Case) -> bool) -> Case {
    let mut size = case.actions.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < case.actions.len() {
            let mut less = case.clone();
            less.actions.drain(at..(at + size).min(case.actions.len()));
            if fails(&less) {
                case = less;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
    case
}

#[test]
fn explore() {
    let mut rows: std::collections::BTreeMap<String, (u32, Case)> = Default::default();
    let n: u64 = std::env::var("LOCKDIAG_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(200);
    for seed in 0..n {
        let mut rng = lockdiag::model::Rng::new(seed + 77);
        fn pick<T: Copy>(rng: &mut lockdiag::model::Rng, all: &[T]) -> T {
            if rng.below(2) == 0 {
                all[0]
            } else {
                all[rng.below(all.len() as u64) as usize]
            }
        }
        let faults = Faults {
            resource: pick(&mut rng, ResourceFault::ALL),
            release: pick(&mut rng, Bound::ALL),
            renewal: pick(&mut rng, Bound::ALL),
            keys: pick(&mut rng, KeyFault::ALL),
            tokens: pick(&mut rng, TokenFault::ALL),
            delivery: pick(&mut rng, DeliveryFault::ALL),
            ledger: rng.below(2) == 0,
        };
        let setup = Setup {
            locks: 2,
            workers: 3,
            ttl: 5_000_000,
            faults,
        };
        let rates = Rates {
            lost: 30,
            ..Rates::default()
        };
        let actions = random_actions(setup, rates, seed, 40);
        let mut watching = Watching::default();
        if std::env::var("NASTY").is_ok() {
            use lockdiag::model::{Numbering, Observer};
            watching.observers = pick(
                &mut rng,
                &[
                    &[Observer::Complete][..],
                    &[Observer::ClientsOnly],
                    &[Observer::ResourceOnly],
                    &[Observer::AuthorityOnly],
                    &[Observer::ClientsOnly, Observer::ResourceOnly],
                    &[Observer::AuthorityOnly, Observer::ResourceOnly],
                ],
            )
            .to_vec();
            watching.numbering = pick(&mut rng, Numbering::ALL);
            watching.lose = pick(&mut rng, &[0, 100, 300]);
            watching.patchy = pick(&mut rng, &[0, 100, 300]);
            watching.late = pick(&mut rng, &[0, 3, 10]);
            watching.repeat = pick(&mut rng, &[0, 100]);
            watching.files = pick(&mut rng, &[1, 2]);
        }
        let case = Case {
            faults,
            watching,
            seed,
            locks: 2,
            workers: 3,
            actions,
        };
        let judged_ = judged(&case);
        for incident in &judged_.false_proofs {
            let (class, variant) = (incident.class(), incident.variant);
            let _ = class;
            let entry = rows.entry(format!("FALSE {variant}")).or_insert_with(|| {
                (
                    0,
                    shrink(case.clone(), |case| {
                        judged(case)
                            .false_proofs
                            .iter()
                            .any(|i| i.variant == variant)
                    }),
                )
            });
            entry.0 += 1;
        }
        for gap in judged_.gaps() {
            let kind = gap.kind;
            let entry = rows.entry(format!("GAP {kind:?}")).or_insert_with(|| {
                (
                    0,
                    shrink(case.clone(), |case| {
                        judged(case).gaps().any(|g| g.kind == kind)
                    }),
                )
            });
            entry.0 += 1;
        }
    }
    for (name, (count, case)) in rows {
        println!(
            "=== {name} x{count} {:?}\n   {:?}",
            case.faults, case.watching
        );
        let (lines, truth) = seen(&case);
        print!("{}", text(&lines));
        for fact in truth.facts() {
            println!("   {fact:?}");
        }
        let v = classify(&lines, &Names::numbered(), Options::default());
        for i in &v.incidents {
            println!(
                "   -> {} {} {:?} {:?} late {:?} cur {:?} op {:?} assumes {:?} ev {:?}",
                i.class(),
                i.variant,
                i.status,
                i.resource_key,
                i.late,
                i.current,
                i.operation_id,
                i.assumes,
                i.evidence
                    .iter()
                    .map(|w| (w.line, w.role))
                    .collect::<Vec<_>>()
            );
        }
    }
}
