//! The stories themselves.

use super::{Beat, Story, TTL_MS};
use crate::evidence::Field;
use crate::model::action::{Action, Delivery, Lost};
use crate::model::fact::FactKind;
use crate::model::fault::{Bound, DeliveryFault, Faults, KeyFault, ResourceFault, TokenFault};
use crate::model::sighting::FieldSet;
use crate::model::watch::{Numbering, Observer, Watching};

const REPORT: &[&str] = &["report:417:rebuild"];
const TWO: &[&str] = &["report:417:rebuild", "report:417:publish"];
const A: u32 = 0;
const B: u32 = 1;

fn beat(name: &'static str, action: Action) -> Beat {
    Beat {
        name,
        action,
        value: "",
    }
}

fn take(name: &'static str, worker: u32) -> Beat {
    take_at(name, 0, worker)
}

fn take_at(name: &'static str, lock: u32, worker: u32) -> Beat {
    beat(
        name,
        Action::Acquire {
            lock,
            worker,
            lost: Lost::Nothing,
        },
    )
}

fn pass(name: &'static str, ms: u64) -> Beat {
    beat(name, Action::Advance { us: ms * 1000 })
}

fn expire(name: &'static str) -> Beat {
    beat(name, Action::Expire { lock: 0 })
}

/// A write of a fresh operation under the handle `back`.
fn write(name: &'static str, back: u8, value: &'static str) -> Beat {
    write_as(name, back, value, Delivery::Fresh, 0)
}

/// The newest operation, delivered again.
fn again(name: &'static str, back: u8, value: &'static str) -> Beat {
    write_as(name, back, value, Delivery::Again(0), 0)
}

fn write_as(name: &'static str, back: u8, value: &'static str, op: Delivery, effect: u8) -> Beat {
    let action = Action::Write {
        lock: 0,
        back,
        op,
        effect,
        lost: Lost::Nothing,
    };
    Beat {
        name,
        action,
        value,
    }
}

fn release(name: &'static str, back: u8) -> Beat {
    beat(
        name,
        Action::Release {
            lock: 0,
            back,
            lost: Lost::Nothing,
        },
    )
}

fn renew(name: &'static str, back: u8) -> Beat {
    beat(
        name,
        Action::Renew {
            lock: 0,
            back,
            lost: Lost::Nothing,
        },
    )
}

/// A takes the lock, pauses past the end of its lease, and B takes it.
fn handover() -> Vec<Beat> {
    vec![
        take("firstAcquire", A),
        pass("clock", TTL_MS + 1000),
        expire("firstLeaseExpired"),
        take("secondAcquire", B),
    ]
}

fn after_handover(beats: &[Beat]) -> Vec<Beat> {
    let mut all = handover();
    all.extend_from_slice(beats);
    all
}

fn story(name: &'static str, tells: &'static str, beats: Vec<Beat>) -> Story {
    Story {
        name,
        tells,
        locks: REPORT,
        lease: "training-lease",
        faults: Faults::default(),
        watching: Watching::default(),
        beats,
        facts: &[],
        keeps_newer: true,
        contrast: false,
        not_shown: &[
            "what the same steps would do at another provider, or with another client library",
        ],
    }
}

/// Every story.
pub fn stories() -> Vec<Story> {
    let mut all = old_owners();
    all.extend(handles());
    all.extend(resources());
    all.extend(keys());
    all.extend(deliveries());
    all.extend(tokens());
    all.extend(traps());
    all
}

fn old_owners() -> Vec<Story> {
    vec![
        Story {
            facts: &[FactKind::OldWriteRefused, FactKind::OldReleaseRefused],
            contrast: true,
            not_shown: &[
                "that the token stopped worker-A: it ran on and only its write was refused",
                "what an external call made by worker-A in the meantime did",
                "anything of clocks: the lease ended by the authority's clock alone",
            ],
            ..story(
                "training",
                "an owner whose lease ran out comes back with an old value and an old handle",
                after_handover(&[
                    write("newerWrite", 0, "v2"),
                    write("staleFirstWrite", 1, "v1"),
                    release("staleRelease", 1),
                ]),
            )
        },
        Story {
            facts: &[FactKind::OldWriteRefused],
            not_shown: &["which thread or process of worker-A held the old handle"],
            ..story(
                "same-owner",
                "one worker takes the lock again and still writes under its old lease",
                vec![
                    take("firstAcquire", A),
                    pass("clock", TTL_MS + 1000),
                    expire("firstLeaseExpired"),
                    take("secondAcquire", A),
                    write("newerWrite", 0, "v2"),
                    write("staleFirstWrite", 1, "v1"),
                ],
            )
        },
    ]
}

fn handles() -> Vec<Story> {
    let unbound = |name, tells, bound, facts| Story {
        facts,
        faults: Faults {
            release: bound,
            ..Faults::default()
        },
        not_shown: &["what a third worker does with the lock that was freed under its owner"],
        ..story(
            name,
            tells,
            after_handover(&[write("newerWrite", 0, "v2"), release("staleRelease", 1)]),
        )
    };
    vec![
        unbound(
            "release-by-name",
            "a release that names the lock alone removes the lease of the next owner",
            Bound::ByName,
            &[FactKind::RemovedOtherLease],
        ),
        Story {
            facts: &[FactKind::RemovedOtherLease],
            faults: Faults {
                release: Bound::ByOwner,
                ..Faults::default()
            },
            not_shown: &["two workers of one name: here it is one worker with two handles"],
            ..story(
                "release-by-owner",
                "a release compared by owner lets an old handle remove the owner's own new lease",
                vec![
                    take("firstAcquire", A),
                    pass("clock", TTL_MS + 1000),
                    expire("firstLeaseExpired"),
                    take("secondAcquire", A),
                    release("staleRelease", 1),
                ],
            )
        },
        Story {
            facts: &[FactKind::RenewedOtherLease],
            faults: Faults {
                renewal: Bound::ByName,
                ..Faults::default()
            },
            not_shown: &["harm: the lease that was prolonged had not run out"],
            ..story(
                "renewal-by-name",
                "a renewal that names the lock alone prolongs the lease of the next owner",
                after_handover(&[renew("staleRenewal", 1)]),
            )
        },
        Story {
            faults: Faults {
                release: Bound::Idempotent,
                ..Faults::default()
            },
            not_shown: &["that an answer of `released` means that anything was removed"],
            ..story(
                "release-says-yes",
                "the authority answers an old handle with released, and removes nothing",
                after_handover(&[
                    release("staleRelease", 1),
                    write("newerWrite", 0, "v2"),
                    release("ownRelease", 0),
                ]),
            )
        },
    ]
}

fn resources() -> Vec<Story> {
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

fn keys() -> Vec<Story> {
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

fn deliveries() -> Vec<Story> {
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

fn tokens() -> Vec<Story> {
    let tokens = |tokens| Faults {
        tokens,
        ..Faults::default()
    };
    vec![
        Story {
            facts: &[FactKind::TokenShared],
            faults: tokens(TokenFault::Reset),
            not_shown: &["a stale owner: the refused worker is the rightful one"],
            ..story(
                "token-reset",
                "the authority restarts its counter, and the resource refuses the rightful owner",
                vec![
                    take("firstAcquire", A),
                    release("firstRelease", 0),
                    take("secondAcquire", A),
                    release("secondRelease", 0),
                    take("thirdAcquire", A),
                    write("newerWrite", 0, "v3"),
                    beat("restart", Action::Restart { lock: 0 }),
                    take("fourthAcquire", B),
                    write("rightfulWrite", 0, "v4"),
                ],
            )
        },
        Story {
            facts: &[FactKind::TokenShared],
            faults: tokens(TokenFault::Reused),
            keeps_newer: false,
            not_shown: &["a resource that failed: it can't tell two leases of one token apart"],
            ..story(
                "token-reused",
                "the lease after an expiry carries the token again, and the old owner's write passes",
                after_handover(&[
                    write("newerWrite", 0, "v2"),
                    write("staleFirstWrite", 1, "v1"),
                ]),
            )
        },
        Story {
            facts: &[FactKind::TokenOutOfStep, FactKind::OldReleaseRefused],
            faults: tokens(TokenFault::AfterAcquire),
            keeps_newer: false,
            not_shown: &["a stale owner: the refused worker holds the lock"],
            ..story(
                "token-after-acquire",
                "a paused owner takes its token late and gets a greater one than the next owner",
                after_handover(&[
                    beat("secondToken", Action::TakeToken { lock: 0, back: 0 }),
                    beat("firstTokenLate", Action::TakeToken { lock: 0, back: 1 }),
                    write("newerWrite", 0, "v2"),
                    write("staleFirstWrite", 1, "v1"),
                    write("rightfulWrite", 0, "v3"),
                    release("staleRelease", 1),
                    release("ownRelease", 0),
                ]),
            )
        },
    ]
}

fn traps() -> Vec<Story> {
    vec![
        Story {
            facts: &[FactKind::EqualRefused],
            faults: Faults {
                resource: ResourceFault::Strict,
                ..Faults::default()
            },
            not_shown: &["a repetition or an old owner: the lease needed two writes"],
            ..story(
                "strict",
                "the resource admits one write a token, and a lease needs two",
                vec![
                    take("firstAcquire", A),
                    write("firstWrite", 0, "v1"),
                    write("secondWrite", 0, "v2"),
                ],
            )
        },
        Story {
            not_shown: &[
                "an incident: the token was still the greatest that the resource had seen",
            ],
            ..story(
                "late-and-still-newest",
                "an owner writes after its lease ran out, and nobody newer has written",
                after_handover(&[
                    write("lateFirstWrite", 1, "v1"),
                    write("newerWrite", 0, "v2"),
                ]),
            )
        },
        Story {
            not_shown: &["an unbound release: there was nothing to remove"],
            ..story(
                "nothing-to-release",
                "an owner releases after its lease ran out, and nobody holds the lock",
                vec![
                    take("firstAcquire", A),
                    pass("clock", TTL_MS + 1000),
                    expire("firstLeaseExpired"),
                    release("lateRelease", 0),
                ],
            )
        },
        Story {
            watching: Watching {
                numbering: Numbering::Collector,
                late: 2,
                ..Watching::default()
            },
            not_shown: &["the order of the writes: lines arrive late"],
            ..story(
                "late-line",
                "a correct run whose lines overtake each other on the way to the collector",
                vec![
                    take("firstAcquire", A),
                    write("firstWrite", 0, "v1"),
                    release("firstRelease", 0),
                    take("secondAcquire", B),
                    write("newerWrite", 0, "v2"),
                    release("secondRelease", 0),
                ],
            )
        },
        Story {
            facts: &[FactKind::OldWriteRefused],
            faults: Faults {
                resource: ResourceFault::NoReading,
                ..Faults::default()
            },
            watching: Watching {
                observers: vec![Observer::ClientsOnly],
                numbering: Numbering::Worker,
                ..Watching::default()
            },
            not_shown: &["to who reads the log, below what the write was refused"],
            ..story(
                "no-reading",
                "a write is refused as stale, and nothing recorded says below what",
                after_handover(&[
                    write("newerWrite", 0, "v2"),
                    write("staleFirstWrite", 1, "v1"),
                ]),
            )
        },
        Story {
            facts: &[FactKind::AppliedBelowHighest],
            faults: Faults {
                resource: ResourceFault::Unfenced,
                ..Faults::default()
            },
            watching: Watching {
                hide: FieldSet::of(&[
                    Field::ResourceKey,
                    Field::ResourceHighestTokenBefore,
                    Field::ResourceHighestTokenAfter,
                ]),
                ..Watching::default()
            },
            keeps_newer: false,
            not_shown: &["to who reads the log, whether both writes fell on one key"],
            ..story(
                "key-unknown",
                "both owners' writes are accepted, and the log does not say at which key",
                after_handover(&[
                    write("newerWrite", 0, "v2"),
                    write("staleFirstWrite", 1, "v1"),
                ]),
            )
        },
    ]
}
