//! The words between values as a pattern: what differs from line to line is left open.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::anchors::Anchor;
use crate::escape;

/// Names that are looked for in other sentences.
const MAX_KNOWN: usize = 256;

/// Values that stand in the places of owners, leases, keys and operations in any line.
pub(super) struct Known(HashSet<String>);

impl Known {
    pub(super) fn of(lines: &[(&String, Vec<Anchor>)]) -> Known {
        let mut known = HashSet::new();
        for (line, anchors) in lines {
            let names = anchors.iter().filter(|anchor| !anchor.is_number());
            for name in names.filter_map(|anchor| line.get(anchor.span.clone())) {
                // One letter is a word of any sentence, and so is one without marks.
                let is_name = name.contains(|c: char| !c.is_alphabetic());
                if is_name && known.len() < MAX_KNOWN {
                    known.insert(name.to_owned());
                }
            }
        }
        Known(known)
    }
}

/// Adds words to a pattern, and says how many letters of it must be the same in other lines.
/// Names that are known, and words with digits in them, may be others there. What a terminal
/// would obey, or nobody would see, is written as a number.
pub(super) fn literal(pattern: &mut String, text: &str, known: &Known) -> usize {
    let mut fixed = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let name = run(rest, |c| c.is_alphanumeric() || "_-./:@#+".contains(c));
        let name = name.trim_end_matches(['-', '.', '/', ':', '@', '#', '+']);
        if !name.is_empty() && known.0.contains(name) {
            pattern.push_str(r"[\w./:@#+=-]*\w");
            rest = rest.get(name.len()..).unwrap_or_default();
            continue;
        }
        let word = run(rest, |c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
        let word = word.trim_end_matches('-');
        if word.is_empty() {
            fixed += 1;
            character(pattern, c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        }
        fixed += open_word(pattern, word);
        rest = rest.get(word.len()..).unwrap_or_default();
    }
    fixed
}

fn run(text: &str, fits: impl Fn(char) -> bool) -> &str {
    let end = text.find(|c| !fits(c)).unwrap_or(text.len());
    text.get(..end).unwrap_or_default()
}

/// A word: a number may be another one, and so may what letters and digits make.
fn open_word(pattern: &mut String, word: &str) -> usize {
    let digits = run(word, |c| c.is_ascii_digit());
    let rest = word.get(digits.len()..).unwrap_or_default();
    let is_unit = rest.len() <= 2 && rest.bytes().all(|b| b.is_ascii_alphabetic());
    if !digits.is_empty() && is_unit {
        let _ = write!(pattern, r"\d+{rest}");
        return rest.len();
    }
    if word.contains(|c: char| c.is_ascii_digit()) {
        pattern.push_str(r"[\w-]+");
        return 0;
    }
    pattern.push_str(&regex::escape(word));
    word.len()
}

fn character(pattern: &mut String, c: char) {
    let mut room = [0; 4];
    let text: &str = c.encode_utf8(&mut room);
    if c.is_control() || escape::terminal(text) != text {
        let _ = write!(pattern, r"\x{{{:x}}}", u32::from(c));
    } else {
        pattern.push_str(&regex::escape(text));
    }
}
