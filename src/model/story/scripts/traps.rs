//! What looks like an incident and is none, or cannot be decided.

use super::beats::{A, B, after_handover, expire, pass, release, story, take, write};
use crate::evidence::Field;
use crate::model::fact::FactKind;
use crate::model::fault::{Faults, ResourceFault};
use crate::model::sighting::FieldSet;
use crate::model::story::{Story, TTL_MS};
use crate::model::watch::{Numbering, Observer, Watching};

pub(super) fn stories() -> Vec<Story> {
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
