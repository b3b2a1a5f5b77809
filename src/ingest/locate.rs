//! Places: from the bytes of a frame to a line, a column and the text around.

use std::borrow::Cow;
use std::ops::Range;

use super::dialect::Problem;
use super::frames::Start;
use super::sink::Located;

/// Bytes of context kept on each side of what is wrong.
const CONTEXT: usize = 90;

/// Finds the line and column of a problem, and cuts out the text around it.
pub(super) fn locate(start: Start, frame: &[u8], problem: Problem) -> Located {
    let from = problem.span.start.min(frame.len());
    let (before, after) = frame.split_at(from);
    let place = start.after(before);
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |n| n + 1);
    let line_end = memchr::memchr(b'\n', after).map_or(frame.len(), |n| from + n);
    let to = problem.span.end.clamp(from, line_end);
    let first = boundary(frame, from.saturating_sub(CONTEXT).max(line_start));
    let mark_end = if to > from + CONTEXT {
        boundary(frame, from + CONTEXT)
    } else {
        to
    };
    let last = boundary(frame, line_end.min(mark_end + CONTEXT));
    let text = |range: Range<usize>| -> Cow<'_, str> {
        String::from_utf8_lossy(frame.get(range).unwrap_or_default())
    };
    let mut excerpt = String::new();
    if first > line_start {
        excerpt.push('…');
    }
    excerpt.push_str(&text(first..from));
    let mark_from = excerpt.len();
    excerpt.push_str(&text(from..mark_end.max(from)));
    let mark_to = excerpt.len();
    excerpt.push_str(&text(mark_end.max(from)..last.max(from)));
    if last < line_end {
        excerpt.push('…');
    }
    excerpt.truncate(excerpt.trim_end_matches('\r').len().max(mark_to));
    Located {
        line: place.line,
        column: place.column + 1,
        excerpt,
        mark: mark_from..mark_to,
        problem,
    }
}

/// The nearest place at or before `at` where a character may begin.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let floor = at.saturating_sub(3);
    (floor..=at)
        .rev()
        .find(|&at| bytes.get(at).is_none_or(|b| b & 0xc0 != 0x80))
        .unwrap_or(at)
}
