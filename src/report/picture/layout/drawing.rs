//! What a drawing consists of: boxes, bars, marks, lines and arrows, each with its place.

use crate::report::picture::story::End;

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
