//! From bytes to records: the only room that touches files.

pub mod dialect;
pub mod mapping;

pub use dialect::{Dialect, Framing, Output, Problem, ProblemKind};
