//! The run itself: applies one action after the other, and notes what happened.

mod judge;

use std::collections::VecDeque;

use crate::evidence::{Answer, Event as Step, Token};

use super::action::{Action, Delivery, Lost};
use super::authority::Authority;
use super::event::{Current, Event, Grant, Key, Reached};
use super::fact::Fact;
use super::fault::{Faults, KeyFault, ResourceFault, TokenFault};
use super::resource::{Mark, Request, Resource};

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

    fn expire(&mut self, lock: u32) {
        let clock = self.clock;
        let Some(state) = self.locks.get_mut(lock as usize) else {
            return;
        };
        if let Some(grant) = state.authority.expire(clock) {
            let event = Event {
                lease: Some(grant.number),
                token: grant.token,
                ..self.blank(lock, grant.owner, Step::Expire, Answer::Expired)
            };
            self.note(event);
        }
    }

    fn acquire(&mut self, lock: u32, worker: u32, lost: Lost) {
        self.expire(lock);
        if lost == Lost::Request {
            return self.unheard(lock, worker, Step::Acquire, None);
        }
        let (id, until) = (self.next, self.clock + self.setup.ttl);
        let tokens = self.setup.faults.tokens;
        let Some(state) = self.locks.get_mut(lock as usize) else {
            return;
        };
        let Some(grant) = state.authority.acquire(worker, id, until, tokens) else {
            let event = Event {
                reached: lost.into(),
                ..self.blank(lock, worker, Step::Acquire, Answer::AcquireRejectedHeld)
            };
            return self.note(event);
        };
        let mut handle = Handle {
            grant,
            waiting: None,
            checked: None,
        };
        if tokens == TokenFault::AfterAcquire {
            // The line about the lease is written when its token is known; its place in
            // the authority's order is that of the grant.
            state.seq += 1;
            handle.waiting = Some(state.seq);
        } else {
            let event = Event {
                lease: Some(grant.number),
                token: grant.token,
                reached: lost.into(),
                ..self.blank(lock, worker, Step::Acquire, Answer::Acquired)
            };
            self.note(event);
            if let Some(token) = grant.token {
                self.issued(lock, grant, token);
            }
        }
        // Who never heard of the lease does not use it.
        if lost == Lost::Nothing {
            let handles = &mut self.locks[lock as usize].handles;
            if handles.len() == REACH {
                handles.pop_front();
            }
            handles.push_back(handle);
        }
    }

    fn take_token(&mut self, lock: u32, back: u8) {
        let Some(index) = self.index(lock, back) else {
            return;
        };
        let id = self.next;
        let state = &mut self.locks[lock as usize];
        let Some(seq) = state.handles[index].waiting.take() else {
            return;
        };
        let token = state.authority.next_token();
        let grant = &mut state.handles[index].grant;
        (grant.token, grant.event) = (Some(token), id);
        let grant = *grant;
        state.authority.note_token(grant.number, token);
        let event = Event {
            seq,
            lease: Some(grant.number),
            token: grant.token,
            ..self.blank(lock, grant.owner, Step::Acquire, Answer::Acquired)
        };
        self.note(event);
        self.issued(lock, grant, token);
    }

    /// A release or a renewal.
    fn ask(&mut self, lock: u32, back: u8, lost: Lost, step: Step) {
        self.expire(lock);
        self.take_token(lock, back);
        let Some(asked) = self.handle(lock, back) else {
            return;
        };
        if lost == Lost::Request {
            return self.unheard(lock, asked.owner, step, Some(asked));
        }
        let until = self.clock + self.setup.ttl;
        let faults = self.setup.faults;
        let state = &mut self.locks[lock as usize];
        let decision = match step {
            Step::Release => state
                .authority
                .release(asked, faults.release, faults.tokens),
            _ => state.authority.renew(asked, until, faults.renewal),
        };
        let event = Event {
            lease: Some(asked.number),
            token: asked.token,
            reached: lost.into(),
            current: decision.current.map_or(Current::Nobody, Current::Lease),
            ..self.blank(lock, asked.owner, step, decision.answer)
        };
        self.note(event);
        self.judge_request(event, asked, decision);
    }

    /// Takes an operation from the queue and returns its number.
    fn deliver(&mut self, lock: u32, back: u8, op: Delivery) -> Option<u64> {
        self.handle(lock, back)?;
        let state = self.locks.get_mut(lock as usize)?;
        match op {
            Delivery::Again(ago) => {
                let index = state.messages.len().checked_sub(usize::from(ago) + 1)?;
                state.messages.get(index).map(|message| message.operation)
            }
            Delivery::Fresh => {
                let mut message = if state.messages.len() == REACH {
                    state.messages.pop_front().unwrap_or_default()
                } else {
                    Message::default()
                };
                state.operations += 1;
                message.operation = state.operations;
                message.delivered.clear();
                message.applied.clear();
                state.messages.push_back(message);
                Some(state.operations)
            }
        }
    }

    fn check(&mut self, lock: u32, back: u8, op: Delivery, effect: u8) {
        if self.setup.faults.resource != ResourceFault::CheckThenSet {
            return;
        }
        let Some(operation) = self.deliver(lock, back, op) else {
            return;
        };
        self.expire(lock);
        self.take_token(lock, back);
        let (Some(index), Some(lease)) = (self.index(lock, back), self.handle(lock, back)) else {
            return;
        };
        let key = self.key(lock, lease.owner, effect);
        let resource = self.resource(key);
        let read = resource.held();
        if resource.would_pass(ResourceFault::CheckThenSet, lease.token) {
            self.locks[lock as usize].handles[index].checked = Some((operation, effect, read));
        } else {
            self.write(lock, back, operation, effect, None, Lost::Nothing);
        }
    }

    fn set(&mut self, lock: u32, back: u8) {
        let Some(index) = self.index(lock, back) else {
            return;
        };
        if let Some((operation, effect, read)) =
            self.locks[lock as usize].handles[index].checked.take()
        {
            self.write(lock, back, operation, effect, Some(read), Lost::Nothing);
        }
    }

    fn write(
        &mut self,
        lock: u32,
        back: u8,
        operation: u64,
        effect: u8,
        checked: Option<Token>,
        lost: Lost,
    ) {
        self.expire(lock);
        self.take_token(lock, back);
        let Some(lease) = self.handle(lock, back) else {
            return;
        };
        let key = self.key(lock, lease.owner, effect);
        let asked = Event {
            lease: Some(lease.number),
            token: lease.token,
            key: Some(key),
            operation: Some(operation),
            reached: lost.into(),
            ..self.blank(lock, lease.owner, Step::Write, Answer::InDoubt)
        };
        if lost == Lost::Request {
            return self.note(asked);
        }
        let faults = self.setup.faults;
        let request = Request {
            lock,
            lease,
            operation,
            event: asked.id,
        };
        let handled = self
            .resource(key)
            .write(request, faults.resource, faults.ledger, checked);
        let event = Event {
            answer: handled.answer,
            before: handled.before,
            after: handled.after,
            ..asked
        };
        self.note(event);
        self.judge_write(event, lease, &handled);
        self.judge_delivery(event, operation);
        if handled.answer == Answer::Accepted {
            self.raise(lock, key, lease, event.id);
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

    fn key(&self, lock: u32, owner: u32, effect: u8) -> Key {
        match self.setup.faults.keys {
            KeyFault::One => Key {
                item: lock,
                part: 0,
            },
            KeyFault::Split => Key {
                item: lock,
                part: owner + 1,
            },
            KeyFault::PerEffect => Key {
                item: lock,
                part: u32::from(effect % 2) + 1,
            },
            KeyFault::TwoLocks => Key {
                item: lock & !1,
                part: 0,
            },
        }
    }

    fn resource(&mut self, key: Key) -> &mut Resource {
        let resources = &mut self.locks[key.item as usize].resources;
        let index = match resources.iter().position(|(part, _)| *part == key.part) {
            Some(index) => index,
            None => {
                resources.push((key.part, Resource::default()));
                resources.len() - 1
            }
        };
        &mut resources[index].1
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
