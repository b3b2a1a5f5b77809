//! The faster pass over a record, for lines that look like the ones before.
//!
//! It knows one object with plain values: texts without escapes, integers, `null`. Lines are
//! walked along a tree of what lines have looked like: a node is all that stands between two
//! values (comma, name, colon, spaces), compared as one text. So any order of fields and any
//! spacing is learned from the lines themselves, and the node at the end of a line knows what
//! a line of that shape comes to. Whatever is not known for sure (an escape, a field given
//! twice, another number, a list or an object, anything broken) is not read here at all: the
//! line then goes to the JSON parser, which alone says what is wrong. So what comes out here
//! is what the parser would give, and tests hold the two together.

mod names;
mod shape;
mod step;
mod tree;

use super::own::is_own_output;
use crate::evidence::Field;
use crate::evidence::token::parse_token;
use crate::ingest::compact::{Compact, Plain, Span};
use crate::ingest::literal::{LONGEST, ahead};
use crate::ingest::plain::{integer, text_end};
use names::Names;
use shape::{Shape, Values};
use step::{Step, Told, Way};
use tree::{NodeId, Tree};

/// What lines have looked like so far. It makes reading faster and changes no result.
#[derive(Debug, Default)]
pub(super) struct Layout {
    tree: Tree,
    names: Names,
    values: Values,
}

impl Layout {
    /// Looks at what begins in `text` at `start`, and adds the record that it is to `records`.
    /// `None` if it is in doubt. No name, text or
    /// space that is read here holds a line end, so nothing beyond the line is taken for a
    /// part of it.
    pub(super) fn scan(
        &mut self,
        text: &str,
        start: usize,
        records: &mut Vec<Compact>,
    ) -> Option<Plain> {
        // Places are told in 32 bits.
        if u32::try_from(text.len()).is_err() || text.as_bytes().get(start) != Some(&b'{') {
            return None;
        }
        if is_own_output(text.get(start..)?) {
            return None;
        }
        self.tree.lines += 1;
        let (at, shape) = self.walk(text, start)?;
        let behind = text.as_bytes().get(at..)?;
        let spaces = behind.iter().take_while(|byte| **byte == b' ').count();
        let is_record = match shape {
            Shape::Record(record) => {
                records.push(record.compact(&self.values));
                true
            }
            Shape::Other => false,
            Shape::Doubt => return None,
        };
        Some(Plain {
            end: at + spaces,
            is_record,
        })
    }

    /// Walks an object along the tree: where it ends, and what it comes to. `None` if that is
    /// in doubt.
    #[inline]
    fn walk(&mut self, text: &str, start: usize) -> Option<(usize, Shape)> {
        let bytes = text.as_bytes();
        let mut at = start;
        let mut node = NodeId::ROOT;
        let mut few = [0; LONGEST];
        loop {
            let rest = bytes.get(at..)?;
            let ahead = ahead(rest, &mut few);
            if ahead[0] == b'}' {
                break;
            }
            let (mut before, mut next) = (NodeId::ROOT, self.tree.node(node).follows);
            let found = loop {
                if next.is_none() {
                    return self.beside_the_tree(text, at, node);
                }
                let found = self.tree.node(next);
                if found.literal.fits(ahead) {
                    break found;
                }
                (before, next) = (next, found.instead);
            };
            at = self
                .values
                .read(found.step, text, at + found.literal.len())?;
            if !before.is_none() {
                self.tree.move_up(node, before, next);
            }
            node = next;
        }
        Some((at + 1, self.tree.shape(node)))
    }

    /// Reads the rest of a line that looks like none before, and learns from it.
    #[cold]
    fn beside_the_tree(
        &mut self,
        text: &str,
        start: usize,
        node: NodeId,
    ) -> Option<(usize, Shape)> {
        let (mut at, mut begin) = (start, start);
        let mut path = self.tree.path(node);
        let mut learned = Some(node);
        loop {
            let ahead = self.ahead(text, at, path.is_empty())?;
            // What is read with its name makes one node with what follows, as far as it fits.
            let fits = match ahead {
                Ahead::Name(len, ..) => at + len - begin < LONGEST,
                Ahead::End(_) => false,
            };
            if begin < at && !fits {
                let read = text.as_bytes().get(begin..at)?;
                let learn = |node| self.tree.learn(node, read, Step::default(), path);
                learned = learned.and_then(learn);
                begin = at;
            }
            let (len, step, told) = match ahead {
                Ahead::Name(len, step, told) => (len, step, told),
                Ahead::End(at) => return Some((at + 1, path.shape())),
            };
            path.add(step, told)?;
            at += len;
            if step.way != Way::Known {
                let read = text.as_bytes().get(begin..at)?;
                let learn = |node| self.tree.learn(node, read, step, path);
                learned = learned.and_then(learn);
                at = self.values.read(step, text, at)?;
                begin = at;
            }
        }
    }

    /// What comes behind a value, or first. `None` if that is in doubt.
    #[inline]
    fn ahead(&mut self, text: &str, at: usize, is_first: bool) -> Option<Ahead> {
        let bytes = text.as_bytes();
        let mut few = [0; LONGEST];
        let ahead = ahead(bytes.get(at..)?, &mut few);
        if (ahead[0] == b'{') == is_first
            && let Some((len, step, told)) = self.names.find(ahead)
        {
            return Some(Ahead::Name(len, step, told));
        }
        let rest = text.get(at..)?;
        let spaces = rest.bytes().take_while(|byte| *byte == b' ').count();
        if rest.as_bytes().get(spaces) == Some(&b'}') {
            return Some(Ahead::End(at + spaces));
        }
        let (len, step, told) = Step::ahead(rest, is_first)?;
        self.names.keep(bytes.get(at..at + len)?, step, told);
        Some(Ahead::Name(len, step, told))
    }
}

/// What comes behind a value of a line, or first.
enum Ahead {
    /// A name with all that stands around it, so many bytes, and what is known of its value.
    Name(usize, Step, Told),
    /// The bracket that ends the object, and where.
    End(usize),
}

impl Values {
    /// Reads the value that stands at `at`, and gives the place behind it. `None` if that is
    /// in doubt. What follows a value can't be part of it, or else no name is found there.
    #[inline(always)]
    fn read(&mut self, step: Step, text: &str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let row = step.row();
        match step.way {
            Way::Text => {
                let quote = text_end(bytes, at)?;
                // An empty name or handle was never set.
                if quote == at && row < Field::Ts as usize {
                    return None;
                }
                self.texts[row] = Span::between(at, quote);
                Some(quote + 1)
            }
            Way::Number => {
                let (number, digits) = integer(bytes, at)?;
                self.numbers[row] = number;
                Some(at + digits)
            }
            Way::Digits => {
                let (_, digits) = integer(bytes, at)?;
                self.texts[row] = Span::between(at, at + digits);
                Some(at + digits)
            }
            Way::QuotedNumber => {
                let quote = text_end(bytes, at)?;
                self.numbers[row] = parse_token(text.get(at..quote)?).ok()?;
                Some(quote + 1)
            }
            Way::Known => Some(at),
        }
    }
}

#[cfg(test)]
mod tests;
