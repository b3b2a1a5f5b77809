//! Joins the records that several observers made of one event of a lock.
//!
//! Two records are of one event where nothing that both know differs, and enough is the
//! same: the lease or the token, and for a write also the operation, the resource key or
//! what the resource read. Where a record could be of several events, they are paired if
//! both observers saw as many and it does not matter how, or both orders were decided; else
//! they stay apart, and only for counting the smaller number is taken to be among the
//! greater.

use std::hash::Hash;

use hashbrown::{HashMap, HashSet};

use super::spelling::reconcile;
use super::words::{Kind, Words};
use crate::evidence::{Answer, Event, Field, Origin, Place, Token};
use crate::timeline::{ActiveLease, Handle, Step, Symbol, Symbols};

/// Among more candidates than this nothing is unique, and the search for them stops.
const CANDIDATES: usize = 256;

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

/// Where a record stands among those of its observer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Stands {
    rank: usize,
    seq: Option<u64>,
    place: Place,
    decided: bool,
}

impl Stands {
    fn of(step: &Step, rank: usize) -> Stands {
        let decided = step.seq.is_some() && step.seq_by.is_some_and(Origin::decides);
        Stands {
            rank,
            seq: step.seq,
            place: step.place,
            decided,
        }
    }
}

/// Which lease carries which token, where all observers together show one of each: an
/// application often names the lease alone, and the resource its token.
#[derive(Debug, Default)]
struct Links {
    tokens: HashMap<Symbol, Option<Token>>,
    leases: HashMap<Token, Option<Symbol>>,
}

impl Links {
    fn of(told: &[Told]) -> Links {
        let mut links = Links::default();
        for step in told.iter().flat_map(|one| &one.steps) {
            let shown = !matches!(step.answer, Answer::InDoubt | Answer::AcquireRejectedHeld);
            let (Some(lease), Some(token), true) = (step.handle.lease, step.handle.token, shown)
            else {
                continue;
            };
            let known = links.tokens.entry(lease).or_insert(Some(token));
            *known = known.filter(|other| *other == token);
            let known = links.leases.entry(token).or_insert(Some(lease));
            *known = known.filter(|other| *other == lease);
        }
        links
    }

    /// The handle with its other part, where that is certain.
    fn complete(&self, handle: &Handle) -> Handle {
        let lease_of = |token| self.leases.get(&token).copied().flatten();
        let token_of = |lease| self.tokens.get(&lease).copied().flatten();
        let token = handle
            .lease
            .and_then(token_of)
            .filter(|token| lease_of(*token) == handle.lease);
        let lease = handle
            .token
            .and_then(lease_of)
            .filter(|lease| token_of(*lease) == handle.token);
        Handle {
            owner: handle.owner,
            lease: handle.lease.or(lease),
            token: handle.token.or(token),
        }
    }
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
    /// `owners` is whether the names of owners can be compared; `ranks` are the observers
    /// of the events, in the order in which they were taken.
    fn of(
        events: &[Joint],
        steps: &[Step],
        owners: bool,
        links: &Links,
        ranks: &[u32],
    ) -> Matching {
        let comparable = |step: Step| Step {
            handle: Handle {
                owner: step.handle.owner.filter(|_| owners),
                ..links.complete(&step.handle)
            },
            active: match step.active {
                ActiveLease::Lease(active) => ActiveLease::Lease(Handle {
                    owner: active.owner.filter(|_| owners),
                    ..active
                }),
                other => other,
            },
            ..step
        };
        let known = alike(events.iter().map(|event| comparable(event.step)));
        let new = alike(steps.iter().map(|step| comparable(*step)));
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
        let left_stands = |at: usize| {
            let of = events[at].members.first().map(|(observer, _)| *observer);
            let rank = ranks.iter().position(|one| Some(*one) == of);
            Stands::of(&events[at].step, rank.unwrap_or(0))
        };
        let right_stands = |at: usize| Stands::of(&steps[at], 0);
        for (left, right) in components(&candidates, known.len()) {
            let left = Side::of(&left, &known, &left_stands);
            let right = Side::of(&right, &new, &right_stands);
            matching.pair(&left, &right);
        }
        matching
    }

    /// Pairs what hangs together: `left` are events, `right` are new records.
    fn pair(&mut self, left: &Side<'_>, right: &Side<'_>) {
        // Records that are all alike may be paired in any way; others only in an order that
        // was decided on both sides.
        let alike = left.classes.len() == 1 && right.classes.len() == 1;
        let all_fit = left.classes.iter().all(|left| {
            let mut right = right.classes.iter();
            right.all(|right| fits(&left.step, &right.step))
        });
        let certain = (alike || left.decided && right.decided)
            && all_fit
            && left.all.len() == right.all.len();
        let pairs = right.all.iter().copied().zip(left.all.iter().copied());
        if certain {
            self.joined.extend(pairs);
        } else {
            self.counted.extend(pairs);
        }
    }
}

/// One side of what hangs together.
struct Side<'a> {
    classes: Vec<&'a Alike>,
    /// All records, in order.
    all: Vec<usize>,
    /// Whether one observer decided in that order.
    decided: bool,
}

impl Side<'_> {
    fn of<'a>(classes: &[usize], of: &'a [Alike], stands: &dyn Fn(usize) -> Stands) -> Side<'a> {
        let classes: Vec<&Alike> = classes.iter().map(|at| &of[*at]).collect();
        let mut all: Vec<(Stands, usize)> = classes
            .iter()
            .flat_map(|class| &class.all)
            .map(|at| (stands(*at), *at))
            .collect();
        all.sort_unstable();
        let decided = all.windows(2).all(|pair| {
            let (before, after) = (pair[0].0, pair[1].0);
            before.rank == after.rank && before.decided && after.decided
        });
        Side {
            classes,
            all: all.into_iter().map(|(_, at)| at).collect(),
            decided,
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
