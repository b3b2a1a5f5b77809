//! Passes bytes: a frame that was handed out, and what stands before and behind it on its lines.

use memchr::memchr;

use super::{State, Values};
use crate::ingest::frames::{BOM, Frames, Start, too_long};

impl Values {
    /// Passes bytes: what comes is not behind a frame, and nothing stands before it.
    pub(super) fn pass(&mut self, bytes: &[u8]) -> usize {
        self.place = self.place.after(bytes);
        self.fresh = bytes.ends_with(b"\n");
        self.behind = false;
        self.lead.clear();
        bytes.len()
    }

    /// Passes a frame that was handed out, the first `len` bytes of the data, and with it
    /// the white space that follows on its line.
    pub(super) fn handed(&mut self, data: &[u8], len: usize, out: &mut dyn Frames) -> usize {
        let (frame, rest) = data.split_at(len);
        self.pass(frame);
        self.behind = true;
        len + self.pass_behind(rest, out)
    }

    /// Passes the white space behind a frame, up to the line end and with it.
    pub(super) fn pass_behind(&mut self, data: &[u8], out: &mut dyn Frames) -> usize {
        let space = blank(data);
        let line_end = memchr(b'\n', data.get(..space).unwrap_or_default());
        let (space, _) = data.split_at(line_end.map_or(space, |n| n + 1));
        if !space.is_empty() {
            out.rest(space);
            self.pass(space);
            self.behind = line_end.is_none();
        }
        space.len()
    }

    /// How long what begins here can be: what stands before it on its line counts.
    pub(super) fn room(&self) -> usize {
        self.limit - self.lead.len().min(self.limit)
    }

    /// Passes white space before a frame, up to a line end and with it.
    pub(super) fn pass_before(&mut self, data: &[u8], out: &mut dyn Frames) -> usize {
        let len = data.iter().take_while(|b| is_space(**b)).count();
        if self.fresh && len > self.room() {
            return self.pass_too_long(data, len, out);
        }
        let ends = data.get(len) == Some(&b'\n');
        let (space, _) = data.split_at(len + usize::from(ends));
        let fresh = self.fresh;
        let mut lead = std::mem::take(&mut self.lead);
        self.pass(space);
        if fresh && !ends {
            lead.extend_from_slice(space);
            (self.lead, self.fresh) = (lead, true);
        }
        space.len()
    }

    /// Gives up a line that is too long before anything stands on it.
    pub(super) fn pass_too_long(&mut self, data: &[u8], len: usize, out: &mut dyn Frames) -> usize {
        let mut line = std::mem::take(&mut self.lead);
        line.extend_from_slice(data.get(..len).unwrap_or(data));
        let start = Start {
            column: 0,
            ..self.place
        };
        out.unreadable(start, b"", &line, too_long(self.limit));
        self.state = State::Line {
            lines_follow: false,
        };
        self.given_up(data, len, out)
    }

    /// Passes a mark before a frame. Behind something on its line it begins another file.
    pub(super) fn pass_mark(&mut self, out: &mut dyn Frames) -> usize {
        self.fresh = true;
        if self.room() < BOM.len() {
            return self.pass_too_long(BOM, BOM.len(), out);
        }
        self.lead.extend_from_slice(BOM);
        BOM.len()
    }

    /// Passes what is wrong, the first `len` bytes of the data; what is left of its line
    /// goes with it.
    pub(super) fn given_up(&mut self, data: &[u8], len: usize, out: &mut dyn Frames) -> usize {
        match self.state {
            State::Between => self.handed(data, len, out),
            _ => self.pass(data.get(..len).unwrap_or(data)),
        }
    }
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r')
}

/// The length of the white space that the data begin with.
pub(super) fn blank(data: &[u8]) -> usize {
    let space = data.iter();
    space.take_while(|b| is_space(**b) || **b == b'\n').count()
}
