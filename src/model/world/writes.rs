//! Steps at the resource: operations are delivered, compared and written.

use super::{Message, REACH, World};
use crate::evidence::{Answer, Event as Step, Token};
use crate::model::action::{Delivery, Lost};
use crate::model::event::{Event, Key};
use crate::model::fault::{KeyFault, ResourceFault};
use crate::model::resource::{Request, Resource};

impl World {
    /// Takes an operation from the queue and returns its number.
    pub(super) fn deliver(&mut self, lock: u32, back: u8, op: Delivery) -> Option<u64> {
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

    pub(super) fn check(&mut self, lock: u32, back: u8, op: Delivery, effect: u8) {
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

    pub(super) fn set(&mut self, lock: u32, back: u8) {
        let Some(index) = self.index(lock, back) else {
            return;
        };
        if let Some((operation, effect, read)) =
            self.locks[lock as usize].handles[index].checked.take()
        {
            self.write(lock, back, operation, effect, Some(read), Lost::Nothing);
        }
    }

    pub(super) fn write(
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

    pub(super) fn key(&self, lock: u32, owner: u32, effect: u8) -> Key {
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
}
