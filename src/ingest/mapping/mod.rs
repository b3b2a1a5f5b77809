//! Evidence as people have it: a mapping says where each evidence field lies in a foreign
//! record, and how foreign words become results.
//!
//! A mapping is TOML ([`Mapping::parse`]), checked whole before any input is read, and
//! compiled to one tree of paths, so that a frame is walked once ([`Mapped`]).

mod at_once;
pub(super) mod columns;
mod dialect;
mod draft;
mod error;
mod explain;
mod found;
mod frame_reader;
mod logfmt;
mod meant;
mod outline;
mod path;
mod patterns;
mod plan;
mod presets;
mod quick;
mod read;
mod read_field;
mod read_path;
mod read_shape;
mod read_toml;
mod read_words;
mod record;
mod sample;
mod sequence;
mod slot;
mod spec;
mod split;
mod suggest;
mod synonyms;
mod walk;

pub use dialect::Mapped;
pub use error::MappingError;
pub use explain::{Answered, CameOf, Explained, Explaining, Explanation, FieldUse, ShapeUse};
pub use path::{Path, PathError, Step};
pub use presets::Preset;
pub use spec::{Format, Mapping};
pub use suggest::{Suggestion, suggest};

use std::sync::Arc;

use super::{Dialect, NativeJson};

/// How an input is read.
#[derive(Debug, Clone, Default)]
pub enum Reading {
    /// Evidence records under their own names.
    #[default]
    Native,
    /// By a mapping.
    Mapped(Arc<Mapping>),
    /// By the name of a system.
    Preset(Preset),
}

impl Reading {
    /// A reader for one input, which has seen nothing yet.
    pub fn dialect(&self) -> Box<dyn Dialect + Send> {
        match self {
            Reading::Native => Box::new(NativeJson),
            Reading::Mapped(mapping) => Box::new(Mapped::new(Arc::clone(mapping))),
            Reading::Preset(preset) => preset.dialect(),
        }
    }
}
