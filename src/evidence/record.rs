//! One evidence record, borrowed from the line that holds it.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::{Answer, Event, Token};

/// Where a record came from: which input, which line, and how many records came before
/// it in the whole run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Place {
    /// Position of the record in the whole input, counted over all inputs from 0. It
    /// says where something stood, never when it happened.
    pub arrival: u64,
    /// Index of the input in the list of inputs.
    pub source: u32,
    /// The line in that input, from 1.
    pub line: u64,
}

/// Who gave a `seq`, and so how much the order it makes may prove.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The resource decided in this order.
    Resource,
    /// The authority decided in this order.
    Authority,
    /// A collector numbered what it saw.
    Collector,
    /// A worker numbered what it saw.
    Worker,
}

impl Origin {
    /// Every origin, in documented order.
    pub const ALL: [Origin; 4] = [
        Origin::Resource,
        Origin::Authority,
        Origin::Collector,
        Origin::Worker,
    ];

    /// The word that a record writes.
    pub const fn word(self) -> &'static str {
        match self {
            Origin::Resource => "resource",
            Origin::Authority => "authority",
            Origin::Collector => "collector",
            Origin::Worker => "worker",
        }
    }

    /// The origin of that word; case, `_` and `-` do not matter.
    pub fn from_word(word: &str) -> Option<Origin> {
        // The common ones as documented first.
        match word {
            "resource" => return Some(Origin::Resource),
            "authority" => return Some(Origin::Authority),
            _ => {}
        }
        let bare = super::answer::bare(word);
        Origin::ALL.into_iter().find(|origin| origin.word() == bare)
    }

    /// Whether this origin decided in the order that it numbers.
    pub const fn decides(self) -> bool {
        matches!(self, Origin::Resource | Origin::Authority)
    }
}

/// What the authority said of the lease that was current when it decided.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Active<'a> {
    /// Not recorded.
    #[default]
    Unrecorded,
    /// Recorded as null: no lease was current.
    None,
    /// A lease was current; the parts that were recorded. At least one is present.
    Lease {
        /// Its owner.
        owner: Option<Cow<'a, str>>,
        /// Its handle.
        lease: Option<Cow<'a, str>>,
        /// Its token.
        token: Option<Token>,
    },
}

/// One evidence record. Absent, null and unusable fields are `None`: no rule may tell
/// them apart, and each unusable one was reported where the record was read.
///
/// There is no wall clock here, so no rule can read one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// The lock; a record without one is never built.
    pub lock: Cow<'a, str>,
    /// The step of the protocol.
    pub event: Event,
    /// The answer, which is one to the event (see [`Answer::event`]); no rule is asked about
    /// another one. A record whose answer was not understood says [`Answer::InDoubt`]:
    /// it may have happened or not.
    pub answer: Answer,
    /// Who asked.
    pub owner: Option<Cow<'a, str>>,
    /// The handle of the acquisition; an integer is kept as its decimal text.
    pub lease: Option<Cow<'a, str>>,
    /// The generation of the acquisition.
    pub token: Option<Token>,
    /// The greatest token that the resource had accepted; 0 is "none yet".
    pub before: Option<Token>,
    /// The greatest token that the resource holds afterwards.
    pub after: Option<Token>,
    /// The position in the order of this lock's events.
    pub seq: Option<u64>,
    /// Who gave `seq`.
    pub seq_by: Option<Origin>,
    /// The key under which the resource compares tokens.
    pub key: Option<Cow<'a, str>>,
    /// The business operation.
    pub operation: Option<Cow<'a, str>>,
    /// The lease current at the authority when it decided.
    pub active: Active<'a>,
}

impl<'a> Record<'a> {
    /// A record of a lock that holds nothing but its step and its answer.
    pub fn new(lock: impl Into<Cow<'a, str>>, event: Event, answer: Answer) -> Record<'a> {
        Record {
            lock: lock.into(),
            event,
            answer,
            owner: None,
            lease: None,
            token: None,
            before: None,
            after: None,
            seq: None,
            seq_by: None,
            key: None,
            operation: None,
            active: Active::Unrecorded,
        }
    }
}
