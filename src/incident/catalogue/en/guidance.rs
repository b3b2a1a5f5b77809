//! English: what cautions and withheld verdicts cost, and what to do about them.

use crate::incident::catalogue::Guidance;
use crate::incident::{CautionKind, WithheldReason};

const NO_ORDER: &str = "Verdicts that rest on which of two records came first are not given for this lock. The variants named here are given at most where a reading shows them.";
const READINGS_STAY: &str =
    "What needs no order is still said: a refusal, a reading, two writes that exclude each other.";
const LINES_INSTEAD: &str = "To judge by the lines of each input all the same, ask for `--order input`: what rests on them is suspected at most.";
const NAME_OBSERVERS: &str = "Where each input is the log of one observer, name it, as in `app=app.log authority=etcd.json`: each is then judged in its own order.";

pub(super) const fn caution(kind: CautionKind) -> Guidance {
    match kind {
        CautionKind::LateLine => Guidance {
            weakens: &[
                "What the lines alone would show of these writes is not said: lines came late.",
                "Whatever else rests on the order of these lines is suspected at most.",
            ],
            next: &[
                "Let the resource number its decisions, and log the number as `seq` with `seqBy` `resource`: that order may prove.",
                "Keep logging `resourceHighestTokenBefore`: this reading is what cleared the writes.",
            ],
        },
        CautionKind::LateReleaseLine => Guidance {
            weakens: &[
                "`removed-other-lease` is not said of these releases: the lease that they would have removed was renewed or released afterwards.",
                "What other releases of this lock show is said as ever.",
            ],
            next: &[
                "Record `activeLeaseId` with every release: it says which lease the authority held, however the lines stand.",
                "Let the authority number its decisions, and log the number as `seq` with `seqBy` `authority`.",
                "Where it does so already, it answers `released` even when it removed nothing: let it answer `release-noop` then.",
            ],
        },
        CautionKind::NoWriteDecided => Guidance {
            weakens: &[
                "That no incident of these classes was found means nothing: only a decided write can show one.",
            ],
            next: &[
                "Log every write where it is decided: `result` (`accepted` or `rejected-stale-fence`), `fenceToken`, `resourceKey` and `resourceHighestTokenBefore`.",
                "Where the resource has a log of its own, read it together with this one, as in `app=app.log resource=db.log`.",
                "Where the writes are in the log and were not understood, `lockdiag map explain` shows in which lines nothing was found.",
            ],
        },
    }
}

pub(super) const fn withheld(reason: WithheldReason) -> Guidance {
    match reason {
        WithheldReason::SeqOnSomeRecords => Guidance {
            weakens: &[NO_ORDER, READINGS_STAY],
            next: &[
                "Number every event of the lock in one sequence, acquisitions and writes alike, and log it as `seq`.",
                LINES_INSTEAD,
            ],
        },
        WithheldReason::SeqShared => Guidance {
            weakens: &[NO_ORDER, READINGS_STAY],
            next: &[
                "Let one party number all events of the lock: the authority, the resource, or at least one collector.",
                NAME_OBSERVERS,
                LINES_INSTEAD,
            ],
        },
        WithheldReason::SeveralInputs => Guidance {
            weakens: &[
                "Verdicts that rest on which of two records came first are given only within one input. The variants named here are suspected at most where only lines show them.",
                READINGS_STAY,
            ],
            next: &["Log `seq` with every event of the lock.", NAME_OBSERVERS],
        },
        WithheldReason::LinesBackwards => Guidance {
            weakens: &[NO_ORDER, READINGS_STAY],
            next: &[
                "Turn the log round, as `tac FILE` does, and look again.",
                "Where its lines do stand in the order of the events, `--order input` takes them so.",
                "Log `seq` with every event of the lock: then the order of lines does not matter.",
            ],
        },
        WithheldReason::OrderNotUsed => Guidance {
            weakens: &[NO_ORDER, READINGS_STAY],
            next: &[
                "Leave `--order` out: then `seq` orders the records, or their lines where none has it. `--order seq` never takes lines for an order, and `--order none` takes nothing.",
            ],
        },
        WithheldReason::ReorderMemory => Guidance {
            weakens: &[NO_ORDER, READINGS_STAY],
            next: &[
                "Allow more with `--memory`, as in `--memory 2GiB`.",
                "Or sort the log by `seq` once, and read the sorted one.",
            ],
        },
        WithheldReason::Forgotten => Guidance {
            weakens: &[
                "Nothing of this lock is proven: what was forgotten may show it in another light, as a newer token of the same lease would. Everything is suspected at most.",
                "Nothing is concluded any more from what is absent, and what the forgotten records would have met may be missed: a repeated operation, a shared token, a shared key.",
            ],
            next: &[
                "Allow more with `--memory`, as in `--memory 2GiB`.",
                "Or give only the part of the log around the incident.",
            ],
        },
        WithheldReason::SeveralObservers => Guidance {
            weakens: &[
                "No verdict rests on which of two records of different observers came first. Within one observer's own order nothing is lost.",
                READINGS_STAY,
            ],
            next: &[
                "Say who numbered what, as in `--role authority=authority`: the order of the deciding side may prove.",
                "Or let one party number all events of the lock: then read all as one log, without names.",
                "The same lease, token and operation in every log let more records be joined.",
            ],
        },
        WithheldReason::NotJoined => Guidance {
            weakens: &[
                "What only the records of several observers show together may be missed. What each shows alone is told.",
            ],
            next: &[
                "Allow more with `--memory`, as in `--memory 2GiB`.",
                "Or give only the part of the logs around the incident.",
            ],
        },
    }
}
