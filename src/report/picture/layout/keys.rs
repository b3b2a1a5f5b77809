//! The lane of a resource key: its highest token as a line, the writes as marks.

use super::drawing::{Drawing, LaneBox, Line, Mark, Of};
use super::{AIR, LEVEL, Layout, shape};
use crate::evidence::Event;
use crate::report::model::Entry;
use crate::report::picture::story::{Half, Lane};

impl Layout<'_> {
    pub(super) fn key(&self, lane: &Lane, y: i32, drawing: &mut Drawing) -> i32 {
        let writes: Vec<(usize, &Entry)> = self
            .entries()
            .filter(|(_, one)| {
                one.record.event == Event::Write && one.record.resource_key == lane.key
            })
            .collect();
        if writes.is_empty() {
            return y;
        }
        let (start, end) = (self.range.start * 2, self.range.end * 2);
        let before = lane.highest.iter().rfind(|(at, _)| *at < start);
        let within = lane
            .highest
            .iter()
            .filter(|(at, _)| (start..end).contains(at));
        let steps: Vec<(Half, Option<u64>)> = before
            .map(|(_, token)| (start, *token))
            .into_iter()
            .chain(within.copied())
            .collect();
        let mut levels: Vec<u64> = steps
            .iter()
            .filter_map(|(_, token)| *token)
            .chain(writes.iter().filter_map(|(_, one)| one.record.fence_token))
            .collect();
        levels.sort_unstable();
        levels.dedup();
        // One more level at the bottom for writes without a token.
        let blank = writes
            .iter()
            .any(|(_, one)| one.record.fence_token.is_none());
        let count = i32::try_from(levels.len() + usize::from(blank))
            .unwrap_or(1)
            .max(1);
        let height = AIR * 2 + LEVEL * (count - 1);
        let bottom = y + height - AIR;
        let level = |token: Option<u64>| {
            let rank = match token {
                Some(token) => levels.partition_point(|other| *other < token) + usize::from(blank),
                None => 0,
            };
            bottom - LEVEL * i32::try_from(rank).unwrap_or(0)
        };
        let index = drawing.lanes.len();
        drawing.lanes.push(LaneBox {
            of: Of::Key(lane.key.clone()),
            y,
            height,
        });
        self.highest(index, &steps, level, drawing);
        for (column, entry) in writes {
            let sender = drawing
                .marks
                .iter()
                .find(|mark| mark.column == column)
                .map(|mark| mark.y);
            drawing.marks.push(Mark {
                lane: index,
                column,
                x: self.centre(column),
                y: level(entry.record.fence_token),
                shape: shape(entry.record.result),
                from: sender,
                token: entry.record.fence_token,
            });
        }
        y + height
    }

    /// A line for each stretch in which the highest token is known; `level` is the height of
    /// a token.
    fn highest(
        &self,
        lane: usize,
        steps: &[(Half, Option<u64>)],
        level: impl Fn(Option<u64>) -> i32,
        drawing: &mut Drawing,
    ) {
        let new = || Line {
            lane,
            points: Vec::new(),
            labels: Vec::new(),
        };
        let mut line = new();
        for (place, token) in steps {
            let x = self.x(*place);
            if let Some((_, last)) = line.points.last().copied() {
                line.points.push((x, last));
            }
            if let Some(token) = *token {
                let y = level(Some(token));
                line.points.push((x, y));
                if place % 2 == 0 {
                    line.labels.push((x, y, token));
                }
            } else if !line.points.is_empty() {
                drawing.lines.push(std::mem::replace(&mut line, new()));
            }
        }
        if let Some((_, last)) = line.points.last().copied() {
            line.points.push((self.x(self.range.end * 2), last));
            drawing.lines.push(line);
        }
    }
}
