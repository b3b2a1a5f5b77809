//! Little memory, and following while the input grows.

use std::collections::{BTreeMap, BTreeSet};

use lockdiag::diagnosis::Options;
use lockdiag::incident::{Class, Incident, Variant, WithheldReason};
use serde_json::Value;

use crate::common::{differ, verdicts};
use crate::support::{gists, judge};

pub fn room_for(bytes: usize) -> Options {
    Options {
        memory: Some(bytes),
        ..Options::default()
    }
}

/// Whether a variant is settled only when the input has ended.
pub fn at_end(variant: Variant) -> bool {
    use Variant::{KeysDiverge, NewerOwnerSilent, OrderUnknown, TwoLocksOneKey};
    matches!(
        variant,
        OrderUnknown | NewerOwnerSilent | KeysDiverge | TwoLocksOneKey
    )
}

/// The keys that more than one lock names: what a reading there means is known when all
/// locks have been read.
pub fn keys_of_several_locks(records: &[Value]) -> BTreeSet<String> {
    let mut locks: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for record in records {
        if let (Some(key), Some(lock)) =
            (record["resourceKey"].as_str(), record["lockName"].as_str())
        {
            locks.entry(key).or_default().insert(lock);
        }
    }
    let several = locks.into_iter().filter(|(_, locks)| locks.len() > 1);
    several.map(|(key, _)| key.to_owned()).collect()
}

pub fn check_followed(records: &[Value]) -> Result<(), String> {
    let plain = verdicts(&[records.to_vec()]);
    let options = Options {
        follow: true,
        ..Options::default()
    };
    let (followed, told) = judge(&[records.to_vec()], options);
    if plain != followed {
        return Err(differ(&gists(&plain), &gists(&followed)));
    }
    let shared = keys_of_several_locks(records);
    // Which way lines run is known when all have been read.
    let is_backwards = |lock: &str| {
        let mut withheld = plain.summary.withheld.iter();
        withheld.any(|one| one.lock_name == lock && one.reason == WithheldReason::LinesBackwards)
    };
    let in_order = |incident: &&Incident| !is_backwards(&incident.lock_name);
    for incident in plain.incidents.iter().filter(in_order) {
        let elsewhere = incident
            .resource_key
            .as_ref()
            .is_some_and(|key| shared.contains(key));
        if at_end(incident.variant) || (elsewhere && incident.class() != Class::MissingFencing) {
            continue;
        }
        let last = told.iter().rev().find(|told| told.id == incident.id);
        let says = |incident: &Incident| (incident.status, incident.outcome);
        if last.map(says) != Some(says(incident)) {
            return Err(format!("told {last:#?}\nin the end {incident:#?}"));
        }
    }
    Ok(())
}
