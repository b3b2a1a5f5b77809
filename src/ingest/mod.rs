//! From bytes to records: the only room that touches files.
//!
//! [`source`] finds the inputs, [`decode`] undoes compression, `frames` cuts the bytes,
//! a [`Dialect`] ([`json`] is the native one) reads each frame, and [`read()`] drives
//! them. What is wrong comes out located, and [`diagnostic`] shows it.

pub mod decode;
pub mod diagnostic;
pub mod dialect;
mod frames;
pub mod json;
pub mod read;
mod scan;
pub mod source;

pub use decode::InputError;
pub use dialect::{Dialect, Framing, Output, Problem, ProblemKind};
pub use json::NativeJson;
pub use read::{
    Broken, Counts, Located, Progress, ReadError, ReadOptions, Rejected, Sink, SourceCounts, read,
};
pub use source::{Input, Source, SourceError};
