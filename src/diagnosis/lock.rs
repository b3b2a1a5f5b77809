//! The records of one lock: those that wait to be put in order, and those judged.

use super::history::{Cursor, History, Last};
use crate::diagnosis::OrderBy;
use crate::evidence::Origin;
use crate::rules::LockJudge;
use crate::timeline::{Kind, Names, Order, OrderFacts, Step, Symbol};

/// One lock of the run. There may be millions, so what few of them need stands apart.
#[derive(Debug)]
pub struct Lock {
    /// Its name.
    pub name: Symbol,
    /// What its records say of their order.
    pub facts: OrderFacts,
    /// The records not judged for good yet.
    history: History,
    judged: Option<Box<Judged>>,
}

/// What was judged before the end, and what came of it.
#[derive(Debug, Default)]
struct Judged {
    /// The judgement of the records that were passed, in their order.
    passed: Option<LockJudge>,
    /// The last `seq` that was passed.
    passed_seq: Option<u64>,
    /// While the input is followed: the judgement of everything so far, and up to where
    /// it has taken the waiting records.
    live: Option<(LockJudge, Cursor)>,
    /// How many records repeated an earlier one.
    repeated: u64,
    /// Whether every record that decides a claim is remembered.
    remembers: bool,
    /// The names of the operations in all that.
    operations: Option<Names>,
}

impl Lock {
    /// A lock without records.
    pub fn new(name: Symbol) -> Lock {
        Lock {
            name,
            facts: OrderFacts::default(),
            history: History::default(),
            judged: None,
        }
    }

    /// A lock with these records, which are all there are.
    pub fn of(name: Symbol, steps: &[Step], vouched: Option<Origin>, operations: &Names) -> Lock {
        let mut lock = Lock::new(name);
        lock.judged().remembers = true;
        for step in steps {
            lock.facts.note(step, vouched);
            let operation = step.operation.map(|operation| operations.name(operation));
            lock.push(step, operation);
        }
        lock
    }

    fn judged(&mut self) -> &mut Judged {
        self.judged.get_or_insert_default()
    }

    /// The latest record, for names that come again.
    pub fn last(&self) -> &Last {
        self.history.last()
    }

    /// Takes a record. `operation` is the name of its operation; the one in `step` is not
    /// looked at.
    pub fn push(&mut self, step: &Step, operation: Option<&str>) {
        let passed = self.judged.as_ref().and_then(|judged| judged.passed_seq);
        if let (Some(seq), Some(passed)) = (step.seq, passed)
            && seq <= passed
        {
            self.facts.note_beyond_memory();
        }
        self.history.push(step, operation);
    }

    /// How many bytes the records take that wait.
    pub fn waiting(&self) -> usize {
        self.history.size()
    }

    /// How many records repeated an earlier one.
    pub fn repeated(&self) -> u64 {
        self.judged.as_ref().map_or(0, |judged| judged.repeated)
    }

    /// Whether some records were judged for good before the end.
    pub fn is_partly_judged(&self) -> bool {
        let judged = self.judged.as_ref();
        judged.is_some_and(|judged| judged.passed.is_some())
    }

    /// The names of the operations in what was judged already, to add those of the rest.
    pub fn take_operations(&mut self) -> Names {
        let judged = self.judged.as_mut();
        judged
            .and_then(|judged| judged.operations.take())
            .unwrap_or_else(|| Names::new(Kind::Operation))
    }

    /// Keeps what [`Lock::take_operations`] gave.
    pub fn keep_operations(&mut self, operations: Names) {
        self.judged().operations = Some(operations);
    }

    /// The names of the operations in what was judged already.
    pub fn operations(&self) -> Option<&Names> {
        self.judged.as_ref()?.operations.as_ref()
    }

    /// Judges for good the records up to the last one that arrived before `cutoff`; a
    /// record whose place in the order lies before that can no longer be taken in.
    pub fn pass(&mut self, by: OrderBy, cutoff: u64, operations: &mut Names) {
        let steps = self.arranged(by, operations);
        let last = steps.iter().rposition(|step| step.place.arrival < cutoff);
        let (now, later) = steps.split_at(last.map_or(0, |last| last + 1));
        let mut judge = self.passed_judge(by);
        let by_line = self.is_by_line(by);
        for step in now {
            judge.take(step, by_line);
        }
        self.history.replace(later, operations);
        let judged = self.judged();
        let seq = now.iter().filter_map(|step| step.seq).max();
        judged.passed_seq = judged.passed_seq.max(seq);
        judged.passed = Some(judge);
        judged.live = None;
    }

    /// Judges everything: the input has ended.
    pub fn finish(&mut self, by: OrderBy, operations: &mut Names) -> LockJudge {
        if self.history.is_arranged() {
            let mut judge = self.passed_judge(by);
            let by_line = self.is_by_line(by);
            let mut cursor = Cursor::default();
            while let Some(step) = self.history.next(&mut cursor, operations) {
                judge.take(&step, by_line);
            }
            self.history = History::default();
            return judge;
        }
        self.pass(by, u64::MAX, operations);
        self.judged().passed.take().unwrap_or_default()
    }

    /// The judgement of everything up to the last [`Lock::bring_up_to_date`].
    pub fn live(&self) -> Option<&LockJudge> {
        let (judge, _) = self.judged.as_ref()?.live.as_ref()?;
        Some(judge)
    }

    /// Judges everything so far, as if the input ended here.
    pub fn bring_up_to_date(&mut self, by: OrderBy, operations: &mut Names) {
        let known = self.live();
        let still = known.is_some_and(|judge| judge.timeline.is_ordered() == self.is_ordered(by));
        if !(still && self.history.is_still_arranged()) {
            let steps = self.arranged(by, operations);
            self.history.replace(&steps, operations);
            self.judged().live = None;
        }
        let taken = self.judged().live.take();
        let (mut judge, mut cursor) =
            taken.unwrap_or_else(|| (self.passed_copy(by), Cursor::default()));
        let by_line = self.is_by_line(by);
        while let Some(step) = self.history.next(&mut cursor, operations) {
            judge.take(&step, by_line);
        }
        self.judged().live = Some((judge, cursor));
    }

    fn is_ordered(&self, by: OrderBy) -> bool {
        !matches!(self.facts.order(by), Order::Unknown(_))
    }

    fn is_by_line(&self, by: OrderBy) -> bool {
        self.facts.order(by) == Order::ByLine
    }

    fn passed_judge(&mut self, by: OrderBy) -> LockJudge {
        let passed = self.judged.as_mut().and_then(|judged| judged.passed.take());
        self.with_order(passed, by)
    }

    fn passed_copy(&self, by: OrderBy) -> LockJudge {
        let passed = self
            .judged
            .as_ref()
            .and_then(|judged| judged.passed.clone());
        self.with_order(passed, by)
    }

    fn with_order(&self, judge: Option<LockJudge>, by: OrderBy) -> LockJudge {
        let ordered = self.is_ordered(by);
        let mut judge = judge.unwrap_or_else(|| LockJudge::new(ordered));
        if self.judged.as_ref().is_some_and(|judged| judged.remembers) {
            judge.claims.remember_deciding();
        }
        if judge.timeline.is_ordered() && !ordered {
            judge.lose_order();
        }
        judge
    }

    /// The records that wait, in order: uses repeated ones once and notices shared `seq`.
    fn arranged(&mut self, by: OrderBy, operations: &mut Names) -> Vec<Step> {
        let mut steps = self.history.steps(operations);
        if self.history.is_arranged() {
            return steps;
        }
        steps.sort_by_key(|step| (step.seq, step.place));
        let before = steps.len();
        let mut group: Vec<Step> = Vec::new();
        let facts = &mut self.facts;
        steps.retain(|step| {
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
        let repeated = before - steps.len();
        if repeated > 0 {
            self.judged().repeated += repeated as u64;
        }
        if self.facts.order(by) != Order::BySeq {
            steps.sort_by_key(|step| step.place);
        }
        steps
    }
}
