//! The bodies of the fuzz targets on the stable toolchain: over any bytes, over the seeds
//! as they are, and over seeds that were damaged. `fuzz/README.md` tells how to run them
//! by coverage.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod bodies;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;

/// Longer seeds would only repeat themselves, slowly.
const LONGEST: usize = 4000;

/// The files below these directories, each no longer than is useful.
fn seeds(directories: &[&str]) -> Vec<Vec<u8>> {
    let mut waiting: Vec<PathBuf> = directories
        .iter()
        .map(|directory| Path::new(env!("CARGO_MANIFEST_DIR")).join(directory))
        .collect();
    let mut found = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = path.read_dir().expect("a directory of the repository");
            waiting.extend(entries.flatten().map(|entry| entry.path()));
        } else {
            found.push(path);
        }
    }
    found.sort();
    let read = |path: &PathBuf| {
        let mut bytes = std::fs::read(path).expect("a file of the repository");
        bytes.truncate(LONGEST);
        bytes
    };
    found.iter().map(read).collect()
}

static EVIDENCE: LazyLock<Vec<Vec<u8>>> =
    LazyLock::new(|| seeds(&["tests/cases", "tests/ingest/corpus"]));

/// Lines that real services wrote.
static REAL: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| seeds(&["tests/packs"]));

static LINES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let files = EVIDENCE.iter();
    let lines = files.flat_map(|file| file.split(|&b| b == b'\n'));
    let mut lines: Vec<Vec<u8>> = lines.map(<[u8]>::to_vec).collect();
    lines.sort();
    lines.dedup();
    lines
});

/// Every mapping with every log that it may meet, and each of both alone.
static MAPPINGS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let mappings = seeds(&["samples/mappings", "src/ingest/mapping/presets"]);
    let logs = seeds(&[
        "tests/mapping/cases",
        "tests/mapping/systems",
        "tests/mapping/proposals",
    ]);
    let start = |log: &Vec<u8>| log[..log.len().min(LONGEST / 4)].to_vec();
    let pairs = mappings
        .iter()
        .enumerate()
        .map(|(at, mapping)| [mapping, &b"\n---\n"[..], &start(&logs[at % logs.len()])].concat());
    let mut all: Vec<Vec<u8>> = pairs.collect();
    all.extend(logs.iter().map(start));
    all
});

/// One way to damage a seed.
#[derive(Debug, Clone)]
enum Harm {
    Cut(Index),
    Set(Index, u8),
    Insert(Index, Vec<u8>),
    Remove(Index, Index),
    Repeat(Index, Index),
}

fn harm() -> impl Strategy<Value = Harm> {
    let at = any::<Index>;
    let telling = prop::sample::select(b"\"\\{}[](),:=' \t\r\n$@/-09\xff\xc3\x1b\x00".to_vec());
    let text = prop::sample::select(vec![
        "\u{202e}",
        "\u{1b}[2J",
        "\\u202e",
        "\\u0000",
        "\r\n",
        "\n{",
        "}\n",
        "[{",
        "null",
        "18446744073709551616",
        "::error::",
        "=1+1",
        "](x)",
        "]]>",
    ]);
    prop_oneof![
        1 => at().prop_map(Harm::Cut),
        4 => (at(), telling).prop_map(|(at, byte)| Harm::Set(at, byte)),
        4 => (at(), text).prop_map(|(at, text)| Harm::Insert(at, text.as_bytes().to_vec())),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(a, b)| Harm::Insert(a, b)),
        2 => (at(), at()).prop_map(|(a, b)| Harm::Remove(a, b)),
        2 => (at(), at()).prop_map(|(a, b)| Harm::Repeat(a, b)),
    ]
}

fn damaged(mut seed: Vec<u8>, harms: Vec<Harm>) -> Vec<u8> {
    for harm in harms {
        if seed.is_empty() {
            break;
        }
        let span = |a: Index, b: Index| {
            let (a, b) = (a.index(seed.len()), b.index(seed.len()));
            a.min(b)..(a.max(b) + 1).min(a.min(b) + 200)
        };
        match harm {
            Harm::Cut(at) => seed.truncate(at.index(seed.len())),
            Harm::Set(at, byte) => {
                let at = at.index(seed.len());
                seed[at] = byte;
            }
            Harm::Insert(at, bytes) => {
                let at = at.index(seed.len());
                seed.splice(at..at, bytes);
            }
            Harm::Remove(a, b) => drop(seed.drain(span(a, b))),
            Harm::Repeat(a, b) => {
                let span = span(a, b);
                let again = seed[span.clone()].to_vec();
                seed.splice(span.end..span.end, again);
            }
        }
    }
    seed
}

fn damaged_seed(seeds: &'static LazyLock<Vec<Vec<u8>>>) -> impl Strategy<Value = Vec<u8>> {
    (any::<Index>(), prop::collection::vec(harm(), 1..5))
        .prop_map(move |(at, harms)| damaged(at.get(seeds).clone(), harms))
}

fn bytes(most: usize) -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..most)
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The data on which a body once failed, in a directory for each target.
#[test]
fn what_once_failed() {
    let failed = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/failed");
    for target in failed.read_dir().expect("a directory of the repository") {
        let target = target.expect("an entry").file_name();
        let target = target.to_str().expect("a plain name");
        let body: fn(&[u8]) = match target {
            "line" => bodies::line,
            "layout" => bodies::layout,
            "record" => bodies::record,
            "input" => bodies::input,
            "mapping" => bodies::mapping,
            "formats" => bodies::formats,
            other => panic!("{other}: no such target"),
        };
        for data in seeds(&[&format!("tests/fuzz/failed/{target}")]) {
            body(&data);
        }
    }
}

#[test]
fn seeds_as_they_are() {
    LINES.iter().for_each(|line| bodies::line(line));
    let lines = EVIDENCE.iter().chain(&*REAL);
    lines.for_each(|lines| bodies::layout(lines));
    // Every one of them is read by the tests that own it.
    let some = EVIDENCE.iter().step_by(12);
    some.for_each(|file| bodies::input(file));
    MAPPINGS.iter().for_each(|text| bodies::mapping(text));
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn line_of_any_bytes(data in bytes(200)) {
        bodies::line(&data);
    }

    #[test]
    fn line_of_a_damaged_seed(data in damaged_seed(&LINES)) {
        bodies::line(&data);
    }
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn layout_of_any_bytes(data in bytes(300)) {
        bodies::layout(&data);
    }

    #[test]
    fn layout_of_damaged_lines(
        seed in any::<Index>(),
        harms in prop::collection::vec(harm(), 1..5),
    ) {
        // Whole lines first, so that there is something to go wrong about.
        let lines = seed.get(&REAL);
        let harmed = damaged(lines.clone(), harms);
        bodies::layout(&[lines, &b"\n"[..], &harmed].concat());
    }
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn record_of_any_bytes(data in bytes(300)) {
        bodies::record(&data);
    }

    #[test]
    fn formats_of_any_bytes(data in bytes(200)) {
        bodies::formats(&data);
    }

    #[test]
    fn input_of_any_bytes(data in bytes(300)) {
        bodies::input(&data);
    }

    #[test]
    fn input_of_a_damaged_seed(data in damaged_seed(&EVIDENCE)) {
        bodies::input(&data);
    }

    #[test]
    fn mapping_of_any_bytes(data in bytes(300)) {
        bodies::mapping(&data);
    }

    #[test]
    fn mapping_of_a_damaged_seed(data in damaged_seed(&MAPPINGS)) {
        bodies::mapping(&data);
    }
}
