//! When the input has ended: which claims stand, and how firmly.
//!
//! A claim made on the way may rest on what later records overturn. Its
//! [`Grounds`](super::claim::Grounds) name what must hold; here they are held against
//! everything that is known.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::claim::{Basis, Claim, Met, Subject};
use super::own_tokens::{Whose, whose};
use super::two_locks::Foreign;
use super::{LockJudge, at_end};
use crate::diagnosis::OrderBy;
use crate::evidence::{Field, Place, Token};
use crate::incident::{Assumption, CautionKind, Outcome, Role, Status, Variant};
use crate::observers::join::{Joined, Relation};
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
    /// The judge that claims it: the index of a view, or their number for what was seen
    /// only by all of them together.
    pub view: usize,
    /// The arrivals of the records that decide it; the first ones of each claim, where
    /// not all were remembered.
    pub decided: Vec<u64>,
}

/// The records of one lock in an order of their own, judged.
#[derive(Debug, Clone, Copy)]
pub struct View<'j> {
    /// The judge.
    pub judge: &'j LockJudge,
    /// What the records say of their order.
    pub facts: &'j OrderFacts,
}

/// What several observers of one lock know together.
#[derive(Debug, Clone, Copy)]
pub struct Together<'j> {
    /// Every event once, judged without any order.
    pub whole: &'j LockJudge,
    /// Which records are of which event.
    pub joined: &'j Joined,
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
    Court::new(&[View { judge, facts }], None, by, ended).settle(foreign, ended)
}

/// Settles what several observers of one lock claim, each in its own order, when the
/// input has ended. Without `together` their records were not joined.
pub fn settle_views(
    views: &[View<'_>],
    together: Option<Together<'_>>,
    by: OrderBy,
    foreign: &Foreign,
) -> Settled {
    Court::new(views, together, by, true).settle(foreign, true)
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

/// A claim that stands.
struct Standing {
    claim: Claim,
    /// Whose it is, as [`Finding::view`].
    view: usize,
    /// The records that decide it.
    decided: Vec<u64>,
}

struct Court<'j> {
    views: &'j [View<'j>],
    together: Option<Together<'j>>,
    by: OrderBy,
    /// By view, for every acquisition: the greatest token, in their order up to it, whose
    /// lease wrote nothing that any view knows of. Empty while the input goes on: then no
    /// lease is silent yet.
    silent: Vec<Vec<Option<Seen>>>,
}

/// See [`Court::silent`].
fn silent_leases(judge: &LockJudge, knows_most: &LockJudge) -> Vec<Option<Seen>> {
    let leases = judge.timeline.leases();
    let mut greatest: Option<Seen> = None;
    let acquired = leases.acquisitions.iter().enumerate();
    acquired
        .map(|(index, acquired)| {
            if leases.restarts.binary_search(&index).is_ok() {
                greatest = None;
            }
            let seen = acquired.seen;
            let all = knows_most.timeline.leases();
            let wrote = all.wrote_as(&seen.handle);
            let greater = greatest.is_none_or(|known| seen.handle.token > known.handle.token);
            if !wrote && greater {
                greatest = Some(seen);
            }
            greatest
        })
        .collect()
}

impl<'j> Court<'j> {
    fn new(
        views: &'j [View<'j>],
        together: Option<Together<'j>>,
        by: OrderBy,
        ended: bool,
    ) -> Court<'j> {
        let silent = |view: &View<'j>| {
            let whole = together.map(|together| together.whole);
            silent_leases(view.judge, whole.unwrap_or(view.judge))
        };
        Court {
            views,
            together,
            by,
            silent: views.iter().filter(|_| ended).map(silent).collect(),
        }
    }

    fn settle(&self, foreign: &Foreign, ended: bool) -> Settled {
        let (mut late_lines, mut refuted) = (0, 0);
        let mut standing: Vec<Standing> = Vec::new();
        for (at, View { judge, .. }) in self.views.iter().enumerate() {
            let unsettled: Vec<Claim> = judge.open.unsettled().collect();
            let mut came_late = 0;
            for claim in judge.claims.iter().chain(&unsettled) {
                match self.rule(at, claim) {
                    Ruling::Stands(stands) => standing.push(Standing {
                        claim: *stands,
                        view: at,
                        decided: judge.claims.deciding(claim),
                    }),
                    Ruling::LineCameLate => came_late += claim.count,
                    Ruling::Falls => {}
                }
            }
            // What two observers saw is one event.
            late_lines = late_lines.max(came_late);
            refuted = refuted.max(judge.open.refuted);
        }
        if ended {
            self.settle_end(&mut standing, foreign);
        }
        // Claims are kept in hash order; from here on their places decide.
        standing.sort_by_key(|one| {
            let claim = &one.claim;
            (
                claim.first.standing(),
                claim.variant,
                claim.subject,
                claim.status,
                one.view,
            )
        });
        let refusals = self.explain_refusals(&mut standing, foreign);
        self.hold_against_token_order(&mut standing);
        let cautions = [
            (CautionKind::LateLine, late_lines),
            (CautionKind::LateReleaseLine, refuted),
        ];
        Settled {
            findings: self.fold(standing, refusals),
            cautions: cautions
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .collect(),
        }
    }

    /// The rows that are judged at the end of the input.
    fn settle_end(&self, standing: &mut Vec<Standing>, foreign: &Foreign) {
        let all = self.views.len();
        let alone = |view, claim: Claim| Standing {
            claim,
            view,
            decided: vec![claim.first.place.arrival],
        };
        if let Some(together) = &self.together {
            let claims = together.whole.claims.iter();
            standing.extend(claims.filter_map(|claim| {
                Some(Standing {
                    claim: without_order(claim, together.joined)?,
                    view: all,
                    decided: together.whole.claims.deciding(claim),
                })
            }));
        }
        let late = standing.iter().any(|one| is_late_write(one.claim.variant));
        match &self.together {
            Some(together) => {
                let unknown = at_end::order_unknown(together.whole);
                let unknown = unknown.into_iter().filter(|claim| !self.ordered(claim));
                standing.extend(unknown.map(|claim| alone(all, claim)));
                let diverge = at_end::keys_diverge(together.whole);
                standing.extend(diverge.filter(|_| !late).map(|claim| alone(all, claim)));
            }
            None => {
                for (at, View { judge, facts }) in self.views.iter().enumerate() {
                    if facts.withheld(self.by).is_some() {
                        let unknown = at_end::order_unknown(judge);
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

    /// Whether the two writes that a claim names stand in the order of one observer.
    fn ordered(&self, claim: &Claim) -> bool {
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

    /// Who knows most of the records of a view.
    fn knows_most(&self, view: usize) -> &'j LockJudge {
        match self.together {
            Some(together) => together.whole,
            None => self.views[view.min(self.views.len() - 1)].judge,
        }
    }

    fn strength(&self, view: usize, basis: Basis) -> Strength {
        let Some(View { facts, .. }) = self.views.get(view) else {
            return Strength::Lines;
        };
        match basis {
            Basis::LeaseOrder => facts.strength_of_leases(self.by),
            Basis::Reading | Basis::WriteOrder => facts.strength_of_writes(self.by),
        }
    }

    /// Whether a claim stands, and with which status.
    fn rule(&self, view: usize, claim: &Claim) -> Ruling {
        let grounds = &claim.grounds;
        let View { judge, facts } = &self.views[view];
        let timeline = &judge.timeline;
        if grounds.ordered && matches!(facts.order(self.by), Order::Unknown(_)) {
            return Ruling::Falls;
        }
        let key = timeline.key(claim.key);
        if grounds
            .unless_forked
            .is_some_and(|before| key.is_some_and(|key| key.is_forked(before)))
        {
            return Ruling::Falls;
        }
        let strength = self.strength(view, grounds.basis);
        let mut claim = *claim;
        if let Some(span) = grounds.only_if_silent {
            match self.silent_owner(view, span, claim.first.handle.token) {
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
            if !self.issue_is_shown_without_deciding_order(view, &claim) {
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
        if by_records && strength != Strength::Deciding && self.may_be_a_second_write(view, &claim)
        {
            claim.status = claim.status.min(Status::Suspected);
            claim.missing = claim.missing.with(origin_field(strength));
        }
        if !self.weigh_own_tokens(view, &mut claim) {
            return Ruling::Falls;
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
    fn silent_owner(&self, view: usize, span: Span, token: Option<Token>) -> Option<Seen> {
        let last = (span.from..span.to).next_back()?;
        let seen = self.silent.get(view)?.get(last).copied().flatten()?;
        (seen.handle.token > token).then_some(seen)
    }

    /// What follows where the newer token that a claim met is, or may be, of the asking
    /// lease itself: nobody newer is shown then.
    fn weigh_own_tokens(&self, view: usize, claim: &mut Claim) -> bool {
        let decided = || self.strength(view, Basis::WriteOrder) == Strength::Deciding;
        let suspect = |claim: &mut Claim| claim.status = claim.status.min(Status::Suspected);
        match (whose(self.knows_most(view), claim), claim.variant) {
            (Whose::Foreign, _) => {}
            // Refusals are told as what they are: see `explain_refusals`.
            (Whose::Own | Whose::NotOnlyOwn, Variant::WriteRefused) => {}
            (Whose::NotOnlyOwn, _) => suspect(claim),
            (Whose::MaybeOwn, _) | (Whose::Own, Variant::ReleaseRefused) => {
                suspect(claim);
                claim.missing = claim.missing.with(Field::LeaseId);
            }
            // A resource that compares would have refused it, yet no other lease is harmed.
            (Whose::Own, variant) => {
                let shown = variant == Variant::NotCompared
                    || variant == Variant::BothAccepted && decided();
                if !shown {
                    return false;
                }
                suspect(claim);
                claim.outcome = Outcome::Exposed;
                claim.grounds.compares_generations = false;
            }
        }
        true
    }

    /// Whether a write of the same token was accepted at the key, may have been (it got no
    /// answer), or was read there. A strict comparison refuses the second write of a lease,
    /// and where its line came late it would look older than what was accepted after it.
    fn may_be_a_second_write(&self, view: usize, claim: &Claim) -> bool {
        let timeline = &self.knows_most(view).timeline;
        let key = claim.key.and_then(|_| timeline.key(claim.key));
        let token = claim.first.handle.token;
        key.zip(token).is_some_and(|(key, token)| {
            key.generations.get(token).is_some() || key.foreign.get(token).is_some()
        })
    }

    /// Where the order does not decide, tokens that go back need a refusal that shows it:
    /// lines of acquisitions come late as well.
    fn issue_is_shown_without_deciding_order(&self, view: usize, claim: &Claim) -> bool {
        let leases = self.knows_most(view).timeline.leases();
        let lease = leases.get(claim.first.handle.lease);
        match claim.variant {
            Variant::WentBack => {
                lease.is_some_and(|lease| lease.refused_write && lease.lost.is_none())
            }
            Variant::OutOfStep => lease.is_some_and(|lease| lease.refused_write),
            _ => true,
        }
    }

    /// Takes the refusals that another finding explains out of `standing`; those that are
    /// occurrences of a token-order incident are returned with it.
    fn explain_refusals(
        &self,
        standing: &mut Vec<Standing>,
        foreign: &Foreign,
    ) -> Vec<(Key, Standing)> {
        let out_of_order = out_of_order_leases(standing);
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
            if let Some(key) = writer.and_then(|lease| out_of_order.get(&lease)) {
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
    fn hold_against_token_order(&self, standing: &mut [Standing]) {
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

    /// Puts the claims of one variant and subject together.
    fn fold(&self, standing: Vec<Standing>, refusals: Vec<(Key, Standing)>) -> Vec<Finding> {
        let mut at: HashMap<Key, usize> = HashMap::new();
        let mut findings: Vec<Finding> = Vec::new();
        for one in standing {
            let claim = one.claim;
            let next = findings.len();
            let index = *at.entry((claim.variant, claim.subject)).or_insert(next);
            let finding = Finding {
                claim,
                first: claim.first.place,
                assumes: self.assumes(one.view, &claim),
                refusal: None,
                view: one.view,
                decided: one.decided,
            };
            match findings.get_mut(index) {
                Some(known) => known.take(finding),
                None => findings.push(finding),
            }
        }
        for (key, refusal) in refusals {
            if let Some(finding) = at.get(&key).and_then(|index| findings.get_mut(*index)) {
                finding.claim.count += refusal.claim.count;
                finding.refusal.get_or_insert(refusal.claim.first);
                finding.decided.extend(refusal.decided);
            }
        }
        if let Some(Together { joined, .. }) = &self.together {
            for finding in &mut findings {
                finding.count_once(joined);
            }
        }
        findings
    }

    /// What a claim takes on trust: that tokens grow, where it compares them and no
    /// deciding order of acquisitions shows it, and what its row names.
    fn assumes(&self, view: usize, claim: &Claim) -> Vec<Assumption> {
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
            let acquired = |token| {
                let holder = leases.holders.get(token)?.handle.lease;
                leases
                    .get(holder)?
                    .acquired
                    .map(|acquired| acquired.position)
            };
            self.strength(at, Basis::LeaseOrder) == Strength::Deciding
                && matches!((acquired(late), acquired(newer)), (Some(a), Some(b)) if a < b)
        })
    }
}

/// What a claim of all observers together is worth, where it compares records that no one
/// observer made: two of them may be of one event, may name one thing by two names, and
/// have no order.
fn without_order(claim: &Claim, joined: &Joined) -> Option<Claim> {
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

/// The field that would say more of the order.
fn origin_field(strength: Strength) -> Field {
    match strength {
        Strength::Lines => Field::Seq,
        Strength::Counted | Strength::Deciding => Field::SeqBy,
    }
}

/// The leases whose tokens do not follow the order in which they were given, each with
/// the finding that says so.
fn out_of_order_leases(standing: &[Standing]) -> HashMap<Symbol, Key> {
    let mut leases = HashMap::new();
    for Standing { claim, .. } in standing {
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
    pub fn take(&mut self, other: Finding) {
        let rank = |one: &Finding| {
            let claim = &one.claim;
            (claim.status, claim.outcome, Reverse(one.assumes.len()))
        };
        let (mut speaks, silent) = if rank(&other) > rank(self) {
            self.assumes = other.assumes;
            self.view = other.view;
            (other.claim, self.claim)
        } else {
            (self.claim, other.claim)
        };
        speaks.count += silent.count;
        if silent.last.standing() > speaks.last.standing() {
            speaks.last = silent.last;
        }
        self.claim = speaks;
        self.decided.extend(other.decided);
    }

    /// Counts what several observers saw of one event once.
    fn count_once(&mut self, joined: &Joined) {
        for arrival in &mut self.decided {
            *arrival = joined.count_as(*arrival);
        }
        self.decided.sort_unstable();
        self.decided.dedup();
        // A shared key is judged once, for all observers.
        if self.claim.variant != Variant::TwoLocksOneKey {
            self.claim.count = self.decided.len() as u64;
        }
    }
}
