//! The input has ended: every lock is judged, and what was found is put together.
//!
//! Locks are judged one by one, on all threads, and only what was found of each is kept.
//! Those that share a resource key are the exception: their readings explain each other.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;

use super::early::{Early, Forgetting, shown};
use super::keys::Keys;
use super::lock::Lock;
use super::{DEFAULT_MEMORY, Diagnosis, Options};
use crate::evidence::Place;
use crate::incident::{
    Caution, CautionKind, Classification, Incident, Summary, Withheld, WithheldReason,
};
use crate::rules::LockJudge;
use crate::rules::two_locks::{Foreign, SharedKeys};
use crate::timeline::{Symbol, Symbols};

/// How many locks a thread takes at a time.
const BATCH: usize = 64;
/// A lock with so many bytes of records is judged after the small ones, by when much of
/// the memory is free again.
const BIG: usize = 1 << 20;

/// So many big locks are judged at once, however many threads there are: into how large
/// pieces they are cut must not depend on that.
const BIG_AT_ONCE: usize = 2;

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
        // An incident is large to move.
        self.incidents.sort_by_cached_key(|(first, _)| *first);
        Classification {
            incidents: self.incidents.into_iter().map(|(_, one)| one).collect(),
            summary,
        }
    }
}

/// A lock by its index, its judgement, and what was found of records it forgot.
type Judged<'l, J> = (usize, &'l Lock, J, Option<Early>);

/// What all locks are judged with.
struct Bench<'b> {
    options: &'b Options,
    symbols: &'b Symbols,
    kept: &'b Symbols,
    keys: &'b Keys,
    sources: &'b [String],
    forgetting: Forgetting<'b>,
}

/// Judges all locks of one observer.
pub fn finish(diagnosis: &mut Diagnosis, sources: &[String]) -> Found {
    let Diagnosis {
        options,
        symbols,
        kept,
        keys,
        locks,
        waiting,
        ..
    } = diagnosis;
    // What waits no longer makes room for what is known of it; big locks share that room.
    let memory = options.memory.unwrap_or(DEFAULT_MEMORY);
    let room = memory.saturating_sub(*waiting).max(memory / 4);
    let big = locks.iter().filter(|lock| lock.waiting() >= BIG).count();
    let bench = Bench {
        options,
        symbols,
        kept,
        keys,
        sources,
        forgetting: Forgetting {
            symbols,
            by: options.order,
            most: Forgetting::within(room / big.clamp(1, BIG_AT_ONCE)),
        },
    };
    // While the input was followed, all locks were judged side by side.
    let beside = |at: &usize| options.follow || keys.sharing().contains(at);
    let alone = locks.iter_mut().enumerate();
    let found = bench.alone(alone.filter(|(at, _)| !beside(at)));
    let together = locks.iter_mut().enumerate();
    // They name each other's owners and leases, so their names stand together as well.
    let mut names = Symbols::default();
    let together: Vec<_> = together
        .filter(|(at, _)| beside(at))
        .map(|(at, lock)| {
            let judge = lock.finish(options.order, &mut names, Some(kept));
            let early = lock.take_early();
            (at, &*lock, judge, early)
        })
        .collect();
    found.and(bench.together(together, &names))
}

impl Bench<'_> {
    /// Locks whose readings concern no other, on all threads.
    fn alone<'l>(&self, locks: impl Iterator<Item = (usize, &'l mut Lock)> + Send) -> Found {
        let small = Mutex::new(locks);
        let big = Mutex::new(Vec::new());
        let found = on_threads(self.options.threads, || {
            let mut found = Found::default();
            let mut names = Symbols::default();
            // One judge for all, so that its room is found only once.
            let mut judge = LockJudge::default();
            loop {
                let batch: Vec<_> = locked(&small).by_ref().take(BATCH).collect();
                if batch.is_empty() {
                    return found;
                }
                for (at, lock) in batch {
                    if lock.waiting() < BIG {
                        self.judge(at, lock, &mut judge, &mut names, &mut found);
                    } else {
                        locked(&big).push((at, lock));
                    }
                }
            }
        });
        if locked(&big).is_empty() {
            return found;
        }
        found.and(on_threads(self.options.threads.min(BIG_AT_ONCE), || {
            let mut found = Found::default();
            let mut names = Symbols::default();
            let mut judge = LockJudge::default();
            loop {
                // The guard must not live as long as the judging.
                let next = locked(&big).pop();
                let Some((at, lock)) = next else {
                    return found;
                };
                self.judge(at, lock, &mut judge, &mut names, &mut found);
            }
        }))
    }

    fn judge(
        &self,
        at: usize,
        lock: &mut Lock,
        judge: &mut LockJudge,
        names: &mut Symbols,
        found: &mut Found,
    ) {
        names.clear();
        let forgetting = Some(&self.forgetting);
        lock.finish_with(
            judge,
            self.options.order,
            names,
            Some(self.kept),
            forgetting,
        );
        let early = lock.take_early();
        self.settle((at, lock, judge, early), names, &Foreign::default(), found);
    }

    /// Locks that share keys.
    fn together(&self, locks: Vec<Judged<'_, LockJudge>>, names: &Symbols) -> Found {
        let mut found = Found::default();
        let (locks, earlier): (Vec<_>, Vec<_>) = locks
            .into_iter()
            .map(|(at, lock, judge, early)| ((at, lock, judge), early))
            .unzip();
        let judges: BTreeMap<Symbol, &LockJudge> = locks
            .iter()
            .map(|(_, lock, judge)| (lock.name, judge))
            .collect();
        let shared = SharedKeys::of(locks.iter().map(|(_, lock, judge)| (lock.name, judge)));
        // What a lock forgot may explain what its neighbours read at a key that both name.
        let sharing = self.keys.sharing();
        let mut forgot = locks.iter().zip(&earlier);
        let forgot = forgot.any(|((at, ..), early)| early.is_some() && sharing.contains(at));
        for ((at, lock, judge), early) in locks.iter().zip(earlier) {
            let early = early.or_else(|| (forgot && sharing.contains(at)).then(Early::default));
            let judge_of = |name| judges.get(&name).copied();
            // Readings of a lock that forgot its own writes are nobody else's for that.
            let foreign = match early {
                Some(_) => Foreign::default(),
                None => Foreign::readings(lock.name, judge, &shared, judge_of),
            };
            self.settle((*at, lock, judge, early), names, &foreign, &mut found);
        }
        found
    }

    fn settle(
        &self,
        (at, lock, judge, early): Judged<'_, &LockJudge>,
        names: &Symbols,
        foreign: &Foreign,
        found: &mut Found,
    ) {
        let by = self.options.order;
        let forgot = early.as_ref().map(|_| WithheldReason::Forgotten);
        // What only the whole of the records tells is not told where some are gone.
        let (mut shown, mut cautions) = {
            let ended = early.is_none();
            shown(
                self.symbols,
                (lock, judge, names),
                by,
                foreign,
                ended,
                ended,
            )
        };
        if let Some(mut early) = early {
            early.add(shown, &cautions);
            (shown, cautions) = early.standing(&lock.facts, by);
        }
        let told = shown.into_iter().map(|one| one.named(self.sources));
        found.incidents.extend(told);
        let withheld: Vec<_> = lock.facts.withheld(by).into_iter().chain(forgot).collect();
        if !cautions.is_empty() || !withheld.is_empty() {
            let told = Told {
                lock_name: self.symbols.name(lock.name).to_owned(),
                cautions,
                withheld,
            };
            found.told.insert(at, told);
        }
    }
}

/// Does the same work on several threads, the calling one among them, and puts together what
/// they found. The calling thread gets everything done, however few help.
fn on_threads(threads: usize, work: impl Fn() -> Found + Sync) -> Found {
    thread::scope(|scope| {
        let spawn = |_| thread::Builder::new().spawn_scoped(scope, &work).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        others.into_iter().fold(work(), |found, other| {
            let other = other.join();
            found.and(other.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    })
}

/// A thread that panicked takes the whole run with it, so what it left is never used.
fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
