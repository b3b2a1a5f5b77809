//! What the reader makes of good, bad and hostile input, through the public interface.

use std::fmt::Write as _;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{
    self, Broken, Counts, Dialect, NativeJson, Progress, ReadOptions, Rejected, Sink, Source,
};
use proptest::prelude::*;

/// Writes down everything that happens.
#[derive(Default)]
struct Log {
    text: String,
    raw: Vec<Vec<u8>>,
    locks: Vec<String>,
    idle: usize,
    stop_at_reject: bool,
}

impl Sink for Log {
    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        self.locks.push(record.lock.to_string());
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
        self.raw.push(rejected.bytes.to_vec());
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
struct Trickle(Cursor<Vec<u8>>, usize);

impl Read for Trickle {
    fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
        let n = buf.len().min(self.1);
        self.0.read(&mut buf[..n])
    }
}

fn native(_: usize, _: &Source) -> Box<dyn Dialect> {
    Box::new(NativeJson)
}

fn run_in_steps(bytes: &[u8], step: usize, max_line: usize) -> (Log, Counts) {
    let mut options = ReadOptions::default();
    options.max_line = max_line;
    let source = Source::reader("x", Trickle(Cursor::new(bytes.to_vec()), step));
    let mut log = Log::default();
    let counts = ingest::read(vec![source], &options, &mut native, &mut log).unwrap();
    (log, counts)
}

fn run(bytes: &[u8]) -> (Log, Counts) {
    run_in_steps(bytes, usize::MAX, 1 << 20)
}

/// Each file of the corpus with what it must come to; `UPDATE_CORPUS=1` writes that down.
#[test]
fn corpus() {
    let mut files: Vec<_> = std::fs::read_dir("tests/ingest")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e != "expected"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let (log, counts) = run(&bytes);
        let total = &counts.total;
        let text = format!(
            "{}lines {} records {} flawed {} other {} rejected {}\n",
            log.text, total.lines, total.records, total.flawed, total.other, total.rejected
        );
        let expected = file.with_extension("expected");
        if std::env::var_os("UPDATE_CORPUS").is_some() {
            std::fs::write(&expected, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(text, expected, "{}", file.display());
    }
}

const GOOD: &str = r#"{"lockName":"good","event":"write","result":"accepted","fenceToken":2}"#;

/// Pieces that together make trouble of every kind.
fn junk() -> impl Strategy<Value = Vec<u8>> {
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
        "\\PC{0,6}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..5),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn steps_of_reading_change_nothing(bytes in junk(), step in 1usize..9) {
        let (whole, counts) = run_in_steps(&bytes, usize::MAX, 200);
        let (parts, counts_in_parts) = run_in_steps(&bytes, step, 200);
        prop_assert_eq!(&whole.text, &parts.text);
        prop_assert_eq!(&whole.raw, &parts.raw);
        prop_assert_eq!(&counts, &counts_in_parts);
        prop_assert_eq!(counts.total.records, whole.locks.len() as u64);
        prop_assert_eq!(
            counts.total.rejected + counts.total.flawed,
            whole.raw.len() as u64
        );
        prop_assert_eq!(counts.total.bytes, bytes.len() as u64);
    }

    #[test]
    fn a_good_line_survives_whatever_came_before(bytes in junk()) {
        let mut all = bytes;
        all.extend_from_slice(b"\n");
        all.extend_from_slice(GOOD.as_bytes());
        let before = all.len();
        for ending in ["", "\n", "\r\n", "\nINFO\n"] {
            all.truncate(before);
            all.extend_from_slice(ending.as_bytes());
            let (log, _) = run(&all);
            prop_assert_eq!(log.locks.last().map(String::as_str), Some("good"), "{}", log.text);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        run(&bytes);
    }
}
