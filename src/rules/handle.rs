//! A release or a renewal: does it act on the lease that it names?
//!
//! | when | says |
//! |---|---|
//! | `released`, the authority names no current lease | nothing |
//! | `released`, the authority names another lease | `removed-other-lease`, proven |
//! | `released`, the authority names exactly this lease | nothing |
//! | `released`, by order another, newer lease is current | `removed-other-lease`, settled by what follows |
//! | `released`, no lease is known, the token is below the highest read | `removed-other-lease`, suspected |
//! | `renewed`, the authority names another lease | `renewed-other-lease`, proven |
//! | `renewed`, by a deciding order another lease is current and lost later | `renewed-other-lease`, proven |
//! | refused, another lease is known to be current | `release-refused`, proven |
//! | refused, the authority names this very lease | `contradiction` |
//! | refused otherwise | `release-refused`, suspected |

use super::claim::{Basis, Claim, Claims, Fields, Grounds, Met, Subject};
use super::open_releases::OpenReleases;
use crate::evidence::{Answer, Event, Field};
use crate::incident::{Assumption, Outcome, Role, Status, Variant};
use crate::timeline::{ActiveLease, Handle, Held, Likeness, Step, Symbol, Timeline};

/// Judges one answered release or renewal.
#[inline]
pub fn judge(step: &Step, past: &Timeline, open: &mut OpenReleases, claims: &mut Claims) {
    match step.answer {
        Answer::Released => released(step, past, open, claims),
        Answer::Renewed => renewed(step, past, open, claims),
        Answer::ReleaseRejectedNotOwner => claims.add(refused(step, past)),
        _ => {}
    }
}

/// The leases of two handles, by their ids or by who is known to carry their tokens.
fn two_leases(asking: &Handle, current: &Handle, past: &Timeline) -> Grounds {
    let lease = |handle: &Handle| past.leases().lease_of(handle);
    Grounds {
        leases: lease(asking).zip(lease(current)).map(<[Symbol; 2]>::from),
        ..Grounds::default()
    }
}

fn other_lease(step: &Step, variant: Variant, current: &Handle, past: &Timeline) -> Claim {
    let role = if step.event == Event::Renew {
        Role::Renewal
    } else {
        Role::Release
    };
    let subject = Subject::lease(current);
    let (status, outcome) = (Status::Proven, Outcome::Breached);
    Claim {
        role,
        met: Met::Lease(*current),
        grounds: Grounds {
            compares_generations: are_told_apart_by_token(&step.handle, current),
            ..two_leases(&step.handle, current, past)
        },
        ..Claim::new(variant, status, outcome, subject, step.seen())
    }
}

/// Whether it is their tokens that tell two handles apart. That these are two leases rests on
/// a token being given once, and never raised.
fn are_told_apart_by_token(a: &Handle, b: &Handle) -> bool {
    let by_id = a.lease.is_some() && b.lease.is_some();
    !by_id && a.token.is_some() && b.token.is_some()
}

/// Whether two handles agree in their tokens, and only their lease ids tell them apart:
/// the authority may write the id of one lease in its own way (a number in decimal digits
/// that others write in hexadecimal ones). Two ids that were both acquired are two leases.
pub(super) fn may_be_two_spellings(asking: &Handle, current: &Handle, past: &Timeline) -> bool {
    let owners = asking.has_another_owner(current);
    let acquired = |lease| {
        let state = past.leases().get(lease);
        state.is_some_and(|state| state.acquired.is_some())
    };
    let both_acquired = acquired(asking.lease) && acquired(current.lease);
    asking.token.is_some() && asking.token == current.token && !owners && !both_acquired
}

/// The claim, doubted where the two handles may be of one lease.
pub(super) fn unless_one_lease(
    claim: Claim,
    asking: &Handle,
    current: &Handle,
    past: &Timeline,
) -> Claim {
    if !may_be_two_spellings(asking, current, past) {
        return claim;
    }
    let lacks_owner = asking.owner.is_none() || current.owner.is_none();
    Claim {
        grounds: Grounds {
            doubted: true,
            ..claim.grounds
        },
        missing_if_suspected: Fields::default().with_if(lacks_owner, Field::ActiveOwnerId),
        ..claim
    }
}

/// What the authority's own record of the current lease says of this handle.
enum Recorded<'s> {
    Another(&'s Handle),
    This(&'s Handle),
    Nobody,
    /// Nothing; where there is one, it is of a lease that can't be compared.
    Nothing(Option<&'s Handle>),
}

#[inline]
fn recorded(step: &Step) -> Recorded<'_> {
    match &step.active {
        ActiveLease::None => Recorded::Nobody,
        ActiveLease::Unrecorded => Recorded::Nothing(None),
        ActiveLease::Lease(active) => match step.handle.compare(active) {
            Likeness::Different => Recorded::Another(active),
            Likeness::SameLease => Recorded::This(active),
            // The owner alone is no handle: it may hold another lease by now.
            Likeness::SameOwner | Likeness::Unknown => Recorded::Nothing(Some(active)),
        },
    }
}

/// The lease that is current by order, unless the authority recorded another one: its own
/// record outweighs the order.
#[inline]
fn current_by_order<'t>(
    step: &Step,
    recorded: Option<&Handle>,
    past: &'t Timeline,
) -> Option<&'t Held> {
    let held = past.leases().current()?;
    let alike = |active: &Handle| match active.compare(&held.acquired.seen.handle) {
        Likeness::SameLease | Likeness::SameOwner => true,
        Likeness::Different => false,
        // It speaks of neither of the two.
        Likeness::Unknown => active.compare(&step.handle) == Likeness::Unknown,
    };
    recorded.is_none_or(alike).then_some(held)
}

#[inline]
fn other_by_order<'t>(
    step: &Step,
    recorded: Option<&Handle>,
    past: &'t Timeline,
) -> Option<&'t Held> {
    let held = current_by_order(step, recorded, past)?;
    let another = step.handle.compare(&held.acquired.seen.handle) == Likeness::Different;
    (another && past.leases().is_newer(held, &step.handle)).then_some(held)
}

#[inline]
fn released(step: &Step, past: &Timeline, open: &mut OpenReleases, claims: &mut Claims) {
    match recorded(step) {
        Recorded::Another(active) => claims.add(removed_another(step, active, past)),
        Recorded::This(_) | Recorded::Nobody => {}
        Recorded::Nothing(active) => match other_by_order(step, active, past) {
            Some(held) => open_claim(step, past, open, held, Variant::RemovedOtherLease),
            None if active.is_none()
                && past.leases().current().is_none()
                && below_reading(step) =>
            {
                claims.add(removed_unknown(step));
            }
            None => {}
        },
    }
}

#[cold]
fn removed_another(step: &Step, active: &Handle, past: &Timeline) -> Claim {
    // That it answered `released` says that it removed what it named as current.
    let claim = Claim {
        assumes: &[Assumption::TruthfulRelease],
        ..other_lease(step, Variant::RemovedOtherLease, active, past)
    };
    unless_one_lease(claim, &step.handle, active, past)
}

#[cold]
fn removed_unknown(step: &Step) -> Claim {
    let Handle { lease, token, .. } = step.handle;
    let subject = Subject::RemovedBy(lease, token.filter(|_| lease.is_none()));
    let (status, outcome) = (Status::Suspected, Outcome::Unknown);
    Claim {
        role: Role::Release,
        missing: Fields::of(&[Field::ActiveLeaseId]),
        ..Claim::new(
            Variant::RemovedOtherLease,
            status,
            outcome,
            subject,
            step.seen(),
        )
    }
}

fn below_reading(step: &Step) -> bool {
    matches!((step.handle.token, step.before), (Some(token), Some(before)) if token < before)
}

#[inline]
fn renewed(step: &Step, past: &Timeline, open: &mut OpenReleases, claims: &mut Claims) {
    match recorded(step) {
        Recorded::Another(active) => claims.add(renewed_another(step, active, past)),
        Recorded::This(_) | Recorded::Nobody => {}
        Recorded::Nothing(active) => {
            let held = other_by_order(step, active, past);
            // The owner alone does not prove which lease asked.
            if let Some(held) = held.filter(|_| !past.leases().acquired_as_owner(&step.handle)) {
                open_claim(step, past, open, held, Variant::RenewedOtherLease);
            }
        }
    }
}

#[cold]
fn renewed_another(step: &Step, active: &Handle, past: &Timeline) -> Claim {
    let claim = other_lease(step, Variant::RenewedOtherLease, active, past);
    unless_one_lease(claim, &step.handle, active, past)
}

#[cold]
fn refused(step: &Step, past: &Timeline) -> Claim {
    let subject = Subject::lease(&step.handle);
    let release = |variant, status, outcome| Claim {
        role: Role::Release,
        ..Claim::new(variant, status, outcome, subject, step.seen())
    };
    let proven = || release(Variant::ReleaseRefused, Status::Proven, Outcome::Guarded);
    let contradiction = || release(Variant::Contradiction, Status::Undecided, Outcome::Unknown);
    match recorded(step) {
        Recorded::Another(active) => {
            let claim = Claim {
                met: Met::Lease(*active),
                grounds: Grounds {
                    compares_generations: are_told_apart_by_token(&step.handle, active),
                    ..two_leases(&step.handle, active, past)
                },
                ..proven()
            };
            unless_one_lease(claim, &step.handle, active, past)
        }
        Recorded::This(active) => Claim {
            met: Met::Lease(*active),
            ..contradiction()
        },
        Recorded::Nobody => unknown_holder(release),
        Recorded::Nothing(active) => {
            let current = current_by_order(step, active, past);
            let contradicted = current.is_some_and(|held| held.contradicted);
            let current = current.map(|held| held.acquired.seen);
            let likeness = |handle: &Handle| step.handle.compare(handle);
            let other = current.filter(|seen| likeness(&seen.handle) == Likeness::Different);
            // It may be the one that asks which was given the lease since.
            let given = contradicted || past.leases().may_be_given(&step.handle);
            match (other, active) {
                (Some(seen), _) => Claim {
                    met: Met::Record(seen, Role::CurrentLease),
                    missing_if_suspected: Fields::default().with_if(given, Field::ActiveLeaseId),
                    grounds: Grounds {
                        ordered: true,
                        doubted: given,
                        compares_generations: are_told_apart_by_token(&step.handle, &seen.handle),
                        ..two_leases(&step.handle, &seen.handle, past)
                    },
                    ..proven()
                },
                (None, Some(active)) if likeness(active) == Likeness::SameOwner => Claim {
                    met: Met::Lease(*active),
                    missing: Fields::of(&[Field::ActiveLeaseId]),
                    ..contradiction()
                },
                (None, _) => unknown_holder(release),
            }
        }
    }
}

fn unknown_holder(release: impl Fn(Variant, Status, Outcome) -> Claim) -> Claim {
    let claim = release(Variant::ReleaseRefused, Status::Suspected, Outcome::Guarded);
    Claim {
        missing: Fields::of(&[Field::ActiveLeaseId]),
        ..claim
    }
}

/// Opens a claim that a release or renewal removed the lease that is current by order.
#[cold]
fn open_claim(
    step: &Step,
    past: &Timeline,
    open: &mut OpenReleases,
    held: &Held,
    variant: Variant,
) {
    let current = held.acquired.seen;
    let leases = past.leases();
    // An owner may have acquired again since, off the record.
    let by_owner = leases.acquired_as_owner(&step.handle);
    // Which of the two is older is told by their acquisitions, or by tokens alone.
    let by_token = step.handle.token.is_some()
        && current.handle.token.is_some()
        && !leases.acquired_before(&step.handle, held.acquired.position);
    let claim = other_lease(step, variant, &current.handle, past);
    let claim = Claim {
        met: Met::Record(current, Role::CurrentLease),
        // A yes to a request that did nothing would mislead here as well.
        assumes: &[Assumption::ExclusiveLock, Assumption::TruthfulRelease],
        grounds: Grounds {
            basis: Basis::LeaseOrder,
            ordered: true,
            compares_generations: by_token,
            only_if_deciding: variant == Variant::RenewedOtherLease,
            doubted: by_owner,
            ..claim.grounds
        },
        missing_if_suspected: Fields::of(&[Field::ActiveLeaseId]),
        ..claim
    };
    open.add(claim, held);
}
