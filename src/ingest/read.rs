//! The driver: inputs in, records and located rejects out.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};

use super::decode::{Decoder, InputError};
use super::dialect::{Dialect, Framing, Output, Problem, ProblemKind};
use super::frames::{Cut, Frames, Lines, Start, Values, line_ends};
use super::source::{Input, Source};
use crate::evidence::{Place, Record};

/// Bytes asked for at a time.
const BLOCK: usize = 512 * 1024;

/// Bytes of context kept on each side of what is wrong.
const CONTEXT: usize = 90;

/// Bounds and wishes for reading.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The longest line, or JSON value, in bytes.
    pub max_line: usize,
    /// How much may come out of one compressed input, in bytes.
    pub max_decompressed: u64,
    /// Whether to take the SHA-256 of each input.
    pub digest: bool,
}

impl Default for ReadOptions {
    /// Lines to 16 MiB, decompressed inputs to 64 GiB, no digest.
    fn default() -> ReadOptions {
        ReadOptions {
            max_line: 16 << 20,
            max_decompressed: 64 << 30,
            digest: false,
        }
    }
}

/// Why nothing more can be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// An input that was there is not any more.
    #[error("{name}: cannot be opened: {error}")]
    Open {
        /// The input.
        name: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
}

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
    /// Whether it ended before its end.
    pub broken: bool,
    /// The SHA-256 of those bytes, where it was asked for and the whole input was read.
    pub digest: Option<[u8; 32]>,
}

impl SourceCounts {
    fn add(&mut self, other: &SourceCounts) {
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
    /// Its bytes, without the last line end. Of what is longer than the limit, these are
    /// the first; [`Sink::rejected_rest`] brings the others.
    pub bytes: &'a [u8],
}

/// An input that ended before its end.
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
    /// A record.
    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()>;
    /// Something wrong, after the records that were read from the same line or value.
    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()>;
    /// More bytes of the last [`Rejected`], which was longer than is kept in memory.
    fn rejected_rest(&mut self, _bytes: &[u8]) {}
    /// An input ended before its end; reading goes on with the next one.
    fn broken(&mut self, _broken: &Broken<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// A block was read and everything complete in it handed over: a good moment to
    /// flush and to show progress.
    fn idle(&mut self, _progress: &Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Reads all inputs in order. `dialect` gives the reader of each.
///
/// Whatever is wrong inside an input goes to the sink and reading goes on.
///
/// # Errors
/// [`ReadError`] where an input can't be opened.
pub fn read(
    sources: Vec<Source>,
    options: &ReadOptions,
    dialect: &mut dyn FnMut(usize, &Source) -> Box<dyn Dialect>,
    sink: &mut dyn Sink,
) -> Result<Counts, ReadError> {
    let mut run = Run {
        counts: Counts::default(),
        sink,
        buffer: Buffer::default(),
        count: sources.len(),
    };
    for (index, source) in sources.into_iter().enumerate() {
        let dialect = dialect(index, &source);
        let Source { name, input } = source;
        let (reader, size) = open(&name, input)?;
        let counts = run.source(index, &name, reader, size, dialect, options);
        run.counts.total.add(&counts);
        run.counts.sources.push(counts);
        if run.counts.stopped {
            break;
        }
    }
    Ok(run.counts)
}

type Reader = Box<dyn Read + Send>;

fn open(name: &str, input: Input) -> Result<(Reader, Option<u64>), ReadError> {
    match input {
        Input::Stdin => {
            let stdin = io::stdin();
            enlarge_pipe(&stdin);
            Ok((Box::new(stdin), None))
        }
        Input::Reader(reader) => Ok((reader, None)),
        Input::File(path) => {
            let file = File::open(path).map_err(|error| ReadError::Open {
                name: name.to_owned(),
                error,
            })?;
            enlarge_pipe(&file);
            let size = file.metadata().ok().filter(|meta| meta.is_file());
            Ok((Box::new(file), size.map(|meta| meta.len())))
        }
    }
}

/// A pipe holds 64 KiB unless asked for more, and each refill costs two switches between
/// the processes. What is no pipe, or may not grow, stays as it is.
#[cfg(target_os = "linux")]
fn enlarge_pipe(input: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(input, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
fn enlarge_pipe<T>(_input: &T) {}

/// Bytes read and not yet done with.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
    end: usize,
}

impl Buffer {
    fn data(&self) -> &[u8] {
        self.bytes.get(self.start..self.end).unwrap_or_default()
    }

    fn consume(&mut self, n: usize) {
        self.start = (self.start + n).min(self.end);
        if self.start == self.end {
            self.start = 0;
            self.end = 0;
        }
    }

    /// Room for the next read, behind what is left.
    fn room(&mut self) -> &mut [u8] {
        if self.start > 0 {
            self.bytes.copy_within(self.start..self.end, 0);
            self.end -= self.start;
            self.start = 0;
        }
        if self.bytes.len() - self.end < BLOCK / 2 {
            let wanted = (self.end + BLOCK).max(self.end * 2);
            self.bytes.resize(wanted, 0);
        }
        self.bytes.get_mut(self.end..).unwrap_or_default()
    }
}

struct Run<'s> {
    counts: Counts,
    sink: &'s mut dyn Sink,
    buffer: Buffer,
    count: usize,
}

impl Run<'_> {
    fn source(
        &mut self,
        index: usize,
        name: &str,
        reader: Reader,
        size: Option<u64>,
        dialect: Box<dyn Dialect>,
        options: &ReadOptions,
    ) -> SourceCounts {
        let mut cut: Box<dyn Cut> = match dialect.framing() {
            Framing::Lines => Box::new(Lines::new(options.max_line)),
            Framing::Json => Box::new(Values::new(options.max_line)),
        };
        self.buffer.consume(usize::MAX);
        let mut input = Frame {
            name,
            source: u32::try_from(index).unwrap_or(u32::MAX),
            arrival: self.counts.total.records,
            counts: SourceCounts::default(),
            dialect,
            sink: &mut *self.sink,
            located: Vec::new(),
            probing: false,
            unreadable: false,
            used: false,
            stopped: false,
        };
        let mut decoder = match Decoder::new(reader, options.max_decompressed, options.digest) {
            Ok(decoder) => decoder,
            Err(error) => {
                input.broken(Start::ORIGIN, &error);
                self.counts.stopped |= input.stopped;
                return input.counts;
            }
        };
        let total = self.counts.total.bytes;
        let mut begun = false;
        let mut last = b'\n';
        loop {
            let (n, failure) = match decoder.read(self.buffer.room()) {
                Ok(n) => (n, None),
                Err(error) => (0, Some(error)),
            };
            self.buffer.end += n;
            input.counts.bytes = decoder.raw_bytes();
            let end = n == 0;
            if !begun {
                const BOM: &[u8] = b"\xef\xbb\xbf";
                let data = self.buffer.data();
                if !end && data.len() < BOM.len() && BOM.starts_with(data) {
                    continue;
                }
                begun = true;
                if data.starts_with(BOM) {
                    self.buffer.consume(BOM.len());
                }
            }
            let data = self.buffer.data();
            let done = cut.feed(data, end, &mut input);
            if let Some(read) = data
                .get(data.len().saturating_sub(n)..)
                .filter(|r| !r.is_empty())
            {
                input.counts.lines += line_ends(read);
                last = read.last().copied().unwrap_or(last);
            }
            self.buffer.consume(done);
            if let Some(error) = &failure {
                input.broken(cut.place(), error);
            }
            if end && !input.stopped {
                input.end(cut.place());
                if failure.is_none() {
                    input.counts.digest = decoder.digest();
                }
            }
            let progress = Progress {
                source_name: name,
                source: input.source,
                sources: self.count,
                bytes: input.counts.bytes,
                size,
                total: total + input.counts.bytes,
            };
            if !input.stopped && input.sink.idle(&progress).is_break() {
                input.stopped = true;
            }
            if end || input.stopped {
                break;
            }
        }
        input.counts.lines += u64::from(last != b'\n');
        self.counts.stopped |= input.stopped;
        input.counts
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
        let place = Place {
            arrival: input.arrival,
            source: input.source,
            line: self.start.line + line_ends(before),
        };
        input.arrival += 1;
        input.counts.records += 1;
        input.used = true;
        if !problems.is_empty() {
            input.counts.flawed += 1;
            for problem in problems {
                input
                    .located
                    .push(locate(self.start, self.frame, problem.clone()));
            }
        }
        input.stopped |= input.sink.record(place, record).is_break();
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
        self.input.counts.other += 1;
    }
}

impl Frame<'_, '_> {
    fn read(&mut self, start: Start, frame: &[u8], probing: bool) -> bool {
        self.probing = probing;
        self.unreadable = false;
        self.used = false;
        self.with_dialect(start, frame, |dialect, output| dialect.read(frame, output));
        if self.unreadable {
            return false;
        }
        self.report(start, frame);
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

    fn report(&mut self, start: Start, bytes: &[u8]) {
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

    fn end(&mut self, at: Start) {
        self.probing = false;
        self.used = false;
        self.with_dialect(at, b"", |dialect, output| dialect.finish(output));
        self.report(at, b"");
    }
}

impl Frames for Frame<'_, '_> {
    fn frame(&mut self, start: Start, frame: &[u8]) {
        self.read(start, frame, false);
    }

    fn probe(&mut self, start: Start, frame: &[u8]) -> bool {
        self.read(start, frame, true)
    }

    fn unreadable(&mut self, start: Start, bytes: &[u8], problem: Problem) {
        self.used = false;
        self.counts.rejected += 1;
        self.located.push(locate(start, bytes, problem));
        self.report(start, bytes);
    }

    fn rest(&mut self, bytes: &[u8]) {
        self.sink.rejected_rest(bytes);
    }

    fn stopped(&self) -> bool {
        self.stopped
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

/// Finds the line and column of a problem, and cuts out the text around it.
fn locate(start: Start, frame: &[u8], problem: Problem) -> Located {
    let from = problem.span.start.min(frame.len());
    let (before, after) = frame.split_at(from);
    let place = start.after(before);
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
    let line_end = memchr::memchr(b'\n', after).map_or(frame.len(), |n| from + n);
    let to = problem.span.end.clamp(from, line_end);
    let first = boundary(frame, from.saturating_sub(CONTEXT).max(line_start));
    let mark_end = boundary(frame, to.min(from + CONTEXT));
    let last = boundary(frame, line_end.min(mark_end + CONTEXT));
    let text = |range: Range<usize>| -> Cow<'_, str> {
        String::from_utf8_lossy(frame.get(range).unwrap_or_default())
    };
    let mut excerpt = String::new();
    if first > line_start {
        excerpt.push('…');
    }
    excerpt.push_str(&text(first..from));
    let mark_from = excerpt.len();
    excerpt.push_str(&text(from..mark_end.max(from)));
    let mark_to = excerpt.len();
    excerpt.push_str(&text(mark_end.max(from)..last.max(from)));
    if last < line_end {
        excerpt.push('…');
    }
    excerpt.truncate(excerpt.trim_end_matches('\r').len().max(mark_to));
    Located {
        line: place.line,
        column: place.column + 1,
        excerpt,
        mark: mark_from..mark_to,
        problem,
    }
}

/// The nearest place at or before `at` where a character may begin.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let floor = at.saturating_sub(3);
    (floor..=at)
        .rev()
        .find(|&at| bytes.get(at).is_none_or(|b| b & 0xc0 != 0x80))
        .unwrap_or(at)
}
