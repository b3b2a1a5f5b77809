//! Which finding explains a refusal, and whose tokens are known not to grow.

use hashbrown::HashMap;

use super::ruling::origin_field;
use super::{Court, Key, Standing};
use crate::evidence::{Field, Token};
use crate::incident::{Assumption, Role, Status, Variant};
use crate::rules::claim::{Basis, Claim, Met};
use crate::rules::two_locks::Foreign;
use crate::timeline::{Acquired, Handle, Leases, Strength, Symbol};

impl Court<'_> {
    /// Takes the refusals that another finding explains out of `standing`; those that are
    /// occurrences of a token-order incident are returned with it.
    pub(super) fn explain_refusals(
        &self,
        standing: &mut Vec<Standing>,
        foreign: &Foreign,
    ) -> Vec<(Key, Standing)> {
        let out_of_order = self.out_of_order_leases(standing);
        let unnamed = out_of_order_without_id(standing);
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
                let token = claim.first.handle.token;
                token.is_some_and(|token| leases.carries(Some(*lease), token))
            };
            let writer = match refusal.lease {
                Some(lease) => Some(lease),
                None => {
                    let carriers = out_of_order.iter().filter(|(lease, _)| carries(lease));
                    let first = carriers.min_by_key(|(lease, named)| (**named, **lease));
                    first.map(|(lease, _)| *lease)
                }
            };
            let known = |lease: Symbol| {
                let other = || {
                    let mut others = self.other_spellings(lease);
                    others.find_map(|other| out_of_order.get(&other))
                };
                out_of_order.get(&lease).or_else(other)
            };
            let own = claim.first.handle;
            let explained = match writer {
                Some(writer) if !out_of_order.is_empty() => known(writer),
                None => unnamed.iter().find_map(|(given, finding)| {
                    let acquired = leases.acquisitions.iter();
                    let with_it = acquired.filter(|one| one.seen.handle.token == given.token);
                    // Of two leases with the token an old one may have written.
                    let once = || with_it.count() < 2;
                    (may_be_the_one(given, &own) && once()).then_some(finding)
                }),
                _ => None,
            };
            if let Some(Explained { finding, .. }) = explained.filter(|found| !found.is_doubted) {
                let decided = std::mem::take(&mut one.decided);
                moved.push((
                    *finding,
                    Standing {
                        claim: one.claim,
                        view,
                        decided,
                    },
                ));
                return false;
            }
            if let Some(Explained { may_be_one, .. }) = explained {
                claim.status = claim.status.min(Status::Suspected);
                claim.missing = claim.missing.with_if(!may_be_one, Field::ActiveFenceToken);
            }
            // Where an id may stand in two spellings, it may not show that a lease with a lower
            // token lived on after this one was refused.
            let told_lost = || leases.get(writer).is_some_and(|lease| lease.told_lost);
            if explained.is_none() && told_lost() && self.are_some_spelled_twice() {
                claim.status = claim.status.min(Status::Suspected);
            }
            // Without lease ids no finding says that tokens went back; the acquisitions do.
            if explained.is_none() && own.token.is_some_and(|own| leases.fell(own, &claim.last)) {
                claim.status = claim.status.min(Status::Suspected);
                claim.missing = claim.missing.with(Field::LeaseId);
            }
            // Nor where acquisitions do not tell their tokens, or their order does not decide, and
            // says it.
            let lease = writer.or_else(|| leases.holder(own.token));
            if explained.is_none()
                && let Some(field) = self.is_later_lease(view, lease, claim, refusal.below)
            {
                claim.status = claim.status.min(Status::Suspected);
                claim.missing = claim.missing.with(field);
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
            let holder = || leases.holder(claim.first.handle.token);
            if leases.carries(refusal.lease.or_else(holder), refusal.below) {
                claim.variant = Variant::SameLeaseToken;
                claim.status = Status::Undecided;
                claim.grounds.compares_generations = false;
            }
            true
        });
        moved
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

    /// Whether the writer's lease was acquired after the one that carries `newer`, and nothing
    /// before its write shows it lost: by the order it is no older lease, though its token is the
    /// lower one. Where no finding says that tokens went back, the order does not decide, or an
    /// acquisition does not tell its token: which of the two is the field.
    fn is_later_lease(
        &self,
        view: usize,
        writer: Option<Symbol>,
        claim: &Claim,
        newer: Token,
    ) -> Option<Field> {
        let leases = self.knows_most(view).timeline.leases();
        let holder = leases.holder(Some(newer));
        let states = |lease| {
            self.all_spellings(lease)
                .filter_map(|id| leases.get(Some(id)))
        };
        let own = claim.first.handle.token;
        let token = |acquired: &Acquired| acquired.seen.handle.token;
        let acquired = |lease| states(lease).filter_map(|state| state.acquired.as_ref());
        let last = acquired(holder).max_by_key(|held| held.position);
        let later = last.and_then(|holder| {
            let later = |acquired: &&Acquired| {
                acquired.position > holder.position
                    && (token(acquired).is_none() || token(acquired) == own)
            };
            let later = acquired(writer).find(later)?;
            Some(token(later).is_some() && token(holder).is_some())
        });
        let told = match later {
            Some(told) => told,
            None if self.was_later_before(leases, (writer, own), holder) => true,
            None => return None,
        };
        let field = match self.strength(view, Basis::LeaseOrder) {
            _ if !told => Field::FenceToken,
            Strength::Deciding => return None,
            strength => origin_field(strength),
        };
        let lost = states(writer).filter_map(|state| state.lost.as_ref());
        let lives = lost
            .into_iter()
            .all(|lost| lost.standing() > claim.last.standing());
        lives.then_some(field)
    }

    /// The same of what lies before another input began, where only acquisitions with their
    /// tokens are known: whether one of the writer came behind one of the holder.
    #[cold]
    fn was_later_before(
        &self,
        leases: &Leases,
        (writer, own): (Option<Symbol>, Option<Token>),
        holder: Option<Symbol>,
    ) -> bool {
        if leases.restarts.is_empty() {
            return false;
        }
        let [writer, holder] = [writer, holder].map(|lease| {
            let all = self.all_spellings(lease);
            all.collect::<Vec<Symbol>>()
        });
        let mut restarts = leases.restarts.iter().copied();
        let mut next = restarts.next();
        let mut held = false;
        for (at, acquired) in leases.acquisitions.iter().enumerate() {
            while next.is_some_and(|restart| restart <= at) {
                (next, held) = (restarts.next(), false);
            }
            // Of the last input the last acquisitions are known.
            if next.is_none() {
                return false;
            }
            let handle = acquired.seen.handle;
            let is_of = |ids: &[Symbol]| handle.lease.is_some_and(|lease| ids.contains(&lease));
            if held && is_of(&writer) && handle.token == own {
                return true;
            }
            held |= is_of(&holder);
        }
        false
    }

    /// Whether a write that is late at another key is of a lease that the order or the authority
    /// itself shows to be no older one than that of the greater token.
    pub(super) fn may_be_of_a_newer_lease(&self, view: usize, claim: &Claim) -> bool {
        let Met::Record(met, _) = claim.met else {
            return false;
        };
        if claim.variant != Variant::LateWriteOtherKey {
            return false;
        }
        let leases = self.knows_most(view).timeline.leases();
        let writer = leases.lease_of(&claim.first.handle);
        let states = |lease| {
            self.all_spellings(lease)
                .filter_map(|id| leases.get(Some(id)))
        };
        let spellings = self.all_spellings(writer);
        let named = spellings.filter_map(|id| leases.last_named(id)).max();
        let given = states(leases.lease_of(&met.handle)).filter_map(|lease| lease.acquired);
        let given = given.map(|acquired| acquired.position).max();
        let later = |newer| self.is_later_lease(view, writer, claim, newer).is_some();
        named.is_some() && named > given || met.handle.token.is_some_and(later)
    }

    /// The same where acquisitions have no lease ids: the token of the late write was acquired
    /// after a greater one.
    pub(super) fn token_fell(&self, view: usize, claim: &Claim) -> bool {
        let leases = self.knows_most(view).timeline.leases();
        let fell = |token| leases.fell(token, &claim.last);
        claim.variant == Variant::LateWriteOtherKey && claim.first.handle.token.is_some_and(fell)
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
