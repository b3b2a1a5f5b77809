//! What can be done in a run: a schedule is a list of these, and is data.

use serde::{Deserialize, Serialize};

use super::event::Reached;

/// Which operation a write carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Delivery {
    /// One that was never delivered.
    Fresh,
    /// The operation delivered this many operations ago; 0 is the newest.
    Again(u8),
}

/// Whether request and answer arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lost {
    /// Both arrive.
    #[default]
    Nothing,
    /// The answer does not.
    Answer,
    /// The request does not.
    Request,
}

impl From<Lost> for Reached {
    fn from(lost: Lost) -> Reached {
        match lost {
            Lost::Nothing => Reached::Both,
            Lost::Answer => Reached::RequestOnly,
            Lost::Request => Reached::Neither,
        }
    }
}

/// One step of a schedule. `back` picks the handle that a worker uses: 0 is the lease
/// granted last at this lock, 1 the one before. A step that has no handle to use, or
/// belongs to a fault that is off, does nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Action {
    /// The clock moves.
    Advance {
        /// By how many microseconds.
        us: u64,
    },
    /// The authority looks at its clock, and ends the lease whose time is over.
    Expire {
        /// Where.
        lock: u32,
    },
    /// A worker asks for the lock.
    Acquire {
        /// Which.
        lock: u32,
        /// Who.
        worker: u32,
        /// What arrives.
        #[serde(default)]
        lost: Lost,
    },
    /// The holder of a lease takes its token (tokens `after-acquire`).
    TakeToken {
        /// Where.
        lock: u32,
        /// Whose.
        back: u8,
    },
    /// A worker asks for its lease to last longer.
    Renew {
        /// Where.
        lock: u32,
        /// Under which handle.
        back: u8,
        /// What arrives.
        #[serde(default)]
        lost: Lost,
    },
    /// A worker gives its lease back.
    Release {
        /// Where.
        lock: u32,
        /// Under which handle.
        back: u8,
        /// What arrives.
        #[serde(default)]
        lost: Lost,
    },
    /// A worker writes.
    Write {
        /// Where.
        lock: u32,
        /// Under which handle.
        back: u8,
        /// Which operation.
        op: Delivery,
        /// Which effect of it (keys `per-effect`).
        #[serde(default)]
        effect: u8,
        /// What arrives.
        #[serde(default)]
        lost: Lost,
    },
    /// A worker compares its token, to write later (resource `check-then-set`).
    Check {
        /// Where.
        lock: u32,
        /// Under which handle.
        back: u8,
        /// Which operation.
        op: Delivery,
        /// Which effect of it.
        #[serde(default)]
        effect: u8,
    },
    /// A worker does the write that it compared for.
    Set {
        /// Where.
        lock: u32,
        /// Under which handle.
        back: u8,
    },
    /// The authority restarts and forgets its lease and its counter (tokens `reset`).
    Restart {
        /// Where.
        lock: u32,
    },
    /// The resource fails over (resource `forgets`).
    FailOver {
        /// Whose keys.
        lock: u32,
    },
}
