//! One incident: a class and variant at one subject, with what it rests on.

use serde::{Deserialize, Serialize};

use super::{Class, Variant};
use crate::evidence::{Field, Token};
use crate::named::named;

named! {
    /// How firmly the records say it. Ordered from weak to strong.
    Status, "Every status, weakest first." {
        /// Class `undecided`: `candidates` names the classes left.
        Undecided "undecided",
        /// The records fit, and an innocent reading is not excluded.
        Suspected "suspected",
        /// The records show it, given what `assumes` names.
        Proven "proven",
    }
}

named! {
    /// What the incident did. Ordered from harmless to harmful, `unknown` first.
    Outcome, "Every outcome, `unknown` first, then from harmless to harmful." {
        /// The records do not say.
        Unknown "unknown",
        /// The protection held.
        Guarded "guarded",
        /// The protection is shown to be absent, no harm is shown.
        Exposed "exposed",
        /// The harm is in the records.
        Breached "breached",
    }
}

named! {
    /// What is taken on trust since no record shows it.
    Assumption, "Every assumption." {
        /// No acquire records show that tokens grow.
        OrderedTokens "ordered-tokens",
        /// One lease at a time.
        ExclusiveLock "exclusive-lock",
        /// An authority that removed nothing would not answer `released`.
        TruthfulRelease "truthful-release",
    }
}

named! {
    /// The part that a record plays in an incident.
    Role, "Every role." {
        /// The write that the incident is about, the late one where one came late.
        LateWrite "late-write",
        /// The write with the newer token that it met.
        NewerWrite "newer-write",
        /// The other one of two writes.
        OtherWrite "other-write",
        /// The first delivery of an operation or token.
        FirstDelivery "first-delivery",
        /// The later delivery.
        LaterDelivery "later-delivery",
        /// The release.
        Release "release",
        /// The renewal.
        Renewal "renewal",
        /// The acquisition of the lease that was current.
        CurrentLease "current-lease",
        /// The record that shows a lease lost.
        LeaseLost "lease-lost",
        /// The acquisition of the earlier of two leases.
        EarlierLease "earlier-lease",
        /// The acquisition or use of the later of two leases.
        LaterLease "later-lease",
        /// A refusal that follows from the incident.
        Refusal "refusal",
    }
}

/// Somebody who acted: each part is `None` where it was not recorded.
#[derive(
    Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// The owner.
    pub owner_id: Option<String>,
    /// The lease.
    pub lease_id: Option<String>,
    /// The token, all 64 bits.
    pub fence_token: Option<Token>,
}

impl Actor {
    /// The actor, or `None` where nothing of it is known.
    pub fn known(self) -> Option<Actor> {
        (self != Actor::default()).then_some(self)
    }
}

/// One record that an incident rests on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Witness {
    /// The input, as the user named it.
    pub source: String,
    /// The line in it, from 1.
    pub line: u64,
    /// The `seq` of the record.
    pub seq: Option<u64>,
    /// The part that the record plays.
    pub role: Role,
}

/// One incident: what repeats it raises `occurrences`.
///
/// The words for it (observation, boundary, check, next action, limits) are not here:
/// they follow from class and variant, see [`crate::incident::catalogue`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// Depends only on class, variant, lock and subject.
    pub id: String,
    /// The row of the diagnosis; its class is [`Variant::class`].
    pub variant: Variant,
    /// How firmly the records say it.
    pub status: Status,
    /// What it did.
    pub outcome: Outcome,
    /// The lock.
    pub lock_name: String,
    /// The resource key, where the incident has one.
    pub resource_key: Option<String>,
    /// The actor whose record decides the incident.
    pub late: Option<Actor>,
    /// The one it met.
    pub current: Option<Actor>,
    /// The operation, for duplicates and for writes that name one.
    pub operation_id: Option<String>,
    /// How many records decide this incident, at least 1.
    pub occurrences: u64,
    /// What is taken on trust.
    pub assumes: Vec<Assumption>,
    /// The fields that would settle or strengthen it.
    pub missing: Vec<Field>,
    /// Class `undecided`: the classes left.
    pub candidates: Vec<Class>,
    /// The first records by role, and the last of the deciding role.
    pub evidence: Vec<Witness>,
}

impl Incident {
    /// The class of the incident.
    pub const fn class(&self) -> Class {
        self.variant.class()
    }
}

/// The id of an incident: 32 bits in hexadecimal that depend only on class, variant,
/// lock and subject. `subject` is what tells two incidents of one variant at one lock
/// apart; its parts are hashed with their lengths, so no two subjects run together.
pub fn incident_id(variant: Variant, lock: &str, subject: &[&str]) -> String {
    // FNV-1a, 64 bits folded to 32: published, tiny, and the same on every machine and
    // in every release. A stable name is wanted here, not resistance to anybody.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut mix = |part: &str| {
        let length = (part.len() as u64).to_le_bytes();
        for byte in length.iter().chain(part.as_bytes()) {
            hash ^= u64::from(*byte);
            hash = hash.wrapping_mul(0x0000_0100_0000_01b3);
        }
    };
    mix(variant.class().name());
    mix(variant.name());
    mix(lock);
    subject.iter().for_each(|part| mix(part));
    format!("{:08x}", (hash >> 32) as u32 ^ hash as u32)
}
