//! Patterns that need no search: fixed texts and runs of one kind of characters in a row.
//!
//! `^\S+ WARN (?<who>\w+) token=(?<fenceToken>\d+)$` is one. Each run ends where its
//! characters end, since what must follow begins with none of them; so there is one way to
//! match, and each byte is looked at once. Of ASCII lines it says what the pattern says.

use std::collections::BTreeSet;
use std::ops::Range;

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// Such a pattern.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    pieces: Vec<Piece>,
    groups: usize,
}

#[derive(Debug, Clone)]
enum Piece {
    Text(Box<[u8]>),
    /// One of several texts, none of which begins with another.
    Choice(Vec<Box<[u8]>>),
    Run {
        kind: Box<[bool; 256]>,
        min: usize,
        max: usize,
    },
    Open(usize),
    Close(usize),
    End,
}

impl Sequence {
    /// The pattern as such a sequence, if it is one.
    pub(super) fn new(pattern: &str) -> Option<Sequence> {
        let hir = regex_syntax::ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .parse(pattern)
            .ok()?;
        let HirKind::Concat(parts) = hir.kind() else {
            return None;
        };
        let (first, parts) = parts.split_first()?;
        if *first.kind() != HirKind::Look(Look::Start) {
            return None;
        }
        let mut pieces = Vec::new();
        for part in parts {
            take(part, &mut pieces)?;
        }
        let sure = (0..pieces.len()).all(|at| is_sure(&pieces, at));
        let groups = hir.properties().explicit_captures_len() + 1;
        sure.then_some(Sequence { pieces, groups })
    }

    /// Whether the line matches, and where the groups are.
    pub(super) fn find(&self, line: &[u8], groups: &mut Vec<Range<usize>>) -> bool {
        groups.resize(self.groups, 0..0);
        let mut at = 0;
        for piece in &self.pieces {
            let rest = line.get(at..).unwrap_or_default();
            match piece {
                Piece::Text(text) if rest.starts_with(text) => at += text.len(),
                Piece::Text(_) => return false,
                Piece::Choice(texts) => match texts.iter().find(|text| rest.starts_with(text)) {
                    Some(text) => at += text.len(),
                    None => return false,
                },
                Piece::Run { kind, min, max } => {
                    let is = |byte: &&u8| kind[usize::from(**byte)];
                    let count = rest.iter().take(*max).take_while(is).count();
                    if count < *min {
                        return false;
                    }
                    at += count;
                }
                Piece::Open(group) => {
                    if let Some(span) = groups.get_mut(*group) {
                        span.start = at;
                    }
                }
                Piece::Close(group) => {
                    if let Some(span) = groups.get_mut(*group) {
                        span.end = at;
                    }
                }
                Piece::End if rest.is_empty() => {}
                Piece::End => return false,
            }
        }
        true
    }
}

/// Appends the pieces of a part; `None` where it is something else.
fn take(part: &Hir, pieces: &mut Vec<Piece>) -> Option<()> {
    match part.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => pieces.push(Piece::Text(literal.0.clone())),
        HirKind::Class(class) => pieces.push(run(class, 1, Some(1))?),
        HirKind::Repetition(repeated) => {
            let HirKind::Class(class) = repeated.sub.kind() else {
                return None;
            };
            // One that takes as little as it can is another thing at the end.
            if !repeated.greedy {
                return None;
            }
            pieces.push(run(class, repeated.min, repeated.max)?);
        }
        HirKind::Capture(group) => {
            let index = group.index as usize;
            pieces.push(Piece::Open(index));
            take(&group.sub, pieces)?;
            pieces.push(Piece::Close(index));
        }
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| take(part, pieces))?,
        HirKind::Alternation(parts) => {
            let texts = parts.iter().map(|part| match part.kind() {
                HirKind::Literal(literal) => Some(literal.0.clone()),
                _ => None,
            });
            let texts: Vec<_> = texts.collect::<Option<_>>()?;
            let begins = |a: usize, b: usize| a != b && texts[a].starts_with(&texts[b]);
            let count = texts.len();
            if (0..count).any(|a| (0..count).any(|b| begins(a, b))) {
                return None;
            }
            pieces.push(Piece::Choice(texts));
        }
        HirKind::Look(Look::End) => pieces.push(Piece::End),
        HirKind::Look(_) => return None,
    }
    Some(())
}

fn run(class: &Class, min: u32, max: Option<u32>) -> Option<Piece> {
    let Class::Bytes(class) = class else {
        return None;
    };
    let mut kind = Box::new([false; 256]);
    for range in class.ranges() {
        for byte in range.start()..=range.end() {
            kind[usize::from(byte)] = true;
        }
    }
    Some(Piece::Run {
        kind,
        min: min as usize,
        max: max.map_or(usize::MAX, |max| max as usize),
    })
}

/// Whether there is one way only for this piece to match.
fn is_sure(pieces: &[Piece], at: usize) -> bool {
    let Some(Piece::Run { kind, min, max }) = pieces.get(at) else {
        return true;
    };
    let mut following = pieces.iter().skip(at + 1);
    let next = following.find(|piece| !matches!(piece, Piece::Open(_) | Piece::Close(_)));
    let begins: BTreeSet<u8> = match next {
        _ if min == max => return true,
        None | Some(Piece::End) => return true,
        Some(Piece::Text(text)) => text.first().copied().into_iter().collect(),
        Some(Piece::Choice(texts)) => {
            if texts.iter().any(|text| text.is_empty()) {
                return false;
            }
            texts.iter().filter_map(|t| t.first().copied()).collect()
        }
        Some(Piece::Run { min: 0, .. }) => return false,
        Some(Piece::Run { kind, .. }) => (0..=255).filter(|b| kind[usize::from(*b)]).collect(),
        Some(Piece::Open(_) | Piece::Close(_)) => return false,
    };
    begins.iter().all(|byte| !kind[usize::from(*byte)])
}

#[cfg(test)]
mod tests {
    use super::Sequence;
    use proptest::prelude::*;
    use regex::Regex;

    /// What both say of a line, if the pattern is a sequence.
    fn agree(pattern: &str, line: &str) -> bool {
        let Some(sequence) = Sequence::new(pattern) else {
            return false;
        };
        let regex = Regex::new(pattern).unwrap();
        let mut groups = Vec::new();
        let found = sequence.find(line.as_bytes(), &mut groups);
        let expected = regex.captures(line);
        assert_eq!(found, expected.is_some(), "{pattern} {line:?}");
        if let Some(expected) = expected {
            for (n, group) in expected.iter().enumerate().skip(1) {
                let group = group.map(|g| g.range());
                assert_eq!(groups.get(n).cloned(), group, "{pattern} {line:?} {n}");
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
            r"a=(\d+)",
            r"^(?<x>\S+)=(?<y>\d+)",
            r"^(?<x>.+) done",
            r"^a*b*c",
            r"^a(?:b)?c",
            r"^(?:a|ab)c",
            r"^\w+?",
            r"^a$|^b$",
            r"(?m)^a$",
            r"^\bx",
        ] {
            assert!(Sequence::new(pattern).is_none(), "{pattern}");
        }
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
        ])
        .prop_map(str::to_owned)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_sequence_says_what_the_pattern_says(
            pieces in prop::collection::vec(piece(), 0..6),
            lines in prop::collection::vec("[ab= 1\n]{0,12}", 1..8),
        ) {
            let pattern = format!("^{}", pieces.concat());
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
}
