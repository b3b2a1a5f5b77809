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
    /// Up to the greatest number that fits: there may be millions of locks.
    records: u32,
    /// Of the latest record.
    source: u32,
    seen: Seen,
    writes: Origins,
    leases: Origins,
}

/// Which of these were seen, each a bit of one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Seen(u8);

impl Seen {
    /// A record with `seq`.
    const SEQ: Seen = Seen(1);
    /// A record without.
    const NO_SEQ: Seen = Seen(2);
    /// Records of several inputs.
    const SEVERAL_SOURCES: Seen = Seen(4);
    /// Two different steps with one `seq`.
    const SHARED_SEQ: Seen = Seen(8);
    /// A step whose place in the order had been passed already.
    const BEYOND_MEMORY: Seen = Seen(16);
    /// Leases that were used before they were acquired, by the order of lines.
    const BACKWARDS: Seen = Seen(32);

    fn note(&mut self, what: Seen) {
        self.0 |= what.0;
    }

    fn has(self, what: Seen) -> bool {
        self.0 & what.0 != 0
    }
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
        let numbered = step.seq.map(|_| step.seq_by.or(vouched));
        self.note_record(step.place.source, step.event, step.answer, numbered);
    }

    /// Takes the arrival of a record from `source` into account. `numbered` is whether it
    /// carries a `seq`, and who gave it.
    pub fn note_record(
        &mut self,
        source: u32,
        event: Event,
        answer: Answer,
        numbered: Option<Option<Origin>>,
    ) {
        if self.records > 0 && self.source != source {
            self.seen.note(Seen::SEVERAL_SOURCES);
        }
        self.source = source;
        self.records = self.records.saturating_add(1);
        self.seen.note(match numbered {
            Some(_) => Seen::SEQ,
            None => Seen::NO_SEQ,
        });
        // What was not answered raises no fact, so its number decides nothing either.
        if answer != Answer::InDoubt {
            match event {
                Event::Write => self.writes.note(numbered.flatten()),
                _ => self.leases.note(numbered.flatten()),
            }
        }
    }

    /// A step turned out to be a repetition of an earlier one.
    pub fn forget_repeated(&mut self) {
        self.records = self.records.saturating_sub(1);
    }

    /// Two different steps share a `seq`.
    pub fn note_shared_seq(&mut self) {
        self.seen.note(Seen::SHARED_SEQ);
    }

    /// A step came whose place in the order had been passed already.
    pub fn note_beyond_memory(&mut self) {
        self.seen.note(Seen::BEYOND_MEMORY);
    }

    /// The lines of the lock run backwards.
    pub fn note_backwards(&mut self) {
        self.seen.note(Seen::BACKWARDS);
    }

    /// The order of the lock's steps, as far as the steps seen so far tell.
    pub fn order(&self, by: OrderBy) -> Order {
        let by_seq = || {
            if self.seen.has(Seen::BEYOND_MEMORY) {
                Order::Unknown(WithheldReason::ReorderMemory)
            } else if self.seen.has(Seen::SHARED_SEQ) {
                Order::Unknown(WithheldReason::SeqShared)
            } else {
                Order::BySeq
            }
        };
        match by {
            OrderBy::None => Order::Unknown(WithheldReason::OrderNotUsed),
            OrderBy::Input => Order::ByLine,
            OrderBy::Auto if !self.seen.has(Seen::SEQ) => match self.seen.has(Seen::BACKWARDS) {
                true => Order::Unknown(WithheldReason::LinesBackwards),
                false => Order::ByLine,
            },
            OrderBy::Auto | OrderBy::Seq if !self.seen.has(Seen::NO_SEQ) => by_seq(),
            OrderBy::Seq if !self.seen.has(Seen::SEQ) => {
                Order::Unknown(WithheldReason::OrderNotUsed)
            }
            OrderBy::Auto | OrderBy::Seq => Order::Unknown(WithheldReason::SeqOnSomeRecords),
        }
    }

    /// Why verdicts that need order are withheld, where some are: a lock with one record
    /// has nothing to order.
    pub fn withheld(&self, by: OrderBy) -> Option<WithheldReason> {
        match self.order(by) {
            _ if self.records < 2 => None,
            Order::Unknown(reason) => Some(reason),
            Order::ByLine if self.seen.has(Seen::SEVERAL_SOURCES) => {
                Some(WithheldReason::SeveralInputs)
            }
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

    /// Whether every write has a `seq` of the deciding side, whatever the order of the lock.
    pub fn writes_by_decider(&self) -> bool {
        matches!(self.writes, Origins::Decider(_))
    }

    /// The same of acquisitions, renewals, expiries and releases.
    pub fn leases_by_decider(&self) -> bool {
        matches!(self.leases, Origins::Decider(_))
    }

    fn strength(&self, by: OrderBy, origins: Origins) -> Strength {
        match (self.order(by), origins) {
            (Order::BySeq, Origins::Decider(_)) => Strength::Deciding,
            (Order::BySeq, _) => Strength::Counted,
            _ => Strength::Lines,
        }
    }
}
