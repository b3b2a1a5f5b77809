//! The faster walk over a JSON line, for lines that look like the ones before.
//!
//! Between two plain values (texts, numbers, words) stand commas, names, colons and
//! brackets, and of those the same ones follow nearly always. So they are predicted as one
//! text, whatever they nest, and learned from the lines themselves. A line that holds an
//! escape or anything that [`Walk`] would not take is in doubt and read by that one; so
//! what comes out here is what it would give, and tests hold the two together.

use super::plan::{Node, NodeId, Plan, SlotId};
use super::slot::{Kind, Slot};
use super::walk::{MAX_DEPTH, Walk};
use crate::ingest::plain::{padded, text_end, words};

/// Texts that may follow one place.
const GUESSES: usize = 3;
/// The part of such a text that is compared at once.
const AT_ONCE: usize = 32;
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

/// All that stands between two values, or behind the last.
#[derive(Debug, Default)]
struct Guess {
    text: [u64; AT_ONCE / 8],
    /// The bytes of it that count.
    mask: [u64; AT_ONCE / 8],
    /// What does not fit into it.
    rest: Box<[u8]>,
    len: usize,
    /// `None` while nothing is learned.
    next: Option<Next>,
}

#[derive(Debug, Clone, Copy)]
enum Next {
    Value {
        node: Option<NodeId>,
        /// The one slot that the value is for.
        slot: Option<SlotId>,
        point: usize,
    },
    End,
}

impl Guess {
    fn new(text: &[u8], next: Next) -> Guess {
        let mut mask = [0; AT_ONCE];
        mask.iter_mut().take(text.len()).for_each(|b| *b = 0xff);
        Guess {
            text: words(&padded::<AT_ONCE>(text)),
            mask: words(&mask),
            rest: text.get(AT_ONCE..).unwrap_or_default().into(),
            len: text.len(),
            next: Some(next),
        }
    }

    #[inline]
    fn fits(&self, ahead: &[u64; AT_ONCE / 8], bytes: &[u8], at: usize) -> bool {
        let mut differ = 0;
        for ((text, mask), ahead) in self.text.iter().zip(&self.mask).zip(ahead) {
            differ |= (text ^ ahead) & mask;
        }
        differ == 0
            && (self.rest.is_empty()
                || bytes
                    .get(at + AT_ONCE..)
                    .is_some_and(|bytes| bytes.starts_with(&self.rest)))
            && match self.next {
                Some(Next::Value { .. }) => bytes.get(at + self.len).is_some_and(begins_value),
                Some(Next::End) => at + self.len == bytes.len(),
                None => false,
            }
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
            let Next::Value {
                node,
                slot,
                point: next,
            } = self.next(plan, bytes, &mut at, point)?
            else {
                return Some(());
            };
            let rest = bytes.get(at..)?;
            let (kind, span, end) = match rest.first()? {
                b'"' => {
                    let end = text_end(bytes, at + 1)?;
                    (Kind::Text, at + 1..end, end + 1)
                }
                b't' => (Kind::Bool, at..at + 4, word(rest, at, b"true")?),
                b'f' => (Kind::Bool, at..at + 5, word(rest, at, b"false")?),
                b'n' => (Kind::Null, at..at + 4, word(rest, at, b"null")?),
                _ => {
                    let digits = rest.iter().take_while(|b| Walk::is_digit(**b)).count();
                    (Kind::Number, at..at + digits, at + digits)
                }
            };
            if let Some(slot) = slot {
                slots.get_mut(slot)?.set(kind, span, false);
            } else if let Some(node) = node {
                Walk::new(plan, slots, text).found(node, kind, span, false);
            }
            (at, point) = (end, next);
        }
    }

    /// What comes next, if it came before; or else it is learned.
    #[inline]
    fn next(&mut self, plan: &Plan, bytes: &[u8], at: &mut usize, point: usize) -> Option<Next> {
        let rest = bytes.get(*at..)?;
        let ahead = words(&match rest.first_chunk::<AT_ONCE>() {
            Some(bytes) => *bytes,
            None => padded(rest),
        });
        let guesses = &mut self.points.get_mut(point)?.guesses;
        let Some(n) = guesses
            .iter()
            .position(|guess| guess.fits(&ahead, bytes, *at))
        else {
            return self.learn(plan, bytes, at, point);
        };
        let Guess { len, next, .. } = guesses[n];
        *at += len;
        if n > 0 {
            guesses.swap(n, n - 1);
        }
        next
    }

    #[cold]
    fn learn(&mut self, plan: &Plan, bytes: &[u8], at: &mut usize, point: usize) -> Option<Next> {
        self.news = self.news.checked_sub(1)?;
        let mut open = self.points.get(point)?.open.clone();
        let begin = *at;
        let mut ahead = Ahead { plan, bytes, at };
        let found = ahead.value(&mut open, point == 0)?;
        let text = bytes.get(begin..*at)?;
        let next = match found {
            None => Next::End,
            Some(node) => Next::Value {
                node,
                slot: node
                    .and_then(|node| plan.nodes.get(node))
                    .filter(|node| node.json.is_none() && node.logfmt.is_none())
                    .and_then(|node| node.slot),
                point: self.point(open, text)?,
            },
        };
        // The least likely one makes room.
        let guesses = &mut self.points.get_mut(point)?.guesses;
        *guesses.last_mut()? = Guess::new(text, next);
        Some(next)
    }

    /// The place behind a value. Those with the same brackets may stand for each other.
    fn point(&mut self, open: Vec<Open>, came: &[u8]) -> Option<usize> {
        let alike = |point: &Point| point.open == open;
        let same = |point: &Point| *point.came == *came && alike(point);
        let points = self.points.iter().skip(1);
        if let Some(known) = points.clone().position(same) {
            return Some(known + 1);
        }
        if self.points.len() >= POINTS {
            return points.clone().position(alike).map(|known| known + 1);
        }
        self.points.push(Point {
            open,
            came: came.into(),
            guesses: Default::default(),
        });
        Some(self.points.len() - 1)
    }
}

fn word(rest: &[u8], at: usize, word: &[u8]) -> Option<usize> {
    rest.starts_with(word).then_some(at + word.len())
}

/// Looks from one value to the next.
struct Ahead<'a> {
    plan: &'a Plan,
    bytes: &'a [u8],
    at: &'a mut usize,
}

impl<'a> Ahead<'a> {
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
                        return (*self.at == self.bytes.len()).then_some(None);
                    };
                    let Open { node, index } = *innermost;
                    match (self.peek()?, index) {
                        (b',', None) => {
                            *self.at += 1;
                            Some(self.name(node)?)
                        }
                        (b',', Some(index)) => {
                            *self.at += 1;
                            // Behind the last wanted element all are alike.
                            let node = self.node(node);
                            let last = node.and_then(|n| n.items.iter().map(|(i, _)| *i).max());
                            let index = (index + 1).min(last.map_or(0, |last| last + 1));
                            innermost.index = Some(index);
                            Some(item(node, index))
                        }
                        (b'}', None) | (b']', Some(_)) => {
                            *self.at += 1;
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
        *self.at += 1;
        self.blanks();
        if self.peek()? == if array { b']' } else { b'}' } {
            *self.at += 1;
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
        let begin = *self.at + 1;
        let end = text_end(self.bytes, begin)?;
        let name = std::str::from_utf8(self.bytes.get(begin..end)?).ok()?;
        *self.at = end + 1;
        self.blanks();
        if self.peek()? != b':' {
            return None;
        }
        *self.at += 1;
        Some(self.node(node).and_then(|node| node.key(name)))
    }

    fn node(&self, node: Option<NodeId>) -> Option<&'a Node> {
        let plan = self.plan;
        plan.nodes.get(node?)
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(*self.at).copied()
    }

    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            *self.at += 1;
        }
    }
}

fn item(node: Option<&Node>, index: usize) -> Option<NodeId> {
    let mut items = node?.items.iter();
    items.find(|(i, _)| *i == index).map(|(_, node)| *node)
}

#[cfg(test)]
mod tests;
