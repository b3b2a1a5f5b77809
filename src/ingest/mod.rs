//! From bytes to records: the only room that touches files.
//!
//! [`source`] finds the inputs, [`decode`] undoes compression, `frames` and `values` cut the bytes,
//! a [`Dialect`] ([`json`] is the native one) reads each frame, and [`read()`] drives
//! them. What is wrong comes out located, and [`diagnostic`] shows it.

pub mod decode;
pub mod diagnostic;
pub mod dialect;
mod frames;
pub mod json;
mod locate;
pub mod mapping;
pub mod read;
mod scan;
pub mod sink;
pub mod source;
mod values;

pub use decode::InputError;
pub use dialect::{Dialect, Framing, Output, Problem, ProblemKind};
pub use json::NativeJson;
pub use read::{ReadError, ReadOptions, read};
pub use sink::{Broken, Counts, Located, Progress, Rejected, Sink, SourceCounts};
pub use source::{Input, Source, SourceError};
