//! What the records say of two names, one of who asks and one of who may hold the lock.

use std::collections::BTreeSet;

use super::Kind;
use crate::evidence::{Answer, Event};
use crate::ingest::mapping::suggest::trial::Row;

/// What a name of a holder stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Role {
    /// It is who asks, or nothing says otherwise.
    Asks,
    /// It is who holds the lock, whoever asks.
    Holds,
    /// It is left out.
    Doubtful(&'static str),
}

const SOMEBODY: &str = "it may be who holds the lock, whoever asks";
const SAME: &str = "it says the same here, but may be who holds the lock, whoever asks";
/// Neither name is known to be that of who asks.
pub(super) const NEITHER: &str = "is it who asks, who holds the lock, or where a line was written?";

/// Both names in the records: who asks is read as the owner, who may hold the lock as the
/// owner of the lease that was current.
pub(super) struct Told<'r> {
    rows: &'r [Row],
    together: Vec<(&'r Row, &'r String, &'r String)>,
    /// They have values in common.
    pub(super) shared: bool,
}

impl<'r> Told<'r> {
    pub(super) fn of(rows: &'r [Row]) -> Told<'r> {
        let askers: BTreeSet<&String> = rows
            .iter()
            .filter_map(|row| row.own.owner.as_ref())
            .collect();
        let mut holders = rows.iter().filter_map(|row| row.active.owner.as_ref());
        let both = |row: &'r Row| Some((row, row.own.owner.as_ref()?, row.active.owner.as_ref()?));
        Told {
            rows,
            together: rows.iter().filter_map(both).collect(),
            shared: holders.any(|holder| askers.contains(holder)),
        }
    }

    /// What a name of this kind stands for beside one of the other kind.
    pub(super) fn role(&self, of: Kind, beside: Kind) -> Role {
        let place = beside == Kind::Place;
        if self.together.is_empty() {
            return match of {
                _ if place => Role::Asks,
                Kind::Owner if !self.names_another() => Role::Asks,
                _ => Role::Doubtful(SOMEBODY),
            };
        }
        if self.shared {
            return self.role_of_shared(of, place);
        }
        let crossed = self.is_crossed();
        match of {
            Kind::Owner if place || !crossed || !self.are_pairs() => Role::Asks,
            Kind::Owner => Role::Doubtful(SOMEBODY),
            _ if crossed && (place || !self.are_pairs()) => Role::Doubtful(NEITHER),
            _ if crossed || !place && self.acquired().next().is_none() => Role::Doubtful(SOMEBODY),
            _ => Role::Asks,
        }
    }

    fn role_of_shared(&self, of: Kind, place: bool) -> Role {
        let asked = self.together.iter();
        let differ: Vec<Answer> = asked
            .filter(|(row, asker, holder)| row.event != Event::Expire && asker != holder)
            .map(|(row, ..)| row.answer)
            .collect();
        let has = |answers: &[Answer]| differ.iter().any(|one| answers.contains(one));
        // What was done may have been written down where it was done, whoever asked.
        let written = has(&[Answer::Accepted]);
        let done = written || has(&[Answer::Released, Answer::Renewed]);
        let other_taker = self.acquired().any(|(asker, holder)| asker != holder);
        match of {
            // Where a line was written is then another question.
            Kind::Owner if place && (other_taker || done) => Role::Asks,
            Kind::Owner if other_taker || written => Role::Doubtful(NEITHER),
            _ if place && (other_taker || done) => Role::Doubtful(NEITHER),
            _ if !differ.is_empty() => Role::Holds,
            Kind::Owner => Role::Asks,
            // Later lines may have another there.
            _ if self
                .rows
                .iter()
                .all(|row| row.active.owner.is_none() || row.own.owner.is_some()) =>
            {
                Role::Doubtful(SAME)
            }
            _ => Role::Asks,
        }
    }

    fn acquired(&self) -> impl Iterator<Item = (&'r String, &'r String)> {
        let acquired = self.together.iter();
        acquired
            .filter(|(row, ..)| row.answer == Answer::Acquired)
            .map(|(_, asker, holder)| (*asker, *holder))
    }

    /// Whether acquisitions have one holder for each who asks, and the other way round.
    fn are_pairs(&self) -> bool {
        let pairs: BTreeSet<_> = self.acquired().collect();
        let askers: BTreeSet<_> = pairs.iter().map(|(asker, _)| asker).collect();
        let holders: BTreeSet<_> = pairs.iter().map(|(_, holder)| holder).collect();
        pairs.len() == askers.len() && pairs.len() == holders.len()
    }

    /// Whether another record has two together that acquired apart from each other.
    fn is_crossed(&self) -> bool {
        let pairs: BTreeSet<_> = self.acquired().collect();
        let asked = |asker: &String| pairs.iter().any(|(one, _)| *one == asker);
        let held = |holder: &String| pairs.iter().any(|(_, one)| *one == holder);
        self.together.iter().any(|(row, asker, holder)| {
            row.event != Event::Expire
                && !pairs.contains(&(*asker, *holder))
                && asked(asker)
                && held(holder)
        })
    }

    /// Whether a record of a lease that one acquired names another, and not who asks.
    fn names_another(&self) -> bool {
        let acquired = self
            .rows
            .iter()
            .filter(|row| row.answer == Answer::Acquired);
        let mut leases = acquired.filter(|row| row.own.lease.is_some() || row.own.token.is_some());
        leases.any(|taken| {
            let same = |row: &&Row| {
                row.lock == taken.lock
                    && row.own.lease == taken.own.lease
                    && row.own.token == taken.own.token
            };
            let mut of_lease = self.rows.iter().filter(same);
            of_lease.any(|row| {
                row.own.owner.is_none()
                    && row.active.owner.is_some()
                    && row.active.owner != taken.own.owner
            })
        })
    }
}
