//! Tokens that do not follow the order of the leases.

use super::beats::{A, B, after_handover, beat, release, story, take, write};
use crate::model::action::Action;
use crate::model::fact::FactKind;
use crate::model::fault::{Faults, TokenFault};
use crate::model::story::Story;

pub(super) fn stories() -> Vec<Story> {
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
