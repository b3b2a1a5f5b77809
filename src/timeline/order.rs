//! Whether the records of a lock stand in a known order, and how much it may prove.

use super::step::Step;
use crate::diagnosis::OrderBy;
use crate::evidence::{Answer, Event, Origin};
use crate::incident::WithheldReason;

/// How the steps of one lock are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// By `seq`, across inputs.
    BySeq,
    /// By the lines of each input; between inputs there is no order.
    ByLine,
    /// Not at all.
    Unknown(WithheldReason),
}

/// How much an order may prove about two steps that it orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// The resource or the authority decided in this order.
    Deciding,
    /// Somebody numbered what they saw.
    Counted,
    /// Lines stood in this order.
    Lines,
}

/// What the records of a lock say of their order, gathered as they arrive.
#[derive(Debug, Clone, Copy, Default)]
pub struct OrderFacts {
    records: u64,
    with_seq: u64,
    source: Option<u32>,
    several_sources: bool,
    shared_seq: bool,
    beyond_memory: bool,
    writes: Origins,
    leases: Origins,
}

/// Who numbered the steps of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Origins {
    /// No step yet.
    #[default]
    None,
    /// All were numbered by the same deciding party.
    Decider(Origin),
    /// Somebody else, or more than one.
    Other,
}

impl Origins {
    fn note(&mut self, origin: Option<Origin>) {
        *self = match (*self, origin.filter(|origin| origin.decides())) {
            (Origins::None, Some(origin)) => Origins::Decider(origin),
            (Origins::Decider(known), Some(origin)) if known == origin => *self,
            _ => Origins::Other,
        };
    }
}

impl OrderFacts {
    /// Takes the arrival of a step into account.
    pub fn note(&mut self, step: &Step, vouched: Option<Origin>) {
        self.records += 1;
        self.with_seq += u64::from(step.seq.is_some());
        self.several_sources |= self
            .source
            .is_some_and(|source| source != step.place.source);
        self.source = Some(step.place.source);
        // What was not answered raises no fact, so its number decides nothing either.
        if step.answer != Answer::InDoubt {
            let origin = step.seq.and(step.seq_by.or(vouched));
            match step.event {
                Event::Write => self.writes.note(origin),
                _ => self.leases.note(origin),
            }
        }
    }

    /// A step turned out to be a repetition of an earlier one.
    pub fn forget_repeated(&mut self) {
        self.records -= 1;
        self.with_seq -= 1;
    }

    /// Two different steps share a `seq`.
    pub fn note_shared_seq(&mut self) {
        self.shared_seq = true;
    }

    /// A step came whose place in the order had been passed already.
    pub fn note_beyond_memory(&mut self) {
        self.beyond_memory = true;
    }

    /// The order of the lock's steps, as far as the steps seen so far tell.
    pub fn order(&self, by: OrderBy) -> Order {
        let by_seq = || {
            if self.beyond_memory {
                Order::Unknown(WithheldReason::ReorderMemory)
            } else if self.shared_seq {
                Order::Unknown(WithheldReason::SeqShared)
            } else {
                Order::BySeq
            }
        };
        match by {
            OrderBy::None => Order::Unknown(WithheldReason::OrderNotUsed),
            OrderBy::Input => Order::ByLine,
            OrderBy::Auto if self.with_seq == 0 => Order::ByLine,
            OrderBy::Auto | OrderBy::Seq if self.with_seq == self.records => by_seq(),
            OrderBy::Seq if self.with_seq == 0 => Order::Unknown(WithheldReason::OrderNotUsed),
            OrderBy::Auto | OrderBy::Seq => Order::Unknown(WithheldReason::SeqOnSomeRecords),
        }
    }

    /// Why verdicts that need order are withheld, where some are: a lock with one record
    /// has nothing to order.
    pub fn withheld(&self, by: OrderBy) -> Option<WithheldReason> {
        match self.order(by) {
            _ if self.records < 2 => None,
            Order::Unknown(reason) => Some(reason),
            Order::ByLine if self.several_sources => Some(WithheldReason::SeveralInputs),
            Order::ByLine | Order::BySeq => None,
        }
    }

    /// How much the order of writes may prove.
    pub fn strength_of_writes(&self, by: OrderBy) -> Strength {
        self.strength(by, self.writes)
    }

    /// How much the order of acquisitions, renewals, expiries and releases may prove.
    pub fn strength_of_leases(&self, by: OrderBy) -> Strength {
        self.strength(by, self.leases)
    }

    fn strength(&self, by: OrderBy, origins: Origins) -> Strength {
        match (self.order(by), origins) {
            (Order::BySeq, Origins::Decider(_)) => Strength::Deciding,
            (Order::BySeq, _) => Strength::Counted,
            _ => Strength::Lines,
        }
    }
}
