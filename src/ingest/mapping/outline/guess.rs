//! What may come next in a line, and how the value behind it is read.

use crate::ingest::literal::{Before, LONGEST, Literal};
use crate::ingest::mapping::plan::{NodeId, Plan};
use crate::ingest::mapping::slot::{Kind, Slot};
use crate::ingest::mapping::walk::Walk;
use crate::ingest::plain::text_end;

/// Texts that may follow one place.
pub(super) const GUESSES: usize = 4;
/// Found so often behind others, a text comes before them.
const OFTEN: u8 = 4;

/// All that stands between two values, or behind the last: with the quote before a text,
/// and with the whole of a word.
#[derive(Debug)]
pub(super) struct Guess {
    literal: Literal,
    /// What is longer than that.
    rest: Box<[u8]>,
    pub(super) next: Next,
    /// Whether a line can hold it: a value may stand on several.
    is_in_line: bool,
    /// How often it was found behind another, since it came before that or was learned.
    late: u8,
}

/// A guess that comes next: its length, what is behind it, and whether a line can hold it.
pub(super) type Known = (usize, Next, bool);

#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    /// This one, and the place behind it.
    Value(Value, u16),
    End,
}

/// A value of which the begin is known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value {
    kind: Kind,
    /// So many bytes of it were read: a word, a sign.
    begun: u8,
    /// The one slot that it is for.
    slot: Option<u16>,
    node: Option<u32>,
}

impl Default for Guess {
    /// What comes nowhere.
    fn default() -> Guess {
        Guess {
            literal: Literal::default(),
            rest: Box::default(),
            next: Next::End,
            is_in_line: false,
            late: 0,
        }
    }
}

impl Guess {
    pub(super) fn new(text: &[u8], next: Next) -> Guess {
        let is_in_line = !text.contains(&b'\n');
        let (text, rest) = text.split_at(text.len().min(LONGEST - 1));
        let before = match next {
            _ if !rest.is_empty() => Before::Anything,
            Next::End => Before::Nothing,
            _ if next.is_digit() => Before::Digit,
            Next::Value(..) => Before::Anything,
        };
        Guess {
            literal: Literal::new(text, before).unwrap_or_default(),
            rest: rest.into(),
            next,
            is_in_line,
            late: 0,
        }
    }

    pub(super) fn is_free(&self) -> bool {
        self.literal.fits(&[0xff; LONGEST])
    }

    /// Whether it comes next. `rest` is what is left of the line, and `ahead` its begin, with
    /// zeros behind it.
    #[inline]
    pub(super) fn fits(&self, ahead: &[u8; LONGEST], rest: &[u8]) -> bool {
        self.literal.fits(ahead) && (self.rest.is_empty() || self.goes_on(rest))
    }

    #[cold]
    fn goes_on(&self, rest: &[u8]) -> bool {
        let rest = rest.get(self.literal.len()..).unwrap_or_default();
        let behind = rest.strip_prefix(&*self.rest).map(<[u8]>::first);
        behind.is_some_and(|behind| match self.next {
            Next::End => behind.is_none(),
            _ => !self.next.is_digit() || behind.is_some_and(u8::is_ascii_digit),
        })
    }

    #[inline]
    fn known(&self) -> Known {
        let len = self.literal.len() + self.rest.len();
        (len, self.next, self.is_in_line)
    }
}

impl Next {
    /// Whether a number comes next, by its first digit.
    pub(super) fn is_digit(&self) -> bool {
        matches!(self, Next::Value(value, _) if value.kind == Kind::Number && value.begun == 0)
    }
}

impl Value {
    /// The value for a node that begins `rest`, and how much of that is known.
    pub(super) fn begun(plan: &Plan, node: Option<NodeId>, rest: &[u8]) -> Option<(Value, usize)> {
        let (kind, len) = match rest {
            [b'"', ..] => (Kind::Text, 1),
            [b'-', ..] => (Kind::Number, 1),
            [b't', b'r', b'u', b'e', ..] => (Kind::Bool, 4),
            [b'f', b'a', b'l', b's', b'e', ..] => (Kind::Bool, 5),
            [b'n', b'u', b'l', b'l', ..] => (Kind::Null, 4),
            [b'0'..=b'9', ..] => (Kind::Number, 0),
            _ => return None,
        };
        let wants = node.and_then(|node| plan.nodes.get(node));
        let alone = wants.filter(|node| node.json.is_none() && node.logfmt.is_none());
        let slot = alone.and_then(|node| node.slot);
        let value = Value {
            kind,
            begun: if kind == Kind::Text { 0 } else { len },
            slot: slot.map(u16::try_from).transpose().ok()?,
            node: node.map(u32::try_from).transpose().ok()?,
        };
        Some((value, usize::from(len)))
    }

    /// Reads the rest of it, which stands at `at`, and fills its slot.
    #[inline(always)]
    pub(super) fn read(
        self,
        plan: &Plan,
        slots: &mut [Slot],
        text: &str,
        at: &mut usize,
    ) -> Option<()> {
        let bytes = text.as_bytes();
        let begin = *at - usize::from(self.begun);
        let mut end = *at;
        match self.kind {
            Kind::Text => {
                end = text_end(bytes, *at)?;
                *at = end + 1;
            }
            Kind::Number => {
                let digits = bytes.get(end..)?.iter();
                end += digits.take_while(|b| Walk::is_digit(**b)).count();
                *at = end;
            }
            _ => {}
        }
        if let Some(slot) = self.slot {
            slots
                .get_mut(usize::from(slot))?
                .set(self.kind, begin..end, false);
        } else if let Some(node) = self.node {
            Walk::new(plan, slots, text).found(node as NodeId, self.kind, begin..end, false);
        }
        Some(())
    }
}

/// The one that comes next.
#[inline]
pub(super) fn coming(
    guesses: &mut [Guess; GUESSES],
    ahead: &[u8; LONGEST],
    rest: &[u8],
) -> Option<Known> {
    let first = &guesses[0];
    if first.fits(ahead, rest) {
        Some(first.known())
    } else {
        later(guesses, ahead, rest)
    }
}

/// The one of the later guesses that comes next. If that is so often, it comes earlier.
#[inline(never)]
fn later(guesses: &mut [Guess; GUESSES], ahead: &[u8; LONGEST], rest: &[u8]) -> Option<Known> {
    let behind = guesses.iter().skip(1);
    let n = 1 + behind.clone().position(|guess| guess.fits(ahead, rest))?;
    let guess = &mut guesses[n];
    let found = guess.known();
    guess.late += 1;
    if guess.late == OFTEN {
        guess.late = 0;
        guesses.swap(n, n - 1);
    }
    Some(found)
}
