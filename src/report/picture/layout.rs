//! Places in whole pixels for what a picture tells.
//!
//! A long timeline is cut into parts, one drawing each, so that every one of them can be
//! read on paper. Nothing is drawn outside its box, no two bars of a lane overlap, and
//! what comes later stands further right.

mod arrows;
mod drawing;
mod keys;
mod owners;
#[cfg(test)]
mod tests;

pub use self::drawing::{Arrow, BarBox, Break, Drawing, Line, Mark, Of, Shape};
use super::story::{Half, Story};
use crate::evidence::Answer;
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
}

/// What was answered, as a mark in the lane of whoever answered.
fn shape(answer: Answer) -> Shape {
    match answer {
        Answer::InDoubt => Shape::InDoubt,
        Answer::Acquired => Shape::Acquired,
        Answer::Renewed => Shape::Renewed,
        Answer::Expired => Shape::Expired,
        Answer::Released => Shape::Released,
        Answer::AcquireRejectedHeld
        | Answer::RenewRejectedNotOwner
        | Answer::ReleaseRejectedNotOwner => Shape::RefusedByAuthority,
        Answer::ReleaseNoop => Shape::Nothing,
        Answer::Accepted => Shape::Accepted,
        Answer::RejectedStaleFence => Shape::RefusedAsStale,
        Answer::RejectedDuplicate => Shape::RefusedAsDuplicate,
        Answer::RejectedOther => Shape::RefusedOtherwise,
    }
}
