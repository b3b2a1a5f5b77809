//! Keys of the resource that a lock does not fit.

use super::beats::{
    A, B, TWO, after_handover, beat, release, story, take, take_at, write, write_as,
};
use crate::model::action::{Action, Delivery, Lost};
use crate::model::fact::FactKind;
use crate::model::fault::{Faults, KeyFault};
use crate::model::story::{Beat, Story};

pub(super) fn stories() -> Vec<Story> {
    let split = || Faults {
        keys: KeyFault::Split,
        ..Faults::default()
    };
    vec![
        Story {
            facts: &[FactKind::AppliedBelowOtherKey],
            faults: split(),
            keeps_newer: false,
            not_shown: &["that either fence failed: each compared the tokens of its own key"],
            ..story(
                "split-keys",
                "each owner writes under a key of its own, so no key sees both tokens",
                after_handover(&[
                    write("newerWrite", 0, "v2"),
                    write("staleFirstWrite", 1, "v1"),
                ]),
            )
        },
        Story {
            faults: split(),
            not_shown: &["a late write: only that none could have been refused"],
            ..story(
                "split-keys-in-order",
                "each owner writes under a key of its own, one after the other",
                vec![
                    take("firstAcquire", A),
                    write("firstWrite", 0, "v1"),
                    release("firstRelease", 0),
                    take("secondAcquire", B),
                    write("newerWrite", 0, "v2"),
                ],
            )
        },
        Story {
            faults: Faults {
                keys: KeyFault::PerEffect,
                ..Faults::default()
            },
            not_shown: &["an order between the two keys: each has only its own"],
            ..story(
                "two-effects",
                "one lease writes two keys and so does the next: the lock guards both",
                vec![
                    take("firstAcquire", A),
                    write("firstEffect", 0, "v1"),
                    write_as("secondEffect", 0, "w1", Delivery::Again(0), 1),
                    release("firstRelease", 0),
                    take("secondAcquire", B),
                    write("nextFirstEffect", 0, "v2"),
                    write_as("nextSecondEffect", 0, "w2", Delivery::Again(0), 1),
                ],
            )
        },
        Story {
            locks: TWO,
            facts: &[FactKind::HeldTokenOfOtherLock],
            faults: Faults {
                keys: KeyFault::TwoLocks,
                ..Faults::default()
            },
            not_shown: &["an old owner: the refused worker holds its own lock"],
            ..story(
                "two-locks",
                "two locks write at one key, and one is refused below the token of the other",
                vec![
                    take("firstAcquire", A),
                    release("firstRelease", 0),
                    take("secondAcquire", A),
                    write("newerWrite", 0, "v2"),
                    take_at("otherAcquire", 1, B),
                    Beat {
                        value: "w1",
                        ..beat(
                            "otherWrite",
                            Action::Write {
                                lock: 1,
                                back: 0,
                                op: Delivery::Fresh,
                                effect: 0,
                                lost: Lost::Nothing,
                            },
                        )
                    },
                ],
            )
        },
    ]
}
