//! The classes of the incident analyst's table, and the variants of each.

use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// What kind of incident the records show.
    Class, "Every class, in documented order." {
        /// A token older than an accepted one arrived and was refused.
        StaleOwner "stale-owner",
        /// The release of one lease removed another.
        UnboundRelease "unbound-release",
        /// The resource does not keep, or does not compare, the token.
        MissingFencing "missing-fencing",
        /// Tokens of one lock fell on different resource keys.
        WrongKeyScope "wrong-key-scope",
        /// One token or one operation came again.
        DuplicateDelivery "duplicate-delivery",
        /// The authority issued a token that is not greater than an earlier one.
        TokenOrder "token-order",
        /// The records fit more than one class, or contradict each other.
        Undecided "undecided",
    }
}

macro_rules! variants {
    ($($(#[$doc:meta])* $variant:ident $name:literal $class:ident;)*) => {
        /// The row of the diagnosis that an incident rests on. A variant belongs to one
        /// class; `contradiction` is undecided whether a write or a release raises it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        pub enum Variant { $($(#[$doc])* $variant,)* }

        impl Variant {
            /// Every variant, class by class.
            pub const ALL: &'static [Variant] = &[$(Variant::$variant,)*];

            /// The name in every output.
            pub const fn name(self) -> &'static str {
                match self { $(Variant::$variant => $name,)* }
            }

            /// The class that the variant belongs to.
            pub const fn class(self) -> Class {
                match self { $(Variant::$variant => Class::$class,)* }
            }
        }
    };
}

variants! {
    /// The resource refused a write whose token is below its highest.
    WriteRefused "write-refused" StaleOwner;
    /// The authority refused the release of a lease that is not the current one.
    ReleaseRefused "release-refused" StaleOwner;
    /// A release removed a lease that it does not name.
    RemovedOtherLease "removed-other-lease" UnboundRelease;
    /// A renewal prolonged a lease that it does not name.
    RenewedOtherLease "renewed-other-lease" UnboundRelease;
    /// Accepted although the resource read a greater token.
    NotCompared "not-compared" MissingFencing;
    /// Two accepted writes rose from the same highest token.
    Forked "forked" MissingFencing;
    /// Accepted after a write with a greater token at the same key.
    BothAccepted "both-accepted" MissingFencing;
    /// After the write the resource held a lower token than the one it accepted.
    NotStored "not-stored" MissingFencing;
    /// The resource read a lower highest token than one it had accepted.
    HighestLost "highest-lost" MissingFencing;
    /// Without any token: accepted under a lease that another had followed.
    LeaseSuperseded "lease-superseded" MissingFencing;
    /// Accepted after a write with a greater token at another key of the same lock.
    LateWriteOtherKey "late-write-other-key" WrongKeyScope;
    /// Every token of the lock went to a key of its own.
    KeysDiverge "keys-diverge" WrongKeyScope;
    /// One resource key compares the tokens of two locks.
    TwoLocksOneKey "two-locks-one-key" WrongKeyScope;
    /// One operation was applied again under the same token.
    AppliedAgain "applied-again" DuplicateDelivery;
    /// One operation was applied again under another token.
    Redelivered "redelivered" DuplicateDelivery;
    /// One operation came again and was refused.
    RefusedAgain "refused-again" DuplicateDelivery;
    /// One token came again, and no operation tells whether it is a repeat.
    TokenRepeated "token-repeated" DuplicateDelivery;
    /// Two leases carry one token.
    Shared "shared" TokenOrder;
    /// A later lease got a lower token.
    WentBack "went-back" TokenOrder;
    /// A lease with a lower token outlived one with a greater token.
    OutOfStep "out-of-step" TokenOrder;
    /// A late write, or a lost highest token, at a key that was not recorded.
    KeyUnknown "key-unknown" Undecided;
    /// A second write of one token was refused although it is no repeat.
    EqualTokenRefused "equal-token-refused" Undecided;
    /// Refused below a token that the same lease carries.
    SameLeaseToken "same-lease-token" Undecided;
    /// An answer and a reading of one record contradict each other.
    Contradiction "contradiction" Undecided;
    /// Refused as stale, and nothing recorded says below what.
    NoReading "no-reading" Undecided;
    /// Two leases wrote at one key, and nothing orders the writes.
    OrderUnknown "order-unknown" Undecided;
    /// A newer lease existed, and nothing shows what it wrote.
    NewerOwnerSilent "newer-owner-silent" Undecided;
}

impl Variant {
    /// The variant of that name.
    pub fn from_name(name: &str) -> Option<Variant> {
        Variant::ALL
            .iter()
            .copied()
            .find(|variant| variant.name() == name)
    }
}

impl std::fmt::Display for Variant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::{Class, Variant};

    #[test]
    fn names_are_unique_and_lead_back() {
        for class in Class::ALL {
            assert_eq!(Class::from_name(class.name()), Some(class));
            assert!(Variant::ALL.iter().any(|variant| variant.class() == class));
        }
        for variant in Variant::ALL {
            assert_eq!(Variant::from_name(variant.name()), Some(*variant));
        }
    }
}
