//! The faster walk over a JSON line, for lines that look like the ones before.
//!
//! Between two plain values (texts, numbers, words) stand commas, names, colons and
//! brackets, and of those the same ones follow nearly always. So they are predicted as one
//! text, whatever they nest, and learned from the lines themselves. A line that holds an
//! escape or anything that [`Walk`](super::walk::Walk) would not take is in doubt and read by that one; so
//! what comes out here is what it would give, and tests hold the two together.

mod ahead;
mod guess;

use super::plan::Plan;
use super::slot::Slot;
use crate::ingest::literal::{LONGEST, ahead};
use ahead::{Ahead, Open};
use guess::{GUESSES, Guess, Next, Value, coming};

/// Places that are told apart; where there are more, some share their predictions.
const POINTS: usize = 256;
/// Texts that are learned from one line, once many lines are known: a line with its
/// members in an order of its own would have others forgotten.
const NEWS: u32 = 2;
/// Lines after which many are known.
const MANY: u32 = 256;
/// Lines in doubt after which no more are tried, each made up for by two that were not. One in
/// an order of its own counts half.
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

/// Whether a line looked like the ones before, as far as can be expected.
enum Likeness {
    Like,
    Unlike,
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
            Some(Likeness::Like) => (self.patience + 1).min(2 * PATIENCE),
            Some(Likeness::Unlike) => self.patience.saturating_sub(1),
            None => self.patience.saturating_sub(2),
        };
        found.map(|_| ())
    }

    /// Walks the line that begins in `text` at `start`, and gives its end. `None` if not all of
    /// it is known, or it may go on over a line end.
    pub(crate) fn walk_known(
        &mut self,
        plan: &Plan,
        slots: &mut [Slot],
        text: &str,
        start: usize,
    ) -> Option<usize> {
        if self.patience == 0 {
            return None;
        }
        let bytes = text.as_bytes();
        let (mut at, mut point) = (start, 0);
        let mut few = [0; LONGEST];
        loop {
            let rest = bytes.get(at..)?;
            let guesses = &mut self.points.get_mut(point)?.guesses;
            let (len, next, is_in_line) = coming(guesses, ahead(rest, &mut few), rest)?;
            if !is_in_line {
                return None;
            }
            at += len;
            let Next::Value(value, behind) = next else {
                self.patience = (self.patience + 1).min(2 * PATIENCE);
                return Some(at);
            };
            value.read(plan, slots, text, &mut at)?;
            point = usize::from(behind);
        }
    }

    fn line(&mut self, plan: &Plan, slots: &mut [Slot], text: &str) -> Option<Likeness> {
        self.tried = (self.tried + 1).min(MANY);
        self.news = if self.tried < MANY { u32::MAX } else { NEWS };
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let blanks = text.bytes().rev().take_while(blank).count();
        let bytes = text.as_bytes().get(..text.len() - blanks)?;
        let (mut at, mut point) = (0, 0);
        let mut few = [0; LONGEST];
        loop {
            let rest = bytes.get(at..)?;
            let ahead = ahead(rest, &mut few);
            let guesses = &mut self.points.get_mut(point)?.guesses;
            let next = match coming(guesses, ahead, rest) {
                Some((len, next, _)) => {
                    at += len;
                    next
                }
                None if self.news > 0 => self.learn(plan, bytes, &mut at, point)?,
                None => {
                    let mut open = self.points.get(point)?.open.clone();
                    let ahead = Ahead { plan, bytes, at };
                    ahead.rest(&mut open, point == 0, slots, text)?;
                    return Some(Likeness::Unlike);
                }
            };
            let Next::Value(value, behind) = next else {
                return (at == bytes.len()).then_some(Likeness::Like);
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

#[cfg(test)]
mod tests;
