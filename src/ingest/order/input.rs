//! One input while it is read: takes frames to the dialect and results to the sink.

use crate::evidence::{Place, Record};
use crate::ingest::decode::InputError;
use crate::ingest::dialect::{Dialect, Framing, Output, Problem, ProblemKind};
use crate::ingest::frames::{Start, bare};
use crate::ingest::kept::Kept;
use crate::ingest::locate::{Passage, locate};
use crate::ingest::sink::{Broken, Located, Rejected, Sink, SourceCounts};

/// See the module.
pub(super) struct Input<'s, 'n> {
    pub(super) name: &'n str,
    pub(super) source: u32,
    pub(super) arrival: u64,
    pub(super) counts: SourceCounts,
    dialect: Box<dyn Dialect>,
    pub(super) sink: &'s mut dyn Sink,
    /// Problems of the frame being read.
    located: Vec<Located>,
    /// Whether the frame may still turn out to be no frame.
    probing: bool,
    unreadable: bool,
    /// Whether the frame gave a record.
    used: bool,
    /// Whether something was wrong with the last frame.
    pub(super) rejected: bool,
    /// Whether nothing more is wanted but the rest of what was rejected last.
    pub(super) stopping: bool,
    pub(super) stopped: bool,
}

impl<'s, 'n> Input<'s, 'n> {
    pub(super) fn new(
        name: &'n str,
        index: usize,
        dialect: Box<dyn Dialect>,
        sink: &'s mut dyn Sink,
    ) -> Input<'s, 'n> {
        Input {
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
            stopping: false,
            stopped: false,
        }
    }
}

/// The [`Output`] of one frame.
struct FrameOutput<'f, 's, 'n> {
    input: &'f mut Input<'s, 'n>,
    passage: Passage<'f>,
}

impl Output for FrameOutput<'_, '_, '_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        let input = &mut *self.input;
        if input.stopped {
            return;
        }
        input.used = true;
        let line = self.passage.place(offset).line;
        if !problems.is_empty() {
            input.counts.flawed += 1;
            for problem in problems {
                input.located.push(self.passage.locate(problem.clone()));
            }
        }
        input.record(line, record);
    }

    fn reject(&mut self, problem: Problem) {
        let input = &mut *self.input;
        if input.probing && !input.used && problem.kind == ProblemKind::Unreadable {
            input.unreadable = true;
            return;
        }
        input.counts.rejected += 1;
        input.located.push(self.passage.locate(problem));
    }

    fn also(&mut self, problem: Problem) {
        self.input.located.push(self.passage.locate(problem));
    }

    fn other(&mut self) {
        self.input.other();
    }
}

impl Input<'_, '_> {
    pub(super) fn announce(&mut self, line: u64, frame: &[u8]) {
        let place = Place {
            arrival: self.arrival,
            source: self.source,
            line,
        };
        self.sink.frame(place, bare(frame));
    }

    pub(super) fn other(&mut self) {
        self.counts.other += 1;
        self.sink.other();
    }

    fn record(&mut self, line: u64, record: &Record<'_>) {
        let place = self.next_place(line);
        self.stopped |= self.sink.record(place, record).is_break();
    }

    /// A record that was read before, and its line.
    pub(super) fn kept(&mut self, line: u64, kept: &Kept<'_>) {
        let place = self.next_place(line);
        self.stopped |= self.sink.kept(place, kept).is_break();
    }

    /// Where the next record stands.
    fn next_place(&mut self, line: u64) -> Place {
        let place = Place {
            arrival: self.arrival,
            source: self.source,
            line,
        };
        self.arrival += 1;
        self.counts.records += 1;
        place
    }

    pub(super) fn read(&mut self, start: Start, lead: &[u8], frame: &[u8], probing: bool) -> bool {
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
                passage: Passage::new(start, frame),
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
            self.stopping = true;
        }
        self.located.clear();
    }

    /// Whether nothing more is wanted; `open` says that more of the last frame may follow.
    pub(super) fn stopped(&self, open: bool) -> bool {
        self.stopped || self.stopping && !(open && self.sink.wants_rest())
    }

    /// Stops if nothing more is wanted.
    pub(super) fn stop_unless(&mut self, open: bool) {
        self.stopped = self.stopped(open);
    }

    pub(super) fn broken(&mut self, at: Start, error: &InputError) {
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

    pub(super) fn unreadable(&mut self, start: Start, lead: &[u8], bytes: &[u8], problem: Problem) {
        self.used = false;
        self.counts.rejected += 1;
        self.located.push(locate(start, bytes, problem));
        self.report(start, lead, bytes);
    }

    /// Something is wrong, and the bytes that show it are not those to be kept.
    pub(super) fn without_bytes(&mut self, start: Start, shown: &[u8], problem: Problem) {
        self.used = false;
        self.counts.rejected += 1;
        self.located.push(locate(start, shown, problem));
        self.report(start, b"", b"");
    }

    /// UTF-16, which is no evidence; what it begins with can be shown all the same.
    pub(super) fn wide_text(&mut self, data: &[u8]) {
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

    pub(super) fn end(&mut self, at: Start) {
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
pub(super) const WIDE_SHOWN: usize = 60;

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
