//! English: what may not be concluded, and what covers what a token does not.

use crate::incident::catalogue::Coverage;

pub(super) const RUNNING: &str = "A token does not stop the old worker: it may still be running and believe that it owns the lock.";
pub(super) const RELEASE: &str =
    "A token does not bind a release: an old worker may still remove a newer lease.";
pub(super) const CALL: &str = "A token does not make a call to another system happen exactly once.";
pub(super) const KEYS: &str = "A token does not order the writes of two resource keys.";
pub(super) const EXPIRY: &str = "An expired lease says only that the authority no longer counts it, not that its owner stopped.";
pub(super) const PROVIDER: &str =
    "Nothing here says anything of clocks, of networks, or of the provider at large.";
pub(super) const OWN_FENCE: &str = "While tokens are out of order, the fence may refuse the rightful owner and admit the old one; its refusals prove nothing.";

/// The limits of every verdict.
pub(super) const ALL: [&str; 6] = [RUNNING, RELEASE, CALL, KEYS, EXPIRY, PROVIDER];

/// Which questions a token answers.
pub(super) const COVERAGE: [Coverage; 5] = [
    Coverage {
        question: "A late write with token 1 after token 2, at one resource",
        covered: "Yes, where the resource compares atomically",
        by_token: true,
        what_does: "The highest token, stored beside the value and compared in the write",
    },
    Coverage {
        question: "An old worker removes the new lease",
        covered: "No",
        by_token: false,
        what_does: "A release that is conditional on the current handle",
    },
    Coverage {
        question: "One call to another system, repeated",
        covered: "No",
        by_token: false,
        what_does: "An operation id, and a receiver that promises to be idempotent by it",
    },
    Coverage {
        question: "Two resource keys in one workflow",
        covered: "Not by itself",
        by_token: false,
        what_does: "An explicit order of the two, or compensation",
    },
    Coverage {
        question: "Whether the worker really stopped when its lease expired",
        covered: "No",
        by_token: false,
        what_does: "Cancellation and time-outs, as discipline within the worker",
    },
];
