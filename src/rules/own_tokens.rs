//! Whose the newer token is that a late request met: its own lease may have got it.
//!
//! A lease may be given a greater token when it is renewed. Its older token is then not
//! an older owner's, and nothing that it did was done by somebody else's leave.
//!
//! | the newer token | the request |
//! |---|---|
//! | is on record under the same lease id | harmed no other lease |
//! | was shown by a renewal, by no acquisition, and neither id nor owner tells the two apart | may be of the same lease |
//! | is of nobody known, and lies below one to which the same lease was raised | may be of the same lease |
//! | any other | is of an older lease |
//!
//! An owner that acquired again has a new lease, and its old token is old.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::LockJudge;
use super::claim::{Claim, Met};
use crate::evidence::{Answer, Token};
use crate::incident::Variant;
use crate::timeline::{
    Handle, KeyState, Leases, Likeness, Seen, SmallMap, Step, Symbol, Timeline, active_of_decision,
    empty,
};

/// Which tokens acquisitions show, and which ones renewals.
#[derive(Debug, Clone, Default)]
pub struct Renewals {
    acquired: Owners,
    renewed: SmallMap<Token, Handle>,
}

/// Which owners acquired with which tokens; of one token the first.
#[derive(Debug, Clone, Default)]
struct Owners {
    /// Tokens mostly grow: each of these is above the one before.
    ascending: Vec<(Token, Option<Symbol>)>,
    /// Those that came after a greater one.
    late: BTreeMap<Token, Option<Symbol>>,
}

impl Owners {
    #[inline]
    fn add(&mut self, token: Token, owner: Option<Symbol>) {
        if self.ascending.last().is_none_or(|(last, _)| *last < token) {
            self.ascending.push((token, owner));
        } else {
            self.add_late(token, owner);
        }
    }

    #[cold]
    fn add_late(&mut self, token: Token, owner: Option<Symbol>) {
        if self.get(token).is_none() {
            self.late.insert(token, owner);
        }
    }

    fn get(&self, token: Token) -> Option<&Option<Symbol>> {
        let (last, owner) = self.ascending.last()?;
        match token.cmp(last) {
            Ordering::Greater => None,
            Ordering::Equal => Some(owner),
            Ordering::Less => {
                let at = self
                    .ascending
                    .binary_search_by_key(&token, |(known, _)| *known);
                let ascending = at.ok().and_then(|at| self.ascending.get(at));
                ascending.map_or_else(|| self.late.get(&token), |(_, owner)| Some(owner))
            }
        }
    }

    /// Whether there is a token above `older` that is not above `newer`.
    fn any_within(&self, older: Token, newer: Token) -> bool {
        let next = self.ascending.partition_point(|(token, _)| *token <= older);
        let next = self.ascending.get(next).map(|(token, _)| *token);
        older < newer
            && (next.is_some_and(|token| token <= newer)
                || self.late.range(older + 1..=newer).next().is_some())
    }
}

/// Whose a newer token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whose {
    /// Of the asking lease, like every newer token that it may have met.
    Own,
    /// The one that it met is its own, another one is not: it was accepted, or only read.
    NotOnlyOwn {
        /// Whether a write with the other one was accepted before.
        accepted: bool,
    },
    /// Of the asking lease or of another one.
    MaybeOwn,
    /// Of another lease, as far as is known.
    Foreign,
}

impl Renewals {
    /// What is known where all but these leases are forgotten.
    pub fn after(leases: &Leases) -> Renewals {
        let mut known = Renewals::default();
        let current = leases.held.map(|held| held.acquired);
        for acquired in [current]
            .iter()
            .chain(leases.greatest.iter().rev())
            .flatten()
        {
            let handle = acquired.seen.handle;
            if let Some(token) = handle.token {
                known.acquired.add(token, handle.owner);
            }
        }
        known
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let Renewals { acquired, renewed } = self;
        empty(&mut acquired.ascending);
        acquired.late.clear();
        renewed.clear();
    }

    /// Takes a step into account.
    #[inline]
    pub fn apply(&mut self, step: &Step) {
        match step.answer {
            Answer::Acquired => {
                if let Some(token) = step.handle.token {
                    self.acquired.add(token, step.handle.owner);
                }
            }
            Answer::Renewed => {
                self.renew(&step.handle);
                if let Some(active) = active_of_decision(step) {
                    self.renew(active);
                }
            }
            _ => {}
        }
    }

    fn renew(&mut self, handle: &Handle) {
        if let Some(token) = handle.token
            && self.acquired.get(token).is_none()
        {
            self.renewed.entry(token, || *handle);
        }
    }

    /// Whether another owner wrote with `token` under the very id of `asking`, and the authority
    /// is not on record with having given it to the owner of `asking`.
    fn gave_to_another(&self, asking: &Handle, other: &Handle, token: Token) -> bool {
        let renewed = || self.renewed.get(token).and_then(|handle| handle.owner);
        let given = self.acquired.get(token).copied().flatten().or_else(renewed);
        asking.has_another_owner(other)
            && given != asking.owner
            && asking.lease.is_some()
            && asking.lease == other.lease
    }

    /// Whether a renewal may have raised the token of the lease of `asking` to that of
    /// `carrier`: a renewal shows the newer token, or the log tells of the older one's
    /// acquisition and of none since, and the same owner has both.
    fn may_be_own(&self, timeline: &Timeline, asking: &Handle, carrier: &Handle) -> bool {
        self.may_be_raised(timeline, asking, carrier) == Some(true)
    }

    /// The same; nothing where no owner tells.
    fn may_be_raised(
        &self,
        timeline: &Timeline,
        asking: &Handle,
        carrier: &Handle,
    ) -> Option<bool> {
        let (Some(older), Some(newer)) = (asking.token, carrier.token) else {
            return Some(false);
        };
        if lies_within(timeline, asking, newer) || self.raised_past(timeline, asking, carrier) {
            return Some(true);
        }
        if older >= newer || self.acquired.any_within(older, newer) {
            return Some(false);
        }
        let renewed = self.renewed.get(newer);
        let told = self.acquired.get(older).is_some() || self.renewed.get(older).is_some();
        if renewed.is_none() && !told {
            return Some(false);
        }
        let carrier = renewed.unwrap_or(carrier);
        let leases = timeline.leases();
        let lease = leases.lease_of(asking);
        let carriers = carrier.lease.or_else(|| leases.holder(Some(newer)));
        if let (Some(a), Some(b)) = (lease, carriers) {
            return Some(a == b);
        }
        let owner = asking
            .owner
            .or_else(|| self.acquired.get(older).copied().flatten());
        match (owner, carrier.owner) {
            (Some(a), Some(b)) => Some(a == b),
            _ => renewed.map(|_| true),
        }
    }

    /// Whether the token of `carrier`, whose lease nothing tells, lies below one to which the
    /// lease of `asking` was raised from its older one: no acquisition gave any token between.
    fn raised_past(&self, timeline: &Timeline, asking: &Handle, carrier: &Handle) -> bool {
        let (Some(older), Some(newer)) = (asking.token, carrier.token) else {
            return false;
        };
        let leases = timeline.leases();
        let Some(own) = leases.get(leases.lease_of(asking)) else {
            return false;
        };
        let unknown = carrier.lease.is_none() && leases.holder(carrier.token).is_none();
        let above = own.tokens.iter().filter(|token| **token > newer).min();
        unknown
            && !asking.has_another_owner(carrier)
            && above.is_some_and(|above| !self.acquired.any_within(older, *above))
    }

    /// Whether two handles that only their tokens tell apart may be of one lease.
    pub fn may_be_one(&self, timeline: &Timeline, a: &Handle, b: &Handle) -> bool {
        let (Some(x), Some(y)) = (a.token, b.token) else {
            return false;
        };
        let (older, newer) = if x < y { (a, b) } else { (b, a) };
        told_by_token_alone(a, b)
            // What the authority names as current needs no owner to be the same lease.
            && (self.may_be_raised(timeline, older, newer) != Some(false)
                || self.nobody_tells(timeline, older, newer))
    }

    /// Whether one owner has both tokens, and nothing on record says how it came by them.
    fn nobody_tells(&self, timeline: &Timeline, older: &Handle, newer: &Handle) -> bool {
        let one_owner = matches!((older.owner, newer.owner), (Some(a), Some(b)) if a == b);
        let (Some(x), Some(y)) = (older.token, newer.token) else {
            return false;
        };
        let leases = timeline.leases();
        let lease = |handle: &Handle| leases.lease_of(handle);
        let two_leases = matches!((lease(older), lease(newer)), (Some(a), Some(b)) if a != b);
        let told = |token| self.acquired.get(token).is_some() || self.renewed.get(token).is_some();
        one_owner && !two_leases && !told(x) && !told(y) && !self.acquired.any_within(x, y)
    }
}

/// Whether only the tokens tell two handles apart.
fn told_by_token_alone(a: &Handle, b: &Handle) -> bool {
    let told_by_id = a.lease.is_some() && b.lease.is_some();
    let owners = a.has_another_owner(b);
    a.compare(b) == Likeness::Different && !told_by_id && !owners
}

/// Whether two handles that only their tokens tell apart are of one lease: other records
/// show the token of one under the lease of the other.
fn is_one(timeline: &Timeline, a: &Handle, b: &Handle) -> bool {
    let told_by_id = a.lease.is_some() && b.lease.is_some();
    let shown = |a: &Handle, b: &Handle| b.token.is_some_and(|token| is_own(timeline, a, token));
    let owners = a.has_another_owner(b);
    !told_by_id && !owners && a.token.is_some() && (shown(a, b) || shown(b, a))
}

/// Whether the token of `asking`, whose lease nothing tells, lies between two tokens that
/// one lease had, `newer` among them.
fn lies_within(timeline: &Timeline, asking: &Handle, newer: Token) -> bool {
    let leases = timeline.leases();
    let Some(holder) = leases.holders.get(newer).map(|seen| seen.handle) else {
        return false;
    };
    let owners = asking.has_another_owner(&holder);
    let unknown = asking.lease.is_none() && leases.holder(asking.token).is_none();
    let earlier = leases.get(holder.lease).is_some_and(|lease| {
        let mut tokens = lease.tokens.iter();
        tokens.any(|token| Some(*token) < asking.token)
    });
    unknown && !owners && earlier
}

/// Whether `token` is on record under the lease of `asking`, as far as is known by now.
pub fn is_own(timeline: &Timeline, asking: &Handle, token: Token) -> bool {
    let leases = timeline.leases();
    let lease = leases.lease_of(asking);
    leases.carries(lease, token)
}

/// Whose the newer token is that a claim names, by all that `judge` knows at the end.
pub fn whose(judge: &LockJudge, claim: &Claim) -> Whose {
    let asking = claim.first.handle;
    let Some(met) = met(judge, claim) else {
        return Whose::Foreign;
    };
    let timeline = &judge.timeline;
    match claim.variant {
        Variant::RemovedOtherLease | Variant::RenewedOtherLease | Variant::ReleaseRefused => {
            // A renewal that shows a greater token than it found has raised it.
            let raises = claim.variant == Variant::RenewedOtherLease
                && asking.token > met.token
                && met.token.is_some()
                && told_by_token_alone(&asking, &met);
            return if raises || is_one(timeline, &asking, &met) {
                Whose::Own
            } else if judge.renewals.may_be_one(timeline, &asking, &met) {
                Whose::MaybeOwn
            } else {
                Whose::Foreign
            };
        }
        Variant::NotCompared
        | Variant::BothAccepted
        | Variant::LateWriteOtherKey
        | Variant::KeyUnknown
        | Variant::WriteRefused => {}
        _ => return Whose::Foreign,
    }
    let (Some(older), Some(newer)) = (asking.token, met.token) else {
        return Whose::Foreign;
    };
    if older >= newer {
        return Whose::Foreign;
    }
    // An id under which two owners wrote names more than one lease, and the resource did not
    // compare their tokens; at two keys nothing shows that it had to.
    let compares = matches!(claim.variant, Variant::NotCompared | Variant::BothAccepted);
    let another =
        |other: &Handle, token| compares && judge.renewals.gave_to_another(&asking, other, token);
    if another(&met, newer) {
        return Whose::Foreign;
    }
    let own = |token| is_own(timeline, &asking, token);
    if !own(newer) {
        return if judge.renewals.may_be_own(timeline, &asking, &met) {
            Whose::MaybeOwn
        } else {
            Whose::Foreign
        };
    }
    let foreign = |(token, seen): &(Token, Seen)| {
        *token > older
            && (!own(*token) || another(&seen.handle, *token))
            && seen.standing() < claim.last.standing()
    };
    let states = || {
        let keys = timeline.keys().filter(|(key, _)| may_meet(claim, *key));
        keys.map(|(_, state)| state)
    };
    if states().flat_map(accepted).any(|one| foreign(&one)) {
        Whose::NotOnlyOwn { accepted: true }
    } else if states().flat_map(only_read).any(|one| foreign(&one)) {
        Whose::NotOnlyOwn { accepted: false }
    } else {
        Whose::Own
    }
}

/// The one that a claim met, by all that is known of him.
fn met(judge: &LockJudge, claim: &Claim) -> Option<Handle> {
    match claim.met {
        Met::Nobody => None,
        Met::Token(token) => Some(carrier(judge, claim, token)),
        Met::Record(seen, _) => Some(seen.handle),
        Met::Lease(handle) => Some(handle),
    }
}

/// The lease that asks and the one of the newer token that it met, where both are known.
pub fn old_and_new(judge: &LockJudge, claim: &Claim) -> Option<[Symbol; 2]> {
    let leases = judge.timeline.leases();
    let lease = |handle: Handle| leases.lease_of(&handle);
    let met = met(judge, claim)?;
    Some([lease(claim.first.handle)?, lease(met)?])
}

/// Who wrote with a token, as far as the key of a claim tells.
fn carrier(judge: &LockJudge, claim: &Claim, token: Token) -> Handle {
    let at_key = judge.timeline.key(claim.key);
    let first = at_key.and_then(|state| Some(state.generations.get(token)?.first));
    first.map_or(
        Handle {
            token: Some(token),
            ..Handle::default()
        },
        |seen| seen.handle,
    )
}

/// Whether what was accepted at `key` matters for a claim.
fn may_meet(claim: &Claim, key: Option<Symbol>) -> bool {
    match claim.variant {
        Variant::LateWriteOtherKey => key.is_some() && key != claim.key,
        Variant::KeyUnknown => key.is_none() || claim.key.is_none(),
        _ => key == claim.key,
    }
}

/// The tokens accepted at a key, each with its first write.
fn accepted(state: &KeyState) -> impl Iterator<Item = (Token, Seen)> {
    let generations = state.generations.iter();
    generations.map(|(token, generation)| (token, generation.first))
}

/// The tokens read at a key that were not accepted there by then, each with its first reader.
fn only_read(state: &KeyState) -> impl Iterator<Item = (Token, Seen)> {
    let foreign = state
        .foreign
        .iter()
        .filter(|(_, foreign)| foreign.count > 0);
    foreign.map(|(token, foreign)| (token, foreign.first))
}
