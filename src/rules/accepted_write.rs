//! A write that was accepted: is it late, and does the resource keep the token?
//!
//! | when | says |
//! |---|---|
//! | the token is below the highest that the resource read | `not-compared` |
//! | another write rose from the same highest token | `forked` |
//! | a greater token was accepted before at this key | `both-accepted` |
//! | a greater token was accepted before at another key | `late-write-other-key` |
//! | a greater token was accepted before, and a key is missing | `key-unknown` |
//! | afterwards the resource holds a lower token | `not-stored` |
//! | the resource read a lower highest token than it had accepted | `highest-lost` |
//! | the same at a key that was not recorded | `key-unknown` |
//! | no token, and the lease was followed by another that wrote | `lease-superseded` |
//! | no key, and a newer lease was acquired before | `newer-owner-silent`, if it never writes |

use super::claim::{Basis, Claim, Claims, Fields, Grounds, Met, Subject};
use super::own_tokens::is_own;
use crate::evidence::{Field, Token};
use crate::incident::{Assumption, Class, Outcome, Role, Status, Variant};
use crate::timeline::{KeyState, Seen, Step, Timeline};

/// Whether an accepted write came after a newer token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lateness {
    /// Nothing says so.
    InTime,
    /// It did.
    Late,
    /// By the order it did, and the resource read this very token before any write of it
    /// was seen: where the order does not decide, its line came late.
    LateLine,
}

/// Judges one accepted write.
pub fn judge(step: &Step, past: &Timeline, claims: &mut Claims) {
    let Some(token) = step.handle.token else {
        return claims.extend(lease_superseded(step, past));
    };
    let mut lateness = Lateness::InTime;
    if let Some(claim) = late(step, token, past) {
        lateness = if claim.grounds.only_if_deciding {
            Lateness::LateLine
        } else {
            Lateness::Late
        };
        claims.add(claim);
    }
    claims.extend(kept(step, token, lateness, past));
    if lateness == Lateness::InTime {
        newer_owner_silent(step, token, past, claims);
    }
}

fn write(step: &Step, variant: Variant, status: Status, outcome: Outcome) -> Claim {
    let handle = step.handle;
    let lease = handle.lease.filter(|_| handle.token.is_none());
    let subject = Subject::Write {
        key: step.key,
        token: handle.token,
        lease,
    };
    Claim {
        key: step.key,
        ..Claim::new(variant, status, outcome, subject, step.seen())
    }
}

fn newer(seen: &Seen) -> Met {
    Met::Record(*seen, Role::NewerWrite)
}

/// The holder of the highest token, and the record that shows it: the write of that token
/// itself, or another one that read it.
pub(super) fn shown(highest: Token, seen: &Seen) -> (Met, Option<(Seen, Role)>) {
    if seen.handle.token == Some(highest) {
        (newer(seen), None)
    } else {
        (Met::Token(highest), Some((*seen, Role::OtherWrite)))
    }
}

fn lacking_before(step: &Step) -> Fields {
    Fields::default().with_if(step.before.is_none(), Field::ResourceHighestTokenBefore)
}

/// The first row that says the write is late.
fn late(step: &Step, token: Token, past: &Timeline) -> Option<Claim> {
    use Variant::{BothAccepted, Forked, LateWriteOtherKey, NotCompared};
    let proven = |variant| write(step, variant, Status::Proven, Outcome::Breached);
    let generations = Grounds {
        compares_generations: true,
        ..Grounds::default()
    };
    if let Some(before) = step.before.filter(|before| token < *before) {
        return Some(Claim {
            met: Met::Token(before),
            grounds: Grounds {
                met_own: is_own(past, &step.handle, before),
                ..generations
            },
            ..proven(NotCompared)
        });
    }
    let state = past.key(step.key);
    if let (Some(key), Some(before)) = (step.key, step.before)
        && let Some(other) = state.and_then(|state| state.forks_with(step))
    {
        let subject = Subject::Fork { key, before };
        let met = Met::Record(*other, Role::OtherWrite);
        return Some(Claim {
            subject,
            met,
            ..proven(Forked)
        });
    }
    // The same fork may come to light only later, with the other write.
    let unless_forked = step.key.and(step.before).filter(|before| token > *before);
    let by_order = Grounds {
        basis: Basis::WriteOrder,
        ordered: true,
        unless_forked,
        ..generations
    };
    let missing_if_suspected = lacking_before(step);
    // The resource read this very token before any write of it was seen.
    let excused = |state: Option<&KeyState>| {
        state.is_some_and(|state| state.was_read_before_it_was_seen(token))
            && step.before.is_some_and(|before| before <= token)
    };
    let highest = state
        .and_then(KeyState::highest)
        .filter(|_| step.key.is_some());
    let own = |newer| is_own(past, &step.handle, newer);
    if let Some((highest, seen)) = highest.filter(|(highest, _)| token < *highest) {
        let grounds = Grounds {
            met_own: own(highest),
            unless_readings_vouch: true,
            only_if_deciding: excused(state),
            ..by_order
        };
        let (met, also) = shown(highest, seen);
        return Some(Claim {
            met,
            also,
            grounds,
            missing_if_suspected,
            ..proven(BothAccepted)
        });
    }
    if let Some(other) = step.key.and_then(|key| past.greatest_at_other_key(key))
        && token < other.token
    {
        let met = newer(&other.seen);
        return Some(Claim {
            met,
            grounds: Grounds {
                met_own: own(other.token),
                ..by_order
            },
            missing_if_suspected,
            ..proven(LateWriteOtherKey)
        });
    }
    let without_key = if step.key.is_some() {
        past.unnamed()
    } else {
        past.greatest()
    };
    let newer_write = without_key.filter(|accepted| token < accepted.token)?;
    let claim = key_unknown(step, &newer_write.seen);
    Some(Claim {
        grounds: Grounds {
            met_own: own(newer_write.token),
            only_if_deciding: excused(past.key(newer_write.key)),
            unless_forked,
            ..claim.grounds
        },
        ..claim
    })
}

/// Whether the token was kept after the write, and had been kept before it.
fn kept(step: &Step, token: Token, lateness: Lateness, past: &Timeline) -> Option<Claim> {
    if step.after.is_some_and(|after| after < token) {
        return Some(write(
            step,
            Variant::NotStored,
            Status::Proven,
            Outcome::Exposed,
        ));
    }
    if lateness != Lateness::InTime {
        return None;
    }
    let before = step.before?;
    if step.key.is_some() {
        let (highest, seen) = past
            .highest(step.key)
            .filter(|(highest, _)| before < *highest)?;
        let grounds = Grounds {
            basis: Basis::WriteOrder,
            ordered: true,
            unless_readings_vouch: true,
            unless_forked: Some(before).filter(|before| token > *before),
            ..Grounds::default()
        };
        let claim = write(step, Variant::HighestLost, Status::Proven, Outcome::Exposed);
        let (met, also) = shown(highest, seen);
        return Some(Claim {
            met,
            also,
            grounds,
            ..claim
        });
    }
    let newer_write = past.greatest().filter(|accepted| before < accepted.token)?;
    Some(key_unknown(step, &newer_write.seen))
}

fn key_unknown(step: &Step, met: &Seen) -> Claim {
    Claim {
        met: newer(met),
        grounds: Grounds {
            ordered: true,
            ..Grounds::default()
        },
        missing: lacking_before(step).with(Field::ResourceKey),
        candidates: &[Class::MissingFencing, Class::WrongKeyScope],
        ..write(
            step,
            Variant::KeyUnknown,
            Status::Undecided,
            Outcome::Unknown,
        )
    }
}

/// Without any token: the lease was followed by another, which wrote here.
fn lease_superseded(step: &Step, past: &Timeline) -> Option<Claim> {
    let own = past.leases().acquired(step.handle.lease)?;
    let (position, seen) = past.key(step.key)?.newest_writer.as_ref()?;
    (*position > own.position).then(|| Claim {
        met: newer(seen),
        grounds: Grounds {
            ordered: true,
            ..Grounds::default()
        },
        assumes: &[Assumption::ExclusiveLock],
        missing: lacking_before(step).with(Field::FenceToken),
        ..write(
            step,
            Variant::LeaseSuperseded,
            Status::Suspected,
            Outcome::Breached,
        )
    })
}

/// A newer lease was acquired before this write: if it never writes, its silence has two
/// explanations.
fn newer_owner_silent(step: &Step, token: Token, past: &Timeline, claims: &mut Claims) {
    if step.key.is_some() || step.before.is_some_and(|before| before > token) {
        return;
    }
    let leases = past.leases();
    if !leases.newer_acquired(token) {
        return;
    }
    // One claim a write, whichever leases turn out silent: which one it met is settled.
    claims.add(Claim {
        grounds: Grounds {
            only_if_silent: Some(leases.acquisitions_so_far()),
            ordered: true,
            ..Grounds::default()
        },
        missing: Fields::of(&[Field::ResourceKey]),
        candidates: &[Class::WrongKeyScope],
        ..write(
            step,
            Variant::NewerOwnerSilent,
            Status::Undecided,
            Outcome::Unknown,
        )
    });
}
