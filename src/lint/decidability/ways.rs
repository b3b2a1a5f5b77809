//! The ways in which each class shows, and what is enough for each.

use super::part::{
    ACTIVE_LEASE, ACTIVE_OWNER, ACTIVE_TOKEN, AFTER, ANSWERED, BEFORE, DUPLICATE, KEY, LEASE,
    OPERATION, OWNER, REFUSED, TOKEN,
};
use super::shown::{HANDLE, PAIR, READING};
use super::{Level, On, OrderNeed, Recipe, Way};
use crate::incident::{Class, Variant};

/// Enough to prove every such incident.
const PROVES: Recipe = Recipe {
    level: Level::CanProve,
    full: true,
    write: 0,
    acquire: 0,
    release: 0,
    renew: 0,
    any: 0,
    order: OrderNeed::None,
};
/// Enough to prove some of them.
const PROVES_SOME: Recipe = Recipe {
    full: false,
    ..PROVES
};
/// Enough to suspect them.
const SUSPECTS: Recipe = Recipe {
    level: Level::CanOnlySuspect,
    ..PROVES
};

/// Every way, by class.
pub const WAYS: &[Way] = &[
    Way {
        class: Class::StaleOwner,
        name: "late-write-refused",
        question: "was an old token refused by the resource?",
        variants: &[Variant::WriteRefused],
        concerned: On::Write,
        recipes: &[
            Recipe {
                write: TOKEN | BEFORE,
                ..PROVES
            },
            Recipe {
                write: TOKEN | KEY,
                order: OrderNeed::Writes,
                ..PROVES
            },
            // Where lines may have come late, a strict comparison may have refused the
            // second write of one lease.
            Recipe {
                write: TOKEN | KEY,
                order: OrderNeed::Known,
                ..PROVES_SOME
            },
            Recipe {
                write: TOKEN,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                write: REFUSED,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::StaleOwner,
        name: "late-release-refused",
        question: "was the release of an old lease refused by the authority?",
        variants: &[Variant::ReleaseRefused],
        concerned: On::Release,
        recipes: &[
            Recipe {
                release: LEASE | ACTIVE_LEASE,
                ..PROVES
            },
            // One lease may have been given both tokens, unless they are on record as given.
            Recipe {
                release: TOKEN | ACTIVE_TOKEN,
                acquire: TOKEN,
                ..PROVES
            },
            Recipe {
                release: TOKEN | ACTIVE_TOKEN,
                ..PROVES_SOME
            },
            Recipe {
                release: OWNER | ACTIVE_OWNER,
                ..PROVES_SOME
            },
            Recipe {
                release: LEASE,
                acquire: LEASE,
                order: OrderNeed::Known,
                ..PROVES
            },
            Recipe {
                release: TOKEN,
                acquire: TOKEN,
                order: OrderNeed::Known,
                ..PROVES
            },
            Recipe {
                release: OWNER,
                acquire: OWNER,
                order: OrderNeed::Known,
                ..PROVES_SOME
            },
            Recipe {
                release: ANSWERED,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::UnboundRelease,
        name: "other-lease-released",
        question: "did a release remove a lease that it did not name?",
        variants: &[Variant::RemovedOtherLease],
        concerned: On::Release,
        recipes: &[
            Recipe {
                release: LEASE | ACTIVE_LEASE,
                ..PROVES
            },
            // One lease may have been given both tokens, unless they are on record as given.
            Recipe {
                release: TOKEN | ACTIVE_TOKEN,
                acquire: TOKEN,
                ..PROVES
            },
            Recipe {
                release: TOKEN | ACTIVE_TOKEN,
                ..PROVES_SOME
            },
            Recipe {
                release: OWNER | ACTIVE_OWNER,
                ..PROVES_SOME
            },
            Recipe {
                release: LEASE,
                acquire: LEASE,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
            Recipe {
                release: TOKEN,
                acquire: TOKEN,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
            // The token stands for a lease, and the owners differ.
            Recipe {
                release: TOKEN | OWNER,
                acquire: LEASE | OWNER,
                any: PAIR,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
            Recipe {
                release: LEASE,
                acquire: LEASE,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                release: TOKEN,
                acquire: TOKEN,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                release: TOKEN | OWNER,
                acquire: LEASE | OWNER,
                any: PAIR,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            // An owner may have acquired again, off the record.
            Recipe {
                release: OWNER,
                acquire: OWNER,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                release: TOKEN | BEFORE,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::UnboundRelease,
        name: "other-lease-renewed",
        question: "did a renewal prolong a lease that it did not name?",
        variants: &[Variant::RenewedOtherLease],
        concerned: On::Renew,
        recipes: &[
            Recipe {
                renew: LEASE | ACTIVE_LEASE,
                ..PROVES
            },
            // One lease may have been given both tokens, unless they are on record as given.
            Recipe {
                renew: TOKEN | ACTIVE_TOKEN,
                acquire: TOKEN,
                ..PROVES
            },
            Recipe {
                renew: TOKEN | OWNER | ACTIVE_TOKEN | ACTIVE_OWNER,
                ..PROVES_SOME
            },
            Recipe {
                renew: TOKEN | ACTIVE_TOKEN,
                any: PAIR,
                ..PROVES_SOME
            },
            Recipe {
                renew: TOKEN | ACTIVE_TOKEN,
                ..SUSPECTS
            },
            Recipe {
                renew: OWNER | ACTIVE_OWNER,
                ..PROVES_SOME
            },
            Recipe {
                renew: LEASE,
                acquire: LEASE,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
            Recipe {
                renew: TOKEN,
                acquire: TOKEN,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
            Recipe {
                renew: TOKEN | OWNER,
                acquire: LEASE | OWNER,
                any: PAIR,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
        ],
    },
    Way {
        class: Class::MissingFencing,
        name: "late-write-accepted",
        question: "did the resource accept an old token after a newer one?",
        variants: &[
            Variant::NotCompared,
            Variant::Forked,
            Variant::BothAccepted,
            Variant::LeaseSuperseded,
        ],
        concerned: On::Write,
        recipes: &[
            Recipe {
                write: TOKEN | BEFORE | KEY,
                ..PROVES
            },
            Recipe {
                write: TOKEN | BEFORE,
                ..PROVES_SOME
            },
            Recipe {
                write: TOKEN | KEY,
                order: OrderNeed::Writes,
                ..PROVES
            },
            Recipe {
                write: TOKEN | KEY,
                ..SUSPECTS
            },
            Recipe {
                write: TOKEN,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                write: LEASE,
                acquire: LEASE,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::MissingFencing,
        name: "token-not-kept",
        question: "did the resource forget the token that it had accepted?",
        variants: &[Variant::NotStored, Variant::HighestLost],
        concerned: On::Write,
        recipes: &[
            Recipe {
                write: TOKEN | BEFORE | KEY,
                order: OrderNeed::Writes,
                ..PROVES
            },
            // What was kept at first and lost later is not in it.
            Recipe {
                write: TOKEN | AFTER,
                ..PROVES_SOME
            },
            // What the resource reads after another reading tells it without a token.
            Recipe {
                write: BEFORE | KEY,
                order: OrderNeed::Writes,
                ..PROVES_SOME
            },
            Recipe {
                write: BEFORE | KEY,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                write: TOKEN | BEFORE,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::WrongKeyScope,
        name: "one-lock-many-keys",
        question: "did tokens of one lock fall on different resource keys?",
        variants: &[Variant::LateWriteOtherKey, Variant::KeysDiverge],
        concerned: On::Write,
        recipes: &[
            Recipe {
                write: TOKEN | KEY,
                order: OrderNeed::Writes,
                ..PROVES
            },
            Recipe {
                write: TOKEN | KEY,
                ..SUSPECTS
            },
            Recipe {
                write: TOKEN,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                write: REFUSED,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::WrongKeyScope,
        name: "many-locks-one-key",
        question: "does one resource key compare the tokens of two locks?",
        variants: &[Variant::TwoLocksOneKey],
        concerned: On::Write,
        recipes: &[
            Recipe {
                write: TOKEN | KEY | BEFORE,
                ..PROVES
            },
            Recipe {
                any: READING,
                ..PROVES_SOME
            },
            Recipe {
                write: KEY,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::DuplicateDelivery,
        name: "operation-again",
        question: "did one operation or one token come again?",
        variants: &[
            Variant::AppliedAgain,
            Variant::Redelivered,
            Variant::RefusedAgain,
            Variant::TokenRepeated,
        ],
        concerned: On::Write,
        recipes: &[
            // A lease whose token was raised may go on with its operation at the next key, and
            // each key has a highest token of its own.
            Recipe {
                write: TOKEN | OPERATION | BEFORE | LEASE | KEY,
                ..PROVES
            },
            Recipe {
                write: TOKEN | OPERATION,
                ..PROVES_SOME
            },
            Recipe {
                write: OPERATION | REFUSED,
                ..PROVES_SOME
            },
            Recipe {
                write: DUPLICATE,
                ..PROVES_SOME
            },
            Recipe {
                write: TOKEN,
                ..SUSPECTS
            },
            Recipe {
                write: REFUSED,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::TokenOrder,
        name: "one-token-two-leases",
        question: "did the authority give one token to two leases?",
        variants: &[Variant::Shared],
        concerned: On::Acquire,
        recipes: &[
            Recipe {
                acquire: LEASE | TOKEN,
                ..PROVES
            },
            Recipe {
                any: HANDLE,
                ..PROVES_SOME
            },
            Recipe {
                any: PAIR,
                full: false,
                ..SUSPECTS
            },
        ],
    },
    Way {
        class: Class::TokenOrder,
        name: "tokens-go-back",
        question: "did a later lease get a lower token?",
        variants: &[Variant::WentBack, Variant::OutOfStep],
        concerned: On::Acquire,
        recipes: &[
            Recipe {
                acquire: LEASE | TOKEN,
                order: OrderNeed::Leases,
                ..PROVES
            },
            Recipe {
                acquire: LEASE,
                release: LEASE | TOKEN | ACTIVE_LEASE,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
            Recipe {
                acquire: LEASE,
                renew: LEASE | TOKEN | ACTIVE_LEASE,
                order: OrderNeed::Leases,
                ..PROVES_SOME
            },
            // Two owners may have shared a lease.
            Recipe {
                acquire: OWNER | TOKEN,
                order: OrderNeed::Leases,
                ..SUSPECTS
            },
            Recipe {
                release: LEASE | TOKEN,
                order: OrderNeed::Leases,
                ..SUSPECTS
            },
            Recipe {
                renew: LEASE | TOKEN,
                order: OrderNeed::Leases,
                ..SUSPECTS
            },
            Recipe {
                acquire: LEASE | TOKEN,
                write: TOKEN | BEFORE,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                acquire: LEASE,
                release: LEASE | TOKEN,
                write: TOKEN | BEFORE,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
            Recipe {
                acquire: LEASE,
                renew: LEASE | TOKEN,
                write: TOKEN | BEFORE,
                order: OrderNeed::Known,
                ..SUSPECTS
            },
        ],
    },
];
