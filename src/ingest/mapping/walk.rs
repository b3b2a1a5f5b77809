//! Walks one JSON value along a plan and fills the slots; what no path wants is skipped.
//!
//! Structure is checked everywhere (brackets, commas, colons, strings, words), so that a
//! line that was cut off never passes for a record; the digits of a number that nobody
//! wants are not.

mod lookup;

use std::borrow::Cow;
use std::ops::Range;

use super::logfmt;
use super::plan::{NodeId, Plan};
use super::slot::{Kind, Slot, unescape};
pub(crate) use lookup::elements;
use lookup::{member, unwrapped};

/// How deep brackets may lie in each other.
pub(crate) const MAX_DEPTH: u32 = 127;

/// The value ends here or is broken: the offset of the first byte that can't be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken(pub(crate) usize);

/// One walk.
pub(crate) struct Walk<'w> {
    plan: &'w Plan,
    slots: &'w mut [Slot],
    text: &'w str,
    bytes: &'w [u8],
    /// For a text inside a value: where that value stands in the frame.
    outer: Option<Range<usize>>,
    /// Where in the frame the text begins, if it stands there as it is.
    base: Option<usize>,
    depth: u32,
}

impl<'w> Walk<'w> {
    /// A walk over a text that is the frame itself.
    pub(crate) fn new(plan: &'w Plan, slots: &'w mut [Slot], text: &'w str) -> Walk<'w> {
        Walk {
            plan,
            slots,
            text,
            bytes: text.as_bytes(),
            outer: None,
            base: Some(0),
            depth: 0,
        }
    }

    /// Walks the one value of the text, with nothing but blanks around it.
    pub(crate) fn whole(&mut self, node: NodeId) -> Result<(), Broken> {
        let end = self.value(self.blanks(0), Some(node))?;
        let end = self.blanks(end);
        if end == self.bytes.len() {
            Ok(())
        } else {
            Err(Broken(end))
        }
    }

    /// Walks the value that begins at `at`; the offset after it.
    pub(crate) fn value(&mut self, at: usize, node: Option<NodeId>) -> Result<usize, Broken> {
        let (end, kind, escaped) = match self.bytes.get(at) {
            Some(b'{') => (self.object(at, node)?, Kind::Whole, false),
            Some(b'[') => (self.array(at, node)?, Kind::Whole, false),
            Some(b'"') => {
                let (end, escaped) = self.string(at)?;
                (end, Kind::Text, escaped)
            }
            Some(b't') => (self.word(at, b"true")?, Kind::Bool, false),
            Some(b'f') => (self.word(at, b"false")?, Kind::Bool, false),
            Some(b'n') => (self.word(at, b"null")?, Kind::Null, false),
            Some(b'-' | b'0'..=b'9') => (self.number(at), Kind::Number, false),
            _ => return Err(Broken(at)),
        };
        if let Some(node) = node {
            let span = if kind == Kind::Text {
                at + 1..end - 1
            } else {
                at..end
            };
            self.found(node, kind, span, escaped);
        }
        Ok(end)
    }

    /// A value of a frame that has columns, pairs or groups instead of members.
    pub(crate) fn flat(&mut self, node: NodeId, span: Range<usize>, text: Cow<'_, str>) {
        match text {
            Cow::Borrowed(_) => self.found(node, Kind::Text, span, false),
            Cow::Owned(text) => self.found_owned(node, span, text),
        }
    }

    pub(crate) fn found(&mut self, node: NodeId, kind: Kind, span: Range<usize>, escaped: bool) {
        let plan = self.plan;
        let Some(node) = plan.nodes.get(node) else {
            return;
        };
        if kind == Kind::Text && (node.json.is_some() || node.logfmt.is_some()) {
            let raw = self.text.get(span.clone()).unwrap_or_default();
            let inside = if escaped {
                Cow::Owned(unescape(raw))
            } else {
                Cow::Borrowed(raw)
            };
            let outer = self.outer.clone().unwrap_or(span.clone());
            let base = self.base.filter(|_| !escaped).map(|base| base + span.start);
            self.nested(node.json, node.logfmt, &inside, base, outer);
        }
        let Some(slot) = node.slot else { return };
        let Some(slot) = self.slots.get_mut(slot) else {
            return;
        };
        let (kind, span, escaped) = if kind == Kind::Whole && node.selected {
            unwrapped(self.text, span.clone()).unwrap_or((kind, span, escaped))
        } else {
            (kind, span, escaped)
        };
        match &self.outer {
            None => slot.set(kind, span, escaped),
            Some(outer) => match self.base {
                Some(base) if !escaped => {
                    slot.set_inside(kind, outer.clone(), base + span.start..base + span.end);
                }
                _ => {
                    let raw = self.text.get(span).unwrap_or_default();
                    let text = if escaped {
                        unescape(raw)
                    } else {
                        raw.to_owned()
                    };
                    slot.set_owned(kind, outer.clone(), text);
                }
            },
        }
    }

    fn found_owned(&mut self, node: NodeId, span: Range<usize>, text: String) {
        let plan = self.plan;
        let Some(node) = plan.nodes.get(node) else {
            return;
        };
        let span = self.outer.clone().unwrap_or(span);
        self.nested(node.json, node.logfmt, &text, None, span.clone());
        if let Some(slot) = node.slot.and_then(|slot| self.slots.get_mut(slot)) {
            slot.set_owned(Kind::Text, span, text);
        }
    }

    /// Reads a text inside a value. A text that is not what the path says gives nothing.
    fn nested(
        &mut self,
        json: Option<NodeId>,
        pairs: Option<NodeId>,
        text: &str,
        base: Option<usize>,
        outer: Range<usize>,
    ) {
        if self.depth >= MAX_DEPTH {
            return;
        }
        let mut inner = Walk {
            plan: self.plan,
            slots: self.slots,
            text,
            bytes: text.as_bytes(),
            outer: Some(outer),
            base,
            depth: self.depth + 1,
        };
        if let Some(node) = json
            && text.trim_ascii_start().starts_with(['{', '['])
        {
            let _ = inner.whole(node);
        }
        if let Some(node) = pairs {
            logfmt::pairs(text, |key, span, value| {
                if let Some(child) = inner.plan.nodes.get(node).and_then(|n| n.key(key)) {
                    inner.flat(child, span, value);
                }
            });
        }
    }

    fn object(&mut self, at: usize, node: Option<NodeId>) -> Result<usize, Broken> {
        self.enter(at)?;
        let plan = self.plan;
        let node = node
            .and_then(|n| plan.nodes.get(n))
            .filter(|n| !n.keys.is_empty());
        let mut at = self.blanks(at + 1);
        if self.bytes.get(at) == Some(&b'}') {
            self.depth -= 1;
            return Ok(at + 1);
        }
        loop {
            if self.bytes.get(at) != Some(&b'"') {
                return Err(Broken(at));
            }
            let (end, escaped) = self.string(at)?;
            let child = node.and_then(|node| {
                let key = self.text.get(at + 1..end - 1).unwrap_or_default();
                if escaped {
                    node.key(&unescape(key))
                } else {
                    node.key(key)
                }
            });
            at = self.blanks(end);
            if self.bytes.get(at) != Some(&b':') {
                return Err(Broken(at));
            }
            at = self.value(self.blanks(at + 1), child)?;
            at = self.blanks(at);
            match self.bytes.get(at) {
                Some(b',') => at = self.blanks(at + 1),
                Some(b'}') => break,
                _ => return Err(Broken(at)),
            }
        }
        self.depth -= 1;
        Ok(at + 1)
    }

    fn array(&mut self, at: usize, node: Option<NodeId>) -> Result<usize, Broken> {
        self.enter(at)?;
        let plan = self.plan;
        let node = node
            .and_then(|n| plan.nodes.get(n))
            .filter(|n| !n.is_leaf());
        let mut at = self.blanks(at + 1);
        if self.bytes.get(at) == Some(&b']') {
            self.depth -= 1;
            return Ok(at + 1);
        }
        let mut index = 0;
        loop {
            let mut child = None;
            if let Some(node) = node {
                child = node
                    .items
                    .iter()
                    .find(|(i, _)| *i == index)
                    .map(|(_, n)| *n);
                if child.is_none() && self.bytes.get(at) == Some(&b'{') {
                    child = node.selections.iter().find_map(|selection| {
                        let value = member(self.text, at, &selection.name)?;
                        selection
                            .wanted
                            .iter()
                            .find(|(v, _)| **v == *value)
                            .map(|(_, n)| *n)
                    });
                }
            }
            let end = self.value(at, child)?;
            at = self.blanks(end);
            index += 1;
            match self.bytes.get(at) {
                Some(b',') => at = self.blanks(at + 1),
                Some(b']') => break,
                _ => return Err(Broken(at)),
            }
        }
        self.depth -= 1;
        Ok(at + 1)
    }

    fn enter(&mut self, at: usize) -> Result<(), Broken> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Broken(at));
        }
        Ok(())
    }

    /// The offset after the string that begins at `at`, and whether it holds escapes.
    fn string(&self, at: usize) -> Result<(usize, bool), Broken> {
        let mut escaped = false;
        let mut at = at + 1;
        loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                return Err(Broken(self.bytes.len()));
            };
            if rest[found] == b'"' {
                return Ok((at + found + 1, escaped));
            }
            escaped = true;
            at += found + 2;
        }
    }

    fn word(&self, at: usize, word: &[u8]) -> Result<usize, Broken> {
        let end = at + word.len();
        if self.bytes.get(at..end) == Some(word) {
            Ok(end)
        } else {
            Err(Broken(at))
        }
    }

    /// Whether the byte may be part of a number.
    #[inline]
    pub(crate) fn is_digit(byte: u8) -> bool {
        matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-')
    }

    fn number(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let digits = rest.iter().take_while(|b| Walk::is_digit(**b)).count();
        at + digits
    }

    fn blanks(&self, at: usize) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        let blanks = rest
            .iter()
            .take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
            .count();
        at + blanks
    }
}
