//! The faster pass over a record, for lines that look like the ones before.
//!
//! It knows one object with plain values: texts without escapes, integers, `null`. Names
//! are found by predicting which one follows which; any order of fields is learned from the
//! lines themselves, and every field may be missing. Whatever it does not know for sure (an escape, a field given twice, another
//! number, a list or an object, anything broken) it does not read at all: the line then
//! goes to the JSON parser, which alone says what is wrong. So what comes out here is what
//! [`Fields::parse`] would give, and tests hold the two together.

use std::borrow::Cow;

use super::fields::{Fields, is_number};
use crate::evidence::token::parse_token;
use crate::evidence::{Event, Field, Origin};
use crate::ingest::plain::{padded, quote, words};

/// Names that may follow one name.
const GUESSES: usize = 3;
/// Longer names, with what stands around them, are not predicted.
const LONGEST: usize = 32;

/// What lines have looked like so far. It makes reading faster and changes no result.
#[derive(Debug)]
pub(super) struct Layout {
    /// By the field before: the guesses, the likeliest first. The last two rows are for
    /// the begin of a line and for what follows other fields.
    after: [[Guess; GUESSES]; ROWS],
}

const ROWS: usize = Field::ALL.len() + 2;
const BEGIN: usize = Field::ALL.len();
const OTHER: usize = Field::ALL.len() + 1;

/// All that stands between two values: a comma (or the bracket before the first one), a
/// name, a colon, and the spaces around them.
#[derive(Debug, Clone, Copy)]
struct Guess {
    text: [u64; LONGEST / 8],
    /// The bytes of it that count.
    mask: [u64; LONGEST / 8],
    len: usize,
    field: Option<Field>,
}

impl Guess {
    /// Fits nothing: no text has such bytes.
    const NONE: Guess = Guess {
        text: [u64::MAX; LONGEST / 8],
        mask: [u64::MAX; LONGEST / 8],
        len: 0,
        field: None,
    };

    fn new(text: &[u8], field: Option<Field>) -> Option<Guess> {
        let mut mask = [0; LONGEST];
        mask.get_mut(..text.len())?.fill(0xff);
        Some(Guess {
            text: words(&padded(text)),
            mask: words(&mask),
            len: text.len(),
            field,
        })
    }

    #[inline]
    fn fits(&self, ahead: &[u64; LONGEST / 8]) -> bool {
        let mut differ = 0;
        for ((text, mask), ahead) in self.text.iter().zip(&self.mask).zip(ahead) {
            differ |= (text ^ ahead) & mask;
        }
        differ == 0
    }
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            after: [[Guess::NONE; GUESSES]; ROWS],
        }
    }
}

impl Layout {
    /// Reads a line into `fields`, which hold nothing. `None` if it is in doubt; what the
    /// fields hold then is of no use.
    pub(super) fn scan<'a>(&mut self, text: &'a str, fields: &mut Fields<'a>) -> Option<()> {
        if !text.starts_with('{') || !is_plain(text.as_bytes()) {
            return None;
        }
        let mut line = Line { text, at: 0 };
        let mut row = BEGIN;
        let mut seen = 0u32;
        while line.peek()? != b'}' {
            let guessed = self.guess(&mut line, row);
            let field = match guessed {
                Some(field) => field,
                None => {
                    line.space();
                    if line.peek()? == b'}' {
                        break;
                    }
                    self.name(&mut line, row)?
                }
            };
            line.space();
            match field {
                None => {
                    line.skip()?;
                    row = OTHER;
                }
                Some(field) => {
                    row = field as usize;
                    let bit = 1 << row;
                    if seen & bit != 0 {
                        return None;
                    }
                    seen |= bit;
                    set(fields, field, &mut line)?;
                }
            }
        }
        line.at += 1;
        line.space();
        (line.at == text.len()).then_some(())
    }

    /// The next name, if it is one that followed before.
    #[inline]
    fn guess(&mut self, line: &mut Line<'_>, row: usize) -> Option<Option<Field>> {
        let rest = line.rest();
        let ahead = words(&match rest.first_chunk() {
            Some(bytes) => *bytes,
            None => padded(rest),
        });
        let guesses = self.after.get_mut(row)?;
        let n = guesses.iter().position(|guess| guess.fits(&ahead))?;
        let Guess { len, field, .. } = guesses[n];
        line.at += len;
        if n > 0 {
            guesses.swap(n, n - 1);
        }
        Some(field)
    }

    /// The next name, which is learned.
    #[cold]
    fn name(&mut self, line: &mut Line<'_>, row: usize) -> Option<Option<Field>> {
        let begin = line.at;
        line.take(if row == BEGIN { b'{' } else { b',' })?;
        line.space();
        let field = Field::from_name(line.string()?);
        line.space();
        line.take(b':')?;
        line.space();
        let text = line.text.as_bytes().get(begin..line.at)?;
        if let (Some(guess), Some(guesses)) = (Guess::new(text, field), self.after.get_mut(row)) {
            guesses[GUESSES - 1] = guess;
        }
        Some(field)
    }
}

/// Whether no byte is part of an escape or a control character that no text may hold.
/// White space between the parts of a line may be there all the same: a text that holds
/// some is doubted for that alone.
fn is_plain(line: &[u8]) -> bool {
    let doubtful = |b: u8| u8::from(b == b'\\') | u8::from(b < b' ');
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Some(last) = line.last_chunk::<32>() else {
        return line.iter().all(|&b| doubtful(b) == 0);
    };
    // Columns of bytes, so that a vector unit can take all at once; the last ones may be
    // looked at twice.
    let look = |mut found: [u8; 32], chunk: &[u8; 32]| {
        for (found, b) in found.iter_mut().zip(chunk) {
            *found |= doubtful(*b);
        }
        found
    };
    let found = line.as_chunks::<32>().0.iter().fold([0; 32], look);
    look(found, last) == [0; 32]
}

/// Puts a value into its place, as [`Fields::parse`] would.
fn set<'a>(fields: &mut Fields<'a>, field: Field, line: &mut Line<'a>) -> Option<()> {
    if line.peek()? == b'n' {
        line.word("null")?;
        if matches!(
            field,
            Field::ActiveLease
                | Field::ActiveOwnerId
                | Field::ActiveLeaseId
                | Field::ActiveFenceToken
        ) {
            fields.null.insert(field);
        }
        return Some(());
    }
    if is_number(field) {
        let number = match line.peek()? {
            b'"' => parse_token(line.string()?).ok()?,
            _ => line.integer()?.1,
        };
        let slot = match field {
            Field::FenceToken => &mut fields.token,
            Field::ResourceHighestTokenBefore => &mut fields.before,
            Field::ResourceHighestTokenAfter => &mut fields.after,
            Field::Seq => &mut fields.seq,
            Field::ActiveFenceToken => &mut fields.active_token,
            _ => return None,
        };
        *slot = Some(number);
        fields.present.insert(field);
        return Some(());
    }
    let handle = matches!(field, Field::LeaseId | Field::ActiveLeaseId);
    let text = match line.peek()? {
        b'"' => line.string()?,
        // The digits stand for themselves.
        b'0'..=b'9' if handle => line.integer()?.0,
        _ if field == Field::Ts => return line.skip(),
        _ => return None,
    };
    if field == Field::Ts {
        return Some(());
    }
    if text.is_empty() {
        return None;
    }
    let value = Some(Cow::Borrowed(text));
    match field {
        Field::LockName => fields.lock = value,
        Field::OwnerId => fields.owner = value,
        Field::LeaseId => fields.lease = value,
        Field::Result => fields.result = value,
        Field::Event => fields.event = Some(Event::from_word(text).ok()?),
        Field::SeqBy => fields.seq_by = Some(origin(text)?),
        Field::ResourceKey => fields.key = value,
        Field::OperationId => fields.operation = value,
        Field::ActiveOwnerId => fields.active_owner = value,
        Field::ActiveLeaseId => fields.active_lease = value,
        _ => return None,
    }
    fields.present.insert(field);
    Some(())
}

/// The common spelling first.
fn origin(word: &str) -> Option<Origin> {
    match word {
        "resource" => Some(Origin::Resource),
        "authority" => Some(Origin::Authority),
        _ => Origin::from_word(word),
    }
}

/// A line, read up to some place. Every step gives `None` where it is not sure.
struct Line<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Line<'a> {
    #[inline]
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    #[inline]
    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &str) -> Option<()> {
        self.rest().starts_with(word.as_bytes()).then(|| {
            self.at += word.len();
        })?;
        self.ends()
    }

    /// What follows a number or a word can't be part of it.
    fn ends(&self) -> Option<()> {
        matches!(self.peek()?, b',' | b'}' | b' ').then_some(())
    }

    /// A text; the line is known to have no escapes.
    #[inline]
    fn string(&mut self) -> Option<&'a str> {
        self.take(b'"')?;
        let begin = self.at;
        let end = begin + quote(self.rest())?;
        self.at = end + 1;
        self.text.get(begin..end)
    }

    /// An integer of at most 19 digits, which any 64 bits can hold.
    fn integer(&mut self) -> Option<(&'a str, u64)> {
        let begin = self.at;
        let mut number = 0u64;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number
                .wrapping_mul(10)
                .wrapping_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        self.ends()?;
        let digits = self.text.get(begin..self.at)?;
        let plain =
            matches!(digits.len(), 1..=19) && (digits.len() == 1 || !digits.starts_with('0'));
        plain.then_some((digits, number))
    }

    /// The value of a field that is none of ours.
    fn skip(&mut self) -> Option<()> {
        match self.peek()? {
            b'"' => self.string().map(drop),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            _ => self.integer().map(drop),
        }
    }
}

#[cfg(test)]
mod tests;
