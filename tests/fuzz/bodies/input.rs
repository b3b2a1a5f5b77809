//! A whole input from its bytes to its verdicts: plain, compressed, cut short, in steps.

use std::io::{Cursor, Read, Write};

use lockdiag::diagnosis::Options;
use lockdiag::incident::Classification;
use lockdiag::ingest::{Counts, ReadOptions, Source, read};
use lockdiag::lint::render as lint_render;
use lockdiag::lint::{LintSink, Settings};
use lockdiag::render::Format;
use lockdiag::render::text::Style;

use super::outputs::{SOURCE, check_all, check_form, written};
use super::seen::Seen;

/// Longer lines are rejects; small, so that they happen.
const LONGEST: usize = 2000;
const MOST_DECOMPRESSED: u64 = 1 << 20;

/// The last byte says how the others are presented; so a log is its own seed.
pub fn input(data: &[u8]) {
    let (how, bytes) = data.split_last().unwrap_or((&0, data));
    let (seen, counts) = run(bytes, usize::MAX);
    assert_eq!(counts.total.bytes, bytes.len() as u64);
    if !is_compressed(bytes) {
        assert_lines_counted(bytes, &seen, &counts);
    }
    // The size of the steps in which bytes arrive changes nothing.
    let step = usize::from(how % 7) + 1;
    let (stepped, stepped_counts) = run(bytes, step);
    assert_eq!(seen.log, stepped.log);
    assert_eq!(counts, stepped_counts);
    if !is_compressed(bytes) {
        let packed = match how % 2 {
            0 => gzip(bytes),
            _ => zstd(bytes),
        };
        check_packed(&seen, &packed, usize::from(*how));
    }
    check_lint(bytes);
    let verdict = finish(seen);
    assert_eq!(verdict, finish(stepped));
    check_all(&verdict);
}

fn finish(seen: Seen) -> Classification {
    seen.diagnosis.finish(&[SOURCE.to_owned()])
}

/// Bytes that come a few at a time.
struct Steps {
    bytes: Cursor<Vec<u8>>,
    step: usize,
}

impl Read for Steps {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let n = out.len().min(self.step);
        self.bytes.read(&mut out[..n])
    }
}

fn source(bytes: &[u8], step: usize) -> Vec<Source> {
    let bytes = Cursor::new(bytes.to_vec());
    vec![Source::reader(SOURCE, Steps { bytes, step })]
}

fn options() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.max_line = LONGEST;
    options.max_decompressed = MOST_DECOMPRESSED;
    options
}

fn run(bytes: &[u8], step: usize) -> (Seen, Counts) {
    let mut seen = Seen::new(Options::default());
    let counts =
        read(source(bytes, step), &options(), &mut seen).expect("bytes in memory can be read");
    seen.assert_counted(&counts);
    (seen, counts)
}

/// Records, rejects and other lines make up the input. Where each line stands for
/// itself, one of them for each line that is not blank; elsewhere, at least one.
fn assert_lines_counted(bytes: &[u8], seen: &Seen, counts: &Counts) {
    let ends = bytes.iter().filter(|&&b| b == b'\n').count() as u64;
    let unended = bytes.last().is_some_and(|&b| b != b'\n');
    assert_eq!(counts.total.lines, ends + u64::from(unended));
    if [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"]
        .iter()
        .any(|mark| bytes.starts_with(mark))
    {
        return;
    }
    let told = seen.records + seen.other + seen.rejected;
    let blank = |b: &u8| matches!(b, b' ' | b'\t' | b'\r');
    let lines: Vec<&[u8]> = bytes
        .split(|&b| b == b'\n')
        .filter(|line| !line.iter().all(&blank))
        .collect();
    assert!(told <= bytes.len() as u64);
    assert_eq!(told == 0, lines.is_empty(), "{told} of {lines:?}");
    let alone = |line: &&[u8]| {
        let start = line.iter().find(|b| !blank(b));
        line.len() <= LONGEST
            && match start {
                Some(b'{') => serde_json::from_slice::<serde_json::Value>(line).is_ok(),
                start => start != Some(&b'['),
            }
    };
    if lines.iter().all(alone) {
        assert_eq!(told, lines.len() as u64, "{:?}", seen.log);
    }
}

fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1f\x8b")
        || bytes.starts_with(b"\x28\xb5\x2f\xfd")
        || matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).expect("a Vec takes everything");
    encoder.finish().expect("a Vec takes everything")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).expect("a Vec takes everything")
}

/// Compressed, an input says the same; cut short, it says so and tells only what stood
/// before the cut.
fn check_packed(plain: &Seen, packed: &[u8], how: usize) {
    let (seen, counts) = run(packed, usize::MAX);
    assert_eq!(plain.log, seen.log);
    assert!(!counts.total.broken);
    let at = 4 + how % packed.len().saturating_sub(4).max(1);
    if let Some(cut) = packed.get(..at).filter(|cut| cut.len() < packed.len()) {
        let (seen, counts) = run(cut, usize::MAX);
        assert!(counts.total.broken, "cut to {at} of {}", packed.len());
        assert!(seen.records <= plain.records + 1);
    }
}

/// What lint says of the same input is as harmless in every format.
fn check_lint(bytes: &[u8]) {
    let mut sink = LintSink::new(Settings::default());
    read(source(bytes, usize::MAX), &options(), &mut sink).expect("bytes in memory can be read");
    let report = sink.finish();
    let sources = [SOURCE.to_owned()];
    let view = lint_render::View {
        report: &report,
        sources: &sources,
        details: true,
    };
    for format in Format::ALL {
        let style = Style::default();
        let text = written(|out| lint_render::render(format, &view, &style, out));
        check_form(format, &text);
    }
}
