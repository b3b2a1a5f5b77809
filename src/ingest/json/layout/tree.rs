//! The tree of what lines have looked like.

use super::shape::{Path, Shape};
use super::step::{Step, Way};

/// Longer names, with what stands around them, are not learned.
pub(super) const LONGEST: usize = 48;
/// So many bytes are compared at once; most names are no longer.
const AT_ONCE: usize = 16;
const PARTS: usize = LONGEST / AT_ONCE;
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
/// one of a few, the whole of it. It lies on two lines of the caches, not on parts of three.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(super) struct Node {
    text: [Masked; PARTS],
    len: u8,
    /// Whether there is more of it than the first part.
    is_long: bool,
    pub(super) step: Step,
    /// The first of what may follow.
    pub(super) follows: NodeId,
    /// What else may stand here.
    pub(super) instead: NodeId,
    /// How often it was found behind others, since it was the first or began.
    late: u16,
}

/// Some bytes, and which of them count.
#[derive(Debug, Clone, Copy, Default)]
struct Masked {
    text: u128,
    mask: u128,
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
            text: [Masked::default(); PARTS],
            len: 0,
            is_long: false,
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

impl Node {
    /// How many bytes its text has.
    #[inline]
    pub(super) fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether its text comes next.
    #[inline]
    pub(super) fn fits(&self, ahead: &[u8; LONGEST]) -> bool {
        self.text[0].fits(ahead, 0)
            && (!self.is_long || (1..PARTS).all(|n| self.text[n].fits(ahead, n)))
    }
}

impl Masked {
    #[inline]
    fn fits(self, ahead: &[u8; LONGEST], part: usize) -> bool {
        let part = ahead.as_chunks::<AT_ONCE>().0.get(part);
        let part = part.map_or(0, |part| u128::from_le_bytes(*part));
        (self.text ^ part) & self.mask == 0
    }

    /// The parts of a text with a value behind it.
    fn parts(text: &[u8], way: Way) -> [Masked; PARTS] {
        let mut bytes = [[0; AT_ONCE]; PARTS];
        let mut mask = bytes;
        // Digits share their upper half with few other bytes; one that is none of them is
        // doubted when the number is read.
        let digit = matches!(way, Way::Number | Way::Digits).then_some((b'0', 0xf0));
        let counting = text.iter().map(|byte| (*byte, u8::MAX)).chain(digit);
        let places = bytes.as_flattened_mut().iter_mut();
        for ((place, mask), byte) in places.zip(mask.as_flattened_mut()).zip(counting) {
            (*place, *mask) = byte;
        }
        std::array::from_fn(|n| Masked {
            text: u128::from_le_bytes(bytes[n]),
            mask: u128::from_le_bytes(mask[n]),
        })
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
        if text.len() >= LONGEST || self.count > FREE + self.lines / LINES_A_NODE {
            return None;
        }
        let id = NodeId(u16::try_from(self.count).ok()?);
        // The last one, so that what was found before is found as fast; a foreign word stays
        // behind whatever comes.
        let mut last = NodeId::ROOT;
        let mut next = self.nodes[node.index()].follows;
        while !next.is_none() && !self.nodes[next.index()].step.is_foreign {
            (last, next) = (next, self.nodes[next.index()].instead);
        }
        self.count += 1;
        let parts = Masked::parts(text, step.way);
        self.nodes[id.index()] = Node {
            text: parts,
            len: text.len() as u8,
            is_long: parts[1].mask != 0,
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
