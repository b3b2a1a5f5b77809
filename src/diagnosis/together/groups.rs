//! The records of several observers of one lock, which wait to be joined.

use hashbrown::HashMap;

use crate::timeline::{Step, Symbol};

/// The records of all observers of one lock, kept until they can be joined.
#[derive(Debug)]
pub struct Group {
    /// The lock.
    pub name: Symbol,
    /// Its observers, by number, each with the index of its records' judgement.
    pub members: Vec<(u32, usize)>,
    pub(super) steps: Vec<Step>,
    pub(super) given_up: bool,
}

/// All groups of a run.
#[derive(Debug, Default)]
pub struct Groups {
    pub(super) all: Vec<Group>,
    index: HashMap<Symbol, usize, foldhash::fast::FixedState>,
    waiting: usize,
}

impl Groups {
    /// Takes a record of an observer; `room` is how many may wait.
    pub fn take(&mut self, name: Symbol, observer: u32, at: usize, step: Step, room: usize) {
        let all = &mut self.all;
        let index = *self.index.entry(name).or_insert_with(|| {
            all.push(Group {
                name,
                members: Vec::new(),
                steps: Vec::new(),
                given_up: false,
            });
            all.len() - 1
        });
        let group = &mut all[index];
        if !group.members.iter().any(|(known, _)| *known == observer) {
            group.members.push((observer, at));
        }
        if !group.given_up {
            group.steps.push(step);
            self.waiting += 1;
        }
        if self.waiting > room {
            self.give_up(room / 2);
        }
    }

    /// Gives up joining the locks with the most records until few enough wait. What
    /// their observers show alone is judged all the same.
    fn give_up(&mut self, room: usize) {
        let mut sizes: Vec<(usize, usize)> = self
            .all
            .iter()
            .enumerate()
            .map(|(at, group)| (group.steps.len(), at))
            .collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        for (size, at) in sizes {
            if self.waiting <= room {
                break;
            }
            self.all[at].steps = Vec::new();
            self.all[at].given_up = true;
            self.waiting -= size;
        }
    }

    pub(super) fn get(&self, name: Symbol) -> Option<(usize, &Group)> {
        let at = *self.index.get(&name)?;
        Some((at, &self.all[at]))
    }
}
