//! When the input has ended: which claims stand, and how firmly.
//!
//! A claim made on the way may rest on what later records overturn. Its
//! [`Grounds`](super::claim::Grounds) name what must hold; here they are held against
//! everything that is known.

mod end;
mod fold;
mod joined;
mod later_lease;
mod refusals;
mod ruling;
mod trust;
mod two_leases;

use std::cell::OnceCell;

use hashbrown::HashSet;

use self::ruling::Ruling;
use super::LockJudge;
use super::claim::{Basis, Claim, Subject};
use super::two_locks::Foreign;
use crate::diagnosis::OrderBy;
use crate::evidence::Place;
use crate::incident::{Assumption, CautionKind, Variant};
use crate::observers::join::Joined;
use crate::timeline::{OrderFacts, Seen, Strength, Symbol, Symbols};

/// What stands of the claims of one lock.
#[derive(Debug, Default)]
pub struct Settled {
    /// One finding an incident, in the order of their first deciding records.
    pub findings: Vec<Finding>,
    /// Cautions, with how many records each concerns.
    pub cautions: Vec<(CautionKind, u64)>,
}

/// Claims of one variant and subject, put together.
#[derive(Debug, Clone)]
pub struct Finding {
    /// The strongest claim; its status and its missing fields are final.
    pub claim: Claim,
    /// Where the first deciding record stood.
    pub first: Place,
    /// What is taken on trust.
    pub assumes: Vec<Assumption>,
    /// A refusal that follows from it.
    pub refusal: Option<Seen>,
    /// The judge that claims it: the index of a view, or their number for what was seen
    /// only by all of them together.
    pub view: usize,
    /// The arrivals of the records that decide it; the first ones of each claim, where
    /// not all were remembered.
    pub decided: Vec<u64>,
}

/// The records of one lock in an order of their own, judged.
#[derive(Debug, Clone, Copy)]
pub struct View<'j> {
    /// The judge.
    pub judge: &'j LockJudge,
    /// What the records say of their order.
    pub facts: &'j OrderFacts,
}

/// What several observers of one lock know together.
#[derive(Debug, Clone, Copy)]
pub struct Together<'j> {
    /// Every event once, judged without any order.
    pub whole: &'j LockJudge,
    /// Which records are of which event.
    pub joined: &'j Joined,
}

/// Settles the claims of one lock, whose names `names` knows. `ended` is whether the input
/// has ended: some rows are judged only then.
pub fn settle(
    View { judge, facts }: View<'_>,
    names: &Symbols,
    by: OrderBy,
    foreign: &Foreign,
    ended: bool,
) -> Settled {
    Court::new(&[View { judge, facts }], None, names, by, ended).settle(foreign)
}

/// Settles what several observers of one lock claim, each in its own order, when the
/// input has ended. Without `together` their records were not joined.
pub fn settle_views(
    views: &[View<'_>],
    together: Option<Together<'_>>,
    names: &Symbols,
    by: OrderBy,
    foreign: &Foreign,
) -> Settled {
    Court::new(views, together, names, by, true).settle(foreign)
}

/// An incident to be: its variant and subject.
type Key = (Variant, Subject);

/// A claim that stands.
struct Standing {
    claim: Claim,
    /// Whose it is, as [`Finding::view`].
    view: usize,
    /// The records that decide it.
    decided: Vec<u64>,
}

struct Court<'j> {
    views: &'j [View<'j>],
    together: Option<Together<'j>>,
    names: &'j Symbols,
    by: OrderBy,
    /// Whether the input has ended: until then no lease is silent.
    ended: bool,
    /// Once a claim asks, by view, for every acquisition: the greatest token, in their
    /// order up to it, whose lease wrote nothing that any view knows of.
    silent: OnceCell<Vec<Vec<Option<Seen>>>>,
    /// Once a claim asks: the leases that may be on record in another spelling as well, by
    /// a key of the numbers that they may be.
    spelled_twice: OnceCell<Vec<(u64, Symbol)>>,
}

impl<'j> Court<'j> {
    fn new(
        views: &'j [View<'j>],
        together: Option<Together<'j>>,
        names: &'j Symbols,
        by: OrderBy,
        ended: bool,
    ) -> Court<'j> {
        Court {
            views,
            together,
            names,
            by,
            ended,
            silent: OnceCell::new(),
            spelled_twice: OnceCell::new(),
        }
    }

    fn settle(&self, foreign: &Foreign) -> Settled {
        let (mut late_lines, mut refuted) = (0, 0);
        let mut standing: Vec<Standing> = Vec::new();
        for (at, View { judge, .. }) in self.views.iter().enumerate() {
            let unsettled: Vec<Claim> = judge.open.unsettled().collect();
            let mut came_late = 0;
            for claim in judge.claims.iter().chain(&unsettled) {
                match self.rule(at, claim) {
                    Ruling::Stands(stands) => standing.push(Standing {
                        claim: *stands,
                        view: at,
                        decided: judge.claims.deciding(claim),
                    }),
                    Ruling::LineCameLate => came_late += claim.count,
                    Ruling::Falls => {}
                }
            }
            // What two observers saw is one event.
            late_lines = late_lines.max(came_late);
            refuted = refuted.max(judge.open.refuted);
        }
        if self.ended {
            self.settle_end(&mut standing, foreign);
        }
        let cautions = [
            (CautionKind::LateLine, late_lines),
            (CautionKind::LateReleaseLine, refuted),
        ];
        let cautions = cautions.into_iter().filter(|(_, count)| *count > 0);
        let cautions = cautions.collect();
        // Most locks have no claim.
        if standing.is_empty() {
            return Settled {
                findings: Vec::new(),
                cautions,
            };
        }
        // Claims are kept in hash order; from here on their places decide.
        standing.sort_by_key(|one| {
            let claim = &one.claim;
            (
                claim.first.standing(),
                claim.variant,
                claim.subject,
                claim.status,
                one.view,
            )
        });
        tell_each_pair_once(&mut standing);
        let refusals = self.explain_refusals(&mut standing, foreign);
        self.hold_against_token_order(&mut standing);
        Settled {
            findings: self.fold(standing, refusals),
            cautions,
        }
    }

    /// Who knows most of the records of a view.
    fn knows_most(&self, view: usize) -> &'j LockJudge {
        match self.together {
            Some(together) => together.whole,
            None => self.views[view.min(self.views.len() - 1)].judge,
        }
    }

    fn strength(&self, view: usize, basis: Basis) -> Strength {
        let view = self.views.get(view);
        view.map_or(Strength::Lines, |view| basis.strength(view.facts, self.by))
    }
}

/// Of two leases that carry one token one is the later: a claim that says it of the other one,
/// as a record that vouches for its token came after all, says nothing more.
fn tell_each_pair_once(standing: &mut Vec<Standing>) {
    let mut told: HashSet<[Symbol; 2]> = HashSet::new();
    standing.retain(|Standing { claim, .. }| match claim.grounds.leases {
        Some([later, earlier]) if claim.variant == Variant::Shared => {
            let kept = !told.contains(&[earlier, later]);
            if kept {
                told.insert([later, earlier]);
            }
            kept
        }
        _ => true,
    });
}
