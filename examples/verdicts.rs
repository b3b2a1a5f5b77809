//! Prints docs/verdicts.md: `cargo run --example verdicts > docs/verdicts.md`.
//!
//! An argument sets the number of schedules for each row (default 60).

fn main() {}
