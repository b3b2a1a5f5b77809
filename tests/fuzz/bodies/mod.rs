//! The bodies of the fuzz targets. Each takes any bytes and asserts what must hold of
//! them, so a run proves more than the absence of a panic.
//!
//! `tests/fuzz/main.rs` runs them with the other tests, `fuzz/` runs them by coverage.

mod bytes;
mod formats;
mod input;
mod layout;
mod line;
mod mapping;
mod outputs;
mod record;
mod seen;

pub use formats::formats;
pub use input::input;
pub use layout::layout;
pub use line::line;
pub use mapping::mapping;
pub use record::record;
