//! What the records of several observers, joined, may say without an order between them.

use super::Court;
use crate::incident::{Outcome, Status, Variant};
use crate::observers::join::{Joined, Relation};
use crate::rules::claim::{Claim, Met};

impl Court<'_> {
    /// Whether the two writes that a claim names stand in the order of one observer.
    pub(super) fn ordered(&self, claim: &Claim) -> bool {
        let newer = match claim.met {
            Met::Record(seen, _) => seen.handle.token,
            _ => None,
        };
        let tokens = [claim.first.handle.token, newer];
        self.views.iter().any(|view| {
            let key = view.judge.timeline.key(claim.key);
            let has = |token| key.is_some_and(|key| key.generations.get(token).is_some());
            view.facts.withheld(self.by).is_none() && tokens.into_iter().flatten().all(has)
        })
    }
}

/// What a claim of all observers together is worth, where it compares records that no one
/// observer made: two of them may be of one event, may name one thing by two names, and
/// have no order.
pub(super) fn without_order(claim: &Claim, joined: &Joined) -> Option<Claim> {
    let Met::Record(met, _) = claim.met else {
        return None;
    };
    let relation = joined.relation(claim.first.place.arrival, met.place.arrival);
    let tokens_apart = matches!(
        (claim.first.handle.token, met.handle.token),
        (Some(a), Some(b)) if a != b
    );
    let mut claim = *claim;
    match (claim.variant, relation) {
        (Variant::Forked | Variant::Redelivered, Relation::TokensComparable) if tokens_apart => {}
        // A name or a reading that differs may be another word for the same.
        (Variant::AppliedAgain, Relation::TokensComparable) if claim.status == Status::Proven => {
            claim.status = Status::Suspected;
            claim.outcome = Outcome::Unknown;
        }
        _ => return None,
    }
    Some(claim)
}
