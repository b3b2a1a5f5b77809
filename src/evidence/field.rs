//! The names of the evidence fields, in the one place that knows them.

use serde::{Deserialize, Serialize};

/// One field of the evidence record.
///
/// The variants are in the order in which the fields are documented; the serialised
/// form is the camelCase name of the record.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum Field {
    /// The item that the lock protects.
    LockName,
    /// Who asked: a worker, a pod, a client.
    OwnerId,
    /// The handle of one acquisition.
    LeaseId,
    /// The generation of that acquisition.
    FenceToken,
    /// The greatest token that the resource had accepted when it decided.
    ResourceHighestTokenBefore,
    /// What the authority or the resource answered.
    Result,
    /// The step of the protocol.
    Event,
    /// The position in the one order of events of this lock.
    Seq,
    /// Who gave `seq`.
    SeqBy,
    /// The key under which the resource compares tokens.
    ResourceKey,
    /// The greatest token that the resource holds after its decision.
    ResourceHighestTokenAfter,
    /// The business operation, the same on every delivery of it.
    OperationId,
    /// The owner of the lease current at the authority when it decided.
    ActiveOwnerId,
    /// The lease current at the authority when it decided.
    ActiveLeaseId,
    /// The token of the lease current at the authority when it decided.
    ActiveFenceToken,
    /// The three `active…` fields as one object, or null.
    ActiveLease,
    /// Wall clock, for people only; no rule reads it.
    Ts,
}

impl Field {
    /// Every field, in documented order.
    pub const ALL: [Field; 17] = [
        Field::LockName,
        Field::OwnerId,
        Field::LeaseId,
        Field::FenceToken,
        Field::ResourceHighestTokenBefore,
        Field::Result,
        Field::Event,
        Field::Seq,
        Field::SeqBy,
        Field::ResourceKey,
        Field::ResourceHighestTokenAfter,
        Field::OperationId,
        Field::ActiveOwnerId,
        Field::ActiveLeaseId,
        Field::ActiveFenceToken,
        Field::ActiveLease,
        Field::Ts,
    ];

    /// The fields of which any marks a JSON object as evidence. `event`, `result`, `seq`,
    /// owners, keys and operations are words of every log, so none of them does.
    pub const MARKS: [Field; 9] = [
        Field::LockName,
        Field::LeaseId,
        Field::FenceToken,
        Field::ResourceHighestTokenBefore,
        Field::ResourceHighestTokenAfter,
        Field::ActiveOwnerId,
        Field::ActiveLeaseId,
        Field::ActiveFenceToken,
        Field::ActiveLease,
    ];

    /// The camelCase name, as it is written in a record.
    pub const fn name(self) -> &'static str {
        match self {
            Field::LockName => "lockName",
            Field::OwnerId => "ownerId",
            Field::LeaseId => "leaseId",
            Field::FenceToken => "fenceToken",
            Field::ResourceHighestTokenBefore => "resourceHighestTokenBefore",
            Field::Result => "result",
            Field::Event => "event",
            Field::Seq => "seq",
            Field::SeqBy => "seqBy",
            Field::ResourceKey => "resourceKey",
            Field::ResourceHighestTokenAfter => "resourceHighestTokenAfter",
            Field::OperationId => "operationId",
            Field::ActiveOwnerId => "activeOwnerId",
            Field::ActiveLeaseId => "activeLeaseId",
            Field::ActiveFenceToken => "activeFenceToken",
            Field::ActiveLease => "activeLease",
            Field::Ts => "ts",
        }
    }

    /// The snake_case name, accepted as well.
    pub const fn snake_name(self) -> &'static str {
        match self {
            Field::LockName => "lock_name",
            Field::OwnerId => "owner_id",
            Field::LeaseId => "lease_id",
            Field::FenceToken => "fence_token",
            Field::ResourceHighestTokenBefore => "resource_highest_token_before",
            Field::Result => "result",
            Field::Event => "event",
            Field::Seq => "seq",
            Field::SeqBy => "seq_by",
            Field::ResourceKey => "resource_key",
            Field::ResourceHighestTokenAfter => "resource_highest_token_after",
            Field::OperationId => "operation_id",
            Field::ActiveOwnerId => "active_owner_id",
            Field::ActiveLeaseId => "active_lease_id",
            Field::ActiveFenceToken => "active_fence_token",
            Field::ActiveLease => "active_lease",
            Field::Ts => "ts",
        }
    }

    /// What it is called as well: `sequence` is `seq`, and where a collector has flattened a
    /// record, the parts of `activeLease` bear the names of both.
    pub const fn other_names(self) -> &'static [&'static str] {
        match self {
            Field::Seq => &["sequence"],
            Field::ActiveOwnerId => &["activeLease.ownerId", "active_lease.owner_id"],
            Field::ActiveLeaseId => &["activeLease.leaseId", "active_lease.lease_id"],
            Field::ActiveFenceToken => &["activeLease.fenceToken", "active_lease.fence_token"],
            _ => &[],
        }
    }

    /// The field of that name, whichever of its names it is.
    pub fn from_name(name: &str) -> Option<Field> {
        Some(match name {
            "lockName" | "lock_name" => Field::LockName,
            "ownerId" | "owner_id" => Field::OwnerId,
            "leaseId" | "lease_id" => Field::LeaseId,
            "fenceToken" | "fence_token" => Field::FenceToken,
            "resourceHighestTokenBefore" | "resource_highest_token_before" => {
                Field::ResourceHighestTokenBefore
            }
            "result" => Field::Result,
            "event" => Field::Event,
            "seq" | "sequence" => Field::Seq,
            "seqBy" | "seq_by" => Field::SeqBy,
            "resourceKey" | "resource_key" => Field::ResourceKey,
            "resourceHighestTokenAfter" | "resource_highest_token_after" => {
                Field::ResourceHighestTokenAfter
            }
            "operationId" | "operation_id" => Field::OperationId,
            "activeOwnerId"
            | "active_owner_id"
            | "activeLease.ownerId"
            | "active_lease.owner_id" => Field::ActiveOwnerId,
            "activeLeaseId"
            | "active_lease_id"
            | "activeLease.leaseId"
            | "active_lease.lease_id" => Field::ActiveLeaseId,
            "activeFenceToken"
            | "active_fence_token"
            | "activeLease.fenceToken"
            | "active_lease.fence_token" => Field::ActiveFenceToken,
            "activeLease" | "active_lease" => Field::ActiveLease,
            "ts" => Field::Ts,
            _ => return None,
        })
    }

    /// Whether it holds a number of 64 bits: a token, or a place in an order.
    pub(crate) const fn is_number(self) -> bool {
        matches!(
            self,
            Field::FenceToken
                | Field::ResourceHighestTokenBefore
                | Field::ResourceHighestTokenAfter
                | Field::Seq
                | Field::ActiveFenceToken
        )
    }

    /// Whether it is a part of the lease that was current at the authority.
    pub(crate) const fn is_of_active(self) -> bool {
        matches!(
            self,
            Field::ActiveOwnerId | Field::ActiveLeaseId | Field::ActiveFenceToken
        )
    }

    /// Whether a name that is nearly this one is likely to be meant for it. `event`,
    /// `result`, `seq` and `ts` are words of every log.
    pub const fn is_distinctive(self) -> bool {
        !matches!(self, Field::Result | Field::Event | Field::Seq | Field::Ts)
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn both_spellings_lead_back_to_the_field() {
        for field in Field::ALL {
            assert_eq!(Field::from_name(field.name()), Some(field));
            assert_eq!(Field::from_name(field.snake_name()), Some(field));
            for name in field.other_names() {
                assert_eq!(Field::from_name(name), Some(field));
            }
        }
        assert_eq!(Field::from_name("lockname"), None);
    }
}
