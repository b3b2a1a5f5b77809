//! Resources that compare wrongly, or not at all.

use super::beats::{A, B, after_handover, beat, expire, pass, release, story, take, write};
use crate::model::action::{Action, Delivery};
use crate::model::fact::FactKind;
use crate::model::fault::{Faults, ResourceFault, TokenFault};
use crate::model::story::{Beat, Story, TTL_MS};

pub(super) fn stories() -> Vec<Story> {
    let late = || {
        after_handover(&[
            write("newerWrite", 0, "v2"),
            write("staleFirstWrite", 1, "v1"),
        ])
    };
    let resource = |resource| Faults {
        resource,
        ..Faults::default()
    };
    vec![
        Story {
            facts: &[FactKind::AppliedBelowHighest],
            faults: resource(ResourceFault::Unfenced),
            keeps_newer: false,
            not_shown: &["who read the newer value before it was lost"],
            ..story(
                "unfenced",
                "the resource compares nothing: the old value wins",
                late(),
            )
        },
        Story {
            facts: &[FactKind::AppliedBelowHighest],
            faults: resource(ResourceFault::CheckThenSet),
            keeps_newer: false,
            not_shown: &["how often the gap between comparison and write is hit"],
            ..story(
                "check-then-set",
                "the resource compares in one step and writes in another: a newer write comes between",
                vec![
                    take("firstAcquire", A),
                    Beat {
                        value: "v1",
                        ..beat(
                            "firstCheck",
                            Action::Check {
                                lock: 0,
                                back: 0,
                                op: Delivery::Fresh,
                                effect: 0,
                            },
                        )
                    },
                    pass("clock", TTL_MS + 1000),
                    expire("firstLeaseExpired"),
                    take("secondAcquire", B),
                    write("newerWrite", 0, "v2"),
                    Beat {
                        value: "v1",
                        ..beat("staleFirstWrite", Action::Set { lock: 0, back: 1 })
                    },
                ],
            )
        },
        Story {
            facts: &[FactKind::HighestLost],
            faults: resource(ResourceFault::Forgets),
            not_shown: &["a late write: nobody used the gap"],
            ..story(
                "forgets",
                "the resource fails over to a replica that had not heard of its highest token",
                after_handover(&[
                    write("newerWrite", 0, "v2"),
                    beat("failOver", Action::FailOver { lock: 0 }),
                    write("nextWrite", 0, "v3"),
                ]),
            )
        },
        Story {
            facts: &[FactKind::HighestNotStored],
            faults: resource(ResourceFault::NeverStores),
            not_shown: &["harm: no older owner came back"],
            ..story(
                "never-stores",
                "the resource compares with a highest token that it never raises",
                vec![take("firstAcquire", A), write("firstWrite", 0, "v1")],
            )
        },
        Story {
            facts: &[FactKind::AppliedBelowHighest, FactKind::RefusedInOrder],
            faults: resource(ResourceFault::TextCompare),
            keeps_newer: false,
            not_shown: &["that any token was wrong: 9 and 10 are in order, as numbers"],
            ..story(
                "text-compare",
                "tokens are compared as text, where 10 is below 9",
                ten_leases(),
            )
        },
        Story {
            facts: &[FactKind::AppliedUnderOldLease],
            faults: Faults {
                tokens: TokenFault::None,
                resource: ResourceFault::Unfenced,
                ..Faults::default()
            },
            keeps_newer: false,
            not_shown: &["proof: without a token no record holds what the resource compared"],
            ..story(
                "no-tokens",
                "the lock has no tokens, and an old owner writes over the new one",
                late(),
            )
        },
    ]
}

/// Nine leases come and go; the ninth and the tenth write.
fn ten_leases() -> Vec<Beat> {
    const NAMES: [[&str; 2]; 8] = [
        ["acquire1", "release1"],
        ["acquire2", "release2"],
        ["acquire3", "release3"],
        ["acquire4", "release4"],
        ["acquire5", "release5"],
        ["acquire6", "release6"],
        ["acquire7", "release7"],
        ["acquire8", "release8"],
    ];
    let mut beats: Vec<Beat> = NAMES
        .iter()
        .flat_map(|[acquire, give_back]| [take(acquire, A), release(give_back, 0)])
        .collect();
    beats.extend([
        take("ninthAcquire", A),
        pass("clock", TTL_MS + 1000),
        expire("ninthLeaseExpired"),
        take("tenthAcquire", B),
        write("newerWrite", 0, "v10"),
        write("staleNinthWrite", 1, "v9"),
        write("newerWriteRefused", 0, "v11"),
    ]);
    beats
}
