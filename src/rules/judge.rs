//! Runs every rule over the steps of one lock, in their order.

use super::claim::Claims;
use super::open_releases::OpenReleases;
use super::own_tokens::Renewals;
use super::two_locks::Numbers;
use super::{accepted_write, handle, refused_write, repeated_write, token_issue};
use crate::evidence::{Answer, Event, Token};
use crate::timeline::{Handle, Shown, Step, Symbol, Timeline, VouchedBy};

/// The judgement of one lock so far.
#[derive(Debug, Clone, Default)]
pub struct LockJudge {
    /// What is known.
    pub timeline: Timeline,
    /// What was claimed.
    pub claims: Claims,
    /// What waits to be corroborated or refuted.
    pub open: OpenReleases,
    /// Which tokens acquisitions and renewals show.
    pub renewals: Renewals,
    /// Which numbers its tokens have.
    pub numbers: Numbers,
    /// Where the steps come from, while lines are what orders them.
    source: Option<u32>,
}

impl LockJudge {
    /// A judge of steps that come in a known order, or in none.
    pub fn new(ordered: bool) -> LockJudge {
        LockJudge {
            timeline: Timeline::new(ordered),
            ..LockJudge::default()
        }
    }

    /// Forgets everything; the same as a new judge, in the room of this one.
    pub fn restart(&mut self, ordered: bool) {
        let LockJudge {
            timeline,
            claims,
            open,
            renewals,
            numbers,
            source,
        } = self;
        timeline.restart(ordered);
        claims.clear();
        *open = OpenReleases::default();
        renewals.clear();
        *numbers = Numbers::default();
        *source = None;
    }

    /// The order of the steps turned out to be unknown: nothing that follows is ordered.
    /// What was claimed by order falls when the claims are settled.
    pub fn lose_order(&mut self) {
        self.open.forget_order(&mut self.claims);
        self.timeline.lose_order();
    }

    /// Gives up what waits to be corroborated: what would do it may be forgotten by then.
    pub fn drop_unsettled(&mut self) {
        self.open.drop_unsettled();
    }

    /// Forgets the records: what they showed is claimed no more, and of what is known only
    /// stays what later records are held against first of all. `rename` gives the names
    /// that stay their new symbols.
    pub fn forget(&mut self, rename: &mut dyn FnMut(Symbol) -> Symbol) {
        self.claims = Claims::default();
        self.open = OpenReleases::default();
        self.numbers.forget();
        self.timeline.forget(rename);
        self.renewals = Renewals::after(self.timeline.leases());
    }

    /// Judges the next step, then takes it into account. `by_line` is whether only the
    /// lines of one input order the steps.
    pub fn take(&mut self, step: &Step, by_line: bool) {
        if by_line
            && self
                .source
                .is_some_and(|source| source != step.place.source)
        {
            self.open.forget_order(&mut self.claims);
            self.timeline.forget_order();
        }
        self.source = Some(step.place.source);
        let shown = self.timeline.shown_by(step);
        match step.event {
            Event::Write => self.take_write(step, shown),
            _ => self.take_of_lease(step, shown),
        }
    }

    #[inline]
    fn take_write(&mut self, step: &Step, shown: Shown<'_>) {
        let LockJudge {
            timeline, claims, ..
        } = self;
        let state = timeline.key(step.key);
        match step.answer {
            Answer::Accepted => accepted_write::judge(step, state, timeline, claims),
            Answer::RejectedStaleFence => refused_write::judge(step, timeline, claims),
            _ => {}
        }
        repeated_write::judge(step, state, timeline, claims);
        if shows(shown) {
            self.judge_shown(step, shown);
            self.apply_shown(step, shown);
        }
        self.timeline.apply_write(step);
        self.numbers.apply_write(step);
    }

    /// An acquisition, a renewal, an expiry or a release.
    #[inline]
    fn take_of_lease(&mut self, step: &Step, shown: Shown<'_>) {
        let LockJudge {
            timeline,
            claims,
            open,
            ..
        } = self;
        if timeline.is_ordered() {
            open.follow(step, claims);
        }
        if matches!(step.event, Event::Release | Event::Renew) {
            handle::judge(step, timeline, open, claims);
        }
        let beside = shows(shown)
            .then(|| self.judge_shown(step, shown))
            .flatten();
        token_issue::judge(step, &self.timeline, &mut self.claims);
        if shows(shown) {
            self.apply_shown(step, shown);
        }
        if let Some((lease, token)) = beside {
            self.timeline.note_beside(lease, token);
        }
        self.timeline.apply_of_lease(step);
        self.renewals.apply(step);
        self.numbers.apply_acquisition(step);
    }

    /// Judges which lease is shown to have which token. Most steps show nothing new of it. Gives
    /// the current lease and its token where it may be the one that asks.
    #[inline(never)]
    fn judge_shown(&mut self, step: &Step, shown: Shown<'_>) -> Option<(Symbol, Token)> {
        for (handle, by) in vouched(step, shown) {
            token_issue::judge_shown(step, handle, by, &self.timeline, &mut self.claims);
        }
        let [Some(asking), Some(active)] = shown else {
            return None;
        };
        token_issue::judge_both(step, asking, active, &self.timeline, &mut self.claims)
    }

    /// Takes that into account.
    #[inline(never)]
    fn apply_shown(&mut self, step: &Step, shown: Shown<'_>) {
        for (handle, by) in vouched(step, shown) {
            self.timeline.apply_shown(step, handle, by);
            self.numbers.apply_shown(handle);
        }
    }
}

#[inline]
fn shows(shown: Shown<'_>) -> bool {
    shown.iter().any(Option::is_some)
}

/// What is shown, and who vouches for it.
fn vouched<'s>(
    step: &Step,
    [asking, active]: Shown<'s>,
) -> impl Iterator<Item = (&'s Handle, VouchedBy)> {
    let asking = asking.map(|handle| (handle, step.vouches()));
    let active = active.map(|handle| (handle, VouchedBy::Authority));
    asking.into_iter().chain(active)
}
