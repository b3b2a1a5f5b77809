//! What a claim takes on trust, above all that tokens grow.

use super::Court;
use crate::incident::Assumption;
use crate::rules::claim::{Basis, Claim, Met};
use crate::timeline::Strength;

impl Court<'_> {
    /// What a claim takes on trust: that tokens grow, where it compares them and no
    /// deciding order of acquisitions shows it, and what its row names.
    pub(super) fn assumes(&self, view: usize, claim: &Claim) -> Vec<Assumption> {
        let met = match claim.met {
            Met::Nobody => None,
            Met::Token(token) => Some(token),
            Met::Record(seen, _) => seen.handle.token,
            Met::Lease(handle) => handle.token,
        };
        let shown = match (claim.first.handle.token, met) {
            (Some(late), Some(newer)) => self.shown_to_grow(late, newer),
            _ => false,
        };
        // A refusal tells what was read, not whose token that was: only a write of this
        // lock shows it, and without a reading only one that is known to come before.
        let decided = || self.strength(view, Basis::WriteOrder) == Strength::Deciding;
        let own = claim
            .grounds
            .refusal
            .is_none_or(|refusal| refusal.own_newer && (!claim.grounds.ordered || decided()));
        let ordered = claim.grounds.compares_generations && !(shown && own);
        let ordered = ordered.then_some(Assumption::OrderedTokens);
        ordered
            .into_iter()
            .chain(claim.assumes.iter().copied())
            .collect()
    }

    /// Whether the deciding order of some observer shows that the tokens grow.
    fn shown_to_grow(&self, late: u64, newer: u64) -> bool {
        self.views.iter().enumerate().any(|(at, view)| {
            let leases = view.judge.timeline.leases();
            // A lease id may be acquired again: an acquisition that gave another token does not
            // show when this one was given.
            let acquired = |token| {
                let lease = leases.get(leases.holder(Some(token)))?;
                let acquired = lease.acquired?;
                let gave = match acquired.seen.handle.token {
                    Some(given) => given == token,
                    None => lease.tokens.iter().all(|other| *other == token),
                };
                gave.then_some(acquired.position)
            };
            self.strength(at, Basis::LeaseOrder) == Strength::Deciding
                && matches!((acquired(late), acquired(newer)), (Some(a), Some(b)) if a < b)
        })
    }
}
