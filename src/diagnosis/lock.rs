//! The records of one lock: those that wait to be put in order, and those judged.

use super::early::{Early, Forgetting};
use super::history::{Cursor, History, NO_STEP};
use crate::diagnosis::OrderBy;
use crate::evidence::{Glance, Origin, Place};
use crate::rules::LockJudge;
use crate::timeline::{Backwards, Order, OrderFacts, Step, Symbol, Symbols};

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

/// What is kept of the forgotten records of a lock takes about so many bytes.
const KEPT: usize = 2048;

/// What was judged before the end, and what came of it.
#[derive(Debug, Default)]
struct Judged {
    /// The judgement of the records that were passed, in their order.
    passed: Option<LockJudge>,
    /// The last `seq` that was passed.
    passed_seq: Option<u64>,
    /// While the input is followed: the judgement of everything so far, and up to where
    /// it has taken the waiting records.
    live: Option<Box<(LockJudge, Cursor)>>,
    /// How many records repeated an earlier one.
    repeated: u64,
    /// Whether every record that decides a claim is remembered.
    remembers: bool,
    /// What was found of records that are forgotten.
    early: Early,
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

    /// The judgement of these records, which are all there are, and what they say of
    /// their order.
    pub fn judge_all(
        name: Symbol,
        steps: &[Step],
        vouched: Option<Origin>,
        by: OrderBy,
        names: &mut Symbols,
    ) -> (Lock, LockJudge) {
        let mut lock = Lock::new(name);
        lock.judged().remembers = true;
        for step in steps {
            lock.facts.note(step, vouched);
        }
        lock.history.replace(steps, names);
        let judge = lock.finish(by, names, None);
        (lock, judge)
    }

    fn judged(&mut self) -> &mut Judged {
        self.judged.get_or_insert_default()
    }

    /// The key of the latest record that has one.
    pub fn last_key(&self) -> Option<Symbol> {
        self.history.last_key()
    }

    /// Fetches from memory what [`Lock::push`] holds a record against, beside the lock itself.
    #[inline]
    pub fn fetch_names(&self) {
        self.history.fetch_names();
    }

    /// Takes a record; `key` is its key, and `seq_by` gave its `seq`.
    pub fn push(
        &mut self,
        place: Place,
        record: &impl Glance,
        key: Option<Symbol>,
        seq_by: Option<Origin>,
    ) {
        let passed = self.judged.as_ref().and_then(|judged| judged.passed_seq);
        if let (Some(seq), Some(passed)) = (record.seq(), passed)
            && seq <= passed
        {
            self.facts.note_beyond_memory();
        }
        self.history.push(place, record, key, seq_by);
    }

    /// How many bytes the records take that wait.
    pub fn waiting(&self) -> usize {
        self.history.size()
    }

    /// How many bytes it takes, about, apart from its name.
    pub fn size(&self) -> usize {
        self.waiting() + if self.keeps() { KEPT } else { 0 }
    }

    /// Whether something is kept of records that were judged early.
    pub fn keeps(&self) -> bool {
        let judged = self.judged.as_ref();
        judged.is_some_and(|judged| judged.passed.is_some())
    }

    /// How many records repeated an earlier one.
    pub fn repeated(&self) -> u64 {
        self.judged.as_ref().map_or(0, |judged| judged.repeated)
    }

    /// What was found of records that are forgotten.
    pub fn early(&self) -> Option<&Early> {
        let judged = self.judged.as_ref()?;
        Some(&judged.early).filter(|early| early.forgot())
    }

    /// Judges for good the records up to the last one that arrived before `cutoff`, and
    /// says whether there is any; a record whose place in the order lies before that can no
    /// longer be taken in. `names` takes the names in them; those in what was kept before
    /// are found in `kept`. With `forgetting`, it forgets as often as that says.
    pub fn pass(
        &mut self,
        by: OrderBy,
        cutoff: u64,
        names: &mut Symbols,
        kept: Option<&Symbols>,
        forgetting: Option<&Forgetting<'_>>,
    ) -> bool {
        if !self.history.is_arranged() {
            let steps = self.arranged(by, names);
            self.history.replace(&steps, names);
        }
        let (mut seen, mut count) = (0usize, 0usize);
        let mut cursor = Cursor::default();
        while let Some(step) = self.history.next(&mut cursor, names) {
            seen += 1;
            if step.place.arrival < cutoff {
                count = seen;
            }
        }
        if forgetting.is_some() {
            // Most of them are not needed until their records are judged.
            names.clear();
        }
        let mut judge = LockJudge::default();
        let passed_some = self.judged.as_ref().is_some_and(|one| one.passed.is_some());
        self.begin_with_passed(&mut judge, by, names, kept);
        let mut cursor = Cursor::default();
        let seq = self.judge(&mut judge, &mut cursor, count, by, names, forgetting);
        let mut later = History::default();
        while let Some(step) = self.history.next(&mut cursor, names) {
            later.push_step(&step, names);
        }
        self.history = later;
        let judged = self.judged();
        judged.passed_seq = judged.passed_seq.max(seq);
        // Of a lock of which none was passed nothing can be forgotten.
        judged.passed = (passed_some || count > 0).then_some(judge);
        judged.live = None;
        count > 0
    }

    /// Judges so many records behind `cursor`, and gives the greatest `seq` among them.
    fn judge(
        &mut self,
        judge: &mut LockJudge,
        cursor: &mut Cursor,
        count: usize,
        by: OrderBy,
        names: &mut Symbols,
        forgetting: Option<&Forgetting<'_>>,
    ) -> Option<u64> {
        let by_line = self.is_by_line(by);
        let most = forgetting.map_or(usize::MAX, |forgetting| forgetting.most);
        let (mut seq, mut left) = (None, count);
        let mut step = NO_STEP;
        loop {
            for _ in 0..left.min(most) {
                if !self.history.read(cursor, names, &mut step) {
                    return seq;
                }
                judge.take(&step, by_line);
                seq = seq.max(step.seq);
            }
            left = left.saturating_sub(most);
            match forgetting {
                Some(forgetting) if left > 0 && !self.history.is_at_end(cursor) => {
                    self.forget_judged(judge, cursor, names, forgetting);
                }
                _ => return seq,
            }
        }
    }

    /// Forgets what was judged so far, in the middle of it.
    fn forget_judged(
        &mut self,
        judge: &mut LockJudge,
        cursor: &mut Cursor,
        names: &mut Symbols,
        forgetting: &Forgetting<'_>,
    ) {
        let mut early = std::mem::take(&mut self.judged().early);
        forgetting.tell(self, judge, names, &mut early);
        self.judged().early = early;
        let mut kept = Symbols::default();
        judge.forget(&mut |symbol| kept.adopt(symbol, names));
        cursor.rename(&mut |symbol| kept.adopt(symbol, names));
        *names = kept;
    }

    /// Forgets the records that were passed, after it was told what they show. What later
    /// records are held against first of all is kept, and the names in it go from `names`
    /// to `kept`.
    pub fn forget(&mut self, names: &Symbols, kept: &mut Symbols, forgetting: &Forgetting<'_>) {
        let judged = self.judged();
        let Some(mut judge) = judged.passed.take() else {
            return;
        };
        let mut early = std::mem::take(&mut judged.early);
        forgetting.tell(self, &mut judge, names, &mut early);
        judge.forget(&mut |symbol| kept.adopt(symbol, names));
        let judged = self.judged();
        judged.passed = Some(judge);
        judged.early = early;
    }

    /// Moves the names in what is kept of forgotten records.
    pub fn move_names(&mut self, names: &Symbols, kept: &mut Symbols) {
        let passed = self
            .judged
            .as_mut()
            .and_then(|judged| judged.passed.as_mut());
        if let Some(judge) = passed {
            // Once more: there is nothing left to forget, so this only renames.
            judge.forget(&mut |symbol| kept.adopt(symbol, names));
        }
    }

    /// The same, to be told at the end: from here on it is nobody's.
    pub fn take_early(&mut self) -> Option<Early> {
        let early = &mut self.judged.as_mut()?.early;
        early.forgot().then(|| std::mem::take(early))
    }

    /// Judges everything: the input has ended. Names are as for [`Lock::pass`].
    pub fn finish(
        &mut self,
        by: OrderBy,
        names: &mut Symbols,
        kept: Option<&Symbols>,
    ) -> LockJudge {
        let mut judge = LockJudge::default();
        self.finish_with(&mut judge, by, names, kept, None);
        judge
    }

    /// The same, by a judge that forgets what it knows of another lock, and forgets of this
    /// one as `forgetting` says.
    pub fn finish_with(
        &mut self,
        judge: &mut LockJudge,
        by: OrderBy,
        names: &mut Symbols,
        kept: Option<&Symbols>,
        forgetting: Option<&Forgetting<'_>>,
    ) {
        let mut steps = match self.history.is_arranged() {
            true => Vec::new(),
            false => self.arranged(by, names),
        };
        if let Some(forgetting) = forgetting
            && steps.len() > forgetting.most
        {
            self.history.replace(&steps, names);
            names.clear();
            steps = Vec::new();
        }
        self.look_for_backwards(by, &steps, names, forgetting.is_some());
        self.begin_with_passed(judge, by, names, kept);
        if steps.is_empty() {
            let mut cursor = Cursor::default();
            self.judge(judge, &mut cursor, usize::MAX, by, names, forgetting);
        }
        let by_line = self.is_by_line(by);
        for step in &steps {
            judge.take(step, by_line);
        }
        self.history = History::default();
    }

    /// Looks whether the lines are no order, before they are taken for one.
    fn look_for_backwards(
        &mut self,
        by: OrderBy,
        steps: &[Step],
        names: &mut Symbols,
        forgetting: bool,
    ) {
        if !self.is_by_line(by) {
            return;
        }
        let mut lines = Backwards::default();
        let (mut cursor, mut arranged) = (Cursor::default(), steps.iter().copied());
        loop {
            let step = match steps.is_empty() {
                true => self.history.next(&mut cursor, names),
                false => arranged.next(),
            };
            if !step.is_some_and(|step| lines.note(&(&step).into())) {
                break;
            }
        }
        if lines.found() {
            self.facts.note_backwards();
        }
        if forgetting && steps.is_empty() {
            // They are found again, piece by piece.
            names.clear();
        }
    }

    /// The judgement of everything up to the last [`Lock::bring_up_to_date`].
    pub fn live(&self) -> Option<&LockJudge> {
        let live = self.judged.as_ref()?.live.as_ref()?;
        Some(&live.0)
    }

    /// Lets go of the judgement of everything so far.
    pub fn drop_live(&mut self) {
        if let Some(judged) = &mut self.judged {
            judged.live = None;
        }
    }

    /// Judges everything so far, as if the input ended here.
    /// Names are as for [`Lock::pass`].
    pub fn bring_up_to_date(&mut self, by: OrderBy, names: &mut Symbols, kept: Option<&Symbols>) {
        let known = self.live();
        let still = known.is_some_and(|judge| judge.timeline.is_ordered() == self.is_ordered(by));
        if !(still && self.history.is_still_arranged()) {
            let steps = self.arranged(by, names);
            self.history.replace(&steps, names);
            self.judged().live = None;
        }
        let taken = self.judged().live.take();
        let mut live = taken.unwrap_or_else(|| {
            let judge = self.passed_copy(by, names, kept);
            Box::new((judge, Cursor::default()))
        });
        let (judge, cursor) = &mut *live;
        let by_line = self.is_by_line(by);
        while let Some(step) = self.history.next(cursor, names) {
            judge.take(&step, by_line);
        }
        self.judged().live = Some(live);
    }

    fn is_ordered(&self, by: OrderBy) -> bool {
        !matches!(self.facts.order(by), Order::Unknown(_))
    }

    fn is_by_line(&self, by: OrderBy) -> bool {
        self.facts.order(by) == Order::ByLine
    }

    /// Makes `judge` the judgement of the records that were passed.
    fn begin_with_passed(
        &mut self,
        judge: &mut LockJudge,
        by: OrderBy,
        names: &mut Symbols,
        kept: Option<&Symbols>,
    ) {
        if let Some(kept) = kept {
            self.move_names(kept, names);
        }
        let passed = self.judged.as_mut().and_then(|judged| judged.passed.take());
        self.begin(judge, passed, by);
    }

    fn passed_copy(&self, by: OrderBy, names: &mut Symbols, kept: Option<&Symbols>) -> LockJudge {
        let mut passed = self
            .judged
            .as_ref()
            .and_then(|judged| judged.passed.clone());
        if let (Some(judge), Some(kept)) = (&mut passed, kept) {
            judge.forget(&mut |symbol| names.adopt(symbol, kept));
        }
        let mut judge = LockJudge::default();
        self.begin(&mut judge, passed, by);
        judge
    }

    /// Makes `judge` the judgement of what was passed, in the order that is known by now.
    fn begin(&self, judge: &mut LockJudge, passed: Option<LockJudge>, by: OrderBy) {
        let ordered = self.is_ordered(by);
        match passed {
            Some(passed) => *judge = passed,
            None => judge.restart(ordered),
        }
        if self.judged.as_ref().is_some_and(|judged| judged.remembers) {
            judge.claims.remember_deciding();
        }
        if judge.timeline.is_ordered() && !ordered {
            judge.lose_order();
        }
    }

    /// The records that wait, in order: uses repeated ones once and notices shared `seq`.
    fn arranged(&mut self, by: OrderBy, names: &mut Symbols) -> Vec<Step> {
        let mut steps = self.history.steps(names);
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

#[cfg(test)]
mod tests {
    use super::Lock;

    #[test]
    fn a_lock_is_small() {
        assert_eq!(size_of::<Lock>(), 104);
    }
}
