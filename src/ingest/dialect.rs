//! The seam between framing and meaning: a dialect turns one frame (a line of text, or
//! one whole JSON value) into evidence records.
//!
//! The native JSON record is one dialect, a mapping another, a preset that needs state a
//! third. All report what they find to an [`Output`].

use std::ops::Range;

use super::compact::{Compact, Plain};
use crate::evidence::{Field, Record};

/// How a dialect wants its input cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// One line of text a frame, without its line end.
    Lines,
    /// One row of a table a frame: a line of text, or several where a cell that begins with a
    /// double quote goes on over a line end.
    Rows {
        /// The byte between two cells.
        delimiter: u8,
    },
    /// One JSON value a frame: a line of JSON Lines, an element of a top-level array, or
    /// a value printed over several lines. Anything that is not JSON arrives line by line.
    Json,
}

/// What is wrong with a frame or with one of its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// Broken JSON, broken UTF-8, a line beyond the bound: nothing of it can be used.
    Unreadable,
    /// A record that names no lock.
    NoLock,
    /// A record with neither an event nor a result.
    NoEvent,
    /// A field of the wrong type.
    WrongType,
    /// A token that is no unsigned 64-bit number.
    BadToken,
    /// A result outside the vocabulary, or one that does not belong to the event.
    UnknownResult,
    /// An event outside the vocabulary.
    UnknownEvent,
    /// A field given twice.
    Twice,
    /// A value that the mapping could not turn into the field.
    Unmapped,
}

/// One located problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What kind.
    pub kind: ProblemKind,
    /// The field, where it is about one.
    pub field: Option<Field>,
    /// The bytes of the frame that are wrong.
    pub span: Range<usize>,
    /// One sentence: what is wrong.
    pub message: String,
    /// One hint: what would be right.
    pub hint: String,
}

/// Where a dialect reports what a frame holds.
pub trait Output {
    /// A usable record, with the problems of those of its fields that are not usable.
    /// `offset` is where in the frame the record begins (0 where it is the whole frame).
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]);
    /// The same for a record without a problem that takes up the whole of `frame`; `record`
    /// says where in it the texts stand.
    #[doc(hidden)]
    fn compact(&mut self, record: Compact, frame: &str) {
        self.record(0, &record.record(frame.as_bytes(), ""), &[]);
    }
    /// Evidence was meant, and nothing of it can be used.
    fn reject(&mut self, problem: Problem);
    /// Something else that is wrong with what was just rejected.
    fn also(&mut self, _problem: Problem) {}
    /// Another line: no evidence, and no error.
    fn other(&mut self);
}

/// Turns frames into records.
pub trait Dialect {
    /// How the input is to be cut.
    fn framing(&self) -> Framing;
    /// Reads one frame and reports records, one reject, or that it is another line.
    fn read(&mut self, frame: &[u8], output: &mut dyn Output);
    /// The same for a frame that is known to be text.
    fn read_text(&mut self, frame: &str, output: &mut dyn Output) {
        self.read(frame.as_bytes(), output);
    }
    /// Takes a first look at the line that begins in `text` at `start`, and adds its record to
    /// `records`. `None` where a first look is not enough: [`Dialect::read_text`] decides then.
    #[doc(hidden)]
    fn plain(&mut self, _text: &str, _start: usize, _records: &mut Vec<Compact>) -> Option<Plain> {
        None
    }
    /// The input ended: reports what waited for more.
    fn finish(&mut self, _output: &mut dyn Output) {}
    /// A second dialect for another thread, which must read every frame just as this one does.
    /// That is possible only where no frame depends on those before it; lines are then read on
    /// all threads.
    ///
    /// `None`, the default, where frames must be seen in their order.
    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        None
    }
}
