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
use crate::timeline::{Accepted, KeyState, Seen, Step, Symbol, Timeline};

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

/// The first row that says a write is late.
enum Row<'t> {
    /// The resource read this greater token.
    NotCompared(Token),
    /// This write rose from the same token at the key.
    Forked(Symbol, Token, &'t Seen),
    /// This greater token was accepted at the key before, as this record shows.
    BothAccepted(Token, &'t Seen),
    /// A greater token was accepted at another key before.
    OtherKey(&'t Accepted),
    /// A greater token was accepted before, and a key is missing.
    KeyUnknown(&'t Accepted),
}

/// What says that a token was not kept.
enum Lost<'t> {
    /// Afterwards the resource holds a lower one.
    OwnToken,
    /// The resource read a lower one than this, which it had accepted at the key.
    Earlier(Token, &'t Seen),
    /// The resource read a lower one than it had accepted, and the key is missing.
    KeyUnknown(&'t Accepted),
}

/// Judges one accepted write; `state` is what is known of its key.
#[inline]
pub fn judge(step: &Step, state: Option<&KeyState>, past: &Timeline, claims: &mut Claims) {
    let Some(token) = step.handle.token else {
        claims.extend(lease_superseded(step, state, past));
        let lost = forgotten(step, state, past);
        return claims.extend(lost.map(|lost| forgot(step, lost, past)));
    };
    let mut lateness = Lateness::InTime;
    if let Some(row) = row(step, token, state, past) {
        let claim = late_claim(step, token, row, past);
        lateness = if claim.grounds.only_if_deciding {
            Lateness::LateLine
        } else {
            Lateness::Late
        };
        claims.add(claim);
    }
    if let Some(lost) = lost(step, token, lateness, state, past) {
        claims.add(not_kept(step, Some(token), lost));
    }
    if lateness == Lateness::InTime && step.key.is_none() {
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

/// The first row that fits a write which carries a token below another one.
#[inline]
fn row<'t>(
    step: &Step,
    token: Token,
    state: Option<&'t KeyState>,
    past: &'t Timeline,
) -> Option<Row<'t>> {
    if let Some(before) = step.before.filter(|before| token < *before) {
        return Some(Row::NotCompared(before));
    }
    if let (Some(key), Some(state)) = (step.key, state) {
        if let (Some(before), Some(other)) = (step.before, state.forks_with(step)) {
            return Some(Row::Forked(key, before, other));
        }
        if let Some((highest, seen)) = state.highest().filter(|(highest, _)| token < *highest) {
            return Some(Row::BothAccepted(highest, seen));
        }
    }
    let above = |accepted: &&Accepted| token < accepted.token;
    let greatest = past.greatest().filter(above)?;
    let Some(key) = step.key else {
        return Some(Row::KeyUnknown(greatest));
    };
    let other = past.greatest_at_other_key(key).filter(above);
    let unnamed = || past.unnamed().filter(above);
    other
        .map(Row::OtherKey)
        .or_else(|| unnamed().map(Row::KeyUnknown))
}

/// The claim of that row.
#[cold]
fn late_claim(step: &Step, token: Token, row: Row<'_>, past: &Timeline) -> Claim {
    use Variant::{BothAccepted, Forked, LateWriteOtherKey, NotCompared};
    let proven = |variant| write(step, variant, Status::Proven, Outcome::Breached);
    let own = |newer| is_own(past, &step.handle, newer);
    let generations = Grounds {
        compares_generations: true,
        ..Grounds::default()
    };
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
    let excused = |key| {
        step.before.is_some_and(|before| before <= token)
            && past.may_have_been_read_before_it_was_seen(token, key, step.key)
    };
    match row {
        Row::NotCompared(before) => Claim {
            met: Met::Token(before),
            grounds: Grounds {
                met_own: own(before),
                ..generations
            },
            ..proven(NotCompared)
        },
        Row::Forked(key, before, other) => Claim {
            subject: Subject::Fork { key, before },
            met: Met::Record(*other, Role::OtherWrite),
            ..proven(Forked)
        },
        Row::BothAccepted(highest, seen) => {
            let (met, also) = shown(highest, seen);
            Claim {
                met,
                also,
                grounds: Grounds {
                    met_own: own(highest),
                    unless_readings_vouch: true,
                    only_if_deciding: excused(step.key),
                    ..by_order
                },
                missing_if_suspected,
                ..proven(BothAccepted)
            }
        }
        Row::OtherKey(other) => Claim {
            met: newer(&other.seen),
            grounds: Grounds {
                met_own: own(other.token),
                ..by_order
            },
            missing_if_suspected,
            ..proven(LateWriteOtherKey)
        },
        Row::KeyUnknown(newer_write) => {
            let claim = key_unknown(step, &newer_write.seen);
            Claim {
                grounds: Grounds {
                    met_own: own(newer_write.token),
                    only_if_deciding: excused(newer_write.key),
                    unless_forked,
                    ..claim.grounds
                },
                ..claim
            }
        }
    }
}

/// What shows that the token was not kept after the write, or a greater one not before it.
#[inline]
fn lost<'t>(
    step: &Step,
    token: Token,
    lateness: Lateness,
    state: Option<&'t KeyState>,
    past: &'t Timeline,
) -> Option<Lost<'t>> {
    if step.after.is_some_and(|after| after < token) {
        return Some(Lost::OwnToken);
    }
    forgotten(step, state, past).filter(|_| lateness == Lateness::InTime)
}

/// What shows that a token accepted before the write was not kept until then: that is what the
/// resource read, whatever the token of the write.
#[inline]
fn forgotten<'t>(step: &Step, state: Option<&'t KeyState>, past: &'t Timeline) -> Option<Lost<'t>> {
    let before = step.before?;
    if step.key.is_some() {
        let (highest, seen) = state?.highest().filter(|(highest, _)| before < *highest)?;
        return Some(Lost::Earlier(highest, seen));
    }
    let newer_write = past.greatest().filter(|accepted| before < accepted.token);
    newer_write.map(Lost::KeyUnknown)
}

/// The claim of a write that does not tell its token. With it the write might be a late one,
/// and nothing would be said of what the resource kept.
#[cold]
fn forgot(step: &Step, lost: Lost<'_>, past: &Timeline) -> Claim {
    let kept = match lost {
        Lost::Earlier(highest, _) => Some(highest),
        Lost::OwnToken | Lost::KeyUnknown(_) => None,
    };
    let claim = not_kept(step, None, lost);
    let elsewhere = step.key.and_then(|key| past.greatest_at_other_key(key));
    let mut greater = elsewhere.into_iter().chain(past.unnamed());
    if kept.is_some() && greater.any(|accepted| Some(accepted.token) > kept) {
        return Claim {
            status: Status::Suspected,
            missing: claim.missing.with(Field::FenceToken),
            ..claim
        };
    }
    claim
}

/// The claim of a token that was not kept.
#[cold]
fn not_kept(step: &Step, token: Option<Token>, lost: Lost<'_>) -> Claim {
    let exposed = |variant| write(step, variant, Status::Proven, Outcome::Exposed);
    match lost {
        Lost::OwnToken => exposed(Variant::NotStored),
        Lost::Earlier(highest, seen) => {
            let (met, also) = shown(highest, seen);
            Claim {
                met,
                also,
                grounds: Grounds {
                    basis: Basis::WriteOrder,
                    ordered: true,
                    unless_readings_vouch: true,
                    unless_forked: step.before.filter(|before| token > Some(*before)),
                    ..Grounds::default()
                },
                ..exposed(Variant::HighestLost)
            }
        }
        Lost::KeyUnknown(newer_write) => key_unknown(step, &newer_write.seen),
    }
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
#[cold]
fn lease_superseded(step: &Step, state: Option<&KeyState>, past: &Timeline) -> Option<Claim> {
    let own = past.leases().acquired(step.handle.lease)?;
    let (position, seen) = state?.newest_writer.as_ref()?;
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

/// A newer lease was acquired before this write, which names no key: if that lease never
/// writes, its silence has two explanations.
fn newer_owner_silent(step: &Step, token: Token, past: &Timeline, claims: &mut Claims) {
    if step.before.is_some_and(|before| before > token) {
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
