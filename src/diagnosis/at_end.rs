//! The input has ended: every lock is judged, and what was found is put together.
//!
//! Locks are judged one by one, on all threads, and only what was found of each is kept.
//! Those that share a resource key are the exception: their readings explain each other.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::lock::Lock;
use super::naming::Namer;
use super::{Diagnosis, Options};
use crate::evidence::Place;
use crate::incident::{
    Caution, CautionKind, Classification, Incident, Summary, Withheld, WithheldReason,
};
use crate::rules::LockJudge;
use crate::rules::settle::{Settled, settle};
use crate::rules::two_locks::{Foreign, SharedKeys};
use crate::timeline::{Kind, Names, Symbol, Symbols};

/// How many locks a thread takes at a time.
const BATCH: usize = 64;
/// A lock with so many bytes of records is judged after the small ones, by when much of
/// the memory is free again.
const BIG: usize = 1 << 20;

/// What was found of some locks.
#[derive(Default)]
pub struct Found {
    /// The incidents, each with the place of its first deciding record.
    pub incidents: Vec<(Place, Incident)>,
    /// By lock, in the order in which they were first seen.
    pub told: BTreeMap<usize, Told>,
}

/// What the summary tells of a lock.
#[derive(Default)]
pub struct Told {
    /// The lock.
    pub lock_name: String,
    /// Cautions, each with how many records it concerns.
    pub cautions: Vec<(CautionKind, u64)>,
    /// Why verdicts were withheld.
    pub withheld: Vec<WithheldReason>,
}

impl Found {
    fn and(mut self, other: Found) -> Found {
        self.incidents.extend(other.incidents);
        self.told.extend(other.told);
        self
    }

    /// Puts what was found into `summary`, and the incidents in order.
    pub fn classification(mut self, mut summary: Summary) -> Classification {
        for Told {
            lock_name,
            cautions,
            withheld,
        } in self.told.into_values()
        {
            summary
                .cautions
                .extend(cautions.into_iter().map(|(kind, count)| Caution {
                    kind,
                    lock_name: Some(lock_name.clone()),
                    count,
                }));
            summary
                .withheld
                .extend(withheld.into_iter().map(|reason| Withheld {
                    lock_name: lock_name.clone(),
                    reason,
                }));
        }
        self.incidents.sort_by_key(|(first, _)| *first);
        Classification {
            incidents: self.incidents.into_iter().map(|(_, one)| one).collect(),
            summary,
        }
    }
}

/// What all locks are judged with.
struct Bench<'b> {
    options: &'b Options,
    symbols: &'b Symbols,
    sources: &'b [String],
}

/// Judges all locks of one observer.
pub fn finish(diagnosis: &mut Diagnosis, sources: &[String]) -> Found {
    let Diagnosis {
        options,
        symbols,
        keys,
        locks,
        ..
    } = diagnosis;
    let bench = Bench {
        options,
        symbols,
        sources,
    };
    let sharing = keys.sharing();
    let alone = locks
        .iter_mut()
        .enumerate()
        .filter(|(at, _)| !sharing.contains(at));
    let found = bench.alone(alone);
    let together = locks
        .iter_mut()
        .enumerate()
        .filter(|(at, _)| sharing.contains(at));
    let together: Vec<_> = together
        .map(|(at, lock)| {
            let mut operations = lock.take_operations();
            let judge = lock.finish(options.order, &mut operations);
            (at, &*lock, judge, operations)
        })
        .collect();
    found.and(bench.together(&together))
}

impl Bench<'_> {
    /// Locks whose readings concern no other, on all threads.
    fn alone<'l>(&self, locks: impl Iterator<Item = (usize, &'l mut Lock)> + Send) -> Found {
        let small = Mutex::new(locks);
        let big = Mutex::new(Vec::new());
        let work = || {
            let mut found = Found::default();
            let mut operations = Names::new(Kind::Operation);
            loop {
                let batch: Vec<_> = locked(&small).by_ref().take(BATCH).collect();
                if batch.is_empty() {
                    break;
                }
                for (at, lock) in batch {
                    if lock.waiting() < BIG {
                        self.judge(at, lock, &mut operations, &mut found);
                    } else {
                        locked(&big).push((at, lock));
                    }
                }
            }
            loop {
                // The guard must not live as long as the judging.
                let next = locked(&big).pop();
                let Some((at, lock)) = next else { break };
                self.judge(at, lock, &mut operations, &mut found);
            }
            found
        };
        thread::scope(|scope| {
            let others = 1..self.options.threads.max(1);
            let others: Vec<_> = others.map(|_| scope.spawn(work)).collect();
            others.into_iter().fold(work(), |found, other| {
                found.and(
                    other
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                )
            })
        })
    }

    fn judge(&self, at: usize, lock: &mut Lock, scratch: &mut Names, found: &mut Found) {
        let mut own;
        let operations = if lock.is_partly_judged() {
            own = lock.take_operations();
            &mut own
        } else {
            scratch.clear();
            scratch
        };
        let judge = lock.finish(self.options.order, operations);
        self.settle(at, lock, &judge, operations, &Foreign::default(), found);
    }

    /// Locks that share keys.
    fn together(&self, locks: &[(usize, &Lock, LockJudge, Names)]) -> Found {
        let mut found = Found::default();
        let judges: BTreeMap<Symbol, &LockJudge> = locks
            .iter()
            .map(|(_, lock, judge, _)| (lock.name, judge))
            .collect();
        let shared = SharedKeys::of(locks.iter().map(|(_, lock, judge, _)| (lock.name, judge)));
        for (at, lock, judge, operations) in locks {
            let judge_of = |name| judges.get(&name).copied();
            let foreign = Foreign::readings(lock.name, judge, &shared, judge_of);
            self.settle(*at, lock, judge, operations, &foreign, &mut found);
        }
        found
    }

    fn settle(
        &self,
        at: usize,
        lock: &Lock,
        judge: &LockJudge,
        operations: &Names,
        foreign: &Foreign,
        found: &mut Found,
    ) {
        let by = self.options.order;
        let Settled { findings, cautions } = settle(judge, &lock.facts, by, foreign, true);
        let namer = Namer {
            symbols: self.symbols,
            operations,
            sources: self.sources,
        };
        for finding in &findings {
            let incident = namer.incident(lock.name, judge, finding);
            found.incidents.push((finding.first, incident));
        }
        let withheld = lock.facts.withheld(by);
        if !cautions.is_empty() || withheld.is_some() {
            let told = Told {
                lock_name: self.symbols.name(lock.name).to_owned(),
                cautions,
                withheld: withheld.into_iter().collect(),
            };
            found.told.insert(at, told);
        }
    }
}

/// A thread that panicked takes the whole run with it, so what it left is never used.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
