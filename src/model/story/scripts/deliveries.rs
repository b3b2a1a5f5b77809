//! Operations that are delivered, or asked for, again.

use super::beats::{A, B, again, beat, expire, pass, story, take, write};
use crate::model::action::{Action, Delivery, Lost};
use crate::model::fact::FactKind;
use crate::model::fault::{DeliveryFault, Faults};
use crate::model::story::{Beat, Story, TTL_MS};
use crate::model::watch::{Numbering, Observer, Watching};

pub(super) fn stories() -> Vec<Story> {
    vec![
        Story {
            facts: &[FactKind::AppliedAgain],
            faults: Faults {
                delivery: DeliveryFault::Again,
                ..Faults::default()
            },
            not_shown: &["an old owner: one lease did both, and the token is the same"],
            ..story(
                "applied-again",
                "the queue delivers an operation again to the same owner, and it is applied twice",
                vec![
                    take("firstAcquire", A),
                    write("firstDelivery", 0, "v1"),
                    again("secondDelivery", 0, "v1"),
                ],
            )
        },
        Story {
            facts: &[FactKind::AppliedAgain],
            faults: Faults {
                delivery: DeliveryFault::AgainToNextOwner,
                ..Faults::default()
            },
            not_shown: &["a stale owner: the tokens went up in order"],
            ..story(
                "redelivered",
                "the queue delivers an operation again to the next owner, and it is applied twice",
                vec![
                    take("firstAcquire", A),
                    write("firstDelivery", 0, "v1"),
                    pass("clock", TTL_MS + 1000),
                    expire("firstLeaseExpired"),
                    take("secondAcquire", B),
                    again("secondDelivery", 0, "v1"),
                ],
            )
        },
        Story {
            facts: &[FactKind::RefusedAgain],
            faults: Faults {
                delivery: DeliveryFault::Again,
                ledger: true,
                ..Faults::default()
            },
            not_shown: &["how long the ledger keeps an operation"],
            ..story(
                "ledger",
                "an operation comes again and the resource's ledger refuses it",
                vec![
                    take("firstAcquire", A),
                    write("firstDelivery", 0, "v1"),
                    again("secondDelivery", 0, "v1"),
                ],
            )
        },
        Story {
            facts: &[FactKind::AppliedAgain],
            watching: Watching {
                observers: vec![Observer::ClientsOnly],
                numbering: Numbering::Collector,
                ..Watching::default()
            },
            not_shown: &["to the client, whether the write without an answer was applied"],
            ..story(
                "lost-answer",
                "a write is applied, its answer is lost, and the worker asks again",
                vec![
                    take("firstAcquire", A),
                    Beat {
                        value: "v1",
                        ..beat(
                            "firstTry",
                            Action::Write {
                                lock: 0,
                                back: 0,
                                op: Delivery::Fresh,
                                effect: 0,
                                lost: Lost::Answer,
                            },
                        )
                    },
                    again("secondTry", 0, "v1"),
                ],
            )
        },
    ]
}
