//! A value that breaks off: which lines it takes with it, and where the next one begins.

use memchr::{memchr, memrchr};

use super::{State, Values};
use crate::ingest::frames::{BOM, Frames, too_long, unreadable};
use crate::ingest::scan::closing_bracket;

impl Values {
    /// The value at the start of the data can't go on at `at`. Decides which lines it
    /// takes with it.
    pub(super) fn broken(
        &mut self,
        at: usize,
        long: bool,
        data: &[u8],
        end: bool,
        out: &mut dyn Frames,
    ) -> Option<usize> {
        let first_line = memchr(b'\n', data).filter(|&n| n < at);
        let start = memrchr(b'\n', data.get(..=at).unwrap_or(data)).map_or(0, |n| n + 1);
        let line = data.get(start..).unwrap_or_default();
        if !end && !self.shows_begin(line) {
            // Too little of the last line to see what it begins.
            return None;
        }
        let within = data.get(..self.room()).unwrap_or(data);
        let bracket = (self.array.is_some() && first_line.is_none() && !long)
            .then(|| closing_bracket(within))
            .flatten();
        let (cut, next) = if let Some(cut) = self.resume(data, at) {
            (cut, State::Between)
        } else if let Some(close) = bracket.filter(|&close| close > at) {
            (close, State::Between)
        } else {
            let lines_follow = first_line.is_some();
            match memchr(b'\n', data.get(at..).unwrap_or_default()) {
                Some(n) if lines_follow => (at + n, State::Remains),
                Some(n) => (at + n, State::Between),
                None if end => (data.len(), State::Between),
                None if data.len() > self.room() => (data.len(), State::Line { lines_follow }),
                None => return None,
            }
        };
        let cut = match next {
            // Blank lines behind it are no part of it.
            State::Between => {
                let text = data.get(..cut).unwrap_or(data).trim_ascii_end().len();
                let line_end = memchr(b'\n', data.get(text..cut).unwrap_or_default());
                line_end.map_or(cut, |n| text + n)
            }
            _ => cut,
        };
        let (value, _) = data.split_at(cut);
        self.state = next;
        if value.len() > self.room() {
            out.unreadable(self.place, &self.lead, value, too_long(self.limit));
        } else if self.array.is_some() && !value.starts_with(b"{") {
            let problem = unreadable(
                0..1,
                "this element of an array is no JSON value",
                "an array holds values separated by commas and ends with `]`",
            );
            out.unreadable(self.place, &self.lead, value, problem);
        } else {
            out.frame(self.place, &self.lead, value);
        }
        Some(self.given_up(data, cut, out))
    }

    /// The first line after the first one where a new value begins although the old one
    /// has not ended, no later than the line of `at`.
    fn resume(&self, data: &[u8], at: usize) -> Option<usize> {
        let known = data.get(..data.len().min(at + 1)).unwrap_or(data);
        let mut starts = memchr::memchr_iter(b'\n', known).map(|n| n + 1);
        starts.find(|&start| {
            let line = data.get(start..).unwrap_or_default();
            let last = memchr(b'\n', line).is_none_or(|n| start + n >= at);
            start <= at
                && (self.begins_value(line) || last && start < data.len() && leaves_value(line))
        })
    }

    /// Whether so much of a line is there that it is known what it begins.
    fn shows_begin(&self, line: &[u8]) -> bool {
        let mark = if line.first() == BOM.first() {
            BOM.len()
        } else {
            0
        };
        let enough = mark + self.indent.unwrap_or(0) + 1;
        line.len() >= enough || memchr(b'\n', line).is_some()
    }

    fn begins_value(&self, line: &[u8]) -> bool {
        let line = line.strip_prefix(BOM).unwrap_or(line);
        line.starts_with(b"{")
            || self.array.is_some()
                && self.indent.is_some_and(|indent| {
                    line.split_at_checked(indent).is_some_and(|(space, rest)| {
                        space.iter().all(|b| matches!(b, b' ' | b'\t')) && rest.starts_with(b"{")
                    })
                })
    }

    /// At the end of a line of a value that broke: does the next one still belong to it?
    pub(super) fn remains(
        &mut self,
        data: &[u8],
        end: bool,
        out: &mut dyn Frames,
    ) -> Option<usize> {
        let line_end = data.first()?;
        debug_assert_eq!(*line_end, b'\n');
        let line = data.get(1..).unwrap_or_default();
        if !end && !self.shows_begin(line) {
            return None;
        }
        let array_ends = self.array.is_some() && line.starts_with(b"]");
        if line.is_empty() || self.begins_value(line) || leaves_value(line) || array_ends {
            self.state = State::Between;
        } else {
            self.state = State::Line { lines_follow: true };
        }
        out.rest(b"\n");
        Some(self.pass(b"\n"))
    }

    /// The rest of a line that was given up.
    pub(super) fn line(
        &mut self,
        data: &[u8],
        lines_follow: bool,
        out: &mut dyn Frames,
    ) -> Option<usize> {
        if data.is_empty() {
            return None;
        }
        let line = match memchr(b'\n', data) {
            Some(n) if lines_follow => {
                self.state = State::Remains;
                data.get(..n)?
            }
            Some(n) => {
                self.state = State::Between;
                data.get(..=n)?
            }
            None => data,
        };
        if !line.is_empty() {
            out.rest(line);
        }
        Some(self.pass(line))
    }
}

/// Whether a line cannot be the rest of a value printed over several lines: it begins at
/// the first column, and not with what closes or continues a value.
fn leaves_value(line: &[u8]) -> bool {
    let line = line.strip_prefix(BOM).unwrap_or(line);
    !matches!(
        line.first(),
        None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'}' | b']' | b',' | b'"')
    )
}
