//! What is known of one resource key under one lock.

use std::collections::BTreeSet;

use super::lease::Acquired;
use super::small_map::SmallMap;
use super::step::{Seen, Step};
use super::symbols::Symbol;
use crate::evidence::{Answer, Token};

/// The state of one (lock, resource key). The unnamed key of a lock has one too.
#[derive(Debug, Clone, Default)]
pub struct KeyState {
    /// `H(k)`: the greatest token that ordered earlier records show accepted here, and
    /// the record that showed it.
    pub highest: Option<(Token, Seen)>,
    /// The tokens of accepted writes, each with its first write.
    pub generations: SmallMap<Token, Generation>,
    /// The greatest of them.
    pub greatest: Option<Token>,
    /// By the highest token that it read: the first accepted write with a greater one.
    pub rises: SmallMap<Token, Rise>,
    /// Highest tokens that writes read here and that this lock had not accepted here by
    /// then, each with its first reader. Another lock may have.
    pub foreign: SmallMap<Token, Foreign>,
    /// The leases, none where it is not known, of writes here that tell no token and were
    /// accepted or got no answer.
    untold: BTreeSet<Option<Symbol>>,
    /// The greatest token of a write here that got no answer; of one that tells none, it may
    /// be any.
    pub unanswered: Option<Token>,
    /// Whether an accepted write read 0 here: the resource had accepted nothing yet.
    pub read_none: bool,
    /// Whether any write here carries a highest token before.
    pub any_before: bool,
    /// The highest token that the first accepted write read.
    pub first_before: Option<Token>,
    /// The first accepted write here.
    pub first_write: Option<Seen>,
    /// Whether some accepted write has no token, no reading, or a token below its
    /// reading: then the readings do not vouch for every write.
    pub readings_incomplete: bool,
    /// Whether some accepted write with a token names no operation.
    pub some_without_operation: bool,
    /// Whether some of `rises` are forked.
    some_forked: bool,
    /// Whether some writes, and with them some of `rises`, were forgotten.
    pub some_forgotten: bool,
    /// Whether the comparison lets a token in more than once: a write was accepted that read its
    /// own token as the highest, or two operations were with one token.
    pub admits_repeats: bool,
    /// Whether some accepted write has no reading at all.
    pub lacks_reading: bool,
    /// The accepted writer whose lease was acquired last, by that acquisition's position.
    pub newest_writer: Option<(u64, Seen)>,
}

/// One token accepted at a key.
#[derive(Debug, Clone, Copy)]
pub struct Generation {
    /// The first write.
    pub first: Seen,
    /// Its position in the lock's order.
    pub position: u64,
    /// The first operation that a write of this token names.
    operation: Option<Symbol>,
    /// Whether some write of this token names no operation.
    pub without_operation: bool,
    /// Whether some write of this token carries a highest token before.
    pub with_before: bool,
    /// Whether its writes come from more than one input.
    pub several_sources: bool,
}

/// An accepted write whose token is above the highest token that it read.
#[derive(Debug, Clone, Copy)]
pub struct Rise {
    /// The write.
    pub first: Seen,
    /// Its position in the lock's order.
    pub position: u64,
    /// The first operation named by a write of the same token from the same reading.
    pub operation: Option<Symbol>,
    /// Whether another write rose from the same reading: they cannot both have been
    /// compared and kept.
    pub forked: bool,
}

/// A write that read a highest token which this lock had not accepted at the key.
#[derive(Debug, Clone, Copy)]
pub struct Foreign {
    /// The first such write.
    pub first: Seen,
    /// How many there are.
    pub count: u64,
    /// Whether an unanswered write of this lock may have put the token there.
    pub maybe_own: bool,
}

impl Rise {
    /// Whether a write from the same highest token is another one.
    fn forks_with(&self, step: &Step) -> bool {
        let other_token = self.first.handle.token != step.handle.token;
        other_token || matches!((self.operation, step.operation), (Some(a), Some(b)) if a != b)
    }
}

impl KeyState {
    /// Whether every accepted write carries a reading, has a token not below it, and no
    /// two of them fork: the resource itself compared every one.
    pub fn readings_vouch(&self) -> bool {
        !self.readings_incomplete && !self.some_forked
    }

    /// Whether two writes rose from the reading `before`.
    pub fn is_forked(&self, before: Token) -> bool {
        self.rises.get(before).is_some_and(|rise| rise.forked)
    }

    /// Forgets everything; the same as a new state, in the room of this one.
    pub fn clear(&mut self) {
        let KeyState {
            highest,
            generations,
            greatest,
            rises,
            foreign,
            untold,
            unanswered,
            read_none,
            any_before,
            first_before,
            first_write,
            readings_incomplete,
            some_without_operation,
            some_forked,
            some_forgotten,
            admits_repeats,
            lacks_reading,
            newest_writer,
        } = self;
        *highest = None;
        generations.clear();
        *greatest = None;
        rises.clear();
        foreign.clear();
        untold.clear();
        *unanswered = None;
        *read_none = false;
        *any_before = false;
        *first_before = None;
        *first_write = None;
        *readings_incomplete = false;
        *some_without_operation = false;
        *some_forked = false;
        *some_forgotten = false;
        *admits_repeats = false;
        *lacks_reading = false;
        *newest_writer = None;
    }

    /// `H(k)`, and the record that showed it.
    #[inline]
    pub fn highest(&self) -> Option<(Token, &Seen)> {
        let (token, seen) = self.highest.as_ref()?;
        Some((*token, seen))
    }

    /// An accepted write before `step` that rose from the same highest token as it does.
    #[inline]
    pub fn forks_with(&self, step: &Step) -> Option<&Seen> {
        let before = step
            .before
            .filter(|before| step.handle.token > Some(*before))?;
        let rise = self.rises.get(before)?;
        rise.forks_with(step).then_some(&rise.first)
    }

    /// Whether a write here that tells no token, and may be applied, is or may be of this lease.
    pub fn wrote_untold(&self, mut lease: impl Iterator<Item = Symbol>) -> bool {
        let untold = &self.untold;
        !untold.is_empty()
            && (untold.contains(&None) || lease.any(|lease| untold.contains(&Some(lease))))
    }

    /// Whether a write of `token` is on record here, by that position.
    pub fn was_seen_by(&self, token: Token, position: u64) -> bool {
        let own = self.generations.get(token);
        own.is_some_and(|own| own.position <= position)
    }

    /// Forgets all writes but the ones that show the highest tokens.
    pub fn forget(&mut self, rename: &mut dyn FnMut(Symbol) -> Symbol) {
        self.readings_incomplete |= std::mem::take(&mut self.some_forked);
        self.some_forgotten = true;
        self.generations = SmallMap::default();
        self.rises = SmallMap::default();
        self.foreign = SmallMap::default();
        self.untold = BTreeSet::new();
        let highest = self.highest.as_mut().map(|(_, seen)| seen);
        let writer = self.newest_writer.as_mut().map(|(_, seen)| seen);
        let seen = [highest, writer, self.first_write.as_mut()];
        seen.into_iter()
            .flatten()
            .for_each(|seen| seen.rename(rename));
    }

    /// Takes a step into account, after the rules have judged it.
    #[inline]
    pub fn apply(&mut self, step: &Step, position: u64, ordered: bool) {
        self.any_before |= step.before.is_some();
        let may_be_applied = matches!(step.answer, Answer::Accepted | Answer::InDoubt);
        if may_be_applied && step.handle.token.is_none() {
            self.untold.insert(step.handle.lease);
        }
        if step.answer == Answer::InDoubt {
            let token = step.handle.token.unwrap_or(Token::MAX);
            self.unanswered = self.unanswered.max(Some(token));
            if let Some(token) = step.handle.token {
                self.foreign.entry(token, || unread(step)).maybe_own = true;
            }
            return;
        }
        // What is held after a refusal was accepted before it.
        if let Some(held) = step.after.filter(|_| step.answer != Answer::Accepted) {
            self.foreign.entry(held, || unread(step));
        }
        if let Some(before) = step.before.filter(|b| *b != 0)
            && self.generations.get(before).is_none()
        {
            let foreign = self.foreign.entry(before, || unread(step));
            if foreign.count == 0 {
                foreign.first = step.seen();
            }
            foreign.count += 1;
        }
        if ordered {
            // A reading of 0 says that nothing was accepted yet.
            let read = step.before.unwrap_or(0).max(step.after.unwrap_or(0));
            let shown = match step.handle.token {
                Some(token) if step.is_accepted_write() => Some(token.max(read)),
                _ => Some(read).filter(|read| *read > 0),
            };
            let above = |shown: &Token| self.highest().is_none_or(|(highest, _)| *shown > highest);
            if let Some(shown) = shown.filter(above) {
                self.highest = Some((shown, step.seen()));
            }
        }
        if step.is_accepted_write() {
            self.accept(step, position);
        }
    }

    /// The lease of an accepted write was acquired so, as far as is known.
    #[inline]
    pub fn note_writer(&mut self, step: &Step, acquired: Option<&Acquired>) {
        let Some(Acquired { position, .. }) = acquired else {
            return;
        };
        let newest = self.newest_writer.as_ref();
        if newest.is_none_or(|(newest, _)| position > newest) {
            self.newest_writer = Some((*position, step.seen()));
        }
    }

    #[inline]
    fn accept(&mut self, step: &Step, position: u64) {
        if self.first_write.is_none() {
            self.first_write = Some(step.seen());
            self.first_before = step.before;
        }
        self.read_none |= step.before == Some(0);
        self.lacks_reading |= step.before.is_none();
        let Some(token) = step.handle.token else {
            self.readings_incomplete = true;
            return;
        };
        self.readings_incomplete |= step.before.is_none_or(|before| token < before);
        self.greatest = self.greatest.max(Some(token));
        let generation = self.generations.entry(token, || Generation {
            first: step.seen(),
            position,
            operation: step.operation,
            without_operation: false,
            with_before: false,
            several_sources: false,
        });
        let another = step.operation.is_some() && generation.operation != step.operation;
        self.admits_repeats |=
            step.before == Some(token) || another && generation.operation.is_some();
        generation.operation = generation.operation.or(step.operation);
        generation.without_operation |= step.operation.is_none();
        self.some_without_operation |= generation.without_operation;
        generation.with_before |= step.before.is_some();
        generation.several_sources |= generation.first.place.source != step.place.source;
        if let Some(before) = step.before.filter(|before| token > *before) {
            let rise = self.rises.entry(before, || Rise {
                first: step.seen(),
                position,
                operation: None,
                forked: false,
            });
            rise.forked |= rise.forks_with(step);
            rise.operation = rise.operation.or(step.operation);
            self.some_forked |= rise.forked;
        }
    }
}

fn unread(step: &Step) -> Foreign {
    Foreign {
        first: step.seen(),
        count: 0,
        maybe_own: false,
    }
}
