//! Places: from the bytes of a frame to a line, a column and the text around.

use std::borrow::Cow;
use std::ops::Range;

use super::dialect::Problem;
use super::frames::Start;
use super::sink::Located;

/// Bytes of context kept on each side of what is wrong.
const CONTEXT: usize = 90;
/// Bytes between the places of a frame that are remembered.
const STEP: usize = 1024;
/// Bytes of a character at most.
const CHARACTER: usize = 4;

/// The places in a frame, of which very many may be asked: it is gone through once.
pub(super) struct Passage<'f> {
    frame: &'f [u8],
    start: Start,
    /// The place behind each [`STEP`], as far as any was asked.
    marks: Vec<Start>,
}

impl<'f> Passage<'f> {
    pub(super) fn new(start: Start, frame: &'f [u8]) -> Passage<'f> {
        Passage {
            frame,
            start,
            marks: Vec::new(),
        }
    }

    /// The place of a byte.
    pub(super) fn place(&mut self, at: usize) -> Start {
        let at = at.min(self.frame.len());
        let steps = at / STEP;
        while self.marks.len() < steps {
            let from = self.marks.len() * STEP;
            let before = self.marks.last().copied().unwrap_or(self.start);
            let passed = self.frame.get(from..from + STEP).unwrap_or_default();
            self.marks.push(before.after(passed));
        }
        let mark = steps.checked_sub(1).and_then(|step| self.marks.get(step));
        let rest = self.frame.get(steps * STEP..at).unwrap_or_default();
        mark.copied().unwrap_or(self.start).after(rest)
    }

    /// Finds the line and column of a problem, and cuts out the text around it.
    pub(super) fn locate(&mut self, problem: Problem) -> Located {
        let place = self.place(problem.span.start);
        excerpt(self.frame, place, problem)
    }
}

/// Finds the line and column of the one problem of a frame.
pub(super) fn locate(start: Start, frame: &[u8], problem: Problem) -> Located {
    Passage::new(start, frame).locate(problem)
}

/// Cuts out the text around a problem, of which no more of the line is looked at: it may be
/// long, and hold many.
fn excerpt(frame: &[u8], place: Start, problem: Problem) -> Located {
    let from = problem.span.start.min(frame.len());
    let near = from.saturating_sub(CONTEXT + CHARACTER);
    let far = frame.len().min(from + 2 * CONTEXT + CHARACTER);
    let before = frame.get(near..from).unwrap_or_default();
    let after = frame.get(from..far).unwrap_or_default();
    let line_start = memchr::memrchr(b'\n', before).map_or(near, |n| near + n + 1);
    let line_end = memchr::memchr(b'\n', after).map_or(far, |n| from + n);
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

#[cfg(test)]
mod tests {
    use super::super::dialect::{Problem, ProblemKind};
    use super::super::frames::Start;
    use super::{Passage, locate};

    fn problem(start: usize, end: usize) -> Problem {
        Problem {
            kind: ProblemKind::Unreadable,
            field: None,
            span: start..end,
            message: String::new(),
            hint: String::new(),
        }
    }

    /// In whatever order, each is where it would be alone.
    #[test]
    fn many_in_one_frame_are_where_each_is_alone() {
        let frame = "é\n1234 ü5\n\n678é".repeat(200);
        let start = Start { line: 7, column: 3 };
        let mut passage = Passage::new(start, frame.as_bytes());
        let len = frame.len();
        for at in (0..len).step_by(97).chain((0..=len + 1).rev()) {
            let alone = start.after(&frame.as_bytes()[..at.min(len)]);
            assert_eq!(passage.place(at), alone, "{at}");
        }
    }

    #[test]
    fn of_a_long_line_the_text_around_is_shown() {
        let (before, after) = ("ü".repeat(500), "é".repeat(500));
        let frame = format!("x\n{before}BAD{after}\ny");
        let from = 2 + before.len();
        let located = locate(Start::ORIGIN, frame.as_bytes(), problem(from, from + 3));
        assert_eq!((located.line, located.column), (2, 501));
        let (before, after) = ("ü".repeat(45), "é".repeat(45));
        assert_eq!(located.excerpt, format!("…{before}BAD{after}…"));
        assert_eq!(&located.excerpt[located.mark], "BAD");
        let short = format!("x\n{before}BAD{after}\ny");
        let located = locate(Start::ORIGIN, short.as_bytes(), problem(92, 95));
        assert_eq!(located.excerpt, format!("{before}BAD{after}"));
    }
}
