//! From bytes to records: the only room that touches files.

pub mod dialect;

pub use dialect::{Dialect, Framing, Output, Problem, ProblemKind};
