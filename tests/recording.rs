//! docs/recording.md: its recipes run, against real servers, and what they record proves the
//! incidents that were staged. Everything that the page prints is held to what came out.
//!
//! The servers are Debian's packages. With `LOCKDIAG_SERVERS=1` (the continuous integration) a
//! server or a toolchain that is not there is a failure; without it, its test is skipped.
//! `UPDATE_DOCS=1 cargo test --test recording` writes the tables of the page anew.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

#[path = "../samples/recording/app/evidence.rs"]
#[allow(
    missing_docs,
    reason = "copied by readers, who document what is theirs"
)]
mod app;

#[path = "recording/applications.rs"]
mod applications;
#[path = "recording/page.rs"]
mod page;
#[path = "recording/recipes.rs"]
mod recipes;
#[path = "recording/servers.rs"]
mod servers;
#[path = "recording/tool.rs"]
mod tool;
