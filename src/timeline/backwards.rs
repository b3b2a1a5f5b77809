//! Whether the lines of a lock run backwards, as in an export that has the newest first.
//!
//! No lease is used before it was acquired. Where every lease of which both is on record
//! seems to be, the lines are no order of the events. No clock is asked.

use hashbrown::HashMap;

use super::step::Step;
use super::symbols::Symbol;
use crate::evidence::{Answer, Event, Token};

/// So many leases have to stand backwards: the acquisition of one may be a late line.
const ENOUGH: usize = 2;
/// So many records of a lock are looked at.
const LOOKED_AT: usize = 4096;

/// A lease as one input names it: by its id, or without one by its token.
type Lease = (u32, Option<Symbol>, Option<Token>);

/// What was seen of a lease first.
#[derive(Debug, Clone, Copy, PartialEq)]
enum First {
    Acquired,
    Used,
    /// Its use stood before its acquisition.
    Backwards,
}

/// Looks at the records of a lock in the order of their lines.
#[derive(Debug, Default)]
pub struct Backwards {
    seen: usize,
    leases: HashMap<Lease, First>,
    backwards: usize,
}

impl Backwards {
    /// Takes the next record. Whether the next one may still tell something.
    pub fn note(&mut self, step: &Step) -> bool {
        self.seen += 1;
        let goes_on = self.seen < LOOKED_AT;
        let acquired = match (step.event, step.answer) {
            (Event::Acquire, Answer::Acquired) => true,
            (Event::Acquire, _) => return goes_on,
            _ => false,
        };
        if !step.handle.names_lease() {
            return goes_on;
        }
        let handle = &step.handle;
        let token = handle.token.filter(|_| handle.lease.is_none());
        let lease = (step.place.source, handle.lease, token);
        let first = if acquired {
            First::Acquired
        } else {
            First::Used
        };
        let known = self.leases.entry(lease).or_insert(first);
        match (*known, acquired) {
            (First::Used, true) => {
                *known = First::Backwards;
                self.backwards += 1;
            }
            (First::Acquired, false) => {
                // One that stands forwards is enough.
                self.backwards = 0;
                return false;
            }
            _ => {}
        }
        goes_on
    }

    /// Whether the lines run backwards, as far as was looked.
    pub fn found(&self) -> bool {
        self.backwards >= ENOUGH
    }
}
