//! Who holds the lock, followed by the order of records.

use super::{Acquired, Held, Leases};
use crate::evidence::{Answer, Event, Token};
use crate::timeline::step::{ActiveLease, Handle, Likeness, Seen, Step};
use crate::timeline::symbols::Symbol;

impl Leases {
    /// Who holds the lock now, by the order of records.
    #[inline]
    pub(super) fn follow(&mut self, step: &Step, position: u64) {
        match step.answer {
            Answer::Acquired => self.acquire(step, position),
            Answer::InDoubt if step.event == Event::Acquire => {
                if let Some(held) = &mut self.held {
                    held.doubted = true;
                }
                self.traces().asked(&step.handle);
            }
            _ if self.ends_current(step) => self.held = None,
            _ => self.read_active(step, position),
        }
        if let (Answer::Renewed, Some(token)) = (step.answer, step.handle.token) {
            let seen = step.seen();
            let acquired = Acquired { seen, position };
            match step.handle.lease {
                Some(lease) => self.note_greatest(lease, token, acquired),
                None => self.note_unnamed(token, acquired),
            }
        }
        if step.is_refused_handle() && step.handle.token.is_some() {
            while self
                .refusals
                .last()
                .is_some_and(|(_, last)| last.handle.token <= step.handle.token)
            {
                self.refusals.pop();
            }
            self.refusals.push((position, step.seen()));
        }
    }

    #[inline]
    fn acquire(&mut self, step: &Step, position: u64) {
        let acquired = Acquired {
            seen: step.seen(),
            position,
        };
        self.held = Some(Held {
            acquired,
            doubted: false,
            over: false,
            contradicted: false,
        });
        self.traces().acquired(step.handle.owner);
        let Some(lease) = step.handle.lease else {
            return self.acquire_unnamed(acquired);
        };
        let state = self.by_id.or_default(lease);
        let known = state.acquired.as_ref();
        let known = known.and_then(|known| known.seen.handle.token);
        state.acquired = Some(acquired);
        let Some(token) = step.handle.token else {
            return;
        };
        if known != Some(token) {
            self.acquisitions.push(acquired);
        }
        if self.greatest_unnamed() > Some(token) {
            self.traces().fell(token);
        }
        self.note_greatest(lease, token, acquired);
    }

    /// An acquisition that shows a token at most.
    #[cold]
    fn acquire_unnamed(&mut self, acquired: Acquired) {
        let Some(token) = acquired.seen.handle.token else {
            return;
        };
        let last = self.acquisitions.last().map(|last| last.seen.handle);
        if last.is_none_or(|last| last.lease.is_some() || last.token != Some(token)) {
            self.acquisitions.push(acquired);
        }
        if self.newer_acquired(token) {
            self.traces().fell(token);
        }
        self.note_unnamed(token, acquired);
    }

    /// Whether `token` was acquired after a greater one, as far as acquisitions without a
    /// lease id tell, and nothing before that record shows its lease lost: its owner may be the
    /// rightful one.
    pub fn fell(&self, token: Token, by: &Seen) -> bool {
        let traces = self.traces.as_ref();
        traces.is_some_and(|traces| traces.has_fallen(token, by))
    }

    /// Whether a lease with a token above `token` was acquired, by order.
    pub fn newer_acquired(&self, token: Token) -> bool {
        let greatest = self.greatest[0].as_ref();
        let greatest = greatest.and_then(|acquired| acquired.seen.handle.token);
        greatest.max(self.greatest_unnamed()) > Some(token)
    }

    fn greatest_unnamed(&self) -> Option<Token> {
        self.unnamed[0].as_ref()?.seen.handle.token
    }

    fn note_greatest(&mut self, lease: Symbol, token: Token, acquired: Acquired) {
        let own = |known: &Handle| known.lease == Some(lease);
        note(&mut self.greatest, own, token, acquired);
    }

    #[cold]
    fn note_unnamed(&mut self, token: Token, acquired: Acquired) {
        let owner = acquired.seen.handle.owner;
        note(
            &mut self.unnamed,
            |known| known.owner == owner,
            token,
            acquired,
        );
    }

    /// What the authority names as current outweighs the order, also for what follows.
    #[inline]
    fn read_active(&mut self, step: &Step, position: u64) {
        let Some(held) = &mut self.held else {
            return;
        };
        let by_order = &held.acquired.seen.handle;
        let named = match &step.active {
            ActiveLease::Lease(active) => active,
            _ if step.answer == Answer::Renewed => &step.handle,
            _ => return,
        };
        match named.compare(by_order) {
            Likeness::Different if step.active != ActiveLease::Unrecorded => {
                self.contradict(step, named, position);
            }
            Likeness::SameLease => (held.over, held.contradicted) = (false, false),
            _ => {}
        }
    }

    /// The authority names another lease than the one that is current by order. It may be that
    /// one all the same, with a token that was raised, or with its id written in another way.
    #[cold]
    fn contradict(&mut self, step: &Step, active: &Handle, position: u64) {
        let Some(held) = &self.held else {
            return;
        };
        let by_order = held.acquired.seen.handle;
        let raised = |token| self.carries(by_order.lease, token);
        if active.lease.is_none() && active.token.is_some_and(raised) {
            return;
        }
        let another = match active.lease {
            // An id that somebody goes by is no other way to write this one.
            Some(lease) => step.handle.lease == Some(lease) || self.acquired(Some(lease)).is_some(),
            None => active.has_another_owner(&by_order),
        };
        let one_token = active.token.is_some() && active.token == by_order.token;
        if let Some(held) = &mut self.held {
            if another && !one_token {
                held.over = true;
            } else {
                held.contradicted = true;
            }
        }
        if let Some(lease) = self.lease_of(active) {
            self.traces().named(lease, position);
        }
    }

    /// An expiry, an absence, or an attempt of its own release ends the current lease,
    /// whatever that attempt was answered; so does the refusal of its renewal.
    #[inline]
    fn ends_current(&self, step: &Step) -> bool {
        let Some(held) = &self.held else {
            return false;
        };
        let own = || {
            let likeness = held.acquired.seen.handle.compare(&step.handle);
            matches!(likeness, Likeness::SameLease | Likeness::SameOwner)
        };
        match (step.event, step.answer) {
            (_, Answer::ReleaseNoop) => true,
            (Event::Release | Event::Renew, _) if step.active == ActiveLease::None => true,
            (Event::Expire, _) => !step.handle.names_lease() || own(),
            (Event::Release, _) | (_, Answer::RenewRejectedNotOwner) => own(),
            _ => false,
        }
    }
}

/// Keeps an acquisition if it is one of the two with the greatest tokens; what is `own` to it
/// gives way to it, so that the two are not each other's.
#[inline]
fn note(
    greatest: &mut [Option<Acquired>; 2],
    own: impl Fn(&Handle) -> bool,
    token: Token,
    acquired: Acquired,
) {
    let token_of = |entry: &Option<Acquired>| entry.as_ref()?.seen.handle.token;
    let [first, second] = greatest;
    if first.as_ref().is_some_and(|first| own(&first.seen.handle)) {
        if Some(token) > token_of(first) {
            *first = Some(acquired);
        }
    } else if Some(token) > token_of(first) {
        *second = *first;
        *first = Some(acquired);
    } else if Some(token) > token_of(second) {
        *second = Some(acquired);
    }
}
