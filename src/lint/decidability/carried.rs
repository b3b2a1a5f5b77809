//! What the records of a lock carry: which parts stand together in one record.

use super::On;
use crate::evidence::{Answer, Event, Field};
use crate::timeline::{ActiveLease, Step};

/// The parts that a record may carry, as bits. The last four are answers, which no field
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
    /// Of a lock: a lease and its token stand in one record, of whatever step.
    pub const HANDLE: u16 = 1 << 10;
    /// The same, in one without an answer.
    pub const DOUBTED_HANDLE: u16 = 1 << 11;
    pub const ANSWERED: u16 = 1 << 12;
    pub const REFUSED: u16 = 1 << 13;
    pub const DUPLICATE: u16 = 1 << 14;
    pub const ANSWERS: u16 = ANSWERED | REFUSED | DUPLICATE;
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
        self.any |= handles(parts, step.event, step.answer);
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

/// Whether a record that carries these parts names a lease and its token.
fn handles(parts: u16, event: Event, answer: Answer) -> u16 {
    let both = |parts: u16, pair: u16| parts & pair == pair;
    let own = both(parts, part::LEASE | part::TOKEN);
    let current = both(parts, part::ACTIVE_LEASE | part::ACTIVE_TOKEN);
    match (event, answer) {
        // Who did not get the lease has none.
        (Event::Acquire, Answer::AcquireRejectedHeld) => 0,
        (_, Answer::InDoubt) if own => part::DOUBTED_HANDLE,
        (_, Answer::InDoubt) => 0,
        _ if own || current => part::HANDLE,
        _ => 0,
    }
}
