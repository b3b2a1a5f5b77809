//! Where the results of reading go, and what they look like.

use std::ops::{ControlFlow, Range};

use super::decode::InputError;
use super::dialect::Problem;
use super::kept::Kept;
use crate::evidence::{Place, Record};

/// What was read, over all inputs and of each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    /// Over all inputs.
    pub total: SourceCounts,
    /// Of each, in order.
    pub sources: Vec<SourceCounts>,
    /// Whether the sink asked to stop before the end.
    pub stopped: bool,
}

/// What was read of one input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceCounts {
    /// Lines, blank ones and a last one without its line end included.
    pub lines: u64,
    /// Evidence records.
    pub records: u64,
    /// Those of the records that have a field which can't be used.
    pub flawed: u64,
    /// Other lines: no evidence, and no error.
    pub other: u64,
    /// Lines or values of which nothing could be used.
    pub rejected: u64,
    /// Bytes as they lie in the input.
    pub bytes: u64,
    /// Whether it could not be read to its end: cut short, or damaged.
    pub broken: bool,
    /// The SHA-256 of those bytes, where it was asked for and the whole input was read.
    pub digest: Option<[u8; 32]>,
}

impl SourceCounts {
    pub(super) fn add(&mut self, other: &SourceCounts) {
        self.lines += other.lines;
        self.records += other.records;
        self.flawed += other.flawed;
        self.other += other.other;
        self.rejected += other.rejected;
        self.bytes += other.bytes;
        self.broken |= other.broken;
    }
}

/// A problem with its place in the input, and the text around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The line, from 1.
    pub line: u64,
    /// The character on that line, from 1.
    pub column: u64,
    /// A short piece of that line, not escaped.
    pub excerpt: String,
    /// The bytes of the excerpt that are wrong.
    pub mark: Range<usize>,
    /// What is wrong.
    pub problem: Problem,
}

/// A line or value with something wrong.
#[derive(Debug)]
pub struct Rejected<'a> {
    /// The input's name.
    pub source_name: &'a str,
    /// Where the line or value begins; `arrival` is the number of records before it.
    pub place: Place,
    /// What is wrong with it, at least one.
    pub problems: &'a [Located],
    /// Whether records were read from it all the same.
    pub used: bool,
    /// White space, or a byte order mark, that stands before it on its line. Where that is
    /// longer than the limit, its first bytes.
    pub lead: &'a [u8],
    /// Its bytes. Where it is longer than the limit, these are its first bytes, and
    /// [`Sink::rejected_rest`] brings the others.
    pub bytes: &'a [u8],
}

/// An input that could not be read to its end: cut short, or damaged.
#[derive(Debug)]
pub struct Broken<'a> {
    /// The input's name.
    pub source_name: &'a str,
    /// Index of the input.
    pub source: u32,
    /// The line that was being read, from 1.
    pub line: u64,
    /// The character on that line, from 1.
    pub column: u64,
    /// Why.
    pub error: &'a InputError,
}

/// How far reading has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// The input being read.
    pub source_name: &'a str,
    /// Its index.
    pub source: u32,
    /// How many inputs there are.
    pub sources: usize,
    /// Bytes taken from this input, as they lie there.
    pub bytes: u64,
    /// Bytes that it has, where that is known.
    pub size: Option<u64>,
    /// Bytes taken from all inputs.
    pub total: u64,
}

/// Where the results of reading go. `Break` stops reading.
pub trait Sink {
    /// A line or value is about to be read; the results that follow are of these bytes.
    fn frame(&mut self, _place: Place, _bytes: &[u8]) {}
    /// What was just read is another line: no evidence, and no error.
    fn other(&mut self) {}
    /// A record.
    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()>;
    /// [`Sink::frame`] and [`Sink::record`] in one, for a sink that does not need every field:
    /// the record is not built yet.
    #[doc(hidden)]
    fn kept(&mut self, place: Place, kept: &Kept<'_>) -> ControlFlow<()> {
        self.frame(place, kept.frame());
        self.record(place, &kept.record())
    }
    /// Something is wrong with a line or value. Records that could be read from it have come
    /// before. After `Break` only the rest of this line still comes, and only while
    /// [`Sink::wants_rest`] says so.
    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()>;
    /// More bytes of the last [`Rejected`]: what did not fit into memory, then the white space
    /// behind it, its line end included. Taken together, the bytes of a rejected line are those
    /// of the input.
    fn rejected_rest(&mut self, _bytes: &[u8]) {}
    /// Whether reading should go on after `Break` until the rejected line has come whole.
    fn wants_rest(&self) -> bool {
        true
    }
    /// An input could not be read to its end; reading goes on with the next one.
    fn broken(&mut self, _broken: &Broken<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// A block was read and everything complete in it handed over: a good moment to
    /// flush and to show progress.
    fn idle(&mut self, _progress: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}
