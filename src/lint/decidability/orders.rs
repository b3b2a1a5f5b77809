//! What the order of one lock's records is good for.

use super::{Need, On, OrderNeed};
use crate::diagnosis::OrderBy;
use crate::evidence::Field;
use crate::timeline::{Order, OrderFacts, Strength};

/// The order of one lock, as recipes ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Orders {
    by_seq: bool,
    known: bool,
    pub(super) across_inputs: bool,
    writes: bool,
    leases: bool,
    /// Whether every `seq` of a write is the deciding side's, whatever it orders.
    by_decider_of_writes: bool,
    /// The same of lease steps.
    by_decider_of_leases: bool,
}

impl Orders {
    pub(super) fn of(facts: &OrderFacts, by: OrderBy) -> Orders {
        let order = facts.order(by);
        Orders {
            by_seq: order == Order::BySeq,
            known: !matches!(order, Order::Unknown(_)),
            across_inputs: facts.withheld(by).is_none(),
            writes: facts.strength_of_writes(by) == Strength::Deciding,
            leases: facts.strength_of_leases(by) == Strength::Deciding,
            by_decider_of_writes: facts.writes_by_decider(),
            by_decider_of_leases: facts.leases_by_decider(),
        }
    }

    /// The same, where it is not known whether two records share a `seq`.
    pub(super) fn forgotten(mut facts: OrderFacts, by: OrderBy) -> Orders {
        facts.note_beyond_memory();
        Orders::of(&facts, by)
    }

    pub(super) fn satisfies(&self, need: OrderNeed) -> bool {
        match need {
            OrderNeed::None => true,
            OrderNeed::Known => self.known,
            OrderNeed::Writes => self.writes,
            OrderNeed::Leases => self.leases,
        }
    }

    /// The fields that would bring the order about.
    pub(super) fn missing(&self, need: OrderNeed, needs: &mut Vec<Need>) {
        let mut add = |on, field| needs.push(Need { on, field });
        let short = match need {
            OrderNeed::None => return,
            OrderNeed::Known => !self.across_inputs || !self.known,
            OrderNeed::Writes | OrderNeed::Leases => !self.by_seq,
        };
        if short {
            add(On::EveryRecord, Field::Seq);
        }
        match need {
            OrderNeed::Writes if !self.by_decider_of_writes => add(On::Write, Field::SeqBy),
            OrderNeed::Leases if !self.by_decider_of_leases => add(On::LeaseSteps, Field::SeqBy),
            _ => {}
        }
    }
}
