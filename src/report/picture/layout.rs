//! Places in whole pixels for what a picture tells.
//!
//! A long timeline is cut into parts, one drawing each, so that every one of them can be
//! read on paper. Nothing is drawn outside its box, no two bars of a lane overlap, and
//! what comes later stands further right.

use super::story::{Bar, End, Half, Meeting, Story};
use crate::evidence::{Answer, Event};
use crate::report::model::{Column, Entry};

/// The width of a column.
pub const PITCH: i32 = 58;
/// The room for the names of lanes.
pub const GUTTER: i32 = 172;
/// What is left free at the right.
const MARGIN: i32 = 16;
/// The room for the axis.
const AXIS: i32 = 46;
/// The height of one row of bars.
const ROW: i32 = 34;
/// The height of a bar.
pub const BAR: i32 = 18;
/// The distance of two levels of tokens.
const LEVEL: i32 = 24;
/// Above and below the levels of a resource.
const AIR: i32 = 24;
/// The room for the numbers of incidents.
const FLAGS: i32 = 34;
/// The half size of a mark.
pub const MARK: i32 = 7;
/// Up to so many columns stand in one drawing.
const WIDEST: usize = 16;

/// One drawing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
    /// Which part of the timeline it is, from 1, and of how many.
    pub part: (usize, usize),
    /// The columns in it.
    pub columns: std::ops::Range<usize>,
    /// The lanes, from top to bottom.
    pub lanes: Vec<LaneBox>,
    /// The leases.
    pub bars: Vec<BarBox>,
    /// The records.
    pub marks: Vec<Mark>,
    /// The highest tokens.
    pub lines: Vec<Line>,
    /// What met what, and what removed what.
    pub arrows: Vec<Arrow>,
    /// The columns where records are left out.
    pub breaks: Vec<Break>,
    /// Where the bottom of the lanes is.
    pub floor: i32,
    /// The numbers of incidents, beneath their records.
    pub flags: Vec<Flag>,
}

/// What a lane is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Of {
    /// An owner; none where no record names one.
    Owner(Option<String>),
    /// A resource key; none where no record names one.
    Key(Option<String>),
}

/// A lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaneBox {
    /// What it is of.
    pub of: Of,
    /// Its top.
    pub y: i32,
    /// Its height.
    pub height: i32,
}

/// A lease in its lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BarBox {
    /// The lane.
    pub lane: usize,
    /// The row in the lane.
    pub row: usize,
    /// The left end.
    pub x: i32,
    /// The top.
    pub y: i32,
    /// The width.
    pub width: i32,
    /// Whether it began before what is drawn or recorded.
    pub open_start: bool,
    /// Whether it goes on after what is drawn, or its end is not recorded.
    pub open_end: bool,
    /// How it ended, if here.
    pub end: End,
    /// The lease id.
    pub lease: Option<String>,
    /// The token.
    pub token: Option<u64>,
}

/// A record in a lane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The lane.
    pub lane: usize,
    /// The column.
    pub column: usize,
    /// The centre.
    pub x: i32,
    /// The centre.
    pub y: i32,
    /// Its shape.
    pub shape: Shape,
    /// For a write at a resource: where the owner's mark is, to be joined with it.
    pub from: Option<i32>,
    /// For a write: its token.
    pub token: Option<u64>,
}

/// Shapes tell the answers apart without any colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Shape {
    /// A lease was given.
    Acquired,
    /// A lease was renewed.
    Renewed,
    /// A lease expired.
    Expired,
    /// A lease was released.
    Released,
    /// The authority refused.
    RefusedByAuthority,
    /// There was nothing to release.
    Nothing,
    /// A write leaves its owner.
    Sent,
    /// The resource accepted.
    Accepted,
    /// The resource refused an old token.
    RefusedAsStale,
    /// The resource refused a repetition.
    RefusedAsDuplicate,
    /// The resource refused for another reason.
    RefusedOtherwise,
    /// No answer came.
    InDoubt,
}

/// The highest token of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The lane.
    pub lane: usize,
    /// Its corners, from left to right.
    pub points: Vec<(i32, i32)>,
    /// The tokens that no write of this part brought, where each begins.
    pub labels: Vec<(i32, i32, u64)>,
}

/// An arrow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// The incident, or none for a removal that is none.
    pub incident: Option<u64>,
    /// Whether a lease was removed.
    pub removal: bool,
    /// Where it begins.
    pub from: (i32, i32),
    /// Where it bends to.
    pub via: (i32, i32),
    /// Where it points.
    pub to: (i32, i32),
    /// The position of a record that stands in another part.
    pub elsewhere: Option<u64>,
}

/// Records that are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// The middle.
    pub x: i32,
    /// How many records.
    pub count: u64,
}

/// The numbers of the incidents that a record decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flag {
    /// The middle.
    pub x: i32,
    /// The lower end of the record's mark.
    pub y: i32,
    /// The first of them.
    pub first: u64,
    /// How many more there are.
    pub more: u64,
}

/// The drawings of a timeline.
pub fn lay_out(story: &Story, columns: &[Column]) -> Vec<Drawing> {
    let parts = columns.len().div_ceil(WIDEST).max(1);
    let each = columns.len().div_ceil(parts).max(1);
    (0..parts)
        .map(|part| {
            let from = (part * each).min(columns.len());
            let to = (from + each).min(columns.len());
            Layout {
                story,
                columns,
                range: from..to,
            }
            .draw((part + 1, parts))
        })
        .collect()
}

struct Layout<'l> {
    story: &'l Story,
    columns: &'l [Column],
    range: std::ops::Range<usize>,
}

impl Layout<'_> {
    fn draw(&self, part: (usize, usize)) -> Drawing {
        let width = GUTTER + self.px(self.range.len()) + MARGIN;
        let mut drawing = Drawing {
            width,
            height: 0,
            part,
            columns: self.range.clone(),
            lanes: Vec::new(),
            bars: Vec::new(),
            marks: Vec::new(),
            lines: Vec::new(),
            arrows: Vec::new(),
            breaks: Vec::new(),
            floor: 0,
            flags: Vec::new(),
        };
        let mut y = AXIS;
        for owner in &self.story.owners {
            y = self.owner(owner, y, &mut drawing);
        }
        for lane in &self.story.lanes {
            y = self.key(lane, y, &mut drawing);
        }
        drawing.floor = y;
        drawing.height = y + FLAGS;
        self.breaks(&mut drawing);
        self.arrows(&mut drawing);
        self.flags(&mut drawing);
        drawing
    }

    fn px(&self, columns: usize) -> i32 {
        i32::try_from(columns).unwrap_or(i32::MAX / PITCH) * PITCH
    }

    fn x(&self, place: Half) -> i32 {
        let start = self.range.start * 2;
        let end = self.range.end * 2;
        let halves = place.clamp(start, end) - start;
        GUTTER + self.px(halves) / 2
    }

    fn centre(&self, column: usize) -> i32 {
        self.x(super::story::at(column))
    }

    fn entries(&self) -> impl Iterator<Item = (usize, &Entry)> {
        let range = self.range.clone();
        self.columns
            .iter()
            .enumerate()
            .filter(move |(at, _)| range.contains(at))
            .filter_map(|(at, column)| Some((at, column.entry()?)))
    }

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

    fn owner(&self, owner: &Option<String>, y: i32, drawing: &mut Drawing) -> i32 {
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
            let place = super::story::at(column);
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
                shape: shape(entry, true),
                from: None,
                token: None,
            });
        }
        y + height
    }

    fn key(&self, lane: &super::story::Lane, y: i32, drawing: &mut Drawing) -> i32 {
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
        // A line for each stretch in which the highest token is known.
        let mut line = Line {
            lane: index,
            points: Vec::new(),
            labels: Vec::new(),
        };
        for (at, (place, token)) in steps.iter().enumerate() {
            let x = self.x(*place);
            let y = token.map(|token| level(Some(token)));
            if let Some((_, last)) = line.points.last().copied() {
                line.points.push((x, last));
            }
            match (y, token) {
                (Some(y), Some(token)) => {
                    line.points.push((x, y));
                    if place % 2 == 0 {
                        line.labels.push((x, y, *token));
                    }
                }
                _ => self.finish_line(&mut line, drawing),
            }
            if at + 1 == steps.len()
                && let Some((_, last)) = line.points.last().copied()
            {
                line.points.push((self.x(end), last));
            }
        }
        self.finish_line(&mut line, drawing);
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
                shape: shape(entry, false),
                from: sender,
                token: entry.record.fence_token,
            });
        }
        y + height
    }

    fn finish_line(&self, line: &mut Line, drawing: &mut Drawing) {
        let next = Line {
            lane: line.lane,
            points: Vec::new(),
            labels: Vec::new(),
        };
        let line = std::mem::replace(line, next);
        if !line.points.is_empty() {
            drawing.lines.push(line);
        }
    }

    fn breaks(&self, drawing: &mut Drawing) {
        for column in self.range.clone() {
            if let Some(Column::Gap { count }) = self.columns.get(column) {
                drawing.breaks.push(Break {
                    x: self.centre(column),
                    count: *count,
                });
            }
        }
    }

    /// The mark that arrows of a record begin or end at: at the resource for a write.
    fn mark<'d>(&self, drawing: &'d Drawing, column: usize) -> Option<&'d Mark> {
        drawing.marks.iter().rfind(|mark| mark.column == column)
    }

    fn arrows(&self, drawing: &mut Drawing) {
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

    fn flags(&self, drawing: &mut Drawing) {
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

fn shape(entry: &Entry, at_owner: bool) -> Shape {
    match (entry.record.event, entry.record.result) {
        (Event::Write, _) if at_owner => Shape::Sent,
        (_, Answer::InDoubt) => Shape::InDoubt,
        (_, Answer::Acquired) => Shape::Acquired,
        (_, Answer::Renewed) => Shape::Renewed,
        (_, Answer::Expired) => Shape::Expired,
        (_, Answer::Released) => Shape::Released,
        (
            _,
            Answer::AcquireRejectedHeld
            | Answer::RenewRejectedNotOwner
            | Answer::ReleaseRejectedNotOwner,
        ) => Shape::RefusedByAuthority,
        (_, Answer::ReleaseNoop) => Shape::Nothing,
        (_, Answer::Accepted) => Shape::Accepted,
        (_, Answer::RejectedStaleFence) => Shape::RefusedAsStale,
        (_, Answer::RejectedDuplicate) => Shape::RefusedAsDuplicate,
        (_, Answer::RejectedOther) => Shape::RefusedOtherwise,
    }
}

#[cfg(test)]
mod tests {
    use super::{Drawing, lay_out};
    use crate::evidence::{Answer, Event};
    use crate::incident::Role;
    use crate::report::columns::tests::entry;
    use crate::report::model::{Active, Actor, Column, OrderUsed, Part, Timeline};
    use crate::report::picture::story;
    use proptest::prelude::*;

    fn timeline(steps: &[(u8, u8, u8, u8, bool)]) -> Timeline {
        let columns = steps
            .iter()
            .zip(1u64..)
            .map(|((owner, what, token, other, told), position)| {
                let (event, answer) = match what % 12 {
                    0 => (Event::Acquire, Answer::Acquired),
                    1 => (Event::Expire, Answer::Expired),
                    2 => (Event::Release, Answer::Released),
                    3 => (Event::Renew, Answer::Renewed),
                    4 => (Event::Write, Answer::RejectedStaleFence),
                    5 => (Event::Release, Answer::ReleaseRejectedNotOwner),
                    6 => (Event::Acquire, Answer::AcquireRejectedHeld),
                    7 => (Event::Write, Answer::InDoubt),
                    8 => {
                        return Column::Gap {
                            count: u64::from(*token),
                        };
                    }
                    _ => (Event::Write, Answer::Accepted),
                };
                let mut one = entry(position, false, &format!("o{}", owner % 4), event, answer);
                one.record.lease_id = (other % 5 != 0).then(|| format!("l{}", owner % 6));
                one.record.fence_token = (other % 3 != 0).then_some(u64::from(*token));
                one.record.resource_key = (other % 7 != 0).then(|| format!("k{}", other % 3));
                one.record.resource_highest_token_before =
                    (other % 2 == 0).then_some(u64::from(token / 2));
                if event == Event::Release && other % 4 == 0 {
                    one.record.active = Some(Active::Lease(Actor {
                        owner_id: None,
                        lease_id: Some(format!("l{}", other % 6)),
                        fence_token: None,
                    }));
                }
                if *told {
                    one.incidents.push(Part {
                        incident: u64::from(token % 4),
                        decides: other % 2 == 0,
                        role: Role::LateWrite,
                    });
                }
                if other % 9 == 0 {
                    return Column::Run {
                        first: one,
                        count: 5,
                        last_position: position + 4,
                        last_line: position + 4,
                    };
                }
                Column::Record(one)
            })
            .collect();
        Timeline {
            lock_name: "lock".to_owned(),
            order: OrderUsed::Seq,
            withheld: None,
            records: 0,
            columns,
        }
    }

    fn check(drawing: &Drawing) -> Result<(), TestCaseError> {
        let (width, height) = (drawing.width, drawing.height);
        let inside = |x: i32, y: i32| (0..=width).contains(&x) && (0..=height).contains(&y);
        for pair in drawing.lanes.windows(2) {
            prop_assert!(pair[0].y + pair[0].height <= pair[1].y);
        }
        let mut bars = drawing.bars.clone();
        bars.sort_by_key(|bar| (bar.lane, bar.row, bar.x));
        for bar in &bars {
            let lane = &drawing.lanes[bar.lane];
            prop_assert!(bar.y >= lane.y && bar.y + super::BAR <= lane.y + lane.height);
            prop_assert!(inside(bar.x, bar.y) && inside(bar.x + bar.width, bar.y));
        }
        for pair in bars.windows(2) {
            if (pair[0].lane, pair[0].row) == (pair[1].lane, pair[1].row) {
                prop_assert!(pair[0].x + pair[0].width <= pair[1].x, "{pair:?}");
            }
        }
        for mark in &drawing.marks {
            let lane = &drawing.lanes[mark.lane];
            prop_assert!(inside(mark.x - super::MARK, mark.y - super::MARK));
            prop_assert!(inside(mark.x + super::MARK, mark.y + super::MARK));
            prop_assert!(mark.y - super::MARK >= lane.y);
            prop_assert!(mark.y + super::MARK <= lane.y + lane.height);
        }
        for a in &drawing.marks {
            for b in &drawing.marks {
                prop_assert_eq!(a.column.cmp(&b.column), a.x.cmp(&b.x));
                let apart = a.lane != b.lane || a.column == b.column;
                prop_assert!(apart || (a.x - b.x).abs() > 2 * super::MARK);
            }
        }
        for line in &drawing.lines {
            let lane = &drawing.lanes[line.lane];
            for (x, y) in &line.points {
                prop_assert!(inside(*x, *y) && *y >= lane.y && *y <= lane.y + lane.height);
            }
            prop_assert!(line.points.iter().map(|(x, _)| *x).is_sorted());
        }
        for arrow in &drawing.arrows {
            for (x, y) in [arrow.from, arrow.via, arrow.to] {
                prop_assert!(inside(x, y), "{arrow:?}");
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn everything_has_its_place(
            steps in proptest::collection::vec(any::<(u8, u8, u8, u8, bool)>(), 0..60),
        ) {
            let timeline = timeline(&steps);
            let drawings = lay_out(&story::read(&timeline, &[]), &timeline.columns);
            let mut next = 0;
            for drawing in &drawings {
                prop_assert_eq!(drawing.columns.start, next);
                next = drawing.columns.end;
                check(drawing)?;
            }
            prop_assert_eq!(next, timeline.columns.len());
            let records = timeline.columns.iter().filter(|one| one.entry().is_some());
            let mut drawn: Vec<usize> = drawings
                .iter()
                .flat_map(|one| &one.marks)
                .map(|mark| mark.column)
                .collect();
            drawn.sort_unstable();
            drawn.dedup();
            prop_assert_eq!(drawn.len(), records.count());
        }
    }
}
