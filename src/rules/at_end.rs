//! What only the end of the input can tell of one lock.
//!
//! | when | says |
//! |---|---|
//! | two leases wrote at one key, the older one is shown lost, and nothing orders the writes | `order-unknown` |
//! | every token of the lock went to a key of its own | `keys-diverge` |

use std::collections::BTreeSet;

use super::LockJudge;
use super::claim::{Claim, Fields, Met, Subject};
use super::own_tokens::is_own;
use crate::evidence::Field;
use crate::incident::{Class, Outcome, Role, Status, Variant};
use crate::timeline::{KeyState, LeaseState};

/// The order of the lock's records is unknown, and an old lease may have written late. `by_line`
/// is whether the lines of one input are in order: then they order what both leases wrote there.
pub fn order_unknown(judge: &LockJudge, by_line: bool) -> Vec<Claim> {
    let leases = judge.timeline.leases();
    let mut claims = Vec::new();
    for (key, state) in judge.timeline.keys().filter(|(key, _)| key.is_some()) {
        let newest = state.generations.iter().max_by_key(|(token, _)| *token);
        let Some((newest_token, newest)) = newest else {
            continue;
        };
        for (token, generation) in state.generations.iter() {
            let lost = leases
                .get(generation.first.handle.lease)
                .filter(|lease| lease.told_lost);
            let Some(lost) = lost.and_then(|lease| lease.lost.as_deref().copied()) else {
                continue;
            };
            let own_newer = is_own(&judge.timeline, &generation.first.handle, newest_token);
            let one_input = by_line
                && !generation.several_sources
                && !newest.several_sources
                && generation.first.place.source == newest.first.place.source;
            if one_input || generation.with_before || token >= newest_token || own_newer {
                continue;
            }
            let subject = Subject::Write {
                key,
                token: Some(token),
                lease: None,
            };
            let (status, outcome) = (Status::Undecided, Outcome::Unknown);
            claims.push(Claim {
                key,
                met: Met::Record(newest.first, Role::NewerWrite),
                also: Some((lost, Role::LeaseLost)),
                missing: Fields::of(&[Field::Seq, Field::ResourceHighestTokenBefore]),
                candidates: &[Class::MissingFencing],
                ..Claim::new(
                    Variant::OrderUnknown,
                    status,
                    outcome,
                    subject,
                    generation.first,
                )
            });
        }
    }
    claims
}

/// Every token of the lock went to a key of its own, so no key could compare two.
pub fn keys_diverge(judge: &LockJudge) -> Option<Claim> {
    let mut writes = Vec::new();
    for (key, state) in judge.timeline.keys() {
        let Some((token, generation)) = state.generations.iter().next() else {
            continue;
        };
        let own_key = state.generations.len() == 1;
        let fresh = state.first_before.is_none_or(|before| before == 0);
        if key.is_none() || !own_key || !fresh {
            return None;
        }
        writes.push((token, generation.first));
    }
    // A lease that renews its token has several of its own: no other owner's is near.
    let leases = judge.timeline.leases();
    let one_lease =
        |lease: &LeaseState| writes.iter().all(|(token, _)| lease.tokens.contains(token));
    if leases.by_id.iter().any(|(_, lease)| one_lease(lease)) {
        return None;
    }
    let (newest, late) = *writes.iter().max_by_key(|(token, _)| *token)?;
    let (_, other) = *writes.iter().rev().find(|(token, _)| *token != newest)?;
    // A token that was read at another key than its own did reach that key.
    let tokens: BTreeSet<_> = writes.iter().map(|(token, _)| *token).collect();
    let reads_another = |state: &KeyState| {
        let mut read = state.foreign.iter();
        read.any(|(token, foreign)| {
            let own = state.generations.get(token).is_some();
            foreign.count > 0 && !own && tokens.contains(&token)
        })
    };
    let mut written = judge.timeline.keys().map(|(_, state)| state);
    if written.any(|state| state.generations.len() == 1 && reads_another(state)) {
        return None;
    }
    Some(Claim {
        met: Met::Record(other, Role::OtherWrite),
        ..Claim::new(
            Variant::KeysDiverge,
            Status::Suspected,
            Outcome::Exposed,
            Subject::Lock,
            late,
        )
    })
}
