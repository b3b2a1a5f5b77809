//! What is true of an event, from the state in which it was decided.

use std::cmp::Ordering;

use crate::evidence::{Answer, Event as Step, Token};

use super::{Applied, Issued, REACH, World};
use crate::model::authority::Decision;
use crate::model::event::{Event, Grant, Key};
use crate::model::fact::{Fact, FactKind};
use crate::model::fault::{KeyFault, TokenFault};
use crate::model::resource::{Handled, Mark};

impl World {
    /// Compares a token with all that were issued before it at this lock.
    pub(super) fn issued(&mut self, lock: u32, grant: Grant, token: Token) {
        let tokens = self.setup.faults.tokens;
        if tokens == TokenFault::Ordered {
            return;
        }
        let state = &mut self.locks[lock as usize];
        let slot = usize::try_from(token).unwrap_or(usize::MAX).min(1 << 20);
        if state.issued.len() <= slot {
            state.issued.resize(slot + 1, None);
        }
        let same = state.issued[slot];
        let greater = state.issued[slot + 1..]
            .iter()
            .flatten()
            .next_back()
            .copied();
        let later = state.issued[..slot]
            .iter()
            .flatten()
            .rfind(|issued| issued.lease > grant.number)
            .copied();
        state.issued[slot] = Some(Issued {
            lease: grant.number,
            event: grant.event,
        });
        let mut fact = |kind, other: Issued, lease, implied| {
            self.facts.push(Fact {
                other: Some(other.event),
                token: Some(token),
                lease: Some(lease),
                implied,
                ..Fact::of(kind, grant.event, lock)
            });
        };
        if let Some(same) = same {
            fact(FactKind::TokenShared, same, grant.number, false);
        }
        if let Some(greater) = greater {
            fact(
                FactKind::TokenWentBack,
                greater,
                grant.number,
                same.is_some(),
            );
        }
        if let Some(later) = later {
            fact(FactKind::TokenOutOfStep, later, later.lease, false);
        }
    }

    pub(super) fn judge_request(&mut self, event: Event, asked: Grant, decision: Decision) {
        let foreign = |grant: &Grant| grant.number != asked.number;
        let renewal = event.step == Step::Renew;
        let (kind, met) = match decision {
            Decision {
                touched: Some(touched),
                ..
            } if foreign(&touched) => {
                let kind = if renewal {
                    FactKind::RenewedOtherLease
                } else {
                    FactKind::RemovedOtherLease
                };
                (kind, touched)
            }
            // An old holder was told that it still holds the lock while another does.
            Decision {
                touched: None,
                current: Some(current),
                answer: Answer::Renewed,
            } => (FactKind::RenewedOtherLease, current),
            Decision {
                touched: None,
                current: Some(current),
                answer: Answer::ReleaseRejectedNotOwner,
            } => (FactKind::OldReleaseRefused, current),
            _ => return,
        };
        self.facts.push(Fact {
            other: Some(met.event),
            token: asked.token,
            lease: Some(met.number),
            ..Fact::of(kind, event.id, event.lock)
        });
    }

    pub(super) fn judge_write(&mut self, event: Event, lease: Grant, handled: &Handled) {
        let of = |kind, met| Fact::of_write(kind, event, lease, met);
        let foreign = handled.held.1.filter(|mark| mark.lock != event.lock);
        if foreign.is_some() && event.answer != Answer::RejectedDuplicate {
            self.facts.push(of(FactKind::HeldTokenOfOtherLock, foreign));
        }
        match (event.token, event.answer) {
            (Some(token), Answer::Accepted) => self.judge_accepted(event, lease, token, handled),
            (Some(token), Answer::RejectedStaleFence) => {
                self.facts.extend(stale(event, lease, token, handled));
            }
            (None, Answer::Accepted) => {
                let newest = handled.newest;
                let over = newest.filter(|newest| newest.lease > lease.number);
                if over.is_some() {
                    self.facts.push(of(FactKind::AppliedUnderOldLease, over));
                }
            }
            _ => {}
        }
    }

    /// What an accepted write with a token shows.
    fn judge_accepted(&mut self, event: Event, lease: Grant, token: u64, handled: &Handled) {
        let Handled {
            held,
            highest,
            greatest,
            ..
        } = *handled;
        let mut fact = |kind, met, implied| {
            self.facts.push(Fact {
                implied,
                ..Fact::of_write(kind, event, lease, met)
            });
        };
        let over = highest.filter(|highest| highest.token > token);
        let late = over.is_some() || held.0 > token;
        let read = handled.before.unwrap_or(held.0);
        if late {
            // Below a token of another lock that it did not read: no record of this lock can
            // show it.
            let hidden = over.is_none() && read <= token;
            fact(FactKind::AppliedBelowHighest, over.or(held.1), hidden);
        }
        if handled.after.is_some_and(|after| after < token) {
            fact(FactKind::HighestNotStored, None, false);
        }
        let lost = highest.filter(|highest| highest.token > read);
        let lost_of_any = greatest.filter(|greatest| greatest.token > read);
        if lost.is_some() {
            fact(FactKind::HighestLost, lost, late);
        } else if lost_of_any.is_some() {
            fact(FactKind::HighestLost, lost_of_any, true);
        }
        let elsewhere = self.locks[event.lock as usize]
            .highest
            .iter()
            .filter(|(key, mark)| Some(*key) != event.key && mark.token > token)
            .map(|(_, mark)| *mark)
            .next_back();
        if elsewhere.is_some() {
            let implied = late || lost.is_some();
            fact(FactKind::AppliedBelowOtherKey, elsewhere, implied);
        }
    }

    pub(super) fn judge_delivery(&mut self, event: Event, operation: u64) {
        let state = &mut self.locks[event.lock as usize];
        let (Some(key), Some(lease)) = (event.key, event.lease) else {
            return;
        };
        let Some(message) = state
            .messages
            .iter_mut()
            .find(|message| message.operation == operation)
        else {
            return;
        };
        let effects = self.setup.faults.keys == KeyFault::PerEffect;
        // Another effect of one operation under one lease is no repetition.
        let repeats = |known: &&Applied| known.key == key || known.lease != lease || !effects;
        let before = message
            .applied
            .iter()
            .find(repeats)
            .map(|known| known.event);
        let first = message
            .delivered
            .iter()
            .find(repeats)
            .map(|known| known.event);
        let kind = match (event.answer, before) {
            (Answer::Accepted, Some(_)) => Some(FactKind::AppliedAgain),
            (Answer::RejectedStaleFence | Answer::RejectedDuplicate, Some(_)) => {
                Some(FactKind::RefusedAgain)
            }
            _ => None,
        };
        let this = Applied {
            key,
            lease,
            event: event.id,
        };
        if message.delivered.len() < REACH {
            message.delivered.push(this);
        }
        if event.answer == Answer::Accepted && message.applied.len() < REACH {
            message.applied.push(this);
        }
        let fact = Fact {
            key: Some(key),
            token: event.token,
            lease: Some(lease),
            operation: Some(operation),
            ..Fact::of(FactKind::DeliveredAgain, event.id, event.lock)
        };
        if kind == Some(FactKind::RefusedAgain) {
            let own = self.facts.iter_mut().filter(|fact| fact.event == event.id);
            own.filter(|fact| fact.kind == FactKind::EqualRefused)
                .for_each(|fact| fact.implied = true);
        }
        if let Some(kind) = kind {
            self.facts.push(Fact {
                kind,
                other: before,
                ..fact
            });
        }
        if first.is_some() {
            self.facts.push(Fact {
                other: first,
                implied: true,
                ..fact
            });
        }
    }

    /// Notes an accepted write among the greatest tokens of its lock.
    pub(super) fn raise(&mut self, lock: u32, key: Key, lease: Grant, event: u64) {
        let Some(token) = lease.token else {
            return;
        };
        let split = self.setup.faults.keys == KeyFault::Split;
        let mark = Mark {
            token,
            lock,
            lease: lease.number,
            event,
        };
        let highest = &mut self.locks[lock as usize].highest;
        match highest.iter_mut().find(|(of, _)| *of == key) {
            Some((_, held)) if held.token < token => *held = mark,
            Some(_) => {}
            None => {
                highest.push((key, mark));
                if split && let [.., (_, other), _] = highest.as_slice() {
                    let other = Some(other.event);
                    self.facts.push(Fact {
                        other,
                        key: Some(key),
                        token: Some(token),
                        implied: true,
                        ..Fact::of(FactKind::KeysDiverge, event, lock)
                    });
                }
            }
        }
    }
}

/// What a refusal of a token as stale shows.
fn stale(event: Event, lease: Grant, token: u64, handled: &Handled) -> Option<Fact> {
    let over = handled.highest.filter(|highest| highest.token > token);
    let own = || handled.held.1.filter(|mark| mark.lock == event.lock);
    let by = over.or_else(own)?;
    let kind = match by.token.cmp(&token) {
        Ordering::Greater if by.lease > lease.number => FactKind::OldWriteRefused,
        Ordering::Greater => FactKind::RefusedByTokenOrder,
        Ordering::Equal if by.lease != lease.number => FactKind::RefusedByTokenOrder,
        Ordering::Equal => FactKind::EqualRefused,
        Ordering::Less => FactKind::RefusedInOrder,
    };
    Some(Fact {
        implied: kind == FactKind::RefusedByTokenOrder,
        ..Fact::of_write(kind, event, lease, Some(by))
    })
}

impl Fact {
    fn of(kind: FactKind, event: u64, lock: u32) -> Fact {
        Fact {
            kind,
            event,
            other: None,
            lock,
            key: None,
            token: None,
            lease: None,
            operation: None,
            implied: false,
        }
    }

    /// The fact of a write under a lease, and what it met.
    fn of_write(kind: FactKind, event: Event, lease: Grant, met: Option<Mark>) -> Fact {
        Fact {
            other: met.map(|mark| mark.event),
            key: event.key,
            token: event.token,
            lease: Some(lease.number),
            operation: event.operation,
            ..Fact::of(kind, event.id, event.lock)
        }
    }
}
