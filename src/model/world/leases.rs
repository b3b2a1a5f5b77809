//! Steps at the authority: leases are given, tokens taken, leases renewed, released and ended.

use super::{Handle, REACH, World};
use crate::evidence::{Answer, Event as Step};
use crate::model::action::Lost;
use crate::model::event::{Current, Event};
use crate::model::fault::TokenFault;

impl World {
    pub(super) fn expire(&mut self, lock: u32) {
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

    pub(super) fn acquire(&mut self, lock: u32, worker: u32, lost: Lost) {
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

    pub(super) fn take_token(&mut self, lock: u32, back: u8) {
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
    pub(super) fn ask(&mut self, lock: u32, back: u8, lost: Lost, step: Step) {
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
}
