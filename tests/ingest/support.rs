//! What the tests of reading share: a sink that writes down, slow inputs, and junk.

use std::fmt::Write as _;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{
    self, Broken, Counts, Dialect, Framing, Output, Problem, ProblemKind, Progress, ReadOptions,
    Rejected, Sink, Source,
};
use proptest::prelude::*;

pub const GOOD: &str = r#"{"lockName":"good","event":"write","result":"accepted","fenceToken":2}"#;

/// Writes down everything that happens.
#[derive(Default)]
pub struct Log {
    pub text: String,
    pub raw: Vec<Vec<u8>>,
    pub locks: Vec<String>,
    pub idle: usize,
    pub stop_at_reject: bool,
    pub rest_unwanted: bool,
    /// Whether to write down the frame before what was read of it.
    pub frames: bool,
    pub frame: String,
    pub others: u64,
}

impl Sink for Log {
    fn frame(&mut self, place: Place, bytes: &[u8]) {
        let text = String::from_utf8_lossy(bytes);
        self.frame = format!("{}: {}", place.line, text.escape_debug());
    }

    fn other(&mut self) {
        self.others += 1;
        if self.frames {
            let _ = writeln!(self.text, "{}", self.frame);
        }
    }

    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        self.locks.push(record.lock.to_string());
        if self.frames {
            let _ = writeln!(self.text, "{}", self.frame);
        }
        let _ = writeln!(
            self.text,
            "{}: record {} {} {}{}",
            place.line,
            record.lock.escape_debug(),
            record.event.word(),
            record.answer.word(),
            rest(record)
        );
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        self.raw.push([rejected.lead, rejected.bytes].concat());
        for located in rejected.problems {
            let _ = writeln!(
                self.text,
                "{}:{}: {} [{}] {} ({})",
                located.line,
                located.column,
                if rejected.used { "flawed" } else { "reject" },
                located.excerpt[located.mark.clone()].escape_debug(),
                located.problem.message,
                located.problem.hint,
            );
        }
        if self.stop_at_reject {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn rejected_rest(&mut self, bytes: &[u8]) {
        self.raw.last_mut().unwrap().extend_from_slice(bytes);
    }

    fn wants_rest(&self) -> bool {
        !self.rest_unwanted
    }

    fn broken(&mut self, broken: &Broken<'_>) -> ControlFlow<()> {
        let _ = writeln!(
            self.text,
            "{}:{}: broken {}",
            broken.line, broken.column, broken.error
        );
        ControlFlow::Continue(())
    }

    fn idle(&mut self, _progress: &Progress<'_>) -> ControlFlow<()> {
        self.idle += 1;
        ControlFlow::Continue(())
    }
}

/// The fields that a record has beyond its step, shortly.
fn rest(record: &Record<'_>) -> String {
    let full = format!("{record:?}");
    let plain = format!(
        "{:?}",
        Record::new(record.lock.clone(), record.event, record.answer)
    );
    if full == plain {
        return String::new();
    }
    let mut out = String::new();
    let texts = [
        ("owner", &record.owner),
        ("lease", &record.lease),
        ("key", &record.key),
        ("operation", &record.operation),
    ];
    for (name, value) in texts {
        if let Some(value) = value {
            let _ = write!(out, " {name}={}", value.escape_debug());
        }
    }
    let numbers = [
        ("token", record.token),
        ("before", record.before),
        ("after", record.after),
        ("seq", record.seq),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            let _ = write!(out, " {name}={value}");
        }
    }
    if let Some(origin) = record.seq_by {
        let _ = write!(out, " by={}", origin.word());
    }
    match &record.active {
        lockdiag::evidence::Active::Unrecorded => {}
        lockdiag::evidence::Active::None => out.push_str(" active=none"),
        lockdiag::evidence::Active::Lease {
            owner,
            lease,
            token,
        } => {
            let _ = write!(
                out,
                " active={}/{}/{}",
                owner.as_deref().unwrap_or("-"),
                lease.as_deref().unwrap_or("-"),
                token.map_or("-".to_owned(), |token| token.to_string())
            );
        }
    }
    out
}

/// Gives at most `step` bytes at a time.
pub struct Trickle(pub Cursor<Vec<u8>>, pub usize);

impl Read for Trickle {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = buf.len().min(self.1);
        self.0.read(&mut buf[..n])
    }
}

pub fn run_in_steps(bytes: &[u8], step: usize, max_line: usize) -> (Log, Counts) {
    let mut options = ReadOptions::default();
    options.max_line = max_line;
    let source = Source::reader("x", Trickle(Cursor::new(bytes.to_vec()), step));
    let mut log = Log::default();
    let counts = ingest::read(vec![source], &options, &mut log).unwrap();
    (log, counts)
}

pub fn run(bytes: &[u8]) -> (Log, Counts) {
    run_in_steps(bytes, usize::MAX, 1 << 20)
}

/// Rejects every line of text, to show how it was cut.
pub struct EachLine;

impl Dialect for EachLine {
    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        Some(Box::new(EachLine))
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        output.reject(Problem {
            kind: ProblemKind::Unmapped,
            field: None,
            span: 0..frame.len(),
            message: "a line".to_owned(),
            hint: String::new(),
        });
    }
}

pub fn lines_in_steps(bytes: &[u8], step: usize, max_line: usize) -> (Log, Counts) {
    let mut options = ReadOptions::default();
    options.max_line = max_line;
    let source =
        Source::reader("x", Trickle(Cursor::new(bytes.to_vec()), step)).read_by(Box::new(EachLine));
    let mut log = Log::default();
    let counts = ingest::read(vec![source], &options, &mut log).unwrap();
    (log, counts)
}

/// Pieces that together make trouble of every kind.
pub fn junk() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(GOOD.as_bytes().to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"  ".to_vec()),
        Just(b"{".to_vec()),
        Just(b"}".to_vec()),
        Just(b"[".to_vec()),
        Just(b"]".to_vec()),
        Just(b",".to_vec()),
        Just(b"\"".to_vec()),
        Just(b"\\".to_vec()),
        Just(b":".to_vec()),
        Just(b"null".to_vec()),
        Just(b"{\"a\":".to_vec()),
        Just(b"{\"lockName\":\"p\",\n  \"event\":\"write\"\n}".to_vec()),
        Just(b"[{\"lockName\":\"p\"}, ".to_vec()),
        Just(b"\"activeLease\": {\n".to_vec()),
        Just(b"INFO started\n".to_vec()),
        Just(b"\xef\xbb\xbf".to_vec()),
        Just(b"\xff\x00".to_vec()),
        (1usize..190).prop_map(|n| vec![b'x'; n]),
        (1usize..190).prop_map(|n| vec![b' '; n]),
        (1usize..190).prop_map(|n| vec![b'7'; n]),
        "\\PC{0,6}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..5),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}
