//! Releases and renewals that by order acted on a newer lease, until what follows in the
//! order corroborates them, refutes them, or leaves them open.
//!
//! | what follows | says |
//! |---|---|
//! | the removed lease is refused, or finds nothing to remove | corroborated |
//! | another lease is acquired with no end of the removed one in between | corroborated |
//! | the removed lease is released or renewed, or the authority names it as the current one | refuted: a line came late |
//! | the authority names the lease that was released, or somebody holds the lock | not proven any more |
//! | the authority names the lease that was renewed | refuted: it renewed its own |
//! | the removed lease expires, or is acquired anew | ended: only a refutation may follow |
//!
//! Releases are found by the lease that they removed, so that a step costs as much as it
//! settles, however many are open.

use hashbrown::HashMap;

use super::claim::{Basis, Claim, Claims, Fields, Grounds};
use crate::evidence::{Answer, Event, Field, Token};
use crate::incident::{Outcome, Role, Status, Variant};
use crate::timeline::{ActiveLease, Handle, Held, Likeness, Step, Symbol};

type Map<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// A release or renewal that is not settled.
#[derive(Debug, Clone)]
struct Open {
    /// The claim as it stands while nothing has followed.
    claim: Claim,
    /// Its number among all that were ever open.
    number: u64,
    /// Whether another lease may have been current already.
    doubted: bool,
    /// How many acquisitions had gone unanswered by then.
    doubts: u64,
    /// How often somebody was seen to hold the lock by then.
    holds: u64,
}

/// The releases of one lock that are not settled yet.
#[derive(Debug, Clone, Default)]
pub struct OpenReleases {
    /// Few locks have any.
    sets: Option<Box<Sets>>,
    /// How many were ever open.
    opened: u64,
    /// How many acquisitions went unanswered.
    doubts: u64,
    /// How often somebody was seen to hold the lock, and not which lease.
    holds: u64,
    /// How many were refuted: their lines came late.
    pub refuted: u64,
}

#[derive(Debug, Clone, Default)]
struct Sets {
    /// Those whose removed lease has not ended since in an ordinary way.
    live: Removed,
    /// The others.
    ended: Removed,
    /// Leases that the authority named as current, by id or else by token, each with how many
    /// releases had been opened by then.
    named: Map<Named, u64>,
}

/// A lease by its id, or by its token.
type Named = (Option<Symbol>, Option<Token>);

fn names(lease: &Handle) -> impl Iterator<Item = Named> {
    let id = lease.lease.map(|id| (Some(id), None));
    let token = lease.token.map(|token| (None, Some(token)));
    id.into_iter().chain(token)
}

impl Sets {
    fn is_empty(&self) -> bool {
        self.live.is_empty() && self.ended.is_empty()
    }

    fn end(&mut self, ended: Vec<(Handle, Vec<Open>)>) {
        for (removed, open) in ended {
            self.ended.add(removed, open);
        }
    }
}

impl OpenReleases {
    /// Takes the claim that a release or renewal removed `held`.
    pub fn add(&mut self, claim: Claim, held: &Held) {
        self.opened += 1;
        let open = Open {
            claim,
            number: self.opened,
            doubted: held.doubted || held.contradicted,
            doubts: self.doubts,
            holds: self.holds,
        };
        let sets = self.sets.get_or_insert_default();
        sets.live.add(held.acquired.seen.handle, vec![open]);
    }

    /// What an ordered later step, which is no write, says of the releases before it.
    #[inline]
    pub fn follow(&mut self, step: &Step, claims: &mut Claims) {
        let unanswered = (step.event, step.answer) == (Event::Acquire, Answer::InDoubt);
        self.doubts += u64::from(unanswered);
        if self.sets.is_some() {
            self.follow_open(step, claims);
        }
    }

    #[inline(never)]
    fn follow_open(&mut self, step: &Step, claims: &mut Claims) {
        // They are out while they are settled.
        if let Some(mut sets) = self.sets.take() {
            self.settle_by(step, &mut sets, claims);
            self.sets = Some(sets).filter(|sets| !sets.is_empty());
        }
    }

    fn settle_by(&mut self, step: &Step, sets: &mut Sets, claims: &mut Claims) {
        match &step.active {
            ActiveLease::Lease(active) if active.names_lease() => {
                self.refute_by_reading(active, sets);
            }
            // The owner of the removed lease may hold another one by now.
            ActiveLease::Lease(active) if sets.live.names_owner(active.owner) => self.holds += 1,
            _ if step.answer == Answer::AcquireRejectedHeld => self.holds += 1,
            _ => {}
        }
        match (step.event, step.answer) {
            (Event::Acquire, Answer::Acquired) => {
                // What befalls a lease that was acquired anew befalls the new acquisition.
                let anew = sets.live.take_own(&step.handle);
                sets.end(anew);
                let lost = sets.live.take_others(&step.handle);
                self.corroborate(lost, &sets.named, step, claims);
            }
            (Event::Expire, _) => {
                let expired = if step.handle.names_lease() {
                    sets.live.take_own(&step.handle)
                } else {
                    sets.live.take_all()
                };
                sets.end(expired);
            }
            (Event::Release, Answer::InDoubt) => {
                let ended = sets.live.take_own(&step.handle);
                sets.end(ended);
            }
            (
                _,
                Answer::ReleaseRejectedNotOwner
                | Answer::RenewRejectedNotOwner
                | Answer::ReleaseNoop,
            ) => {
                let lost = sets.live.take_own(&step.handle);
                self.corroborate(lost, &sets.named, step, claims);
            }
            (_, Answer::Released | Answer::Renewed) => self.refute(&step.handle, sets),
            _ => {}
        }
    }

    /// This lease was not removed.
    fn refute(&mut self, lease: &Handle, sets: &mut Sets) {
        let own = [&mut sets.live, &mut sets.ended];
        let refuted = own.into_iter().flat_map(|set| set.take_own(lease));
        self.refuted += refuted
            .flat_map(|(_, open)| open)
            .map(|open| open.claim.count)
            .sum::<u64>();
    }

    /// What the authority itself says is current was not removed before. Where a lease was
    /// asked for in between and no answer came, it may be that one.
    fn refute_by_reading(&mut self, current: &Handle, sets: &mut Sets) {
        for name in names(current) {
            sets.named.insert(name, self.opened);
        }
        for (removed, open) in sets.live.take_own(current) {
            let (refuted, open): (Vec<_>, Vec<_>) = open.into_iter().partition(|open| {
                open.claim.variant == Variant::RemovedOtherLease && open.doubts == self.doubts
            });
            self.refuted += refuted.iter().map(|open| open.claim.count).sum::<u64>();
            if !open.is_empty() {
                sets.live.add(removed, open);
            }
        }
    }

    fn corroborate(
        &self,
        lost: Vec<(Handle, Vec<Open>)>,
        named: &Map<Named, u64>,
        step: &Step,
        claims: &mut Claims,
    ) {
        let mut lost: Vec<Open> = lost.into_iter().flat_map(|(_, open)| open).collect();
        lost.sort_by_key(|open| open.number);
        for open in lost {
            // Whoever holds the lock after its own release may have held it before.
            let own = names(&open.claim.first.handle).filter_map(|name| named.get(&name));
            let still_holds = own.max() >= Some(&open.number);
            let removed = open.claim.variant == Variant::RemovedOtherLease;
            if still_holds && !removed {
                continue;
            }
            claims.add(Claim {
                grounds: Grounds {
                    doubted: open.claim.grounds.doubted
                        || open.doubted
                        || still_holds
                        || removed && self.holds > open.holds
                        || self.doubts > open.doubts,
                    ..open.claim.grounds
                },
                also: Some((step.seen(), Role::LeaseLost)),
                ..open.claim
            });
        }
    }

    /// Every release that nothing corroborated or refuted.
    pub fn unsettled(&self) -> impl Iterator<Item = Claim> {
        let sets = self.sets.iter().flat_map(|sets| [&sets.live, &sets.ended]);
        let mut open: Vec<&Open> = sets
            .flat_map(|set| set.by_handle.values().flatten())
            .filter(|open| open.claim.variant == Variant::RemovedOtherLease)
            .collect();
        open.sort_by_key(|open| open.number);
        open.into_iter().map(|open| Claim {
            status: Status::Suspected,
            outcome: Outcome::Unknown,
            grounds: Grounds {
                basis: Basis::Reading,
                ..open.claim.grounds
            },
            missing: Fields::of(&[Field::ActiveLeaseId]),
            ..open.claim
        })
    }

    /// Gives up what is open.
    pub fn drop_unsettled(&mut self) {
        self.sets = None;
    }

    /// Closes what is open: nothing orders what follows against it.
    pub fn forget_order(&mut self, claims: &mut Claims) {
        self.unsettled().for_each(|claim| claims.add(claim));
        self.drop_unsettled();
    }
}

/// What of a handle is known besides its owner: its lease, its token.
type Known = (bool, bool);

const ALL: [Known; 4] = [(true, true), (true, false), (false, true), (false, false)];

fn known(handle: &Handle) -> Known {
    (handle.lease.is_some(), handle.token.is_some())
}

/// Open releases by the lease that they removed, found as [`Handle::compare`] compares.
///
/// The lists may name handles that are gone, and are taken whole: each of their entries
/// is visited once.
#[derive(Debug, Clone, Default)]
struct Removed {
    by_handle: Map<Handle, Vec<Open>>,
    by_lease: Map<Symbol, Vec<Handle>>,
    by_token: Map<(Token, Known), Vec<Handle>>,
    by_owner: Map<(Symbol, Known), Vec<Handle>>,
}

impl Removed {
    fn is_empty(&self) -> bool {
        self.by_handle.is_empty()
    }

    fn add(&mut self, removed: Handle, mut open: Vec<Open>) {
        let group = self.by_handle.entry(removed).or_default();
        let new = group.is_empty();
        group.append(&mut open);
        if !new {
            return;
        }
        let known = known(&removed);
        if let Some(lease) = removed.lease {
            self.by_lease.entry(lease).or_default().push(removed);
        }
        if let Some(token) = removed.token {
            self.by_token
                .entry((token, known))
                .or_default()
                .push(removed);
        }
        if let Some(owner) = removed.owner {
            self.by_owner
                .entry((owner, known))
                .or_default()
                .push(removed);
        }
    }

    /// Whether something may have removed a lease of this owner.
    fn names_owner(&self, owner: Option<Symbol>) -> bool {
        let listed = |known: &Known| self.by_owner.contains_key(&(owner?, *known)).then_some(());
        ALL.iter().find_map(listed).is_some()
    }

    /// Takes out what removed the lease of `handle`, or one of its owner's where only the
    /// owner compares.
    fn take_own(&mut self, handle: &Handle) -> Vec<(Handle, Vec<Open>)> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut own: Vec<Handle> = Vec::new();
        if let Some(lease) = handle.lease {
            own.extend(self.by_lease.remove(&lease).into_iter().flatten());
        }
        for known in ALL {
            // A lease id known on both sides decides, and then a token.
            if known.0 && handle.lease.is_some() {
                continue;
            }
            let list = match (handle.token, handle.owner) {
                (Some(token), _) if known.1 => self.by_token.remove(&(token, known)),
                (_, Some(owner)) => self.by_owner.remove(&(owner, known)),
                _ => None,
            };
            own.extend(list.into_iter().flatten());
        }
        self.take(own)
    }

    /// Takes out what removed a lease that is known to be another than `handle`.
    fn take_others(&mut self, handle: &Handle) -> Vec<(Handle, Vec<Open>)> {
        let other = |removed: &&Handle| removed.compare(handle) == Likeness::Different;
        let others = self.by_handle.keys().filter(other).copied().collect();
        self.take(others)
    }

    fn take_all(&mut self) -> Vec<(Handle, Vec<Open>)> {
        std::mem::take(self).by_handle.into_iter().collect()
    }

    fn take(&mut self, handles: Vec<Handle>) -> Vec<(Handle, Vec<Open>)> {
        let taken = handles.into_iter().filter_map(|handle| {
            let open = self.by_handle.remove(&handle)?;
            Some((handle, open))
        });
        let taken: Vec<_> = taken.collect();
        if self.is_empty() {
            *self = Removed::default();
        }
        taken
    }
}
