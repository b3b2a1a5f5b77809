//! What a whole run says beside its incidents.

use serde::{Deserialize, Serialize};

use super::Incident;
use crate::named::named;

/// The result of a run: incidents in the order of their first deciding record, and the
/// summary.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Classification {
    /// The incidents.
    pub incidents: Vec<Incident>,
    /// Everything else there is to say.
    pub summary: Summary,
}

/// What was read, what was left out, and which verdicts were withheld.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Evidence records read, repeated ones included.
    pub records: u64,
    /// Distinct locks among them.
    pub locks: u64,
    /// Records that were seen before, evidence field by evidence field, and used once.
    pub repeated_records: u64,
    /// Writes that the resource accepted or refused. Where there are none, nothing can
    /// be said of fencing.
    pub decided_writes: u64,
    /// What a reader should know before trusting the absence of an incident.
    pub cautions: Vec<Caution>,
    /// The locks whose order-dependent verdicts were withheld, and why.
    pub withheld: Vec<Withheld>,
}

/// Something that is no incident, and that a reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Caution {
    /// What it is.
    pub kind: CautionKind,
    /// The lock it is about; null where it is about the whole input.
    pub lock_name: Option<String>,
    /// How many records it concerns.
    pub count: u64,
}

named! {
    /// The kinds of caution.
    CautionKind, "Every kind of caution." {
        /// By the lines a write came late, by the resource's own readings it did not.
        LateLine "late-line",
        /// By the lines a release removed another lease, and that lease lived on.
        LateReleaseLine "late-release-line",
        /// There is no accepted and no refused write: the evidence says nothing of fencing.
        NoWriteDecided "no-write-decided",
    }
}

/// A lock whose verdicts that need order were withheld.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Withheld {
    /// The lock.
    pub lock_name: String,
    /// Why.
    pub reason: WithheldReason,
}

named! {
    /// Why the order of a lock's records is unknown.
    WithheldReason, "Every reason." {
        /// Some of its records carry `seq`, some do not.
        SeqOnSomeRecords "seq-on-some-records",
        /// Two different records share one `seq`: each source counted for itself.
        SeqShared "seq-shared",
        /// No record carries `seq`, and they came from several inputs.
        SeveralInputs "several-inputs",
        /// No record carries `seq`, and by the order of lines leases were used before they were
        /// acquired, and tokens fall.
        LinesBackwards "lines-backwards",
        /// The user asked for no order.
        OrderNotUsed "order-not-used",
        /// `seq` went back further than the memory for reordering reaches.
        ReorderMemory "reorder-memory",
        /// Earlier records of it, or of a lock that writes to the same key, did not fit into
        /// memory: what they showed is told, and what follows is judged without them, but for
        /// the highest tokens and the current lease.
        Forgotten "forgotten",
        /// Several observers recorded it: each was judged in its own order, and their records
        /// were joined where they name one event.
        SeveralObservers "several-observers",
        /// Several observers recorded it, and their records did not fit into memory together:
        /// each was judged alone.
        NotJoined "not-joined",
    }
}
