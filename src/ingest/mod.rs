//! From bytes to records: the only room that touches files.
//!
//! [`source`] finds the inputs, `decode` undoes compression, `blocks` are read whole line
//! by whole line, `frames`, `rows` and `values` cut the bytes, and a [`Dialect`] ([`json`] is the
//! native one) reads each frame. [`read()`] drives them: `pipeline` has `prepare` read the
//! lines of many blocks at once, and `order` hands everything over in the order of the
//! input. What is wrong comes out located, and [`diagnostic`] shows it.

mod blocks;
pub(crate) mod colour;
mod compact;
pub(crate) mod decode;
pub mod diagnostic;
pub(crate) mod dialect;
pub(crate) mod excerpt;
mod frames;
pub mod json;
mod kept;
mod literal;
mod locate;
pub mod mapping;
mod order;
mod pipeline;
mod plain;
mod prepare;
pub(crate) mod read;
mod rows;
mod scan;
pub(crate) mod sink;
pub mod source;
mod values;
mod verdict;

pub use decode::InputError;
pub use dialect::{Dialect, Framing, Output, Problem, ProblemKind};
pub use json::NativeJson;
#[doc(hidden)]
pub use kept::Kept;
pub use read::{ReadError, ReadOptions, read};
pub use sink::{Broken, Counts, Located, Progress, Rejected, Sink, SourceCounts};
pub use source::{Input, Source, SourceError};
