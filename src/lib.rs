//! Reads evidence of a distributed-lock incident and says what it shows and what it
//! does not show.

pub mod cli;
pub mod diagnosis;
pub mod escape;
pub mod evidence;
pub mod explain;
pub mod incident;
pub mod ingest;
pub mod model;
pub mod render;
pub mod rules;
pub mod timeline;
