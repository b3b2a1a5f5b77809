//! Reads evidence of a distributed-lock incident and says what it shows and what it
//! does not show.

pub mod cli;
pub mod config;
pub mod diagnosis;
pub mod escape;
pub mod evidence;
pub mod explain;
mod fetch;
pub mod incident;
pub mod ingest;
pub mod lint;
pub mod model;
mod near;
pub mod observers;
pub mod render;
pub mod report;
pub mod rules;
pub mod schema;
pub mod timeline;
