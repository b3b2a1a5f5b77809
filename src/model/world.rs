//! The run itself: applies one action after the other, and notes what happened.

mod judge;
mod leases;
mod writes;

use std::collections::VecDeque;

use crate::evidence::{Answer, Event as Step, Token};

use super::action::Action;
use super::authority::Authority;
use super::event::{Current, Event, Grant, Key, Reached};
use super::fact::Fact;
use super::fault::{Faults, ResourceFault, TokenFault};
use super::resource::{Mark, Resource};

/// How many handles of a lock may still be used, and how many operations may still be
/// delivered again.
pub const REACH: usize = 8;

/// What a run consists of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setup {
    /// How many locks.
    pub locks: u32,
    /// How many workers.
    pub workers: u32,
    /// How long a lease lasts, in microseconds.
    pub ttl: u64,
    /// What is wrong.
    pub faults: Faults,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            locks: 1,
            workers: 2,
            ttl: 5_000_000,
            faults: Faults::default(),
        }
    }
}

/// A handle in the hand of its worker.
#[derive(Debug, Clone, Copy)]
struct Handle {
    grant: Grant,
    /// The position of the grant, where its event waits for the token.
    waiting: Option<u64>,
    /// The write that was compared and not yet made.
    checked: Option<(u64, u8, Token)>,
}

#[derive(Debug, Clone, Copy)]
struct Applied {
    key: Key,
    lease: u64,
    event: u64,
}

#[derive(Debug, Clone, Default)]
struct Message {
    operation: u64,
    /// Where it was delivered, whatever the answer.
    delivered: Vec<Applied>,
    applied: Vec<Applied>,
}

/// A token as it was issued last.
#[derive(Debug, Clone, Copy)]
struct Issued {
    lease: u64,
    event: u64,
}

#[derive(Debug, Clone, Default)]
struct LockState {
    authority: Authority,
    seq: u64,
    handles: VecDeque<Handle>,
    messages: VecDeque<Message>,
    operations: u64,
    /// By token, where tokens may repeat.
    issued: Vec<Option<Issued>>,
    /// The greatest accepted token of this lock at each key.
    highest: Vec<(Key, Mark)>,
    /// The keys that this lock is the first owner of.
    resources: Vec<(u32, Resource)>,
}

/// The authority, the resource, the workers and the queue of one run.
#[derive(Debug, Clone)]
pub struct World {
    setup: Setup,
    clock: u64,
    next: u64,
    locks: Vec<LockState>,
    events: Vec<Event>,
    facts: Vec<Fact>,
}

impl World {
    /// A world in which nothing has happened.
    pub fn new(setup: Setup) -> World {
        World {
            setup,
            clock: 0,
            next: 0,
            locks: vec![LockState::default(); setup.locks as usize],
            events: Vec::new(),
            facts: Vec::new(),
        }
    }

    /// What it consists of.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The logical clock, in microseconds.
    pub fn clock(&self) -> u64 {
        self.clock
    }

    /// How many events happened.
    pub fn happened(&self) -> u64 {
        self.next
    }

    /// What happened since the last [`World::forget`], and what is true of it.
    pub fn news(&self) -> (&[Event], &[Fact]) {
        (&self.events, &self.facts)
    }

    /// Lets go of the events and facts noted so far.
    pub fn forget(&mut self) {
        self.events.clear();
        self.facts.clear();
    }

    /// The lease that the authority of a lock counts as held.
    pub fn holder(&self, lock: u32) -> Option<Grant> {
        self.locks.get(lock as usize)?.authority.holder()
    }

    /// The handle that `back` picks.
    pub fn handle(&self, lock: u32, back: u8) -> Option<Grant> {
        let handles = &self.locks.get(lock as usize)?.handles;
        let index = handles.len().checked_sub(usize::from(back) + 1)?;
        handles.get(index).map(|handle| handle.grant)
    }

    /// Whether that handle has a comparison that waits for its write.
    pub fn has_checked(&self, lock: u32, back: u8) -> bool {
        self.locks.get(lock as usize).is_some_and(|state| {
            let index = state.handles.len().checked_sub(usize::from(back) + 1);
            index
                .and_then(|index| state.handles.get(index))
                .is_some_and(|handle| handle.checked.is_some())
        })
    }

    /// The write whose value a key of this lock holds.
    pub fn value(&self, lock: u32, part: u32) -> Option<Mark> {
        let key = self.key(lock, 0, 0);
        let resources = &self.locks.get(key.item as usize)?.resources;
        resources.iter().find(|(of, _)| *of == part)?.1.value()
    }

    /// Does one action.
    pub fn apply(&mut self, action: Action) {
        match action {
            Action::Advance { us } => self.clock = self.clock.saturating_add(us),
            Action::Expire { lock } => self.expire(lock),
            Action::Acquire { lock, worker, lost } => self.acquire(lock, worker, lost),
            Action::TakeToken { lock, back } => self.take_token(lock, back),
            Action::Renew { lock, back, lost } => self.ask(lock, back, lost, Step::Renew),
            Action::Release { lock, back, lost } => self.ask(lock, back, lost, Step::Release),
            Action::Write {
                lock,
                back,
                op,
                effect,
                lost,
            } => {
                if let Some(operation) = self.deliver(lock, back, op) {
                    self.write(lock, back, operation, effect, None, lost);
                }
            }
            Action::Check {
                lock,
                back,
                op,
                effect,
            } => self.check(lock, back, op, effect),
            Action::Set { lock, back } => self.set(lock, back),
            Action::Restart { lock } if self.setup.faults.tokens == TokenFault::Reset => {
                if let Some(state) = self.locks.get_mut(lock as usize) {
                    state.authority.restart();
                }
            }
            Action::FailOver { lock } if self.setup.faults.resource == ResourceFault::Forgets => {
                if let Some(state) = self.locks.get_mut(lock as usize) {
                    state
                        .resources
                        .iter_mut()
                        .for_each(|(_, resource)| resource.fail_over());
                }
            }
            Action::Restart { .. } | Action::FailOver { .. } => {}
        }
    }

    /// The request was lost: only who asked knows that it asked.
    fn unheard(&mut self, lock: u32, owner: u32, step: Step, asked: Option<Grant>) {
        let event = Event {
            lease: asked.map(|grant| grant.number),
            token: asked.and_then(|grant| grant.token),
            reached: Reached::Neither,
            ..self.blank(lock, owner, step, Answer::InDoubt)
        };
        self.note(event);
    }

    fn index(&self, lock: u32, back: u8) -> Option<usize> {
        let handles = &self.locks.get(lock as usize)?.handles;
        handles.len().checked_sub(usize::from(back) + 1)
    }

    fn blank(&self, lock: u32, owner: u32, step: Step, answer: Answer) -> Event {
        Event {
            id: self.next,
            lock,
            step,
            answer,
            reached: Reached::Both,
            owner,
            lease: None,
            token: None,
            before: None,
            after: None,
            key: None,
            operation: None,
            current: Current::NotAsked,
            seq: 0,
            at: self.clock,
        }
    }

    fn note(&mut self, mut event: Event) {
        self.next += 1;
        if event.seq == 0 {
            let seq = &mut self.locks[event.lock as usize].seq;
            *seq += 1;
            event.seq = *seq;
        }
        self.events.push(event);
    }
}
