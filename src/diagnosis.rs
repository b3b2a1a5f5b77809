//! The diagnosis of a stream of records: observe each, then ask for the verdicts.
//!
//! Records wait until their place in the order of their lock is certain enough: to the
//! end of the input, or as long as [`Options::memory`] allows. Then the rules judge them
//! lock after lock, one by one, and what only the end can tell is settled there.

mod at_end;
mod early;
mod expected;
mod history;
mod keys;
mod lock;
mod naming;
mod packed;
mod sink;
mod taking;
mod together;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

use crate::evidence::Origin;
use crate::incident::{Caution, CautionKind, Classification, Incident, Outcome, Status, Summary};
use crate::observers::Observers;
use crate::rules::LockJudge;
use crate::rules::settle::{View, settle};
use crate::rules::two_locks::{Foreign, SharedKeys};
use crate::timeline::{Kind, Symbol, Symbols};
use early::{Forgetting, weigh};
use expected::Expected;
use keys::Keys;
use lock::Lock;
use naming::Namer;
use together::Groups;

/// The memory for records that wait to be judged, in bytes, unless the user says otherwise.
pub const DEFAULT_MEMORY: usize = 512 << 20;

/// A lock whose waiting records take fewer bytes is not judged early: what would be kept of
/// them takes more. Where something is kept already, an eighth of this is enough.
const FEW: usize = 1024;

/// Which order of records may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderBy {
    /// `seq` where every record of a lock carries one; lines where none does.
    #[default]
    Auto,
    /// Only `seq`.
    Seq,
    /// Only the order of lines of one input.
    Input,
    /// None: every verdict that needs order is withheld.
    None,
}

/// What the user decides about order and memory.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which order may be used.
    pub order: OrderBy,
    /// Who gave the `seq` of records that do not say so themselves.
    pub seq_by: Option<Origin>,
    /// How many bytes the records that wait to be judged may take; `None` is
    /// [`DEFAULT_MEMORY`]. Beyond that the earliest are judged and forgotten, see
    /// [`WithheldReason::Forgotten`](crate::incident::WithheldReason::Forgotten).
    pub memory: Option<usize>,
    /// How many threads may judge at the end; 0 is one. The result is the same.
    pub threads: usize,
    /// Whether [`Diagnosis::changes`] will be asked between records.
    pub follow: bool,
    /// Who wrote which input, where the user says so.
    pub observers: Observers,
}

/// Takes records, from a log or from a program, and judges them.
///
/// A program that has records observes them one by one, numbered as they come. For a log, a
/// diagnosis is the [`Sink`](crate::ingest::Sink) of [`ingest::read`](crate::ingest::read()).
///
/// ```
/// use lockdiag::diagnosis::{Diagnosis, Options};
/// use lockdiag::evidence::{Answer, Event, Place, Record};
///
/// let mut diagnosis = Diagnosis::new(Options::default());
/// let refused = Record {
///     token: Some(1),
///     before: Some(2),
///     ..Record::new("report:417:rebuild", Event::Write, Answer::RejectedStaleFence)
/// };
/// diagnosis.observe(Place { arrival: 0, source: 0, line: 1 }, &refused);
/// let verdict = diagnosis.finish(&["log".to_owned()]);
/// assert_eq!(verdict.incidents[0].variant.name(), "write-refused");
/// ```
#[derive(Debug, Default)]
pub struct Diagnosis {
    options: Options,
    /// The names of locks and keys; of everything, while the input is followed or where
    /// there are several observers.
    symbols: Symbols,
    /// The names in what is kept of forgotten records.
    kept: Symbols,
    /// Where there are several observers: the place of their records in `locks`. The
    /// records of one observer stand there by the number of the lock's name.
    index: HashMap<(Symbol, u32), usize, foldhash::fast::FixedState>,
    locks: Vec<Lock>,
    /// Where there is one observer: which keys were written to under which locks.
    keys: Keys,
    /// Where there are several observers: the records to be joined.
    groups: Groups,
    /// The locks of the records that come now, as far as they are known.
    expected: Expected,
    records: u64,
    decided_writes: u64,
    /// How many bytes the records take that wait, and how many are too many.
    waiting: usize,
    full: usize,
    /// How many records had arrived before those that wait.
    passed: u64,
    /// While the input is followed: the locks with news, and what was said of each
    /// incident last.
    touched: Vec<usize>,
    told: HashMap<(Symbol, String), (Status, Outcome)>,
}

impl Diagnosis {
    /// A diagnosis that has seen nothing yet.
    pub fn new(options: Options) -> Diagnosis {
        Diagnosis {
            options,
            ..Diagnosis::default()
        }
    }

    /// Judges for good about half of the records that wait: the ones that arrived first.
    fn make_room(&mut self, now: u64, room: usize) {
        let cutoff = now.saturating_sub((self.records - self.passed) / 2);
        let (by, several) = (self.options.order, self.options.observers.are_several());
        // What was judged of a lock takes more than a few records that wait.
        let few = FEW.min(room / 8);
        let few = |lock: &Lock| if lock.keeps() { few / 8 } else { few };
        let Diagnosis {
            symbols,
            locks,
            kept,
            ..
        } = self;
        let before = std::mem::take(kept);
        let mut names = Symbols::default();
        for lock in locks {
            let passes = lock.waiting() > few(lock);
            if several && passes {
                lock.pass(by, cutoff, symbols, None, None);
            } else if passes {
                names.clear();
                // A third of the room for records is a quarter of all.
                let most = Forgetting::within(room / 3);
                let forgetting = Forgetting { symbols, by, most };
                if lock.pass(by, cutoff, &mut names, Some(&before), Some(&forgetting)) {
                    // What a judge knows of many records is no less than the records were.
                    lock.forget(&names, kept, &forgetting);
                } else {
                    lock.move_names(&names, kept);
                }
            } else if !several {
                lock.move_names(&before, kept);
                lock.drop_live();
            }
        }
        if !several {
            // No judgement is left that knows them; what is kept has names of its own.
            for kind in [Kind::Owner, Kind::Lease, Kind::Operation] {
                symbols.of_mut(kind).clear();
            }
        }
        self.passed = cutoff;
        self.waiting = self.locks.iter().map(Lock::size).sum();
        // Where all that is left is few records of many locks, there is nothing to gain: to
        // look at all locks again has to be worth it.
        self.full = room.max(self.waiting + (self.waiting / 10).max(room / 10));
    }

    /// The incidents that are new, or whose status or outcome changed, since the last
    /// call. `sources` names the inputs, by [`Place::source`](crate::evidence::Place::source).
    ///
    /// What is judged only at the end of the input is not among them.
    pub fn changes(&mut self, sources: &[String]) -> Vec<Incident> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        let mut changed = Vec::new();
        let by = self.options.order;
        let several = self.options.observers.are_several();
        // Of locks that share keys no one is judged without the others.
        let lost = |at: &&usize| self.locks[**at].live().is_none();
        let sharing: Vec<usize> = self.keys.sharing().iter().filter(lost).copied().collect();
        for at in touched.iter().chain(&sharing) {
            let lock = &mut self.locks[*at];
            let kept = Some(&self.kept).filter(|_| !several);
            lock.bring_up_to_date(by, &mut self.symbols, kept);
        }
        let reads_foreign = |judge: &LockJudge| {
            let mut keys = judge.timeline.keys();
            keys.any(|(_, key)| key.foreign.iter().any(|(_, foreign)| foreign.count > 0))
        };
        let judged = |at: &usize| self.locks[*at].live();
        // Another lock at the same key may explain a reading: looked for where one is odd.
        let shared = if !several && touched.iter().filter_map(judged).any(reads_foreign) {
            let live = self.locks.iter();
            SharedKeys::of(live.filter_map(|lock| Some((lock.name, lock.live()?))))
        } else {
            SharedKeys::default()
        };
        let judge_of = |name: Symbol| self.locks.get(name.number())?.live();
        let forgot = |at: &usize| self.locks[*at].early().is_some();
        let neighbours_forgot = self.keys.sharing().iter().any(forgot);
        for at in touched {
            let lock = &self.locks[at];
            let (name, Some(judge)) = (lock.name, lock.live()) else {
                continue;
            };
            // What was forgotten before it could be told is told first.
            let weak = forgot(&at) || neighbours_forgot && self.keys.sharing().contains(&at);
            let early = lock.early().cloned();
            let early = early.map(|early| early.standing(&lock.facts, by));
            for shown in early.into_iter().flat_map(|(incidents, _)| incidents) {
                let key = (name, shown.incident.id.clone());
                if let Entry::Vacant(untold) = self.told.entry(key) {
                    untold.insert((shown.incident.status, shown.incident.outcome));
                    changed.push(shown.named(sources));
                }
            }
            let foreign = Foreign::readings(name, judge, &shared, judge_of);
            let facts = &lock.facts;
            let settled = settle(View { judge, facts }, &self.symbols, by, &foreign, false);
            let namer = Namer {
                symbols: &self.symbols,
                names: &self.symbols,
                sources: Some(sources),
            };
            for finding in &settled.findings {
                let mut incident = namer.incident(name, judge, finding);
                if weak {
                    weigh(&mut incident);
                }
                let says = (incident.status, incident.outcome);
                let key = (name, incident.id.clone());
                let before = self.told.get(&key).copied();
                // Another observer may have shown it more firmly.
                let weaker = several && before.is_some_and(|before| before > says);
                if before != Some(says) && !weaker {
                    self.told.insert(key, says);
                    changed.push((finding.first, incident));
                }
            }
        }
        changed.sort_by_key(|(first, _)| *first);
        changed.into_iter().map(|(_, incident)| incident).collect()
    }

    /// The input ended: all incidents, in the order of their first deciding records, and
    /// the summary. `sources` names the inputs, by [`Place::source`](crate::evidence::Place::source).
    pub fn finish(mut self, sources: &[String]) -> Classification {
        let (found, locks) = if self.options.observers.are_several() {
            together::finish(&mut self, sources)
        } else {
            let found = at_end::finish(&mut self, sources);
            (found, self.locks.len() as u64)
        };
        found.classification(self.summary(locks))
    }

    /// The summary before anything is said of single locks.
    fn summary(&self, locks: u64) -> Summary {
        let mut summary = Summary {
            records: self.records,
            locks,
            repeated_records: self.locks.iter().map(Lock::repeated).sum(),
            decided_writes: self.decided_writes,
            ..Summary::default()
        };
        if summary.decided_writes == 0 && summary.records > 0 {
            let kind = CautionKind::NoWriteDecided;
            summary.cautions.push(Caution {
                kind,
                lock_name: None,
                count: summary.records,
            });
        }
        summary
    }
}

#[cfg(test)]
mod tests;
