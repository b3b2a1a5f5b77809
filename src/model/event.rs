//! What happened in one step of a run, in numbers; [`super::Names`] makes words of it.

use crate::evidence::{Answer, Event as Step, Token};

/// A resource key: which lock's item it is, and which part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// The item: the lock, or the first of the two locks that share it.
    pub item: u32,
    /// The part of the item; 0 where it is whole.
    pub part: u32,
}

/// A lease as the authority granted it: the n-th of its lock, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    /// The position in the order in which the authority granted the leases of this lock.
    pub number: u64,
    /// Who asked.
    pub owner: u32,
    /// Its token, where it has one (yet).
    pub token: Option<Token>,
    /// The event that granted it.
    pub event: u64,
}

/// The lease current at the authority when it decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Current {
    /// The step is none of the authority's.
    #[default]
    NotAsked,
    /// There was none.
    Nobody,
    /// This one.
    Lease(Grant),
}

/// How the answer fared on its way to who asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reached {
    /// Request and answer arrived.
    #[default]
    Both,
    /// The step happened, its answer was lost.
    RequestOnly,
    /// The request was lost: nothing happened.
    Neither,
}

/// One event of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Its number in the whole run, from 0: no two events share one.
    pub id: u64,
    /// The lock.
    pub lock: u32,
    /// The step.
    pub step: Step,
    /// The true answer; [`Answer::InDoubt`] where the request never arrived.
    pub answer: Answer,
    /// Whether the asker knows it.
    pub reached: Reached,
    /// Who asked; for an expiry, whose lease it was.
    pub owner: u32,
    /// The handle that was used; none for a refused acquisition.
    pub lease: Option<u64>,
    /// The token that was shown.
    pub token: Option<Token>,
    /// What the resource read as its highest token.
    pub before: Option<Token>,
    /// What the resource held as its highest token afterwards.
    pub after: Option<Token>,
    /// The key that a write fell on.
    pub key: Option<Key>,
    /// The operation, numbered within its lock.
    pub operation: Option<u64>,
    /// The lease that was current.
    pub current: Current,
    /// The position in the one order of this lock's events, from 1, given by whoever
    /// decided.
    pub seq: u64,
    /// The logical clock, in microseconds.
    pub at: u64,
}
