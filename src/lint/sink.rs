//! Takes what the reader delivers.

use std::ops::ControlFlow;

use super::Lint;
use super::report::Report;
use super::settings::Settings;
use crate::evidence::{Place, Record};
use crate::ingest::{Broken, Rejected, Sink};

/// A lint that is the sink of a reader.
#[derive(Debug)]
pub struct LintSink {
    lint: Lint,
    /// The line or value being read.
    frame: Vec<u8>,
    place: Place,
}

impl LintSink {
    /// A sink that has seen nothing yet.
    pub fn new(settings: Settings) -> LintSink {
        LintSink {
            lint: Lint::new(settings),
            frame: Vec::new(),
            place: Place::default(),
        }
    }

    /// The input ended.
    pub fn finish(self) -> Report {
        self.lint.finish()
    }
}

impl Sink for LintSink {
    fn frame(&mut self, place: Place, bytes: &[u8]) {
        self.place = place;
        self.frame.clear();
        self.frame.extend_from_slice(bytes);
    }

    fn other(&mut self) {
        self.lint.other(self.place, &self.frame);
    }

    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        self.lint.record(place, record, &self.frame);
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        self.lint.rejected(rejected);
        ControlFlow::Continue(())
    }

    fn broken(&mut self, broken: &Broken<'_>) -> ControlFlow<()> {
        self.lint.broken(broken);
        ControlFlow::Continue(())
    }
}
