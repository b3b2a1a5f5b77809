//! Random runs of the model, seen well and badly: whatever is proven could be proven, and
//! whatever is suspected could at least be suspected.

use lockdiag::diagnosis::Options;
use lockdiag::evidence::Field;
use lockdiag::incident::Status;
use lockdiag::lint::decidability::{Level, WAYS, way_of};
use lockdiag::model::{
    Bound, DeliveryFault, Faults, FieldSet, KeyFault, Names, Numbering, Observer, Rates,
    ResourceFault, Rng, Setup, TokenFault, Watching, classify, random_actions, run, source_name,
};

use super::{lint, settings};

/// Fields that an observer may not record.
const HIDEABLE: [Field; 12] = [
    Field::OwnerId,
    Field::LeaseId,
    Field::FenceToken,
    Field::ResourceHighestTokenBefore,
    Field::ResourceHighestTokenAfter,
    Field::Seq,
    Field::SeqBy,
    Field::ResourceKey,
    Field::OperationId,
    Field::ActiveOwnerId,
    Field::ActiveLeaseId,
    Field::ActiveFenceToken,
];

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[usize::try_from(rng.below(all.len() as u64)).unwrap()]
}

fn faults(rng: &mut Rng) -> Faults {
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

fn watching(rng: &mut Rng) -> Watching {
    let hidden: Vec<Field> = HIDEABLE.into_iter().filter(|_| rng.below(4) == 0).collect();
    Watching {
        observers: vec![pick(rng, Observer::ALL)],
        numbering: pick(rng, Numbering::ALL),
        hide: FieldSet::of(&hidden),
        patchy: pick(rng, &[0, 0, 100]),
        lose: pick(rng, &[0, 50]),
        late: pick(rng, &[0, 0, 3]),
        repeat: pick(rng, &[0, 50]),
        files: pick(rng, &[1, 1, 2]),
    }
}

#[test]
fn whatever_is_decided_could_be_decided() {
    let names = Names::numbered();
    let (mut proven, mut suspected) = (0, 0);
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let setup = Setup {
            locks: 2,
            workers: 3,
            faults: faults(&mut rng),
            ..Setup::default()
        };
        let watching = watching(&mut rng);
        let rates = Rates {
            old_handles: 300,
            redelivered: 200,
            ..Rates::default()
        };
        let actions = random_actions(setup, rates, seed, 60);
        let (lines, _) = run(setup, &actions, watching.clone(), seed);
        let verdicts = classify(&lines, &names, Options::default());
        let mut files: Vec<(String, Vec<u8>)> = (0..watching.files)
            .map(|file| (source_name(file), Vec::new()))
            .collect();
        for line in &lines {
            let text = &mut files[line.file as usize].1;
            line.write(text, &names);
            if text.last() != Some(&b'\n') {
                text.push(b'\n');
            }
        }
        let report = lint(files, settings(None));
        for incident in &verdicts.incidents {
            let lock = report
                .locks
                .iter()
                .find(|lock| lock.lock_name == incident.lock_name)
                .unwrap();
            let context = format!(
                "seed {seed}: {} {} {}, {watching:?}",
                incident.lock_name,
                incident.variant,
                incident.status.name()
            );
            if let Some(way) = way_of(incident.variant) {
                let at = WAYS.iter().position(|one| one == way).unwrap();
                let needed = match incident.status {
                    Status::Proven => Level::CanProve,
                    _ => Level::CanOnlySuspect,
                };
                proven += u64::from(incident.status == Status::Proven);
                suspected += u64::from(incident.status == Status::Suspected);
                assert!(
                    lock.ways[at].level >= needed,
                    "{context}: {:?}",
                    lock.ways[at]
                );
            }
            for candidate in &incident.candidates {
                let sees = lock
                    .ways
                    .iter()
                    .any(|way| way.way.class == *candidate && way.level > Level::Blind);
                assert!(sees, "{context}: {candidate}");
            }
        }
    }
    assert!(proven > 100 && suspected > 100, "{proven} {suspected}");
}

#[test]
fn what_could_be_decided_throughout_is_decided() {
    let names = Names::numbered();
    let (mut checked, mut left) = (0, Vec::new());
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let setup = Setup {
            locks: 2,
            workers: 3,
            faults: faults(&mut rng),
            ..Setup::default()
        };
        let watching = Watching {
            // Every line arrives, with every field that is recorded at all.
            patchy: 0,
            lose: 0,
            late: 0,
            files: 1,
            ..watching(&mut rng)
        };
        let rates = Rates {
            old_handles: 300,
            redelivered: 200,
            ..Rates::default()
        };
        let actions = random_actions(setup, rates, seed, 60);
        let (lines, truth) = run(setup, &actions, watching.clone(), seed);
        let verdicts = classify(&lines, &names, Options::default());
        let mut text = Vec::new();
        for line in &lines {
            line.write(&mut text, &names);
            if text.last() != Some(&b'\n') {
                text.push(b'\n');
            }
        }
        let report = lint(vec![(source_name(0), text)], settings(None));
        for one in truth.incidents() {
            let name = names.text(|names, out| names.lock(out, one.lock));
            let Some(lock) = report.locks.iter().find(|lock| lock.lock_name == name) else {
                continue;
            };
            let complete = lock
                .ways
                .iter()
                .filter(|way| way.way.class == one.class)
                .all(|way| (way.level == Level::CanProve && way.complete) || way.of == 0);
            if !complete || !one.decidable {
                continue;
            }
            checked += 1;
            let proven = verdicts.incidents.iter().any(|it| {
                it.lock_name == name && it.class() == one.class && it.status == Status::Proven
            });
            if !proven {
                left.push(format!(
                    "seed {seed}: {name} {} {:?} {watching:?}",
                    one.class, one.kind
                ));
            }
        }
    }
    assert!(checked > 100, "{checked}");
    assert!(
        left.is_empty(),
        "{} of {checked}:\n{}",
        left.len(),
        left.join("\n")
    );
}
