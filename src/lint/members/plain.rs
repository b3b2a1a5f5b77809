//! Finds the members of an object as nearly all lines hold one: without escapes, and
//! without lists and objects but `activeLease`. Where there is any doubt it finds nothing,
//! and the JSON parser decides.

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

use super::{Member, of_active};
use crate::evidence::Field;

/// As many digits as the greatest token has.
const LONGEST_NUMBER: usize = 20;
/// How many names are remembered.
const MOST_NAMES: usize = 64;

/// The names that lines had so far, and which followed which: those of the next line are
/// likely to be the same.
#[derive(Debug, Default)]
pub struct Names {
    known: Vec<Known>,
    /// The one that an object began with.
    first: usize,
}

#[derive(Debug)]
struct Known {
    /// The name with its quotes and its colon.
    text: Box<[u8]>,
    field: Option<Field>,
    /// The one that followed it.
    next: usize,
}

impl Names {
    /// The members of the plain object that fills `frame`, and those of `activeLease`.
    pub(super) fn members<'f>(&mut self, frame: &'f [u8]) -> Option<Vec<Member<'f>>> {
        let odd = |odd: bool, byte: &u8| odd | (*byte < b' ') | (*byte == b'\\');
        if frame.first() != Some(&b'{') || frame.iter().fold(false, odd) {
            return None;
        }
        if !frame.is_ascii() && std::str::from_utf8(frame).is_err() {
            return None;
        }
        let mut walk = Walk {
            frame,
            at: 0,
            all: Vec::with_capacity(16),
            last: None,
            names: self,
        };
        walk.object(false)?;
        (walk.at == frame.len()).then_some(walk.all)
    }

    /// The name that is likely to follow `last`, and its number.
    fn likely(&self, last: Option<usize>) -> Option<(usize, &Known)> {
        let number = match last {
            Some(last) => self.known.get(last)?.next,
            None => self.first,
        };
        Some((number, self.known.get(number)?))
    }

    /// The number of a name, if it is one of those that are remembered.
    fn number(&mut self, name: &[u8]) -> Option<usize> {
        let is_it = |known: &Known| known.text.get(1..known.text.len() - 2) == Some(name);
        let known = self.known.iter().position(is_it);
        if known.is_some() || self.known.len() == MOST_NAMES {
            return known;
        }
        self.known.push(Known {
            text: [b"\"", name, b"\":"].concat().into(),
            field: field(name),
            next: 0,
        });
        Some(self.known.len() - 1)
    }

    /// Remembers that a name followed `last`.
    fn learn(&mut self, last: Option<usize>, number: usize) {
        match last.and_then(|last| self.known.get_mut(last)) {
            Some(last) => last.next = number,
            None => self.first = number,
        }
    }
}

/// The evidence field of that name.
fn field(name: &[u8]) -> Option<Field> {
    std::str::from_utf8(name).ok().and_then(Field::from_name)
}

struct Walk<'f, 'n> {
    frame: &'f [u8],
    at: usize,
    all: Vec<Member<'f>>,
    /// The number of the last name.
    last: Option<usize>,
    names: &'n mut Names,
}

impl<'f> Walk<'f, '_> {
    fn object(&mut self, active: bool) -> Option<()> {
        self.expect(b'{')?;
        if self.peek()? == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            self.member(active)?;
            let sign = self.peek()?;
            self.at += 1;
            match sign {
                b',' => {}
                b'}' => return Some(()),
                _ => return None,
            }
        }
    }

    fn member(&mut self, active: bool) -> Option<()> {
        let (name, field) = self.name()?;
        let first = self.peek()?;
        let member = self.all.len();
        self.all.push(Member {
            name: Cow::Borrowed(name),
            field: if active { of_active(field) } else { field },
            value: self.at..self.at,
        });
        match first {
            b'"' => self.all[member].value = self.text()?,
            b'{' if field == Some(Field::ActiveLease) && !active => {
                self.object(true)?;
                self.all[member].value.end = self.at;
            }
            _ => {
                self.bare(first)?;
                self.all[member].value.end = self.at;
            }
        }
        Some(())
    }

    /// A name and its colon.
    fn name(&mut self) -> Option<(&'f [u8], Option<Field>)> {
        self.peek()?;
        let rest = self.frame.get(self.at..)?;
        if let Some((number, likely)) = self.names.likely(self.last)
            && rest.starts_with(&likely.text)
        {
            let end = likely.text.len();
            self.last = Some(number);
            self.at += end;
            return Some((&rest[1..end - 2], likely.field));
        }
        let text = self.text()?;
        let name = &self.frame[text.start + 1..text.end - 1];
        self.expect(b':')?;
        let last = std::mem::replace(&mut self.last, self.names.number(name));
        match self.last {
            Some(number) => {
                self.names.learn(last, number);
                Some((name, self.names.known[number].field))
            }
            None => Some((name, field(name))),
        }
    }

    /// A text with its quotes.
    fn text(&mut self) -> Option<Range<usize>> {
        self.expect(b'"')?;
        let start = self.at - 1;
        self.at += memchr(b'"', self.frame.get(self.at..)?)? + 1;
        Some(start..self.at)
    }

    /// A word, or a number as counters and tokens are: of digits alone.
    fn bare(&mut self, first: u8) -> Option<()> {
        let rest = self.frame.get(self.at..)?;
        let digits = || rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += match first {
            b'0' => 1,
            b'1'..=b'9' => Some(digits()).filter(|digits| *digits <= LONGEST_NUMBER)?,
            b't' if rest.starts_with(b"true") => 4,
            b'f' if rest.starts_with(b"false") => 5,
            b'n' if rest.starts_with(b"null") => 4,
            _ => return None,
        };
        Some(())
    }

    /// The next byte that is no space.
    fn peek(&mut self) -> Option<u8> {
        while self.frame.get(self.at) == Some(&b' ') {
            self.at += 1;
        }
        self.frame.get(self.at).copied()
    }

    fn expect(&mut self, sign: u8) -> Option<()> {
        let found = self.peek()? == sign;
        self.at += usize::from(found);
        found.then_some(())
    }
}
