//! Prints docs/verdicts.md: `cargo run --example verdicts > docs/verdicts.md`.
//!
//! Each row runs random schedules with one fault (the argument sets how many, default
//! 100) before complete observers, and again before observers that lose, hide, delay,
//! repeat and split. The numbers follow from the seeds alone.
#![allow(clippy::print_stdout)]

use lockdiag::diagnosis::Options;
use lockdiag::evidence::Field;
use lockdiag::model::{
    Bound, DeliveryFault, Faults, FieldSet, Found, KeyFault, Names, Numbering, Observer, Rates,
    ResourceFault, Rng, Setup, TokenFault, Watching, agreement, classify, random_actions, run,
};

const LOCKS: u32 = 2;
const WORKERS: u32 = 3;
const EVENTS: u64 = 60;

#[derive(Default)]
struct Row {
    schedules: u64,
    incidents: usize,
    found: [usize; 4],
    gaps: usize,
    warned: usize,
    falsely: usize,
}

fn main() {
    let schedules = std::env::args()
        .nth(1)
        .and_then(|n| n.parse().ok())
        .unwrap_or(100);
    println!(
        "# Verdicts against the truth\n\n\
         Written by `cargo run --example verdicts > docs/verdicts.md`. Each row is {schedules} random\n\
         schedules of {EVENTS} events ({LOCKS} locks, {WORKERS} workers that come back with old handles) in the\n\
         model of `lockdiag simulate`, which knows what was true. The seeds are fixed: the same\n\
         sources give the same table.\n\n\
         - *true*: incidents as the model counts them, the contained ones included.\n\
         - *proven*, *suspected*, *undecided*, *missed*: how the verdicts found them.\n\
         - *gaps*: shown by a reading or by the order of who decided, and not called proven.\n\
         - *warned*: called proven and not true, where the verdict names the assumption that failed.\n\
         - *falsely proven*: called proven, not true, and no named assumption failed.\n"
    );
    table(
        "Complete observers",
        "Every step is logged by who decided, with its readings and its number.",
        schedules,
        |_| Watching::default(),
    );
    table(
        "Poor observers",
        "Lines are lost, late, repeated and split over files, fields are missing, and whoever logs and\nnumbers the lines differs from schedule to schedule.",
        schedules,
        poor,
    );
    println!(
        "## What stays open\n\n\
         - A lock without tokens has no reading: a late write is at most suspected, and an operation\n\
         \x20 applied twice under one lease is not told from one write that was logged twice.\n\
         - A token of another lock is told apart only where this lock never had the same number\n\
         \x20 accepted at that key.\n\
         - Where tokens do not follow the leases, or two locks share a key, a refusal is told as an\n\
         \x20 occurrence of that, and not as a stale owner: it counts as missed here.\n\
         - A strict resource refuses its highest token as well. Where no reading tells, and the first\n\
         \x20 write of a lease is not on record and the lines came late, its second one could be called\n\
         \x20 a stale owner."
    );
}

fn table(title: &str, says: &str, schedules: u64, watching: fn(&mut Rng) -> Watching) {
    println!("## {title}\n\n{says}\n");
    println!(
        "| fault | schedules | true | proven | suspected | undecided | missed | gaps | warned | falsely proven |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut sum = Row::default();
    for (name, faults) in faults() {
        let mut row = Row::default();
        for seed in 0..schedules {
            add(&mut row, faults, watching(&mut Rng::new(seed)), seed);
        }
        print(&name, &row);
        sum.schedules += row.schedules;
        sum.incidents += row.incidents;
        (0..4).for_each(|at| sum.found[at] += row.found[at]);
        sum.gaps += row.gaps;
        sum.warned += row.warned;
        sum.falsely += row.falsely;
    }
    print("all", &sum);
    println!();
}

fn add(row: &mut Row, faults: Faults, watching: Watching, seed: u64) {
    let setup = Setup {
        locks: LOCKS,
        workers: WORKERS,
        faults,
        ..Setup::default()
    };
    let actions = random_actions(setup, Rates::default(), seed, EVENTS);
    let (lines, truth) = run(setup, &actions, watching, seed);
    let names = Names::numbered();
    let agreement = agreement(
        &truth,
        &classify(&lines, &names, Options::default()),
        &names,
    );
    row.schedules += 1;
    row.incidents += agreement.found.len();
    for (_, found) in &agreement.found {
        row.found[*found as usize] += 1;
    }
    row.gaps += agreement.gaps().count();
    row.warned += agreement.excused.len();
    row.falsely += agreement.false_proofs.len();
}

fn print(name: &str, row: &Row) {
    let of = |found: Found| row.found[found as usize];
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
        row.schedules,
        row.incidents,
        of(Found::Proven),
        of(Found::Suspected),
        of(Found::Undecided),
        of(Found::Missed),
        row.gaps,
        row.warned,
        row.falsely
    );
}

/// A correct system, and every fault alone.
fn faults() -> Vec<(String, Faults)> {
    let correct = Faults::default();
    let mut rows = vec![("none".to_owned(), correct)];
    let mut row = |kind: &str, name: &str, faults| rows.push((format!("{kind} `{name}`"), faults));
    for resource in &ResourceFault::ALL[1..] {
        row(
            "resource",
            resource.name(),
            Faults {
                resource: *resource,
                ..correct
            },
        );
    }
    for release in &Bound::ALL[1..] {
        row(
            "release",
            release.name(),
            Faults {
                release: *release,
                ..correct
            },
        );
    }
    for renewal in &Bound::ALL[1..] {
        row(
            "renewal",
            renewal.name(),
            Faults {
                renewal: *renewal,
                ..correct
            },
        );
    }
    for keys in &KeyFault::ALL[1..] {
        row(
            "keys",
            keys.name(),
            Faults {
                keys: *keys,
                ..correct
            },
        );
    }
    for tokens in &TokenFault::ALL[1..] {
        row(
            "tokens",
            tokens.name(),
            Faults {
                tokens: *tokens,
                ..correct
            },
        );
    }
    for delivery in &DeliveryFault::ALL[1..] {
        row(
            "delivery",
            delivery.name(),
            Faults {
                delivery: *delivery,
                ..correct
            },
        );
        let ledger = format!("{}, ledger", delivery.name());
        row(
            "delivery",
            &ledger,
            Faults {
                delivery: *delivery,
                ledger: true,
                ..correct
            },
        );
    }
    rows
}

fn poor(rng: &mut Rng) -> Watching {
    fn pick<T: Clone>(rng: &mut Rng, all: &[T]) -> T {
        all[rng.below(all.len() as u64) as usize].clone()
    }
    let mut hide = FieldSet::default();
    for field in Field::ALL {
        if field != Field::LockName && rng.below(8) == 0 {
            hide = hide.with(field);
        }
    }
    Watching {
        observers: pick(
            rng,
            &[
                vec![Observer::Complete],
                vec![Observer::ClientsOnly],
                vec![Observer::ResourceOnly],
                vec![Observer::AuthorityOnly],
                vec![Observer::ClientsOnly, Observer::ResourceOnly],
            ],
        ),
        numbering: pick(rng, Numbering::ALL),
        hide,
        patchy: pick(rng, &[0, 50]),
        lose: pick(rng, &[0, 50, 200]),
        late: pick(rng, &[0, 3, 12]),
        repeat: pick(rng, &[0, 100]),
        files: pick(rng, &[1, 2]),
    }
}
