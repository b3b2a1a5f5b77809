//! The rows that are judged when the input has ended: what observers come to together,
//! orders that stay unknown, keys that diverge, and what other locks claim.

use super::joined::without_order;
use super::ruling::Ruling;
use super::{Court, Standing, View};
use crate::incident::{Outcome, Variant};
use crate::rules::at_end;
use crate::rules::claim::Claim;
use crate::rules::two_locks::Foreign;
use crate::timeline::Order;

fn is_late_write(variant: Variant) -> bool {
    use Variant::{
        BothAccepted, Forked, KeyUnknown, LateWriteOtherKey, LeaseSuperseded, NotCompared,
    };
    matches!(
        variant,
        NotCompared | Forked | BothAccepted | LateWriteOtherKey | KeyUnknown | LeaseSuperseded
    )
}

impl Court<'_> {
    /// The rows that are judged at the end of the input.
    pub(super) fn settle_end(&self, standing: &mut Vec<Standing>, foreign: &Foreign) {
        let all = self.views.len();
        let alone = |view, claim: Claim| Standing {
            claim,
            view,
            decided: vec![claim.first.place.arrival],
        };
        if let Some(together) = &self.together {
            let claims = together.whole.claims.iter();
            standing.extend(claims.filter_map(|claim| {
                let mut stands = without_order(claim, together.joined)?;
                if self.may_be_one_lease(all, &stands) {
                    stands.doubt();
                    stands.outcome = Outcome::Unknown;
                }
                Some(Standing {
                    claim: stands,
                    view: all,
                    decided: together.whole.claims.deciding(claim),
                })
            }));
        }
        let late = standing.iter().any(|one| is_late_write(one.claim.variant));
        match &self.together {
            Some(together) => {
                let unknown = at_end::order_unknown(together.whole, false);
                let unknown = unknown.into_iter().filter(|claim| !self.ordered(claim));
                standing.extend(unknown.map(|claim| alone(all, claim)));
                let diverge = at_end::keys_diverge(together.whole);
                standing.extend(diverge.filter(|_| !late).map(|claim| alone(all, claim)));
            }
            None => {
                for (at, View { judge, facts }) in self.views.iter().enumerate() {
                    if facts.withheld(self.by).is_some() {
                        let unknown =
                            at_end::order_unknown(judge, facts.order(self.by) == Order::ByLine);
                        standing.extend(unknown.into_iter().map(|claim| alone(at, claim)));
                    }
                    let diverge = at_end::keys_diverge(judge);
                    standing.extend(diverge.filter(|_| !late).map(|claim| alone(at, claim)));
                }
            }
        }
        for claim in foreign.claims() {
            if let Ruling::Stands(claim) = self.rule(0, claim) {
                standing.push(alone(0, *claim));
            }
        }
    }
}
