//! Parts of a frame, and the values that stand in a text.

use std::ops::Range;

use memchr::memchr2;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::ingest::json::inside::lock_name_inside;

/// A part of a frame.
#[derive(Debug, Clone)]
pub(super) struct Piece<'t> {
    pub(super) text: &'t str,
    stands: Stands,
}

/// Where a part stands in the frame.
#[derive(Debug, Clone)]
enum Stands {
    /// As it is, from there on.
    At(usize),
    /// In its own way inside this: with escapes, or as bytes.
    Within(Range<usize>),
}

impl<'t> Piece<'t> {
    pub(super) fn at(text: &'t str, at: usize) -> Piece<'t> {
        let stands = Stands::At(at);
        Piece { text, stands }
    }

    pub(super) fn within(text: &'t str, range: Range<usize>) -> Piece<'t> {
        let stands = Stands::Within(range);
        Piece { text, stands }
    }

    /// A part of it.
    pub(super) fn part<'p>(&self, text: &'p str) -> Piece<'p> {
        match &self.stands {
            Stands::At(at) => Piece::at(text, at + self.start_of(text)),
            Stands::Within(range) => Piece::within(text, range.clone()),
        }
    }

    /// What is written in it, in its own way.
    pub(super) fn written<'p>(&self, text: &'p str) -> Piece<'p> {
        match &self.stands {
            Stands::At(at) => Piece::within(text, *at..at + self.text.len()),
            Stands::Within(range) => Piece::within(text, range.clone()),
        }
    }

    /// Where a part of its text ends in it.
    pub(super) fn end_of(&self, part: &str) -> usize {
        self.start_of(part) + part.len()
    }

    fn start_of(&self, part: &str) -> usize {
        (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize)
    }

    /// Where some bytes of it stand in the frame; all that it is written in, where each has no
    /// place of its own.
    pub(super) fn span(&self, span: &Range<usize>) -> Range<usize> {
        match &self.stands {
            Stands::At(at) => at + span.start..at + span.end,
            Stands::Within(range) => range.clone(),
        }
    }
}

/// The next bracket of a text that may begin a value, at `from` or behind it. One behind an
/// escape is that of a colour.
pub(super) fn next_bracket(text: &str, mut from: usize) -> Option<usize> {
    loop {
        let at = from + memchr2(b'{', b'[', text.as_bytes().get(from..)?)?;
        if !text.as_bytes().get(..at)?.ends_with(b"\x1b") {
            return Some(at);
        }
        from = at + 1;
    }
}

/// What a bracket of a text begins.
pub(super) enum Bracket<'t> {
    Nothing,
    /// Evidence that can't be read.
    Broken,
    /// A value; in quotes, the text that holds it, since it has escapes.
    Begins(&'t str),
}

/// What the bracket at `bracket` begins; all before `from` was read.
pub(super) fn first_value(text: &str, from: usize, bracket: usize) -> Bracket<'_> {
    let (before, candidate) = text.split_at(bracket);
    if let Some(value) = value_at(candidate) {
        return Bracket::Begins(value);
    }
    let quote = before.get(from..).and_then(|before| before.rfind('"'));
    let quoted = quote.and_then(|quote| {
        let value = value_at(text.get(from + quote..)?)?;
        (from + quote + value.len() > bracket).then_some(value)
    });
    if let Some(value) = quoted {
        return Bracket::Begins(value);
    }
    let inside = candidate.get(1..).unwrap_or_default().trim_start();
    let is_object = candidate.starts_with('{') && inside.starts_with(['"', '\\']);
    match is_object && lock_name_inside(candidate.as_bytes()).is_some() {
        true => Bracket::Broken,
        false => Bracket::Nothing,
    }
}

/// The JSON value that a text begins with.
fn value_at(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text);
    let value = <&RawValue>::deserialize(&mut values).ok()?;
    Some(value.get())
}
