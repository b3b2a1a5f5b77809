//! The page that goes into the postmortem.
//!
//! A run leaves a [`Run`]; [`Run::report`] makes the one [`model`] of it, and each form
//! (Markdown, HTML, JSON, a diagram, a template of the user's own) shows that model and
//! nothing else. No clock is read: the same input gives the same bytes.
//!
//! Beside the verdicts a run needs the records themselves. A [`Sink`](crate::ingest::Sink) of the
//! caller's hands each one to the diagnosis, to a [`Keeper`] ([`Keeper::frame`] with its line, then
//! [`Keeper::keep`]; [`DEFAULT_ROOM`] records are enough for most pages), and to
//! [`Lint`](crate::lint::Lint), which knows what was missing.

pub(crate) mod build;
pub(crate) mod columns;
pub mod html;
pub(crate) mod keep;
pub mod markdown;
pub mod mermaid;
pub mod model;
pub(crate) mod moment;
pub(crate) mod names;
pub(crate) mod picture;
pub(crate) mod strip;
pub mod template;
pub(crate) mod text;
mod view;
pub(crate) mod words;

pub use build::Run;
pub use keep::{DEFAULT_ROOM, Keeper};
pub use model::Report;
pub use names::Replaced;
pub use text::{Piece, Text};

use crate::diagnosis::OrderBy;
use crate::evidence::Origin;

/// What a report says of its own making.
#[derive(Debug, Clone, Default)]
pub struct Origins {
    /// The command, word by word.
    pub command: Vec<String>,
    /// When the report was made, if somebody said so.
    pub generated: Option<String>,
    /// What was allowed to order the records.
    pub order: OrderBy,
    /// Who gave `seq`, by the word of the user.
    pub vouched_by: Option<Origin>,
}

/// How much of everything a report tells before it says "and n more".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Headlines.
    pub headlines: usize,
    /// Incidents told in full in each group of alike ones.
    pub incidents_a_group: usize,
    /// Locks with a timeline.
    pub timelines: usize,
    /// Columns of a timeline.
    pub columns: usize,
    /// Cautions.
    pub cautions: usize,
    /// Inputs.
    pub inputs: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            headlines: 50,
            incidents_a_group: 20,
            timelines: 20,
            columns: 90,
            cautions: 40,
            inputs: 200,
        }
    }
}

impl Limits {
    /// The same with about half of everything; `None` where there is nothing to halve.
    pub fn halved(&self) -> Option<Limits> {
        let half = |n: usize, least: usize| (n / 2).max(least);
        let limits = Limits {
            headlines: half(self.headlines, 5),
            incidents_a_group: half(self.incidents_a_group, 1),
            timelines: half(self.timelines, 1),
            columns: half(self.columns, 20),
            cautions: half(self.cautions, 5),
            inputs: half(self.inputs, 5),
        };
        (limits != *self).then_some(limits)
    }
}
