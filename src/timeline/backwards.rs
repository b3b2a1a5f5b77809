//! Whether the lines of a lock run backwards, as in an export that has the newest first.
//!
//! No lease is used before it was acquired, and tokens grow. Where nearly every lease of which
//! both is on record seems to be used first, and later acquisitions have lower tokens, the
//! lines are no order of the events. Nor are they where no lease is seen to be used behind
//! its acquisition and tokens do nothing but fall: neither late writes nor a counter that was
//! set back do that. No clock is asked.

use hashbrown::HashMap;

use super::step::Step;
use crate::evidence::{Answer, Event, Token};

/// So many leases have to stand backwards: the acquisition of one may be a late line.
const ENOUGH: usize = 2;
/// So many times tokens have to fall where leases tell nothing: that late writes came in the
/// order of their tokens turned round gets less likely with each.
const ENOUGH_FALLS: usize = 4;
/// So many times as many as stand forwards, where a late line may seem to.
const MOSTLY: usize = 4;
/// So many records of a lock are looked at.
const LOOKED_AT: usize = 4096;

/// A lease as one input names it. Only what has no token is known by its id: a session that
/// acquires again has one id for several leases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Lease {
    Token(u32, Token),
    Id(u32, u64),
}

/// What is looked at of a record.
#[derive(Debug, Clone, Copy)]
pub struct Seen {
    /// The input that it stands in.
    pub source: u32,
    /// The step.
    pub event: Event,
    /// Its answer.
    pub answer: Answer,
    /// The token of its lease.
    pub token: Option<Token>,
    /// A number that stands for the id of its lease.
    pub lease: Option<u64>,
}

impl From<&Step> for Seen {
    fn from(step: &Step) -> Seen {
        Seen {
            source: step.place.source,
            event: step.event,
            answer: step.answer,
            token: step.handle.token,
            lease: step.handle.lease.map(|id| id.number() as u64),
        }
    }
}

/// How the acquisition of a lease and its use stand to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stands {
    /// Only the acquisition was seen.
    Acquired,
    /// Only uses were seen.
    Used,
    /// The acquisition stands behind all uses.
    Backwards,
    /// A use stands behind the acquisition.
    Forwards,
}

/// Looks at the records of a lock in the order of their lines.
#[derive(Debug, Default)]
pub struct Backwards {
    seen: usize,
    leases: HashMap<Lease, Stands>,
    backwards: usize,
    forwards: usize,
    acquired: Course,
    accepted: Course,
}

/// Which way tokens go from line to line.
#[derive(Debug, Default)]
struct Course {
    last: Option<Token>,
    falls: usize,
    rises: usize,
}

impl Course {
    fn note(&mut self, token: Option<Token>) {
        let Some(token) = token else { return };
        let last = self.last.replace(token);
        self.falls += usize::from(last.is_some_and(|last| token < last));
        self.rises += usize::from(last.is_some_and(|last| token > last));
    }
}

impl Backwards {
    /// Takes the next record. Whether the next one may still tell something.
    pub fn note(&mut self, record: &Seen) -> bool {
        self.seen += 1;
        let source = record.source;
        let by_token = record.token.map(|token| Lease::Token(source, token));
        let by_id = record.lease.map(|id| Lease::Id(source, id));
        match (record.event, record.answer) {
            (Event::Acquire, Answer::Acquired) => {
                self.acquired.note(record.token);
                let mut behind = false;
                for lease in by_token.into_iter().chain(by_id) {
                    behind |= self.acquire(lease);
                }
                self.backwards += usize::from(behind);
            }
            (Event::Acquire, _) => {}
            (event, answer) => {
                if event == Event::Write && answer == Answer::Accepted {
                    self.accepted.note(record.token);
                }
                if let Some(lease) = by_token.or(by_id) {
                    self.use_of(lease);
                }
            }
        }
        let in_order = self.forwards >= ENOUGH && self.forwards >= self.backwards;
        self.seen < LOOKED_AT && !in_order
    }

    /// How many records were looked at.
    pub fn looked_at(&self) -> usize {
        self.seen
    }

    /// Whether the lease was used before.
    fn acquire(&mut self, lease: Lease) -> bool {
        let stands = self.leases.entry(lease).or_insert(Stands::Acquired);
        let behind = *stands == Stands::Used;
        if behind {
            *stands = Stands::Backwards;
        }
        behind
    }

    fn use_of(&mut self, lease: Lease) {
        let stands = self.leases.entry(lease).or_insert(Stands::Used);
        match *stands {
            Stands::Acquired => self.forwards += 1,
            // The line of the acquisition only came late.
            Stands::Backwards => {
                self.backwards = self.backwards.saturating_sub(1);
                self.forwards += 1;
            }
            Stands::Used | Stands::Forwards => return,
        }
        *stands = Stands::Forwards;
    }

    /// Whether the lines run backwards, as far as was looked. Acquisitions that were put behind
    /// the writes of another log do not: their tokens grow.
    pub fn found(&self) -> bool {
        let by_leases = self.backwards >= ENOUGH
            && self.backwards >= MOSTLY * self.forwards
            && self.acquired.falls >= self.acquired.rises;
        let (acquired, accepted) = (&self.acquired, &self.accepted);
        let falls = acquired.falls + accepted.falls;
        let rises = acquired.rises + accepted.rises;
        let by_tokens = self.forwards == 0 && falls >= ENOUGH_FALLS && falls >= MOSTLY * rises;
        by_leases || by_tokens
    }
}
