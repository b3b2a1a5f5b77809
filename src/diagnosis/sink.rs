//! Takes what the reader delivers.

use std::ops::ControlFlow;

use super::Diagnosis;
use crate::evidence::{Place, Record};
use crate::ingest::{Kept, Rejected, Sink};

/// Records are observed, rejected lines are passed over: [`Counts`](crate::ingest::Counts) has
/// how many there were. To see each of them, hand records on from a sink of your own.
impl Sink for Diagnosis {
    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        self.observe(place, record);
        ControlFlow::Continue(())
    }

    fn kept(&mut self, place: Place, kept: &Kept<'_>) -> ControlFlow<()> {
        self.observe_at_a_glance(place, kept);
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, _: &Rejected<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
