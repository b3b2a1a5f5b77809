//! The faster pass over a record, for lines that look like the ones before.
//!
//! It knows one object with plain values: texts without escapes, integers, `null`. All that
//! stands between two values is found by predicting which name follows which; any order of
//! fields is learned from the lines themselves, and every field may be missing. Whatever it
//! does not know for sure (an escape, a field given twice, another number, a list or an
//! object, anything broken) it does not read at all: the line then goes to the JSON parser,
//! which alone says what is wrong. So what comes out here is what the parser would give, and
//! tests hold the two together.

use std::ops::Range;

use super::fields::{ACTIVE, EVIDENCE, FieldSet, is_number};
use super::verdict::{Given, decide};
use crate::evidence::token::parse_token;
use crate::evidence::{Event, Field, Origin};
use crate::ingest::compact::{self, Compact, Plain, Span};
use crate::ingest::plain::{integer, padded, quote};

/// Longer names, with what stands around them, are not predicted.
const LONGEST: usize = 48;
/// How many names are known, with what stands around them; the first fits nothing.
const KNOWN: usize = 64;
/// How many of them may follow one name.
const FOLLOWERS: usize = 16;
/// So many bytes are compared at once; most names are no longer.
const AT_ONCE: usize = 16;

/// A field, by its number; or one of the two that follow.
type Row = usize;
/// The begin of a line.
const BEGIN: Row = Field::ALL.len();
/// Every field that is none of ours.
const OTHER: Row = Field::ALL.len() + 1;
/// A power of two, so that no row can be out of range.
const ROWS: usize = 32;

/// What lines have looked like so far. It makes reading faster and changes no result.
#[derive(Debug)]
pub(super) struct Layout {
    known: [Guess; KNOWN],
    count: usize,
    /// By what stands before: what may follow, the likeliest first.
    after: [[Follower; FOLLOWERS]; ROWS],
    /// The values of the line; where it has none, what is left of a line before.
    texts: [Span; ROWS],
    numbers: [u64; ROWS],
}

/// All that stands between two values: a comma (or the bracket before the first one), a
/// name, a colon, the spaces around them, and what the value begins with.
#[derive(Debug, Clone, Copy)]
struct Guess {
    text: [u128; LONGEST / AT_ONCE],
    /// The bytes of it that count.
    mask: [u128; LONGEST / AT_ONCE],
    len: usize,
    next: Next,
}

/// A guess of what follows.
#[derive(Debug, Clone, Copy, Default)]
struct Follower {
    /// Its number among the known ones; 0 is none.
    known: u8,
    /// How often it was right, lately.
    right: u32,
}

/// The value that follows.
#[derive(Debug, Clone, Copy)]
struct Next {
    row: u8,
    way: Way,
}

/// How a value is read.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// A text, of which the first quote is read.
    Text,
    /// The same, and it is a number.
    QuotedNumber,
    /// A number.
    Number,
    /// A number whose digits stand for themselves.
    Digits,
    /// `null`, which is read.
    Null,
    /// `true` or `false`.
    Bool,
}

impl Guess {
    /// Fits nothing: no text has such bytes.
    const NONE: Guess = Guess {
        text: [u128::MAX; LONGEST / AT_ONCE],
        mask: [u128::MAX; LONGEST / AT_ONCE],
        len: 0,
        next: Next {
            row: OTHER as u8,
            way: Way::Null,
        },
    };

    fn new(text: &[u8], next: Next) -> Option<Guess> {
        let mut mask = [0; LONGEST];
        mask.get_mut(..text.len())?.fill(0xff);
        Some(Guess {
            text: parts(&padded(text)),
            mask: parts(&mask),
            len: text.len(),
            next,
        })
    }

    #[inline]
    fn fits(&self, ahead: &[u8; LONGEST]) -> bool {
        (self.text[0] ^ part(ahead, 0)) & self.mask[0] == 0
            && (self.len <= AT_ONCE || self.fits_to_the_end(ahead))
    }

    #[inline]
    fn fits_to_the_end(&self, ahead: &[u8; LONGEST]) -> bool {
        (1..LONGEST / AT_ONCE).all(|n| (self.text[n] ^ part(ahead, n)) & self.mask[n] == 0)
    }
}

/// Some of the bytes as a number, so that they can be compared at once.
#[inline]
fn part(bytes: &[u8; LONGEST], n: usize) -> u128 {
    let parts = bytes.as_chunks::<AT_ONCE>().0;
    parts.get(n).map_or(0, |part| u128::from_le_bytes(*part))
}

/// All parts.
fn parts(bytes: &[u8; LONGEST]) -> [u128; LONGEST / AT_ONCE] {
    std::array::from_fn(|n| part(bytes, n))
}

impl Default for Layout {
    fn default() -> Layout {
        Layout {
            known: [Guess::NONE; KNOWN],
            count: 1,
            after: [[Follower::default(); FOLLOWERS]; ROWS],
            texts: [Span::ABSENT; ROWS],
            numbers: [0; ROWS],
        }
    }
}

impl Layout {
    /// Looks at the line that stands in `text` at `line`. It has no escapes and no control
    /// characters.
    pub(super) fn scan(&mut self, text: &str, line: Range<usize>) -> Plain {
        // Places are told in 32 bits.
        if u32::try_from(text.len()).is_err() {
            return Plain::Doubt;
        }
        self.values(text, line)
            .and_then(|found| self.record(text, found))
            .unwrap_or(Plain::Doubt)
    }

    /// Reads all values. `None` if the line is in doubt.
    #[inline]
    fn values(&mut self, text: &str, line: Range<usize>) -> Option<Found> {
        let bytes = text.as_bytes();
        let Range { start: mut at, end } = line;
        let mut found = Found::default();
        let mut row = BEGIN;
        if bytes.get(at) != Some(&b'{') {
            return None;
        }
        loop {
            let rest = bytes.get(at..)?;
            // What stands behind the line does no harm: no guess holds a line end.
            let few;
            let ahead = match rest.first_chunk() {
                Some(ahead) => ahead,
                None => {
                    few = padded(rest);
                    &few
                }
            };
            if ahead[0] == b'}' {
                break;
            }
            let (len, next) = match self.guess(ahead, row) {
                Some(guessed) => guessed,
                None => {
                    at += rest.iter().take_while(|byte| **byte == b' ').count();
                    if bytes.get(at) == Some(&b'}') {
                        break;
                    }
                    self.name(text, at..end, row)?
                }
            };
            at += len;
            row = Row::from(next.row) % ROWS;
            let bit = 1 << row;
            if found.given & bit & !(1 << OTHER) != 0 {
                return None;
            }
            found.given |= bit;
            match next.way {
                Way::Text => {
                    let quote = quote(bytes, at).filter(|quote| *quote < end)?;
                    if quote == at && row < Field::Ts as Row {
                        return None;
                    }
                    self.texts[row] = Span::between(at, quote);
                    at = quote + 1;
                }
                Way::Number => {
                    let (number, digits) = integer(bytes, at)?;
                    self.numbers[row] = number;
                    at += digits;
                }
                Way::Digits => {
                    let (_, digits) = integer(bytes, at)?;
                    self.texts[row] = Span::between(at, at + digits);
                    at += digits;
                }
                Way::QuotedNumber => {
                    let quote = quote(bytes, at).filter(|quote| *quote < end)?;
                    self.numbers[row] = parse_token(text.get(at..quote)?).ok()?;
                    at = quote + 1;
                }
                Way::Null => found.null |= bit,
                Way::Bool => {
                    let rest = bytes.get(at..)?;
                    let words: [&[u8]; 2] = [b"true", b"false"];
                    at += words.into_iter().find(|word| rest.starts_with(word))?.len();
                }
            }
        }
        let behind = bytes.get(at + 1..end)?;
        behind.iter().all(|byte| *byte == b' ').then_some(found)
    }

    /// The next name, if it is one that followed before, and how long it is with all that
    /// stands around it.
    #[inline]
    fn guess(&mut self, ahead: &[u8; LONGEST], row: Row) -> Option<(usize, Next)> {
        let followers = &mut self.after[row % ROWS];
        for n in 0..FOLLOWERS {
            let Follower { known, right } = &mut followers[n];
            if *known == 0 {
                break;
            }
            let guess = &self.known[usize::from(*known) % KNOWN];
            if guess.fits(ahead) {
                *right = right.wrapping_add(1);
                if n > 0 {
                    move_up(followers, n);
                }
                return Some((guess.len, guess.next));
            }
        }
        None
    }

    /// The next name in these bytes, which is learned, and how long it is with all that
    /// stands around it.
    #[cold]
    fn name(&mut self, text: &str, line: Range<usize>, row: Row) -> Option<(usize, Next)> {
        let mut ahead = Ahead {
            text: text.get(line)?,
            at: 0,
        };
        ahead.take(if row == BEGIN { "{" } else { "," })?;
        ahead.space();
        ahead.take("\"")?;
        let name_end = quote(ahead.text.as_bytes(), ahead.at)?;
        let field = Field::from_name(ahead.text.get(ahead.at..name_end)?);
        ahead.at = name_end;
        ahead.take("\"")?;
        ahead.space();
        ahead.take(":")?;
        ahead.space();
        let next = Next {
            row: field.map_or(OTHER, |field| field as Row) as u8,
            way: way(field, *ahead.rest().first()?)?,
        };
        match next.way {
            Way::Text | Way::QuotedNumber => ahead.take("\"")?,
            Way::Null => ahead.take("null")?,
            Way::Number | Way::Digits | Way::Bool => {}
        }
        if let Some(guess) = Guess::new(ahead.text.as_bytes().get(..ahead.at)?, next) {
            self.learn(guess, row);
        }
        Some((ahead.at, next))
    }

    fn learn(&mut self, guess: Guess, row: Row) {
        let known = self.known[..self.count].iter();
        let known = known.map(|known| (known.text, known.len));
        let number = match known
            .clone()
            .position(|known| known == (guess.text, guess.len))
        {
            Some(number) => number,
            None => {
                if self.count == KNOWN {
                    // Names without end: what they were before tells nothing.
                    *self = Layout::default();
                }
                self.known[self.count] = guess;
                self.count += 1;
                self.count - 1
            }
        };
        let followers = &mut self.after[row % ROWS];
        let free = followers.iter().position(|follower| follower.known == 0);
        followers[free.unwrap_or(FOLLOWERS - 1)] = Follower {
            known: number as u8,
            right: 0,
        };
    }

    /// What the values come to. `None` if that is in doubt.
    #[inline]
    fn record(&self, text: &str, found: Found) -> Option<Plain> {
        let there = FieldSet::from_bits(found.given & !found.null);
        let null = FieldSet::from_bits(found.null);
        if !there.meets(EVIDENCE) {
            return Some(Plain::Other);
        }
        if !there.contains(Field::LockName)
            || null.contains(Field::ActiveLease) && there.meets(ACTIVE)
        {
            return None;
        }
        let is_there = |field| there.contains(field);
        let span = |field: Field| match is_there(field) {
            true => self.texts[field as Row],
            false => Span::ABSENT,
        };
        let word = |field: Field| is_there(field).then(|| self.texts[field as Row].of(text));
        let number = |field: Field| self.numbers[field as Row];
        let event = match word(Field::Event) {
            Some(word) => Some(Event::from_word(word?).ok()?),
            None => None,
        };
        let seq_by = match word(Field::SeqBy) {
            Some(word) => Some(Origin::from_word(word?)?),
            None => None,
        };
        let result = match word(Field::Result) {
            Some(word) => Given::This(word?),
            None => Given::Nothing,
        };
        let event = event.map_or(Given::Nothing, Given::This);
        let verdict = decide(event, result, is_there(Field::FenceToken));
        let (event, answer) = verdict.step.ok().filter(|_| !verdict.result_unknown)?;
        let bit = |field, bit| if is_there(field) { bit } else { 0 };
        let active = if there.meets(ACTIVE) {
            compact::ACTIVE_LEASE
        } else if null.contains(Field::ActiveLease) || null.meets(ACTIVE) {
            compact::ACTIVE_NONE
        } else {
            0
        };
        Some(Plain::Record(Compact {
            lock: span(Field::LockName),
            owner: span(Field::OwnerId),
            lease: span(Field::LeaseId),
            key: span(Field::ResourceKey),
            operation: span(Field::OperationId),
            active_owner: span(Field::ActiveOwnerId),
            active_lease: span(Field::ActiveLeaseId),
            token: number(Field::FenceToken),
            before: number(Field::ResourceHighestTokenBefore),
            after: number(Field::ResourceHighestTokenAfter),
            seq: number(Field::Seq),
            active_token: number(Field::ActiveFenceToken),
            has: active
                | bit(Field::FenceToken, compact::TOKEN)
                | bit(Field::ResourceHighestTokenBefore, compact::BEFORE)
                | bit(Field::ResourceHighestTokenAfter, compact::AFTER)
                | bit(Field::Seq, compact::SEQ)
                | bit(Field::ActiveFenceToken, compact::ACTIVE_TOKEN),
            event,
            answer,
            seq_by,
        }))
    }
}

/// Lets a follower that was right more often come before the one before it.
#[inline]
fn move_up(followers: &mut [Follower; FOLLOWERS], n: usize) {
    if followers[n].right > followers[n - 1].right {
        followers.swap(n, n - 1);
    }
}

/// Which fields a line gave, and which of them as null: a bit by row.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    given: u32,
    null: u32,
}

/// How the value of a field is read that begins with this byte; `None` if it is in doubt.
fn way(field: Option<Field>, first: u8) -> Option<Way> {
    match (first, field) {
        (b'n', _) => Some(Way::Null),
        (b'"', Some(Field::ActiveLease)) => None,
        (b'"', Some(field)) if is_number(field) => Some(Way::QuotedNumber),
        (b'"', _) => Some(Way::Text),
        (b'0'..=b'9', Some(Field::LeaseId | Field::ActiveLeaseId)) => Some(Way::Digits),
        (b'0'..=b'9', Some(field)) => {
            (is_number(field) || field == Field::Ts).then_some(Way::Number)
        }
        (b'0'..=b'9', None) => Some(Way::Number),
        (b't' | b'f', None | Some(Field::Ts)) => Some(Way::Bool),
        _ => None,
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

    fn take(&mut self, text: &str) -> Option<()> {
        let found = self.rest().starts_with(text.as_bytes());
        found.then(|| self.at += text.len())
    }

    fn space(&mut self) {
        self.at += self.rest().iter().take_while(|byte| **byte == b' ').count();
    }
}

#[cfg(test)]
mod tests;
