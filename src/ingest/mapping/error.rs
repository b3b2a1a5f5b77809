//! What is wrong with a mapping, and where.

use std::fmt;
use std::ops::Range;

use crate::near::nearest;

/// One fault of a mapping file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct MappingError {
    /// The file, or the option that the mapping came from.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// Where in the text of the mapping.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What would be right; may be empty.
    pub hint: String,
}

impl fmt::Display for MappingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MappingError {
            file,
            line,
            column,
            message,
            hint,
            ..
        } = self;
        write!(f, "{file}:{line}:{column}: {message}")?;
        if !hint.is_empty() {
            write!(f, " ({hint})")?;
        }
        Ok(())
    }
}

/// Line and column of a byte offset, each from 1.
pub(crate) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let line = before.matches('\n').count() + 1;
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    (line, before[start..].chars().count() + 1)
}

/// A hint that names the nearest of the right words, or all of them.
pub(crate) fn nearest_hint<'w>(
    wrong: &str,
    right: impl Iterator<Item = &'w str> + Clone,
) -> String {
    near_or_all(nearest(wrong, right.clone()), right)
}

/// The same where the nearest word is known.
pub(super) fn near_or_all<'w>(near: Option<&str>, right: impl Iterator<Item = &'w str>) -> String {
    match near {
        Some(word) => format!("did you mean `{word}`?"),
        None => {
            let mut all: Vec<&str> = Vec::new();
            for word in right {
                // A word of an answer may be one of its synonyms, too.
                if !all.contains(&word) {
                    all.push(word);
                }
            }
            format!("known here: {}", all.join(", "))
        }
    }
}
