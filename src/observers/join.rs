//! Joins the records that several observers made of one event of a lock.
//!
//! Two records are of one event where nothing that both know differs, and enough is the
//! same: the lease or the token, and for a write also the operation, the resource key or
//! what the resource read. Where a record could be of several events, they are paired in
//! the order of each observer if both saw as many and the records of one are alike;
//! else they stay apart, and only for counting the smaller number is taken to be among
//! the greater.

use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use super::spelling::reconcile;
use crate::evidence::{Answer, Event, Field, Token};
use crate::timeline::{ActiveLease, Handle, Step, Symbol, Symbols};

/// Among more candidates than this nothing is unique, and the search for them stops.
const CANDIDATES: usize = 256;

/// The records of one lock by one observer.
#[derive(Debug, Clone, Default)]
pub struct Told {
    /// The observer's number.
    pub observer: u32,
    /// Its records, in order of arrival.
    pub steps: Vec<Step>,
}

/// One event, and which record of which observer told of it.
#[derive(Debug, Clone)]
pub struct Joint {
    /// What is known of it: the union of all its records.
    pub step: Step,
    /// The observer and the arrival of each of its records.
    pub members: Vec<(u32, u64)>,
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
    /// The tokens that each observer knows.
    tokens: HashMap<u32, HashSet<Token>>,
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
            .map_or(arrival, |(_, first)| *first)
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
        let tokens = |observer| self.tokens.get(&observer);
        let comparable = observers(a).any(|one| {
            observers(b).any(|other| {
                matches!((tokens(one), tokens(other)), (Some(a), Some(b)) if !a.is_disjoint(b))
            })
        });
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
pub fn join(told: Vec<Told>, symbols: &Symbols) -> Joined {
    let mut joined = Joined::default();
    let mut leases: HashSet<Symbol> = HashSet::new();
    for mut one in told {
        drop_repeated(&mut one.steps);
        let own = one.steps.iter().flat_map(leases_of).collect();
        let same = reconcile(&leases, &own, symbols);
        for step in &mut one.steps {
            respell(step, &same);
        }
        leases.extend(one.steps.iter().flat_map(leases_of));
        let tokens = joined.tokens.entry(one.observer).or_default();
        tokens.extend(one.steps.iter().filter_map(|step| step.handle.token));
        joined.take(one);
    }
    // What is known of an event grew with every observer.
    for view in &mut joined.views {
        for step in &mut view.steps {
            if let Some(event) = joined.event_of.get(&step.place.arrival) {
                *step = Step {
                    place: step.place,
                    seq: step.seq,
                    seq_by: step.seq_by,
                    ..joined.events[*event].step
                };
            }
        }
    }
    joined
}

impl Joined {
    fn take(&mut self, told: Told) {
        let pairs = Matching::of(&self.events, &told.steps);
        for (at, step) in told.steps.iter().enumerate() {
            let member = (told.observer, step.place.arrival);
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

/// Which records of an observer are of which events.
#[derive(Debug, Default)]
struct Matching {
    joined: HashMap<usize, usize>,
    counted: HashMap<usize, usize>,
}

/// Records that agree in everything but their place and number.
#[derive(Debug)]
struct Alike {
    step: Step,
    all: Vec<usize>,
}

/// Under what a record is looked for. A record of an operation can only be of an event of
/// that operation, or of one whose operation is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Clue {
    Operation(Symbol),
    Lease(Symbol, HasOperation),
    Token(Token, HasOperation),
}

type HasOperation = bool;
type Where = (Event, Answer, Clue);

impl Matching {
    fn of(events: &[Joint], steps: &[Step]) -> Matching {
        let known = alike(events.iter().map(|event| event.step));
        let new = alike(steps.iter().copied());
        let mut index: HashMap<Where, Vec<usize>> = HashMap::new();
        for (at, one) in known.iter().enumerate() {
            let own = [one.step.operation.is_some()];
            for clue in clues(&one.step, &own) {
                index.entry(clue).or_default().push(at);
            }
        }
        let candidates: Vec<Vec<usize>> = new
            .iter()
            .map(|one| find(&one.step, &known, &index))
            .collect();
        let mut matching = Matching::default();
        for (left, right) in components(&candidates, known.len()) {
            matching.pair(&left, &right, &known, &new, events, steps);
        }
        matching
    }

    /// Pairs what hangs together: `left` are events, `right` are new records.
    fn pair(
        &mut self,
        left: &[usize],
        right: &[usize],
        known: &[Alike],
        new: &[Alike],
        events: &[Joint],
        steps: &[Step],
    ) {
        let gather = |of: &[Alike], ats: &[usize], step: &dyn Fn(usize) -> Step| {
            let mut all: Vec<usize> = ats.iter().flat_map(|at| of[*at].all.clone()).collect();
            let counted = all.iter().all(|at| step(*at).seq.is_some());
            all.sort_by_key(|at| {
                let step = step(*at);
                (step.seq.filter(|_| counted), step.place)
            });
            all
        };
        let left_all = gather(known, left, &|at| events[at].step);
        let right_all = gather(new, right, &|at| steps[at]);
        let alike = left.len() == 1 || right.len() == 1;
        let all_fit = left.iter().all(|left| {
            right
                .iter()
                .all(|right| fits(&known[*left].step, &new[*right].step))
        });
        let certain = alike && all_fit && left_all.len() == right_all.len();
        let pairs = right_all.into_iter().zip(left_all);
        if certain {
            self.joined.extend(pairs);
        } else {
            self.counted.extend(pairs);
        }
    }
}

fn alike(steps: impl Iterator<Item = Step>) -> Vec<Alike> {
    let mut at: HashMap<Step, usize> = HashMap::new();
    let mut all: Vec<Alike> = Vec::new();
    for (number, step) in steps.enumerate() {
        let plain = Step {
            place: Default::default(),
            seq: None,
            seq_by: None,
            ..step
        };
        let next = all.len();
        let class = *at.entry(plain).or_insert(next);
        if class == next {
            all.push(Alike {
                step: plain,
                all: Vec::new(),
            });
        }
        all[class].all.push(number);
    }
    all
}

fn clues(step: &Step, with_operation: &[HasOperation]) -> Vec<Where> {
    // What was not answered may be anything.
    if step.answer == Answer::InDoubt {
        return Vec::new();
    }
    let Handle { lease, token, .. } = step.handle;
    let leases = |has: &HasOperation| lease.map(|lease| Clue::Lease(lease, *has));
    let tokens = |has: &HasOperation| token.map(|token| Clue::Token(token, *has));
    let operation = step.operation.map(Clue::Operation);
    operation
        .into_iter()
        .chain(with_operation.iter().filter_map(leases))
        .chain(with_operation.iter().filter_map(tokens))
        .map(|clue| (step.event, step.answer, clue))
        .collect()
}

/// The classes of events that a record may be of.
fn find(step: &Step, known: &[Alike], index: &HashMap<Where, Vec<usize>>) -> Vec<usize> {
    let possible: &[HasOperation] = match step.operation {
        Some(_) => &[false],
        None => &[false, true],
    };
    let mut found = Vec::new();
    for clue in clues(step, possible) {
        let all = index.get(&clue).map_or(&[][..], Vec::as_slice);
        if all.len() > CANDIDATES {
            return Vec::new();
        }
        found.extend(all.iter().filter(|at| fits(&known[**at].step, step)));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// What hangs together by candidates: classes of events and classes of new records.
fn components(candidates: &[Vec<usize>], known: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut of_known: Vec<Vec<usize>> = vec![Vec::new(); known];
    for (right, lefts) in candidates.iter().enumerate() {
        for left in lefts {
            of_known[*left].push(right);
        }
    }
    let mut seen = vec![false; candidates.len()];
    let mut seen_known = vec![false; known];
    let mut all = Vec::new();
    for start in 0..candidates.len() {
        if seen[start] || candidates[start].is_empty() {
            continue;
        }
        let (mut left, mut right, mut open) = (Vec::new(), Vec::new(), vec![start]);
        seen[start] = true;
        while let Some(at) = open.pop() {
            right.push(at);
            for known in &candidates[at] {
                if !std::mem::replace(&mut seen_known[*known], true) {
                    left.push(*known);
                    for other in &of_known[*known] {
                        if !std::mem::replace(&mut seen[*other], true) {
                            open.push(*other);
                        }
                    }
                }
            }
        }
        left.sort_unstable();
        right.sort_unstable();
        all.push((left, right));
    }
    all
}

fn apart<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

fn both<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    a.is_some() && a == b
}

/// Whether two records may be, and likely are, of one event.
fn fits(a: &Step, b: &Step) -> bool {
    let handles_apart = |a: &Handle, b: &Handle| {
        apart(a.lease, b.lease) || apart(a.token, b.token) || apart(a.owner, b.owner)
    };
    let active_apart = match (a.active, b.active) {
        (ActiveLease::Lease(a), ActiveLease::Lease(b)) => handles_apart(&a, &b),
        (ActiveLease::None, ActiveLease::Lease(_)) | (ActiveLease::Lease(_), ActiveLease::None) => {
            true
        }
        _ => false,
    };
    let differ = a.event != b.event
        || a.answer != b.answer
        || handles_apart(&a.handle, &b.handle)
        || active_apart
        || apart(a.key, b.key)
        || apart(a.operation, b.operation)
        || apart(a.before, b.before)
        || apart(a.after, b.after);
    if differ {
        return false;
    }
    let lease = both(a.handle.lease, b.handle.lease) || both(a.handle.token, b.handle.token);
    let operation = both(a.operation, b.operation);
    match a.event {
        Event::Write => {
            let place = both(a.key, b.key) || both(a.before, b.before);
            lease && (operation || place) || operation && both(a.handle.owner, b.handle.owner)
        }
        _ => lease,
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
        active: active(&handle, a, b),
        ..*a
    }
}

/// The lease that was current. A name in it is compared with the name of the lease that
/// asked, so it is taken only from an observer that has both, or where nobody has the
/// other: two observers may call one lease by two names.
fn active(handle: &Handle, a: &Step, b: &Step) -> ActiveLease {
    let part = |step: &Step| match step.active {
        ActiveLease::Lease(active) => Handle {
            owner: active
                .owner
                .filter(|_| step.handle.owner.is_some() || handle.owner.is_none()),
            lease: active
                .lease
                .filter(|_| step.handle.lease.is_some() || handle.lease.is_none()),
            token: active
                .token
                .filter(|_| step.handle.token.is_some() || handle.token.is_none()),
        },
        _ => Handle::default(),
    };
    if a.active == ActiveLease::None || b.active == ActiveLease::None {
        return ActiveLease::None;
    }
    let (a, b) = (part(a), part(b));
    let active = Handle {
        owner: a.owner.or(b.owner),
        lease: a.lease.or(b.lease),
        token: a.token.or(b.token),
    };
    if active == Handle::default() {
        ActiveLease::Unrecorded
    } else {
        ActiveLease::Lease(active)
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
