//! What a frame is and who takes it, and the plainest way of cutting: lines of text.

use memchr::{memchr, memrchr};

use super::dialect::{Problem, ProblemKind};
use super::rows::Row;

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

/// A frame as sinks are told of it: how much of the space behind an object the cut took with
/// it says nothing.
pub(super) fn bare(frame: &[u8]) -> &[u8] {
    if frame.starts_with(b"{") {
        frame.trim_ascii_end()
    } else {
        frame
    }
}

pub(crate) fn line_ends(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Characters of UTF-8 text; of other bytes, those that could begin one.
fn characters(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&b| b & 0xc0 != 0x80).count() as u64
}

/// A mark that text is UTF-8. It is no part of the text, wherever a line begins with it:
/// files that begin so are put one behind the other.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Who takes the frames. `lead` is what stands before a frame on its line and means
/// nothing: white space and marks. Whoever keeps a line byte for byte needs it.
pub(crate) trait Frames {
    /// A frame to be read.
    fn frame(&mut self, start: Start, lead: &[u8], frame: &[u8]);
    /// A frame that is whole if it is well formed. `false` if it turned out unreadable;
    /// nothing has been reported of it then.
    fn probe(&mut self, start: Start, lead: &[u8], frame: &[u8]) -> bool;
    /// Bytes that no dialect could read.
    fn unreadable(&mut self, start: Start, lead: &[u8], bytes: &[u8], problem: Problem);
    /// A bracket that was read already and never closed.
    fn unclosed(&mut self, start: Start, bracket: &[u8], problem: Problem);
    /// What follows the last frame: more of what is unreadable, and the white space up to
    /// the line end and with it.
    fn rest(&mut self, bytes: &[u8]);
    /// Takes lines that are read already: `left` bytes before the end of the data, at
    /// `start`, a line begins that belongs to nothing before it. Gives the bytes and the
    /// lines that are done with.
    fn prepared(&mut self, start: Start, left: usize) -> (usize, u64);
    /// Whether nothing more is wanted. `open` says that more of the last frame may follow,
    /// which is wanted for longer than what follows it.
    fn stopped(&self, open: bool) -> bool;
}

/// A way of cutting. `data` begins where the last call left off.
pub(crate) trait Cut {
    /// Cuts what is complete in `data` and says how many bytes of it are done with.
    /// `end` says that nothing follows.
    fn feed(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> usize;
    /// The place of the first byte that was not consumed.
    fn place(&self) -> Start;
    /// Whether what follows may belong to the last frame that was handed out.
    fn is_open(&self) -> bool;
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
    /// The row that what comes next belongs to, as far as it is searched; `None` where
    /// lines are cut whatever is in them.
    row: Option<Row>,
    /// The delimiter of its cells.
    delimiter: u8,
    /// So much of what comes next holds no end of it.
    searched: usize,
    skipping: bool,
}

impl Lines {
    pub(crate) fn new(limit: usize) -> Lines {
        Lines {
            limit,
            place: Start::ORIGIN,
            row: None,
            delimiter: b',',
            searched: 0,
            skipping: false,
        }
    }

    /// Rows of a table: a cell in quotes may go on over several lines.
    pub(crate) fn rows(limit: usize, delimiter: u8) -> Lines {
        Lines {
            row: Some(Row::new(delimiter)),
            delimiter,
            ..Lines::new(limit)
        }
    }

    /// The line end in `data` that ends the line or row, of which so much is searched.
    fn find_end(&mut self, data: &[u8], searched: usize) -> Option<usize> {
        match &mut self.row {
            Some(row) => row.end(data, searched),
            None => memchr(b'\n', data.get(searched..)?).map(|n| n + searched),
        }
    }

    /// The next line or row, or what is there of one that is too long. `None`: it is not
    /// all there.
    fn next(&mut self, rest: &[u8], end: bool) -> Option<Piece> {
        let mut open = false;
        let mut found = None;
        if !self.skipping {
            // First as far as the limit, so that it does not matter how much has been read.
            let near = rest.get(..=self.limit).unwrap_or(rest);
            found = self.find_end(near, self.searched);
            self.searched = near.len();
            open = self.row.as_ref().is_some_and(Row::is_open);
            if found.is_none() && rest.len() <= self.limit && !end {
                return None;
            }
        }
        let found = found.or_else(|| self.find_end(rest, self.searched));
        self.searched = 0;
        if found.is_some() || end {
            self.row = self.row.as_ref().map(|_| Row::new(self.delimiter));
        }
        Some(Piece {
            len: found.unwrap_or(rest.len()),
            whole: found.map_or(rest.len(), |n| n + 1),
            open,
        })
    }
}

/// A line or row, or some of one that is too long.
struct Piece {
    len: usize,
    /// The length with its line end.
    whole: usize,
    /// Whether a quoted cell is open at the limit.
    open: bool,
}

fn row_too_long(limit: usize, open: bool) -> Problem {
    let mut problem = too_long(limit);
    if open {
        problem.hint = "a quoted cell is not closed by then: close the quote, or raise the \
            limit with --max-line"
            .to_owned();
    }
    problem
}

impl Cut for Lines {
    fn feed(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> usize {
        let mut at = 0;
        while !out.stopped(self.skipping) {
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
            let Some(piece) = self.next(rest, end) else {
                break;
            };
            let (line, _) = rest.split_at(piece.len);
            let (whole, _) = rest.split_at(piece.whole);
            if self.skipping {
                out.rest(whole);
                self.skipping = piece.len == piece.whole;
            } else if piece.len > self.limit {
                let problem = row_too_long(self.limit, piece.open);
                out.unreadable(self.place, b"", line, problem);
                out.rest(whole.get(piece.len..).unwrap_or_default());
                self.skipping = piece.len == piece.whole;
            } else if !is_blank(line) {
                let (lead, text) = marked(line);
                let text = text.strip_suffix(b"\r").unwrap_or(text);
                if !is_blank(text) {
                    out.frame(self.place, lead, text);
                    out.rest(whole.get(lead.len() + text.len()..).unwrap_or_default());
                }
            }
            self.place = self.place.after(whole);
            at += piece.whole;
        }
        at
    }

    fn place(&self) -> Start {
        self.place
    }

    fn is_open(&self) -> bool {
        self.skipping
    }
}

/// The marks that a line begins with, and what follows them.
fn marked(line: &[u8]) -> (&[u8], &[u8]) {
    let mut text = line;
    while let Some(rest) = text.strip_prefix(BOM) {
        text = rest;
    }
    line.split_at(line.len() - text.len())
}
