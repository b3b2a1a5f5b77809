//! Mappings and presets on logs that real loggers and real systems wrote.

#![allow(clippy::unwrap_used)]

#[path = "mapping/support.rs"]
mod support;

#[path = "mapping/loggers.rs"]
mod loggers;

#[path = "mapping/systems.rs"]
mod systems;

#[path = "mapping/suggestions.rs"]
mod suggestions;

#[path = "mapping/incidents.rs"]
mod incidents;

#[path = "mapping/language.rs"]
mod language;

#[path = "mapping/envelopes.rs"]
mod envelopes;
#[path = "mapping/faults.rs"]
mod faults;

#[path = "mapping/pages.rs"]
mod pages;

#[path = "mapping/threads.rs"]
mod threads;

#[path = "mapping/hostile.rs"]
mod hostile;

#[path = "mapping/wrappings.rs"]
mod wrappings;
