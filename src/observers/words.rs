//! Which observers use the same words: an application names workers, an authority the
//! connections they came from, and a token of one counter says nothing of another's.

use hashbrown::{HashMap, HashSet};

use crate::evidence::Token;
use crate::timeline::{ActiveLease, Handle, Step, Symbol};

/// A kind of word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Owner,
    Lease,
    Token,
    Operation,
    Key,
}

const KINDS: [Kind; 5] = [
    Kind::Owner,
    Kind::Lease,
    Kind::Token,
    Kind::Operation,
    Kind::Key,
];

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Word {
    Name(Symbol),
    Number(Token),
}

/// The words that the observers of one lock use, and which of them use the same.
#[derive(Debug, Default)]
pub(super) struct Words {
    known: Vec<(u32, HashMap<Kind, HashSet<Word>>)>,
    /// For each kind, by observer in the order of `known`: the first observer with whose
    /// words its own agree.
    classes: HashMap<Kind, Vec<usize>>,
}

impl Words {
    /// Takes the records of one more observer.
    pub(super) fn take(&mut self, observer: u32, steps: &[Step]) {
        let mut words: HashMap<Kind, HashSet<Word>> = HashMap::new();
        for step in steps {
            for (kind, word) in words_of(step) {
                words.entry(kind).or_default().insert(word);
            }
        }
        self.known.push((observer, words));
        for kind in KINDS {
            let classes = self.classify(kind);
            self.classes.insert(kind, classes);
        }
    }

    fn classify(&self, kind: Kind) -> Vec<usize> {
        let sets: Vec<Option<&HashSet<Word>>> = self
            .known
            .iter()
            .map(|(_, words)| words.get(&kind).filter(|set| !set.is_empty()))
            .collect();
        let mut classes: Vec<usize> = (0..sets.len()).collect();
        for (at, set) in sets.iter().enumerate() {
            for (before, other) in sets.iter().enumerate().take(at) {
                let (Some(set), Some(other)) = (set, other) else {
                    continue;
                };
                if !set.is_disjoint(other) {
                    let (old, new) = (classes[at], classes[before]);
                    let (old, new) = (old.max(new), old.min(new));
                    for class in &mut classes {
                        if *class == old {
                            *class = new;
                        }
                    }
                }
            }
        }
        // Who has no word of this kind takes those of the first who has.
        let first = sets.iter().position(Option::is_some).unwrap_or(0);
        for (class, set) in classes.iter_mut().zip(&sets) {
            if set.is_none() {
                *class = first;
            }
        }
        // The class of the first is named by it, whichever was met first.
        let named = classes.get(first).copied().unwrap_or(first);
        for class in &mut classes {
            if *class == first {
                *class = named;
            }
        }
        classes
    }

    fn class(&self, kind: Kind, observer: u32) -> Option<usize> {
        let at = self.known.iter().position(|(one, _)| *one == observer)?;
        self.classes.get(&kind)?.get(at).copied()
    }

    /// Whether two observers use the same words of a kind.
    pub(super) fn agree(&self, kind: Kind, a: u32, b: u32) -> bool {
        a == b || self.class(kind, a) == self.class(kind, b)
    }
}

fn words_of(step: &Step) -> impl Iterator<Item = (Kind, Word)> {
    let active = match step.active {
        ActiveLease::Lease(handle) => handle,
        _ => Handle::default(),
    };
    let handles = [step.handle, active].into_iter().flat_map(|handle| {
        [
            (Kind::Owner, handle.owner.map(Word::Name)),
            (Kind::Lease, handle.lease.map(Word::Name)),
            (Kind::Token, handle.token.map(Word::Number)),
        ]
    });
    let others = [
        (Kind::Operation, step.operation.map(Word::Name)),
        (Kind::Key, step.key.map(Word::Name)),
    ];
    handles
        .chain(others)
        .filter_map(|(kind, word)| Some((kind, word?)))
}
