//! Which records of an observer are of which events.

use hashbrown::HashMap;

use super::join::{Joint, Told};
use crate::evidence::{Answer, Event, Origin, Place, Token};
use crate::timeline::{ActiveLease, Handle, Step, Symbol};

/// Among more candidates than this nothing is unique, and the search for them stops.
const CANDIDATES: usize = 256;

/// Which records of an observer are of which events.
#[derive(Debug, Default)]
pub(super) struct Matching {
    /// By index of the record: the event that it is of.
    pub(super) joined: HashMap<usize, usize>,
    /// The same for records that are only counted as of that event.
    pub(super) counted: HashMap<usize, usize>,
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
pub(super) struct Links {
    tokens: HashMap<Symbol, Option<Token>>,
    leases: HashMap<Token, Option<Symbol>>,
}

impl Links {
    /// What all records together show.
    pub(super) fn of(told: &[Told]) -> Links {
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
    /// Finds the events of records. `owners` is whether the names of owners can be compared; `ranks` are the observers
    /// of the events, in the order in which they were taken.
    pub(super) fn of(
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
