//! A write that was here before: one operation, or one token, comes again.
//!
//! | when | says |
//! |---|---|
//! | accepted, the operation was accepted with this token at this key | `applied-again` |
//! | accepted, the operation was accepted with another token | `redelivered` |
//! | refused by the effect ledger | `refused-again` |
//! | refused as stale, the operation was accepted before | `refused-again` |
//! | refused at the very token that is highest, an operation not seen | `equal-token-refused` |
//! | the same, and an operation is not recorded | `token-repeated` |
//! | accepted with a token accepted here before, and an operation is not recorded | `token-repeated` |

use super::claim::{Basis, Claim, Claims, Fields, Grounds, Met, Subject};
use super::own_tokens::is_own;
use crate::evidence::{Answer, Field, Token};
use crate::incident::{Outcome, Role, Status, Variant};
use crate::timeline::{Handle, KeyState, Seen, Step, Symbol, Timeline, ledger::Delivery};

/// Judges one write; `state` is what is known of its key.
#[inline]
pub fn judge(step: &Step, state: Option<&KeyState>, past: &Timeline, claims: &mut Claims) {
    // Most writes are accepted once.
    if step.answer != Answer::Accepted || may_be_again(step, state, past) {
        judge_again(step, past, claims);
    }
}

/// Whether an accepted write has an operation or a token that may have been accepted before.
#[inline]
fn may_be_again(step: &Step, state: Option<&KeyState>, past: &Timeline) -> bool {
    let known = |operation| past.ledger().knows(operation);
    step.operation.is_none_or(known) || state.is_some_and(|state| state.some_without_operation)
}

#[inline(never)]
fn judge_again(step: &Step, past: &Timeline, claims: &mut Claims) {
    claims.extend(match step.answer {
        Answer::Accepted => step
            .operation
            .and_then(|operation| applied(step, operation, past))
            .or_else(|| token_accepted_again(step, past)),
        Answer::RejectedDuplicate => Some(refused_again(step, past)),
        Answer::RejectedStaleFence => {
            refused_repeat(step, past).or_else(|| equal_token(step, past))
        }
        _ => None,
    });
}

fn delivery(step: &Step, variant: Variant, status: Status, outcome: Outcome) -> Claim {
    let subject = match step.operation {
        Some(operation) => Subject::Operation(operation),
        None => Subject::Token(step.handle.token),
    };
    Claim {
        key: step.key,
        role: Role::LaterDelivery,
        ..Claim::new(variant, status, outcome, subject, step.seen())
    }
}

fn first(seen: Seen) -> Met {
    Met::Record(seen, Role::FirstDelivery)
}

/// The operation was applied before.
fn applied(step: &Step, operation: Symbol, past: &Timeline) -> Option<Claim> {
    let token = step.handle.token?;
    if !past.ledger().knows(operation) {
        return None;
    }
    under_one_token(step, operation, token, past)
        .or_else(|| under_two_tokens(step, operation, token, past))
}

/// The operation was applied before under the same token.
fn under_one_token(step: &Step, operation: Symbol, token: Token, past: &Timeline) -> Option<Claim> {
    let same_key =
        |known: &&Delivery| known.key == step.key || known.key.is_none() || step.key.is_none();
    let again = || {
        let with_token = |known: &&Delivery| known.seen.handle.token == Some(token);
        past.ledger()
            .deliveries(operation)
            .filter(with_token)
            .filter(same_key)
    };
    let claim = |status, outcome| delivery(step, Variant::AppliedAgain, status, outcome);
    if let Some(known) = again().find(|known| differs(step, known)) {
        let by_lease = !again().any(|known| differs_in_more(step, known));
        return Some(Claim {
            met: first(known.seen),
            grounds: leases_apart(step, known, by_lease),
            ..claim(Status::Proven, Outcome::Breached)
        });
    }
    let known = again().next()?;
    let lacks = step.before.is_none() || known.before.is_none();
    let keyless = step.key.is_none() || known.key.is_none();
    Some(Claim {
        met: first(known.seen),
        missing: Fields::default()
            .with_if(lacks, Field::ResourceHighestTokenBefore)
            .with_if(keyless, Field::ResourceKey),
        ..claim(Status::Suspected, Outcome::Unknown)
    })
}

/// The operation was applied before under another token.
fn under_two_tokens(
    step: &Step,
    operation: Symbol,
    token: Token,
    past: &Timeline,
) -> Option<Claim> {
    let other_token =
        |known: &&Delivery| known.seen.handle.token.is_some_and(|other| other != token);
    let others = || {
        let others = past.ledger().deliveries(operation).filter(other_token);
        others.map(|known| (known, Effect::of(step, known, past)))
    };
    let claim = |status, outcome| delivery(step, Variant::Redelivered, status, outcome);
    let again = || {
        let again = others().filter(|(_, effect)| *effect == Effect::Again);
        again.map(|(known, _)| (known, leases_told_apart(step, known, past)))
    };
    if let Some((known, leases)) = again().next() {
        let by_leases = leases.filter(|_| again().all(|(_, leases)| leases.is_some()));
        return Some(Claim {
            met: first(known.seen),
            grounds: Grounds {
                leases: by_leases,
                ..Grounds::default()
            },
            ..claim(Status::Proven, Outcome::Breached)
        });
    }
    let (known, missing) = others().find_map(|(known, effect)| Some((known, effect.open()?)))?;
    Some(Claim {
        met: first(known.seen),
        missing: Fields::of(&[missing]),
        ..claim(Status::Suspected, Outcome::Unknown)
    })
}

/// What a write with another token is to an earlier one of its operation. A lease that was
/// given a greater token may go on with its operation at the next key: that is one delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// The operation came again.
    Again,
    /// Under one lease, at another key.
    Another,
    /// One of the two: this field would tell.
    Open(Field),
}

impl Effect {
    fn of(step: &Step, known: &Delivery, past: &Timeline) -> Effect {
        let (one, other) = (step.handle, known.seen.handle);
        let keys_known = step.key.is_some() && known.key.is_some();
        if keys_known && step.key == known.key {
            return Effect::Again;
        }
        match (is_of_one_lease(&one, &other, past), keys_known) {
            (Some(true), true) => Effect::Another,
            (Some(true), false) => Effect::Open(Field::ResourceKey),
            (None, _) if !differ(one.owner, other.owner) => Effect::Open(Field::LeaseId),
            _ => Effect::Again,
        }
    }

    fn open(self) -> Option<Field> {
        match self {
            Effect::Open(field) => Some(field),
            Effect::Again | Effect::Another => None,
        }
    }
}

/// Whether two handles are of one lease, by their ids or by who carries their tokens; `None`
/// where neither tells.
fn is_of_one_lease(a: &Handle, b: &Handle, past: &Timeline) -> Option<bool> {
    let leases = past.leases();
    let lease = |handle: &Handle| leases.lease_of(handle);
    let carries = |a: &Handle, b: &Handle| b.token.is_some_and(|token| is_own(past, a, token));
    match (lease(a), lease(b)) {
        (Some(a), Some(b)) => Some(a == b),
        _ => (carries(a, b) || carries(b, a)).then_some(true),
    }
}

/// Whether something is known to differ between two deliveries, so that they are not one
/// write that was logged twice.
fn differs(step: &Step, known: &Delivery) -> bool {
    differ(step.handle.lease, known.lease) || differs_in_more(step, known)
}

/// The same, whatever the lease ids are.
fn differs_in_more(step: &Step, known: &Delivery) -> bool {
    differ(step.handle.owner, known.owner)
        // One operation may write several keys, and each has a highest token of its own.
        || step.key.is_some() && step.key == known.key && differ(step.before, known.before)
}

/// The leases that tell two deliveries apart, where their keys do not show that the second
/// one is the operation again.
fn leases_told_apart(step: &Step, known: &Delivery, past: &Timeline) -> Option<[Symbol; 2]> {
    let same_key = step.key.is_some() && step.key == known.key;
    let leases = past.leases();
    let lease = |handle: Handle| leases.lease_of(&handle);
    let both = lease(step.handle).zip(lease(known.seen.handle));
    both.filter(|_| !same_key).map(<[Symbol; 2]>::from)
}

/// What a claim rests on where only the lease ids tell two deliveries apart, if that is so.
fn leases_apart(step: &Step, known: &Delivery, by_lease: bool) -> Grounds {
    let leases = step.handle.lease.zip(known.seen.handle.lease);
    Grounds {
        leases: leases.filter(|_| by_lease).map(<[Symbol; 2]>::from),
        ..Grounds::default()
    }
}

/// Whether both are known, and are not the same.
fn differ<T: PartialEq>(a: Option<T>, b: Option<T>) -> bool {
    matches!((a, b), (Some(a), Some(b)) if a != b)
}

fn refused_again(step: &Step, past: &Timeline) -> Claim {
    let known = step
        .operation
        .and_then(|operation| past.ledger().deliveries(operation).next());
    let met = known.map_or(Met::Nobody, |known| first(known.seen));
    Claim {
        met,
        ..delivery(
            step,
            Variant::RefusedAgain,
            Status::Proven,
            Outcome::Guarded,
        )
    }
}

/// Refused as stale, and the operation was applied before: under another token or lease,
/// or at this key. Where no key tells, it may be another effect of one operation.
fn refused_repeat(step: &Step, past: &Timeline) -> Option<Claim> {
    let operation = step.operation?;
    let known = || past.ledger().deliveries(operation);
    let effects = || {
        known().map(|known| {
            let (one, other) = (known.seen.handle, step.handle);
            let keyless = step.key.is_none() || known.key.is_none();
            if differ(one.token, other.token) {
                Effect::of(step, known, past)
            } else if differ(one.lease, other.lease) || !keyless && known.key == step.key {
                Effect::Again
            } else if keyless {
                Effect::Open(Field::ResourceKey)
            } else {
                Effect::Another
            }
        })
    };
    let again = || {
        let all = known().zip(effects());
        let again = all.filter(|(_, effect)| *effect == Effect::Again);
        again.map(|(known, _)| known)
    };
    if again().next().is_some() {
        let leases = || again().map(|known| leases_told_apart(step, known, past));
        let by_leases = leases().next().flatten();
        // Those of which no reading says that they came after.
        let open = || again().filter(|known| !was_refused_before(step, known));
        let basis = if open().any(|known| must_come_before(step, known)) {
            Basis::Reading
        } else {
            Basis::WriteOrder
        };
        return Some(Claim {
            grounds: Grounds {
                basis,
                leases: by_leases.filter(|_| leases().all(|leases| leases.is_some())),
                only_if_deciding: open().next().is_none(),
                ..Grounds::default()
            },
            ..refused_again(step, past)
        });
    }
    let missing = effects().find_map(Effect::open)?;
    Some(Claim {
        status: Status::Suspected,
        missing: Fields::of(&[missing]),
        ..refused_again(step, past)
    })
}

/// Whether the resource refused `step` before it accepted `known`, by its own reading: at one key
/// it would have read no less than what it had accepted. A reading that does not fit the refusal
/// itself shows nothing.
fn was_refused_before(step: &Step, known: &Delivery) -> bool {
    is_at_one_key(step, known) && less(step.before, known.seen.handle.token) && !is_odd(step)
}

/// Whether a write was refused as stale although the resource read a lower token: it compares
/// otherwise, or at another key.
fn is_odd(step: &Step) -> bool {
    less(step.before, step.handle.token)
}

/// Whether a resource that refuses `step` as stale must have accepted `known` before it, whatever
/// the order of records: at one key the highest token only grows. Else the refusal may have been
/// the first attempt, and the accepted write the one that went better.
fn must_come_before(step: &Step, known: &Delivery) -> bool {
    let (refused, accepted) = (step.handle.token, known.seen.handle.token);
    let same_token = refused.is_some() && refused == accepted;
    let compared = !less(accepted, known.before);
    let older = compared && (same_token || less(accepted, refused));
    is_at_one_key(step, known) && !is_odd(step) && (older || less(known.before, step.before))
}

fn is_at_one_key(step: &Step, known: &Delivery) -> bool {
    step.key.is_some() && step.key == known.key
}

/// Whether both are known, and the first is the lower one.
fn less(a: Option<Token>, b: Option<Token>) -> bool {
    a.zip(b).is_some_and(|(a, b)| a < b)
}

/// Refused although its token is the highest one: a repeat, or a comparison that admits
/// one write a token.
fn equal_token(step: &Step, past: &Timeline) -> Option<Claim> {
    let token = step.handle.token?;
    // The resource's own reading outweighs what order suggests.
    let highest = step
        .before
        .or_else(|| past.highest(step.key).map(|(highest, _)| highest));
    if highest != Some(token) {
        return None;
    }
    let grounds = Grounds {
        ordered: step.before.is_none(),
        ..Grounds::default()
    };
    let accepted_at = |key| past.key(key)?.generations.get(token);
    // A write that names no key may have been at this one, and this one at any key.
    let elsewhere = || {
        let known = past.greatest_with(token);
        let known = known.filter_map(|accepted| accepted_at(accepted.key));
        known.max_by_key(|known| known.without_operation)
    };
    let known = accepted_at(step.key)
        .or_else(|| accepted_at(None))
        .or_else(|| elsewhere().filter(|_| step.key.is_none()));
    let met = known.map_or(Met::Nobody, |known| first(known.first));
    if step.operation.is_some() && known.is_some_and(|known| !known.without_operation) {
        let subject = Subject::Write {
            key: step.key,
            token: Some(token),
            lease: None,
        };
        let met = known.map_or(Met::Nobody, |known| {
            Met::Record(known.first, Role::OtherWrite)
        });
        let (status, outcome) = (Status::Undecided, Outcome::Guarded);
        return Some(Claim {
            key: step.key,
            met,
            grounds,
            ..Claim::new(
                Variant::EqualTokenRefused,
                status,
                outcome,
                subject,
                step.seen(),
            )
        });
    }
    let claim = delivery(
        step,
        Variant::TokenRepeated,
        Status::Suspected,
        Outcome::Guarded,
    );
    let subject = Subject::Token(Some(token));
    Some(Claim {
        met,
        grounds,
        subject,
        // Of this write, or of the other one, which may not be on record at all.
        missing: Fields::of(&[Field::OperationId]),
        ..claim
    })
}

/// Accepted with a token that was accepted here before, and nothing tells whether it is
/// ordinary work or a repeat.
fn token_accepted_again(step: &Step, past: &Timeline) -> Option<Claim> {
    let token = step.handle.token?;
    let known = past.key(step.key)?.generations.get(token)?;
    (step.operation.is_none() || known.without_operation).then(|| Claim {
        met: first(known.first),
        subject: Subject::Token(Some(token)),
        missing: Fields::of(&[Field::OperationId]),
        ..delivery(
            step,
            Variant::TokenRepeated,
            Status::Suspected,
            Outcome::Unknown,
        )
    })
}
