//! What the records of a lock carry: which parts stand together in one record.

use super::On;
use crate::evidence::{Answer, Event, Field};
use crate::timeline::{ActiveLease, Handle, Step, active_of_decision};

/// The parts that a record may carry, as bits. The last three are answers, which no field
/// brings about.
pub(crate) mod part {
    pub const TOKEN: u16 = 1;
    pub const BEFORE: u16 = 1 << 1;
    pub const AFTER: u16 = 1 << 2;
    pub const KEY: u16 = 1 << 3;
    pub const OPERATION: u16 = 1 << 4;
    pub const LEASE: u16 = 1 << 5;
    pub const OWNER: u16 = 1 << 6;
    pub const ACTIVE_LEASE: u16 = 1 << 7;
    pub const ACTIVE_TOKEN: u16 = 1 << 8;
    pub const ACTIVE_OWNER: u16 = 1 << 9;
    pub const ANSWERED: u16 = 1 << 12;
    pub const REFUSED: u16 = 1 << 13;
    pub const DUPLICATE: u16 = 1 << 14;
    pub const ANSWERS: u16 = ANSWERED | REFUSED | DUPLICATE;
}

/// What any record of a lock may show, of whatever step, as bits.
pub(crate) mod shown {
    /// A lease and its token.
    pub const PAIR: u16 = 1;
    /// The same, in a record with an answer, or by the authority itself.
    pub const HANDLE: u16 = 1 << 1;
    /// What a key read, whatever the resource then answered.
    pub const READING: u16 = 1 << 2;
}

/// The field that brings each part.
pub(super) const PARTS: [(u16, Field); 10] = [
    (part::TOKEN, Field::FenceToken),
    (part::BEFORE, Field::ResourceHighestTokenBefore),
    (part::AFTER, Field::ResourceHighestTokenAfter),
    (part::KEY, Field::ResourceKey),
    (part::OPERATION, Field::OperationId),
    (part::LEASE, Field::LeaseId),
    (part::OWNER, Field::OwnerId),
    (part::ACTIVE_LEASE, Field::ActiveLeaseId),
    (part::ACTIVE_TOKEN, Field::ActiveFenceToken),
    (part::ACTIVE_OWNER, Field::ActiveOwnerId),
];

/// What the records of one lock carry: how many records carry which parts together.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Carried {
    write: Vec<(u16, u64)>,
    acquire: Vec<(u16, u64)>,
    release: Vec<(u16, u64)>,
    renew: Vec<(u16, u64)>,
    /// What any of its records shows, expiries too.
    any: u16,
}

impl Carried {
    /// Takes a record into account. One without an answer proves nothing.
    pub fn note(&mut self, step: &Step) {
        let mut parts = part::ANSWERED;
        let mut has = |there: bool, bit: u16| {
            if there {
                parts |= bit;
            }
        };
        let handle = &step.handle;
        has(handle.token.is_some(), part::TOKEN);
        has(handle.lease.is_some(), part::LEASE);
        has(handle.owner.is_some(), part::OWNER);
        has(step.before.is_some(), part::BEFORE);
        has(step.after.is_some(), part::AFTER);
        has(step.key.is_some(), part::KEY);
        has(step.operation.is_some(), part::OPERATION);
        match step.active {
            ActiveLease::Unrecorded => {}
            ActiveLease::None => {
                let all = part::ACTIVE_LEASE | part::ACTIVE_TOKEN | part::ACTIVE_OWNER;
                has(true, all);
            }
            ActiveLease::Lease(active) => {
                has(active.lease.is_some(), part::ACTIVE_LEASE);
                has(active.token.is_some(), part::ACTIVE_TOKEN);
                has(active.owner.is_some(), part::ACTIVE_OWNER);
            }
        }
        self.any |= shows(step);
        let list = match (step.event, step.answer) {
            (Event::Write, Answer::Accepted) => &mut self.write,
            (Event::Write, Answer::RejectedStaleFence) => {
                parts |= part::REFUSED;
                &mut self.write
            }
            (Event::Write, Answer::RejectedDuplicate) => {
                parts |= part::DUPLICATE;
                &mut self.write
            }
            (Event::Acquire, Answer::Acquired) => &mut self.acquire,
            (_, Answer::InDoubt) => return,
            (Event::Release, _) => &mut self.release,
            (Event::Renew, _) => &mut self.renew,
            _ => return,
        };
        match list.iter_mut().find(|(known, _)| *known == parts) {
            Some((_, count)) => *count += 1,
            None => list.push((parts, 1)),
        }
    }

    /// What any record of the lock shows.
    pub(super) fn any(&self) -> u16 {
        self.any
    }

    /// The parts that records of a step carry together, with how many records do.
    pub(super) fn on(&self, on: On) -> &[(u16, u64)] {
        match on {
            On::Write => &self.write,
            On::Acquire => &self.acquire,
            On::Release => &self.release,
            On::Renew => &self.renew,
            On::LeaseSteps | On::EveryRecord => &[],
        }
    }
}

/// What a record shows, of whatever step.
fn shows(step: &Step) -> u16 {
    let is_pair = |handle: &Handle| handle.lease.is_some() && handle.token.is_some();
    let answered = step.answer != Answer::InDoubt;
    let mut shown = 0;
    if step.shows_token() && is_pair(&step.handle) {
        shown |= shown::PAIR;
        if answered {
            shown |= shown::HANDLE;
        }
    }
    // What the authority reads stands, whether the one who asked got its answer or not.
    if active_of_decision(step).is_some_and(is_pair) {
        shown |= shown::PAIR | shown::HANDLE;
    }
    let reads = step.event == Event::Write && answered;
    if reads && step.key.is_some() && step.before.is_some() {
        shown |= shown::READING;
    }
    shown
}
