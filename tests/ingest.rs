//! What the reader makes of good, bad and hostile input, through the public interface.

#![allow(clippy::unwrap_used)]

#[path = "ingest/bounds.rs"]
mod bounds;
#[path = "ingest/corpus.rs"]
mod corpus;
#[path = "ingest/framing.rs"]
mod framing;
#[path = "ingest/rejects.rs"]
mod rejects;
#[path = "ingest/sinks.rs"]
mod sinks;
#[path = "ingest/support.rs"]
mod support;
#[path = "ingest/threads.rs"]
mod threads;
