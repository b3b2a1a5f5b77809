//! Observers: what they see of a run, and what becomes of their lines.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use serde::{Deserialize, Serialize};

use crate::evidence::{Answer, Event as Step, Field, Origin};

use super::event::{Event, Reached};
use super::fault::UnknownName;
use super::rng::Rng;
use super::sighting::{FieldSet, Sighting, decided_by};

/// Who writes a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observer {
    /// Authority and resource together, with every reading.
    #[default]
    Complete,
    /// The workers: their requests and the answers that reached them, no readings.
    ClientsOnly,
    /// The resource: the writes that reached it. It knows no owner and no lease.
    ResourceOnly,
    /// The authority: leases, and no write.
    AuthorityOnly,
}

/// Who numbers the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Numbering {
    /// Whoever decided, in the order of its decisions.
    #[default]
    Decider,
    /// A collector, in the order in which lines arrived.
    Collector,
    /// Each worker for itself.
    Worker,
    /// Nobody.
    None,
}

macro_rules! names {
    ($type:ident { $($choice:ident $word:literal,)* }) => {
        impl $type {
            /// Every choice.
            pub const ALL: &'static [$type] = &[$($type::$choice,)*];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $($type::$choice => $word,)* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<$type, UnknownName> {
                $type::ALL.iter().copied().find(|choice| choice.name() == name).ok_or_else(|| UnknownName {
                    name: name.to_owned(),
                    known: $type::ALL.iter().map(|choice| choice.name()).collect(),
                })
            }
        }
    };
}

names! { Observer { Complete "complete", ClientsOnly "clients-only", ResourceOnly "resource-only", AuthorityOnly "authority-only", } }
names! { Numbering { Decider "decider", Collector "collector", Worker "worker", None "none", } }

/// Who watches, and how badly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Watching {
    /// The observers; each writes a line of its own for what it sees.
    pub observers: Vec<Observer>,
    /// Who numbers the lines.
    pub numbering: Numbering,
    /// Fields that nobody records.
    pub hide: FieldSet,
    /// In how many lines of a thousand each other field is missing.
    pub patchy: u16,
    /// How many lines of a thousand are lost.
    pub lose: u16,
    /// By how many lines a line may come late.
    pub late: u32,
    /// How many lines of a thousand are delivered twice.
    pub repeat: u16,
    /// Over how many files the lines are split.
    pub files: u32,
}

impl Default for Watching {
    fn default() -> Watching {
        Watching {
            observers: vec![Observer::Complete],
            numbering: Numbering::Decider,
            hide: FieldSet::default(),
            patchy: 0,
            lose: 0,
            late: 0,
            repeat: 0,
            files: 1,
        }
    }
}

/// Turns events into the lines that arrive.
#[derive(Debug, Clone)]
pub struct Watch {
    watching: Watching,
    rng: Rng,
    written: u64,
    waiting: BinaryHeap<Reverse<(u64, u64, Boxed)>>,
    numbers: BTreeMap<u32, u64>,
}

/// A sighting that takes no part in the order of the heap.
#[derive(Debug, Clone)]
struct Boxed(Box<Sighting>);

impl PartialEq for Boxed {
    fn eq(&self, _: &Boxed) -> bool {
        true
    }
}
impl Eq for Boxed {}
impl PartialOrd for Boxed {
    fn partial_cmp(&self, other: &Boxed) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Boxed {
    fn cmp(&self, _: &Boxed) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl Watch {
    /// The observers of a run. Their luck has a seed of its own: hiding a field from
    /// them changes nothing of what happens.
    pub fn new(watching: Watching, seed: u64) -> Watch {
        Watch {
            watching,
            rng: Rng::new(seed ^ 0x0b5e_7ae7),
            written: 0,
            waiting: BinaryHeap::new(),
            numbers: BTreeMap::new(),
        }
    }

    /// Shows an event to the observers, and appends the lines that arrive by now.
    pub fn see(&mut self, event: &Event, lines: &mut Vec<Sighting>) {
        for index in 0..self.watching.observers.len() {
            let observer = self.watching.observers[index];
            let Some(mut sighting) = sight(observer, event) else {
                continue;
            };
            if self.rng.chance(self.watching.lose) {
                continue;
            }
            sighting.fields = sighting.fields.without(self.watching.hide);
            if self.watching.patchy > 0 {
                for field in Field::ALL {
                    if self.rng.chance(self.watching.patchy) {
                        sighting.fields = sighting.fields.without(FieldSet::of(&[field]));
                    }
                }
            }
            if self.watching.files > 1 {
                sighting.file = self.rng.below(u64::from(self.watching.files)) as u32;
            }
            self.send(sighting, lines);
        }
        self.arrive(lines, self.written);
    }

    /// The run ended: the lines that are still on their way arrive.
    pub fn finish(&mut self, lines: &mut Vec<Sighting>) {
        self.arrive(lines, u64::MAX);
    }

    fn send(&mut self, sighting: Sighting, lines: &mut Vec<Sighting>) {
        self.written += 1;
        let late = u64::from(self.watching.late);
        let again = self.rng.chance(self.watching.repeat);
        if late == 0 && !again {
            let numbered = self.number(sighting);
            lines.push(numbered);
            return;
        }
        let delay = self.rng.below(late + 1);
        let mut sighting = sighting;
        if again {
            // Both copies carry the number that the line got when it was first taken.
            sighting = self.number(sighting);
            let second = self.written + delay + 1 + self.rng.below(late + 4);
            let copy = Boxed(Box::new(sighting));
            self.waiting.push(Reverse((second, self.written, copy)));
            if delay == 0 {
                lines.push(sighting);
                return;
            }
        }
        let due = self.written + delay;
        self.waiting
            .push(Reverse((due, self.written, Boxed(Box::new(sighting)))));
    }

    /// The lines that are due by then arrive.
    fn arrive(&mut self, lines: &mut Vec<Sighting>, by: u64) {
        while let Some(Reverse((due, ..))) = self.waiting.peek() {
            if *due > by {
                break;
            }
            if let Some(Reverse((_, _, Boxed(sighting)))) = self.waiting.pop() {
                let sighting = self.number(*sighting);
                lines.push(sighting);
            }
        }
    }

    /// Gives a line its number, once.
    fn number(&mut self, mut sighting: Sighting) -> Sighting {
        let numbers = &mut self.numbers;
        let mut next = |of: u32| {
            let number = numbers.entry(of).or_insert(0);
            *number += 1;
            *number
        };
        match self.watching.numbering {
            _ if sighting.seq != 0 => {}
            Numbering::Decider => {
                sighting.seq = sighting.event.seq;
                sighting.seq_by = decided_by(sighting.event.step);
            }
            Numbering::Collector => {
                sighting.seq = next(sighting.event.lock);
                sighting.seq_by = Origin::Collector;
            }
            Numbering::Worker => {
                sighting.seq = next(sighting.event.owner);
                sighting.seq_by = Origin::Worker;
            }
            Numbering::None => {
                sighting.fields = sighting.fields.without(FieldSet::of(&[Field::Seq]));
            }
        }
        sighting
    }
}

/// What one observer sees of an event.
fn sight(observer: Observer, event: &Event) -> Option<Sighting> {
    let heard = event.reached != Reached::Neither;
    let write = event.step == Step::Write;
    let mut event = *event;
    let hidden: &[Field] = match observer {
        Observer::Complete => &[],
        Observer::ClientsOnly => {
            if event.step == Step::Expire {
                return None;
            }
            if event.reached != Reached::Both {
                event.answer = Answer::InDoubt;
                // Who was not told of a lease has no handle to name.
                if event.step == Step::Acquire {
                    (event.lease, event.token) = (None, None);
                }
            }
            &[
                Field::ResourceHighestTokenBefore,
                Field::ResourceHighestTokenAfter,
                Field::ActiveOwnerId,
                Field::ActiveLeaseId,
                Field::ActiveFenceToken,
            ]
        }
        Observer::ResourceOnly if heard && write => &[Field::OwnerId, Field::LeaseId],
        Observer::AuthorityOnly if heard && !write => &[],
        Observer::ResourceOnly | Observer::AuthorityOnly => return None,
    };
    Some(Sighting {
        event,
        fields: FieldSet::all().without(FieldSet::of(hidden)),
        seq: 0,
        seq_by: Origin::Collector,
        file: 0,
    })
}
