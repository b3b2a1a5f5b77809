//! Evidence of real systems against what was staged, see `tests/packs/README.md`.

#![allow(clippy::unwrap_used)] // a test may stop at what it cannot read

mod support;

use std::collections::BTreeSet;
use std::path::Path;

use lockdiag::diagnosis::Options;
use lockdiag::evidence::Origin;
use lockdiag::incident::{Class, Classification, Status, Variant};
use serde_json::Value;
use support::{Input, diagnose, file_name, files, input};

/// Packs whose `seq` the database gave while it decided.
const DECIDED_BY_THE_DATABASE: [&str; 4] = ["30", "33", "35", "73"];

type Verdict = (String, Class);

struct Truth {
    incidents: BTreeSet<Verdict>,
    /// Also right, at most suspected where the truth itself is undecided.
    acceptable: BTreeSet<Verdict>,
    /// Acceptable and provable: a second class beside one that is certain.
    provable: BTreeSet<Verdict>,
    clean: BTreeSet<String>,
    /// Locks where saying nothing is right as well.
    silence: BTreeSet<String>,
}

fn truth(pack: &Path) -> Truth {
    let text = std::fs::read_to_string(pack.join("truth.json")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    let mut truth = Truth {
        incidents: BTreeSet::new(),
        acceptable: BTreeSet::new(),
        provable: BTreeSet::new(),
        clean: BTreeSet::new(),
        silence: BTreeSet::new(),
    };
    for incident in value["incidents"].as_array().unwrap() {
        let lock = incident["lockName"].as_str().unwrap().to_owned();
        let class = Class::from_name(incident["class"].as_str().unwrap()).unwrap();
        truth.incidents.insert((lock.clone(), class));
        if class != Class::Undecided {
            truth.provable.insert((lock.clone(), class));
        }
        for other in incident["also_acceptable"].as_array().into_iter().flatten() {
            let Some(other) = Class::from_name(other.as_str().unwrap()) else {
                truth.silence.insert(lock.clone());
                continue;
            };
            truth.acceptable.insert((lock.clone(), other));
            if class != Class::Undecided {
                truth.provable.insert((lock.clone(), other));
            }
        }
    }
    for lock in value["clean_locks"].as_array().unwrap() {
        truth.clean.insert(lock.as_str().unwrap().to_owned());
    }
    truth
}

fn compare(truth: &Truth, found: &Classification) -> Result<(), String> {
    let incidents = || {
        found
            .incidents
            .iter()
            .filter(|incident| incident.variant != Variant::ReleaseRefused)
    };
    let verdicts: BTreeSet<Verdict> = incidents()
        .map(|incident| (incident.lock_name.clone(), incident.class()))
        .collect();
    let known: BTreeSet<Verdict> = truth.incidents.union(&truth.acceptable).cloned().collect();
    let extra: Vec<_> = verdicts.difference(&known).collect();
    let instead = |lock: &String| {
        let silent = truth.silence.contains(lock);
        silent
            || verdicts
                .iter()
                .any(|verdict| verdict.0 == *lock && truth.acceptable.contains(verdict))
    };
    let missed: Vec<_> = truth
        .incidents
        .difference(&verdicts)
        .filter(|(lock, class)| *class != Class::Undecided || !instead(lock))
        .collect();
    let overstated: Vec<_> = incidents()
        .filter(|incident| incident.status == Status::Proven)
        .map(|incident| (incident.lock_name.clone(), incident.class()))
        .filter(|verdict| !truth.provable.contains(verdict))
        .collect();
    let alarms: Vec<_> = verdicts
        .iter()
        .filter(|(lock, _)| truth.clean.contains(lock))
        .collect();
    if extra.is_empty() && missed.is_empty() && overstated.is_empty() && alarms.is_empty() {
        return Ok(());
    }
    Err(format!(
        "extra {extra:?}, missed {missed:?}, proven without truth {overstated:?}, false alarms {alarms:?}"
    ))
}

fn packs() -> Vec<(String, Truth, Vec<Input>)> {
    files("tests/packs", "truth.json")
        .iter()
        .filter_map(|truth_file| truth_file.parent())
        .map(|pack| {
            let name = file_name(pack);
            let inputs = files(&format!("tests/packs/{name}"), ".jsonl");
            let inputs = inputs.iter().map(|path| input(path)).collect();
            (name, truth(pack), inputs)
        })
        .collect()
}

fn check(wrong: &mut Vec<String>, name: &str, truth: &Truth, inputs: &[Input], options: Options) {
    if let Err(why) = compare(truth, &diagnose(inputs, options)) {
        wrong.push(format!("{name}: {why}"));
    }
}

#[test]
fn every_pack_comes_to_its_truth() {
    let mut wrong = Vec::new();
    let packs = packs();
    assert!(packs.len() > 20, "only {} packs", packs.len());
    for (name, truth, inputs) in &packs {
        check(&mut wrong, name, truth, inputs, Options::default());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn vouching_for_the_order_of_a_database_changes_no_class() {
    let mut wrong = Vec::new();
    for (name, truth, inputs) in &packs() {
        if DECIDED_BY_THE_DATABASE
            .iter()
            .any(|prefix| name.starts_with(prefix))
        {
            let options = Options {
                seq_by: Some(Origin::Resource),
                ..Options::default()
            };
            check(&mut wrong, name, truth, inputs, options);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
