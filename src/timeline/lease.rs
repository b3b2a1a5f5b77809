//! What is known of the leases of one lock.

mod carried;
mod following;
mod traces;

use std::collections::BTreeMap;

use super::small_map::{SmallMap, empty};
use super::step::{Handle, Seen, Step, VouchedBy};
use super::symbols::Symbol;
use crate::evidence::{Answer, Token};
pub use carried::Tokens;
use traces::Traces;

/// The state of one lease, by its id.
#[derive(Debug, Clone, Default)]
pub struct LeaseState {
    /// Every token that the records show under this lease; mostly one.
    pub tokens: Tokens,
    /// The last acquisition, with its position in the lock's order.
    pub acquired: Option<Acquired>,
    /// The record that shows it lost: a refusal, an absence, an expiry. Few leases are.
    pub lost: Option<Box<Seen>>,
    /// Whether a record shows its release or renewal refused, or nothing to remove: what
    /// the authority itself answered to this lease.
    pub told_lost: bool,
    /// Whether a write of any answer was made under it.
    pub wrote: bool,
    /// Whether a write under it was refused below the highest token.
    pub refused_write: bool,
}

/// An acquisition.
#[derive(Debug, Clone, Copy)]
pub struct Acquired {
    /// The record.
    pub seen: Seen,
    /// Its position in the lock's order.
    pub position: u64,
}

/// A range of [`Leases::acquisitions`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first.
    pub from: usize,
    /// The one after the last.
    pub to: usize,
}

/// The lease that is current by the order of records.
#[derive(Debug, Clone, Copy)]
pub struct Held {
    /// Its acquisition.
    pub acquired: Acquired,
    /// Whether an acquisition went unanswered since: another lease may be current.
    pub doubted: bool,
    /// Whether the authority has named another lease as current since, and not this one again.
    pub over: bool,
    /// The same of a lease of which nothing else is on record: another lease is current, or the
    /// authority writes the id of this one in its own way.
    pub contradicted: bool,
}

/// The leases of one lock, and which of them is current by order.
#[derive(Debug, Clone, Default)]
pub struct Leases {
    /// By lease id.
    pub by_id: SmallMap<Symbol, LeaseState>,
    /// The newest acquisition that nothing has ended.
    pub held: Option<Held>,
    /// The two greatest tokens acquired under different leases, or given to them by a
    /// renewal, greatest first.
    pub greatest: [Option<Acquired>; 2],
    /// The same of what named no lease id, under different owners.
    unnamed: [Option<Acquired>; 2],
    /// Acquisitions that showed a lease with a token, in order; of one lease and token the
    /// first.
    pub acquisitions: Vec<Acquired>,
    /// Where in `acquisitions` the order began anew; the last one reaches up to now.
    pub restarts: Vec<usize>,
    /// Which lease first carried a token; one that nobody vouches for gives way.
    pub holders: SmallMap<Token, Seen>,
    /// Leases with tokens that the authority itself did not show them with, and who did.
    unvouched: BTreeMap<(Symbol, Token), VouchedBy>,
    /// By token: the lease that only stood as the current one, when it came up, beside one that
    /// asked with it. It may be that one, written in another way.
    beside: BTreeMap<Token, Symbol>,
    traces: Option<Box<Traces>>,
    /// Refused releases and renewals: later ones have smaller tokens, so that for any
    /// token the last entry above it is the latest refusal of a greater token.
    pub refusals: Vec<(u64, Seen)>,
}

impl Leases {
    /// The lease that is current by order.
    pub fn current(&self) -> Option<&Held> {
        self.held.as_ref().filter(|held| !held.over)
    }

    /// The state of a lease.
    pub fn get(&self, lease: Option<Symbol>) -> Option<&LeaseState> {
        self.by_id.get(lease?)
    }

    #[inline]
    fn traces(&mut self) -> &mut Traces {
        self.traces.get_or_insert_default()
    }

    fn wrote_with(&self, token: Token) -> bool {
        let traces = self.traces.as_ref();
        traces.is_some_and(|traces| traces.wrote_with(token))
    }

    /// The last acquisition of a lease.
    pub fn acquired(&self, lease: Option<Symbol>) -> Option<&Acquired> {
        self.get(lease)?.acquired.as_ref()
    }

    /// The lease of a handle: by its id, else the one that carries its token.
    pub fn lease_of(&self, handle: &Handle) -> Option<Symbol> {
        handle.lease.or_else(|| self.holder(handle.token))
    }

    /// The lease that carries `token`: jobs often carry the token of a lease alone.
    pub fn holder(&self, token: Option<Token>) -> Option<Symbol> {
        self.holders.get(token?)?.handle.lease
    }

    /// Whether a write of any answer was made under this lease or with its token.
    pub fn wrote(&self, lease: Symbol) -> bool {
        self.by_id.get(lease).is_some_and(|state| {
            state.wrote || state.tokens.iter().any(|token| self.wrote_with(*token))
        })
    }

    /// Whether a write of any answer was made under the lease of this handle, as far as
    /// its id, or without one its token, tells; or may have been, as neither was recorded.
    pub fn may_have_written_as(&self, handle: &Handle) -> bool {
        let traces = self.traces.as_ref();
        traces.is_some_and(|traces| traces.may_have_written(handle.owner)) || self.wrote_as(handle)
    }

    fn wrote_as(&self, handle: &Handle) -> bool {
        match (self.lease_of(handle), handle.token) {
            (Some(lease), _) => self.wrote(lease),
            (None, Some(token)) => self.wrote_with(token),
            (None, None) => false,
        }
    }

    /// Whether `current` is newer than the lease that asks: by token where both are
    /// known, else where the asking lease was acquired before it.
    pub fn is_newer(&self, current: &Held, asking: &Handle) -> bool {
        match (current.acquired.seen.handle.token, asking.token) {
            (Some(current), Some(asking)) => current > asking,
            _ => {
                let lease = self.lease_of(asking);
                let acquired = self.acquired(lease);
                acquired.is_some_and(|acquired| acquired.position < current.acquired.position)
                    || self.acquired_as_owner(asking)
            }
        }
    }

    /// Whether a handle is an owner and nothing else, and that owner has acquired: where
    /// another one holds the current lease, it did so before.
    pub fn acquired_as_owner(&self, asking: &Handle) -> bool {
        let owner = asking.owner.filter(|_| !asking.names_lease());
        let traces = self.traces.as_ref().zip(owner);
        traces.is_some_and(|(traces, owner)| traces.has_acquired(owner))
    }

    /// Whether the lease of this handle may have been given since the newest acquisition: it was
    /// asked for, and no answer came.
    pub fn may_be_given(&self, asking: &Handle) -> bool {
        let traces = self.traces.as_ref();
        traces.is_some_and(|traces| traces.may_be_given(asking))
    }

    /// Where in the lock's order the authority last named a lease as current although another
    /// one was acquired after it.
    pub fn last_named(&self, lease: Symbol) -> Option<u64> {
        self.traces.as_ref()?.last_named(lease)
    }

    /// Whether somebody asked for a lease since the newest acquisition, and got no answer.
    pub fn may_be_given_to_somebody(&self) -> bool {
        let traces = self.traces.as_ref();
        traces.is_some_and(|traces| traces.has_unanswered())
    }

    /// Whether the asking lease has an acquisition on record before `position`.
    pub fn acquired_before(&self, asking: &Handle, position: u64) -> bool {
        self.acquired(asking.lease)
            .is_some_and(|acquired| acquired.position < position)
    }

    /// The acquisition with the greatest token under another lease than `lease`.
    #[inline]
    pub fn greatest_other(&self, lease: Symbol) -> Option<&Acquired> {
        self.greatest
            .iter()
            .flatten()
            .find(|acquired| acquired.seen.handle.lease != Some(lease))
    }

    /// The acquisition with the greatest token of which only the owner tells that it gave
    /// another lease than `handle`: one of the two is known by no id, and no record shows a
    /// token of one under the id of the other.
    #[inline]
    pub fn greatest_of_other_owner(&self, handle: &Handle) -> Option<&Acquired> {
        let owner = handle.owner?;
        let by_id = self.greatest.iter().filter(|_| handle.lease.is_none());
        let carries = |a: &Handle, b: &Handle| b.token.is_some_and(|b| self.carries(a.lease, b));
        let other = |acquired: &&Acquired| {
            let known = &acquired.seen.handle;
            known.owner.is_some_and(|known| known != owner)
                && !carries(known, handle)
                && !carries(handle, known)
        };
        let all = by_id.chain(&self.unnamed).flatten().filter(other);
        all.max_by_key(|acquired| acquired.seen.handle.token)
    }

    /// The acquisitions that are known to lie before the step that is judged now.
    pub fn acquisitions_so_far(&self) -> Span {
        Span {
            from: self.restarts.last().copied().unwrap_or(0),
            to: self.acquisitions.len(),
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let Leases {
            by_id,
            held,
            greatest,
            unnamed,
            acquisitions,
            restarts,
            holders,
            unvouched,
            beside,
            traces,
            refusals,
        } = self;
        by_id.clear();
        *held = None;
        *greatest = [None; 2];
        *unnamed = [None; 2];
        empty(acquisitions);
        empty(restarts);
        holders.clear();
        unvouched.clear();
        beside.clear();
        if let Some(traces) = traces {
            traces.clear();
        }
        empty(refusals);
    }

    /// Forgets what order has shown.
    pub fn forget_order(&mut self) {
        let here = self.acquisitions.len();
        if self.restarts.last() != Some(&here) {
            self.restarts.push(here);
        }
        self.held = None;
        self.greatest = [None; 2];
        self.unnamed = [None; 2];
        if let Some(traces) = &mut self.traces {
            traces.forget_order();
        }
        self.refusals.clear();
        self.by_id
            .values_mut()
            .for_each(|state| state.acquired = None);
    }

    /// Forgets all leases but the current one and those with the greatest tokens.
    pub fn forget(&mut self, rename: &mut dyn FnMut(Symbol) -> Symbol) {
        let known = std::mem::take(self);
        self.held = known.held;
        self.greatest = known.greatest;
        let held = self.held.as_mut().map(|held| &mut held.acquired);
        let kept = self.greatest.iter_mut().flatten().chain(held);
        let mut leases = Vec::new();
        for acquired in kept {
            let state = known.get(acquired.seen.handle.lease);
            acquired.seen.rename(rename);
            let seen = acquired.seen;
            if let (Some(lease), Some(state)) = (seen.handle.lease, state) {
                leases.push((lease, seen, state));
            }
        }
        leases.sort_by_key(|(lease, ..)| *lease);
        for (lease, seen, state) in leases {
            self.by_id.entry(lease, || {
                let mut state = state.clone();
                let acquired = state.acquired.as_mut().map(|acquired| &mut acquired.seen);
                let lost = state.lost.as_deref_mut();
                let all = acquired.into_iter().chain(lost);
                all.for_each(|seen| seen.rename(rename));
                state
            });
            if let Some(token) = seen.handle.token {
                self.holders.entry(token, || seen);
            }
        }
        self.by_id.shrink();
        self.holders.shrink();
    }

    /// Takes a write into account, after the rules have judged it.
    #[inline]
    pub fn apply_write(&mut self, step: &Step) {
        let Handle { lease, token, .. } = step.handle;
        let Some(lease) = lease.or_else(|| self.holder(token)) else {
            return self.traces().wrote(step.handle.owner, token);
        };
        let state = self.by_id.or_default(lease);
        state.wrote = true;
        let refused = step.answer == Answer::RejectedStaleFence;
        state.refused_write |= refused && step.before.is_some_and(|b| token.is_some_and(|t| t < b));
    }

    /// Takes a step that is no write into account, after the rules have judged it.
    #[inline]
    pub fn apply(&mut self, step: &Step, position: u64, ordered: bool) {
        let lost = step.is_refused_handle()
            || matches!(step.answer, Answer::ReleaseNoop | Answer::Expired);
        // Of any other step it is enough that its lease is known, as it is by its token.
        if lost || !step.shows_token() {
            self.note_named(step, lost);
        }
        if ordered {
            self.follow(step, position);
        }
    }

    /// Takes into account that a step names a lease, and whether it shows it lost.
    #[inline(never)]
    fn note_named(&mut self, step: &Step, lost: bool) {
        if let (true, Some(token), Some(traces)) = (lost, step.handle.token, &mut self.traces) {
            traces.lost(token, &step.seen());
        }
        let Some(lease) = step.handle.lease else {
            return;
        };
        let state = self.by_id.or_default(lease);
        if lost {
            state.lost.get_or_insert_with(|| Box::new(step.seen()));
            state.told_lost |= step.answer != Answer::Expired;
        }
    }
}
