//! What a sink gets, when, and how it stops the reading.

use std::fmt::Write as _;
use std::io::{Cursor, Read};
use std::ops::ControlFlow;

use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{self, ReadOptions, Rejected, Sink, Source};

use super::support::{GOOD, Log};

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
    let counts = ingest::read(sources, &ReadOptions::default(), &mut log).unwrap();
    assert!(counts.stopped);
    assert_eq!(log.locks.len(), 1);
    assert_eq!(counts.sources.len(), 1);
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
    // More of the second may follow, which is waited for only if it is wanted.
    for (input, rest_unwanted) in [(&b"{broken\n"[..], false), (b"{\n \"a\" 1\n", true)] {
        let (keep_open, wait) = std::sync::mpsc::channel();
        let mut options = ReadOptions::default();
        options.threads = 3;
        let mut log = Log {
            stop_at_reject: true,
            rest_unwanted,
            ..Log::default()
        };
        let source = Source::reader("x", Endless(Cursor::new(input), wait));
        let counts = ingest::read(vec![source], &options, &mut log).unwrap();
        drop(keep_open);
        assert!(counts.stopped);
        assert_eq!(counts.total.rejected, 1);
    }
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
    let counts = ingest::read(sources, &options, &mut log).unwrap();
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
