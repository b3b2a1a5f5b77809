//! What the records of every lock carry and what orders them: all that [`super::decidability`]
//! asks of an input.

use hashbrown::HashMap;

use super::decidability::{Carried, Decider};
use super::recent::{Recent, hash};
use super::report::LockReport;
use super::settings::Settings;
use crate::diagnosis::OrderBy;
use crate::evidence::{Active, Origin, Place, Record};
use crate::observers::Observers;
use crate::timeline::backwards::{Backwards, Seen};
use crate::timeline::{Kind, Order, OrderFacts, Step, Symbol, Symbols};

/// Of so many records at most it is remembered which way their leases stand; the locks of
/// more are not looked at.
const MOST_WATCHED: usize = 1 << 19;

/// What is known of one lock, by one observer.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Its name.
    pub name: Symbol,
    /// What orders its records.
    pub facts: OrderFacts,
    /// How many records it has, repeated ones once.
    pub records: u64,
    carried: Carried,
    /// Whether it is not known of some record if its `seq` was there before.
    forgot: bool,
    /// Which way its lines run, while that is open.
    lines: Option<Box<Backwards>>,
}

impl Lock {
    /// Looks which way its lines run. `watched` counts the records that are remembered for that.
    fn watch(&mut self, place: Place, record: &Record<'_>, watched: &mut usize) {
        let Some(lines) = &mut self.lines else {
            return;
        };
        *watched += 1;
        let goes_on = lines.note(&Seen {
            source: place.source,
            event: record.event,
            answer: record.answer,
            token: record.token,
            lease: record.lease.as_deref().map(|id| hash(&id)),
        });
        let is_too_much = *watched > MOST_WATCHED || record.seq.is_some();
        if is_too_much || !goes_on {
            *watched -= lines.looked_at();
        }
        if is_too_much {
            self.lines = None;
        } else if !goes_on {
            self.settle();
        }
    }

    /// Takes which way its lines run for known, as far as was looked.
    fn settle(&mut self) {
        if self.lines.take().is_some_and(|lines| lines.found()) {
            self.facts.note_backwards();
        }
    }

    /// What orders its records so far; nothing where two of them may share a `seq`.
    pub fn order(&self, by: OrderBy) -> Order {
        let mut facts = self.facts;
        if self.forgot {
            facts.note_beyond_memory();
        }
        facts.order(by)
    }
}

/// Whether a record was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repetition {
    /// It was not.
    New,
    /// It was, `seq` included: it is used once.
    Repeated(Place),
    /// Its line was, and no `seq` tells whether it is one record or two.
    Again(Place),
    /// Another record has its `seq`.
    SeqShared(Place),
    /// Its `seq` had been passed, and what had it, if anything, is forgotten: it may be any
    /// of the others.
    Unsure,
}

/// The gaps in what the locks of an input carry.
#[derive(Debug)]
pub(crate) struct Gaps {
    /// The names of the locks.
    pub symbols: Symbols,
    /// The locks, in order of appearance.
    pub locks: Vec<Lock>,
    /// By lock and observer.
    index: HashMap<(Symbol, u32), usize, foldhash::fast::FixedState>,
    /// Records by lock and `seq`, or by content, with the line they stood in.
    seen: Recent<(u64, Place)>,
    /// The greatest `seq` by the number of the lock; 0 where there is none.
    greatest: Vec<u64>,
    /// How many records the locks remember whose lines are still watched.
    watched: usize,
    order: OrderBy,
    seq_by: Option<Origin>,
    observers: Observers,
}

impl Gaps {
    /// What a bucket of what it remembers of records takes.
    pub const BYTES: u64 = Recent::<(u64, Place)>::RECALLING;

    /// Whether a record seen was forgotten.
    pub fn forgot(&self) -> bool {
        self.seen.forgot
    }

    /// Nothing seen yet.
    pub fn new(settings: &Settings) -> Gaps {
        Gaps {
            symbols: Symbols::default(),
            locks: Vec::new(),
            index: HashMap::default(),
            seen: Recent::recalling(settings.room()),
            greatest: Vec::new(),
            watched: 0,
            order: settings.order,
            seq_by: settings.seq_by,
            observers: settings.observers.clone(),
        }
    }

    /// Takes one record and the line or value that it was read from. Gives the index of
    /// its lock, and whether the record was there before.
    pub fn record(
        &mut self,
        place: Place,
        record: &Record<'_>,
        frame: &[u8],
    ) -> (usize, Repetition) {
        let name = self.symbols.intern(Kind::Lock, &record.lock);
        let locks = &mut self.locks;
        let by_lines = self.order == OrderBy::Auto && record.seq.is_none();
        let at = *self
            .index
            .entry((name, self.observers.of(place.source)))
            .or_insert_with(|| {
                locks.push(Lock {
                    name,
                    facts: OrderFacts::default(),
                    records: 0,
                    carried: Carried::default(),
                    forgot: false,
                    lines: by_lines.then(Box::default),
                });
                locks.len() - 1
            });
        let lock = &mut locks[at];
        let step = presence(record, place, name);
        lock.facts.note(&step, self.seq_by);
        let own = (content(record), place);
        let key = match record.seq {
            Some(seq) => hash(&(name, seq)),
            None => hash(&(name, frame, own.0)),
        };
        let may_be_forgotten =
            passed(&mut self.greatest, name, record.seq) && self.seen.may_have_forgotten(key);
        let repetition = if may_be_forgotten && self.seen.get_mut(key).is_none() {
            Repetition::Unsure
        } else {
            match self.seen.get_or_insert(key, own) {
                None => Repetition::New,
                Some((known, first)) if *known != own.0 => {
                    // Those that share a number are told apart by what they say.
                    let first = *first;
                    let alike = hash(&(key, own.0));
                    let forgotten = self.seen.may_have_forgotten(alike);
                    match self.seen.get_or_insert(alike, own) {
                        Some((_, same)) => Repetition::Repeated(*same),
                        None if forgotten => Repetition::Unsure,
                        None => Repetition::SeqShared(first),
                    }
                }
                Some((_, first)) if record.seq.is_none() => Repetition::Again(*first),
                Some((_, first)) => Repetition::Repeated(*first),
            }
        };
        match repetition {
            Repetition::Repeated(_) => {
                lock.facts.forget_repeated();
                return (at, repetition);
            }
            Repetition::SeqShared(_) => lock.facts.note_shared_seq(),
            Repetition::Unsure => lock.forgot = true,
            Repetition::New | Repetition::Again(_) => {}
        }
        lock.records += 1;
        lock.carried.note(&step);
        lock.watch(place, record, &mut self.watched);
        (at, repetition)
    }

    /// The input ended: what waited for more is decided.
    pub fn end(&mut self) {
        self.locks.iter_mut().for_each(Lock::settle);
    }

    /// What each lock's records can decide, locks in order of appearance.
    pub fn finish(&self) -> Vec<LockReport> {
        let mut locks: Vec<LockReport> = Vec::new();
        let mut known: HashMap<Symbol, usize, foldhash::fast::FixedState> = HashMap::default();
        let mut decider = Decider::new(self.order);
        for lock in &self.locks {
            let report = LockReport {
                lock_name: self.symbols.name(lock.name).to_owned(),
                records: lock.records,
                ways: decider.decide(&lock.carried, &lock.facts, lock.forgot),
                forgot: lock.forgot,
            };
            let at = *known.entry(lock.name).or_insert(locks.len());
            match locks.get_mut(at) {
                Some(known) => known.take(report),
                None => locks.push(report),
            }
        }
        locks
    }
}

/// Whether the lock had that `seq` or a greater one before.
fn passed(greatest: &mut Vec<u64>, lock: Symbol, seq: Option<u64>) -> bool {
    let Some(seq) = seq else { return false };
    if greatest.len() <= lock.number() {
        greatest.resize(lock.number() + 1, 0);
    }
    let greatest = &mut greatest[lock.number()];
    let passed = seq <= *greatest;
    *greatest = seq.max(*greatest);
    passed
}

/// The step of a record as far as lint needs it: which parts are there. Names stay out of
/// it, so that they need not be kept.
fn presence(record: &Record<'_>, place: Place, some: Symbol) -> Step {
    Step::named(record, place, |_, _| some)
}

/// What a record says, as one number.
fn content(record: &Record<'_>) -> u64 {
    let active = match &record.active {
        Active::Unrecorded => (0, None, None, None),
        Active::None => (1, None, None, None),
        Active::Lease {
            owner,
            lease,
            token,
        } => (2, owner.as_deref(), lease.as_deref(), *token),
    };
    hash(&(
        (record.event, record.answer, record.seq, record.seq_by),
        (
            record.owner.as_deref(),
            record.lease.as_deref(),
            record.token,
        ),
        (record.before, record.after),
        (record.key.as_deref(), record.operation.as_deref()),
        active,
    ))
}
