//! Which operations the resource applied.

use hashbrown::HashMap;

use super::step::{Seen, Step};
use super::symbols::Symbol;
use crate::evidence::Token;

/// One accepted delivery of an operation.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// The record.
    pub seen: Seen,
    /// The resource key.
    pub key: Option<Symbol>,
    /// The highest token that the resource read.
    pub before: Option<Token>,
}

/// The accepted deliveries of every operation of one lock.
///
/// An operation keeps its first delivery for every token and key, so a delivery that
/// comes a thousand times takes the room of one.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    first: HashMap<Symbol, Delivery, foldhash::fast::FixedState>,
    others: HashMap<Symbol, Vec<Delivery>, foldhash::fast::FixedState>,
}

impl Ledger {
    /// The deliveries of `operation` so far, first one first.
    pub fn deliveries(&self, operation: Symbol) -> impl Iterator<Item = &Delivery> {
        let others = self.others.get(&operation).into_iter().flatten();
        self.first.get(&operation).into_iter().chain(others)
    }

    /// Whether the operation was applied before.
    pub fn has(&self, operation: Symbol) -> bool {
        self.first.contains_key(&operation)
    }

    /// Takes an accepted write into account.
    pub fn apply(&mut self, step: &Step) {
        let Some(operation) = step.operation.filter(|_| step.is_accepted_write()) else {
            return;
        };
        let delivery = Delivery {
            seen: step.seen(),
            key: step.key,
            before: step.before,
        };
        let known = self
            .deliveries(operation)
            .any(|known| known.key == step.key && known.seen.handle.token == step.handle.token);
        if !self.has(operation) {
            self.first.insert(operation, delivery);
        } else if !known {
            self.others.entry(operation).or_default().push(delivery);
        }
    }
}
