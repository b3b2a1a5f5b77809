//! The driver: inputs in, records and located rejects out.

use std::fs::File;
use std::io::{self, Read};

use super::decode::{Decoder, InputError};
use super::dialect::{Dialect, Framing, Output, Problem, ProblemKind};
use super::frames::{Cut, Frames, Lines, Start, line_ends};
use super::locate::locate;
use super::sink::{Broken, Counts, Located, Progress, Rejected, Sink, SourceCounts};
use super::source::{Input, Source};
use super::values::Values;
use crate::evidence::{Place, Record};

/// Bytes asked for at a time.
const BLOCK: usize = 512 * 1024;

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
            let data = self.buffer.data();
            let read = data.get(data.len() - n..).unwrap_or_default();
            input.counts.lines += line_ends(read);
            last = read.last().copied().unwrap_or(last);
            if !begun {
                const BOM: &[u8] = b"\xef\xbb\xbf";
                let data = self.buffer.data();
                let may_be_mark = BOM.starts_with(data) || matches!(data, [0xff | 0xfe]);
                if !end && data.len() < BOM.len() && may_be_mark {
                    continue;
                }
                begun = true;
                if data.starts_with(BOM) {
                    self.buffer.consume(BOM.len());
                } else if data.starts_with(b"\xff\xfe") || data.starts_with(b"\xfe\xff") {
                    input.unreadable(Start::ORIGIN, b"", wide_text());
                }
            }
            let data = self.buffer.data();
            let done = cut.feed(data, end, &mut input);
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
        self.input.sink.other();
    }
}

impl Frame<'_, '_> {
    fn read(&mut self, start: Start, frame: &[u8], probing: bool) -> bool {
        self.probing = probing;
        self.unreadable = false;
        self.used = false;
        let place = Place {
            arrival: self.arrival,
            source: self.source,
            line: start.line,
        };
        self.sink.frame(place, frame);
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

/// What the first bytes of UTF-16 text mean for the rest of it.
fn wide_text() -> Problem {
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: 0..0,
        message: "this is UTF-16 text, and evidence is UTF-8".to_owned(),
        hint: "convert it first: iconv -f UTF-16 -t UTF-8".to_owned(),
    }
}
