//! Which finding explains a refusal, and whose tokens are known not to grow.

use hashbrown::HashMap;

use super::{Court, Key, Standing};
use crate::incident::{Assumption, Role, Status, Variant};
use crate::rules::claim::{Basis, Met};
use crate::rules::two_locks::Foreign;
use crate::timeline::{Strength, Symbol};

impl Court<'_> {
    /// Takes the refusals that another finding explains out of `standing`; those that are
    /// occurrences of a token-order incident are returned with it.
    pub(super) fn explain_refusals(
        &self,
        standing: &mut Vec<Standing>,
        foreign: &Foreign,
    ) -> Vec<(Key, Standing)> {
        let out_of_order = self.out_of_order_leases(standing);
        let mut moved = Vec::new();
        standing.retain_mut(|one| {
            let view = one.view;
            let claim = &mut one.claim;
            let Some(refusal) = claim.grounds.refusal else {
                return true;
            };
            let leases = self.knows_most(view).timeline.leases();
            // A write that names no lease may be of any lease that carries its token.
            let carries = |lease: &Symbol| {
                let state = leases.get(Some(*lease));
                let token = claim.first.handle.token;
                token.is_some_and(|token| state.is_some_and(|own| own.tokens.contains(&token)))
            };
            let writer = match refusal.lease {
                Some(lease) => Some(lease),
                None => out_of_order.keys().copied().filter(carries).min(),
            };
            let known = |lease: Symbol| {
                let other = || {
                    let mut others = self.other_spellings(lease);
                    others.find_map(|other| out_of_order.get(&other))
                };
                out_of_order.get(&lease).or_else(other)
            };
            if !out_of_order.is_empty()
                && let Some(key) = writer.and_then(known)
            {
                let decided = std::mem::take(&mut one.decided);
                moved.push((
                    *key,
                    Standing {
                        claim: one.claim,
                        view,
                        decided,
                    },
                ));
                return false;
            }
            if foreign.explains(claim.key, refusal.before, claim.first.handle.token) {
                return false;
            }
            let own_newer =
                refusal.own_newer && self.strength(view, Basis::WriteOrder) == Strength::Deciding;
            if !own_newer && foreign.contests(claim.key, refusal.before) {
                claim.status = claim.status.min(Status::Suspected);
            }
            // Here as well a write without a lease is of the lease that carries its token.
            let own = leases.get(
                refusal
                    .lease
                    .or_else(|| leases.holder(claim.first.handle.token)),
            );
            let renewed_token = own.is_some_and(|lease| lease.tokens.contains(&refusal.below));
            if renewed_token {
                claim.variant = Variant::SameLeaseToken;
                claim.status = Status::Undecided;
                claim.grounds.compares_generations = false;
            }
            true
        });
        moved
    }

    /// Where the tokens of the lock are proven not to grow, no owner is proven to be an old
    /// one on trust that they do: the lower token may be the rightful owner's. That a
    /// resource accepted the tokens in that order is shown all the same.
    pub(super) fn hold_against_token_order(&self, standing: &mut [Standing]) {
        use Variant::{OutOfStep, RemovedOtherLease, Shared, WentBack, WriteRefused};
        let proven = |one: &Standing| one.claim.status == Status::Proven;
        let tokens = |one: &Standing| matches!(one.claim.variant, Shared | WentBack | OutOfStep);
        if !standing.iter().any(|one| proven(one) && tokens(one)) {
            return;
        }
        for one in standing {
            let old_owner = matches!(one.claim.variant, WriteRefused | RemovedOtherLease);
            if old_owner
                && proven(one)
                && self
                    .assumes(one.view, &one.claim)
                    .contains(&Assumption::OrderedTokens)
            {
                one.claim.status = Status::Suspected;
            }
        }
    }

    /// The leases whose tokens do not follow the order in which they were given, each with
    /// the finding that says so. A lease that may be written in two ways explains nothing.
    fn out_of_order_leases(&self, standing: &[Standing]) -> HashMap<Symbol, Key> {
        let mut leases = HashMap::new();
        for Standing { claim, view, .. } in standing {
            if self.may_be_one_lease(*view, claim) {
                continue;
            }
            let earlier = match claim.met {
                Met::Record(seen, Role::EarlierLease) if claim.variant == Variant::OutOfStep => {
                    seen.handle.lease
                }
                _ => None,
            };
            if matches!(
                claim.variant,
                Variant::Shared | Variant::WentBack | Variant::OutOfStep
            ) {
                for lease in [claim.first.handle.lease, earlier].into_iter().flatten() {
                    // Of several findings the first by its kind speaks, in any order of lines.
                    let named = (claim.variant, claim.subject);
                    leases
                        .entry(lease)
                        .and_modify(|known: &mut Key| *known = named.min(*known))
                        .or_insert(named);
                }
            }
        }
        leases
    }
}
