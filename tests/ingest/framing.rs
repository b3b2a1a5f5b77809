//! How bytes become frames, in whatever steps they are read.

use proptest::prelude::*;

use super::support::{GOOD, junk, lines_in_steps, run, run_in_steps};

fn contains(all: &[u8], part: &[u8]) -> bool {
    part.is_empty() || all.windows(part.len()).any(|window| window == part)
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
            [
                "\u{feff}one\n",
                "two {\r\n",
                "0123456789\n",
                "0123456789x\r\n",
                "[\n",
                "last"
            ]
        );
        assert!(
            log.text
                .contains("6:1: reject [] longer than the limit of 10 bytes")
        );
        assert!(log.text.contains("8:1: reject [last] a line"));
        assert_eq!(counts.total.lines, 8);
    }
}

#[test]
fn the_rest_of_a_broken_value_is_kept_with_it() {
    let broken = "{\n  \"lockName\": oops,\n  \"x\": {\n    \"event\": 1\n\n  }\n}";
    let input = format!("{broken}\n{GOOD}\n");
    for step in [1, 3, 1000] {
        let (log, counts) = run_in_steps(input.as_bytes(), step, 1000);
        let kept = log.raw.concat();
        assert_eq!(String::from_utf8_lossy(&kept), format!("{broken}\n"));
        assert_eq!((counts.total.records, counts.total.rejected), (1, 1));
    }
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
