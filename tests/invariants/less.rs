//! Less evidence, never a different accusation.

use std::collections::{BTreeMap, BTreeSet};

use lockdiag::incident::{Assumption, Class, Classification, Incident, Status, Variant};
use serde_json::Value;

use crate::common::verdicts;
use crate::support::{gist, gists};

pub fn proven(found: &Classification) -> BTreeMap<(String, Class), Vec<Incident>> {
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
pub fn assumption_failed(incident: &Incident, full: &Classification) -> bool {
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

/// Verdicts that conclude from what is absent, or from the second best where the best is
/// absent, as their rows say: the one weakness that the diagnosis has on purpose.
pub fn rests_on_absence(new: &Incident, full: &Classification, removed: Option<&str>) -> bool {
    use Variant::{
        AppliedAgain, Contradiction, HighestLost, LateWriteOtherKey, ReleaseRefused,
        RemovedOtherLease, RenewedOtherLease, TwoLocksOneKey, WriteRefused,
    };
    match new.variant {
        // A token that the lock itself never put there: what says that it did is gone.
        TwoLocksOneKey => true,
        // Handles are compared by token or owner where there is no lease id.
        RemovedOtherLease | RenewedOtherLease => matches!(removed, Some("leaseId" | "fenceToken")),
        // The answer contradicted what was read with it, and that is gone.
        ReleaseRefused => full
            .incidents
            .iter()
            .any(|other| other.variant == Contradiction && other.lock_name == new.lock_name),
        // The reading is gone, and with it what it said against the order.
        WriteRefused => removed == Some("resourceHighestTokenBefore"),
        // Of a write that is late, here at another key, it is not asked what was lost before it.
        HighestLost => full.incidents.iter().any(|other| {
            let write = |one: &Incident| (one.lock_name.clone(), one.late.clone());
            other.variant == LateWriteOtherKey && write(other) == write(new)
        }),
        // An operation without a key may be at the same key.
        AppliedAgain => removed == Some("resourceKey"),
        // It was late at its own key as well, which is said first; or both tokens were of one
        // lease, and what says so is gone: the verdict takes on trust that they are not.
        LateWriteOtherKey if removed == Some("leaseId") => {
            new.assumes.contains(&Assumption::OrderedTokens)
        }
        LateWriteOtherKey => full.incidents.iter().any(|other| {
            let place =
                |incident: &Incident| (incident.lock_name.clone(), incident.resource_key.clone());
            other.class() == Class::MissingFencing && place(other) == place(new)
        }),
        _ => false,
    }
}

pub fn check_less(
    full: &Classification,
    less: &[Vec<Value>],
    removed: Option<&str>,
) -> Result<(), String> {
    accuses_of_nothing_else(full, &verdicts(less), removed)
}

/// Whether what less of the evidence proves is known to all of it, or at least left open.
pub fn accuses_of_nothing_else(
    full: &Classification,
    less: &Classification,
    removed: Option<&str>,
) -> Result<(), String> {
    // A class that was left open is no other accusation.
    let classes = |incident: &Incident| {
        let mut classes = incident.candidates.clone();
        classes.push(incident.class());
        let lock = incident.lock_name.clone();
        classes.into_iter().map(move |class| (lock.clone(), class))
    };
    let known: BTreeSet<(String, Class)> = full.incidents.iter().flat_map(classes).collect();
    for (class, incidents) in proven(less) {
        if known.contains(&class) {
            continue;
        }
        let explained = |new: &&Incident| {
            !assumption_failed(new, full) && !rests_on_absence(new, full, removed)
        };
        if let Some(new) = incidents.iter().find(explained) {
            let full = gists(full);
            return Err(format!(
                "less evidence proves {}\nall of it says {full:#?}",
                gist(new)
            ));
        }
    }
    Ok(())
}

pub const FIELDS: [&str; 11] = [
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
