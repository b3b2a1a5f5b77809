//! Joins the records that several observers made of one event of a lock.
//!
//! Two records are of one event where nothing that both know differs, and enough is the
//! same: the lease or the token, and for a write also the operation, the resource key or
//! what the resource read. Where a record could be of several events, they are paired if
//! both observers saw as many and it does not matter how, or both orders were decided; else
//! they stay apart, and only for counting the smaller number is taken to be among the
//! greater.

use hashbrown::{HashMap, HashSet};

use super::matching::{Links, Matching};
use super::spelling::reconcile;
use super::words::{Kind, Words};
use crate::evidence::Field;
use crate::timeline::{ActiveLease, Handle, Step, Symbol, Symbols};

/// The records of one lock by one observer.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The observer's number.
    pub observer: u32,
    /// Whether it decided what it tells: the authority or the resource.
    pub decides: bool,
    /// Its records, in order of arrival.
    pub steps: Vec<Step>,
}

/// One event, and which record of which observer told of it.
#[derive(Debug, Clone)]
pub struct Joint {
    /// What is known of it, in the words of its first observer.
    pub step: Step,
    /// Its records, each with its observer.
    pub members: Vec<(u32, Step)>,
}

/// The records of one lock, joined.
#[derive(Debug, Default)]
pub struct Joined {
    /// Every event once.
    pub events: Vec<Joint>,
    /// For each observer its own records in order of arrival, each with all that is known
    /// of its event.
    pub views: Vec<Told>,
    /// The event of a record, by its arrival.
    event_of: HashMap<u64, usize>,
    /// For counting: events that are taken to be among others, although nobody can say
    /// which is which.
    counted_as: HashMap<usize, usize>,
    words: Words,
    /// Who decided what they tell.
    deciders: HashSet<u32>,
}

impl Joined {
    /// What is known of the event of a record.
    pub fn event(&self, arrival: u64) -> Option<&Joint> {
        self.events.get(*self.event_of.get(&arrival)?)
    }

    /// A number for the event of a record, for counting.
    pub fn count_as(&self, arrival: u64) -> u64 {
        let Some(event) = self.event_of.get(&arrival) else {
            return arrival;
        };
        let event = self.counted_as.get(event).unwrap_or(event);
        self.events
            .get(*event)
            .and_then(|event| event.members.first())
            .map_or(arrival, |(_, first)| first.place.arrival)
    }

    /// How the observers of two records stand to each other.
    pub fn relation(&self, a: u64, b: u64) -> Relation {
        let observers = |arrival| {
            self.event(arrival)
                .into_iter()
                .flat_map(|event| event.members.iter().map(|(observer, _)| *observer))
        };
        if observers(a).any(|one| observers(b).any(|other| one == other)) {
            return Relation::OneObserver;
        }
        let comparable = observers(a)
            .any(|one| observers(b).any(|other| self.words.agree(Kind::Token, one, other)));
        if comparable {
            Relation::TokensComparable
        } else {
            Relation::Apart
        }
    }
}

/// How the observers of two records stand to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// One observer made both.
    OneObserver,
    /// Two did, and they have a token in common: they read the same counter.
    TokensComparable,
    /// Two did, and their tokens may come from two counters.
    Apart,
}

/// Joins what the observers of one lock told, in the order given.
pub fn join(mut told: Vec<Told>, symbols: &Symbols) -> Joined {
    let mut joined = Joined::default();
    let mut leases: HashSet<Symbol> = HashSet::new();
    for one in &mut told {
        drop_repeated(&mut one.steps);
        let own = one.steps.iter().flat_map(leases_of).collect();
        let same = reconcile(&leases, &own, symbols);
        for step in &mut one.steps {
            respell(step, &same);
        }
        leases.extend(one.steps.iter().flat_map(leases_of));
        joined.words.take(one.observer, &one.steps);
        if one.decides {
            joined.deciders.insert(one.observer);
        }
    }
    let links = Links::of(&told);
    for one in told {
        joined.take(one, &links);
    }
    // What is known of an event, and of who agrees with whom, grew with every observer.
    let Joined {
        events,
        views,
        event_of,
        words,
        ..
    } = &mut joined;
    for event in events.iter_mut() {
        if let Some((observer, own)) = event.members.first() {
            event.step = seen_by(*observer, own, &event.members, words);
        }
    }
    for view in views {
        for step in &mut view.steps {
            if let Some(event) = event_of.get(&step.place.arrival) {
                *step = seen_by(view.observer, step, &events[*event].members, words);
            }
        }
    }
    joined
}

/// A record of an observer with what others know of its event: as far as they use the same
/// words, since names are compared with each other.
fn seen_by(observer: u32, own: &Step, members: &[(u32, Step)], words: &Words) -> Step {
    let mut known = *own;
    for (other, step) in members.iter().filter(|(other, _)| *other != observer) {
        let said = |kind| words.agree(kind, observer, *other);
        let spoken = |handle: &Handle| Handle {
            owner: handle.owner.filter(|_| said(Kind::Owner)),
            lease: handle.lease.filter(|_| said(Kind::Lease)),
            token: handle.token.filter(|_| said(Kind::Token)),
        };
        let spoken = Step {
            handle: spoken(&step.handle),
            before: step.before.filter(|_| said(Kind::Token)),
            after: step.after.filter(|_| said(Kind::Token)),
            key: step.key.filter(|_| said(Kind::Key)),
            operation: step.operation.filter(|_| said(Kind::Operation)),
            active: match step.active {
                ActiveLease::Lease(active) => match spoken(&active) {
                    nothing if nothing == Handle::default() => ActiveLease::Unrecorded,
                    active => ActiveLease::Lease(active),
                },
                other => other,
            },
            ..*step
        };
        known = union(&known, &spoken);
    }
    known
}

impl Joined {
    fn take(&mut self, told: Told, links: &Links) {
        // Who names workers and who names connections differ in every name. That is known
        // only of those who decided: two applications that share no name saw two workers.
        let observers: HashSet<u32> = self.views.iter().map(|view| view.observer).collect();
        let owners = observers.iter().all(|other| {
            let decided = told.decides || self.deciders.contains(other);
            !decided || self.words.agree(Kind::Owner, *other, told.observer)
        });
        let ranks: Vec<u32> = self.views.iter().map(|view| view.observer).collect();
        let pairs = Matching::of(&self.events, &told.steps, owners, links, &ranks);
        for (at, step) in told.steps.iter().enumerate() {
            let member = (told.observer, *step);
            let event = match pairs.joined.get(&at) {
                Some(event) => {
                    let known = &mut self.events[*event];
                    known.step = union(&known.step, step);
                    known.members.push(member);
                    *event
                }
                None => {
                    self.events.push(Joint {
                        step: *step,
                        members: vec![member],
                    });
                    self.events.len() - 1
                }
            };
            self.event_of.insert(step.place.arrival, event);
            if let Some(other) = pairs.counted.get(&at) {
                let other = self.counted_as.get(other).copied().unwrap_or(*other);
                self.counted_as.insert(event, other);
            }
        }
        self.views.push(told);
    }
}

/// Lines that were delivered twice are one record.
fn drop_repeated(steps: &mut Vec<Step>) {
    let mut by_seq: HashMap<u64, Vec<Step>> = HashMap::new();
    steps.retain(|step| {
        let Some(seq) = step.seq else { return true };
        let known = by_seq.entry(seq).or_default();
        let new = !known.iter().any(|other| other.repeats(step));
        if new {
            known.push(*step);
        }
        new
    });
}

fn leases_of(step: &Step) -> impl Iterator<Item = Symbol> + use<> {
    let active = match step.active {
        ActiveLease::Lease(handle) => handle.lease,
        _ => None,
    };
    step.handle.lease.into_iter().chain(active)
}

fn respell(step: &mut Step, same: &HashMap<Symbol, Symbol>) {
    let spell = |lease: &mut Option<Symbol>| {
        if let Some(other) = lease.and_then(|lease| same.get(&lease)) {
            *lease = Some(*other);
        }
    };
    spell(&mut step.handle.lease);
    if let ActiveLease::Lease(handle) = &mut step.active {
        spell(&mut handle.lease);
    }
}

/// All that two records of one event know of it.
fn union(a: &Step, b: &Step) -> Step {
    let handle = Handle {
        owner: a.handle.owner.or(b.handle.owner),
        lease: a.handle.lease.or(b.handle.lease),
        token: a.handle.token.or(b.handle.token),
    };
    Step {
        handle,
        before: a.before.or(b.before),
        after: a.after.or(b.after),
        key: a.key.or(b.key),
        operation: a.operation.or(b.operation),
        active: active(a.active, b.active),
        ..*a
    }
}

fn active(a: ActiveLease, b: ActiveLease) -> ActiveLease {
    match (a, b) {
        (ActiveLease::Lease(a), ActiveLease::Lease(b)) => ActiveLease::Lease(Handle {
            owner: a.owner.or(b.owner),
            lease: a.lease.or(b.lease),
            token: a.token.or(b.token),
        }),
        (ActiveLease::Unrecorded, known) | (known, _) => known,
    }
}

/// Whether an event is known with this field.
pub fn knows(step: &Step, field: Field) -> bool {
    let active = match step.active {
        ActiveLease::Unrecorded => None,
        ActiveLease::None => return knows_besides(step, field).unwrap_or(true),
        ActiveLease::Lease(active) => Some(active),
    };
    knows_besides(step, field).unwrap_or(match field {
        Field::ActiveOwnerId => active.is_some_and(|active| active.owner.is_some()),
        Field::ActiveLeaseId => active.is_some_and(|active| active.lease.is_some()),
        Field::ActiveFenceToken => active.is_some_and(|active| active.token.is_some()),
        _ => false,
    })
}

/// The same for the fields that say nothing of the lease that was current.
fn knows_besides(step: &Step, field: Field) -> Option<bool> {
    Some(match field {
        Field::OwnerId => step.handle.owner.is_some(),
        Field::LeaseId => step.handle.lease.is_some(),
        Field::FenceToken => step.handle.token.is_some(),
        Field::ResourceHighestTokenBefore => step.before.is_some(),
        Field::ResourceHighestTokenAfter => step.after.is_some(),
        Field::ResourceKey => step.key.is_some(),
        Field::OperationId => step.operation.is_some(),
        Field::Seq => step.seq.is_some(),
        Field::SeqBy => step.seq_by.is_some(),
        Field::LockName | Field::Result | Field::Event => true,
        Field::Ts => false,
        Field::ActiveOwnerId
        | Field::ActiveLeaseId
        | Field::ActiveFenceToken
        | Field::ActiveLease => return None,
    })
}
