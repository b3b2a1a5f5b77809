//! What is drawn over the lanes: which record met which, and the numbers of incidents.

use super::drawing::{Arrow, Drawing, Flag, Mark};
use super::{BAR, Layout, MARK};
use crate::report::picture::story::{End, Meeting};

impl Layout<'_> {
    /// The mark that arrows of a record begin or end at: at the resource for a write.
    fn mark<'d>(&self, drawing: &'d Drawing, column: usize) -> Option<&'d Mark> {
        drawing.marks.iter().rfind(|mark| mark.column == column)
    }

    pub(super) fn arrows(&self, drawing: &mut Drawing) {
        let mut arrows = Vec::new();
        for bar in &self.story.bars {
            let End::Removed(column) = bar.end else {
                continue;
            };
            let Some(from) = self.mark(drawing, column) else {
                continue;
            };
            let bars = drawing
                .bars
                .iter()
                .find(|one| one.end == bar.end && one.lease == bar.lease && one.token == bar.token);
            if let Some(one) = bars {
                let to = (from.x, one.y + BAR / 2);
                let down = to.1 > from.y;
                let edge = |y: i32, by: i32| if down { y + by } else { y - by };
                arrows.push(Arrow {
                    incident: None,
                    removal: true,
                    from: (from.x, edge(from.y, MARK)),
                    via: (from.x, i32::midpoint(from.y, to.1)),
                    to: (to.0, edge(to.1, -BAR / 2)),
                    elsewhere: None,
                });
            }
        }
        for meeting in &self.story.meetings {
            arrows.extend(self.meeting(drawing, meeting));
        }
        drawing.arrows = arrows;
    }

    fn meeting(&self, drawing: &Drawing, meeting: &Meeting) -> Option<Arrow> {
        let from = self.mark(drawing, meeting.from)?;
        let removes = self
            .story
            .bars
            .iter()
            .any(|bar| bar.end == End::Removed(meeting.from));
        if removes {
            return None;
        }
        let lane = drawing.lanes.get(from.lane)?;
        let position = self.columns.get(meeting.to)?.entry()?.position;
        let left = meeting.to < meeting.from;
        let Some(to) = self.mark(drawing, meeting.to) else {
            let edge = if left {
                self.x(0)
            } else {
                self.x(self.range.end * 2)
            };
            let y = (from.y - MARK - 5).max(lane.y + 3);
            return Some(Arrow {
                incident: Some(meeting.incident),
                removal: false,
                from: (from.x, from.y - MARK),
                via: (i32::midpoint(from.x, edge), y),
                to: (edge, y),
                elsewhere: Some(position),
            });
        };
        let top = drawing.lanes.get(to.lane)?.y.min(lane.y);
        // One step away the bow is flat; further away it clears what stands between.
        let distance = i32::try_from(meeting.from.abs_diff(meeting.to))
            .unwrap_or(1)
            .min(4);
        let high = (from.y.min(to.y) - 14 - 6 * distance).max(top + 3);
        Some(Arrow {
            incident: Some(meeting.incident),
            removal: false,
            from: (from.x, from.y - MARK),
            via: (i32::midpoint(from.x, to.x), high),
            to: (to.x, to.y - MARK - 1),
            elsewhere: None,
        })
    }

    pub(super) fn flags(&self, drawing: &mut Drawing) {
        for (column, entry) in self.entries() {
            let mut deciding = entry.incidents.iter().filter(|part| part.decides);
            let Some(first) = deciding.next() else {
                continue;
            };
            let Some(mark) = self.mark(drawing, column) else {
                continue;
            };
            let flag = Flag {
                x: mark.x,
                y: mark.y + MARK,
                first: first.incident,
                more: deciding.count() as u64,
            };
            drawing.flags.push(flag);
        }
    }
}
