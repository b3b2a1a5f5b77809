//! One resource key: what it believes to be its highest token, and what it truly
//! accepted.
//!
//! The two are kept apart on purpose. A faulty resource loses or never makes the first;
//! the second is what the run knows, and no fault touches it.

use std::collections::VecDeque;

use crate::evidence::{Answer, Token};

use super::event::Grant;
use super::fault::ResourceFault;

/// How many operations of one lock the ledger of a key keeps. Deliveries reach back less
/// far, see [`super::world`].
const LEDGER: usize = 16;

/// An accepted write, as far as later ones are compared with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Its token, 0 where it had none.
    pub token: Token,
    /// Its lock.
    pub lock: u32,
    /// Its lease.
    pub lease: u64,
    /// The event.
    pub event: u64,
}

/// A write as it arrives.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// The lock that the writer believes to hold.
    pub lock: u32,
    /// The lease that the writer shows.
    pub lease: Grant,
    /// The operation.
    pub operation: u64,
    /// The event.
    pub event: u64,
}

/// What the resource did with a write, and what was true just before.
#[derive(Debug, Clone, Copy)]
pub struct Handled {
    /// Its answer.
    pub answer: Answer,
    /// What it read as its highest token, where it reads any.
    pub before: Option<Token>,
    /// What it held afterwards.
    pub after: Option<Token>,
    /// The token it held when it decided, and who wrote that.
    pub held: (Token, Option<Mark>),
    /// The greatest token that it had truly accepted from this lock.
    pub highest: Option<Mark>,
    /// The greatest token that it had truly accepted from any lock.
    pub greatest: Option<Mark>,
    /// The newest lease of this lock whose write it had truly accepted.
    pub newest: Option<Mark>,
}

#[derive(Debug, Clone)]
struct Writer {
    lock: u32,
    highest: Option<Mark>,
    newest: Option<Mark>,
    applied: VecDeque<u64>,
}

/// One resource key.
#[derive(Debug, Clone, Default)]
pub struct Resource {
    held: Token,
    held_by: Option<Mark>,
    replica: (Token, Option<Mark>),
    value: Option<Mark>,
    greatest: Option<Mark>,
    writers: Vec<Writer>,
}

impl Resource {
    /// The write whose value is there now.
    pub fn value(&self) -> Option<Mark> {
        self.value
    }

    /// What the resource reads as its highest token.
    pub fn held(&self) -> Token {
        self.held
    }

    /// Loses the last step of its highest token: the replica that takes over had not
    /// heard of it.
    pub fn fail_over(&mut self) {
        (self.held, self.held_by) = self.replica;
    }

    /// Decides on a write. `checked` is what was read in an earlier step, where the
    /// comparison stands apart from the write.
    pub fn write(
        &mut self,
        request: Request,
        fault: ResourceFault,
        ledger: bool,
        checked: Option<Token>,
    ) -> Handled {
        let token = request.lease.token;
        let (held, greatest) = ((self.held, self.held_by), self.greatest);
        let writer = self.writer(request.lock);
        let (highest, newest) = (writer.highest, writer.newest);
        let repeated = ledger && writer.applied.contains(&request.operation);
        let read = checked.unwrap_or(held.0);
        let answer = match token {
            _ if repeated => Answer::RejectedDuplicate,
            Some(token) if !passes(fault, read, token) => Answer::RejectedStaleFence,
            _ => Answer::Accepted,
        };
        if answer == Answer::Accepted {
            self.accept(request, fault, ledger);
        }
        let reads = token.is_some() && fault != ResourceFault::NoReading;
        Handled {
            answer,
            before: reads.then_some(read),
            after: reads.then_some(self.held),
            held,
            highest,
            greatest,
            newest,
        }
    }

    /// Whether a comparison alone, made now, lets this token pass.
    pub fn would_pass(&self, fault: ResourceFault, token: Option<Token>) -> bool {
        token.is_none_or(|token| passes(fault, self.held, token))
    }

    fn accept(&mut self, request: Request, fault: ResourceFault, ledger: bool) {
        let mark = Mark {
            token: request.lease.token.unwrap_or(0),
            lock: request.lock,
            lease: request.lease.number,
            event: request.event,
        };
        self.value = Some(mark);
        if self
            .greatest
            .is_none_or(|greatest| greatest.token < mark.token)
        {
            self.greatest = Some(mark);
        }
        if fault != ResourceFault::NeverStores && request.lease.token.is_some() {
            self.replica = (self.held, self.held_by);
            self.held = mark.token;
            self.held_by = Some(mark);
        }
        let writer = self.writer(request.lock);
        if request.lease.token.is_some()
            && writer
                .highest
                .is_none_or(|highest| highest.token < mark.token)
        {
            writer.highest = Some(mark);
        }
        if writer.newest.is_none_or(|newest| newest.lease < mark.lease) {
            writer.newest = Some(mark);
        }
        if ledger {
            if writer.applied.len() == LEDGER {
                writer.applied.pop_front();
            }
            writer.applied.push_back(request.operation);
        }
    }

    fn writer(&mut self, lock: u32) -> &mut Writer {
        let index = match self.writers.iter().position(|writer| writer.lock == lock) {
            Some(index) => index,
            None => {
                self.writers.push(Writer {
                    lock,
                    highest: None,
                    newest: None,
                    applied: VecDeque::new(),
                });
                self.writers.len() - 1
            }
        };
        &mut self.writers[index]
    }
}

fn passes(fault: ResourceFault, read: Token, token: Token) -> bool {
    match fault {
        ResourceFault::Unfenced => true,
        ResourceFault::Strict => token > read,
        // "None yet" is no text to compare with.
        ResourceFault::TextCompare => read == 0 || token.to_string() >= read.to_string(),
        ResourceFault::Fenced
        | ResourceFault::CheckThenSet
        | ResourceFault::Forgets
        | ResourceFault::NeverStores
        | ResourceFault::NoReading => token >= read,
    }
}

#[cfg(test)]
mod tests {
    use super::{Grant, Request, Resource, ResourceFault};
    use crate::evidence::Answer;

    fn write(
        resource: &mut Resource,
        fault: ResourceFault,
        token: u64,
        operation: u64,
    ) -> super::Handled {
        let lease = Grant {
            number: token,
            owner: 0,
            token: Some(token),
            event: 0,
        };
        let request = Request {
            lock: 0,
            lease,
            operation,
            event: operation,
        };
        resource.write(request, fault, false, None)
    }

    #[test]
    fn the_first_writes_tell_the_faults_apart() {
        use Answer::{Accepted, RejectedStaleFence};
        for (fault, late, equal, later) in [
            (
                ResourceFault::Fenced,
                RejectedStaleFence,
                Accepted,
                Accepted,
            ),
            (
                ResourceFault::NoReading,
                RejectedStaleFence,
                Accepted,
                Accepted,
            ),
            (
                ResourceFault::Strict,
                RejectedStaleFence,
                RejectedStaleFence,
                Accepted,
            ),
            (ResourceFault::Unfenced, Accepted, Accepted, Accepted),
            (ResourceFault::NeverStores, Accepted, Accepted, Accepted),
            (
                ResourceFault::TextCompare,
                RejectedStaleFence,
                Accepted,
                RejectedStaleFence,
            ),
        ] {
            let mut resource = Resource::default();
            assert_eq!(
                write(&mut resource, fault, 5, 1).answer,
                Accepted,
                "{fault}"
            );
            assert_eq!(write(&mut resource, fault, 4, 2).answer, late, "{fault}");
            // A resource that took the late write holds its token by now.
            let mut resource = Resource::default();
            write(&mut resource, fault, 5, 1);
            assert_eq!(write(&mut resource, fault, 5, 3).answer, equal, "{fault}");
            assert_eq!(write(&mut resource, fault, 10, 4).answer, later, "{fault}");
        }
    }

    #[test]
    fn a_failover_loses_the_last_step_and_the_truth_keeps_it() {
        let mut resource = Resource::default();
        write(&mut resource, ResourceFault::Forgets, 5, 1);
        write(&mut resource, ResourceFault::Forgets, 9, 2);
        resource.fail_over();
        let handled = write(&mut resource, ResourceFault::Forgets, 6, 3);
        assert_eq!(handled.answer, Answer::Accepted);
        assert_eq!(handled.before, Some(5));
        assert_eq!(handled.highest.map(|mark| mark.token), Some(9));
    }

    #[test]
    fn the_ledger_refuses_a_repeat_whatever_its_token() {
        let mut resource = Resource::default();
        let lease = |token| Grant {
            number: token,
            owner: 0,
            token: Some(token),
            event: 0,
        };
        for (token, operation, answer) in [
            (1, 7, Answer::Accepted),
            (1, 7, Answer::RejectedDuplicate),
            (2, 7, Answer::RejectedDuplicate),
            (2, 8, Answer::Accepted),
        ] {
            let request = Request {
                lock: 0,
                lease: lease(token),
                operation,
                event: 0,
            };
            let handled = resource.write(request, ResourceFault::Fenced, true, None);
            assert_eq!(handled.answer, answer);
        }
    }

    #[test]
    fn without_a_token_there_is_nothing_to_read() {
        let mut resource = Resource::default();
        let lease = Grant {
            number: 1,
            owner: 0,
            token: None,
            event: 0,
        };
        let request = Request {
            lock: 0,
            lease,
            operation: 1,
            event: 0,
        };
        let handled = resource.write(request, ResourceFault::Fenced, false, None);
        assert_eq!(
            (handled.answer, handled.before, handled.after),
            (Answer::Accepted, None, None)
        );
    }
}
