//! Old handles release and renew what is no longer theirs.

use super::beats::{A, after_handover, expire, pass, release, renew, story, take, write};
use crate::model::fact::FactKind;
use crate::model::fault::{Bound, Faults};
use crate::model::story::{Story, TTL_MS};

pub(super) fn stories() -> Vec<Story> {
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
