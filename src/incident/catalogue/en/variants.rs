//! English: the words for every variant.

use super::limits::{CALL, EXPIRY, KEYS, OWN_FENCE, PROVIDER, RELEASE, RUNNING};
use crate::incident::Variant;
use crate::incident::catalogue::Entry;

/// Title, observation, boundary, checks, next action and limits.
#[allow(clippy::too_many_lines)]
pub(super) const fn entry(variant: Variant) -> &'static Entry {
    match variant {
        Variant::WriteRefused => &Entry {
            title: "An old write was refused",
            observation: "{late} wrote[ to {key}] with a token [proven?older than one accepted before|lower than [that of {current}|another one in the records]], and the resource refused it.[proven?[ The newer token is that of {current}.]]",
            boundary: "Fencing at the resource works: the write was compared and did not get in.",
            check: &[
                "That the refused write and the newer one name the same resource key.",
                "That the comparison is strict: a token is refused as stale only when it is below the highest.",
            ],
            next_action: "Return the refusal to the caller as it is, and never retry the old write.[repeated? The write came {times} with the same token: a retry does not make it newer.]",
            not_covered: &[RUNNING, RELEASE, CALL],
        },
        Variant::ReleaseRefused => &Entry {
            title: "An old release was refused",
            observation: "{late} asked for its lease to be released, and the authority answered that it is not the owner.[ [proven?The|By the records the] current lease was {current.held}.]",
            boundary: "The release is bound to its handle: the authority compared, and removed nothing.",
            check: &[
                "Which lease was current when the release arrived (`activeLeaseId`, `activeOwnerId`).",
                "Whether the same worker still writes under this lease.",
            ],
            next_action: "Take the refusal as the answer, and do not repeat the release: [proven?the lease is lost|it says that whoever asked does not hold the lease, and no more].[repeated? It was refused {times}, and another attempt will be refused too.]",
            not_covered: &[
                "A refused release says nothing of writes: whether the resource compares tokens is a question of its own.",
                RUNNING,
                EXPIRY,
            ],
        },
        Variant::RemovedOtherLease => &Entry {
            title: "A release removed somebody else's lease",
            observation: "{late} released, and the authority answered `released`[proven? although the current lease was {current.held}. It is the one that was removed.|[; by the records the current lease was {current.held}|, while the resource had already accepted a newer token].]",
            boundary: "The release is not bound to its handle: the authority removes what is there, not what the caller holds.",
            check: &[
                "The lease id and the owner of the lease that was current at that moment.",
                "What the release compares before it deletes: the exact lease handle, only the owner, or nothing.",
                "Which writes came after the removal without a valid lease.",
            ],
            next_action: "Make the release conditional: compare the exact lease handle and delete in one step at the authority.",
            not_covered: &[
                "A fencing token does not mend this: it guards the resource, not the release.",
                "What was written after the removal is judged on its own, by the writes.",
                PROVIDER,
            ],
        },
        Variant::RenewedOtherLease => &Entry {
            title: "A renewal prolonged somebody else's lease",
            observation: "{late} renewed, and the authority answered `renewed` although [proven?|by the records ]the current lease was {current.held}.",
            boundary: "The renewal is not bound to its handle; the release is likely made the same way.",
            check: &[
                "The lease id and the owner of the lease that was current at that moment.",
                "What the renewal compares before it prolongs, and whether the release compares the same.",
            ],
            next_action: "Make the renewal conditional: compare the exact lease handle and prolong in one step at the authority.",
            not_covered: &[
                "A worker that renews somebody else's lease believes that it still holds its own; what it wrote meanwhile is judged by the writes.",
                "A fencing token does not mend this: it guards the resource, not the renewal.",
                RUNNING,
            ],
        },
        Variant::NotCompared => &Entry {
            title: "An old write was accepted against the resource's own reading",
            observation: "{late} wrote[ to {key}] with token {late.token}. The resource read a greater token as its highest[, {current.token},] and accepted the write all the same.",
            boundary: "The resource keeps the token but does not compare it, or does not act on the comparison.",
            check: &[
                "That the comparison is part of the write itself (one statement, one script, one transaction), not a step before it.",
                "That tokens are compared as numbers, not as text.",
                "What the old write replaced, and whether it can be restored.",
            ],
            next_action: "Add the comparison to the write at the resource, or narrow what the lock is said to protect.",
            not_covered: &[RUNNING, RELEASE, CALL, KEYS],
        },
        Variant::Forked => &Entry {
            title: "Two writes rose from the same highest token",
            observation: "A write of {late} and another one[, of {current},] were made[ to {key}] on top of the same highest token, and both were accepted. Whichever came second should have read the token of the first. Three causes look alike in the records: no comparison; a comparison outside the write; a highest token that was lost. Where the highest was read below a token already accepted, as here for the second write, the last two are left.",
            boundary: "The resource does not compare and keep the token in one step.",
            check: &[
                "That the highest token is read, compared and stored in the write itself, not in a read before it.",
                "Whether the stored highest token was lost between the two writes (a failover, an eviction, a restored copy).",
                "Which of the two values stands, and what the other one lost.",
            ],
            next_action: "Make comparison and write one atomic step at the resource, and keep the highest token as durably as the value.",
            not_covered: &[
                "The records do not say which of the two writes came first.",
                RUNNING,
                CALL,
                KEYS,
            ],
        },
        Variant::BothAccepted => &Entry {
            title: "An old write was accepted after a newer one",
            observation: "{late} wrote[ to {key}] after a greater token had been accepted there[: that of {current}], and this write was accepted too. Three causes look alike in the records: no comparison; a comparison outside the write; a highest token that was lost. [missing.resourceHighestTokenBefore?The reading that would narrow them down was not recorded.|Where the late write carries a reading below the accepted token, only the last two are left.]",
            boundary: "The resource does not keep the token, or does not compare it in the write.",
            check: &[
                "Whether the resource stores a highest token at all, and where.",
                "That the comparison is part of the write itself, not a read before it.",
                "Whether the stored highest token can be lost (a failover, an eviction, a restored copy).",
                "What the old write replaced, and whether it can be restored.",
            ],
            next_action: "Add fencing at the resource (keep the highest token beside the value and compare it in the write), or narrow what the lock is said to protect.",
            not_covered: &[RUNNING, RELEASE, CALL, KEYS],
        },
        Variant::NotStored => &Entry {
            title: "The resource did not keep the token it accepted",
            observation: "The write of {late}[ to {key}] was accepted with token {late.token}, and afterwards the resource held a lower one.",
            boundary: "The resource accepts a token without keeping it: the next old write will find nothing to be compared with.",
            check: &[
                "That the token is stored in the same step as the value.",
                "Whether `resourceHighestTokenAfter` is read from the place that the comparison uses.",
            ],
            next_action: "Store the accepted token with the value, in the write, before trusting the fence.",
            not_covered: &[
                "No harm is shown: an old write that got in would be reported by itself.",
                RUNNING,
                KEYS,
            ],
        },
        Variant::HighestLost => &Entry {
            title: "The resource forgot a token it had accepted",
            observation: "The write of {late}[ to {key}] found a lower highest token than one accepted there before[, that of {current}].",
            boundary: "The highest token is not kept as durably as the value, or is read from a copy that lags behind.",
            check: &[
                "What happened to the stored highest token in between: a failover, an eviction, an expiry, a restored copy.",
                "That the reading comes from the write itself and not from a replica.",
            ],
            next_action: "Keep the highest token beside the value, with the same durability, and never let it expire.",
            not_covered: &[
                "This write was not late, so no harm is shown; the fence was open meanwhile.",
                RUNNING,
                KEYS,
            ],
        },
        Variant::LeaseSuperseded => &Entry {
            title: "A write was accepted under a lease that another had followed",
            observation: "{late} wrote[ to {key}] after another lease had been acquired and had written there[: {current.held}]. The write was accepted. No token is recorded with it that the resource could have compared.",
            boundary: "If the record is complete, the resource has nothing to compare: the lock gives no token, or the token does not reach it.",
            check: &[
                "Whether the authority can give an ordered token with each lease (a counter, a revision, an epoch).",
                "Whether the resource could refuse by such a token within the write.",
            ],
            next_action: "Give each lease an ordered token and compare it at the resource, or narrow what the lock is said to protect.",
            not_covered: &[
                "Without tokens the order of the leases is all there is to go by; it is not the resource's own word.",
                EXPIRY,
                CALL,
            ],
        },
        Variant::LateWriteOtherKey => &Entry {
            title: "An old write got in under another key",
            observation: "{late} wrote[ to {key}] after a greater token of the same lock had been accepted under another key[: that of {current}]. [proven?Under|By the records, under] its own key the write was not late, so the fence had no reason to refuse it.",
            boundary: "The fence covers a smaller area than the lock: each key compares for itself.",
            check: &[
                "Whether the two writes conflict: then they need one key.",
                "Where the domain draws the boundary, and whether the resource key follows it.",
            ],
            next_action: "Agree on one resource key for one conflicting effect, and compare tokens there.",
            not_covered: &[
                "Whether the two effects conflict is a matter of the domain: no record says so.",
                KEYS,
                RUNNING,
            ],
        },
        Variant::KeysDiverge => &Entry {
            title: "Every token wrote under a key of its own",
            observation: "Under this lock each token was accepted at a different resource key, so no key has ever compared two of them.",
            boundary: "The fence may cover the wrong area: the key seems to change with the attempt and not to name the item.",
            check: &[
                "What the resource key is made of: if it holds the token, the lease or the attempt, nothing is ever compared.",
                "Where the domain draws the boundary of one conflicting effect.",
            ],
            next_action: "Agree on one resource key for one conflicting effect; if the lock guards independent items, say so and take a lock for each.",
            not_covered: &[
                "No late write was found: this shows an open fence at most, and no harm.",
                KEYS,
            ],
        },
        Variant::TwoLocksOneKey => &Entry {
            title: "Two locks write under one key",
            observation: "[proven?The write of {late}[ to {key}] was compared with a token of another lock[: that of {current}]. One resource key compares the tokens of two locks, and their numbers have nothing to do with each other.|[missing.resourceHighestTokenBefore?Accepted writes of two or more locks name one key[, {key}].|The highest token that was read for the write of {late}[ to {key}] equals a token of another lock that was accepted there[: that of {current}].]]",
            boundary: "The fence covers two locks: tokens of different authorities or counters are compared as if they were one order.",
            check: &[
                "Whether the two locks are meant to protect the same effect: then it needs one lock.",
                "Whether the key names one item or only a table or a bucket.",
                "Refusals at this key: they may have hit the rightful owner.",
            ],
            next_action: "Bring one conflicting effect under one lock and one key, or give each lock a key of its own.",
            not_covered: &[
                "A refusal at this key does not make its writer a stale owner.",
                KEYS,
                PROVIDER,
            ],
        },
        Variant::AppliedAgain => &Entry {
            title: "One operation was applied twice",
            observation: "[proven?{late} delivered[ operation {operation}] again[ to {key}], with the same token, and it was accepted again.|The acceptance of[ operation {operation}| one operation][ at {key}] is recorded twice with the same token, the second time for {late}.][ The first was that of {current}.]",
            boundary: "Delivery and idempotency: the fence lets one token write as often as it likes.",
            check: &[
                "The operation id and the ledger of effects: was the operation recorded as done before the second delivery?",
                "Which effects outside the resource were repeated with it.",
            ],
            next_action: "Handle the duplicate by a contract of its own: record the operation id in the same step as its effect, and answer the second delivery with the first result.",
            not_covered: &[
                "This is not necessarily a stale owner: the token was valid both times.",
                CALL,
            ],
        },
        Variant::Redelivered => &Entry {
            title: "One operation was applied under two tokens",
            observation: "{late} delivered[ operation {operation}] again[ to {key}], under another token than the first time, and it was accepted again.[ The first was that of {current}.]",
            boundary: "Delivery and idempotency: the operation was handed on with the lock, and nothing remembered that it was done.",
            check: &[
                "The operation id and the ledger of effects: was the operation recorded as done before it was given to the next owner?",
                "Whether the first owner died, or only seemed to.",
            ],
            next_action: "Handle the duplicate by a contract of its own: record the operation id in the same step as its effect, and ask for it before a redelivery is applied.",
            not_covered: &[
                "The tokens may be in order: then fencing did its work and this is another question.",
                CALL,
            ],
        },
        Variant::RefusedAgain => &Entry {
            title: "A repeated operation was refused",
            observation: "{late} delivered[ operation {operation}] again[ to {key}], and the resource refused the repetition.[ The first was that of {current}.]",
            boundary: "Delivery and idempotency: the operation came again, and was not applied again.",
            check: &[
                "That the caller gets the first result and not an error it will retry.",
                "Why the operation was delivered again: a lost answer, a time-out, a job handed on.",
            ],
            next_action: "Answer the repetition with the first result.[repeated? It was refused {times}: whoever sends it does not take the refusal as an answer.]",
            not_covered: &[
                "A refused repetition is not necessarily a stale owner.",
                CALL,
            ],
        },
        Variant::TokenRepeated => &Entry {
            title: "One token wrote again",
            observation: "{late} wrote[ to {key}] with a token that had written there before[guarded?, and the second write was refused|[breached?, and it was accepted again|, and both records say accepted]].",
            boundary: "Delivery and idempotency, if it was one operation; ordinary work under one lease, if it was not.",
            check: &[
                "The operation id of both writes.",
                "Whether one write was logged twice, by the worker and by the resource.",
            ],
            next_action: "Record every write with its answer and its `operationId`, and look again before calling it a duplicate.",
            not_covered: &[
                "One token may write as often as its lease needs: the repetition alone is no fault.",
                CALL,
            ],
        },
        Variant::Shared => &Entry {
            title: "Two leases carry one token",
            observation: "Two leases carry the same token[ {late.token}]: {late.held} and {current.held}. The resource can't tell their writes apart.",
            boundary: "The source of tokens: it gave one number twice.",
            check: &[
                "How the authority keeps its counter, and whether it is raised in the same step as the acquisition.",
                "Whether the token was read from a replica, rounded, or cut on its way.",
            ],
            next_action: "Restore an ordered source of tokens before any fence is trusted again.",
            not_covered: &[
                "Which of the two is the rightful owner: the token can't say.",
                OWN_FENCE,
            ],
        },
        Variant::WentBack => &Entry {
            title: "A later lease got a lower token",
            observation: "[proven?The|By the order of the records the] later of two leases got the lower token: {late.held} came after {current.held}.",
            boundary: "The source of tokens: its counter went back.",
            check: &[
                "How the authority keeps its counter: a restart, a deleted and recreated key, a failover to a copy that lagged behind.",
                "Which writes of the later lease were refused: they may be those of the rightful owner.",
            ],
            next_action: "Restore an ordered source of tokens, above every token the resource holds, before any fence is trusted again.[repeated? Refusals of this lease belong here[proven?: it is not a stale owner|; if this holds, it is not a stale owner].]",
            not_covered: &[
                "A refusal of the lease with the lower token does not make it a stale owner.",
                OWN_FENCE,
            ],
        },
        Variant::OutOfStep => &Entry {
            title: "The tokens do not follow the leases",
            observation: "Of two leases the one with the lower token lived on[: {late.held}], after the release or renewal of the one with the greater token had been refused[: {current.held}]. [proven?The|If so, the] greater token belongs to the lease that ended first.",
            boundary: "The source of tokens: the number is not raised in the same step as the acquisition.",
            check: &[
                "Whether the token is fetched before or after the acquisition, in a step of its own.",
                "Which writes of the lease that lived on were refused: they may be those of the rightful owner.",
            ],
            next_action: "Give the token in the same atomic step as the lease before any fence is trusted again.[repeated? Refusals of this lease belong here[proven?: it is not a stale owner|; if this holds, it is not a stale owner].]",
            not_covered: &[
                "A refusal of the lease with the lower token does not make it a stale owner.",
                OWN_FENCE,
            ],
        },
        Variant::KeyUnknown => &Entry {
            title: "A token out of order, at a key that was not recorded",
            observation: "The write of {late} was accepted behind the token of another one under this lock[: that of {current}], and at least one of them does not say which key it wrote. If both wrote the same key, fencing is missing; if they wrote different keys, the fence covers the wrong area.",
            boundary: "None yet: the resource key decides between two.",
            check: &[
                "Which item each of the two writes changed.",
                "Whether the resource logs the key under which it compares tokens.",
            ],
            next_action: "Record `resourceKey` with every write, and look again.",
            not_covered: &[
                "Neither branch is shown: do not blame the resource nor the key yet.",
                KEYS,
            ],
        },
        Variant::EqualTokenRefused => &Entry {
            title: "A second write of one lease was refused",
            observation: "{late} wrote[ operation {operation}][ to {key}] with a token equal to the highest one, and was refused; no accepted write with this token is on record for this operation. If none was accepted off the record or without an answer, it is no repetition: the comparison admits one write a token, and the lease needed two.",
            boundary: "None yet: the comparison refuses equal tokens, and the lease counts on more than one write.",
            check: &[
                "Whether a write of the same operation that got no answer, or is not on record, was accepted.",
                "Whether the comparison is `<` or `<=`: equal tokens belong to the same lease.",
                "Whether the lease is meant to write once or many times.",
            ],
            next_action: "Decide how many writes one token may make: admit equal tokens and let operation ids catch repetitions, or take a lease for each write.",
            not_covered: &[
                "The writer is not a stale owner: nothing newer was there.",
                CALL,
            ],
        },
        Variant::SameLeaseToken => &Entry {
            title: "A write was refused below a newer token of its own lease",
            observation: "{late} was refused[ at {key}] below a token that its own lease carries elsewhere in the records[: {current.token}]. Either the lease got a new token when it was renewed and this write used the old one, or one lease id stands for two acquisitions.",
            boundary: "None yet: the writer refused itself, or two acquisitions share a name.",
            check: &[
                "Whether a renewal issues a new token, and whether the writer takes it up.",
                "Whether lease ids are used again.",
            ],
            next_action: "Let the writer use the newest token of its lease, and make lease ids unique; then look again.",
            not_covered: &[
                "No other owner is shown: do not call the writer stale.",
                RUNNING,
            ],
        },
        Variant::Contradiction => &Entry {
            title: "An answer and a reading contradict each other",
            observation: "{late} was refused, and by the reading in the same record it should not have been. Perhaps a token was compared as text, or another key or lease was read, or the refusal had another reason.",
            boundary: "None yet: the record does not agree with itself.",
            check: &[
                "That tokens are compared as numbers: as text, 9 is above 10.",
                "That the reading and the decision come from the same key, in the same step.",
                "Whether another condition refused it (a version, a validation, a limit).",
            ],
            next_action: "Find out which of the two is right, the answer or the reading, and mend the record or the comparison.",
            not_covered: &["Neither the writer nor the resource is shown to be wrong."],
        },
        Variant::NoReading => &Entry {
            title: "Refused as stale, and not both tokens are recorded",
            observation: "{late} was refused[ at {key}] as stale, and of the two tokens that were compared, its own and the highest one, not both are recorded. It may be an old owner, a repeated delivery, or a key that compares the tokens of something else.",
            boundary: "None yet: the refusal is known, its reason is not.",
            check: &[
                "What the resource compared when it refused.",
                "Whether the operation had been accepted before.",
            ],
            next_action: "Record the fields named as missing, and look again. Until then return the refusal as it is and do not retry the write.",
            not_covered: &[
                "A refusal alone does not make its writer a stale owner.",
                KEYS,
            ],
        },
        Variant::OrderUnknown => &Entry {
            title: "Two leases wrote at one key, and nothing orders the writes",
            observation: "The older of two leases is shown lost[: {late.held}], and both it and the newer one[, {current.held},] have accepted writes[ at {key}]. Nothing in the records orders the writes: if the old one came last, fencing is missing; if it came first, nothing is wrong.",
            boundary: "None yet: the order of two writes decides.",
            check: &[
                "Whether the resource keeps its own order of the two writes (a version, a row id, a log position).",
                "What the value is now, and whose write it carries.",
            ],
            next_action: "Record `seq` given by the resource, or `resourceHighestTokenBefore` with every write, and look again. Time stamps can't replace them.",
            not_covered: &[
                "The time stamps in the records order nothing, however far apart they are.",
                "Neither branch is shown.",
            ],
        },
        Variant::NewerOwnerSilent => &Entry {
            title: "A newer lease existed, and no write of it is recorded",
            observation: "{late} wrote and was accepted after a newer lease had been acquired[, {current.held}], at a key that was not recorded, and the newer lease has no write in the records. Either the newer owner had not written yet, or its write went to another key.",
            boundary: "None yet: two branches, and what the newer owner wrote decides.",
            check: &[
                "Whether the newer owner wrote at all, and where.",
                "Whether the input is complete.",
            ],
            next_action: "Record `resourceKey` with every write, add the records of the newer owner, and look again.",
            not_covered: &[
                "A write after the lease was lost is no fault by itself: a fence admits it until a newer token has arrived.",
                EXPIRY,
            ],
        },
    }
}
