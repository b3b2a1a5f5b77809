//! English: the words for every class, the analyst's table.

use super::limits::{CALL, EXPIRY, KEYS, OWN_FENCE, PROVIDER, RELEASE, RUNNING};
use crate::incident::Class;
use crate::incident::catalogue::Entry;

pub(super) const fn entry(class: Class) -> &'static Entry {
    match class {
        Class::StaleOwner => &Entry {
            title: "Stale owner",
            observation: "A token older than an accepted one arrived, and was refused.",
            boundary: "Fencing at the resource works.",
            check: &["One resource key for both writes.", "A strict comparison."],
            next_action: "Return the refusal as it is, and never retry the old write.",
            not_covered: &[RUNNING, RELEASE, CALL],
        },
        Class::UnboundRelease => &Entry {
            title: "Unbound release",
            observation: "The release of one lease removed the lease of another owner.",
            boundary: "The release is not bound to its handle.",
            check: &["The lease id and the owner of the lease that was current at that moment."],
            next_action: "Compare the exact lease handle before the delete, in one step.",
            not_covered: &[
                "A fencing token does not mend this: it guards the resource, not the release.",
                PROVIDER,
            ],
        },
        Class::MissingFencing => &Entry {
            title: "Missing fencing",
            observation: "The old write and the newer one were both accepted, or the resource lost the token it compares with.",
            boundary: "The resource does not keep the token, or does not compare it.",
            check: &["That the condition is part of the write itself."],
            next_action: "Add fencing at the resource, or narrow what the lock is said to protect.",
            not_covered: &[RUNNING, RELEASE, CALL, KEYS],
        },
        Class::WrongKeyScope => &Entry {
            title: "Wrong key scope",
            observation: "An old and a new token fell on different keys, or the tokens of two locks on one.",
            boundary: "The fence covers the wrong area.",
            check: &["The resource key, and the boundary of the domain."],
            next_action: "Agree on one key for one conflicting effect.",
            not_covered: &[
                "Whether two effects conflict is a matter of the domain: no record says so.",
                KEYS,
            ],
        },
        Class::DuplicateDelivery => &Entry {
            title: "Duplicate delivery",
            observation: "One token, or one operation, came again.",
            boundary: "Delivery and idempotency, not necessarily a stale owner.",
            check: &["The operation id, and the ledger of effects."],
            next_action: "Handle the duplicate by a contract of its own.",
            not_covered: &[CALL, RUNNING],
        },
        Class::TokenOrder => &Entry {
            title: "Tokens out of order",
            observation: "The authority gave a token that is not greater than an earlier one, or one token to two leases.",
            boundary: "The source of tokens.",
            check: &["How the authority keeps its counter."],
            next_action: "Restore an ordered source before any fence is trusted.",
            not_covered: &[OWN_FENCE, PROVIDER],
        },
        Class::Undecided => &Entry {
            title: "Undecided",
            observation: "The records fit more than one of the other classes, or contradict each other.",
            boundary: "None yet.",
            check: &["The fields named as missing."],
            next_action: "Record them, and look again.",
            not_covered: &[
                "None of the candidates is shown, and none is excluded.",
                EXPIRY,
            ],
        },
    }
}
