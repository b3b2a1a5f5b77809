//! One finding, and the piece of the line that it points at.

use std::ops::Range;

use super::code::{Code, Severity};
use crate::evidence::{Event, Field};

/// Bytes of context kept on each side of what is pointed at.
const CONTEXT: usize = 90;
/// Names and values are quoted up to this many characters.
const QUOTED: usize = 60;

/// Where a finding stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Where {
    /// In an input, by its index.
    Input {
        /// Index of the input.
        source: u32,
        /// The line, from 1.
        line: u64,
    },
    /// In a file of the user's, by its path: the configuration or the baseline.
    File {
        /// The path, as the user named it.
        path: String,
        /// The line, from 1.
        line: u64,
    },
}

/// A piece of one line, with what is pointed at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Spot {
    /// The character on the line, from 1; 0 where only the line is known.
    pub column: u64,
    /// The text around it, not escaped.
    pub excerpt: String,
    /// The bytes of the excerpt that are pointed at.
    pub mark: Range<usize>,
    /// What stands at the mark.
    pub label: &'static str,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The code.
    pub code: Code,
    /// How much it matters here.
    pub severity: Severity,
    /// Where it stands; the first place where `occurrences` is more than 1.
    pub place: Where,
    /// The piece of the line.
    pub spot: Spot,
    /// The lock, where it is about one.
    pub lock_name: Option<String>,
    /// The step of the record.
    pub event: Option<Event>,
    /// The field, where it is about one.
    pub field: Option<Field>,
    /// One sentence: what is wrong. Holds text from the log, not escaped.
    pub message: String,
    /// One hint: what would be right.
    pub hint: String,
    /// How many records it concerns, at least 1.
    pub occurrences: u64,
    /// Whether it stands for all such records of its lock.
    pub folded: bool,
    /// Stable under added and moved lines; unique in a run.
    pub fingerprint: String,
}

impl Spot {
    /// The piece of `frame` around `span`, and on which line of the frame it stands (from
    /// 0).
    pub fn of(frame: &[u8], span: Range<usize>, label: &'static str) -> (Spot, u64) {
        let from = span.start.min(frame.len());
        let (before, after) = frame.split_at(from);
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        let line_end = memchr::memchr(b'\n', after).map_or(frame.len(), |at| from + at);
        let to = span.end.clamp(from, line_end).min(from + CONTEXT);
        let first = boundary(frame, from.saturating_sub(CONTEXT).max(line_start));
        let to = boundary(frame, to).max(from);
        let last = boundary(frame, line_end.min(to + CONTEXT)).max(to);
        let text = |range: Range<usize>| String::from_utf8_lossy(&frame[range]).into_owned();
        let mut excerpt = String::new();
        if first > line_start {
            excerpt.push('…');
        }
        excerpt.push_str(&text(first..from));
        let mark = excerpt.len();
        excerpt.push_str(&text(from..to));
        let mark = mark..excerpt.len();
        excerpt.push_str(&text(to..last));
        if last < line_end {
            excerpt.push('…');
        }
        excerpt.truncate(excerpt.trim_end_matches('\r').len().max(mark.end));
        let column = text(line_start..from).chars().count() as u64 + 1;
        let line = memchr::memchr_iter(b'\n', before).count() as u64;
        let spot = Spot {
            column,
            excerpt,
            mark,
            label,
        };
        (spot, line)
    }
}

/// The nearest place at or before `at` where a character may begin.
fn boundary(bytes: &[u8], at: usize) -> usize {
    (at.saturating_sub(3)..=at)
        .rev()
        .find(|at| bytes.get(*at).is_none_or(|byte| byte & 0xc0 != 0x80))
        .unwrap_or(at)
}

/// A name or value from the log in a message, cut where it is long.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((at, _)) => format!("`{}…`", &text[..at]),
        None => format!("`{text}`"),
    }
}

/// The fingerprint of what a finding is about. The parts are hashed with their lengths,
/// so no two of them run together; lines and columns are not among them.
pub fn fingerprint(parts: &[&str], repetition: u64) -> String {
    // FNV-1a, 64 bits: published, tiny, and the same on every machine and in every
    // release.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut mix = |bytes: &[u8]| {
        for byte in bytes {
            hash ^= u64::from(*byte);
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    for part in parts {
        mix(&(part.len() as u64).to_le_bytes());
        mix(part.as_bytes());
    }
    mix(&repetition.to_le_bytes());
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::{Spot, fingerprint, quoted};

    #[test]
    fn a_spot_points_into_its_line() {
        let (spot, line) = Spot::of("{\n \"ä\": 1}\r\n".as_bytes(), 9..10, "here");
        assert_eq!((line, spot.column), (1, 7));
        assert_eq!(&spot.excerpt[spot.mark.clone()], "1");
        assert_eq!(spot.excerpt, " \"ä\": 1}");
        let long = format!("{}X{}", "é".repeat(500), "ü".repeat(500));
        let at = long.find('X').unwrap();
        let (spot, _) = Spot::of(long.as_bytes(), at..at + 1, "here");
        assert_eq!(&spot.excerpt[spot.mark.clone()], "X");
        assert_eq!(spot.column, 501);
        assert!(spot.excerpt.starts_with('…') && spot.excerpt.ends_with('…'));
        let (spot, _) = Spot::of(b"", 5..9, "here");
        assert_eq!(spot.excerpt, "");
        let (spot, _) = Spot::of(b"\xff\xfe{", 1..2, "here");
        assert!(spot.mark.end <= spot.excerpt.len());
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(fingerprint(&["ab", "c"], 0), fingerprint(&["a", "bc"], 0));
        assert_ne!(fingerprint(&["a"], 0), fingerprint(&["a"], 1));
        assert_eq!(quoted(&"x".repeat(80)).chars().count(), 63);
    }
}
