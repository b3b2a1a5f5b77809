//! What a frame is and who takes it, and the plainest way of cutting: lines of text.

use memchr::{memchr, memrchr};

use super::dialect::{Problem, ProblemKind};

/// Where a frame begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Start {
    /// The line, from 1.
    pub(crate) line: u64,
    /// Characters before it on that line.
    pub(crate) column: u64,
}

impl Start {
    pub(crate) const ORIGIN: Start = Start { line: 1, column: 0 };

    /// Where something begins that follows these bytes.
    pub(crate) fn after(self, bytes: &[u8]) -> Start {
        match memrchr(b'\n', bytes) {
            None => Start {
                line: self.line,
                column: self.column + characters(bytes),
            },
            Some(last) => Start {
                line: self.line + line_ends(bytes),
                column: characters(bytes.get(last + 1..).unwrap_or_default()),
            },
        }
    }
}

pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Characters of UTF-8 text; of other bytes, those that could begin one.
fn characters(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&b| b & 0xc0 != 0x80).count() as u64
}

/// Who takes the frames.
pub(crate) trait Frames {
    /// A frame to be read.
    fn frame(&mut self, start: Start, frame: &[u8]);
    /// A frame that is whole if it is well formed. `false` if it turned out unreadable;
    /// nothing has been reported of it then.
    fn probe(&mut self, start: Start, frame: &[u8]) -> bool;
    /// Bytes that no dialect could read.
    fn unreadable(&mut self, start: Start, bytes: &[u8], problem: Problem);
    /// More bytes of what was last reported unreadable.
    fn rest(&mut self, bytes: &[u8]);
    /// Takes lines that are read already: `left` bytes before the end of the data, at
    /// `start`, a line begins that belongs to nothing before it. Gives the bytes and the
    /// lines that are done with.
    fn prepared(&mut self, start: Start, left: usize) -> (usize, u64);
    /// Whether nothing more is wanted.
    fn stopped(&self) -> bool;
}

/// A way of cutting. `data` begins where the last call left off.
pub(crate) trait Cut {
    /// Cuts what is complete in `data` and says how many bytes of it are done with.
    /// `end` says that nothing follows.
    fn feed(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> usize;
    /// The place of the first byte that was not consumed.
    fn place(&self) -> Start;
}

pub(super) fn too_long(limit: usize) -> Problem {
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: 0..0,
        message: format!(
            "longer than the limit of {limit} byte{}",
            if limit == 1 { "" } else { "s" }
        ),
        hint: "if this is one record, raise the limit with --max-line".to_owned(),
    }
}

pub(super) fn unreadable(span: std::ops::Range<usize>, message: &str, hint: &str) -> Problem {
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span,
        message: message.to_owned(),
        hint: hint.to_owned(),
    }
}

pub(super) fn is_blank(bytes: &[u8]) -> bool {
    bytes.iter().all(u8::is_ascii_whitespace)
}

/// Lines of text, without their line ends; blank lines are passed over.
pub(crate) struct Lines {
    limit: usize,
    place: Start,
    searched: usize,
    skipping: bool,
}

impl Lines {
    pub(crate) fn new(limit: usize) -> Lines {
        Lines {
            limit,
            place: Start::ORIGIN,
            searched: 0,
            skipping: false,
        }
    }
}

impl Cut for Lines {
    fn feed(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> usize {
        let mut at = 0;
        while !out.stopped() {
            let rest = data.get(at..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            if self.searched == 0 && !self.skipping && self.place.column == 0 {
                let (bytes, lines) = out.prepared(self.place, rest.len());
                if bytes > 0 {
                    self.place.line += lines;
                    at += bytes;
                    continue;
                }
            }
            let found = memchr(b'\n', rest.get(self.searched..).unwrap_or_default())
                .map(|n| n + self.searched);
            let (line, next) = match found {
                Some(n) => (rest.get(..n).unwrap_or_default(), n + 1),
                None if end || self.skipping || rest.len() > self.limit => (rest, rest.len()),
                None => {
                    self.searched = rest.len();
                    break;
                }
            };
            self.searched = 0;
            if self.skipping {
                out.rest(
                    rest.get(..next - usize::from(found.is_some()))
                        .unwrap_or(rest),
                );
                self.skipping = found.is_none();
            } else if line.len() > self.limit {
                out.unreadable(self.place, line, too_long(self.limit));
                self.skipping = found.is_none();
            } else if !is_blank(line) {
                out.frame(self.place, line.strip_suffix(b"\r").unwrap_or(line));
            }
            self.place = match found {
                Some(_) => Start {
                    line: self.place.line + 1,
                    column: 0,
                },
                None => self.place.after(rest),
            };
            at += next;
        }
        at
    }

    fn place(&self) -> Start {
        self.place
    }
}
