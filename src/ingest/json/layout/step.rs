//! One step along a line: a name, and how the value behind it is read.

use crate::evidence::{Answer, Event, Field, Origin};
use crate::ingest::plain::text_end;

/// A power of two, so that no row can be out of range.
pub(super) const ROWS: usize = 32;
/// The row of every field that is none of ours.
pub(super) const OTHER: u8 = Field::ALL.len() as u8;

/// A value that comes next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Its field, by number.
    pub(super) row: u8,
    pub(super) way: Way,
    /// It is a word, where only some are known, and it is none of these.
    pub(super) is_foreign: bool,
}

/// How a value is read.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) enum Way {
    /// A text, of which the first quote is read.
    Text,
    /// The same, and it is a number.
    QuotedNumber,
    /// A number.
    Number,
    /// A number whose digits stand for themselves.
    Digits,
    /// It was read with the name: `null`, a truth value, a known word.
    #[default]
    Known,
}

/// What is known of a value before it is read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Told {
    Nothing,
    Null,
    Event(Event),
    SeqBy(Origin),
    Result(Word),
}

/// A word of the vocabulary.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    bytes: [u8; 31],
    len: u8,
}

impl Word {
    /// Longer than this is no word.
    fn new(word: &str) -> Option<Word> {
        let mut bytes = [0; 31];
        bytes
            .get_mut(..word.len())?
            .copy_from_slice(word.as_bytes());
        let len = word.len() as u8;
        Some(Word { bytes, len })
    }

    pub(super) fn text(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.len));
        std::str::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
    }
}

impl Default for Step {
    fn default() -> Step {
        Step {
            row: OTHER,
            way: Way::Known,
            is_foreign: false,
        }
    }
}

impl Step {
    /// The row of the value.
    #[inline]
    pub(super) fn row(self) -> usize {
        usize::from(self.row) % ROWS
    }

    /// Whether digits come next.
    pub(super) fn is_bare_number(self) -> bool {
        matches!(self.way, Way::Number | Way::Digits)
    }

    /// Reads a name and what stands around it: how many bytes these are, and what is known
    /// of the value. `None` if that is in doubt.
    pub(super) fn ahead(text: &str, is_first: bool) -> Option<(usize, Step, Told)> {
        let mut ahead = Ahead { text, at: 0 };
        ahead.take(if is_first { "{" } else { "," })?;
        ahead.spaces();
        ahead.take("\"")?;
        let field = Field::from_name(ahead.text()?);
        ahead.spaces();
        ahead.take(":")?;
        ahead.spaces();
        let mut step = Step {
            row: field.map_or(OTHER, |field| field as u8),
            ..Step::default()
        };
        let mut told = Told::Nothing;
        match (ahead.first()?, field) {
            (b'n', _) => {
                ahead.take("null")?;
                told = Told::Null;
            }
            (b't' | b'f', None | Some(Field::Ts)) => {
                ahead.take("true").or_else(|| ahead.take("false"))?;
            }
            (b'"', Some(Field::ActiveLease)) => return None,
            (b'"', Some(field)) if field.is_number() => step.way = Way::QuotedNumber,
            (b'"', Some(field @ (Field::Event | Field::SeqBy | Field::Result))) => {
                let begin = ahead.at;
                ahead.take("\"")?;
                match known(field, ahead.text()?) {
                    Some(word) => told = word,
                    None => {
                        ahead.at = begin;
                        step.way = Way::Text;
                        step.is_foreign = true;
                    }
                }
            }
            (b'"', _) => step.way = Way::Text,
            (b'0'..=b'9', Some(Field::LeaseId | Field::ActiveLeaseId)) => step.way = Way::Digits,
            (b'0'..=b'9', None | Some(Field::Ts)) => step.way = Way::Number,
            (b'0'..=b'9', Some(field)) if field.is_number() => step.way = Way::Number,
            _ => return None,
        }
        if matches!(step.way, Way::Text | Way::QuotedNumber) {
            ahead.take("\"")?;
        }
        Some((ahead.at, step, told))
    }
}

/// What a word means in its field, where it means anything.
fn known(field: Field, word: &str) -> Option<Told> {
    match field {
        Field::Event => Event::from_word(word).ok().map(Told::Event),
        Field::SeqBy => Origin::from_word(word).map(Told::SeqBy),
        _ => Word::new(word)
            .filter(|_| Answer::is_word(word))
            .map(Told::Result),
    }
}

/// What is left of a line, read up to some place. Every step gives `None` where something
/// else stands there.
struct Ahead<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Ahead<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn first(&self) -> Option<u8> {
        self.rest().first().copied()
    }

    fn take(&mut self, text: &str) -> Option<()> {
        let found = self.rest().starts_with(text.as_bytes());
        found.then(|| self.at += text.len())
    }

    fn spaces(&mut self) {
        let spaces = self.rest().iter().take_while(|byte| **byte == b' ');
        self.at += spaces.count();
    }

    /// A text, behind its first quote.
    fn text(&mut self) -> Option<&'a str> {
        let begin = self.at;
        let end = text_end(self.text.as_bytes(), begin)?;
        self.at = end + 1;
        self.text.get(begin..end)
    }
}
