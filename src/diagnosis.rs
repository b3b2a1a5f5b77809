//! The diagnosis of a stream of records: observe each, then ask for the verdicts.
//!
//! Records wait until their place in the order of their lock is certain enough: to the
//! end of the input, or as long as [`Options::memory`] allows. Then the rules judge them
//! one by one, and what only the end can tell is settled there.

mod lock;
mod naming;
mod together;

use hashbrown::HashMap;

use crate::evidence::{Answer, Event, Origin, Place, Record};
use crate::incident::{
    Caution, CautionKind, Classification, Incident, Outcome, Status, Summary, Withheld,
};
use crate::observers::Observers;
use crate::rules::LockJudge;
use crate::rules::settle::{Settled, settle};
use crate::rules::two_locks::{Foreign, SharedKeys};
use crate::timeline::{Step, Symbol, Symbols};
use lock::Lock;
use naming::Namer;
use together::Groups;

/// The memory for records that wait to be ordered, unless the user says otherwise.
pub const DEFAULT_MEMORY: usize = 256 << 20;

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
    /// How many bytes the records that wait to be ordered may take; [`DEFAULT_MEMORY`]
    /// where it is not given.
    pub memory: Option<usize>,
    /// Whether [`Diagnosis::changes`] will be asked between records.
    pub follow: bool,
    /// Who wrote which input, where the user says so.
    pub observers: Observers,
}

/// Reads records and judges them.
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
    symbols: Symbols,
    /// By lock and observer.
    index: HashMap<(Symbol, u32), usize, foldhash::fast::FixedState>,
    locks: Vec<Lock>,
    /// Where there are several observers: the records to be joined.
    groups: Groups,
    records: u64,
    decided_writes: u64,
    waiting: usize,
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

    /// Takes one record. `place.arrival` grows from record to record.
    pub fn observe(&mut self, place: Place, record: &Record<'_>) {
        let name = self.symbols.intern(&record.lock);
        let mut step = Step::of(record, place, &mut self.symbols);
        let observer = self.options.observers.of(place.source);
        if step.seq.is_some() && step.seq_by.is_none() {
            step.seq_by = self.options.observers.role(observer);
        }
        let locks = &mut self.locks;
        let at = *self.index.entry((name, observer)).or_insert_with(|| {
            locks.push(Lock::new(name));
            locks.len() - 1
        });
        locks[at].facts.note(&step, self.options.seq_by);
        locks[at].push(step);
        self.records += 1;
        let decided = matches!(
            step.answer,
            Answer::Accepted | Answer::RejectedStaleFence | Answer::RejectedDuplicate
        );
        self.decided_writes += u64::from(step.event == Event::Write && decided);
        self.waiting += 1;
        if self.options.follow && self.touched.last() != Some(&at) {
            self.touched.push(at);
        }
        let mut room = self.options.memory.unwrap_or(DEFAULT_MEMORY) / size_of::<Step>();
        if self.options.observers.are_several() {
            // Half for the order of each observer, half for joining them.
            room /= 2;
            self.groups.take(name, observer, at, step, room);
        }
        if self.waiting > room.max(2) {
            self.make_room(place.arrival);
        }
    }

    /// Judges for good about half of the records that wait: the ones that arrived first.
    fn make_room(&mut self, now: u64) {
        let cutoff = now.saturating_sub(self.waiting as u64 / 2);
        for lock in self.locks.iter_mut().filter(|lock| lock.waiting() > 0) {
            lock.pass(self.options.order, cutoff);
        }
        self.waiting = self.locks.iter().map(Lock::waiting).sum();
    }

    /// The incidents that are new, or whose status or outcome changed, since the last
    /// call. `sources` names the inputs, by [`Place::source`].
    ///
    /// What is judged only at the end of the input is not among them.
    pub fn changes(&mut self, sources: &[String]) -> Vec<Incident> {
        let mut touched = std::mem::take(&mut self.touched);
        touched.sort_unstable();
        touched.dedup();
        let mut changed = Vec::new();
        let by = self.options.order;
        for at in &touched {
            self.locks[*at].bring_up_to_date(by);
        }
        let several = self.options.observers.are_several();
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
        let judge_of = |name| self.index.get(&(name, 0)).and_then(judged);
        for at in touched {
            let lock = &self.locks[at];
            let (name, Some(judge)) = (lock.name, lock.live()) else {
                continue;
            };
            let foreign = Foreign::readings(name, judge, &shared, judge_of);
            let settled = settle(judge, &lock.facts, by, &foreign, false);
            let namer = Namer {
                symbols: &self.symbols,
                sources,
            };
            for finding in &settled.findings {
                let incident = namer.incident(name, judge, finding);
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
    /// the summary. `sources` names the inputs, by [`Place::source`].
    pub fn finish(mut self, sources: &[String]) -> Classification {
        if self.options.observers.are_several() {
            return self.finish_together(sources);
        }
        let by = self.options.order;
        let judges: Vec<LockJudge> = self.locks.iter_mut().map(|lock| lock.finish(by)).collect();
        let named = || self.locks.iter().map(|lock| lock.name).zip(&judges);
        let shared = SharedKeys::of(named());
        let namer = Namer {
            symbols: &self.symbols,
            sources,
        };
        let mut summary = self.summary(self.locks.len() as u64);
        let mut incidents = Vec::new();
        for (lock, judge) in self.locks.iter().zip(&judges) {
            let judge_of = |name| self.index.get(&(name, 0)).map(|at| &judges[*at]);
            let foreign = Foreign::readings(lock.name, judge, &shared, judge_of);
            let Settled { findings, cautions } = settle(judge, &lock.facts, by, &foreign, true);
            for finding in &findings {
                incidents.push((finding.first, namer.incident(lock.name, judge, finding)));
            }
            let lock_name = || namer.symbols.name(lock.name).to_owned();
            summary
                .cautions
                .extend(cautions.into_iter().map(|(kind, count)| Caution {
                    kind,
                    lock_name: Some(lock_name()),
                    count,
                }));
            let withheld = lock.facts.withheld(by);
            summary.withheld.extend(withheld.map(|reason| Withheld {
                lock_name: lock_name(),
                reason,
            }));
        }
        incidents.sort_by_key(|(first, _)| *first);
        let incidents = incidents
            .into_iter()
            .map(|(_, incident)| incident)
            .collect();
        Classification { incidents, summary }
    }

    /// The summary before anything is said of single locks.
    fn summary(&self, locks: u64) -> Summary {
        let mut summary = Summary {
            records: self.records,
            locks,
            repeated_records: self.locks.iter().map(|lock| lock.repeated).sum(),
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

    fn finish_together(mut self, sources: &[String]) -> Classification {
        let verdicts = together::finish(&mut self, sources);
        let mut summary = self.summary(verdicts.locks);
        let name = |lock| self.symbols.name(lock).to_owned();
        for (lock, cautions) in verdicts.cautions {
            summary
                .cautions
                .extend(cautions.into_iter().map(|(kind, count)| Caution {
                    kind,
                    lock_name: Some(name(lock)),
                    count,
                }));
        }
        let withheld = verdicts.withheld.into_iter();
        summary
            .withheld
            .extend(withheld.map(|(lock, reason)| Withheld {
                lock_name: name(lock),
                reason,
            }));
        let mut incidents = verdicts.incidents;
        incidents.sort_by_key(|(first, _)| *first);
        let incidents = incidents
            .into_iter()
            .map(|(_, incident)| incident)
            .collect();
        Classification { incidents, summary }
    }
}
