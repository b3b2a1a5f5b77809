//! The rules: what may be concluded of one step, given the lock's timeline so far.
//!
//! Each file holds one block of the diagnosis: rows tried from the top, the first that
//! fits counts. Blocks are independent. Rules are pure: a step and a timeline in, claims
//! out. What only the end of the input can tell is settled in [`settle`] and [`at_end`].

pub mod accepted_write;
pub mod at_end;
pub mod claim;
pub mod handle;
pub mod judge;
pub mod open_releases;
pub mod own_tokens;
pub mod refused_write;
pub mod repeated_write;
pub mod settle;
pub mod token_issue;
pub mod two_locks;

pub use judge::LockJudge;
