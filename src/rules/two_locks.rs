//! One resource key under two locks: the only rule that looks across locks.
//!
//! | when | says |
//! |---|---|
//! | a write reads, as the highest token at a key, one that only another lock put there | `two-locks-one-key`, proven |
//! | two locks have accepted writes at one key, and no write there carries a reading | `two-locks-one-key`, suspected |

use std::cell::OnceCell;

use hashbrown::{HashMap, HashSet};

use super::LockJudge;
use super::claim::{Claim, Fields, Grounds, Met, Subject};
use crate::evidence::{Answer, Field, Token};
use crate::incident::{Outcome, Role, Status, Variant};
use crate::timeline::{Handle, KeyState, Seen, Step, Symbol};

/// The resource keys that more than one lock wrote to.
#[derive(Debug, Default)]
pub struct SharedKeys {
    locks: HashMap<Symbol, Vec<Symbol>, foldhash::fast::FixedState>,
    /// The locks of whose writes at a key some got no answer.
    unanswered: HashMap<Symbol, Vec<Symbol>, foldhash::fast::FixedState>,
}

impl SharedKeys {
    /// Finds the keys that more than one of `judges` has accepted writes at. Locks come
    /// in the order in which they were first seen.
    pub fn of<'j>(judges: impl Iterator<Item = (Symbol, &'j LockJudge)>) -> SharedKeys {
        let mut first: HashMap<Symbol, Symbol, foldhash::fast::FixedState> = HashMap::default();
        let mut locks: HashMap<Symbol, Vec<Symbol>, foldhash::fast::FixedState> =
            HashMap::default();
        let mut unanswered: HashMap<Symbol, Vec<Symbol>, foldhash::fast::FixedState> =
            HashMap::default();
        for (lock, judge) in judges {
            for (key, state) in judge.timeline.keys() {
                let Some(key) = key else { continue };
                if state.foreign.iter().any(|(_, foreign)| foreign.maybe_own) {
                    unanswered.entry(key).or_default().push(lock);
                }
            }
            let written = judge.timeline.keys().filter(|(_, state)| {
                state.first_write.is_some() || state.foreign.iter().any(|(_, f)| f.count > 0)
            });
            for key in written.filter_map(|(key, _)| key) {
                match first.get(&key) {
                    None => {
                        first.insert(key, lock);
                    }
                    Some(owner) => locks.entry(key).or_insert_with(|| vec![*owner]).push(lock),
                }
            }
        }
        SharedKeys { locks, unanswered }
    }

    /// The locks that share `key`; empty where it is not shared.
    pub fn sharing(&self, key: Symbol) -> &[Symbol] {
        self.locks.get(&key).map_or(&[], Vec::as_slice)
    }

    /// The locks that may have written at `key`: no answer came.
    fn unanswered(&self, key: Symbol) -> &[Symbol] {
        self.unanswered.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// The numbers that the records of one lock show as its own tokens.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    /// Those of records that name no lease; the others are known by their leases.
    without_lease: HashSet<Token, foldhash::fast::FixedState>,
    greatest: Option<Token>,
    /// Whether a write of it records no token, or an acquisition no token and no lease id:
    /// it may be any number.
    some_unknown: bool,
    /// Whether records were forgotten, and with them numbers.
    forgotten: bool,
}

impl Numbers {
    /// Forgets all but how far the lock has come.
    pub fn forget(&mut self) {
        self.without_lease = HashSet::default();
        self.forgotten = true;
    }

    /// Takes a write into account.
    #[inline]
    pub fn apply_write(&mut self, step: &Step) {
        self.some_unknown |= step.handle.token.is_none();
    }

    /// Takes an acquisition into account.
    #[inline]
    pub fn apply_acquisition(&mut self, step: &Step) {
        self.some_unknown |= step.answer == Answer::Acquired && !step.handle.names_lease();
    }

    /// Takes into account that a step shows a lease with its token.
    #[inline]
    pub fn apply_shown(&mut self, handle: &Handle) {
        self.greatest = self.greatest.max(handle.token);
        if let (Some(token), None) = (handle.token, handle.lease) {
            self.note_without_lease(token);
        }
    }

    #[inline(never)]
    fn note_without_lease(&mut self, token: Token) {
        self.without_lease.insert(token);
    }
}

/// Whether a record of the lock shows the number as one of its tokens.
fn shows(judge: &LockJudge, token: Token) -> bool {
    let holders = &judge.timeline.leases().holders;
    judge.numbers.without_lease.contains(&token) || holders.get(token).is_some()
}

/// Whether two locks are known to count apart, or may: both gave the same number, or what
/// one of them gave is forgotten.
fn count_apart(one: &LockJudge, other: &LockJudge) -> bool {
    if other.numbers.forgotten {
        return true;
    }
    let holders = one.timeline.leases().holders.iter().map(|(token, _)| token);
    let mut numbers = holders.chain(one.numbers.without_lease.iter().copied());
    numbers.any(|token| shows(other, token))
}

/// What the sharing of keys says of the writes of one lock.
#[derive(Debug, Default)]
pub struct Foreign {
    claims: Vec<Claim>,
    /// The readings that another lock explains, each with the greatest token that this
    /// lock wrote there.
    explained: Vec<(Symbol, Token, Option<Token>)>,
    /// The readings that either lock may have put there.
    contested: Vec<(Symbol, Token)>,
}

impl Foreign {
    /// Judges the readings of `lock` at the keys that it shares. `judge_of` finds the
    /// judge of another lock.
    pub fn readings<'j>(
        lock: Symbol,
        own: &LockJudge,
        shared: &SharedKeys,
        judge_of: impl Fn(Symbol) -> Option<&'j LockJudge>,
    ) -> Foreign {
        let mut found = Foreign::default();
        let mut known_apart: HashMap<Symbol, bool, foldhash::fast::FixedState> = HashMap::default();
        let lacks_token = OnceCell::new();
        let some_unknown = || *lacks_token.get_or_init(|| lacks_token_of_a_lease(own));
        for (key, state) in own.timeline.keys() {
            let Some(key) = key else { continue };
            let sharing = shared.sharing(key);
            let judges = || {
                let others = sharing.iter().filter(|other| **other != lock);
                others.filter_map(|other| Some((*other, judge_of(*other)?)))
            };
            let others = || judges().filter_map(|(_, judge)| judge.timeline.key(Some(key)));
            // A write of another lock that got no answer may explain the reading.
            let unanswered = |token| {
                let locks = shared.unanswered(key).iter();
                locks.filter(|other| **other != lock).any(|other| {
                    let state = judge_of(*other).and_then(|judge| judge.timeline.key(Some(key)));
                    let foreign = state.and_then(|state| state.foreign.get(token));
                    foreign.is_some_and(|foreign| foreign.maybe_own)
                })
            };
            // The lock has come past the number by a count of its own: the write of it may
            // not be on record.
            let mut passed = |token| {
                let apart = |(name, other)| {
                    *known_apart
                        .entry(name)
                        .or_insert_with(|| count_apart(own, other))
                };
                own.numbers.greatest >= Some(token)
                    && (own.numbers.forgotten || judges().any(apart))
            };
            for (before, foreign) in state
                .foreign
                .iter()
                .filter(|(_, foreign)| foreign.count > 0)
            {
                let own_too = state.generations.get(before).is_some();
                // Two locks that both read "nothing accepted yet" compare apart: the key
                // is no more than a name that both use.
                let both_read_none = || {
                    state.read_none
                        && others()
                            .any(|other| other.read_none && other.generations.get(before).is_some())
                };
                match nearest(others(), before, &foreign.first) {
                    None if !own_too && unanswered(before) => found.contested.push((key, before)),
                    None => {}
                    Some(_) if own_too || both_read_none() => found.contested.push((key, before)),
                    Some(other) => {
                        let doubted = foreign.maybe_own
                            || may_be_own(own, before)
                            || some_unknown()
                            || passed(before);
                        let (first, count) = (foreign.first, foreign.count);
                        found.claims.push(proven(key, first, count, other, doubted));
                        if doubted {
                            found.contested.push((key, before));
                        } else {
                            found.explained.push((key, before, state.greatest));
                        }
                    }
                }
            }
            if sharing.first() == Some(&lock)
                && !state.any_before
                && others().all(|other| !other.any_before)
            {
                found.claims.extend(suspected(key, state, others().next()));
            }
        }
        found
    }

    /// The claims.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// Whether another lock alone explains why `key` refused `token`, having read
    /// `before`.
    pub fn explains(
        &self,
        key: Option<Symbol>,
        before: Option<Token>,
        token: Option<Token>,
    ) -> bool {
        let reading = (key, before);
        self.explained
            .iter()
            .any(|(at, read, own)| (Some(*at), Some(*read)) == reading && *own <= token)
    }

    /// Whether another lock, or this one as well, may have put there what `key` read.
    pub fn contests(&self, key: Option<Symbol>, before: Option<Token>) -> bool {
        let reading = (key, before);
        let explained = self.explained.iter().map(|(at, read, _)| (*at, *read));
        explained
            .chain(self.contested.iter().copied())
            .any(|(at, read)| (Some(at), Some(read)) == reading)
    }
}

/// Whether a lease of the lock was acquired or wrote, and its token is not on record.
fn lacks_token_of_a_lease(own: &LockJudge) -> bool {
    let leases = own.timeline.leases();
    let mut by_id = leases.by_id.iter();
    by_id.any(|(_, lease)| {
        let used = lease.acquired.is_some() || lease.wrote;
        used && lease.tokens.iter().next().is_none()
    })
}

/// Whether the lock itself may have put the token there, in a write that named no key, got
/// no answer, or is not on record: one of its own records carries the token, or one does
/// not tell its own.
fn may_be_own(own: &LockJudge, token: Token) -> bool {
    if own.numbers.some_unknown || shows(own, token) {
        return true;
    }
    own.timeline.key(None).is_some_and(|unnamed| {
        unnamed.generations.get(token).is_some()
            || unnamed
                .foreign
                .get(token)
                .is_some_and(|foreign| foreign.maybe_own)
    })
}

/// The write of `token` at another lock that stands nearest before the reader, else the
/// first one after it.
fn nearest<'j>(
    others: impl Iterator<Item = &'j KeyState>,
    token: Token,
    reader: &Seen,
) -> Option<Seen> {
    let writes = others
        .filter_map(|other| other.generations.get(token))
        .map(|write| write.first);
    let (mut before, mut after): (Option<Seen>, Option<Seen>) = (None, None);
    for write in writes {
        if write.place < reader.place {
            before = before
                .filter(|known| known.place > write.place)
                .or(Some(write));
        } else {
            after = after
                .filter(|known| known.place < write.place)
                .or(Some(write));
        }
    }
    before.or(after)
}

fn claim(key: Symbol, status: Status, seen: Seen, other: Option<Seen>) -> Claim {
    Claim {
        key: Some(key),
        met: other.map_or(Met::Nobody, |seen| Met::Record(seen, Role::OtherWrite)),
        ..Claim::new(
            Variant::TwoLocksOneKey,
            status,
            Outcome::Exposed,
            Subject::Key(key),
            seen,
        )
    }
}

fn proven(key: Symbol, seen: Seen, count: u64, other: Seen, doubted: bool) -> Claim {
    let grounds = Grounds {
        doubted,
        ..Grounds::default()
    };
    Claim {
        count,
        grounds,
        ..claim(key, Status::Proven, seen, Some(other))
    }
}

fn suspected(key: Symbol, state: &KeyState, other: Option<&KeyState>) -> Option<Claim> {
    let missing = Fields::of(&[Field::ResourceHighestTokenBefore]);
    let other = other?.first_write?;
    Some(Claim {
        missing,
        ..claim(key, Status::Suspected, state.first_write?, Some(other))
    })
}
