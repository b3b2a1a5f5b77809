//! Any number of threads and any size of blocks read the same.

use std::fmt::Write as _;
use std::io::Cursor;

use lockdiag::ingest::{self, Counts, ReadOptions, Source};
use proptest::prelude::*;

use super::support::{EachLine, Log, Trickle, junk};

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
    let source = if lines {
        source.read_by(Box::new(EachLine))
    } else {
        source
    };
    let counts = ingest::read(vec![source], &options, &mut log).unwrap();
    assert_eq!(counts.total.other, log.others);
    (log, counts)
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

/// What stands behind a broken element belongs to what is kept of it, whether it has been
/// read with it or later.
#[test]
fn blanks_behind_a_broken_element_are_kept_however_they_arrive() {
    let text = "[{\"lockName\":\"p\"}, {\"a\":]     ";
    let (whole, _) = on_threads(text.as_bytes(), true, 1, 1 << 20, 1, false);
    for (block, step) in [(1, 1), (2, 1), (1, 2), (30, 30)] {
        let (parts, _) = on_threads(text.as_bytes(), false, step, block, 1, false);
        assert_eq!(whole.raw, parts.raw, "{block} {step}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

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
}
