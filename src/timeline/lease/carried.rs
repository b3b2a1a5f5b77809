//! Which lease carries which token, and who says so.

use super::{LeaseState, Leases};
use crate::evidence::Token;
use crate::timeline::step::{Handle, Seen, Step, VouchedBy};
use crate::timeline::symbols::Symbol;

/// The tokens of one lease; the first one takes no room elsewhere.
#[derive(Debug, Clone, Default)]
pub struct Tokens {
    first: Option<Token>,
    more: Vec<Token>,
}

impl Tokens {
    /// Whether the lease had this token.
    #[inline]
    pub fn contains(&self, token: &Token) -> bool {
        self.first == Some(*token) || self.more.contains(token)
    }

    /// Every token, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &Token> {
        self.first.iter().chain(&self.more)
    }

    /// Adds a token, and says whether it is new.
    #[inline]
    pub(super) fn add(&mut self, token: Token) -> bool {
        match self.first {
            None => self.first = Some(token),
            Some(first) if first == token || self.more.contains(&token) => return false,
            Some(_) => self.more.push(token),
        }
        true
    }
}

impl Leases {
    /// Whether this lease has this token, as far as is known: what somebody says of it whom
    /// nobody agrees with gives way to whom the authority shows with the token.
    pub fn carries(&self, lease: Option<Symbol>, token: Token) -> bool {
        let (Some(lease), Some(state)) = (lease, self.get(lease)) else {
            return false;
        };
        state.tokens.contains(&token)
            && (self.is_vouched(lease, token)
                || self
                    .holder(Some(token))
                    .is_none_or(|holder| holder == lease || !self.is_vouched(holder, token)))
    }

    /// Whether somebody else than the one who asked says that this lease has this token.
    /// A consent tells less than the authority that gave the lease another one.
    pub fn is_vouched(&self, lease: Symbol, token: Token) -> bool {
        match self.unvouched.get(&(lease, token)) {
            None => self.has(lease, token),
            Some(by) => self.would_be_vouched(lease, token, *by),
        }
    }

    /// The same of a lease that is said to have a token, by whom.
    pub fn would_be_vouched(&self, lease: Symbol, token: Token, by: VouchedBy) -> bool {
        match by {
            VouchedBy::Nobody => false,
            VouchedBy::Authority => true,
            VouchedBy::Consent => !self.get(Some(lease)).is_some_and(|state| {
                let mut others = state.tokens.iter().filter(|other| **other != token);
                others.any(|other| !self.unvouched.contains_key(&(lease, *other)))
            }),
        }
    }

    /// Whether a lease only stood with this token as the current one, beside a lease that has it
    /// as well.
    #[inline]
    pub fn only_stood_beside(&self, lease: Symbol, token: Token) -> bool {
        !self.beside.is_empty() && self.beside.get(&token) == Some(&lease)
    }

    /// Whether that is so of any lease.
    pub fn any_only_stood_beside(&self, token: Token) -> bool {
        self.beside.contains_key(&token)
    }

    /// Notes that of a lease, after its token was noted.
    pub(crate) fn note_beside(&mut self, lease: Symbol, token: Token) {
        self.beside.insert(token, lease);
    }

    fn has(&self, lease: Symbol, token: Token) -> bool {
        let state = self.by_id.get(lease);
        state.is_some_and(|state| state.tokens.contains(&token))
    }

    /// Takes into account that a step shows a lease with a token.
    #[inline]
    pub(crate) fn note_token(&mut self, step: &Step, handle: &Handle, by: VouchedBy) {
        let Some(lease) = handle.lease else { return };
        let state = self.by_id.entry(lease, LeaseState::default);
        let Some(token) = handle.token else { return };
        let new = state.tokens.add(token);
        if step.handle.lease == Some(lease) && self.only_stood_beside(lease, token) {
            self.beside.remove(&token);
        }
        if by == VouchedBy::Authority {
            if !self.unvouched.is_empty() {
                self.unvouched.remove(&(lease, token));
            }
        } else if new {
            self.unvouched.insert((lease, token), by);
        } else if let Some(known) = self.unvouched.get_mut(&(lease, token)) {
            *known = by.max(*known);
        }
        let seen = || Seen {
            handle: *handle,
            ..step.seen()
        };
        let holder = self.holders.entry(token, seen).handle.lease;
        if holder != Some(lease)
            && !holder.is_some_and(|holder| self.is_vouched(holder, token))
            && self.is_vouched(lease, token)
        {
            *self.holders.entry(token, seen) = seen();
        }
    }
}
