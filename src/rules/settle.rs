//! When the input has ended: which claims stand, and how firmly.
//!
//! A claim made on the way may rest on what later records overturn. Its
//! [`Grounds`](super::claim::Grounds) name what must hold; here they are held against
//! everything that is known.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::claim::{Basis, Claim, Met, Subject};
use super::two_locks::Foreign;
use super::{LockJudge, at_end};
use crate::diagnosis::OrderBy;
use crate::evidence::{Field, Place, Token};
use crate::incident::{Assumption, CautionKind, Role, Status, Variant};
use crate::timeline::{Order, OrderFacts, Seen, Span, Strength, Symbol};

/// What stands of the claims of one lock.
#[derive(Debug, Default)]
pub struct Settled {
    /// One finding an incident, in the order of their first deciding records.
    pub findings: Vec<Finding>,
    /// Cautions, with how many records each concerns.
    pub cautions: Vec<(CautionKind, u64)>,
}

/// Claims of one variant and subject, put together.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The strongest claim; its status and its missing fields are final.
    pub claim: Claim,
    /// Where the first deciding record stood.
    pub first: Place,
    /// What is taken on trust.
    pub assumes: Vec<Assumption>,
    /// A refusal that follows from it.
    pub refusal: Option<Seen>,
}

/// Settles the claims of one lock. `ended` is whether the input has ended: some rows are
/// judged only then.
pub fn settle(
    judge: &LockJudge,
    facts: &OrderFacts,
    by: OrderBy,
    foreign: &Foreign,
    ended: bool,
) -> Settled {
    let court = Court {
        judge,
        facts,
        by,
        silent: if ended {
            silent_leases(judge)
        } else {
            Vec::new()
        },
    };
    let mut late_lines = 0;
    let mut standing: Vec<Claim> = Vec::new();
    let unsettled: Vec<Claim> = judge.open.unsettled().collect();
    for claim in judge.claims.iter().chain(&unsettled) {
        match court.rule(claim) {
            Ruling::Stands(claim) => standing.push(*claim),
            Ruling::LineCameLate => late_lines += claim.count,
            Ruling::Falls => {}
        }
    }
    if ended {
        let late = standing.iter().any(|claim| is_late_write(claim.variant));
        if facts.withheld(by).is_some() {
            standing.extend(at_end::order_unknown(judge));
        }
        standing.extend(at_end::keys_diverge(judge).filter(|_| !late));
        standing.extend(
            foreign
                .claims()
                .iter()
                .filter_map(|claim| match court.rule(claim) {
                    Ruling::Stands(claim) => Some(*claim),
                    _ => None,
                }),
        );
    }
    // Claims are kept in hash order; from here on their places decide.
    standing.sort_by_key(|claim| {
        (
            claim.first.standing(),
            claim.variant,
            claim.subject,
            claim.status,
        )
    });
    let refusals = court.explain_refusals(&mut standing, foreign);
    let cautions = [
        (CautionKind::LateLine, late_lines),
        (CautionKind::LateReleaseLine, judge.open.refuted),
    ];
    Settled {
        findings: court.fold(standing, refusals),
        cautions: cautions
            .into_iter()
            .filter(|(_, count)| *count > 0)
            .collect(),
    }
}

fn is_late_write(variant: Variant) -> bool {
    use Variant::{
        BothAccepted, Forked, KeyUnknown, LateWriteOtherKey, LeaseSuperseded, NotCompared,
    };
    matches!(
        variant,
        NotCompared | Forked | BothAccepted | LateWriteOtherKey | KeyUnknown | LeaseSuperseded
    )
}

enum Ruling {
    Stands(Box<Claim>),
    LineCameLate,
    Falls,
}

/// An incident to be: its variant and subject.
type Key = (Variant, Subject);

struct Court<'j> {
    judge: &'j LockJudge,
    facts: &'j OrderFacts,
    by: OrderBy,
    /// For every acquisition: the greatest token, in their order up to it, whose lease
    /// wrote nothing. Empty while the input goes on: then no lease is silent yet.
    silent: Vec<Option<Seen>>,
}

/// See [`Court::silent`].
fn silent_leases(judge: &LockJudge) -> Vec<Option<Seen>> {
    let leases = judge.timeline.leases();
    let mut greatest: Option<Seen> = None;
    let acquired = leases.acquisitions.iter().enumerate();
    acquired
        .map(|(index, acquired)| {
            if leases.restarts.binary_search(&index).is_ok() {
                greatest = None;
            }
            let seen = acquired.seen;
            let wrote = seen.handle.lease.is_some_and(|lease| leases.wrote(lease));
            let greater = greatest.is_none_or(|known| seen.handle.token > known.handle.token);
            if !wrote && greater {
                greatest = Some(seen);
            }
            greatest
        })
        .collect()
}

impl Court<'_> {
    fn strength(&self, basis: Basis) -> Strength {
        match basis {
            Basis::LeaseOrder => self.facts.strength_of_leases(self.by),
            Basis::Reading | Basis::WriteOrder => self.facts.strength_of_writes(self.by),
        }
    }

    /// Whether a claim stands, and with which status.
    fn rule(&self, claim: &Claim) -> Ruling {
        let grounds = &claim.grounds;
        let timeline = &self.judge.timeline;
        if grounds.ordered && matches!(self.facts.order(self.by), Order::Unknown(_)) {
            return Ruling::Falls;
        }
        let key = timeline.key(claim.key);
        if grounds
            .unless_forked
            .is_some_and(|before| key.is_some_and(|key| key.is_forked(before)))
        {
            return Ruling::Falls;
        }
        let strength = self.strength(grounds.basis);
        let mut claim = *claim;
        if let Some(span) = grounds.only_if_silent {
            match self.silent_owner(span, claim.first.handle.token) {
                Some(seen) => claim.met = Met::Record(seen, Role::CurrentLease),
                None => return Ruling::Falls,
            }
        }
        if strength != Strength::Deciding {
            if grounds.only_if_deciding {
                let renewal = claim.variant == Variant::RenewedOtherLease;
                return if renewal {
                    Ruling::Falls
                } else {
                    Ruling::LineCameLate
                };
            }
            if grounds.unless_readings_vouch && key.is_some_and(|key| key.readings_vouch()) {
                return Ruling::LineCameLate;
            }
            if !self.issue_is_shown_without_deciding_order(&claim) {
                return Ruling::Falls;
            }
            if grounds.basis != Basis::Reading {
                claim.status = claim.status.min(Status::Suspected);
                claim.missing = claim.missing.with(origin_field(strength));
                // A reading that another write lacks would settle it as well.
                let lacks =
                    grounds.unless_readings_vouch && key.is_some_and(|key| key.lacks_reading);
                claim.missing = claim
                    .missing
                    .with_if(lacks, Field::ResourceHighestTokenBefore);
            }
        }
        let by_records = claim.variant == Variant::WriteRefused && grounds.ordered;
        if by_records && strength != Strength::Deciding && self.may_be_a_second_write(&claim) {
            claim.status = claim.status.min(Status::Suspected);
            claim.missing = claim.missing.with(origin_field(strength));
        }
        if grounds.doubted {
            claim.status = claim.status.min(Status::Suspected);
        }
        if claim.status == Status::Suspected {
            claim.missing = claim.missing.and(claim.missing_if_suspected);
        }
        Ruling::Stands(Box::new(claim))
    }

    /// The acquisition of `span` with the greatest token above `token` whose lease wrote
    /// nothing.
    fn silent_owner(&self, span: Span, token: Option<Token>) -> Option<Seen> {
        let last = (span.from..span.to).next_back()?;
        let seen = self.silent.get(last).copied().flatten()?;
        (seen.handle.token > token).then_some(seen)
    }

    /// Whether a write of the same token was accepted at the key, may have been (it got no
    /// answer), or was read there. A strict comparison refuses the second write of a lease,
    /// and where its line came late it would look older than what was accepted after it.
    fn may_be_a_second_write(&self, claim: &Claim) -> bool {
        let key = claim.key.and_then(|_| self.judge.timeline.key(claim.key));
        let token = claim.first.handle.token;
        key.zip(token).is_some_and(|(key, token)| {
            key.generations.get(token).is_some() || key.foreign.get(token).is_some()
        })
    }

    /// Where the order does not decide, tokens that go back need a refusal that shows it:
    /// lines of acquisitions come late as well.
    fn issue_is_shown_without_deciding_order(&self, claim: &Claim) -> bool {
        let lease = self.judge.timeline.leases().get(claim.first.handle.lease);
        match claim.variant {
            Variant::WentBack => {
                lease.is_some_and(|lease| lease.refused_write.is_some() && lease.lost.is_none())
            }
            Variant::OutOfStep => lease.is_some_and(|lease| lease.refused_write.is_some()),
            _ => true,
        }
    }

    /// Takes the refusals that another finding explains out of `standing`; those that are
    /// occurrences of a token-order incident are returned with it.
    fn explain_refusals(&self, standing: &mut Vec<Claim>, foreign: &Foreign) -> Vec<(Key, Claim)> {
        let out_of_order = out_of_order_leases(standing);
        let mut moved = Vec::new();
        standing.retain_mut(|claim| {
            let Some(refusal) = claim.grounds.refusal else {
                return true;
            };
            let leases = self.judge.timeline.leases();
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
            if let Some(key) = writer.and_then(|lease| out_of_order.get(&lease)) {
                moved.push((*key, *claim));
                return false;
            }
            if foreign.explains(claim.key, refusal.before, claim.first.handle.token) {
                return false;
            }
            let own_newer =
                refusal.own_newer && self.strength(Basis::WriteOrder) == Strength::Deciding;
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

    /// Puts the claims of one variant and subject together.
    fn fold(&self, standing: Vec<Claim>, refusals: Vec<(Key, Claim)>) -> Vec<Finding> {
        let mut at: HashMap<Key, usize> = HashMap::new();
        let mut findings: Vec<Finding> = Vec::new();
        for claim in standing {
            let next = findings.len();
            let index = *at.entry((claim.variant, claim.subject)).or_insert(next);
            let assumes = self.assumes(&claim);
            match findings.get_mut(index) {
                Some(finding) => finding.take(&claim, assumes),
                None => findings.push(Finding {
                    claim,
                    first: claim.first.place,
                    assumes,
                    refusal: None,
                }),
            }
        }
        for (key, refusal) in refusals {
            if let Some(finding) = at.get(&key).and_then(|index| findings.get_mut(*index)) {
                finding.claim.count += refusal.count;
                finding.refusal.get_or_insert(refusal.first);
            }
        }
        findings
    }

    /// What a claim takes on trust: that tokens grow, where it compares them and no
    /// deciding order of acquisitions shows it, and what its row names.
    fn assumes(&self, claim: &Claim) -> Vec<Assumption> {
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
        // lock shows it.
        let own = claim
            .grounds
            .refusal
            .is_none_or(|refusal| refusal.own_newer);
        let ordered = claim.grounds.compares_generations && !(shown && own);
        let ordered = ordered.then_some(Assumption::OrderedTokens);
        ordered
            .into_iter()
            .chain(claim.assumes.iter().copied())
            .collect()
    }

    fn shown_to_grow(&self, late: u64, newer: u64) -> bool {
        let leases = self.judge.timeline.leases();
        let acquired = |token| {
            let holder = leases.holders.get(token)?.handle.lease;
            leases
                .get(holder)?
                .acquired
                .map(|acquired| acquired.position)
        };
        self.strength(Basis::LeaseOrder) == Strength::Deciding
            && matches!((acquired(late), acquired(newer)), (Some(a), Some(b)) if a < b)
    }
}

/// The field that would say more of the order.
fn origin_field(strength: Strength) -> Field {
    match strength {
        Strength::Lines => Field::Seq,
        Strength::Counted | Strength::Deciding => Field::SeqBy,
    }
}

/// The leases whose tokens do not follow the order in which they were given, each with
/// the finding that says so.
fn out_of_order_leases(standing: &[Claim]) -> HashMap<Symbol, Key> {
    let mut leases = HashMap::new();
    for claim in standing {
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

impl Finding {
    /// Takes in a claim of the same variant and subject: the strongest speaks, and of two
    /// as strong the one that takes less on trust.
    fn take(&mut self, other: &Claim, assumes: Vec<Assumption>) {
        let rank = |claim: &Claim, assumes: &[Assumption]| {
            (claim.status, claim.outcome, Reverse(assumes.len()))
        };
        let (mut speaks, silent) = if rank(other, &assumes) > rank(&self.claim, &self.assumes) {
            self.assumes = assumes;
            (*other, self.claim)
        } else {
            (self.claim, *other)
        };
        speaks.count += silent.count;
        if silent.last.standing() > speaks.last.standing() {
            speaks.last = silent.last;
        }
        self.claim = speaks;
    }
}
