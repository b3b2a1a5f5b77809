//! What is known of one lock so far: the questions that rules may ask.
//!
//! Everything here is a fact of the records; no verdict is reached, and no wall clock is
//! read. State grows with keys, leases, tokens and operations, never with lines.

pub mod backwards;
mod key;
pub mod lease;
pub mod ledger;
pub mod order;
pub mod small_map;
pub mod spelling;
pub mod step;
pub mod symbols;

pub use backwards::Backwards;
pub use key::KeyState;
pub use lease::{Acquired, Held, LeaseState, Leases, Span};
pub use ledger::Ledger;
pub use order::{Order, OrderFacts, Strength};
pub use small_map::{SmallMap, empty};
pub use step::{ActiveLease, Handle, Likeness, Seen, Step, VouchedBy};
pub use symbols::{Kind, Symbol, Symbols};

use crate::evidence::{Answer, Event, Token};

/// The state of one lock.
#[derive(Debug, Clone, Default)]
pub struct Timeline {
    /// Whether the steps come in a known order. Without one, nothing here that needs
    /// order is ever filled.
    ordered: bool,
    position: u64,
    keys: SmallMap<Option<Symbol>, Box<KeyState>>,
    leases: Leases,
    ledger: Ledger,
    /// The greatest accepted tokens at two different known keys, greatest first.
    top: [Option<Accepted>; 2],
    /// The greatest token accepted by a write that recorded no key.
    unnamed: Option<Box<Accepted>>,
    /// What was shown last of a lease and its token, and who vouched for it.
    shown: Option<(Handle, VouchedBy)>,
    /// Room for the state of keys to come.
    #[expect(clippy::vec_box, reason = "they come from the keys and go there")]
    spare: Vec<Box<KeyState>>,
}

/// Room for the state of so many keys is kept from one lock to the next: most have one.
const SPARE: usize = 8;

/// What a step shows of leases and their tokens: of the one that asks, and of the one that
/// the authority named. Most steps show the same as the step before, which is left out.
pub type Shown<'s> = [Option<&'s Handle>; 2];

/// A token accepted somewhere under the lock, in order.
#[derive(Debug, Clone, Copy)]
pub struct Accepted {
    /// The key; none is the unnamed one.
    pub key: Option<Symbol>,
    /// The token.
    pub token: Token,
    /// The write.
    pub seen: Seen,
}

impl Timeline {
    /// An empty timeline of steps that come in a known order, or in none.
    pub fn new(ordered: bool) -> Timeline {
        Timeline {
            ordered,
            ..Timeline::default()
        }
    }

    /// Forgets everything; the same as a new timeline, in the room of this one.
    pub fn restart(&mut self, now_ordered: bool) {
        let Timeline {
            ordered,
            position,
            keys,
            leases,
            ledger,
            top,
            unnamed,
            shown,
            spare,
        } = self;
        *ordered = now_ordered;
        *position = 0;
        spare.extend(keys.take().take(SPARE).map(|mut state| {
            state.clear();
            state
        }));
        spare.truncate(SPARE);
        leases.clear();
        ledger.clear();
        *top = [None; 2];
        *unnamed = None;
        *shown = None;
    }

    /// Whether the order of steps is known.
    pub fn is_ordered(&self) -> bool {
        self.ordered
    }

    /// What is known of a key.
    #[inline]
    pub fn key(&self, key: Option<Symbol>) -> Option<&KeyState> {
        self.keys.get(key).map(Box::as_ref)
    }

    /// All keys, in the order in which they were first seen.
    pub fn keys(&self) -> impl Iterator<Item = (Option<Symbol>, &KeyState)> {
        self.keys.iter().map(|(key, state)| (key, state.as_ref()))
    }

    /// The leases.
    pub fn leases(&self) -> &Leases {
        &self.leases
    }

    /// The operations applied.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// `H(k)`: the greatest token shown accepted at a known key by ordered earlier
    /// records, and the record that showed it.
    pub fn highest(&self, key: Option<Symbol>) -> Option<(Token, &Seen)> {
        key.and_then(|_| self.key(key))
            .and_then(|state| state.highest())
    }

    /// The greatest token accepted, in order, at another known key than `key`.
    pub fn greatest_at_other_key(&self, key: Symbol) -> Option<&Accepted> {
        self.top
            .iter()
            .flatten()
            .find(|accepted| accepted.key.is_some_and(|other| other != key))
    }

    /// The greatest token accepted, in order, anywhere under the lock.
    #[inline]
    pub fn greatest(&self) -> Option<&Accepted> {
        let named = self.top[0].as_ref();
        match self.unnamed() {
            Some(unnamed) if named.is_none_or(|named| unnamed.token > named.token) => Some(unnamed),
            _ => named,
        }
    }

    /// Writes with `token` at known keys, as far as it is among the greatest ones accepted, in
    /// order, at any of them.
    pub fn greatest_with(&self, token: Token) -> impl Iterator<Item = &Accepted> {
        let greatest = self.top.iter().flatten();
        greatest.filter(move |accepted| accepted.token == token)
    }

    /// The greatest token accepted, in order, by a write that recorded no key.
    pub fn unnamed(&self) -> Option<&Accepted> {
        self.unnamed.as_deref()
    }

    /// What a step shows that was not known by the step before.
    #[inline]
    pub fn shown_by<'s>(&self, step: &'s Step) -> Shown<'s> {
        let own = Some(&step.handle).filter(|_| step.shows_token());
        let known = |handle: &Handle, by| {
            let shown = self.shown.as_ref();
            shown.is_some_and(|(known, vouched)| known == handle && *vouched >= by)
        };
        let vouched = step.vouches();
        [
            own.filter(|own| !known(own, vouched) || self.only_stood_beside(own)),
            active_of_decision(step).filter(|active| !known(active, VouchedBy::Authority)),
        ]
    }

    #[inline]
    fn only_stood_beside(&self, handle: &Handle) -> bool {
        let shown = handle.lease.zip(handle.token);
        shown.is_some_and(|(lease, token)| self.leases.only_stood_beside(lease, token))
    }

    /// Notes that of what a step shows, after that was taken into account.
    pub fn note_beside(&mut self, lease: Symbol, token: Token) {
        self.leases.note_beside(lease, token);
    }

    /// Takes a write into account, after the rules have judged it.
    #[inline]
    pub fn apply_write(&mut self, step: &Step) {
        let (position, ordered) = (self.position, self.ordered);
        let spare = &mut self.spare;
        let new = || spare.pop().unwrap_or_default();
        let state = self.keys.entry(step.key, new);
        state.apply(step, position, ordered);
        if step.answer == Answer::Accepted {
            if ordered {
                state.note_writer(step, self.leases.acquired(step.handle.lease));
                self.note_top(step);
            }
            self.ledger.apply(step);
        }
        self.leases.apply_write(step);
        self.position += 1;
    }

    /// Takes a step that is no write into account, after the rules have judged it.
    #[inline]
    pub fn apply_of_lease(&mut self, step: &Step) {
        self.leases.apply(step, self.position, self.ordered);
        self.position += 1;
    }

    /// Takes into account that a step shows a lease with a token, and who vouches for it,
    /// after the rules have judged the step and before it is taken into account itself.
    #[inline]
    pub fn apply_shown(&mut self, step: &Step, handle: &Handle, by: VouchedBy) {
        self.leases.note_token(step, handle, by);
        self.shown = Some((*handle, by));
    }

    /// Whether a later-token write at `key` read exactly `token` as the highest before any
    /// write of `token` is on record that may be what it read, a write at `also` among them:
    /// then the lines of that write came late. A write without a key may be at any. What was
    /// forgotten may have read it.
    pub fn may_have_been_read_before_it_was_seen(
        &self,
        token: Token,
        key: Option<Symbol>,
        also: Option<Symbol>,
    ) -> bool {
        let Some(state) = self.key(key) else {
            return false;
        };
        let rise = state.rises.get(token);
        rise.map_or(state.some_forgotten, |rise| {
            let seen = |key| {
                self.key(key)
                    .is_some_and(|state| state.was_seen_by(token, rise.position))
            };
            ![key, also, None].into_iter().any(seen)
        })
    }

    /// Forgets what order has shown: the steps that follow come from an input that
    /// nothing orders against the ones before.
    pub fn forget_order(&mut self) {
        for state in self.keys.values_mut() {
            state.highest = None;
            state.newest_writer = None;
        }
        self.leases.forget_order();
        self.top = [None; 2];
        self.unnamed = None;
    }

    /// The order turned out to be unknown.
    pub fn lose_order(&mut self) {
        self.forget_order();
        self.ordered = false;
    }

    /// Forgets all but what later steps are held against first of all: the highest tokens,
    /// and which lease is current. Whatever is missing from then on, as where a log begins
    /// late, a rule says less of.
    pub fn forget(&mut self, rename: &mut dyn FnMut(Symbol) -> Symbol) {
        for state in self.keys.values_mut() {
            state.forget(rename);
        }
        let unnamed = self.unnamed.as_deref_mut();
        let accepted = self.top.iter_mut().flatten().chain(unnamed);
        accepted.for_each(|accepted| accepted.seen.rename(rename));
        self.leases.forget(rename);
        self.shown = None;
        self.ledger = Ledger::default();
    }

    #[inline]
    fn note_top(&mut self, step: &Step) {
        let Some(token) = step.handle.token else {
            return;
        };
        let accepted = || Accepted {
            key: step.key,
            token,
            seen: step.seen(),
        };
        let above =
            |entry: &Option<Accepted>| entry.as_ref().is_none_or(|entry| token > entry.token);
        let [first, second] = &mut self.top;
        if step.key.is_none() {
            match &mut self.unnamed {
                None => self.unnamed = Some(Box::new(accepted())),
                Some(known) if token > known.token => **known = accepted(),
                Some(_) => {}
            }
        } else if first.as_ref().is_some_and(|entry| entry.key == step.key) {
            if above(first) {
                *first = Some(accepted());
            }
        } else if above(first) {
            *second = first.replace(accepted());
        } else if above(second) {
            *second = Some(accepted());
        }
    }
}

/// The lease that the authority itself named when it decided on a release or a renewal.
#[inline]
pub(crate) fn active_of_decision(step: &Step) -> Option<&Handle> {
    match &step.active {
        ActiveLease::Lease(handle) if matches!(step.event, Event::Release | Event::Renew) => {
            Some(handle)
        }
        _ => None,
    }
}
