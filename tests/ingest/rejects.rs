//! What is wrong comes out byte for byte, however it is read.

use std::io::Cursor;
use std::sync::Arc;

use lockdiag::ingest::mapping::{Mapped, Mapping};
use lockdiag::ingest::{self, Counts, ReadOptions, Source};
use proptest::prelude::*;

use super::support::{GOOD, Log, Trickle, run};

const BOM: &str = "\u{feff}";

/// Reads in blocks of `block` bytes on `threads` threads.
fn read(
    bytes: &[u8],
    (step, block, threads): (usize, usize, usize),
    mapping: Option<&Arc<Mapping>>,
) -> (Log, Counts) {
    let mut options = ReadOptions::default();
    (options.block, options.threads) = (block, threads);
    let source = Source::reader("x", Trickle(Cursor::new(bytes.to_vec()), step));
    read_into(Log::default(), source, &options, mapping)
}

/// Reads until something is wrong.
fn read_strictly(bytes: &[u8], max_line: usize, step: usize) -> (Log, Counts) {
    let mut options = ReadOptions::default();
    (options.max_line, options.block, options.threads) = (max_line, step, 1 + step % 2);
    let source = Source::reader("x", Trickle(Cursor::new(bytes.to_vec()), step));
    let log = Log {
        stop_at_reject: true,
        ..Log::default()
    };
    read_into(log, source, &options, None)
}

fn read_into(
    mut log: Log,
    source: Source,
    options: &ReadOptions,
    mapping: Option<&Arc<Mapping>>,
) -> (Log, Counts) {
    let source = match mapping {
        Some(mapping) => source.read_by(Box::new(Mapped::new(Arc::clone(mapping)))),
        None => source,
    };
    let counts = ingest::read(vec![source], options, &mut log).unwrap();
    (log, counts)
}

/// A part of a log, and what of it is wrong.
type Part = (Vec<u8>, Vec<u8>);

fn fine(text: &[u8]) -> Part {
    (text.to_vec(), Vec::new())
}

fn wrong(text: &[u8]) -> Part {
    (text.to_vec(), text.to_vec())
}

fn json_part() -> impl Strategy<Value = Part> {
    let broken: [&[u8]; 13] = [
        b"{\"lockName\": broken",
        b"{\"lockName\": broken  }",
        b"{\"lockName\":\"a\",,}",
        b"{\"lockName\":\"a\"} x",
        b"{\"lockName\":\"a",
        b"{\"lockName\":\"a\",\"event\":\"write\"",
        b"{\"lockName\":\"a\",\"event\":\"write\",\"fenceToken\":-1}",
        b"{\"lockName\":\"a\\q\"}",
        b"{\"lockName\":\"\xff\",\"event\":\"write\"}",
        b"{\"lockName\":{\"a\":[1}}",
        b"{\"lockName\":\"a\",\x0c\"event\":\"write\"}\x0c",
        b"{",
        b"{}}",
    ];
    let lead = prop_oneof![Just(String::new()), "\u{feff}{0,2}[ \t\r]{0,5}"];
    let broken = (
        lead,
        prop::sample::select(broken.to_vec()),
        "[ \t\r]{0,4}\n",
    )
        .prop_map(|(lead, body, end)| wrong(&[lead.as_bytes(), body, end.as_bytes()].concat()));
    let good = ("\u{feff}{0,2}", "[ \t\r]{0,4}\n")
        .prop_map(|(lead, end)| fine(format!("{lead}{GOOD}{end}").as_bytes()));
    let other = "[ \t\r\n]{0,3}\n|\n?INFO [{\\[\"]{0,2}[ \t\r]{0,2}\n";
    let several = "{\n  \"lockName\": \"a\",\n  \"event\": \"write\",\n  \"seq\": -1\n}  \r\n";
    prop_oneof![
        4 => broken,
        2 => good,
        // White space may go on with a value that broke, so a record follows it.
        1 => other.prop_map(|text| fine(format!("{GOOD}\n{text}{GOOD}\n").as_bytes())),
        1 => Just(wrong(several.as_bytes())),
    ]
}

fn row_part() -> impl Strategy<Value = Part> {
    prop_oneof![
        Just(fine(b"a,1,write\n")),
        Just(fine(b"\"a\r\nb \"\"c\"\"\n\n\",1,write\r\n")),
        Just(fine(b"\n \r\n")),
        Just(wrong(b"a,-1,write \t\r\n")),
        Just(wrong(b"\"x\ny\n\",\"no, \r\nnumber\",write\r\n")),
        Just(wrong(b"\xef\xbb\xbf\"x\n\"5\" disk,-1,write\n")),
        Just(fine(b"5\" disk,1,\"write\"\n")),
        Just(wrong(b"5\" \"disk,-1,write\n")),
        Just(wrong(b"\"a\xff\n\",1,write\n")),
    ]
}

/// All parts, and without the last line end if that is wanted.
fn joined(parts: &[Part], whole: bool) -> (Vec<u8>, Vec<u8>) {
    let mut input: Vec<u8> = parts.iter().flat_map(|part| part.0.clone()).collect();
    let mut rejects: Vec<u8> = parts.iter().flat_map(|part| part.1.clone()).collect();
    if !whole && input.ends_with(b"\n") {
        input.pop();
        if parts.last().is_some_and(|part| !part.1.is_empty()) {
            rejects.pop();
        }
    }
    (input, rejects)
}

fn rows() -> Arc<Mapping> {
    let text = "format = \"csv\"\n[fields]\nlockName = \"lock\"\nfenceToken = \"token\"\n\
        event = \"event\"\n";
    match Mapping::parse("rows", text) {
        Ok(mapping) => mapping.into(),
        Err(errors) => panic!("{errors:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn lines_that_are_wrong_come_out_as_they_stand(
        parts in prop::collection::vec(json_part(), 0..12),
        whole: bool,
        reading in (1usize..90, 1usize..300, 1usize..4),
    ) {
        let (input, rejects) = joined(&parts, whole);
        for reading in [(1 << 20, 1 << 20, 1), reading] {
            let (log, _) = read(&input, reading, None);
            let kept = log.raw.concat();
            prop_assert_eq!(kept.escape_ascii().to_string(), rejects.escape_ascii().to_string());
        }
    }

    #[test]
    fn who_stops_at_what_is_wrong_has_got_all_of_it(
        parts in prop::collection::vec(json_part(), 0..6),
        whole: bool,
        step in 1usize..90,
    ) {
        let (input, rejects) = joined(&parts, whole);
        let first = parts.iter().find(|part| !part.1.is_empty());
        let length = first.map_or(0, |part| part.1.len()).min(rejects.len());
        let mut once = None;
        for step in [1 << 20, step] {
            let (log, counts) = read_strictly(&input, 1 << 20, step);
            prop_assert_eq!(log.raw.len(), usize::from(length > 0));
            prop_assert_eq!(counts.stopped, length > 0);
            // A line that begins with white space may go on with a value that broke.
            let kept = log.raw.concat();
            prop_assert!(kept.len() >= length && rejects.starts_with(&kept), "{}", kept.escape_ascii());
            prop_assert_eq!(once.get_or_insert(log.text.clone()), &log.text);
        }
    }

    #[test]
    fn rows_that_are_wrong_come_out_as_they_stand(
        parts in prop::collection::vec(row_part(), 0..12),
        whole: bool,
        open: bool,
        reading in (1usize..90, 1usize..300, 1usize..4),
    ) {
        let mut parts = parts;
        parts.insert(0, fine(b"lock,token,event\n"));
        if open {
            parts.push(wrong(b"a,\"never,\nclosed\n"));
        }
        let (input, rejects) = joined(&parts, whole);
        let mapping = rows();
        for reading in [(1 << 20, 1 << 20, 1), reading] {
            let (log, _) = read(&input, reading, Some(&mapping));
            let kept = log.raw.concat();
            prop_assert_eq!(kept.escape_ascii().to_string(), rejects.escape_ascii().to_string());
        }
    }
}

#[test]
fn a_row_in_an_open_quote_is_shown_and_kept() {
    let input = b"lock,token,event\na,\"1\n,2\",write\nb,1,write\nb,\"unclosed,2,write\r\n";
    let (log, counts) = read(input, (7, 30, 1), Some(&rows()));
    assert!(
        log.text
            .contains("\n5:3: reject [\\\"] the input ends inside a quoted cell"),
        "{}",
        log.text
    );
    assert!(log.text.contains("2:4: flawed"), "{}", log.text);
    assert_eq!(log.raw.last().unwrap(), b"b,\"unclosed,2,write\r\n");
    assert_eq!((counts.total.rejected, counts.total.records), (1, 2));
}

#[test]
fn a_row_beyond_the_limit_ends_where_the_row_does() {
    let mut options = ReadOptions::default();
    (options.max_line, options.block) = (20, 8);
    let long = b"a,\"xxxx\nxxxxxxxxxxxxxxxxx\"\"\nforged,1,write\n\nforged,2,write\n\"\n";
    let input = [
        &b"lock,token,event\n"[..],
        long,
        b"b,1,write\nb,\"2\n",
        b"xxxxxxxxxxxxxxxxx,write\n",
    ]
    .concat();
    for step in [1, 7, 1000] {
        let source = Source::reader("x", Trickle(Cursor::new(input.clone()), step))
            .read_by(Box::new(Mapped::new(rows())));
        let mut log = Log::default();
        let counts = ingest::read(vec![source], &options, &mut log).unwrap();
        assert_eq!(log.locks, ["b"], "{}", log.text);
        assert!(
            log.text.starts_with(
                "2:1: reject [] longer than the limit of 20 bytes (a quoted cell is not closed"
            ),
            "{}",
            log.text
        );
        assert!(
            log.text.contains("\n9:1: reject [] longer than"),
            "{}",
            log.text
        );
        assert_eq!(log.raw.first().unwrap(), long);
        assert_eq!(log.raw.last().unwrap(), b"b,\"2\nxxxxxxxxxxxxxxxxx,write\n");
        assert_eq!(counts.total.rejected, 2);
    }
}

#[test]
fn wide_text_is_rejected_whole_and_once() {
    let text = format!("{GOOD}\nINFO\n{GOOD}\n").repeat(9);
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for input in [
        [&b"\xff\xfe"[..], &little].concat(),
        [&b"\xfe\xff"[..], &big].concat(),
    ] {
        for reading in [(1, 1, 1), (7, 64, 2), (1 << 20, 1 << 20, 1)] {
            let (log, counts) = read(&input, reading, None);
            assert!(log.raw.concat() == input);
            let total = counts.total;
            assert_eq!((total.rejected, total.other, total.records), (1, 0, 0));
            assert!(log.text.contains("[{\\\"lockName\\\":"), "{}", log.text);
        }
    }
}

#[test]
fn an_array_that_is_not_closed_adds_nothing() {
    for input in [format!("[{GOOD}\n"), format!("INFO\n [\n{GOOD},\n{GOOD}")] {
        let (log, counts) = run(input.as_bytes());
        assert!(
            log.text.contains("reject [[] the array that begins here"),
            "{}",
            log.text
        );
        let line = if input.starts_with('[') {
            "\n1:1:"
        } else {
            "\n2:2:"
        };
        assert!(log.text.contains(line), "{}", log.text);
        assert_eq!(log.raw.concat(), b"");
        assert_eq!((counts.total.rejected, counts.total.flawed), (1, 0));
    }
}

#[test]
fn a_mark_before_a_line_is_none_of_it() {
    let other = format!("{BOM}INFO\n");
    let input =
        format!("{BOM}{BOM}{GOOD}\n{BOM}{GOOD}\r\n{other}{BOM}\n{BOM} [{GOOD},\n{BOM}{GOOD}]\n");
    for reading in [(1, 1, 1), (3, 50, 2), (1 << 20, 1 << 20, 1)] {
        let (log, counts) = read(input.as_bytes(), reading, None);
        assert_eq!(log.locks.len(), 4, "{}", log.text);
        assert_eq!((counts.total.other, counts.total.rejected), (1, 0));
    }
    let input = format!("{GOOD}\n{BOM}{{\"lockName\":\"a\",\"event\":\"write\",\"seq\":-1}}\n");
    let (log, _) = run(input.as_bytes());
    assert!(log.text.contains("2:39: flawed [-1]"), "{}", log.text);
}

#[test]
fn who_stops_gets_the_rest_of_what_is_long_and_nothing_behind_it() {
    let long = format!("{}{GOOD}{}\n", " ".repeat(20), " ".repeat(300));
    let broken = "{\n  \"lockName\": \"a\",\n  \"x\": tru e,\n  \"y\": 1\n}\n";
    let wide: String = "\u{feff}".to_owned() + &format!("{GOOD}\n").repeat(3);
    let wide: Vec<u8> = wide.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for step in [1, 7, 64, 1 << 20] {
        for wrong in [long.as_str(), broken] {
            let input = format!("{GOOD}\n{wrong}{GOOD}\n{broken}");
            let (log, counts) = read_strictly(input.as_bytes(), 80, step);
            assert_eq!(String::from_utf8_lossy(&log.raw.concat()), wrong);
            assert_eq!((counts.total.records, counts.total.rejected), (1, 1));
        }
        let (log, _) = read_strictly(&wide, 80, step);
        assert!(log.raw.concat() == wide);
    }
}

#[test]
fn white_space_before_a_value_counts_for_its_length() {
    let room = 100 - GOOD.len();
    let fits = format!("{}{GOOD}\n", " ".repeat(room));
    let several = GOOD.replace(",\"event", ",\n\"event");
    let several = format!("{}{several}\n", " ".repeat(room));
    let wrong = [
        format!("{} {GOOD}\n", " ".repeat(room)),
        format!("{BOM}{}{GOOD}  \n", " ".repeat(room - 2)),
        several,
        format!("{}\t {GOOD}\r\n", " ".repeat(400)),
        format!("{}\n", "\t".repeat(101)),
        format!("{}INFO\n", " ".repeat(98)),
    ];
    for step in [1, 7, 64, 1 << 20] {
        for wrong in &wrong {
            let input = format!("{GOOD}\n{wrong}{GOOD}\n\n{fits}");
            let mut options = ReadOptions::default();
            (options.max_line, options.block) = (100, step);
            let source = Source::reader("x", Trickle(Cursor::new(input.into_bytes()), step));
            let (log, counts) = read_into(Log::default(), source, &options, None);
            assert_eq!(String::from_utf8_lossy(&log.raw.concat()), *wrong);
            assert!(log.text.contains("\n2:"), "{}", log.text);
            assert!(log.text.contains("reject [] longer than"), "{}", log.text);
            assert_eq!((counts.total.records, counts.total.rejected), (3, 1));
        }
    }
}

#[test]
fn a_file_that_begins_with_a_mark_may_follow_one_without_a_line_end() {
    let bad = "{\"lockName\":\"a\",\"event\":\"write\",\"seq\":-1}";
    let input = format!(
        "{GOOD}{BOM}{GOOD} {BOM}{BOM} {GOOD}{BOM}\n[{GOOD}]{BOM}[{GOOD}]{BOM}{{\n\"a\":1}}{BOM}{bad}{BOM}"
    );
    for step in [1, 3, 1 << 20] {
        let (log, counts) = read(input.as_bytes(), (step, step, 1), None);
        let total = counts.total;
        assert_eq!((total.records, total.flawed), (6, 1), "{}", log.text);
        assert_eq!((total.rejected, total.other), (0, 1), "{}", log.text);
        assert_eq!(log.raw.concat(), format!("{BOM}{bad}").as_bytes());
    }
    let (log, counts) = read(format!("{GOOD}{BOM}x\n").as_bytes(), (3, 9, 1), None);
    assert_eq!((counts.total.records, counts.total.rejected), (0, 1));
    assert_eq!(log.raw.concat(), format!("{GOOD}{BOM}x\n").as_bytes());
}

#[test]
fn a_mark_inside_a_value_breaks_all_of_it() {
    let broken = format!("{{\n\"lockName\":\"a\",\n{BOM}\"event\":\"write\"}}\n");
    let input = format!("{GOOD}\n{broken}{BOM}{GOOD}\n");
    for step in [1, 3, 50, 1 << 20] {
        let (log, counts) = read(input.as_bytes(), (step, step, 1), None);
        assert_eq!(String::from_utf8_lossy(&log.raw.concat()), broken);
        let total = counts.total;
        assert_eq!((total.records, total.rejected, total.other), (2, 1, 0));
    }
}
