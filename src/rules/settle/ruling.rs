//! Whether one claim stands when everything is known, and with which status: its grounds
//! held against the order, the readings of its key and the leases of its lock.

use super::{Court, View};
use crate::evidence::{Field, Origin, Token};
use crate::incident::{Outcome, Role, Status, Variant};
use crate::rules::LockJudge;
use crate::rules::claim::{Basis, Claim, Met};
use crate::rules::own_tokens::{Whose, whose};
use crate::timeline::{Order, Seen, Span, Step, Strength};

/// What is said of one claim.
pub(super) enum Ruling {
    Stands(Box<Claim>),
    LineCameLate,
    Falls,
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
            let wrote = all.may_have_written_as(&seen.handle);
            let greater = greatest.is_none_or(|known| seen.handle.token > known.handle.token);
            if !wrote && greater {
                greatest = Some(seen);
            }
            greatest
        })
        .collect()
}

impl Court<'_> {
    /// Whether a claim stands, and with which status.
    pub(super) fn rule(&self, view: usize, claim: &Claim) -> Ruling {
        let grounds = &claim.grounds;
        let View { judge, facts } = &self.views[view];
        if grounds.ordered && matches!(facts.order(self.by), Order::Unknown(_)) {
            return Ruling::Falls;
        }
        let key = judge.timeline.key(claim.key);
        let is_forked = |before| key.is_some_and(|key| key.is_forked(before));
        if grounds.unless_forked.is_some_and(is_forked) {
            return Ruling::Falls;
        }
        let mut claim = *claim;
        if let Some(span) = grounds.only_if_silent {
            match self.silent_owner(view, span, claim.first.handle.token) {
                Some(seen) => claim.met = Met::Record(seen, Role::CurrentLease),
                None => return Ruling::Falls,
            }
        }
        let strength = self.strength(view, grounds.basis);
        if strength != Strength::Deciding
            && let Err(ruling) = self.hold_against_weak_order(view, strength, &mut claim)
        {
            return ruling;
        }
        if !self.weigh_own_tokens(view, &mut claim) {
            return Ruling::Falls;
        }
        self.weigh_doubts(view, &mut claim);
        if claim.status == Status::Suspected {
            claim.missing = claim.missing.and(claim.missing_if_suspected);
        }
        Ruling::Stands(Box::new(claim))
    }

    /// What is left of a claim where the order does not decide; `Err` where it does not stand.
    fn hold_against_weak_order(
        &self,
        view: usize,
        strength: Strength,
        claim: &mut Claim,
    ) -> Result<(), Ruling> {
        let grounds = claim.grounds;
        if grounds.only_if_deciding {
            return Err(match grounds.basis {
                Basis::LeaseOrder => Ruling::Falls,
                _ => Ruling::LineCameLate,
            });
        }
        let key = self.views[view].judge.timeline.key(claim.key);
        let by_order_of_writes = grounds.unless_readings_vouch;
        if by_order_of_writes && key.is_some_and(|key| key.readings_vouch()) {
            return Err(Ruling::LineCameLate);
        }
        if !self.issue_is_shown_without_deciding_order(view, claim) {
            return Err(Ruling::Falls);
        }
        if grounds.basis != Basis::Reading {
            claim.doubt_for_want_of(origin_field(strength));
            // A reading that another write lacks would settle it as well.
            if by_order_of_writes && key.is_some_and(|key| key.lacks_reading) {
                claim.doubt_for_want_of(Field::ResourceHighestTokenBefore);
            }
        }
        let refused_by_records = claim.variant == Variant::WriteRefused && grounds.ordered;
        if refused_by_records && self.may_be_a_second_write(view, claim) {
            claim.doubt_for_want_of(origin_field(strength));
        }
        Ok(())
    }

    /// The innocent readings that the leases, keys and tokens of the lock leave a claim, whatever
    /// its order.
    fn weigh_doubts(&self, view: usize, claim: &mut Claim) {
        if claim.grounds.doubted
            || self.may_be_late_at_its_own_key(view, claim)
            || self.may_be_of_a_newer_lease(view, claim)
        {
            claim.doubt();
        }
        if self.token_fell(view, claim) {
            claim.doubt_for_want_of(Field::LeaseId);
        }
        if self.borrows_its_key(claim) {
            claim.doubt_for_want_of(Field::ResourceKey);
        }
        if self.is_unvouched(view, claim) {
            claim.doubt_for_want_of(Field::ActiveFenceToken);
        }
        if self.may_be_one_lease(view, claim) {
            claim.doubt();
            if matches!(claim.variant, Variant::AppliedAgain | Variant::Redelivered) {
                // One write that was logged twice, or one delivery that went on, did nothing.
                claim.outcome = Outcome::Unknown;
            }
        }
    }

    /// Whether a finding on the issue of tokens names a lease with a token that nobody but the
    /// one who asked says it has: an old message may bring an old token.
    pub(super) fn is_unvouched(&self, view: usize, claim: &Claim) -> bool {
        let leases = self.knows_most(view).timeline.leases();
        let unvouched = |seen: &Seen| {
            let pair = seen.handle.lease.zip(seen.handle.token);
            pair.is_some_and(|(lease, token)| !leases.is_vouched(lease, token))
        };
        match (claim.variant, &claim.met) {
            (Variant::Shared, Met::Record(earlier, _)) => {
                unvouched(&claim.first) || unvouched(earlier)
            }
            (Variant::OutOfStep, Met::Record(refused, _)) => unvouched(refused),
            _ => false,
        }
    }

    /// Whether a write that is late by another key may be late by its own: a write there, or at
    /// a key that is not recorded, got no answer, and its token may be a greater one.
    fn may_be_late_at_its_own_key(&self, view: usize, claim: &Claim) -> bool {
        let timeline = &self.knows_most(view).timeline;
        let keys = [claim.key, None].into_iter();
        claim.variant == Variant::LateWriteOtherKey
            && keys
                .filter_map(|key| timeline.key(key))
                .any(|key| key.unanswered > claim.first.handle.token)
    }

    /// Whether a claim compares what was read, or decided, at one key, and the key comes from
    /// another observer than that: which of several writes of one operation each of them saw
    /// is likely then, not certain.
    fn borrows_its_key(&self, claim: &Claim) -> bool {
        use Variant::{BothAccepted, Forked, HighestLost, LateWriteOtherKey, WriteRefused};
        let compares = match claim.variant {
            BothAccepted | Forked | HighestLost | LateWriteOtherKey => true,
            WriteRefused => claim.grounds.ordered,
            _ => false,
        };
        let Some(together) = self.together.filter(|_| compares && claim.key.is_some()) else {
            return false;
        };
        let met = match claim.met {
            Met::Record(seen, _) => Some(seen),
            _ => None,
        };
        [Some(claim.first), met].into_iter().flatten().any(|seen| {
            let event = together.joined.event(seen.place.arrival);
            event.is_some_and(|event| {
                let mut told = event.members.iter().map(|(_, step)| step);
                event.members.len() > 1 && !told.any(knows_where_it_decided)
            })
        })
    }

    /// The acquisition of `span` with the greatest token above `token` whose lease wrote
    /// nothing.
    fn silent_owner(&self, view: usize, span: Span, token: Option<Token>) -> Option<Seen> {
        let last = (span.from..span.to).next_back()?;
        if !self.ended {
            return None;
        }
        let silent = |view: &View<'_>| {
            let whole = self.together.map(|together| together.whole);
            silent_leases(view.judge, whole.unwrap_or(view.judge))
        };
        let silent = self
            .silent
            .get_or_init(|| self.views.iter().map(silent).collect());
        let seen = silent.get(view)?.get(last).copied().flatten()?;
        (seen.handle.token > token).then_some(seen)
    }

    /// What follows where the newer token that a claim met is, or may be, of the asking
    /// lease itself: nobody newer is shown then.
    fn weigh_own_tokens(&self, view: usize, claim: &mut Claim) -> bool {
        let decided = || self.strength(view, Basis::WriteOrder) == Strength::Deciding;
        match (whose(self.knows_most(view), claim), claim.variant) {
            (Whose::Foreign, _) => {}
            // Refusals are told as what they are: see `explain_refusals`.
            (Whose::Own | Whose::NotOnlyOwn { .. }, Variant::WriteRefused) => {}
            // The resource had accepted a token of another lease as well.
            (Whose::NotOnlyOwn { accepted: true }, _)
                if decided() && !self.is_spelled_twice(claim) => {}
            (Whose::NotOnlyOwn { .. }, _) => claim.doubt(),
            (Whose::MaybeOwn, _) | (Whose::Own, Variant::ReleaseRefused) => {
                claim.doubt_for_want_of(unnamed_lease(claim));
            }
            // A resource that compares would have refused it, yet no other lease is harmed.
            (Whose::Own, variant) => {
                let shown = variant == Variant::NotCompared
                    || variant == Variant::BothAccepted && decided();
                if !shown {
                    return false;
                }
                claim.doubt();
                claim.outcome = Outcome::Exposed;
                claim.grounds.compares_generations = false;
            }
        }
        true
    }

    /// Whether a write of the same token was accepted at the key, may have been (it got no
    /// answer, or its key is not recorded), or was read there, or its lease wrote without
    /// telling the token. A strict comparison refuses the second write of a lease, and where
    /// its line came late it would look older than what was accepted after it. What has let a
    /// token in twice compares in no such way.
    fn may_be_a_second_write(&self, view: usize, claim: &Claim) -> bool {
        let timeline = &self.knows_most(view).timeline;
        let Some(token) = claim.first.handle.token.filter(|_| claim.key.is_some()) else {
            return false;
        };
        let admits = |key| timeline.key(key).is_some_and(|key| key.admits_repeats);
        if admits(claim.key) {
            return false;
        }
        let leases = timeline.leases();
        let lease = leases.lease_of(&claim.first.handle);
        let keys = [claim.key, None].into_iter();
        keys.filter_map(|key| timeline.key(key)).any(|key| {
            key.generations.get(token).is_some()
                || key.foreign.get(token).is_some()
                || key.wrote_untold(self.all_spellings(lease))
        })
    }

    /// Where the order does not decide, tokens that go back need a refusal that shows it:
    /// lines of acquisitions come late as well.
    fn issue_is_shown_without_deciding_order(&self, view: usize, claim: &Claim) -> bool {
        let leases = self.knows_most(view).timeline.leases();
        let own = || {
            let all = self.all_spellings(claim.first.handle.lease);
            all.filter_map(|lease| leases.get(Some(lease)))
        };
        let refused = || own().any(|lease| lease.refused_write);
        match claim.variant {
            Variant::WentBack => refused() && own().all(|lease| lease.lost.is_none()),
            Variant::OutOfStep => refused(),
            _ => true,
        }
    }
}

/// The field that would tell the lease of a claim from the one it met: its own id, or where that
/// is on record the id of the one that the authority named otherwise.
fn unnamed_lease(claim: &Claim) -> Field {
    match claim.met {
        Met::Lease(active) if active.lease.is_none() && claim.first.handle.lease.is_some() => {
            Field::ActiveLeaseId
        }
        _ => Field::LeaseId,
    }
}

/// Whether a record of a write tells its key together with a reading, or a place in a deciding
/// order.
fn knows_where_it_decided(step: &Step) -> bool {
    let decided = step.seq.is_some() && step.seq_by.is_some_and(Origin::decides);
    step.key.is_some() && (step.before.or(step.after).is_some() || decided)
}

/// The field that would say more of the order.
pub(super) fn origin_field(strength: Strength) -> Field {
    match strength {
        Strength::Lines => Field::Seq,
        Strength::Counted | Strength::Deciding => Field::SeqBy,
    }
}
