//! All paths of a mapping as one tree, so that a frame is walked once.

use super::path::{Path, Step};

/// Index of a slot.
pub(crate) type SlotId = usize;
/// Index of a node.
pub(crate) type NodeId = usize;

/// Where the walk stands, and what is wanted below.
#[derive(Debug, Default)]
pub(crate) struct Node {
    pub(crate) keys: Vec<(Box<str>, NodeId)>,
    pub(crate) items: Vec<(usize, NodeId)>,
    /// Wanted elements of an array, by the member that tells them apart.
    pub(crate) selections: Vec<Selection>,
    pub(crate) json: Option<NodeId>,
    pub(crate) logfmt: Option<NodeId>,
    /// The value here is wanted.
    pub(crate) slot: Option<SlotId>,
    /// The node was reached by a selection: an element `{key, value}` is its value.
    pub(crate) selected: bool,
}

/// Elements of an array, told apart by one member.
#[derive(Debug)]
pub(crate) struct Selection {
    pub(crate) name: Box<str>,
    pub(crate) wanted: Vec<(Box<str>, NodeId)>,
}

impl Node {
    /// The child under a key.
    pub(crate) fn key(&self, key: &str) -> Option<NodeId> {
        self.keys
            .iter()
            .find(|(name, _)| name.len() == key.len() && **name == *key)
            .map(|(_, node)| *node)
    }

    /// Nothing below is wanted.
    pub(crate) fn is_leaf(&self) -> bool {
        self.keys.is_empty() && self.items.is_empty() && self.selections.is_empty()
    }
}

/// The tree. Node 0 is the root.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) nodes: Vec<Node>,
}

impl Plan {
    pub(crate) fn new() -> Plan {
        Plan {
            nodes: vec![Node::default()],
        }
    }

    /// Where the path leads; makes the nodes on the way. A `[*]` step is not followed:
    /// the caller splits paths there.
    pub(crate) fn node(&mut self, steps: &[Step]) -> NodeId {
        let mut at = 0;
        for step in steps {
            at = self.child(at, step);
        }
        at
    }

    /// The slot of a path; the same path has the same slot.
    pub(crate) fn slot(&mut self, steps: &[Step], next: &mut SlotId) -> SlotId {
        let node = self.node(steps);
        let Some(node) = self.nodes.get_mut(node) else {
            return 0;
        };
        *node.slot.get_or_insert_with(|| {
            *next += 1;
            *next - 1
        })
    }

    fn child(&mut self, at: NodeId, step: &Step) -> NodeId {
        let fresh = self.nodes.len();
        let Some(node) = self.nodes.get_mut(at) else {
            return 0;
        };
        let found = match step {
            Step::Key(key) => {
                let found = node.key(key);
                if found.is_none() {
                    node.keys.push((key.as_str().into(), fresh));
                }
                found
            }
            Step::Index(index) => {
                let found = node.items.iter().find(|(i, _)| i == index).map(|(_, n)| *n);
                if found.is_none() {
                    node.items.push((*index, fresh));
                }
                found
            }
            Step::Where { name, value } => {
                let group = match node.selections.iter().position(|s| *s.name == **name) {
                    Some(group) => group,
                    None => {
                        node.selections.push(Selection {
                            name: name.as_str().into(),
                            wanted: Vec::new(),
                        });
                        node.selections.len() - 1
                    }
                };
                let wanted = &mut node.selections[group].wanted;
                let found = wanted.iter().find(|(v, _)| **v == **value).map(|(_, n)| *n);
                if found.is_none() {
                    wanted.push((value.as_str().into(), fresh));
                }
                found
            }
            Step::Json => {
                let found = node.json;
                node.json.get_or_insert(fresh);
                found
            }
            Step::Logfmt => {
                let found = node.logfmt;
                node.logfmt.get_or_insert(fresh);
                found
            }
            Step::Every => Some(at),
        };
        found.unwrap_or_else(|| {
            self.nodes.push(Node {
                selected: matches!(step, Step::Where { .. }),
                ..Node::default()
            });
            fresh
        })
    }
}

/// A path cut at its `[*]` steps: before the first, between them, after the last.
pub(crate) fn levels(path: &Path) -> Vec<Vec<Step>> {
    path.steps
        .split(|step| *step == Step::Every)
        .map(<[Step]>::to_vec)
        .collect()
}
