//! Which operations the resource applied.

use std::num::NonZeroU32;

use super::small_map::{SmallMap, empty};
use super::step::{Seen, Step};
use super::symbols::Symbol;
use crate::evidence::Token;

/// An accepted delivery of an operation, or several with one token at one key.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    /// The first record.
    pub seen: Seen,
    /// The resource key.
    pub key: Option<Symbol>,
    /// The first owner that a record of it names.
    pub owner: Option<Symbol>,
    /// The first lease that a record of it names.
    pub lease: Option<Symbol>,
    /// The first highest token that the resource read.
    pub before: Option<Token>,
}

/// The accepted deliveries of every operation of one lock.
///
/// An operation keeps one delivery for every token and key, so what comes a thousand times
/// takes the room of one.
#[derive(Debug, Clone, Default)]
pub struct Ledger {
    /// Where in `deliveries` the first one of an operation is.
    first: SmallMap<Symbol, u32>,
    /// Each with where the next one of the same operation is.
    deliveries: Vec<(Delivery, Option<NonZeroU32>)>,
}

impl Ledger {
    /// Whether `operation` was delivered before.
    #[inline]
    pub fn knows(&self, operation: Symbol) -> bool {
        self.first.get(operation).is_some()
    }

    /// The deliveries of `operation` so far, first one first.
    pub fn deliveries(&self, operation: Symbol) -> impl Iterator<Item = &Delivery> {
        let mut next = self.first.get(operation).copied();
        std::iter::from_fn(move || {
            let (delivery, following) = self.deliveries.get(next? as usize)?;
            next = following.map(NonZeroU32::get);
            Some(delivery)
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let Ledger { first, deliveries } = self;
        first.clear();
        empty(deliveries);
    }

    /// Takes an accepted write into account.
    #[inline]
    pub fn apply(&mut self, step: &Step) {
        let Some(operation) = step.operation.filter(|_| step.is_accepted_write()) else {
            return;
        };
        // A lock with 2^32 operations would need more memory than any machine has.
        let next = u32::try_from(self.deliveries.len()).unwrap_or(u32::MAX);
        let first = *self.first.entry(operation, || next);
        if first != next && !self.follows(step, first, next) {
            return;
        }
        let delivery = Delivery {
            seen: step.seen(),
            key: step.key,
            owner: step.handle.owner,
            lease: step.handle.lease,
            before: step.before,
        };
        self.deliveries.push((delivery, None));
    }

    /// Whether an accepted write is another delivery than those of its operation from `at`
    /// on; the last of them is then told that it is `next`.
    #[inline(never)]
    fn follows(&mut self, step: &Step, mut at: u32, next: u32) -> bool {
        while let Some((known, following)) = self.deliveries.get_mut(at as usize) {
            if known.key == step.key && known.seen.handle.token == step.handle.token {
                known.owner = known.owner.or(step.handle.owner);
                known.lease = known.lease.or(step.handle.lease);
                known.before = known.before.or(step.before);
                return false;
            }
            match following {
                Some(following) => at = following.get(),
                None => {
                    *following = NonZeroU32::new(next);
                    break;
                }
            }
        }
        true
    }
}
