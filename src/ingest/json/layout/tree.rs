//! The tree of what lines have looked like.

use super::shape::{Path, Shape};
use super::step::Step;
use crate::ingest::literal::{Before, Literal};

/// With more nodes than this the tree starts anew: lines look like something else by now.
const MOST: usize = 1024;
/// So many nodes are learned at once; further ones only where lines have come for them, so
/// that lines of which none is like another are not learned for nothing.
const FREE: usize = 256;
const LINES_A_NODE: usize = 64;
/// Found so often behind others, a node comes before them.
const OFTEN: u16 = 16;

/// A node by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NodeId(u16);

impl NodeId {
    /// Where all lines begin. It follows nothing, so its number stands for none as well.
    pub(super) const ROOT: NodeId = NodeId(0);

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0) % MOST
    }

    #[inline]
    pub(super) fn is_none(self) -> bool {
        self == NodeId::ROOT
    }
}

/// All that stands between two values: a comma (or the bracket before the first one), a
/// name, a colon, the spaces around them, and what the value begins with; of a value that is
/// one of a few, the whole of it, and what follows that. It lies on two lines of the caches,
/// not on parts of three.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Node {
    pub(super) literal: Literal,
    pub(super) step: Step,
    /// The first of what may follow.
    pub(super) follows: NodeId,
    /// What else may stand here.
    pub(super) instead: NodeId,
    /// How often it was found behind others, since it was the first or began.
    late: u16,
}

/// What lines have looked like.
#[derive(Debug)]
pub(super) struct Tree {
    /// In a room of their own for all there may be, so that no number is out of range.
    nodes: Box<[Node; MOST]>,
    count: usize,
    /// By node: what a line gave up to there, and what it comes to if it ends there.
    paths: Vec<(Path, Shape)>,
    /// How many lines there were since it began.
    pub(super) lines: usize,
}

impl Default for Tree {
    fn default() -> Tree {
        // No line is compared with the root.
        let root = Node {
            literal: Literal::default(),
            step: Step::default(),
            follows: NodeId::ROOT,
            instead: NodeId::ROOT,
            late: 0,
        };
        let path = Path::default();
        Tree {
            nodes: Box::new([root; MOST]),
            count: 1,
            paths: vec![(path, path.shape())],
            lines: 0,
        }
    }
}

impl Tree {
    /// A node.
    #[inline]
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Lets a node come first that was often found behind others.
    #[inline(never)]
    pub(super) fn move_up(&mut self, parent: NodeId, before: NodeId, id: NodeId) {
        let node = &mut self.nodes[id.index()];
        node.late += 1;
        // A word that is none of ours begins as all words do, so its node comes after theirs.
        if node.late < OFTEN || node.step.is_foreign {
            node.late = node.late.min(OFTEN);
            return;
        }
        node.late = 0;
        let instead = node.instead;
        let first = self.nodes[parent.index()].follows;
        self.nodes[before.index()].instead = instead;
        self.nodes[id.index()].instead = first;
        self.nodes[parent.index()].follows = id;
    }

    /// What a line gave up to a node.
    pub(super) fn path(&self, node: NodeId) -> Path {
        self.paths[node.index()].0
    }

    /// What a line comes to that ends behind a node.
    #[inline]
    pub(super) fn shape(&self, node: NodeId) -> Shape {
        self.paths[node.index()].1
    }

    /// Learns that a text follows a node, where lines have given up to it what `path` says.
    pub(super) fn learn(
        &mut self,
        node: NodeId,
        text: &[u8],
        step: Step,
        path: Path,
    ) -> Option<NodeId> {
        if self.count == MOST {
            *self = Tree::default();
            return None;
        }
        if self.count > FREE + self.lines / LINES_A_NODE {
            return None;
        }
        let literal = Literal::new(
            text,
            match step.is_bare_number() {
                true => Before::Digit,
                false => Before::Anything,
            },
        )?;
        let id = NodeId(u16::try_from(self.count).ok()?);
        // The last one, so that what was found before is found as fast; a foreign word stays
        // behind whatever comes.
        let mut last = NodeId::ROOT;
        let mut next = self.nodes[node.index()].follows;
        while !next.is_none() && !self.nodes[next.index()].step.is_foreign {
            (last, next) = (next, self.nodes[next.index()].instead);
        }
        self.count += 1;
        self.nodes[id.index()] = Node {
            literal,
            step,
            follows: NodeId::ROOT,
            instead: next,
            late: 0,
        };
        if last.is_none() {
            self.nodes[node.index()].follows = id;
        } else {
            self.nodes[last.index()].instead = id;
        }
        self.paths.push((path, path.shape()));
        Some(id)
    }
}
