//! Cuts bytes into JSON values, however they are laid out.

mod broken;
mod pass;

use memchr::memchr;

use super::frames::{BOM, Cut, Frames, Start, too_long, unreadable};
use super::scan::{Scan, Step};
use pass::{blank, is_space};

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
/// is read as a new value. All lines that it took are one frame, and what stands before and
/// behind a frame on its lines goes out with it, so that nothing of what is wrong is lost.
pub(crate) struct Values {
    limit: usize,
    place: Start,
    state: State,
    /// The place of the `[` of the array we are in.
    array: Option<Start>,
    /// The column of the elements of that array, where they begin their lines.
    indent: Option<usize>,
    /// Whether the current line has held nothing but white space so far.
    fresh: bool,
    /// That white space, and marks before it: no more than the limit.
    lead: Vec<u8>,
    /// Whether the current line has held nothing but white space behind the last frame.
    behind: bool,
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
            lead: Vec::new(),
            behind: false,
        }
    }

    /// Between values. `None`: more bytes are needed.
    fn between(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> Option<usize> {
        if self.array.is_none() && self.place.column == 0 && self.lead.is_empty() {
            let (bytes, lines) = out.prepared(self.place, data.len());
            if bytes > 0 {
                self.place.line += lines;
                self.fresh = true;
                return Some(bytes);
            }
        }
        if self.behind && !data.is_empty() {
            self.behind = false;
            let passed = self.pass_behind(data, out);
            if passed > 0 {
                return Some(passed);
            }
        }
        if data.first().is_some_and(|b| is_space(*b) || *b == b'\n') {
            return Some(self.pass_before(data, out));
        }
        // Files are put one behind the other where a line ends, or where a value does.
        let behind = !self.fresh || self.lead.ends_with(BOM);
        if data.first() == BOM.first() && (self.place.column == 0 || behind && self.array.is_none())
        {
            if data.starts_with(BOM) {
                return Some(self.pass_mark(out));
            }
            if !end && BOM.starts_with(data) {
                return None;
            }
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
                let within = data.get(..self.room() + 1).unwrap_or(data);
                let inside = 1 + blank(within.get(1..).unwrap_or_default());
                match within.get(inside) {
                    Some(b'{') => {
                        self.array = Some(self.place);
                        self.indent = None;
                        Some(self.pass(b"["))
                    }
                    None if !end && data.len() <= self.room() => None,
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
        let behind = line.iter().rev();
        let behind = behind.take_while(|b| matches!(b, b' ' | b'\t' | b'\r'));
        let (object, behind) = line.split_at(line_end - behind.count());
        let closed = object.ends_with(b"}");
        let next = rest.iter().find(|b| !b.is_ascii_whitespace());
        let alone = match next {
            Some(next) => !matches!(next, b',' | b'}' | b']'),
            None => end,
        };
        if !closed || !alone || line.len() > self.room() {
            self.begin();
            return Some(0);
        }
        if !out.probe(self.place, &self.lead, object) {
            // Several values on the line, or a broken one: look closely.
            self.begin();
            return Some(0);
        }
        if rest.is_empty() {
            if !behind.is_empty() {
                out.rest(behind);
            }
            Some(self.pass(line))
        } else {
            out.rest(data.get(object.len()..=line_end).unwrap_or_default());
            self.place = Start {
                line: self.place.line + 1,
                column: 0,
            };
            self.fresh = true;
            self.lead.clear();
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
            None if data.len() > self.room() => {
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
        if line.len() > self.room() {
            out.unreadable(self.place, &self.lead, line, too_long(self.limit));
            return Some(self.given_up(data, line.len(), out));
        }
        let text = line.strip_suffix(b"\r").unwrap_or(line);
        out.frame(self.place, &self.lead, text);
        Some(self.handed(data, text.len(), out))
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
            .or((end || data.len() > self.room()).then_some(data.len()))?;
        let (bytes, _) = data.split_at(stop);
        let word = bytes.trim_ascii();
        let scalar = serde_json::from_slice::<serde::de::IgnoredAny>(word).is_ok();
        if scalar && bytes.len() <= self.room() {
            out.frame(self.place, &self.lead, word);
            return Some(self.handed(data, bytes.len(), out));
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
        out.unreadable(self.place, &self.lead, bytes, problem);
        self.state = State::Line {
            lines_follow: false,
        };
        Some(self.given_up(data, stop, out))
    }

    fn value(
        &mut self,
        mut scan: Scan,
        scanned: usize,
        data: &[u8],
        end: bool,
        out: &mut dyn Frames,
    ) -> Option<usize> {
        let within = data.get(..self.room() + 1).unwrap_or(data);
        let (at, long) = match scan.feed(within.get(scanned..).unwrap_or_default()) {
            Step::Done(n) if scanned + n <= self.room() => {
                return self.closed(scanned + n, scanned + n, data, end, out);
            }
            Step::Broken(n) => (scanned + n, false),
            _ if data.len() > self.room() => (self.room(), true),
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
        let near = data.get(close..=self.room()).unwrap_or(rest);
        let follows = follows(near, end && data.len() <= self.room());
        let alone = match follows {
            Some(b'\n' | b'{') => true,
            Some(_) => self.array.is_some(),
            None => (end && data.len() <= self.room()) || self.array.is_some(),
        };
        if alone {
            out.frame(self.place, &self.lead, value);
            return Some(self.handed(data, close, out));
        }
        // Something else stands behind it: the whole line is wrong.
        let line_end = memchr(b'\n', data.get(searched..).unwrap_or_default());
        let whole = match line_end {
            Some(n) => searched + n,
            None if end => data.len(),
            None if data.len() > self.room() => {
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
        if line.len() > self.room() {
            out.unreadable(self.place, &self.lead, line, too_long(self.limit));
        } else {
            out.frame(self.place, &self.lead, line);
        }
        Some(self.given_up(data, whole, out))
    }
}

/// The first byte that is neither space nor a mark; `None` where that is not there yet.
fn follows(mut near: &[u8], end: bool) -> Option<u8> {
    loop {
        near = match near {
            [b' ' | b'\t' | b'\r', rest @ ..] => rest,
            _ => match near.strip_prefix(BOM) {
                Some(rest) => rest,
                None if !end && BOM.starts_with(near) => return None,
                None => return near.first().copied(),
            },
        };
    }
}

impl Cut for Values {
    fn feed(&mut self, data: &[u8], end: bool, out: &mut dyn Frames) -> usize {
        let mut at = 0;
        while !out.stopped(self.is_open()) {
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
            && !out.stopped(false)
            && let Some(begin) = self.array.take()
        {
            let problem = unreadable(
                0..1,
                "the array that begins here is not closed",
                "the input ends too early: was the file cut short?",
            );
            out.unclosed(begin, b"[", problem);
        }
        at
    }

    fn place(&self) -> Start {
        self.place
    }

    fn is_open(&self) -> bool {
        self.behind || matches!(self.state, State::Line { .. } | State::Remains)
    }
}
