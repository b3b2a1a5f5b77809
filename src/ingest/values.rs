//! Cuts bytes into JSON values, however they are laid out.

use memchr::{memchr, memrchr};

use super::frames::{Cut, Frames, Start, too_long, unreadable};
use super::scan::{Scan, Step, closing_bracket};

enum State {
    /// Between values.
    Between,
    /// Inside one, which begins at the first byte of the data; so much of it is scanned.
    Value { scan: Scan, scanned: usize },
    /// Behind one that ended there, in search of the end of its line.
    Closed { close: usize, searched: usize },
    /// In a line that is no JSON, in search of its end.
    Text { searched: usize },
    /// Inside a line beyond the limit, or what else remains of a line given up.
    Line { lines_follow: bool },
    /// Among the remaining lines of a value that broke.
    Remains,
}

/// JSON values: a line each, elements of an array, or printed over several lines.
/// What is no JSON comes line by line.
///
/// A value that breaks off takes only its own lines with it: the next line that begins
/// with `{` at its first column (in an array, also at the column of the other elements)
/// is read as a new value.
pub(crate) struct Values {
    limit: usize,
    place: Start,
    state: State,
    /// The line of the `[` of the array we are in.
    array: Option<u64>,
    /// The column of the elements of that array, where they begin their lines.
    indent: Option<usize>,
    /// Whether the current line has held nothing but white space so far.
    fresh: bool,
}

impl Values {
    pub(crate) fn new(limit: usize) -> Values {
        Values {
            limit,
            place: Start::ORIGIN,
            state: State::Between,
            array: None,
            indent: None,
            fresh: true,
        }
    }

    fn pass(&mut self, bytes: &[u8]) -> usize {
        self.place = self.place.after(bytes);
        self.fresh = bytes.ends_with(b"\n");
        bytes.len()
    }

    /// Between values. `None`: more bytes are needed.
    fn between(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> Option<usize> {
        if self.array.is_none() && self.place.column == 0 {
            let (bytes, lines) = out.prepared(self.place, data.len());
            if bytes > 0 {
                self.place.line += lines;
                self.fresh = true;
                return Some(bytes);
            }
        }
        let blank = data
            .iter()
            .position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
            .unwrap_or(data.len());
        if blank > 0 {
            let (space, _) = data.split_at(blank);
            let fresh = self.fresh || memchr(b'\n', space).is_some();
            let passed = self.pass(space);
            self.fresh = fresh;
            return Some(passed);
        }
        let first = *data.first()?;
        match (first, self.array) {
            (b'{', None) => self.object(data, end, out),
            (b'{', Some(_)) => {
                if self.fresh && self.indent.is_none() {
                    self.indent = usize::try_from(self.place.column).ok();
                }
                self.begin();
                Some(0)
            }
            (b',', Some(_)) => Some(self.pass(b",")),
            (b']', Some(_)) => {
                self.array = None;
                Some(self.pass(b"]"))
            }
            (_, Some(_)) => self.element(data, end, out),
            (b'[', None) => {
                let within = data.get(..self.limit + 1).unwrap_or(data);
                let inside = within
                    .iter()
                    .skip(1)
                    .position(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'));
                match inside {
                    Some(n) if data.get(n + 1) == Some(&b'{') => {
                        self.array = Some(self.place.line);
                        self.indent = None;
                        Some(self.pass(b"["))
                    }
                    None if !end && data.len() <= self.limit => None,
                    _ => self.text(0, data, end, out),
                }
            }
            _ => self.text(0, data, end, out),
        }
    }

    fn begin(&mut self) {
        self.state = State::Value {
            scan: Scan::new(),
            scanned: 0,
        };
    }

    /// A line that begins with `{`. The common case, one value on one line, is seen
    /// without scanning it: after a closing brace no JSON goes on with anything but a
    /// comma or another bracket, so what follows tells that the line stands alone.
    fn object(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> Option<usize> {
        let line_end = match memchr(b'\n', data) {
            Some(n) => n,
            None if end => data.len(),
            None => {
                self.begin();
                return Some(0);
            }
        };
        let (line, rest) = data.split_at(line_end);
        let closed = line.trim_ascii_end().ends_with(b"}");
        let next = rest.iter().find(|b| !b.is_ascii_whitespace());
        let alone = match next {
            Some(next) => !matches!(next, b',' | b'}' | b']'),
            None => end,
        };
        if !closed || !alone || line.len() > self.limit {
            self.begin();
            return Some(0);
        }
        if !out.probe(self.place, line) {
            // Several values on the line, or a broken one: look closely.
            self.begin();
            return Some(0);
        }
        if rest.is_empty() {
            Some(self.pass(line))
        } else {
            self.place = Start {
                line: self.place.line + 1,
                column: 0,
            };
            self.fresh = true;
            Some(line_end + 1)
        }
    }

    /// What is no JSON, to the end of its line.
    fn text(
        &mut self,
        searched: usize,
        data: &[u8],
        end: bool,
        out: &mut dyn Frames,
    ) -> Option<usize> {
        let line = match memchr(b'\n', data.get(searched..).unwrap_or_default()) {
            Some(n) => data.get(..searched + n)?,
            None if end => data,
            None if data.len() > self.limit => {
                self.state = State::Line {
                    lines_follow: false,
                };
                data
            }
            None => {
                self.state = State::Text {
                    searched: data.len(),
                };
                return None;
            }
        };
        if line.len() > self.limit {
            out.unreadable(self.place, line, too_long(self.limit));
        } else {
            out.frame(self.place, line.strip_suffix(b"\r").unwrap_or(line));
        }
        Some(self.pass(line))
    }

    /// An element of an array that is no object.
    fn element(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> Option<usize> {
        if matches!(data.first(), Some(b'[' | b'"')) {
            self.begin();
            return Some(0);
        }
        let stop = data
            .iter()
            .position(|b| matches!(b, b',' | b']' | b'\n'))
            .or((end || data.len() > self.limit).then_some(data.len()))?;
        let (bytes, _) = data.split_at(stop);
        let word = bytes.trim_ascii();
        let scalar = serde_json::from_slice::<serde::de::IgnoredAny>(word).is_ok();
        if scalar && bytes.len() <= self.limit {
            out.frame(self.place, word);
            return Some(self.pass(bytes));
        }
        // Text at the first column is a log that goes on after an array that did not end.
        if self.place.column == 0 {
            self.array = None;
        }
        let problem = unreadable(
            0..1,
            "this is no JSON value, and an array is not closed",
            "an array holds values separated by commas and ends with `]`",
        );
        out.unreadable(self.place, bytes, problem);
        self.state = State::Line {
            lines_follow: false,
        };
        Some(self.pass(bytes))
    }

    fn value(
        &mut self,
        mut scan: Scan,
        scanned: usize,
        data: &[u8],
        end: bool,
        out: &mut dyn Frames,
    ) -> Option<usize> {
        let within = data.get(..self.limit + 1).unwrap_or(data);
        let (at, long) = match scan.feed(within.get(scanned..).unwrap_or_default()) {
            Step::Done(n) if scanned + n <= self.limit => {
                return self.closed(scanned + n, scanned + n, data, end, out);
            }
            Step::Broken(n) => (scanned + n, false),
            _ if data.len() > self.limit => (self.limit, true),
            _ if end => (data.len(), false),
            _ => {
                self.state = State::Value {
                    scan,
                    scanned: data.len(),
                };
                return None;
            }
        };
        let done = self.broken(at, long, data, end, out);
        if done.is_none() {
            // Seen again, and at once, when its line is there.
            let scanned = if long { within.len() } else { at };
            self.state = State::Value { scan, scanned };
        }
        done
    }

    /// A value ended at `close`; what stands behind it on its line decides whether it is
    /// one.
    fn closed(
        &mut self,
        close: usize,
        searched: usize,
        data: &[u8],
        end: bool,
        out: &mut dyn Frames,
    ) -> Option<usize> {
        let (value, rest) = data.split_at(close);
        // Only as far as the limit, so that it does not matter how much has been read.
        let near = data.get(close..=self.limit).unwrap_or(rest);
        let follows = near
            .iter()
            .find(|b| !matches!(b, b' ' | b'\t' | b'\r'))
            .copied();
        let alone = match follows {
            Some(b'\n' | b'{') => true,
            Some(_) => self.array.is_some(),
            None => (end && data.len() <= self.limit) || self.array.is_some(),
        };
        if alone {
            out.frame(self.place, value);
            return Some(self.pass(value));
        }
        // Something else stands behind it: the whole line is wrong.
        let line_end = memchr(b'\n', data.get(searched..).unwrap_or_default());
        let whole = match line_end {
            Some(n) => searched + n,
            None if end => data.len(),
            None if data.len() > self.limit => {
                self.state = State::Line {
                    lines_follow: false,
                };
                data.len()
            }
            None => {
                self.state = State::Closed {
                    close,
                    searched: data.len(),
                };
                return None;
            }
        };
        let (line, _) = data.split_at(whole);
        if line.len() > self.limit {
            out.unreadable(self.place, line, too_long(self.limit));
        } else {
            out.frame(self.place, line);
        }
        Some(self.pass(line))
    }

    /// The value at the start of the data can't go on at `at`. Decides which lines it
    /// takes with it.
    fn broken(
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
        let enough = self.indent.map_or(1, |indent| indent + 1);
        if !end && line.len() < enough && memchr(b'\n', line).is_none() {
            // Too little of the last line to see what it begins.
            return None;
        }
        let within = data.get(..self.limit).unwrap_or(data);
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
                None if data.len() > self.limit => (data.len(), State::Line { lines_follow }),
                None => return None,
            }
        };
        let (value, _) = data.split_at(cut);
        self.state = next;
        if value.len() > self.limit {
            out.unreadable(self.place, value, too_long(self.limit));
        } else if self.array.is_some() && !value.starts_with(b"{") {
            let problem = unreadable(
                0..1,
                "this element of an array is no JSON value",
                "an array holds values separated by commas and ends with `]`",
            );
            out.unreadable(self.place, value, problem);
        } else {
            out.frame(self.place, value.strip_suffix(b"\n").unwrap_or(value));
        }
        Some(self.pass(value))
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

    fn begins_value(&self, line: &[u8]) -> bool {
        line.starts_with(b"{")
            || self.array.is_some()
                && self.indent.is_some_and(|indent| {
                    line.split_at_checked(indent).is_some_and(|(space, rest)| {
                        space.iter().all(|b| matches!(b, b' ' | b'\t')) && rest.starts_with(b"{")
                    })
                })
    }

    /// At the end of a line of a value that broke: does the next one still belong to it?
    fn remains(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> Option<usize> {
        let line_end = data.first()?;
        debug_assert_eq!(*line_end, b'\n');
        let line = data.get(1..).unwrap_or_default();
        let enough = self.indent.map_or(1, |indent| indent + 1);
        if !end && line.len() < enough && memchr(b'\n', line).is_none() {
            return None;
        }
        let array_ends = self.array.is_some() && line.starts_with(b"]");
        if line.is_empty() || self.begins_value(line) || leaves_value(line) || array_ends {
            self.state = State::Between;
        } else {
            out.rest(b"\n");
            self.state = State::Line { lines_follow: true };
        }
        Some(self.pass(b"\n"))
    }

    /// The rest of a line that was given up.
    fn line(&mut self, data: &[u8], lines_follow: bool, out: &mut dyn Frames) -> Option<usize> {
        if data.is_empty() {
            return None;
        }
        let line = match memchr(b'\n', data) {
            Some(n) => {
                self.state = if lines_follow {
                    State::Remains
                } else {
                    State::Between
                };
                data.get(..n)?
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
    !matches!(
        line.first(),
        None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'}' | b']' | b',' | b'"')
    )
}

impl Cut for Values {
    fn feed(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> usize {
        let mut at = 0;
        while !out.stopped() {
            let rest = data.get(at..).unwrap_or_default();
            let done = match std::mem::replace(&mut self.state, State::Between) {
                State::Between => self.between(rest, end, out),
                State::Value { scan, scanned } => self.value(scan, scanned, rest, end, out),
                State::Closed { close, searched } => self.closed(close, searched, rest, end, out),
                State::Text { searched } => self.text(searched, rest, end, out),
                State::Line { lines_follow } => {
                    self.state = State::Line { lines_follow };
                    self.line(rest, lines_follow, out)
                }
                State::Remains => {
                    self.state = State::Remains;
                    self.remains(rest, end, out)
                }
            };
            match done {
                Some(n) => at += n,
                None => break,
            }
        }
        if end
            && at == data.len()
            && !out.stopped()
            && let Some(line) = self.array.take()
        {
            let problem = unreadable(
                0..0,
                &format!("the array that begins on line {line} is not closed"),
                "the input ends too early: was the file cut short?",
            );
            out.unreadable(self.place, b"", problem);
        }
        at
    }

    fn place(&self) -> Start {
        self.place
    }
}
