//! The lane of an owner: its leases as bars, its steps as marks.

use super::drawing::{BarBox, Drawing, LaneBox, Mark, Of, Shape};
use super::{BAR, Layout, ROW, shape};
use crate::evidence::Event;
use crate::report::model::Entry;
use crate::report::picture::story;
use crate::report::picture::story::{Bar, End, Half};

impl Layout<'_> {
    /// The bars of an owner that are seen in this part, with their rows.
    fn rows(&self, owner: &Option<String>) -> Vec<(usize, &Bar)> {
        let (start, end) = (self.range.start * 2, self.range.end * 2);
        let seen = |bar: &&Bar| {
            bar.owner == *owner && bar.from < end && (bar.to > start || bar.from >= start)
        };
        let mut ends: Vec<Half> = Vec::new();
        let mut rows = Vec::new();
        for bar in self.story.bars.iter().filter(seen) {
            let row = ends.iter().position(|end| *end < bar.from);
            let row = row.unwrap_or_else(|| {
                ends.push(0);
                ends.len() - 1
            });
            if let Some(end) = ends.get_mut(row) {
                *end = bar.to;
            }
            rows.push((row, bar));
        }
        rows
    }

    pub(super) fn owner(&self, owner: &Option<String>, y: i32, drawing: &mut Drawing) -> i32 {
        let rows = self.rows(owner);
        let acts: Vec<(usize, &Entry)> = self
            .entries()
            .filter(|(_, entry)| entry.record.owner_id == *owner)
            .collect();
        if rows.is_empty() && acts.is_empty() {
            return y;
        }
        let lane = drawing.lanes.len();
        let count = rows.iter().map(|(row, _)| row + 1).max().unwrap_or(1);
        let height = ROW * i32::try_from(count).unwrap_or(1) + 10;
        let middle = |row: usize| y + 5 + ROW * i32::try_from(row).unwrap_or(0) + ROW / 2;
        drawing.lanes.push(LaneBox {
            of: Of::Owner(owner.clone()),
            y,
            height,
        });
        let (start, end) = (self.range.start * 2, self.range.end * 2);
        for (row, bar) in &rows {
            let (from, to) = (self.x(bar.from), self.x(bar.to));
            let cut = bar.to > end;
            drawing.bars.push(BarBox {
                lane,
                row: *row,
                x: from,
                y: middle(*row) - BAR / 2,
                width: (to - from).max(1),
                open_start: bar.open_start || bar.from < start,
                open_end: bar.end == End::Open || cut,
                end: if cut { End::Open } else { bar.end },
                lease: bar.lease.clone(),
                token: bar.token,
            });
        }
        for (column, entry) in acts {
            let place = story::at(column);
            let row = rows
                .iter()
                .filter(|(_, bar)| bar.from <= place && place <= bar.to)
                .find(|(_, bar)| bar.lease == entry.record.lease_id)
                .or_else(|| {
                    rows.iter()
                        .rfind(|(_, bar)| bar.lease == entry.record.lease_id)
                })
                .map_or(0, |(row, _)| *row);
            drawing.marks.push(Mark {
                lane,
                column,
                x: self.centre(column),
                y: middle(row),
                shape: match entry.record.event {
                    Event::Write => Shape::Sent,
                    _ => shape(entry.record.result),
                },
                from: None,
                token: None,
            });
        }
        y + height
    }
}
