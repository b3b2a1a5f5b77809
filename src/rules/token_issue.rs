//! The issue of tokens: does the authority give every later lease a greater one?
//!
//! | when | says |
//! |---|---|
//! | two lease ids carry one token | `shared` |
//! | a lease is acquired with a lower token than another lease before it | `went-back` |
//! | a lease with a lower token lives on after one with a greater token was refused | `out-of-step` |
//!
//! Where the order does not decide, the last two need a write under the lower lease that
//! was refused below the highest token; that is settled at the end of the input.

use super::claim::{Basis, Claim, Claims, Fields, Grounds, Met, Subject};
use super::handle::{may_be_two_spellings, unless_one_lease};
use crate::evidence::{Answer, Field, Token};
use crate::incident::{Outcome, Role, Status, Variant};
use crate::timeline::{
    Acquired, ActiveLease, Handle, Likeness, Seen, Step, Symbol, Timeline, VouchedBy,
};

/// Judges a lease with its token that a step shows, and who vouches for it.
#[inline]
pub fn judge_shown(
    step: &Step,
    handle: &Handle,
    by: VouchedBy,
    past: &Timeline,
    claims: &mut Claims,
) {
    claims.extend(shared(step, handle, by, past));
}

/// Judges the lease that asks beside the current one, where a step is the first to show both:
/// nothing was known of their token before it. Where that may be one lease, written in two
/// ways, nothing is shown yet: then it gives the current one and its token.
pub fn judge_both(
    step: &Step,
    asking: &Handle,
    active: &Handle,
    past: &Timeline,
    claims: &mut Claims,
) -> Option<(Symbol, Token)> {
    let (lease, token) = active.lease.zip(active.token)?;
    let one_token = asking.token == Some(token) && asking.lease.is_some_and(|own| own != lease);
    let known = past.leases().holders.get(token).is_some();
    if !one_token || known {
        return None;
    }
    if may_be_two_spellings(asking, active, past) {
        return Some((lease, token));
    }
    let asks = Seen {
        handle: *asking,
        ..step.seen()
    };
    let (shown, by) = ((lease, token), VouchedBy::Authority);
    claims.extend(shared_with(step, active, shown, by, &asks, past));
    None
}

/// Judges an acquisition, a renewal or a release.
#[inline]
pub fn judge(step: &Step, past: &Timeline, claims: &mut Claims) {
    match step.answer {
        Answer::Acquired => claims.extend(went_back(step, past)),
        Answer::Released | Answer::Renewed if !past.leases().refusals.is_empty() => {
            claims.extend(out_of_step(step, past));
        }
        _ => {}
    }
}

fn later_lease(variant: Variant, later: Seen, earlier: Seen) -> Claim {
    let leases = later.handle.lease.zip(earlier.handle.lease);
    Claim {
        role: Role::LaterLease,
        met: Met::Record(earlier, Role::EarlierLease),
        grounds: Grounds {
            leases: leases.map(<[Symbol; 2]>::from),
            ..Grounds::default()
        },
        ..Claim::new(
            variant,
            Status::Proven,
            Outcome::Exposed,
            Subject::lease(&later.handle),
            later,
        )
    }
}

/// One token of two leases. Who vouches for them is known at the end.
#[inline]
fn shared(step: &Step, handle: &Handle, by: VouchedBy, past: &Timeline) -> Option<Claim> {
    let (lease, token) = (handle.lease?, handle.token?);
    let holder = past.leases().holders.get(token)?;
    if holder.handle.lease == Some(lease) {
        return None;
    }
    shared_with(step, handle, (lease, token), by, holder, past)
}

#[cold]
fn shared_with(
    step: &Step,
    handle: &Handle,
    (lease, token): (Symbol, Token),
    by: VouchedBy,
    holder: &Seen,
    past: &Timeline,
) -> Option<Claim> {
    let leases = past.leases();
    let known = leases
        .get(Some(lease))
        .is_some_and(|state| state.tokens.contains(&token));
    let vouched = leases.would_be_vouched(lease, token, by);
    // A lease that asks is one, though its id may have another spelling in other records.
    let asks = handle.lease == step.handle.lease && leases.only_stood_beside(lease, token);
    // Only the first record that shows the pair is an occurrence.
    let new = !known || asks || vouched && !leases.is_vouched(lease, token);
    new.then(|| {
        let claim = later_lease(
            Variant::Shared,
            Seen {
                handle: *handle,
                ..step.seen()
            },
            *holder,
        );
        // The authority may have written the id of the lease that asks in its own way, here or
        // in a record before.
        let by_authority = handle.lease != step.handle.lease;
        let may_be_asker =
            || holder.handle.lease == step.handle.lease || leases.any_only_stood_beside(token);
        if asks || by_authority && may_be_asker() {
            unless_one_lease(claim, &holder.handle, handle, past)
        } else {
            claim
        }
    })
}

#[inline]
fn went_back(step: &Step, past: &Timeline) -> Option<Claim> {
    let token = step.handle.token?;
    let leases = past.leases();
    let above = |acquired: &&Acquired| acquired.seen.handle.token > Some(token);
    let by_id = || leases.greatest_other(step.handle.lease?).filter(above);
    if let Some(earlier) = by_id() {
        return Some(went_back_below(step, &earlier.seen));
    }
    let earlier = leases.greatest_of_other_owner(&step.handle).filter(above)?;
    // Two owners may have shared a lease.
    Some(Claim {
        status: Status::Suspected,
        missing: Fields::of(&[Field::LeaseId]),
        ..went_back_below(step, &earlier.seen)
    })
}

#[cold]
fn went_back_below(step: &Step, earlier: &Seen) -> Claim {
    let claim = later_lease(Variant::WentBack, step.seen(), *earlier);
    Claim {
        grounds: Grounds {
            basis: Basis::LeaseOrder,
            ordered: true,
            ..claim.grounds
        },
        ..claim
    }
}

/// A lease with a lower token is released or renewed after a lease with a greater token
/// was refused: the authority's current lease is not the one with the greatest token.
///
/// The answer alone does not say which lease the authority acted on: an authority that
/// compares owners may have removed a third lease. So this is proven only where the
/// authority names the lease; where it does not and a third lease is on record, nothing
/// is said. Where the acquisition of the lower lease is not on record it may lie in between:
/// a deciding order then suspects it, and any other says nothing.
fn out_of_step(step: &Step, past: &Timeline) -> Option<Claim> {
    let (lease, asked_with) = (step.handle.lease?, step.handle.token?);
    let leases = past.leases();
    let acquired = leases.acquired(Some(lease));
    // Who asks may bring an old token of a lease that was given a new one.
    let given = acquired.and_then(|acquired| acquired.seen.handle.token);
    let token = given.max(Some(asked_with)).unwrap_or(asked_with);
    let acquired = acquired.map(|acquired| acquired.position);
    // What another input tells of it stands in no order with this.
    if acquired.is_none() && !leases.restarts.is_empty() {
        return None;
    }
    let since = |position: u64| acquired.is_none_or(|acquired| position > acquired);
    let (_, refused) = leases.refusals.iter().rev().find(|(position, refused)| {
        since(*position)
            && refused.handle.token > Some(token)
            && refused.handle.lease.is_some_and(|other| other != lease)
    })?;
    let named = match step.active {
        ActiveLease::Lease(active) => match step.handle.compare(&active) {
            Likeness::SameLease => true,
            // Where the tokens agree, its id may be written in another way.
            Likeness::Different if active.token == Some(token) => false,
            Likeness::Different => return None,
            Likeness::SameOwner | Likeness::Unknown => false,
        },
        ActiveLease::None => return None,
        ActiveLease::Unrecorded => false,
    };
    let third = leases.by_id.iter().any(|(other, state)| {
        other != lease
            && Some(other) != refused.handle.lease
            && state.acquired.is_some_and(|third| since(third.position))
    });
    if third && !named {
        return None;
    }
    let asked = leases.may_be_given_to_somebody();
    // Else only the one who asks says with which token the lease was given.
    let told = acquired.is_none()
        || given.is_some()
        || leases.is_vouched(lease, token)
        || matches!(step.active, ActiveLease::Lease(active) if active.token == Some(token));
    let doubted = !named || asked || acquired.is_none() || !told;
    let claim = later_lease(Variant::OutOfStep, step.seen(), *refused);
    Some(Claim {
        grounds: Grounds {
            basis: Basis::LeaseOrder,
            ordered: true,
            doubted,
            only_if_deciding: acquired.is_none(),
            ..claim.grounds
        },
        missing_if_suspected: Fields::default()
            .with_if(!named, Field::ActiveLeaseId)
            .with_if(!told, Field::ActiveFenceToken),
        ..claim
    })
}
