//! What is true of one event of a run, noted at the moment it happened.
//!
//! A fact comes from the state of authority, resource and queue: which lease a release
//! really removed, which token the key had really accepted, whether the operation had
//! really been applied. Nothing here looks at evidence or knows a rule of diagnosis.

use serde::Serialize;

use super::event::Key;
use crate::evidence::Token;
use crate::incident::Class;

/// The kinds of facts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// A write was applied although its key had accepted, or held, a greater token.
    AppliedBelowHighest,
    /// Without tokens: applied although a newer lease had written at this key.
    AppliedUnderOldLease,
    /// A write was applied, and the key holds a lower token than the write's.
    HighestNotStored,
    /// A key decided by a lower highest token than it had accepted from this lock.
    HighestLost,
    /// A write of an older lease was refused: a newer lease had written there.
    OldWriteRefused,
    /// A release was refused: another lease was current.
    OldReleaseRefused,
    /// A release removed a lease that is not its own.
    RemovedOtherLease,
    /// A renewal prolonged a lease that is not its own, or told its asker so.
    RenewedOtherLease,
    /// Applied although another key of the lock had accepted a greater token.
    AppliedBelowOtherKey,
    /// Every owner of the lock writes under its own key.
    KeysDiverge,
    /// The token that a key held came from another lock.
    HeldTokenOfOtherLock,
    /// An operation was applied a second time.
    AppliedAgain,
    /// An operation that had been applied came again and was refused.
    RefusedAgain,
    /// An operation was delivered a second time, whatever became of it.
    DeliveredAgain,
    /// A lease got a token that an earlier lease carries.
    TokenShared,
    /// A lease got a token below that of an earlier lease.
    TokenWentBack,
    /// A lease took its token after a later lease had taken one.
    TokenOutOfStep,
    /// A write was refused below the token of an older lease.
    RefusedByTokenOrder,
    /// A write was refused although its token was above the one the key held.
    RefusedInOrder,
    /// A write was refused since one of the same token had been accepted.
    EqualRefused,
}

impl FactKind {
    /// Every kind.
    pub const ALL: [FactKind; 20] = [
        FactKind::AppliedBelowHighest,
        FactKind::AppliedUnderOldLease,
        FactKind::HighestNotStored,
        FactKind::HighestLost,
        FactKind::OldWriteRefused,
        FactKind::OldReleaseRefused,
        FactKind::RemovedOtherLease,
        FactKind::RenewedOtherLease,
        FactKind::AppliedBelowOtherKey,
        FactKind::KeysDiverge,
        FactKind::HeldTokenOfOtherLock,
        FactKind::AppliedAgain,
        FactKind::RefusedAgain,
        FactKind::DeliveredAgain,
        FactKind::TokenShared,
        FactKind::TokenWentBack,
        FactKind::TokenOutOfStep,
        FactKind::RefusedByTokenOrder,
        FactKind::RefusedInOrder,
        FactKind::EqualRefused,
    ];

    /// It in words.
    pub const fn says(self) -> &'static str {
        match self {
            FactKind::AppliedBelowHighest => {
                "a write was applied below the highest token of its key"
            }
            FactKind::AppliedUnderOldLease => {
                "a write was applied under a lease that a newer writer had followed"
            }
            FactKind::HighestNotStored => "the resource did not store the token that it accepted",
            FactKind::HighestLost => "the resource lost its highest token",
            FactKind::OldWriteRefused => "the old owner's write was refused",
            FactKind::OldReleaseRefused => "the old handle's release was refused",
            FactKind::RemovedOtherLease => "a release removed a lease that it does not name",
            FactKind::RenewedOtherLease => "a renewal prolonged a lease that it does not name",
            FactKind::AppliedBelowOtherKey => {
                "an old owner's write was applied at another key than the newer one"
            }
            FactKind::KeysDiverge => "every owner wrote under its own key",
            FactKind::HeldTokenOfOtherLock => "a write met the token of another lock",
            FactKind::AppliedAgain => "one operation was applied twice",
            FactKind::RefusedAgain => "an operation came again and was refused",
            FactKind::DeliveredAgain => "an operation was delivered again",
            FactKind::TokenShared => "two leases carry one token",
            FactKind::TokenWentBack => "a later lease got a lower token",
            FactKind::TokenOutOfStep => "the tokens do not follow the leases",
            FactKind::RefusedByTokenOrder => {
                "a rightful write was refused below the token of an older lease"
            }
            FactKind::RefusedInOrder => "a write was refused although its token is the greatest",
            FactKind::EqualRefused => "a second write of one token was refused",
        }
    }

    /// The name of an assertion that it happened: `oldWriteRefused`.
    pub fn camel_name(self) -> String {
        let mut name = format!("{self:?}");
        if let Some(first) = name.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        name
    }

    /// The class of incident that it is.
    pub const fn class(self) -> Class {
        match self {
            FactKind::AppliedBelowHighest
            | FactKind::AppliedUnderOldLease
            | FactKind::HighestNotStored
            | FactKind::HighestLost => Class::MissingFencing,
            FactKind::OldWriteRefused | FactKind::OldReleaseRefused => Class::StaleOwner,
            FactKind::RemovedOtherLease | FactKind::RenewedOtherLease => Class::UnboundRelease,
            FactKind::AppliedBelowOtherKey
            | FactKind::KeysDiverge
            | FactKind::HeldTokenOfOtherLock => Class::WrongKeyScope,
            FactKind::AppliedAgain | FactKind::RefusedAgain | FactKind::DeliveredAgain => {
                Class::DuplicateDelivery
            }
            FactKind::TokenShared
            | FactKind::TokenWentBack
            | FactKind::TokenOutOfStep
            | FactKind::RefusedByTokenOrder => Class::TokenOrder,
            FactKind::RefusedInOrder | FactKind::EqualRefused => Class::Undecided,
        }
    }

    /// Whether the protection held: nothing was done that should not have been.
    pub const fn contained(self) -> bool {
        matches!(
            self,
            FactKind::OldWriteRefused
                | FactKind::OldReleaseRefused
                | FactKind::RefusedAgain
                | FactKind::DeliveredAgain
                | FactKind::RefusedByTokenOrder
                | FactKind::RefusedInOrder
                | FactKind::EqualRefused
        )
    }
}

/// One fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fact {
    /// What is true.
    pub kind: FactKind,
    /// Of which event.
    pub event: u64,
    /// The event that it met: the newer write, the lease removed, the first delivery.
    pub other: Option<u64>,
    /// The lock.
    pub lock: u32,
    /// The key of the resource.
    pub key: Option<Key>,
    /// The token of the write.
    pub token: Option<Token>,
    /// The lease: the one removed, prolonged or met; the later of two leases.
    pub lease: Option<u64>,
    /// The operation.
    pub operation: Option<u64>,
    /// True, and already said by another fact of the same event: it counts as an answer,
    /// and its absence is no gap.
    pub implied: bool,
}
