//! The records of the locks with an incident, in their order.

use std::collections::HashMap;

use super::Builder;
use super::records::saying;
use crate::diagnosis::OrderBy;
use crate::incident::{self, WithheldReason};
use crate::report::columns::columns;
use crate::report::keep::Kept;
use crate::report::model::{Entry, OrderUsed, Part, Timeline};

/// By input, line and `seq`.
type Parts = HashMap<(Option<usize>, u64, Option<u64>), Vec<Part>>;

impl Builder<'_, '_> {
    pub(super) fn timelines(
        &mut self,
        all: &[&incident::Incident],
        numbers: &HashMap<&str, u64>,
    ) -> Vec<Timeline> {
        let mut timelines = Vec::new();
        for lock in self.locks(all) {
            if timelines.len() == self.limits.timelines {
                break;
            }
            let of: Vec<&incident::Incident> = all
                .iter()
                .copied()
                .filter(|one| one.lock_name == lock)
                .collect();
            if let Some(timeline) = self.timeline(lock, &of, numbers) {
                timelines.push(timeline);
            }
        }
        timelines
    }

    fn timeline(
        &mut self,
        lock: &str,
        incidents: &[&incident::Incident],
        numbers: &HashMap<&str, u64>,
    ) -> Option<Timeline> {
        let withheld = self.withheld(lock);
        let by = self.run.origins.order;
        let kept = self.keeper.lock(lock)?;
        let (records, dropped, split) = (kept.total(), kept.dropped, kept.first.len());
        let order = match by {
            _ if withheld.is_some() => OrderUsed::None,
            OrderBy::None => OrderUsed::None,
            OrderBy::Auto | OrderBy::Seq if kept.with_seq == records => OrderUsed::Seq,
            OrderBy::Auto | OrderBy::Seq | OrderBy::Input => OrderUsed::Lines,
        };
        let mut steps: Vec<(usize, Kept)> = kept
            .first
            .iter()
            .chain(&kept.last)
            .cloned()
            .enumerate()
            .collect();
        if order == OrderUsed::Seq {
            steps.sort_by_key(|(_, kept)| (kept.step.seq, kept.step.place));
            steps.dedup_by(|(_, later), (_, first)| later.step.repeats(&first.step));
        }
        let gap = (dropped > 0).then(|| {
            let at = steps
                .iter()
                .position(|(index, _)| *index >= split)
                .unwrap_or(steps.len());
            (at, dropped)
        });
        let parts = self.parts(incidents, numbers);
        let mut position = 0;
        let mut entries = Vec::with_capacity(steps.len());
        for (at, (_, kept)) in steps.iter().enumerate() {
            position += 1;
            if let Some((gap, count)) = gap
                && gap == at
            {
                position += count;
            }
            let place = kept.step.place;
            let source = place.source as usize;
            let name = self.run.inputs.get(source).map_or("", String::as_str);
            entries.push(Entry {
                position,
                source: self.names.input(name),
                line: place.line,
                seq: kept.step.seq,
                record: saying(kept, &self.keeper.symbols, &mut self.names),
                incidents: parts
                    .get(&(Some(source), place.line, kept.step.seq))
                    .cloned()
                    .unwrap_or_default(),
            });
        }
        Some(Timeline {
            lock_name: self.names.other(lock),
            order,
            withheld,
            records,
            columns: columns(entries, gap, self.limits.columns),
        })
    }

    /// The parts that records play in incidents, by what tells a record.
    fn parts(&self, incidents: &[&incident::Incident], numbers: &HashMap<&str, u64>) -> Parts {
        let mut parts = Parts::new();
        for one in incidents {
            let Some(number) = numbers.get(one.id.as_str()) else {
                continue;
            };
            let decides = one.evidence.first().map(|witness| witness.role);
            for witness in &one.evidence {
                let record = (self.source(witness), witness.line, witness.seq);
                parts.entry(record).or_default().push(Part {
                    incident: *number,
                    decides: Some(witness.role) == decides,
                    role: witness.role,
                });
            }
        }
        parts
    }

    fn withheld(&self, lock: &str) -> Option<WithheldReason> {
        let withheld = &self.run.classification.summary.withheld;
        let found = withheld.iter().find(|one| one.lock_name == lock);
        found.map(|one| one.reason)
    }
}
