//! English: headlines, and what a suspected incident leaves open.

use crate::incident::Variant;

/// The headline of a variant, without the lock and without the full stop.
pub(super) const fn clause(variant: Variant) -> &'static str {
    match variant {
        Variant::WriteRefused => {
            "the resource refused an old write[ with token {late.token}][ from {late.owner}]"
        }
        Variant::ReleaseRefused => "the authority refused an old release[ by {late.owner}]",
        Variant::RemovedOtherLease => "a release[ by {late.owner}] removed {current.held}",
        Variant::RenewedOtherLease => "a renewal[ by {late.owner}] prolonged {current.held}",
        Variant::NotCompared => {
            "the resource accepted token {late.token}[ at {key}] although it had read a greater one[, {current.token}]"
        }
        Variant::Forked => {
            "{late} and {current} both wrote[ to {key}] on top of the same highest token"
        }
        Variant::BothAccepted => {
            "the resource accepted an old write[ with token {late.token}][ at {key}] after a newer one[ with token {current.token}]"
        }
        Variant::NotStored => {
            "the resource accepted token {late.token}[ at {key}] and did not keep it"
        }
        Variant::HighestLost => "the resource[ at {key}] forgot a token that it had accepted",
        Variant::LeaseSuperseded => {
            "a write of {late} was accepted[ at {key}] after the next owner had written"
        }
        Variant::LateWriteOtherKey => {
            "an old write[ with token {late.token}] got in under another key[, {key}]"
        }
        Variant::KeysDiverge => "every token writes under a key of its own, and none is compared",
        Variant::TwoLocksOneKey => {
            "one resource key[, {key},] compares the tokens of this lock and of another"
        }
        Variant::AppliedAgain => {
            "[operation {operation}|one operation] was applied twice under one token"
        }
        Variant::Redelivered => {
            "[operation {operation}|one operation] was applied under two tokens"
        }
        Variant::RefusedAgain => "[operation {operation}|one operation] came again and was refused",
        Variant::TokenRepeated => "one operation[ under token {late.token}] was delivered twice",
        Variant::Shared => "two leases carry one token[, {late.token}]",
        Variant::WentBack => "a later lease[ of {late.owner}] got a lower token[, {late.token}]",
        Variant::OutOfStep => "the tokens do not follow the leases",
        Variant::KeyUnknown => {
            "undecided between missing fencing and a wrong key: a token came out of order, at a key that was not recorded"
        }
        Variant::EqualTokenRefused => {
            "undecided: a second write under one token was refused, and it is no repetition"
        }
        Variant::SameLeaseToken => {
            "undecided: a write was refused below a newer token of its own lease"
        }
        Variant::Contradiction => "undecided: an answer contradicts the reading beside it",
        Variant::NoReading => {
            "undecided: a write was refused as stale, and nothing says below what"
        }
        Variant::OrderUnknown => {
            "undecided: two leases wrote[ at {key}], and nothing says which came last"
        }
        Variant::NewerOwnerSilent => {
            "undecided: a write came after a newer lease, and no write of that lease is recorded"
        }
    }
}

const LATE_LINE: &str = "That fits, but the order comes from lines, or from a number that the deciding side did not give: a line may have come late.";

const FIRST_ATTEMPT: &str = "That fits, but nothing that the deciding side recorded says which of the two came first: the refusal may have been the first attempt.";

const UNSURE: &str = "That fits, but it is not certain which lease acted, with which token or at which key, or what a step without an answer did.";

/// What a suspected incident of this variant leaves open, where its order is in doubt or not.
pub(super) const fn doubt(variant: Variant, by_order: bool) -> &'static str {
    match variant {
        Variant::WriteRefused => {
            "That fits an old owner, but not everything is recorded that would show it: the newer token may belong to another key, or this may be the second write of a token that the resource takes once."
        }
        Variant::ReleaseRefused => {
            "That fits an old owner, but no record says which lease was current: a wrong handle would be refused in the same way."
        }
        Variant::RemovedOtherLease => {
            "That fits a release that removed another lease, but the authority did not record what it removed: an acquisition or a release may have been logged late."
        }
        Variant::BothAccepted
        | Variant::HighestLost
        | Variant::LateWriteOtherKey
        | Variant::WentBack
        | Variant::OutOfStep => {
            if by_order {
                LATE_LINE
            } else {
                UNSURE
            }
        }
        Variant::RefusedAgain if by_order => FIRST_ATTEMPT,
        Variant::LeaseSuperseded => {
            "That fits missing fencing, but without a token only the order of the records speaks: a line may have come late."
        }
        Variant::KeysDiverge => {
            "That fits a key that names the attempt and not the item, but the lock may rightly guard independent items."
        }
        Variant::TwoLocksOneKey => {
            "That fits two locks over one effect, but the key may be no more than the name of a table."
        }
        Variant::AppliedAgain => {
            "That fits an operation that was applied twice, but nothing tells the two records apart: one write may have been logged twice."
        }
        Variant::TokenRepeated => {
            "That fits a repeated delivery, but no operation id says whether it was one operation or two, or one write logged twice."
        }
        Variant::RenewedOtherLease
        | Variant::NotCompared
        | Variant::Forked
        | Variant::NotStored
        | Variant::Redelivered
        | Variant::RefusedAgain
        | Variant::Shared
        | Variant::KeyUnknown
        | Variant::EqualTokenRefused
        | Variant::SameLeaseToken
        | Variant::Contradiction
        | Variant::NoReading
        | Variant::OrderUnknown
        | Variant::NewerOwnerSilent => UNSURE,
    }
}
