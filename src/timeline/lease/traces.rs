//! Traces of leases that records do not name by an id: their owners, their tokens, requests
//! that got no answer.

use std::collections::{BTreeMap, BTreeSet};

use crate::evidence::Token;
use crate::timeline::small_map::SmallMap;
use crate::timeline::step::{Handle, Seen};
use crate::timeline::symbols::Symbol;

/// See the module. It is kept apart from the leases: of a lock whose records are forgotten,
/// none of it stays.
#[derive(Debug, Clone, Default)]
pub(super) struct Traces {
    /// Tokens that were acquired after a greater one where a lease id is not recorded, each
    /// with the first record that shows its lease lost.
    fallen: SmallMap<Token, Option<Seen>>,
    /// Who acquired, as far as the order reaches.
    owners: SmallMap<Symbol, ()>,
    /// Tokens of writes that name no lease, where no record had shown the lease by then.
    unclaimed: SmallMap<Token, ()>,
    /// The owners, none where it is not known, of writes that name neither lease nor token.
    untold: BTreeSet<Option<Symbol>>,
    /// Who asked for a lease since the newest acquisition, and got no answer.
    unanswered: BTreeSet<Asked>,
    /// Leases that the authority named as current although another one was acquired after them,
    /// each with where in the lock's order it last did.
    named: BTreeMap<Symbol, u64>,
}

/// By what a lease that was asked for may be known later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Asked {
    Lease(Symbol),
    Token(Token),
    /// Where nothing else is known on one side.
    Owner(Option<Symbol>),
}

impl Asked {
    fn by_name(handle: &Handle) -> impl Iterator<Item = Asked> + use<> {
        let lease = handle.lease.map(Asked::Lease);
        let token = handle.token.map(Asked::Token);
        lease.into_iter().chain(token)
    }
}

impl Traces {
    pub(super) fn clear(&mut self) {
        let Traces {
            fallen,
            owners,
            unclaimed,
            untold,
            unanswered,
            named,
        } = self;
        fallen.clear();
        owners.clear();
        unclaimed.clear();
        untold.clear();
        unanswered.clear();
        named.clear();
    }

    /// Forgets what order has shown.
    pub(super) fn forget_order(&mut self) {
        self.unanswered.clear();
        self.owners.clear();
        self.named.clear();
    }

    /// A lease was acquired by order; what was asked before is answered by that.
    #[inline]
    pub(super) fn acquired(&mut self, owner: Option<Symbol>) {
        self.unanswered.clear();
        if let Some(owner) = owner {
            self.owners.or_default(owner);
        }
    }

    /// Whether an owner acquired.
    pub(super) fn has_acquired(&self, owner: Symbol) -> bool {
        self.owners.get(owner).is_some()
    }

    /// The authority named a lease as current although another one was acquired after it.
    pub(super) fn named(&mut self, lease: Symbol, position: u64) {
        self.named.insert(lease, position);
    }

    /// Where it last did.
    pub(super) fn last_named(&self, lease: Symbol) -> Option<u64> {
        self.named.get(&lease).copied()
    }

    /// A lease was asked for, and no answer came.
    pub(super) fn asked(&mut self, handle: &Handle) {
        self.unanswered.extend(Asked::by_name(handle));
        self.unanswered.insert(Asked::Owner(handle.owner));
    }

    /// Whether any lease was asked for since the newest acquisition, and no answer came.
    pub(super) fn has_unanswered(&self) -> bool {
        !self.unanswered.is_empty()
    }

    /// Whether the lease of this handle was asked for since the newest acquisition, and no
    /// answer came.
    pub(super) fn may_be_given(&self, asking: &Handle) -> bool {
        let asked = |asked: Asked| self.unanswered.contains(&asked);
        !self.unanswered.is_empty()
            && (Asked::by_name(asking).any(asked)
                || !asking.names_lease()
                    && (asked(Asked::Owner(asking.owner)) || asked(Asked::Owner(None))))
    }

    /// A token was acquired after a greater one.
    pub(super) fn fell(&mut self, token: Token) {
        self.fallen.entry(token, || None);
    }

    /// A record shows the lease with this token lost.
    pub(super) fn lost(&mut self, token: Token, by: &Seen) {
        if let Some(lost) = self.fallen.get_mut(token) {
            lost.get_or_insert(*by);
        }
    }

    /// Whether a token was acquired after a greater one, and nothing before that record shows
    /// its lease lost: each lease ends.
    pub(super) fn has_fallen(&self, token: Token, by: &Seen) -> bool {
        self.fallen.get(token).is_some_and(|lost| {
            lost.as_ref()
                .is_none_or(|lost| lost.standing() > by.standing())
        })
    }

    /// A write that names no known lease was made.
    pub(super) fn wrote(&mut self, owner: Option<Symbol>, token: Option<Token>) {
        match token {
            Some(token) => {
                self.unclaimed.entry(token, || ());
            }
            None => {
                self.untold.insert(owner);
            }
        }
    }

    /// Whether such a write had this token.
    pub(super) fn wrote_with(&self, token: Token) -> bool {
        self.unclaimed.get(token).is_some()
    }

    /// Whether such a write without a token may be of this owner, where that is known.
    pub(super) fn may_have_written(&self, owner: Option<Symbol>) -> bool {
        let apart = |writer: &Option<Symbol>| matches!((writer, owner), (Some(one), Some(other)) if *one != other);
        !self.untold.iter().all(apart)
    }
}
