//! What the tool says: incidents, their judgements, and the words for them.

pub mod catalogue;
pub(crate) mod class;
#[allow(clippy::module_inception)]
pub(crate) mod incident;
pub(crate) mod summary;

pub use class::{Class, Variant};
pub use incident::{Actor, Assumption, Incident, Outcome, Role, Status, Witness, incident_id};
pub use summary::{Caution, CautionKind, Classification, Summary, Withheld, WithheldReason};
