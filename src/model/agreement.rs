//! The verdicts of a diagnosis beside the truth of the run.

use std::collections::BTreeSet;

use crate::diagnosis::{Diagnosis, Options};
use crate::evidence::Place;
use crate::incident::{Assumption, Class, Classification, Incident, Status, Variant};

use super::fact::FactKind;
use super::fault::{Bound, Faults, KeyFault, TokenFault};
use super::names::Names;
use super::sighting::Sighting;
use super::truth::{Subject, TrueIncident, Truth};

/// How firmly a true incident was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Found {
    /// Not at all.
    Missed,
    /// Something undecided was said of its records.
    Undecided,
    /// It was suspected.
    Suspected,
    /// It was proven.
    Proven,
}

/// What came of the comparison.
#[derive(Debug, Clone, Default)]
pub struct Agreement {
    /// Every true incident, and how it was found.
    pub found: Vec<(TrueIncident, Found)>,
    /// What was called proven and is not true.
    pub false_proofs: Vec<Incident>,
    /// What was called proven, is not true, and names the assumption that failed.
    pub excused: Vec<Incident>,
}

impl Agreement {
    /// The true incidents that the lines show and that were not called proven.
    pub fn gaps(&self) -> impl Iterator<Item = &TrueIncident> {
        self.found
            .iter()
            .filter(|(incident, found)| incident.decidable && *found != Found::Proven)
            .map(|(incident, _)| incident)
    }

    /// Whether nothing is falsely proven, and everything that the lines show is proven.
    pub fn holds(&self) -> bool {
        self.false_proofs.is_empty() && self.gaps().next().is_none()
    }
}

/// The input that a file of the run is called.
pub fn source_name(file: u32) -> String {
    format!("evidence-{file}.jsonl")
}

/// Classifies the lines of a run, in the order in which they arrived.
pub fn classify(lines: &[Sighting], names: &Names, options: Options) -> Classification {
    let mut diagnosis = Diagnosis::new(options);
    let files = lines.iter().map(|line| line.file + 1).max().unwrap_or(1);
    let mut counts = vec![0u64; files as usize];
    for (arrival, line) in lines.iter().enumerate() {
        let count = &mut counts[line.file as usize];
        *count += 1;
        let place = Place {
            arrival: arrival as u64,
            source: line.file,
            line: *count,
        };
        diagnosis.observe(place, &line.record(names));
    }
    let sources: Vec<String> = (0..files).map(source_name).collect();
    diagnosis.finish(&sources)
}

/// Holds verdicts against the truth.
pub fn agreement(truth: &Truth, verdicts: &Classification, names: &Names) -> Agreement {
    let mut agreement = Agreement::default();
    for incident in &verdicts.incidents {
        if incident.status == Status::Proven && !is_true(truth, incident, names) {
            if excuse(truth.faults(), incident).is_some() {
                agreement.excused.push(incident.clone());
            } else {
                agreement.false_proofs.push(incident.clone());
            }
        }
    }
    for incident in truth.incidents() {
        let found = find(truth, &incident, verdicts, names);
        agreement.found.push((incident, found));
    }
    agreement
}

/// The events that an incident rests on.
fn events(truth: &Truth, incident: &Incident) -> BTreeSet<u64> {
    let witnesses = incident.evidence.iter();
    witnesses
        .filter_map(|witness| {
            let file = witness
                .source
                .strip_prefix("evidence-")?
                .strip_suffix(".jsonl")?;
            truth.event_at((file.parse().ok()?, witness.line))
        })
        .collect()
}

/// Whether something of the class of this incident is true of a record it rests on.
fn is_true(truth: &Truth, incident: &Incident, names: &Names) -> bool {
    let events = events(truth, incident);
    truth.facts().iter().any(|fact| {
        if fact.kind.class() != incident.class() {
            return false;
        }
        if incident.variant == Variant::TwoLocksOneKey {
            // It is a fact about a key, and told under either of its locks.
            return fact.kind == FactKind::HeldTokenOfOtherLock
                && fact.key.map(|key| names.text(|n, out| n.key(out, key)))
                    == incident.resource_key;
        }
        if names.text(|n, out| n.lock(out, fact.lock)) != incident.lock_name {
            return false;
        }
        // Which leases carry a token is told by any use of them.
        let lease = fact
            .lease
            .map(|number| names.text(|n, out| n.lease(out, fact.lock, number)));
        let names_lease = || {
            let actors = [&incident.late, &incident.current];
            actors
                .into_iter()
                .flatten()
                .any(|actor| actor.lease_id == lease)
        };
        events.contains(&fact.event)
            || incident.class() == Class::TokenOrder && lease.is_some() && names_lease()
    })
}

/// The assumption that the incident names and that does not hold in this run.
fn excuse(faults: &Faults, incident: &Incident) -> Option<Assumption> {
    incident
        .assumes
        .iter()
        .copied()
        .find(|assumption| match assumption {
            // Two locks at one key are two sources of tokens that no order joins.
            Assumption::OrderedTokens => {
                faults.tokens != TokenFault::Ordered || faults.keys == KeyFault::TwoLocks
            }
            // A restarted authority gives out a lock whose last lease still runs.
            Assumption::ExclusiveLock => faults.tokens == TokenFault::Reset,
            Assumption::TruthfulRelease => {
                [faults.release, faults.renewal].contains(&Bound::Idempotent)
            }
        })
}

fn find(truth: &Truth, incident: &TrueIncident, verdicts: &Classification, names: &Names) -> Found {
    let lock = names.text(|n, out| n.lock(out, incident.lock));
    let own: BTreeSet<u64> = incident.facts.iter().map(|fact| fact.event).collect();
    let verdicts = verdicts
        .incidents
        .iter()
        .filter(|verdict| verdict.lock_name == lock || verdict.variant == Variant::TwoLocksOneKey);
    let mut best = Found::Missed;
    for verdict in verdicts {
        let touches = || !own.is_disjoint(&events(truth, verdict));
        let found = match verdict.status {
            _ if verdict.class() == Class::Undecided && incident.class != Class::Undecided => {
                if verdict.candidates.contains(&incident.class) && touches() {
                    Found::Undecided
                } else {
                    Found::Missed
                }
            }
            _ if verdict.class() != incident.class
                || !(touches() || same_subject(incident, verdict, names)) =>
            {
                Found::Missed
            }
            Status::Proven => Found::Proven,
            Status::Suspected => Found::Suspected,
            Status::Undecided => Found::Undecided,
        };
        best = best.max(found);
    }
    best
}

/// Whether a verdict is about the subject of a true incident, as far as it says.
fn same_subject(incident: &TrueIncident, verdict: &Incident, names: &Names) -> bool {
    let key = |key| names.text(|n, out| n.key(out, key));
    let lease = |number| names.text(|n, out| n.lease(out, incident.lock, number));
    let agrees = |known: Option<String>, said: Option<&String>| match (known, said) {
        (Some(known), Some(said)) => known == *said,
        _ => true,
    };
    let actors = || [&verdict.late, &verdict.current].into_iter().flatten();
    match incident.subject {
        Subject::Write(at, token) => {
            agrees(at.map(key), verdict.resource_key.as_ref())
                && (verdict.variant == Variant::Forked
                    || verdict
                        .late
                        .as_ref()
                        .is_none_or(|late| late.fence_token.is_none() || late.fence_token == token))
        }
        Subject::WriteOfLease(at, number) => {
            agrees(at.map(key), verdict.resource_key.as_ref())
                && verdict
                    .late
                    .as_ref()
                    .is_none_or(|late| agrees(number.map(lease), late.lease_id.as_ref()))
        }
        Subject::Lease(number) => {
            actors().any(|actor| agrees(number.map(lease), actor.lease_id.as_ref()))
        }
        Subject::Operation(operation) => agrees(
            operation
                .map(|operation| names.text(|n, out| n.operation(out, incident.lock, operation))),
            verdict.operation_id.as_ref(),
        ),
        Subject::Key(at) => agrees(at.map(key), verdict.resource_key.as_ref()),
        Subject::Lock => true,
    }
}
