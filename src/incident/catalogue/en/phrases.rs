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
            "a write of {late} and another one[, of {current},] were both accepted[ at {key}] on top of the same highest token"
        }
        Variant::BothAccepted => {
            "the resource accepted token {late.token}[ at {key}] after a greater one[, {current.token}]"
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
            "undecided: a second write under one token was refused, and no accepted write of its operation is on record"
        }
        Variant::SameLeaseToken => {
            "undecided: a write was refused below a newer token of its own lease"
        }
        Variant::Contradiction => "undecided: an answer contradicts the reading beside it",
        Variant::NoReading => {
            "undecided: a write was refused as stale, and not both of the compared tokens are recorded"
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

const UNSURE: &str =
    "That fits, but it is not certain which lease acted, with which token or at which key.";

const UNSURE_OR_OWN: &str = "[exposed?That fits, but by the records the greater token is of the same lease: nobody else is shown to be harmed.|That fits, but it is not certain which lease acted, with which token or at which key.]";

/// What a suspected incident of this variant leaves open, where its order is in doubt or not.
pub(super) const fn doubt(variant: Variant, by_order: bool) -> &'static str {
    match variant {
        Variant::WriteRefused => {
            "That fits an old owner, but it is not certain that the greater token had been accepted there before, and that the writer's lease is the older one."
        }
        Variant::ReleaseRefused => {
            "That fits an old owner, but [it is not certain that {current.held} is another lease and was current then|no record names another lease that was current then]: a wrong handle would be refused in the same way."
        }
        Variant::RemovedOtherLease if by_order => {
            "That fits a release that removed another lease, but it is not certain that another one was current then: the order comes from lines, or from a number that the deciding side did not give, and a line may have come late."
        }
        Variant::RemovedOtherLease => {
            "That fits a release that removed another lease, but it is not certain that another one was current then[missing.activeLeaseId?: the id of the lease that the authority held was not recorded]."
        }
        Variant::BothAccepted
        | Variant::HighestLost
        | Variant::LateWriteOtherKey
        | Variant::WentBack
        | Variant::OutOfStep
            if by_order =>
        {
            LATE_LINE
        }
        Variant::BothAccepted | Variant::NotCompared => UNSURE_OR_OWN,
        Variant::RenewedOtherLease => {
            "That fits, but it is not certain that another lease was current then."
        }
        Variant::LateWriteOtherKey => {
            "That fits, but it is not certain that the greater token is of a newer lease, and that the write was in time at its own key."
        }
        Variant::WentBack => "That fits, but it is not certain that they are two leases.",
        Variant::Shared => {
            "That fits, but it is not certain that they are two leases, and that both were given this token."
        }
        Variant::OutOfStep => {
            "That fits, but it is not certain which lease the authority prolonged or released, and with which token."
        }
        Variant::RefusedAgain if by_order => FIRST_ATTEMPT,
        Variant::LeaseSuperseded => {
            "That fits missing fencing, but without a token only the order of the records speaks: nothing that the resource recorded says which write was the late one."
        }
        Variant::KeysDiverge => {
            "That fits a key that names the attempt and not the item, but the lock may rightly guard independent items."
        }
        Variant::TwoLocksOneKey => {
            "[missing.resourceHighestTokenBefore?That fits two locks over one effect, but the key may be no more than the name of a table.|That fits one key that compares the tokens of two locks, but this lock may have put the token there itself, in a write that is on record without its answer, its key or its token, or is not on record.]"
        }
        Variant::AppliedAgain => {
            "That fits an operation that was applied twice, but nothing tells the two records apart for certain: one write may have been logged twice."
        }
        Variant::TokenRepeated => {
            "That fits a repeated delivery, but not both writes are on record with an answer and an operation: it may be one operation or two[guarded?|, or one write logged twice]."
        }
        Variant::HighestLost
        | Variant::Forked
        | Variant::NotStored
        | Variant::Redelivered
        | Variant::RefusedAgain
        | Variant::KeyUnknown
        | Variant::EqualTokenRefused
        | Variant::SameLeaseToken
        | Variant::Contradiction
        | Variant::NoReading
        | Variant::OrderUnknown
        | Variant::NewerOwnerSilent => UNSURE,
    }
}
