//! What the reader makes of good, bad and hostile input, through the public interface.
#![allow(clippy::unwrap_used)]

use std::fmt::Write as _;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{
    self, Broken, Counts, Dialect, Framing, NativeJson, Output, Problem, ProblemKind, Progress,
    ReadOptions, Rejected, Sink, Source,
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
    /// Whether to write down the frame before what was read of it.
    frames: bool,
    frame: String,
    others: u64,
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

/// Rejects every line of text, to show how it was cut.
struct EachLine;

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

fn lines_in_steps(bytes: &[u8], step: usize, max_line: usize) -> (Log, Counts) {
    let mut options = ReadOptions::default();
    options.max_line = max_line;
    let source = Source::reader("x", Trickle(Cursor::new(bytes.to_vec()), step));
    let mut log = Log::default();
    let mut dialect = |_: usize, _: &Source| -> Box<dyn Dialect> { Box::new(EachLine) };
    let counts = ingest::read(vec![source], &options, &mut dialect, &mut log).unwrap();
    (log, counts)
}

#[test]
fn text_is_cut_at_line_ends() {
    let input = b"\xef\xbb\xbfone\n\r\n  \ntwo {\r\n0123456789\n0123456789x\r\n[\nlast";
    for step in 1..input.len() {
        let (log, counts) = lines_in_steps(input, step, 10);
        let lines: Vec<_> = log
            .raw
            .iter()
            .map(|raw| String::from_utf8_lossy(raw))
            .collect();
        assert_eq!(
            lines,
            ["one", "two {", "0123456789", "0123456789x\r", "[", "last"]
        );
        assert!(
            log.text
                .contains("6:1: reject [] longer than the limit of 10 bytes")
        );
        assert!(log.text.contains("8:1: reject [last] a line"));
        assert_eq!(counts.total.lines, 8);
    }
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
        (1usize..190).prop_map(|n| vec![b'x'; n]),
        (1usize..190).prop_map(|n| vec![b' '; n]),
        (1usize..190).prop_map(|n| vec![b'7'; n]),
        "\\PC{0,6}".prop_map(String::into_bytes),
        prop::collection::vec(any::<u8>(), 0..5),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn contains(all: &[u8], part: &[u8]) -> bool {
    part.is_empty() || all.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_line_beyond_the_limit_is_one_reject_and_the_rest_is_read() {
    let long = "x".repeat(5000);
    for line in [
        long.clone(),
        format!("{{\"lockName\":\"{long}\",\"event\":\"write\"}}"),
        format!("{{\"lockName\":\"{long}"),
        format!("[{{\"lockName\":\"{long}\"}},{{\"lockName\":\"lost\"}}]"),
        format!("{{\"lockName\":\"a\"}} {long}"),
    ] {
        let input = format!("{GOOD}\n{line}\n{GOOD}\n");
        for step in [7, 64, 100_000] {
            let (log, counts) = run_in_steps(input.as_bytes(), step, 1000);
            assert_eq!(log.locks, ["good", "good"], "{}", log.text);
            assert!(log.text.contains("longer than the limit of 1000 bytes"));
            let raw: Vec<u8> = log.raw.concat();
            let line = line.strip_prefix('[').unwrap_or(&line);
            assert_eq!(String::from_utf8_lossy(&raw), line);
            assert_eq!(counts.total.rejected, 1 + u64::from(input.contains('[')));
        }
    }
}

#[test]
fn the_rest_of_a_broken_value_is_kept_with_it() {
    let broken = "{\n  \"lockName\": oops,\n  \"x\": {\n    \"event\": 1\n\n  }\n}";
    let input = format!("{broken}\n{GOOD}\n");
    for step in [1, 3, 1000] {
        let (log, counts) = run_in_steps(input.as_bytes(), step, 1000);
        assert_eq!(String::from_utf8_lossy(&log.raw.concat()), broken);
        assert_eq!((counts.total.records, counts.total.rejected), (1, 1));
    }
}

#[test]
fn a_line_is_handed_over_as_soon_as_it_is_there() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Gives one line at a time and notes how many records were seen before it.
    struct Pipe(Vec<&'static str>, Arc<AtomicUsize>, Vec<usize>);
    impl Read for Pipe {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            let Some(line) = self.0.pop() else {
                assert_eq!(self.2, [0, 1, 2, 3, 4]);
                return Ok(0);
            };
            let (now, later) = line.split_at(buf.len().min(line.len()));
            if now.starts_with('{') {
                // Other threads may need a moment for what was given before.
                for _ in 0..1000 {
                    if self.1.load(Ordering::Relaxed) == self.2.len() {
                        break;
                    }
                    std::thread::sleep(std::time::Duration::from_millis(10));
                }
                self.2.push(self.1.load(Ordering::Relaxed));
            }
            buf[..now.len()].copy_from_slice(now.as_bytes());
            if !later.is_empty() {
                self.0.push(later);
            }
            Ok(now.len())
        }
    }
    struct Count(Arc<AtomicUsize>);
    impl Sink for Count {
        fn record(&mut self, _: Place, _: &Record<'_>) -> ControlFlow<()> {
            self.0.fetch_add(1, Ordering::Relaxed);
            ControlFlow::Continue(())
        }
        fn rejected(&mut self, _: &Rejected<'_>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }
    // Taken from the end.
    let lines = vec![
        "{\"lockName\":\"without line end\",\"event\":\"write\"}",
        "{\"lockName\":\"c\",\n \"event\":\"write\"\n}\n",
        "{\"lockName\":\"b\",\"event\":\"write\"}\r\n\r\n",
        "{\"lockName\":\"b\",\"event\":\"write\"}\n",
        "{\"lockName\":\"a\",\"event\":\"write\"}\n",
    ];
    let seen = Arc::new(AtomicUsize::new(0));
    let source = Source::reader("pipe", Pipe(lines, Arc::clone(&seen), Vec::new()));
    ingest::read(
        vec![source],
        &ReadOptions::default(),
        &mut native,
        &mut Count(Arc::clone(&seen)),
    )
    .unwrap();
    assert_eq!(seen.load(Ordering::Relaxed), 5);
}

#[test]
fn a_sink_can_stop_at_the_first_reject() {
    let input = format!("{GOOD}\n{{broken\n{GOOD}\n");
    let sources = vec![
        Source::reader("a", Cursor::new(input.clone())),
        Source::reader("b", Cursor::new(input)),
    ];
    let mut log = Log {
        stop_at_reject: true,
        ..Log::default()
    };
    let counts = ingest::read(sources, &ReadOptions::default(), &mut native, &mut log).unwrap();
    assert!(counts.stopped);
    assert_eq!(log.locks.len(), 1);
    assert_eq!(counts.sources.len(), 1);
}

#[test]
fn records_are_counted_over_all_inputs_and_a_damaged_one_ends_alone() {
    use std::io::Write as _;
    let text: String = (0..3000).fold(String::new(), |mut text, n| {
        let _ = writeln!(
            text,
            "{{\"lockName\":\"l{}\",\"event\":\"write\",\"leaseId\":{n}}}",
            n * 7919 % 3001
        );
        text
    });
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    gzip.write_all(text.as_bytes()).unwrap();
    let mut packed = gzip.finish().unwrap();
    packed.truncate(packed.len() * 2 / 3);
    let sources = vec![
        Source::reader("cut.gz", Cursor::new(packed)),
        Source::reader("next", Cursor::new(GOOD)),
    ];
    let mut options = ReadOptions::default();
    options.digest = true;
    let mut log = Log::default();
    let counts = ingest::read(sources, &options, &mut native, &mut log).unwrap();
    assert!(
        log.text
            .contains("broken the compressed data end too early")
    );
    let (cut, next) = (&counts.sources[0], &counts.sources[1]);
    assert!(cut.broken && cut.records > 1000 && cut.records < 3000);
    assert_eq!(cut.digest, None);
    assert!(!next.broken && next.digest.is_some());
    assert_eq!(counts.total.records, cut.records + 1);
    assert_eq!(log.locks.len() as u64, counts.total.records);
}

#[test]
fn wide_text_is_named_once() {
    let wide: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(GOOD.bytes().flat_map(|b| [b, 0]))
        .collect();
    let (log, counts) = run_in_steps(&wide, 1, 1000);
    assert!(log.text.contains("UTF-16"), "{}", log.text);
    assert_eq!((counts.total.rejected, counts.total.records), (1, 0));
}

/// Reads `bytes`, from a file or from something that gives `step` bytes at a time, in
/// blocks of `block` bytes on `threads` threads.
fn on_threads(
    bytes: &[u8],
    file: bool,
    step: usize,
    block: usize,
    threads: usize,
    lines: bool,
) -> (Log, Counts) {
    let mut options = ReadOptions::default();
    options.max_line = 200;
    options.block = block;
    options.threads = threads;
    let directory = tempfile::tempdir().unwrap();
    let source = if file {
        let path = directory.path().join("log");
        std::fs::write(&path, bytes).unwrap();
        Source::file(path)
    } else {
        Source::reader("x", Trickle(Cursor::new(bytes.to_vec()), step))
    };
    let mut log = Log {
        frames: true,
        ..Log::default()
    };
    let mut dialect = |_: usize, _: &Source| -> Box<dyn Dialect> {
        if lines {
            Box::new(EachLine)
        } else {
            Box::new(NativeJson)
        }
    };
    let counts = ingest::read(vec![source], &options, &mut dialect, &mut log).unwrap();
    assert_eq!(counts.total.other, log.others);
    (log, counts)
}

#[test]
fn a_sink_that_stops_is_not_kept_waiting_by_an_input_that_does_not_end() {
    /// A broken line, and then nothing for as long as somebody waits.
    struct Endless(Cursor<&'static [u8]>, std::sync::mpsc::Receiver<()>);
    impl Read for Endless {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            match self.0.read(buf)? {
                0 => {
                    let _ = self.1.recv();
                    Ok(0)
                }
                n => Ok(n),
            }
        }
    }
    let (keep_open, wait) = std::sync::mpsc::channel();
    let mut options = ReadOptions::default();
    options.threads = 3;
    let mut log = Log {
        stop_at_reject: true,
        ..Log::default()
    };
    let source = Source::reader("x", Endless(Cursor::new(b"{broken\n"), wait));
    let counts = ingest::read(vec![source], &options, &mut native, &mut log).unwrap();
    drop(keep_open);
    assert!(counts.stopped);
    assert_eq!(counts.total.rejected, 1);
}

#[test]
fn many_blocks_arrive_in_order() {
    let mut text = String::new();
    for n in 0..20_000 {
        let _ = match n % 100 {
            7 => writeln!(text, "{{\"lockName\":\"{n}\",\n \"event\":\"write\"\n}}"),
            8 => writeln!(text, "{{\"lockName\":\"{n}\",\"event\":\"wri"),
            9 => writeln!(
                text,
                "{{\"lockName\":\"{n}\",\"event\":\"write\",\"seq\":-1}}"
            ),
            10 => writeln!(text, "[{{\"lockName\":\"{n}\",\"event\":\"write\"}}]"),
            11 => writeln!(text, "INFO {n}"),
            12 => writeln!(text, "{{\"lockName\":\"\\u0030{n}\",\"event\":\"write\"}}"),
            _ => writeln!(text, "{{\"lockName\":\"{n}\",\"event\":\"write\"}}"),
        };
    }
    let (one, counts) = on_threads(text.as_bytes(), true, 0, 1 << 20, 1, false);
    assert_eq!(counts.total.records, 20_000 - 400);
    for (threads, block) in [(1, 1000), (2, 1000), (2, 10_000), (5, 3000)] {
        for file in [true, false] {
            let (many, others) = on_threads(text.as_bytes(), file, 7777, block, threads, false);
            assert!(one.text == many.text && one.raw == many.raw);
            assert_eq!(counts, others);
        }
    }
}

#[test]
fn what_follows_an_unfinished_line_does_not_depend_on_the_reading() {
    let input = b"{\"a\":{\"lockName\":\"good\"}\n\"x\n{\"a\":1}}\n{\"a\":{}\n\n  [\n";
    let (whole, _) = run(input);
    for step in 1..input.len() {
        let (parts, _) = run_in_steps(input, step, 1 << 20);
        assert_eq!((&whole.text, &whole.raw), (&parts.text, &parts.raw));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn steps_of_reading_change_nothing(bytes in junk(), step in 1usize..9, limit in 200usize..400) {
        let (whole, counts) = run_in_steps(&bytes, usize::MAX, limit);
        let (parts, counts_in_parts) = run_in_steps(&bytes, step, limit);
        prop_assert_eq!(&whole.text, &parts.text);
        prop_assert_eq!(&whole.raw, &parts.raw);
        prop_assert_eq!(&counts, &counts_in_parts);
        prop_assert_eq!(counts.total.records, whole.locks.len() as u64);
        prop_assert_eq!(
            counts.total.rejected + counts.total.flawed,
            whole.raw.len() as u64
        );
        prop_assert_eq!(counts.total.bytes, bytes.len() as u64);
        let line_ends = bytes.iter().filter(|&&b| b == b'\n').count() as u64;
        let last = bytes.last().is_some_and(|&b| b != b'\n');
        prop_assert_eq!(counts.total.lines, line_ends + u64::from(last));
        for raw in &whole.raw {
            prop_assert!(contains(&bytes, raw));
        }
    }

    #[test]
    fn steps_of_reading_change_no_line(bytes in junk(), step in 1usize..9) {
        let (whole, counts) = lines_in_steps(&bytes, usize::MAX, 200);
        let (parts, counts_in_parts) = lines_in_steps(&bytes, step, 200);
        prop_assert_eq!(&whole.raw, &parts.raw);
        prop_assert_eq!(&counts, &counts_in_parts);
    }

    #[test]
    fn threads_and_blocks_change_nothing(
        bytes in junk(),
        file: bool,
        step in 1usize..90,
        block in 1usize..300,
        threads in 1usize..4,
        lines: bool,
    ) {
        let (whole, counts) = on_threads(&bytes, true, step, 1 << 20, 1, lines);
        let (parts, counts_in_parts) = on_threads(&bytes, file, step, block, threads, lines);
        prop_assert_eq!(&whole.text, &parts.text);
        prop_assert_eq!(&whole.raw, &parts.raw);
        prop_assert_eq!(&counts, &counts_in_parts);
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
