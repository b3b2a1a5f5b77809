//! Lines of which nothing can be used: no UTF-8, no JSON, nested too deep.

use std::str::Utf8Error;

use serde_json::error::Category;

use crate::ingest::dialect::{Problem, ProblemKind};
use crate::ingest::scan;

/// Bytes that are no UTF-8.
pub(super) fn bad_utf8(frame: &[u8], error: &Utf8Error) -> Problem {
    let start = error.valid_up_to();
    let end = error
        .error_len()
        .map_or(frame.len(), |length| start + length);
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: start..end,
        message: "these bytes are no UTF-8".to_owned(),
        hint: "JSON is written in UTF-8: convert the file, or find what cut the character"
            .to_owned(),
    }
}

/// Text that is no JSON.
pub(super) fn bad_json(text: &str, error: &serde_json::Error) -> Problem {
    let line = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let at = (line + error.column().saturating_sub(1)).min(text.len());
    let at = floor_char(text, at);
    let full = error.to_string();
    let reason = full
        .rsplit_once(" at line ")
        .map_or(full.as_str(), |(reason, _)| reason);
    let (span, hint) = if error.classify() == Category::Eof {
        let end = text.trim_end().len();
        let last = text
            .trim_end()
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
        (
            end - last..end,
            "the record ends too early: was the line cut off?",
        )
    } else {
        let length = text.get(at..).and_then(|rest| rest.chars().next());
        (
            at..at + length.map_or(0, char::len_utf8),
            syntax_hint(reason),
        )
    };
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span,
        message: format!(
            "broken JSON: {}",
            reason.replace("EOF while parsing", "it ends inside")
        ),
        hint: hint.to_owned(),
    }
}

fn syntax_hint(reason: &str) -> &'static str {
    if reason.starts_with("control character") {
        "a line end or control inside a text is written as an escape, such as \\n"
    } else if reason.starts_with("trailing characters") {
        "one record is one object; what stands behind it does not belong to it"
    } else if reason.contains("surrogate") || reason.contains("hex escape") {
        "an escape such as \\ud83d needs its second half, \\ude00"
    } else if reason.starts_with("key must be a string") || reason.starts_with("trailing comma") {
        "names are written in double quotes, and no comma stands before a closing bracket"
    } else if reason.starts_with("number out of range") || reason.starts_with("invalid number") {
        "a number is written without leading zeros, plus sign or bare point"
    } else if reason.starts_with("recursion limit") {
        "evidence fields stand at the top of the record"
    } else {
        "one record is one JSON object with quoted names"
    }
}

/// Brackets inside brackets beyond the bound.
pub(super) fn too_deep(text: &str) -> Problem {
    let at = scan::too_deep(text.as_bytes(), 0).unwrap_or(0);
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: at..at + 1,
        message: format!("nested deeper than {} levels", scan::MAX_DEPTH),
        hint: "evidence fields stand at the top of the record".to_owned(),
    }
}

/// The last place no later than `at` where a character begins.
fn floor_char(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}
