use super::{Room, Sequence};
use proptest::prelude::*;
use regex::Regex;

/// What both say of a line, if the pattern is a sequence.
fn agree(pattern: &str, line: &str) -> bool {
    let Some(sequence) = Sequence::new(pattern) else {
        return false;
    };
    let regex = Regex::new(pattern).unwrap();
    let mut room = Room::default();
    let expected = regex.captures(line);
    let Some(found) = sequence.find(line.as_bytes(), &mut room) else {
        return true;
    };
    assert_eq!(found, expected.is_some(), "{pattern} {line:?}");
    if let Some(expected) = expected {
        for (n, group) in expected.iter().enumerate().skip(1) {
            let group = group.map(|g| g.range());
            assert_eq!(room.group(n), group, "{pattern} {line:?} {n}");
        }
    }
    true
}

const SENTENCE: &str =
    r"^\S+ (?:INFO|WARN) (?<event>[a-z]+) (?<what>acquired|held) lock=(?<lock>\S+) n=(\d+)$";

#[test]
fn plain_sentences_are_sequences() {
    let line = "12:00:01 WARN acquire held lock=a:b n=17";
    for pattern in [
        SENTENCE,
        r"^a(?<x>.*)$",
        r"^(\d{2}):(\d{2}):\d\d (?<rest>.+)",
        r"^\[(?<x>[^\]]*)\] done$",
        r"^x",
    ] {
        assert!(agree(pattern, line), "{pattern}");
        assert!(agree(pattern, "[17] done"));
        assert!(agree(pattern, ""));
    }
    for pattern in [
        r"(?<x>\d+)=a",
        r"^(?:a|ab)c",
        r"(?m)^a$",
        r"^\bx",
        r"^(?:a\S+|b)c",
        r"^(?:ab)+c",
        r"aa(?<x>b)",
        r"^(?u:\w)+",
    ] {
        assert!(Sequence::new(pattern).is_none(), "{pattern}");
    }
}

#[test]
fn runs_that_may_end_in_several_places_end_where_the_pattern_says() {
    let lines = [
        "Lock 'a' acquired by w, 1 (lease l, 2, token 3); was 1",
        "Lock 'a' Lock 'b' acquired by w (lease l, token 3)",
        "Lock 'a' acquired by w (lease l, token x); was 1",
        "x acquired by acquired by",
    ];
    for pattern in [
        r"Lock '(?<lock>[^']*)' acquired by (?<who>.+) \(lease (?<lease>\S.*), token (?<t>\d+)\)(?:; was (?<w>\d+))?$",
        r"Lock '(?<lock>.*?)' acquired by (?<who>.+?)(?: \((?<rest>.*)\))?",
        r"^(?<a>.*) acquired by (?<b>.*)$",
        r"^(?<a>.*?) acquired by(?<b>.*?)",
        r"^(?<a>[^=]*)a(?<b>.*?),(?<c>[^z]*) ",
        r"by (?<x>\w*)(?<y>\w)(?<z>\W*)(?<rest>.*)",
    ] {
        for line in lines {
            assert!(agree(pattern, line), "{pattern}");
        }
    }
}

#[test]
fn a_search_that_takes_too_long_is_given_up() {
    let sequence = Sequence::new(r"^(.*)a(.*)a(.*)a(.*)b$").unwrap();
    let line = "a".repeat(2000);
    assert_eq!(sequence.find(line.as_bytes(), &mut Room::default()), None);
    let sequence = Sequence::new(r"ab(\S*) c").unwrap();
    let line = "ab".repeat(20_000);
    assert_eq!(sequence.find(line.as_bytes(), &mut Room::default()), None);
}

fn piece() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "=",
        " ",
        "ab",
        r"\d+",
        r"\d*",
        r"\w+",
        r"\S+",
        "[^ ]*",
        ".*",
        ".",
        r"\d{2}",
        "a{1,3}",
        "(?:a|b)",
        "(?:ab|b=)",
        "(?:a|ab)",
        r"(\d+)",
        r"(\S+)",
        "(a=)",
        "([ab]*)",
        "(?<x>b+)",
        "(?:1|)",
        "a?",
        r"(?i:a)",
        "$",
        r"\s*",
        "()",
        ".*?",
        r"\w+?",
        "(.+)",
        ".{0,2}",
        "(?: (b*))?",
        "(?:a(?:=(.))?)?",
        "(?:a*b)?",
    ])
    .prop_map(str::to_owned)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn a_sequence_says_what_the_pattern_says(
        pieces in prop::collection::vec(piece(), 0..6),
        lines in prop::collection::vec("[ab= 1\n]{0,12}", 1..8),
        anchored in any::<bool>(),
    ) {
        let pattern = format!("{}{}", if anchored { "^" } else { "" }, pieces.concat());
        prop_assume!(Regex::new(&pattern).is_ok());
        for line in &lines {
            agree(&pattern, line);
        }
    }

    #[test]
    fn a_damaged_sentence_is_judged_alike(at in 0..40usize, byte in 0u8..128) {
        let mut line = b"12:00:01 WARN acquire held lock=a:b n=17".to_vec();
        line[at] = byte;
        let line = String::from_utf8(line).unwrap();
        prop_assert!(agree(SENTENCE, &line));
    }
}
