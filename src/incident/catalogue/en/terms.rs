//! English: judgements, roles, fields, answers, cautions, exit codes.

use crate::evidence::{Answer, Event, Field, Origin};
use crate::incident::catalogue::Term;
use crate::incident::{Assumption, CautionKind, Outcome, Role, Status, WithheldReason};

const fn term(name: &'static str, meaning: &'static str) -> Term {
    Term { name, meaning }
}

pub(super) const fn status(status: Status) -> Term {
    match status {
        Status::Proven => term(
            "proven",
            "The records show it, given what the incident says it takes on trust.",
        ),
        Status::Suspected => term(
            "suspected",
            "The records fit it, and an innocent reading is not excluded. What is named as missing would decide.",
        ),
        Status::Undecided => term(
            "undecided",
            "More than one class fits, or the records contradict each other. The candidates are named, and what would decide between them.",
        ),
    }
}

pub(super) const fn outcome(outcome: Outcome) -> Term {
    match outcome {
        Outcome::Guarded => term("guarded", "The protection held."),
        Outcome::Exposed => term(
            "exposed",
            "The protection is shown to be absent; no harm is shown.",
        ),
        Outcome::Breached => term("breached", "The harm is in the records."),
        Outcome::Unknown => term("unknown", "The records do not say whether harm was done."),
    }
}

pub(super) const fn suspected_outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Guarded => {
            "By the records the protection held; what it held against is only suspected."
        }
        Outcome::Exposed => {
            "It looks as if the protection is absent; an innocent reading is not excluded. No harm is shown."
        }
        Outcome::Breached => "It looks as if harm was done; an innocent reading is not excluded.",
        Outcome::Unknown => "The records do not say whether harm was done.",
    }
}

pub(super) const fn assumption(assumption: Assumption) -> Term {
    match assumption {
        Assumption::OrderedTokens => term(
            "tokens grow from lease to lease",
            "No acquisitions, in an order that the authority gave, show it of these tokens. Where the counter went back (which is a `token-order` incident), or a renewal raised the token of one lease, the lower token may belong to the rightful owner.",
        ),
        Assumption::ExclusiveLock => term(
            "the lock has one lease at a time",
            "No reading says which lease was current. If the lock admits several holders, none of them replaced another.",
        ),
        Assumption::TruthfulRelease => term(
            "`released` means that something was removed",
            "If the authority answers `released` even when it removed nothing, no lease was lost here.",
        ),
    }
}

pub(super) const fn role(role: Role) -> Term {
    match role {
        Role::LateWrite => term("this write", "The write that the incident is about."),
        Role::NewerWrite => term(
            "newer write",
            "The write with the greater token that it met.",
        ),
        Role::OtherWrite => term("other write", "The other one of two writes."),
        Role::FirstDelivery => term(
            "first delivery",
            "The first time that the operation or the token arrived.",
        ),
        Role::LaterDelivery => term("later delivery", "The time that it arrived again."),
        Role::Release => term("release", "The release that the incident is about."),
        Role::Renewal => term("renewal", "The renewal that the incident is about."),
        Role::CurrentLease => term(
            "current lease",
            "The acquisition of the lease that was current then.",
        ),
        Role::LeaseLost => term("lease lost", "The record that shows a lease lost."),
        Role::EarlierLease => term(
            "earlier lease",
            "The acquisition of the earlier of two leases.",
        ),
        Role::LaterLease => term(
            "later lease",
            "The acquisition or use of the later of two leases.",
        ),
        Role::Refusal => term("refusal", "A refusal that follows from the incident."),
    }
}

pub(super) const fn event(event: Event) -> Term {
    match event {
        Event::Acquire => term("acquire", "A lease was asked for."),
        Event::Renew => term("renew", "A lease was asked to last longer."),
        Event::Expire => term("expire", "The authority stopped counting a lease."),
        Event::Release => term("release", "A lease was given back."),
        Event::Write => term("write", "The resource was asked to change."),
    }
}

pub(super) const fn answer(answer: Answer) -> Term {
    match answer {
        Answer::Acquired => term("acquired", "The lease was given."),
        Answer::AcquireRejectedHeld => term("refused, held", "Somebody else holds the lock."),
        Answer::Renewed => term("renewed", "The lease lasts longer."),
        Answer::RenewRejectedNotOwner => term(
            "renewal refused, not the owner",
            "The lease is not the current one, so it was not prolonged.",
        ),
        Answer::Expired => term("expired", "The authority no longer counts the lease."),
        Answer::Released => term("released", "The lease was removed."),
        Answer::ReleaseRejectedNotOwner => term(
            "release refused, not the owner",
            "The lease is not the current one, so nothing was removed.",
        ),
        Answer::ReleaseNoop => term("nothing to release", "There was nothing to remove."),
        Answer::Accepted => term("accepted", "The write was applied."),
        Answer::RejectedStaleFence => term(
            "refused as stale",
            "The resource refused the write: by its comparison the token is too old.",
        ),
        Answer::RejectedDuplicate => term(
            "refused as a duplicate",
            "The ledger of effects already had the operation.",
        ),
        Answer::RejectedOther => term(
            "refused for another reason",
            "The write was refused, and not because of its token.",
        ),
        Answer::InDoubt => term(
            "in doubt",
            "No answer came (a time-out, a lost connection). The step may have happened or not; the record proves neither.",
        ),
    }
}

pub(super) const fn origin(origin: Origin) -> Term {
    match origin {
        Origin::Resource => term(
            "the resource",
            "It decided in this order: the order may prove.",
        ),
        Origin::Authority => term(
            "the authority",
            "It decided in this order: the order may prove.",
        ),
        Origin::Collector => term(
            "a collector",
            "It numbered what reached it: the order may only raise a suspicion.",
        ),
        Origin::Worker => term(
            "a worker",
            "It numbered what it saw: the order may only raise a suspicion.",
        ),
    }
}

pub(super) const fn field(field: Field) -> &'static str {
    match field {
        Field::LockName => "The item that the lock protects.",
        Field::OwnerId => "Who asked: a worker, a pod, a client.",
        Field::LeaseId => "The handle of one acquisition.",
        Field::FenceToken => "The generation of that acquisition, an unsigned 64-bit number.",
        Field::ResourceHighestTokenBefore => {
            "The greatest token that the resource had accepted when it decided. 0 says that there was none yet; null or no field says that nobody recorded it."
        }
        Field::Result => "What the authority or the resource answered.",
        Field::Event => "The step of the protocol. Where it is absent, it follows from the result.",
        Field::Seq => {
            "The position in the one order of events of this lock. Also accepted as `sequence`."
        }
        Field::SeqBy => {
            "Who gave `seq`: `resource` or `authority` (it decided in this order), `collector` or `worker` (it numbered what it saw). Absent: unknown."
        }
        Field::ResourceKey => "The key under which the resource compares tokens.",
        Field::ResourceHighestTokenAfter => {
            "The greatest token that the resource holds after its decision."
        }
        Field::OperationId => "The business operation, the same on every delivery of it.",
        Field::ActiveOwnerId => {
            "The owner of the lease that was current at the authority when it decided on a release or a renewal. Null: there was none. No field: not recorded."
        }
        Field::ActiveLeaseId => {
            "The lease that was current at the authority when it decided on a release or a renewal. Null: there was none. No field: not recorded."
        }
        Field::ActiveFenceToken => {
            "The token of the lease that was current at the authority when it decided on a release or a renewal. Null: there was none. No field: not recorded."
        }
        Field::ActiveLease => {
            "The three `active…` fields as one object with `ownerId`, `leaseId` and `fenceToken`, or null for no lease."
        }
        Field::Ts => "Wall clock, shown to people. No rule ever reads it.",
    }
}

pub(super) const fn missing(field: Field) -> &'static str {
    match field {
        Field::LockName => "would say which lock the record is about",
        Field::OwnerId => "would say who acted, and whether two records are of one worker",
        Field::LeaseId => {
            "would say which acquisition acted, even where one worker holds the lock twice"
        }
        Field::FenceToken => {
            "would let the writes be compared without trusting the order of the records"
        }
        Field::ResourceHighestTokenBefore => {
            "would say what the resource itself compared with, whatever the order of the records"
        }
        Field::Result => "would say whether the step happened",
        Field::Event => "would say which step the answer belongs to",
        Field::Seq => "would order the records of this lock without lines or clocks",
        Field::SeqBy => {
            "would have to be `resource` or `authority`: only an order that the deciding side gave may prove"
        }
        Field::ResourceKey => {
            "would say whether the writes met at one key: it decides between missing fencing and a wrong key"
        }
        Field::ResourceHighestTokenAfter => "would say whether the resource kept the token",
        Field::OperationId => {
            "of both writes would tell a repeated delivery from a second write, and from one write logged twice"
        }
        Field::ActiveOwnerId => "would say whose lease the authority held at that moment",
        Field::ActiveLeaseId => {
            "would say which lease the authority held, and so which one it removed"
        }
        Field::ActiveFenceToken => "would say which generation the authority held at that moment",
        Field::ActiveLease => {
            "would say which lease the authority held, and so which one it removed"
        }
        Field::Ts => "would help people to find the moment; it decides nothing",
    }
}

pub(super) const fn caution(kind: CautionKind) -> Term {
    match kind {
        CautionKind::LateLine => term(
            "a line came late",
            "By the order of the records a write came late; by the resource's own readings it did not. The readings win.",
        ),
        CautionKind::LateReleaseLine => term(
            "a release was logged late",
            "By the order of the records a release removed another lease, and that lease lived on. Nothing was removed.",
        ),
        CautionKind::NoWriteDecided => term(
            "no write was decided",
            "No write was accepted, or refused as stale or as a duplicate, in these records: they say nothing of fencing, neither that it works nor that it is missing.",
        ),
    }
}

pub(super) const fn withheld(reason: WithheldReason) -> Term {
    match reason {
        WithheldReason::SeqOnSomeRecords => term(
            "`seq` on some records only",
            "Some records carry `seq` and some do not, so there is no one order. Give every record of the lock its `seq`.",
        ),
        WithheldReason::SeqShared => term(
            "one `seq` on two records",
            "Two different records share one `seq`: each source counted for itself. Number the events of the lock in one place.",
        ),
        WithheldReason::SeveralInputs => term(
            "several inputs without `seq`",
            "No record carries `seq`, and the records came from several inputs: lines of two files have no order between them.",
        ),
        WithheldReason::LinesBackwards => term(
            "lines run backwards",
            "No record carries `seq`, and by the order of lines leases were used before they were acquired, or tokens do nothing but fall, so the lines are no order: the log seems to have its newest line first, as many exports do. Turn it round (`tac FILE`) and look again.",
        ),
        WithheldReason::OrderNotUsed => term(
            "order not used",
            "The order of the records was not to be used, as the command line asked.",
        ),
        WithheldReason::ReorderMemory => term(
            "not enough memory to reorder",
            "`seq` goes back further than the memory for reordering reaches. Allow more with `--memory`, or sort the input by `seq`.",
        ),
        WithheldReason::Forgotten => term(
            "earlier records forgotten",
            "Its earlier records, or those of a lock that writes to the same key, did not fit into memory. What they showed is told; what came later was judged without them, but for the highest tokens and the current lease, so that a repeated operation, a shared token or a shared key may be missed; nothing is told as proven. Allow more with `--memory`.",
        ),
        WithheldReason::SeveralObservers => term(
            "several observers",
            "Several observers recorded it: each was judged in its own order, and their records were joined where they name one event. Nothing orders the records of two observers.",
        ),
        WithheldReason::NotJoined => term(
            "not enough memory to join observers",
            "Several observers recorded it, and their records did not fit into memory together: each was judged alone. Allow more with `--memory`.",
        ),
    }
}

pub(super) const fn exit_code(code: u8) -> Option<Term> {
    Some(match code {
        0 => term("done", "Done, and nothing at or above `--fail-on`."),
        1 => term(
            "found",
            "Something at or above `--fail-on`. By default only `lint` asks for that (`error`); `classify` and `report` ask with `--fail-on any`, `suspected`, `proven`, `exposed` or `breached`.",
        ),
        2 => term(
            "not done",
            "Wrong usage, an input or a configuration that can't be read, or a file that can't be written.",
        ),
        3 => term(
            "no evidence",
            "Not one evidence record in the whole input; or, with `--strict`, a line that had to be rejected. Without evidence the machine formats hold an empty result with its counts, and no report is written; stopped by `--strict`, nothing is.",
        ),
        _ => return None,
    })
}
