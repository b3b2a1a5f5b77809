//! Which finding explains a refusal, and whose tokens are known not to grow.

use hashbrown::HashMap;

use super::{Court, Key, Standing};
use crate::evidence::{Field, Token};
use crate::incident::{Assumption, Role, Status, Variant};
use crate::rules::claim::{Basis, Met};
use crate::rules::two_locks::Foreign;
use crate::timeline::{Handle, Leases, Strength, Symbol};

impl Court<'_> {
    /// Takes the refusals that another finding explains out of `standing`; those that are
    /// occurrences of a token-order incident are returned with it.
    pub(super) fn explain_refusals(
        &self,
        standing: &mut Vec<Standing>,
        foreign: &Foreign,
    ) -> Vec<(Key, Standing)> {
        let out_of_order = OutOfOrder {
            named: self.out_of_order_leases(standing),
            unnamed: out_of_order_without_id(standing),
        };
        let mut moved = Vec::new();
        standing.retain_mut(|one| {
            let view = one.view;
            let claim = &mut one.claim;
            let Some(refusal) = claim.grounds.refusal else {
                return true;
            };
            let leases = self.knows_most(view).timeline.leases();
            let token = claim.first.handle.token;
            let writer = refusal
                .lease
                .or_else(|| self.first_with(&out_of_order, token?, leases));
            match self.explanation(&out_of_order, writer, &claim.first.handle, leases) {
                Some(Explained {
                    is_doubted: false,
                    finding,
                    ..
                }) => {
                    let decided = std::mem::take(&mut one.decided);
                    let standing = Standing {
                        claim: one.claim,
                        view,
                        decided,
                    };
                    moved.push((finding, standing));
                    return false;
                }
                Some(Explained { may_be_one, .. }) => {
                    claim.doubt();
                    claim.missing = claim.missing.with_if(!may_be_one, Field::ActiveFenceToken);
                }
                None => self.doubt_by_acquisitions(view, writer, claim, refusal.below),
            }
            if foreign.explains(claim.key, refusal.before, token) {
                return false;
            }
            let own_newer =
                refusal.own_newer && self.strength(view, Basis::WriteOrder) == Strength::Deciding;
            if !own_newer && foreign.contests(claim.key, refusal.before) {
                claim.doubt();
            }
            // A write without a lease is of the lease that carries its token.
            let holder = || leases.holder(token);
            if leases.carries(refusal.lease.or_else(holder), refusal.below) {
                claim.variant = Variant::SameLeaseToken;
                claim.status = Status::Undecided;
                claim.grounds.compares_generations = false;
            }
            true
        });
        moved
    }

    /// The lease of a write that names none: any that carries its token may be it, in whichever
    /// spelling.
    fn first_with(
        &self,
        out_of_order: &OutOfOrder,
        token: Token,
        leases: &Leases,
    ) -> Option<Symbol> {
        let carriers = out_of_order.named.iter().filter(|(lease, _)| {
            let mut spellings = self.all_spellings(Some(**lease));
            spellings.any(|id| leases.carries(Some(id), token))
        });
        let first = carriers.min_by_key(|(lease, named)| (**named, **lease));
        first.map(|(lease, _)| *lease)
    }

    /// The finding that names the lease of a refused write, if there is one; `writer` is that
    /// lease, where it is known.
    fn explanation(
        &self,
        out_of_order: &OutOfOrder,
        writer: Option<Symbol>,
        own: &Handle,
        leases: &Leases,
    ) -> Option<Explained> {
        let Some(writer) = writer else {
            return out_of_order.of_the_only_one_like(own, leases);
        };
        let named = &out_of_order.named;
        if named.is_empty() {
            return None;
        }
        let spelled_otherwise = || {
            let mut others = self.other_spellings(writer);
            others.find_map(|other| named.get(&other))
        };
        named.get(&writer).or_else(spelled_otherwise).copied()
    }

    /// Where the tokens of the lock are proven not to grow, no owner is proven to be an old
    /// one on trust that they do: the lower token may be the rightful owner's. Nor is the owner
    /// of a lease that such a finding names. That a resource accepted the tokens in that order
    /// is shown all the same.
    pub(super) fn hold_against_token_order(&self, standing: &mut [Standing]) {
        use Variant::{LateWriteOtherKey, RemovedOtherLease, WriteRefused};
        let proven = |one: &Standing| one.claim.status == Status::Proven;
        let tokens = |one: &&Standing| is_of_token_order(one.claim.variant);
        if !standing.iter().any(|one| tokens(&one)) {
            return;
        }
        let refuted = standing.iter().filter(tokens).any(proven);
        let out_of_order = self.out_of_order_leases(standing);
        for one in standing.iter_mut().filter(|one| proven(one)) {
            let claim = &one.claim;
            let old_owner = matches!(
                claim.variant,
                WriteRefused | RemovedOtherLease | LateWriteOtherKey
            );
            let leases = self.knows_most(one.view).timeline.leases();
            let writer = || leases.lease_of(&claim.first.handle);
            let shown = |lease: &Symbol| out_of_order.get(lease).is_some_and(|one| !one.is_doubted);
            let named = || self.all_spellings(writer()).any(|lease| shown(&lease));
            let on_trust = || self.assumes(one.view, claim);
            if old_owner && refuted && on_trust().contains(&Assumption::OrderedTokens)
                || claim.variant == LateWriteOtherKey && named()
            {
                one.claim.status = Status::Suspected;
            }
        }
    }

    /// The leases whose tokens do not follow the order in which they were given, each with
    /// the finding that says so.
    fn out_of_order_leases(&self, standing: &[Standing]) -> HashMap<Symbol, Explained> {
        let mut leases = HashMap::new();
        for (at, Standing { claim, view, .. }) in standing.iter().enumerate() {
            let unvouched = self.is_unvouched(*view, claim);
            let both = unvouched || claim.variant == Variant::OutOfStep;
            let earlier = match claim.met {
                Met::Record(seen, Role::EarlierLease) if both => seen.handle.lease,
                _ => None,
            };
            if is_of_token_order(claim.variant) {
                let may_be_one = self.may_be_one_lease(*view, claim);
                for lease in [claim.first.handle.lease, earlier].into_iter().flatten() {
                    let named = Explained {
                        is_doubted: unvouched || may_be_one,
                        may_be_one,
                        kind: claim.variant,
                        at,
                        finding: (claim.variant, claim.subject),
                    };
                    leases
                        .entry(lease)
                        .and_modify(|known: &mut Explained| *known = named.min(*known))
                        .or_insert(named);
                }
            }
        }
        leases
    }
}

/// The leases whose tokens do not follow the order in which they were given, each with the
/// finding that says so.
struct OutOfOrder {
    named: HashMap<Symbol, Explained>,
    /// Those that were acquired without a lease id.
    unnamed: Vec<(Handle, Explained)>,
}

impl OutOfOrder {
    /// The finding on the one acquisition without an id that a write may be of. Of two leases
    /// with the token an old one may have written.
    fn of_the_only_one_like(&self, own: &Handle, leases: &Leases) -> Option<Explained> {
        self.unnamed.iter().find_map(|(given, finding)| {
            let acquired = leases.acquisitions.iter();
            let with_it = acquired.filter(|one| one.seen.handle.token == given.token);
            (may_be_the_one(given, own) && with_it.count() < 2).then_some(*finding)
        })
    }
}

/// Whether a handle without a lease id may be of the lease that was given so: the tokens agree,
/// and no owners tell them apart.
fn may_be_the_one(given: &Handle, own: &Handle) -> bool {
    given.token.is_some() && given.token == own.token && !given.has_another_owner(own)
}

/// The acquisitions without a lease id that such a finding names, each with the finding.
fn out_of_order_without_id(standing: &[Standing]) -> Vec<(Handle, Explained)> {
    let findings = standing.iter().map(|one| &one.claim);
    let findings = findings.filter(|claim| is_of_token_order(claim.variant));
    let unnamed = findings.filter(|claim| claim.first.handle.lease.is_none());
    let named = unnamed.enumerate().map(|(at, claim)| {
        let finding = (claim.variant, claim.subject);
        let explained = Explained {
            is_doubted: false,
            may_be_one: false,
            kind: claim.variant,
            at,
            finding,
        };
        (claim.first.handle, explained)
    });
    named.collect()
}

fn is_of_token_order(variant: Variant) -> bool {
    use Variant::{OutOfStep, Shared, WentBack};
    matches!(variant, Shared | WentBack | OutOfStep)
}

/// The finding that says of a lease that its tokens do not follow the order of leases. Of
/// several the least speaks, in any order of lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Explained {
    /// Whether it may be no finding at all, as nobody vouches for a token that it names, or
    /// its leases may be one. It then explains nothing, and leaves the refusal open.
    is_doubted: bool,
    /// Whether its leases may be one.
    may_be_one: bool,
    kind: Variant,
    /// Where it stands among all claims, which are sorted by the order of their records.
    at: usize,
    finding: Key,
}
