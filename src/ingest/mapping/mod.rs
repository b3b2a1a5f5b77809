//! Evidence as people have it: a mapping says where each evidence field lies in a foreign
//! record, and how foreign words become results.
//!
//! A mapping is TOML ([`Mapping::parse`]), checked whole before any input is read, and
//! compiled to one tree of paths, so that a frame is walked once ([`Mapped`]).

mod columns;
mod dialect;
mod error;
mod found;
mod logfmt;
mod path;
mod plan;
mod presets;
mod read;
mod read_field;
mod slot;
mod spec;
mod walk;

pub use dialect::Mapped;
pub use error::MappingError;
pub use path::{Path, PathError, Step};
pub use presets::Preset;
pub use spec::{Format, Mapping};
