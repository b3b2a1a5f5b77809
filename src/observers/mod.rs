//! Observers of one run: who wrote which input, and what their records say together.
//!
//! Each observer has an order of its own, and nothing orders the records of two. What two
//! of them saw of one event is joined by what the records name (`join`), so that an
//! event is known with the fields of all its observers and counted once.

pub(crate) mod join;
mod matching;
mod spelling;
mod words;

use crate::evidence::Origin;

/// Who wrote some of the inputs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observer {
    /// Its name; the inputs that the user did not name have an observer without one.
    pub name: String,
    /// Who numbered its records, where they do not say so themselves.
    pub role: Option<Origin>,
}

/// Which input was written by which observer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Observers {
    all: Vec<Observer>,
    of_source: Vec<u32>,
}

impl Observers {
    /// Says that `source`, an index of an input, was written by the observer of that
    /// name. Inputs that share a name share the observer.
    pub fn assign(&mut self, source: usize, name: &str, role: Option<Origin>) {
        let known = self.all.iter().position(|one| one.name == name);
        let at = known.unwrap_or_else(|| {
            self.all.push(Observer {
                name: name.to_owned(),
                role,
            });
            self.all.len() - 1
        });
        if self.of_source.len() <= source {
            self.of_source.resize(source + 1, 0);
        }
        self.of_source[source] = u32::try_from(at).unwrap_or(u32::MAX);
    }

    /// The observer that wrote an input, by its number.
    pub fn of(&self, source: u32) -> u32 {
        self.of_source.get(source as usize).copied().unwrap_or(0)
    }

    /// Who numbered the records of an observer.
    pub fn role(&self, observer: u32) -> Option<Origin> {
        self.all.get(observer as usize)?.role
    }

    /// Whether there is more than one.
    pub fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// Where an observer stands among the others, in whatever order the inputs were
    /// given: those that only saw what happened, then those that decided it.
    fn rank(&self, observer: u32) -> (bool, &str) {
        let one = self.all.get(observer as usize);
        let decides = one.and_then(|one| one.role).is_some_and(Origin::decides);
        (decides, one.map_or("", |one| &one.name))
    }

    /// Puts observers, by their numbers, in the order of their standing.
    pub fn sort<T>(&self, items: &mut [T], observer: impl Fn(&T) -> u32) {
        items.sort_by(|a, b| self.rank(observer(a)).cmp(&self.rank(observer(b))));
    }
}
