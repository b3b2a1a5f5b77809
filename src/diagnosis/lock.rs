//! The records of one lock: those that wait to be put in order, and those judged.

use crate::diagnosis::OrderBy;
use crate::evidence::Origin;
use crate::rules::LockJudge;
use crate::timeline::{Order, OrderFacts, Step, Symbol};

/// One lock of the run.
#[derive(Debug)]
pub struct Lock {
    /// Its name.
    pub name: Symbol,
    /// What its records say of their order.
    pub facts: OrderFacts,
    /// How many records repeated an earlier one.
    pub repeated: u64,
    /// The records not judged for good yet, in order of arrival.
    pending: Vec<Step>,
    /// The judgement of the records that were passed, in their order.
    passed: Option<LockJudge>,
    /// The last `seq` that was passed.
    passed_seq: Option<u64>,
    /// While the input is followed: the judgement of everything so far, and how many
    /// pending records it has taken.
    live: Option<(LockJudge, usize)>,
    /// Whether every record that decides a claim is remembered.
    remembers: bool,
}

impl Lock {
    /// A lock without records.
    pub fn new(name: Symbol) -> Lock {
        Lock {
            name,
            facts: OrderFacts::default(),
            repeated: 0,
            pending: Vec::new(),
            passed: None,
            passed_seq: None,
            live: None,
            remembers: false,
        }
    }

    /// A lock with these records, which are all there are.
    pub fn of(name: Symbol, steps: &[Step], vouched: Option<Origin>) -> Lock {
        let mut lock = Lock {
            remembers: true,
            ..Lock::new(name)
        };
        for step in steps {
            lock.facts.note(step, vouched);
            lock.push(*step);
        }
        lock
    }

    /// Takes a record.
    pub fn push(&mut self, step: Step) {
        if let (Some(seq), Some(passed)) = (step.seq, self.passed_seq)
            && seq <= passed
        {
            self.facts.note_beyond_memory();
        }
        self.pending.push(step);
    }

    /// How many records wait.
    pub fn waiting(&self) -> usize {
        self.pending.len()
    }

    /// Judges for good the records up to the last one that arrived before `cutoff`; a
    /// record whose place in the order lies before that can no longer be taken in.
    pub fn pass(&mut self, by: OrderBy, cutoff: u64) {
        self.arrange(by);
        let last = self
            .pending
            .iter()
            .rposition(|step| step.place.arrival < cutoff);
        let count = last.map_or(0, |last| last + 1);
        let mut judge = self.passed_judge(by);
        let by_line = self.is_by_line(by);
        for step in self.pending.drain(..count) {
            self.passed_seq = self.passed_seq.max(step.seq);
            judge.take(&step, by_line);
        }
        self.passed = Some(judge);
        if let Some((_, taken)) = &mut self.live {
            *taken = taken.saturating_sub(count);
        }
    }

    /// Judges everything: the input has ended.
    pub fn finish(&mut self, by: OrderBy) -> LockJudge {
        self.pass(by, u64::MAX);
        self.passed.take().unwrap_or_default()
    }

    /// The judgement of everything up to the last [`Lock::bring_up_to_date`].
    pub fn live(&self) -> Option<&LockJudge> {
        self.live.as_ref().map(|(judge, _)| judge)
    }

    /// Judges everything so far, as if the input ended here.
    pub fn bring_up_to_date(&mut self, by: OrderBy) {
        let by_line = self.is_by_line(by);
        let in_order = self.live.as_ref().is_some_and(|(judge, taken)| {
            let new = taken.saturating_sub(1).min(self.pending.len());
            let still = judge.timeline.is_ordered() == self.is_ordered(by);
            still && *taken <= self.pending.len() && is_arranged(&self.pending[new..])
        });
        if !in_order {
            self.arrange(by);
            self.live = Some((self.passed_copy(by), 0));
        }
        let (judge, taken) = self.live.get_or_insert_with(|| (LockJudge::default(), 0));
        for step in &self.pending[*taken..] {
            judge.take(step, by_line);
        }
        *taken = self.pending.len();
    }

    fn is_ordered(&self, by: OrderBy) -> bool {
        !matches!(self.facts.order(by), Order::Unknown(_))
    }

    fn is_by_line(&self, by: OrderBy) -> bool {
        self.facts.order(by) == Order::ByLine
    }

    fn passed_judge(&mut self, by: OrderBy) -> LockJudge {
        let judge = self.passed.take();
        self.with_order(judge, by)
    }

    fn passed_copy(&self, by: OrderBy) -> LockJudge {
        self.with_order(self.passed.clone(), by)
    }

    fn with_order(&self, judge: Option<LockJudge>, by: OrderBy) -> LockJudge {
        let ordered = self.is_ordered(by);
        let mut judge = judge.unwrap_or_else(|| LockJudge::new(ordered));
        if self.remembers {
            judge.claims.remember_deciding();
        }
        if judge.timeline.is_ordered() && !ordered {
            judge.lose_order();
        }
        judge
    }

    /// Uses repeated records once, notices shared `seq`, and sorts what waits.
    fn arrange(&mut self, by: OrderBy) {
        if is_arranged(&self.pending) {
            return;
        }
        self.pending.sort_by_key(|step| (step.seq, step.place));
        let before = self.pending.len();
        let mut group: Vec<Step> = Vec::new();
        let facts = &mut self.facts;
        self.pending.retain(|step| {
            if step.seq.is_none() || group.first().is_none_or(|first| first.seq != step.seq) {
                group.clear();
            } else if group.iter().any(|known| known.repeats(step)) {
                facts.forget_repeated();
                return false;
            } else {
                facts.note_shared_seq();
            }
            group.push(*step);
            true
        });
        self.repeated += (before - self.pending.len()) as u64;
        if facts.order(by) != Order::BySeq {
            self.pending.sort_by_key(|step| step.place);
        }
    }
}

/// Whether every record carries a greater `seq` than the one before, or none carries one
/// and they stand as they arrived: then there is nothing to arrange.
fn is_arranged(steps: &[Step]) -> bool {
    steps
        .windows(2)
        .all(|pair| match (pair[0].seq, pair[1].seq) {
            (Some(a), Some(b)) => a < b,
            (None, None) => pair[0].place < pair[1].place,
            _ => false,
        })
}
