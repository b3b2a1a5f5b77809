//! A piece of one line with its mark, escaped, and where in the file it stands: what a
//! diagnostic shows of its source.

use std::ops::Range;

use miette::{LabeledSpan, MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::escape::terminal;

/// A piece of one line that knows where in the file it stands.
#[derive(Debug)]
pub(crate) struct Excerpt {
    name: String,
    text: String,
    line: u64,
    column: u64,
    label: LabeledSpan,
}

impl Excerpt {
    /// A piece of the line and column of a file, both from 1. `mark` is the bytes of
    /// `text` that are pointed at, `label` what stands there; neither name nor text is
    /// escaped yet.
    pub(crate) fn new(
        name: &str,
        (line, column): (u64, u64),
        text: &str,
        mark: &Range<usize>,
        label: &str,
    ) -> Excerpt {
        let piece = |range| terminal(text.get(range).unwrap_or_default());
        let mut shown = piece(0..mark.start).into_owned();
        let start = shown.len();
        shown.push_str(&piece(mark.clone()));
        let length = shown.len() - start;
        shown.push_str(&piece(mark.end..text.len()));
        Excerpt {
            name: terminal(name).into_owned(),
            text: shown,
            line,
            column,
            label: LabeledSpan::new_with_span(Some(label.to_owned()), (start, length)),
        }
    }

    /// The mark, with what stands there.
    pub(crate) fn label(&self) -> &LabeledSpan {
        &self.label
    }
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        if span.offset() + span.len() > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        let zero_based = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).saturating_sub(1);
        // The place is asked for without context; the piece is one line in any case.
        let column = if before == 0 {
            zero_based(self.column)
        } else {
            0
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            self.text.as_bytes(),
            (0, self.text.len()).into(),
            zero_based(self.line),
            column,
            1,
        )))
    }
}
