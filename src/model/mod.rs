//! A small deterministic model of a distributed lock, that writes evidence and knows
//! what is true of it.
//!
//! Everything is in memory, under a logical clock, from a seed: [`World`] applies one
//! [`Action`] after the other and notes [`Event`]s and [`Fact`]s; a [`Watch`] turns
//! events into what observers saw; [`Truth`] says which incidents there were, and
//! whether what was seen can show them.

pub(crate) mod action;
pub mod agreement;
pub(crate) mod authority;
pub(crate) mod event;
pub(crate) mod fact;
pub mod fault;
pub mod labels;
pub(crate) mod names;
pub mod resource;
pub(crate) mod rng;
pub(crate) mod run;
pub(crate) mod schedule;
pub(crate) mod sighting;
pub mod story;
pub(crate) mod truth;
pub(crate) mod watch;
pub(crate) mod world;

pub use action::{Action, Delivery, Lost};
pub use agreement::{Agreement, Found, agreement, classify, source_name};
pub use event::{Current, Event, Grant, Key, Reached};
pub use fact::{Fact, FactKind};
pub use fault::{Bound, DeliveryFault, Faults, KeyFault, ResourceFault, TokenFault, UnknownName};
pub use names::Names;
pub use rng::Rng;
pub use run::{Run, random_actions, run};
pub use schedule::{Rates, Schedule};
pub use sighting::{FieldSet, Sighting};
pub use story::{Story, Told, stories};
pub use truth::{Subject, TrueIncident, Truth};
pub use watch::{Numbering, Observer, Watch, Watching};
pub use world::{Setup, World};
