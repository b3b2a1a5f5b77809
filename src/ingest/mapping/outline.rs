//! The faster walk over a JSON line, for lines that look like the ones before.
//!
//! Between two plain values (texts, numbers, words) stand commas, names, colons and
//! brackets, and of those the same ones follow nearly always. So they are predicted as one
//! text, whatever they nest, and learned from the lines themselves. A line that holds an
//! escape or anything that [`Walk`] would not take is in doubt and read by that one; so
//! what comes out here is what it would give, and tests hold the two together.

use super::plan::{Node, NodeId, Plan};
use super::slot::{Kind, Slot};
use super::walk::{MAX_DEPTH, Walk};
use crate::ingest::literal::{Before, LONGEST, Literal};
use crate::ingest::plain::{padded, text_end};

/// Texts that may follow one place.
const GUESSES: usize = 4;
/// Found so often behind others, a text comes before them.
const OFTEN: u8 = 4;
/// Places that are told apart; where there are more, some share their predictions.
const POINTS: usize = 256;
/// Texts that are learned from one line, once many lines are known: a line with its
/// members in an order of its own would have others forgotten.
const NEWS: u32 = 2;
/// Lines after which many are known.
const MANY: u32 = 256;
/// Lines in doubt after which no more are tried, each made up for by two that were not.
const PATIENCE: u32 = 256;

/// What lines have looked like so far. It makes reading faster and changes no result.
#[derive(Debug)]
pub(crate) struct Outline {
    points: Vec<Point>,
    /// Lines that were tried, up to a number.
    tried: u32,
    /// How many texts may still be learned from this line.
    news: u32,
    /// How many lines may still be in doubt, times two.
    patience: u32,
}

/// A place behind a value; the first is the begin of a line.
#[derive(Debug)]
struct Point {
    /// The brackets that are open, the innermost last.
    open: Vec<Open>,
    /// What stood before the value.
    came: Box<[u8]>,
    guesses: [Guess; GUESSES],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Open {
    /// What is wanted of it.
    node: Option<NodeId>,
    /// Of an array, the element.
    index: Option<usize>,
}

/// All that stands between two values, or behind the last: with the quote before a text,
/// and with the whole of a word.
#[derive(Debug)]
struct Guess {
    literal: Literal,
    /// What is longer than that.
    rest: Box<[u8]>,
    next: Next,
    /// How often it was found behind another, since it came before that or was learned.
    late: u8,
}

#[derive(Debug, Clone, Copy)]
enum Next {
    /// This one, and the place behind it.
    Value(Value, u16),
    End,
}

/// A value of which the begin is known.
#[derive(Debug, Clone, Copy)]
struct Value {
    kind: Kind,
    /// So many bytes of it were read: a word, a sign.
    begun: u8,
    /// The one slot that it is for.
    slot: Option<u16>,
    node: Option<u32>,
}

impl Default for Guess {
    /// What comes nowhere: no text holds such a byte.
    fn default() -> Guess {
        Guess {
            literal: Literal::new(b"\xff", Before::Anything).unwrap_or_default(),
            rest: Box::default(),
            next: Next::End,
            late: 0,
        }
    }
}

impl Guess {
    fn new(text: &[u8], next: Next) -> Guess {
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
            late: 0,
        }
    }

    fn is_free(&self) -> bool {
        self.literal.len() == 1 && matches!(self.next, Next::End)
    }

    /// Whether it comes next. `rest` is what is left of the line, and `ahead` its begin, with
    /// zeros behind it.
    #[inline]
    fn fits(&self, ahead: &[u8; LONGEST], rest: &[u8]) -> bool {
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

    fn len(&self) -> usize {
        self.literal.len() + self.rest.len()
    }
}

impl Next {
    /// Whether a number comes next, by its first digit.
    fn is_digit(&self) -> bool {
        matches!(self, Next::Value(value, _) if value.kind == Kind::Number && value.begun == 0)
    }
}

impl Value {
    /// The value for a node that begins `rest`, and how much of that is known.
    fn begun(plan: &Plan, node: Option<NodeId>, rest: &[u8]) -> Option<(Value, usize)> {
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
    fn read(self, plan: &Plan, slots: &mut [Slot], text: &str, at: &mut usize) -> Option<()> {
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

fn begins_value(byte: &u8) -> bool {
    matches!(byte, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
}

impl Default for Outline {
    fn default() -> Outline {
        Outline {
            points: vec![Point {
                open: Vec::new(),
                came: Box::default(),
                guesses: Default::default(),
            }],
            tried: 0,
            news: 0,
            patience: 2 * PATIENCE,
        }
    }
}

impl Outline {
    /// Walks a line and fills the slots, which hold nothing. `None` if it is in doubt; what
    /// the slots hold then is of no use.
    pub(crate) fn walk(&mut self, plan: &Plan, slots: &mut [Slot], text: &str) -> Option<()> {
        if self.patience == 0 {
            return None;
        }
        let found = self.line(plan, slots, text);
        self.patience = match found {
            Some(()) => (self.patience + 1).min(2 * PATIENCE),
            None => self.patience.saturating_sub(2),
        };
        found
    }

    fn line(&mut self, plan: &Plan, slots: &mut [Slot], text: &str) -> Option<()> {
        self.tried = (self.tried + 1).min(MANY);
        self.news = if self.tried < MANY { u32::MAX } else { NEWS };
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let blanks = text.bytes().rev().take_while(blank).count();
        let bytes = text.as_bytes().get(..text.len() - blanks)?;
        let (mut at, mut point) = (0, 0);
        loop {
            let rest = bytes.get(at..)?;
            let few;
            let ahead = match rest.first_chunk::<LONGEST>() {
                Some(ahead) => ahead,
                None => {
                    few = padded(rest);
                    &few
                }
            };
            let guesses = &mut self.points.get_mut(point)?.guesses;
            let first = &guesses[0];
            let known = if first.fits(ahead, rest) {
                Some((first.len(), first.next))
            } else {
                later(guesses, ahead, rest)
            };
            let next = match known {
                Some((len, next)) => {
                    at += len;
                    next
                }
                None if self.news > 0 => self.learn(plan, bytes, &mut at, point)?,
                None => {
                    let mut open = self.points.get(point)?.open.clone();
                    let ahead = Ahead { plan, bytes, at };
                    return ahead.rest(&mut open, point == 0, slots, text);
                }
            };
            let Next::Value(value, behind) = next else {
                return (at == bytes.len()).then_some(());
            };
            value.read(plan, slots, text, &mut at)?;
            point = usize::from(behind);
        }
    }

    #[cold]
    fn learn(&mut self, plan: &Plan, bytes: &[u8], at: &mut usize, point: usize) -> Option<Next> {
        self.news -= 1;
        let mut open = self.points.get(point)?.open.clone();
        let begin = *at;
        let mut ahead = Ahead {
            plan,
            bytes,
            at: begin,
        };
        let found = ahead.value(&mut open, point == 0)?;
        *at = ahead.at;
        let next = match found {
            None => Next::End,
            Some(node) => {
                let (value, len) = Value::begun(plan, node, bytes.get(*at..)?)?;
                let came = bytes.get(begin..*at)?;
                *at += len;
                Next::Value(value, self.point(open, came)?)
            }
        };
        // The least likely one makes room.
        let guesses = &mut self.points.get_mut(point)?.guesses;
        let free = guesses.iter().position(Guess::is_free);
        *guesses.get_mut(free.unwrap_or(GUESSES - 1))? = Guess::new(bytes.get(begin..*at)?, next);
        Some(next)
    }

    /// The place behind a value. Those with the same brackets may stand for each other.
    fn point(&mut self, open: Vec<Open>, came: &[u8]) -> Option<u16> {
        let alike = |point: &Point| point.open == open;
        let same = |point: &Point| *point.came == *came && alike(point);
        let points = self.points.iter().skip(1);
        if let Some(known) = points.clone().position(same) {
            return u16::try_from(known + 1).ok();
        }
        if self.points.len() >= POINTS {
            let known = points.clone().position(alike)?;
            return u16::try_from(known + 1).ok();
        }
        self.points.push(Point {
            open,
            came: came.into(),
            guesses: Default::default(),
        });
        u16::try_from(self.points.len() - 1).ok()
    }
}

/// The one of the later guesses that comes next. If that is so often, it comes earlier.
#[inline(never)]
fn later(
    guesses: &mut [Guess; GUESSES],
    ahead: &[u8; LONGEST],
    rest: &[u8],
) -> Option<(usize, Next)> {
    let behind = guesses.iter().skip(1);
    let n = 1 + behind.clone().position(|guess| guess.fits(ahead, rest))?;
    let guess = &mut guesses[n];
    let found = (guess.len(), guess.next);
    guess.late += 1;
    if guess.late == OFTEN {
        guess.late = 0;
        guesses.swap(n, n - 1);
    }
    Some(found)
}

/// Looks from one value to the next.
struct Ahead<'a> {
    plan: &'a Plan,
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Ahead<'a> {
    /// Reads the rest of a line that is in an order of its own.
    #[cold]
    fn rest(
        mut self,
        open: &mut Vec<Open>,
        begin: bool,
        slots: &mut [Slot],
        text: &str,
    ) -> Option<()> {
        let mut found = self.value(open, begin)?;
        while let Some(node) = found {
            let (value, len) = Value::begun(self.plan, node, self.bytes.get(self.at..)?)?;
            self.at += len;
            value.read(self.plan, slots, text, &mut self.at)?;
            found = self.value(open, false)?;
        }
        Some(())
    }

    /// Goes to the next value and says what wants it; `Some(None)` is the end of the line.
    /// `begin` says that a value comes first.
    fn value(&mut self, open: &mut Vec<Open>, begin: bool) -> Option<Option<Option<NodeId>>> {
        let mut wanted = begin.then_some(Some(0));
        loop {
            self.blanks();
            wanted = match wanted {
                Some(node) if self.peek().is_some_and(|byte| begins_value(&byte)) => {
                    return Some(Some(node));
                }
                Some(node) => self.bracket(open, node)?,
                None => {
                    let Some(innermost) = open.last_mut() else {
                        return (self.at == self.bytes.len()).then_some(None);
                    };
                    let Open { node, index } = *innermost;
                    match (self.peek()?, index) {
                        (b',', None) => {
                            self.at += 1;
                            Some(self.name(node)?)
                        }
                        (b',', Some(index)) => {
                            self.at += 1;
                            // Behind the last wanted element all are alike.
                            let node = self.node(node);
                            let last = node.and_then(|n| n.items.iter().map(|(i, _)| *i).max());
                            let index = (index + 1).min(last.map_or(0, |last| last + 1));
                            innermost.index = Some(index);
                            Some(item(node, index))
                        }
                        (b'}', None) | (b']', Some(_)) => {
                            self.at += 1;
                            open.pop();
                            None
                        }
                        _ => return None,
                    }
                }
            };
        }
    }

    /// An opening bracket, and what is wanted of what follows (`None`: it closes again).
    fn bracket(
        &mut self,
        open: &mut Vec<Open>,
        node: Option<NodeId>,
    ) -> Option<Option<Option<NodeId>>> {
        let whole = self.node(node);
        // Whole objects and arrays are beyond this, and what is selected by a member.
        if whole.is_some_and(|node| node.slot.is_some() || !node.selections.is_empty())
            || open.len() >= MAX_DEPTH as usize
        {
            return None;
        }
        let array = match self.peek()? {
            b'{' => false,
            b'[' => true,
            _ => return None,
        };
        self.at += 1;
        self.blanks();
        if self.peek()? == if array { b']' } else { b'}' } {
            self.at += 1;
            return Some(None);
        }
        let wanted = whole.is_some_and(|node| {
            if array {
                !node.items.is_empty()
            } else {
                !node.keys.is_empty()
            }
        });
        let node = node.filter(|_| wanted);
        open.push(Open {
            node,
            index: array.then_some(0),
        });
        if array {
            Some(Some(item(self.node(node), 0)))
        } else {
            self.name(node).map(Some)
        }
    }

    /// A name with its colon, and what is wanted of its value.
    fn name(&mut self, node: Option<NodeId>) -> Option<Option<NodeId>> {
        self.blanks();
        if self.peek()? != b'"' {
            return None;
        }
        let begin = self.at + 1;
        let end = text_end(self.bytes, begin)?;
        let name = std::str::from_utf8(self.bytes.get(begin..end)?).ok()?;
        self.at = end + 1;
        self.blanks();
        if self.peek()? != b':' {
            return None;
        }
        self.at += 1;
        Some(self.node(node).and_then(|node| node.key(name)))
    }

    fn node(&self, node: Option<NodeId>) -> Option<&'a Node> {
        let plan = self.plan;
        plan.nodes.get(node?)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }
}

fn item(node: Option<&Node>, index: usize) -> Option<NodeId> {
    let mut items = node?.items.iter();
    items.find(|(i, _)| *i == index).map(|(_, node)| *node)
}

#[cfg(test)]
mod tests;
