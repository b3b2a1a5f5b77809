//! One input in its order: blocks in, records and located rejects out.

mod input;

use super::blocks::Block;
use super::decode::InputError;
use super::dialect::{Dialect, Framing, Problem};
use super::frames::{Cut, Frames, Lines, Start};
use super::sink::{Progress, Sink, SourceCounts};
use super::values::Values;
use input::Input;

/// An input whose blocks are taken one after the other.
///
/// Cutting has a memory (values of several lines, arrays, lines given up), so it is done
/// here and only here; what was read of single lines before is used where the cut agrees.
pub(super) struct InOrder<'s, 'n> {
    input: Input<'s, 'n>,
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
                Framing::Rows { delimiter } => Box::new(Lines::rows(max_line, delimiter)),
                Framing::Json => Box::new(Values::new(max_line)),
            },
            framing,
            input: Input::new(name, index, dialect, sink),
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
        let open = !end && (self.wide || self.cut.is_open());
        self.input.stop_unless(open);
        if let Some(end) = &block.end {
            if let Some(error) = &end.failure {
                self.input.broken(self.cut.place(), error);
            }
            if !self.input.stopped {
                self.input.end(self.cut.place());
                self.input.counts.digest = end.digest;
                self.input.stop_unless(false);
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
        if !self.input.stopped && !self.input.stopping && self.input.sink.idle(&progress).is_break()
        {
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
        let little = wide(data) && data.len() < 2 * (1 + input::WIDE_SHOWN);
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
    input: &'t mut Input<'s, 'n>,
    block: &'t Block,
    json: bool,
    /// Length of the data being cut, the block at their end and what was carried before.
    len: usize,
    carried: usize,
    /// The next line that is read already.
    next: usize,
}

impl Taker<'_, '_, '_> {
    /// Whether only the rest of the last frame was wanted, and this is another one.
    fn is_over(&mut self) -> bool {
        self.input.stop_unless(false);
        self.input.stopped
    }
}

impl Frames for Taker<'_, '_, '_> {
    fn frame(&mut self, start: Start, lead: &[u8], frame: &[u8]) {
        if self.is_over() {
            return;
        }
        self.input.read(start, lead, frame, false);
    }

    fn probe(&mut self, start: Start, lead: &[u8], frame: &[u8]) -> bool {
        self.is_over() || self.input.read(start, lead, frame, true)
    }

    fn unreadable(&mut self, start: Start, lead: &[u8], bytes: &[u8], problem: Problem) {
        if !self.is_over() {
            self.input.unreadable(start, lead, bytes, problem);
        }
    }

    fn unclosed(&mut self, start: Start, bracket: &[u8], problem: Problem) {
        if !self.is_over() {
            self.input.without_bytes(start, bracket, problem);
        }
    }

    fn rest(&mut self, bytes: &[u8]) {
        if self.input.rejected && !self.input.stopped && !bytes.is_empty() {
            self.input.sink.rejected_rest(bytes);
        }
    }

    fn prepared(&mut self, start: Start, left: usize) -> (usize, u64) {
        if self.is_over() {
            return (0, 0);
        }
        let Some(from) = (self.len - left).checked_sub(self.carried) else {
            return (0, 0);
        };
        let (text, prepared) = (self.block.text.text_bytes(), &self.block.prepared);
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
            if line.is_other() {
                self.input.announce(number, line.frame(bytes));
                self.input.other();
            } else {
                let Some(kept) = prepared.kept(text, line) else {
                    break;
                };
                self.input.kept(number, &kept);
            }
            self.next += 1;
            lines += 1;
            at = end;
        }
        (at - from, lines)
    }

    fn stopped(&self, open: bool) -> bool {
        self.input.stopped(open)
    }
}
