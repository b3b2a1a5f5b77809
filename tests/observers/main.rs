//! Several observers of one run: nothing that one of them shows alone is lost, nothing is
//! proven that is not true, and what two saw of one event is one event.
//!
//! `LOCKDIAG_CASES` sets the number of random runs (default 200), `LOCKDIAG_SEED` where
//! they begin.
#![allow(clippy::unwrap_used)]

mod events;
mod real;
mod runs;
