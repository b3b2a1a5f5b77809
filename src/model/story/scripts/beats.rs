//! The beats that stories are told in, and the story that all others differ from.

use crate::model::action::{Action, Delivery, Lost};
use crate::model::fault::Faults;
use crate::model::story::{Beat, Story, TTL_MS};
use crate::model::watch::Watching;

const REPORT: &[&str] = &["report:417:rebuild"];
pub(super) const TWO: &[&str] = &["report:417:rebuild", "report:417:publish"];
pub(super) const A: u32 = 0;
pub(super) const B: u32 = 1;

pub(super) fn beat(name: &'static str, action: Action) -> Beat {
    Beat {
        name,
        action,
        value: "",
    }
}

pub(super) fn take(name: &'static str, worker: u32) -> Beat {
    take_at(name, 0, worker)
}

pub(super) fn take_at(name: &'static str, lock: u32, worker: u32) -> Beat {
    beat(
        name,
        Action::Acquire {
            lock,
            worker,
            lost: Lost::Nothing,
        },
    )
}

pub(super) fn pass(name: &'static str, ms: u64) -> Beat {
    beat(name, Action::Advance { us: ms * 1000 })
}

pub(super) fn expire(name: &'static str) -> Beat {
    beat(name, Action::Expire { lock: 0 })
}

/// A write of a fresh operation under the handle `back`.
pub(super) fn write(name: &'static str, back: u8, value: &'static str) -> Beat {
    write_as(name, back, value, Delivery::Fresh, 0)
}

/// The newest operation, delivered again.
pub(super) fn again(name: &'static str, back: u8, value: &'static str) -> Beat {
    write_as(name, back, value, Delivery::Again(0), 0)
}

pub(super) fn write_as(
    name: &'static str,
    back: u8,
    value: &'static str,
    op: Delivery,
    effect: u8,
) -> Beat {
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

pub(super) fn release(name: &'static str, back: u8) -> Beat {
    beat(
        name,
        Action::Release {
            lock: 0,
            back,
            lost: Lost::Nothing,
        },
    )
}

pub(super) fn renew(name: &'static str, back: u8) -> Beat {
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
pub(super) fn handover() -> Vec<Beat> {
    vec![
        take("firstAcquire", A),
        pass("clock", TTL_MS + 1000),
        expire("firstLeaseExpired"),
        take("secondAcquire", B),
    ]
}

pub(super) fn after_handover(beats: &[Beat]) -> Vec<Beat> {
    let mut all = handover();
    all.extend_from_slice(beats);
    all
}

pub(super) fn story(name: &'static str, tells: &'static str, beats: Vec<Beat>) -> Story {
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
