//! Which fields a record of each step should carry, and which it must.

use crate::evidence::{Answer, Event, Field};

/// What a missing field costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// One of the six fields of the minimal packet.
    Minimal,
    /// Some verdict can't be proven without it.
    Proof,
    /// Needed for proof where no reading is there; what orders a lock is judged for the
    /// lock as a whole, so a single record is not blamed.
    Order,
    /// Makes a verdict easier to act on.
    Useful,
}

/// The fields that every record of a step must carry.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Profile {
    /// None is required beyond what a record can't be read without.
    #[default]
    None,
    /// The six fields of the minimal packet.
    Minimal,
    /// Everything that proof needs.
    Proof,
    /// The team's own list, per step.
    Own(Vec<(Event, Vec<Field>)>),
}

impl Profile {
    /// Whether a record of that step must carry the field.
    pub fn requires(&self, event: Event, field: Field, tier: Option<Tier>) -> bool {
        match self {
            Profile::None => false,
            Profile::Minimal => tier == Some(Tier::Minimal),
            Profile::Proof => tier.is_some_and(|tier| tier != Tier::Useful),
            Profile::Own(list) => list
                .iter()
                .any(|(step, fields)| *step == event && fields.contains(&field)),
        }
    }

    /// The team's own fields for a step, beyond those that every profile knows.
    pub fn own(&self, event: Event) -> impl Iterator<Item = Field> {
        let list = match self {
            Profile::Own(list) => list.as_slice(),
            _ => &[],
        };
        list.iter()
            .filter(move |(step, _)| *step == event)
            .flat_map(|(_, fields)| fields.iter().copied())
    }
}

use Field::{
    ActiveFenceToken, ActiveLeaseId, ActiveOwnerId, FenceToken, LeaseId, OperationId, OwnerId,
    ResourceHighestTokenAfter, ResourceHighestTokenBefore, ResourceKey, Result, Seq,
};

type Wanted = &'static [(Field, Tier)];

const WRITE: Wanted = &[
    (OwnerId, Tier::Minimal),
    (LeaseId, Tier::Minimal),
    (FenceToken, Tier::Minimal),
    (ResourceHighestTokenBefore, Tier::Minimal),
    (Result, Tier::Minimal),
    (ResourceKey, Tier::Proof),
    (OperationId, Tier::Proof),
    (Seq, Tier::Order),
    (ResourceHighestTokenAfter, Tier::Useful),
];
/// A write that got no answer, or was refused for a reason of its own: there is no
/// reading to record.
const UNREAD_WRITE: Wanted = &[
    (OwnerId, Tier::Minimal),
    (LeaseId, Tier::Minimal),
    (FenceToken, Tier::Minimal),
    (Result, Tier::Minimal),
    (ResourceKey, Tier::Proof),
    (OperationId, Tier::Proof),
    (Seq, Tier::Order),
];
const ACQUIRE: Wanted = &[
    (OwnerId, Tier::Minimal),
    (LeaseId, Tier::Minimal),
    (FenceToken, Tier::Minimal),
    (Result, Tier::Minimal),
    (Seq, Tier::Order),
];
/// No lease was given, or nobody knows.
const NO_LEASE: Wanted = &[
    (OwnerId, Tier::Minimal),
    (Result, Tier::Minimal),
    (Seq, Tier::Order),
];
const HANDLE: Wanted = &[
    (OwnerId, Tier::Minimal),
    (LeaseId, Tier::Minimal),
    (FenceToken, Tier::Minimal),
    (Result, Tier::Minimal),
    (ActiveLeaseId, Tier::Proof),
    (Seq, Tier::Order),
    (ActiveOwnerId, Tier::Useful),
    (ActiveFenceToken, Tier::Useful),
];
const UNREAD_HANDLE: Wanted = &[
    (OwnerId, Tier::Minimal),
    (LeaseId, Tier::Minimal),
    (FenceToken, Tier::Minimal),
    (Result, Tier::Minimal),
    (Seq, Tier::Order),
];
const EXPIRE: Wanted = &[
    (LeaseId, Tier::Proof),
    (Seq, Tier::Order),
    (OwnerId, Tier::Useful),
];

/// The fields that a record of a step should carry. `answer` is none where an answer was
/// given and not understood: it may have come with a reading.
pub fn wanted(event: Event, answer: Option<Answer>) -> Wanted {
    match (event, answer) {
        (Event::Write, Some(Answer::InDoubt | Answer::RejectedOther)) => UNREAD_WRITE,
        (Event::Write, _) => WRITE,
        (Event::Acquire, None | Some(Answer::Acquired)) => ACQUIRE,
        (Event::Acquire, _) => NO_LEASE,
        (Event::Release | Event::Renew, Some(Answer::InDoubt)) => UNREAD_HANDLE,
        (Event::Release | Event::Renew, _) => HANDLE,
        (Event::Expire, _) => EXPIRE,
    }
}

/// How to record a field at the source.
pub fn how_to_record(event: Event, field: Field) -> &'static str {
    match (event, field) {
        (_, OwnerId) => "log who asks: the worker, the pod or the client",
        (Event::Release | Event::Renew, LeaseId) => {
            "log the handle that was sent with the request, not the name of the lock"
        }
        (_, LeaseId) => "log the handle that the acquisition returned",
        (Event::Acquire, FenceToken) => "log the token that came with the lease",
        (Event::Write, FenceToken) => "log the token that was sent with the write",
        (_, FenceToken) => "log the token of the lease that the request names",
        (_, ResourceHighestTokenBefore) => {
            "let the resource return the highest token that it compared with, in the same step as its answer"
        }
        (_, ResourceHighestTokenAfter) => {
            "let the resource return the highest token that it holds after its answer"
        }
        (_, Result) => "log what the authority or the resource answered, a time-out as `in-doubt`",
        (_, Seq) => "let the authority or the resource number its decisions, and log that number",
        (_, ResourceKey) => "log the key under which the resource keeps its highest token",
        (_, OperationId) => "log the id of the business operation, the same on every delivery",
        (_, ActiveLeaseId) => {
            "let the authority return the lease that was current when it decided, null for none"
        }
        (_, ActiveOwnerId) => {
            "let the authority return who held the lock when it decided, null for nobody"
        }
        (_, ActiveFenceToken) => {
            "let the authority return the token of the lease that was current, null for none"
        }
        _ => "log it where the step is logged",
    }
}
