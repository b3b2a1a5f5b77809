//! One input in its order: blocks in, records and located rejects out.

use super::blocks::Block;
use super::decode::InputError;
use super::dialect::{Dialect, Framing, Output, Problem, ProblemKind};
use super::frames::{Cut, Frames, Lines, Start, line_ends};
use super::locate::locate;
use super::sink::{Broken, Located, Progress, Rejected, Sink, SourceCounts};
use super::values::Values;
use crate::evidence::{Place, Record};

/// An input whose blocks are taken one after the other.
///
/// Cutting has a memory (values of several lines, arrays, lines given up), so it is done
/// here and only here; what was read of single lines before is used where the cut agrees.
pub(super) struct InOrder<'s, 'n> {
    input: Frame<'s, 'n>,
    cut: Box<dyn Cut>,
    framing: Framing,
    /// Bytes of blocks before that wait for more.
    carry: Vec<u8>,
    begun: bool,
    /// Whether it is text that can't be cut, since it is no UTF-8.
    wide: bool,
    last: u8,
    /// Bytes of all inputs before, how many inputs there are, bytes of this one.
    bytes_before: u64,
    sources: usize,
    size: Option<u64>,
}

impl<'s, 'n> InOrder<'s, 'n> {
    pub(super) fn new(
        name: &'n str,
        index: usize,
        dialect: Box<dyn Dialect>,
        max_line: usize,
        sink: &'s mut dyn Sink,
    ) -> InOrder<'s, 'n> {
        let framing = dialect.framing();
        InOrder {
            cut: match framing {
                Framing::Lines => Box::new(Lines::new(max_line)),
                Framing::Rows => Box::new(Lines::rows(max_line)),
                Framing::Json => Box::new(Values::new(max_line)),
            },
            framing,
            input: Frame {
                name,
                source: u32::try_from(index).unwrap_or(u32::MAX),
                arrival: 0,
                counts: SourceCounts::default(),
                dialect,
                sink,
                located: Vec::new(),
                probing: false,
                unreadable: false,
                used: false,
                rejected: false,
                stopped: false,
            },
            carry: Vec::new(),
            begun: false,
            wide: false,
            last: b'\n',
            bytes_before: 0,
            sources: 1,
            size: None,
        }
    }

    /// What was read of the inputs before, and what is known of this one.
    pub(super) fn before(&mut self, total: &SourceCounts, sources: usize, size: Option<u64>) {
        self.input.arrival = total.records;
        self.bytes_before = total.bytes;
        self.sources = sources;
        self.size = size;
    }

    /// Takes the next block. `false` if nothing more is wanted.
    pub(super) fn block(&mut self, block: &Block) -> bool {
        let end = block.end.is_some();
        self.input.counts.bytes = block.raw_bytes;
        self.input.counts.lines += block.prepared.line_ends;
        let bytes = block.text.bytes();
        self.last = bytes.last().copied().unwrap_or(self.last);
        let carried = self.carry.len();
        let mut carry = std::mem::take(&mut self.carry);
        if carried > 0 {
            carry.extend_from_slice(bytes);
        }
        let data = if carried > 0 { &carry } else { bytes };
        let done = match self.begin(data, end) {
            false => 0,
            true if self.wide => {
                self.input.sink.rejected_rest(data);
                data.len()
            }
            true => {
                let mut taker = Taker {
                    input: &mut self.input,
                    block,
                    json: self.framing == Framing::Json,
                    len: data.len(),
                    carried,
                    next: 0,
                };
                self.cut.feed(data, end, &mut taker)
            }
        };
        if carried > 0 {
            carry.drain(..done.min(carry.len()));
        } else {
            carry.extend_from_slice(bytes.get(done..).unwrap_or_default());
        }
        self.carry = carry;
        if let Some(end) = &block.end {
            if let Some(error) = &end.failure {
                self.input.broken(self.cut.place(), error);
            }
            if !self.input.stopped {
                self.input.end(self.cut.place());
                self.input.counts.digest = end.digest;
            }
        }
        let progress = Progress {
            source_name: self.input.name,
            source: self.input.source,
            sources: self.sources,
            bytes: self.input.counts.bytes,
            size: self.size,
            total: self.bytes_before + self.input.counts.bytes,
        };
        if !self.input.stopped && self.input.sink.idle(&progress).is_break() {
            self.input.stopped = true;
        }
        !self.input.stopped
    }

    /// Looks for a mark of another encoding, once. `false` if there is too little to tell.
    fn begin(&mut self, data: &[u8], end: bool) -> bool {
        if self.begun {
            return true;
        }
        let wide = |data: &[u8]| matches!(data, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
        let little = wide(data) && data.len() < 2 * (1 + WIDE_SHOWN);
        if !end && (little || matches!(data, [] | [0xff | 0xfe])) {
            return false;
        }
        self.begun = true;
        self.wide = wide(data);
        if self.wide && !self.input.stopped {
            self.input.wide_text(data);
        }
        true
    }

    /// The input can't be read at all.
    pub(super) fn unreadable(&mut self, error: &InputError) {
        self.input.broken(Start::ORIGIN, error);
    }

    /// It ended, and nobody knows why.
    pub(super) fn lost(&mut self) {
        self.input.counts.broken = true;
    }

    /// What was read of it, and whether the sink wanted no more.
    pub(super) fn finish(mut self) -> (SourceCounts, bool) {
        self.input.counts.lines += u64::from(self.last != b'\n');
        (self.input.counts, self.input.stopped)
    }
}

/// Takes the frames of one block.
struct Taker<'t, 's, 'n> {
    input: &'t mut Frame<'s, 'n>,
    block: &'t Block,
    json: bool,
    /// Length of the data being cut, the block at their end and what was carried before.
    len: usize,
    carried: usize,
    /// The next line that is read already.
    next: usize,
}

impl Frames for Taker<'_, '_, '_> {
    fn frame(&mut self, start: Start, lead: &[u8], frame: &[u8]) {
        self.input.read(start, lead, frame, false);
    }

    fn probe(&mut self, start: Start, lead: &[u8], frame: &[u8]) -> bool {
        self.input.read(start, lead, frame, true)
    }

    fn unreadable(&mut self, start: Start, lead: &[u8], bytes: &[u8], problem: Problem) {
        self.input.unreadable(start, lead, bytes, problem);
    }

    fn unclosed(&mut self, start: Start, bracket: &[u8], problem: Problem) {
        self.input.without_bytes(start, bracket, problem);
    }

    fn rest(&mut self, bytes: &[u8]) {
        if self.input.rejected && !bytes.is_empty() {
            self.input.sink.rejected_rest(bytes);
        }
    }

    fn prepared(&mut self, start: Start, left: usize) -> (usize, u64) {
        let Some(from) = (self.len - left).checked_sub(self.carried) else {
            return (0, 0);
        };
        let (text, prepared) = (self.block.text.text(), &self.block.prepared);
        let bytes = self.block.text.bytes();
        let (mut at, mut lines) = (from, 0);
        while let Some(line) = prepared.lines.get(self.next).copied() {
            let (begin, end) = (line.start as usize, line.end as usize);
            if begin < at {
                self.next += 1;
                continue;
            }
            if begin > at || self.input.stopped {
                break;
            }
            // A value stands alone unless what follows goes on with it; `Values` says why.
            let mut follows = bytes.get(end..).unwrap_or_default().iter();
            let follows = follows.find(|b| !b.is_ascii_whitespace());
            if self.json && matches!(follows, None | Some(b',' | b'}' | b']')) {
                break;
            }
            let number = start.line + lines;
            let frame = bytes.get(begin..end - 1).unwrap_or_default();
            let frame = frame.strip_suffix(b"\r").unwrap_or(frame);
            if line.is_other() {
                self.input.announce(number, frame);
                self.input.other();
            } else {
                let Some(record) = prepared.record(text, line) else {
                    break;
                };
                self.input.announce(number, frame);
                self.input.record(number, &record);
            }
            self.next += 1;
            lines += 1;
            at = end;
        }
        (at - from, lines)
    }

    fn stopped(&self) -> bool {
        self.input.stopped
    }
}

/// One input while it is read: takes frames to the dialect and results to the sink.
struct Frame<'s, 'n> {
    name: &'n str,
    source: u32,
    arrival: u64,
    counts: SourceCounts,
    dialect: Box<dyn Dialect>,
    sink: &'s mut dyn Sink,
    /// Problems of the frame being read.
    located: Vec<Located>,
    /// Whether the frame may still turn out to be no frame.
    probing: bool,
    unreadable: bool,
    /// Whether the frame gave a record.
    used: bool,
    /// Whether something was wrong with the last frame.
    rejected: bool,
    stopped: bool,
}

/// The [`Output`] of one frame.
struct FrameOutput<'f, 's, 'n> {
    input: &'f mut Frame<'s, 'n>,
    start: Start,
    frame: &'f [u8],
}

impl Output for FrameOutput<'_, '_, '_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        let input = &mut *self.input;
        if input.stopped {
            return;
        }
        let before = self.frame.get(..offset).unwrap_or_default();
        input.used = true;
        if !problems.is_empty() {
            input.counts.flawed += 1;
            for problem in problems {
                input
                    .located
                    .push(locate(self.start, self.frame, problem.clone()));
            }
        }
        input.record(self.start.line + line_ends(before), record);
    }

    fn reject(&mut self, problem: Problem) {
        let input = &mut *self.input;
        if input.probing && !input.used && problem.kind == ProblemKind::Unreadable {
            input.unreadable = true;
            return;
        }
        input.counts.rejected += 1;
        input.located.push(locate(self.start, self.frame, problem));
    }

    fn other(&mut self) {
        self.input.other();
    }
}

impl Frame<'_, '_> {
    fn announce(&mut self, line: u64, frame: &[u8]) {
        let place = Place {
            arrival: self.arrival,
            source: self.source,
            line,
        };
        // How much of the space behind an object the cut took with it says nothing.
        let frame = if frame.starts_with(b"{") {
            frame.trim_ascii_end()
        } else {
            frame
        };
        self.sink.frame(place, frame);
    }

    fn other(&mut self) {
        self.counts.other += 1;
        self.sink.other();
    }

    fn record(&mut self, line: u64, record: &Record<'_>) {
        let place = Place {
            arrival: self.arrival,
            source: self.source,
            line,
        };
        self.arrival += 1;
        self.counts.records += 1;
        self.stopped |= self.sink.record(place, record).is_break();
    }

    fn read(&mut self, start: Start, lead: &[u8], frame: &[u8], probing: bool) -> bool {
        self.probing = probing;
        self.unreadable = false;
        self.used = false;
        self.announce(start.line, frame);
        self.with_dialect(start, frame, |dialect, output| dialect.read(frame, output));
        if self.unreadable {
            return false;
        }
        self.report(start, lead, frame);
        true
    }

    fn with_dialect(
        &mut self,
        start: Start,
        frame: &[u8],
        act: impl FnOnce(&mut dyn Dialect, &mut dyn Output),
    ) {
        // The dialect is out while it writes to us.
        let mut dialect = std::mem::replace(&mut self.dialect, Box::new(Nothing));
        act(
            dialect.as_mut(),
            &mut FrameOutput {
                input: self,
                start,
                frame,
            },
        );
        self.dialect = dialect;
    }

    fn report(&mut self, start: Start, lead: &[u8], bytes: &[u8]) {
        self.rejected = !self.located.is_empty();
        if self.located.is_empty() {
            return;
        }
        let rejected = Rejected {
            source_name: self.name,
            place: Place {
                arrival: self.arrival,
                source: self.source,
                line: start.line,
            },
            problems: &self.located,
            used: self.used,
            lead,
            bytes,
        };
        if !self.stopped && self.sink.rejected(&rejected).is_break() {
            self.stopped = true;
        }
        self.located.clear();
    }

    fn broken(&mut self, at: Start, error: &InputError) {
        self.counts.broken = true;
        if self.stopped {
            return;
        }
        let broken = Broken {
            source_name: self.name,
            source: self.source,
            line: at.line,
            column: at.column + 1,
            error,
        };
        self.stopped |= self.sink.broken(&broken).is_break();
    }

    fn unreadable(&mut self, start: Start, lead: &[u8], bytes: &[u8], problem: Problem) {
        self.used = false;
        self.counts.rejected += 1;
        self.located.push(locate(start, bytes, problem));
        self.report(start, lead, bytes);
    }

    /// Something is wrong, and the bytes that show it are not those to be kept.
    fn without_bytes(&mut self, start: Start, shown: &[u8], problem: Problem) {
        self.used = false;
        self.counts.rejected += 1;
        self.located.push(locate(start, shown, problem));
        self.report(start, b"", b"");
    }

    /// UTF-16, which is no evidence; what it begins with can be shown all the same.
    fn wide_text(&mut self, data: &[u8]) {
        let (pairs, _) = data.as_chunks::<2>();
        let unit = match data.first() {
            Some(0xfe) => u16::from_be_bytes,
            _ => u16::from_le_bytes,
        };
        let units = pairs.iter().skip(1).map(|pair| unit(*pair));
        let line: Vec<u16> = units
            .take(WIDE_SHOWN)
            .take_while(|unit| !matches!(unit, 0x0a | 0x0d))
            .collect();
        let mut shown = String::from_utf16_lossy(&line);
        let problem = wide_text(shown.len());
        if line.len() == WIDE_SHOWN {
            shown.push('…');
        }
        self.without_bytes(Start::ORIGIN, shown.as_bytes(), problem);
    }

    fn end(&mut self, at: Start) {
        self.probing = false;
        self.used = false;
        self.with_dialect(at, b"", |dialect, output| dialect.finish(output));
        self.report(at, b"", b"");
    }
}

/// Stands in for a dialect that is at work.
struct Nothing;

impl Dialect for Nothing {
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn read(&mut self, _frame: &[u8], _output: &mut dyn Output) {}
}

/// So many characters of UTF-16 text are shown.
const WIDE_SHOWN: usize = 60;

/// What the first bytes of UTF-16 text mean for the rest of it.
fn wide_text(shown: usize) -> Problem {
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: 0..shown,
        message: "this is UTF-16 text, and evidence is UTF-8".to_owned(),
        hint: "convert it first: iconv -f UTF-16 -t UTF-8".to_owned(),
    }
}
