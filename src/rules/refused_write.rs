//! A write that was refused as stale: why?
//!
//! | when | says |
//! |---|---|
//! | the token is below the highest that the resource read | `write-refused`, unless another finding explains the refusal |
//! | the token is below the highest that the records show here | `write-refused` |
//! | no key and no reading, the token is below an accepted one | `write-refused`, suspected |
//! | the token is the highest one | see [`super::repeated_write`] |
//! | the token is above the highest that the resource read | `contradiction` |
//! | nothing recorded says below what | `no-reading` |
//!
//! Three findings explain a refusal otherwise; whether they stand is known at the end of
//! the input, see [`super::settle`].

use super::accepted_write::shown;
use super::claim::{Claim, Claims, Fields, Grounds, Met, Refusal, Subject};
use crate::evidence::{Field, Token};
use crate::incident::{Class, Outcome, Role, Status, Variant};
use crate::timeline::{Step, Timeline};

/// Judges one write that was refused as stale.
pub fn judge(step: &Step, past: &Timeline, claims: &mut Claims) {
    claims.extend(why(step, past));
}

fn refused(step: &Step, variant: Variant, status: Status, outcome: Outcome) -> Claim {
    let subject = Subject::Write {
        key: step.key,
        token: step.handle.token,
        lease: None,
    };
    Claim {
        key: step.key,
        ..Claim::new(variant, status, outcome, subject, step.seen())
    }
}

fn why(step: &Step, past: &Timeline) -> Option<Claim> {
    let highest = past.highest(step.key);
    let Some(token) = step.handle.token else {
        return Some(no_reading(step, highest.is_some()));
    };
    let accepted = past.key(step.key).and_then(|key| key.greatest);
    let own_newer = accepted > Some(token);
    let grounds = |below: Token| Grounds {
        refusal: Some(Refusal {
            lease: step.handle.lease,
            before: step.before,
            below,
            own_newer,
        }),
        compares_generations: true,
        ..Grounds::default()
    };
    let by_records = |below: Token| Grounds {
        ordered: true,
        // A refusal changes nothing, so what is held after it was the highest before it.
        doubted: step.after.is_some_and(|held| held <= token),
        ..grounds(below)
    };
    let stale = |status| refused(step, Variant::WriteRefused, status, Outcome::Guarded);
    if let Some(before) = step.before.filter(|before| token < *before) {
        return Some(Claim {
            met: Met::Token(before),
            grounds: grounds(before),
            ..stale(Status::Proven)
        });
    }
    let lacks_before = step.before.is_none();
    if lacks_before && let Some((highest, seen)) = highest.filter(|(highest, _)| token < *highest) {
        let (met, also) = shown(highest, seen);
        return Some(Claim {
            met,
            also,
            grounds: by_records(highest),
            missing: Fields::of(&[Field::ResourceHighestTokenBefore]),
            ..stale(Status::Proven)
        });
    }
    if step.key.is_none()
        && lacks_before
        && let Some(newer) = past.greatest().filter(|newer| token < newer.token)
    {
        return Some(Claim {
            met: Met::Record(newer.seen, Role::NewerWrite),
            grounds: by_records(newer.token),
            missing: Fields::of(&[Field::ResourceHighestTokenBefore, Field::ResourceKey]),
            ..stale(Status::Suspected)
        });
    }
    match step.before.or(highest.map(|(highest, _)| highest)) {
        Some(highest) if highest == token => None,
        _ if step.before.is_some() => Some(refused(
            step,
            Variant::Contradiction,
            Status::Undecided,
            Outcome::Unknown,
        )),
        _ => Some(no_reading(step, highest.is_some())),
    }
}

fn no_reading(step: &Step, highest_known: bool) -> Claim {
    Claim {
        missing: Fields::default()
            .with_if(step.handle.token.is_none(), Field::FenceToken)
            .with_if(step.before.is_none(), Field::ResourceHighestTokenBefore)
            .with_if(step.key.is_none() && !highest_known, Field::ResourceKey),
        candidates: &[
            Class::StaleOwner,
            Class::DuplicateDelivery,
            Class::WrongKeyScope,
        ],
        ..refused(
            step,
            Variant::NoReading,
            Status::Undecided,
            Outcome::Unknown,
        )
    }
}
