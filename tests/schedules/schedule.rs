//! A schedule as data, and how it is run and shrunk.

use lockdiag::diagnosis::Options;
use lockdiag::incident::Classification;
use lockdiag::model::{
    Action, Agreement, Faults, FieldSet, Names, Rates, Rng, Setup, Sighting, Truth, Watching,
    agreement, classify, random_actions, run,
};
use serde::{Deserialize, Serialize};

/// One schedule with its faults and observers.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it showed, for people.
    #[serde(default)]
    pub why: String,
    /// The property that it failed; all are tried where it is empty.
    #[serde(default)]
    pub property: String,
    #[serde(default)]
    pub faults: Faults,
    #[serde(default)]
    pub watching: Watching,
    #[serde(default)]
    pub seed: u64,
    pub actions: Vec<Action>,
}

pub const LOCKS: u32 = 2;
const WORKERS: u32 = 3;
const EVENTS: u64 = 40;

impl Case {
    pub fn random(faults: Faults, watching: Watching, rates: Rates, seed: u64) -> Case {
        Case {
            why: String::new(),
            property: String::new(),
            faults,
            watching,
            seed,
            actions: random_actions(setup(faults), rates, seed, EVENTS),
        }
    }

    /// The cases in `tests/schedules/kept/`.
    pub fn kept() -> Vec<(String, Case)> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/schedules/kept");
        let files = std::fs::read_dir(folder).unwrap();
        let is_case = |path: &std::path::Path| path.extension().is_some_and(|ext| ext == "json");
        let mut cases: Vec<(String, Case)> = files
            .filter(|entry| is_case(&entry.as_ref().unwrap().path()))
            .map(|entry| {
                let path = entry.unwrap().path();
                let text = std::fs::read_to_string(&path).unwrap();
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                let case =
                    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
                (name, case)
            })
            .collect();
        cases.sort_by(|a, b| a.0.cmp(&b.0));
        cases
    }

    pub fn seen(&self) -> (Vec<Sighting>, Truth) {
        run(
            setup(self.faults),
            &self.actions,
            self.watching.clone(),
            self.seed,
        )
    }

    pub fn verdicts(&self) -> Classification {
        classify(&self.seen().0, &Names::numbered(), Options::default())
    }

    pub fn agreement(&self) -> Agreement {
        let (lines, truth) = self.seen();
        let names = Names::numbered();
        agreement(
            &truth,
            &classify(&lines, &names, Options::default()),
            &names,
        )
    }

    /// Whether every line arrives with every field and the number of who decided.
    pub fn is_unhidden(&self) -> bool {
        let watching = &self.watching;
        watching.hide == FieldSet::default()
            && (watching.patchy, watching.lose) == (0, 0)
            && watching.numbering == Watching::default().numbering
    }

    /// Whether every line that somebody saw is there, with all its fields.
    pub fn is_unlost(&self) -> bool {
        let watching = &self.watching;
        watching.hide == FieldSet::default() && (watching.patchy, watching.lose) == (0, 0)
    }

    /// The case as data and its evidence.
    pub fn told(&self) -> String {
        let mut text = serde_json::to_string(self).unwrap().into_bytes();
        text.push(b'\n');
        let (lines, truth) = self.seen();
        lines
            .iter()
            .for_each(|line| line.write(&mut text, &Names::numbered()));
        let mut text = String::from_utf8(text).unwrap();
        for fact in truth.facts() {
            text.push_str(&format!("  {fact:?}\n"));
        }
        text
    }
}

fn setup(faults: Faults) -> Setup {
    Setup {
        locks: LOCKS,
        workers: WORKERS,
        faults,
        ..Setup::default()
    }
}

/// The first choice half of the time.
pub fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    let index = if rng.below(2) == 0 {
        0
    } else {
        rng.below(all.len() as u64)
    };
    all[index as usize]
}

pub fn cases() -> u64 {
    number("LOCKDIAG_CASES").unwrap_or(300)
}

pub fn seed() -> u64 {
    number("LOCKDIAG_SEED").unwrap_or(0)
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Leaves out actions, and then what is wrong with the observers, as long as the case
/// still fails.
pub fn shrunk(mut case: Case, fails: impl Fn(&Case) -> bool) -> Case {
    for round in 0..2 {
        let mut size = case.actions.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < case.actions.len() {
                let mut less = case.clone();
                less.actions.drain(at..(at + size).min(less.actions.len()));
                if fails(&less) {
                    case = less;
                } else {
                    at += size;
                }
            }
            size /= 2;
        }
        if round == 0 {
            simplify(&mut case, &fails);
        }
    }
    case
}

fn simplify(case: &mut Case, fails: &impl Fn(&Case) -> bool) {
    let plain = Watching::default();
    let steps: [fn(&mut Case, &Watching); 6] = [
        |case, plain| case.watching.files = plain.files,
        |case, plain| case.watching.repeat = plain.repeat,
        |case, plain| case.watching.late = plain.late,
        |case, plain| case.watching.lose = plain.lose,
        |case, plain| case.watching.patchy = plain.patchy,
        |case, plain| case.watching.hide = plain.hide,
    ];
    for step in steps {
        let mut less = case.clone();
        step(&mut less, &plain);
        if fails(&less) {
            *case = less;
        }
    }
}
