//! An owner comes back after its lease has ended.

use super::beats::{A, after_handover, expire, pass, release, story, take, write};
use crate::model::fact::FactKind;
use crate::model::story::{Story, TTL_MS};

pub(super) fn stories() -> Vec<Story> {
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
