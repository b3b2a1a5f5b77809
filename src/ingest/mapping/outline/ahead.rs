//! Looking from one value of a line to the next, whatever stands between them.

use super::guess::Value;
use crate::ingest::mapping::plan::{Node, NodeId, Plan};
use crate::ingest::mapping::slot::Slot;
use crate::ingest::mapping::walk::MAX_DEPTH;
use crate::ingest::plain::text_end;

/// A bracket that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    /// What is wanted of it.
    node: Option<NodeId>,
    /// Of an array, the element.
    index: Option<usize>,
}

fn begins_value(byte: &u8) -> bool {
    matches!(byte, b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
}

/// Looks from one value to the next.
pub(super) struct Ahead<'a> {
    pub(super) plan: &'a Plan,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Ahead<'a> {
    /// Reads the rest of a line that is in an order of its own.
    #[cold]
    pub(super) fn rest(
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
    pub(super) fn value(
        &mut self,
        open: &mut Vec<Open>,
        begin: bool,
    ) -> Option<Option<Option<NodeId>>> {
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
