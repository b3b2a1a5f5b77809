//! The faults that can be switched on, each by its name.
//!
//! A name means the same on the command line, in a schedule kept as data and here.

use serde::{Deserialize, Serialize};

/// A name that is none of the known ones.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is none of {}", .known.join(", "))]
pub struct UnknownName {
    /// What was given.
    pub name: String,
    /// What is known.
    pub known: Vec<&'static str>,
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $first:ident $first_word:literal $first_doc:literal, $($choice:ident $word:literal $choice_doc:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
        pub enum $name {
            #[doc = $first_doc]
            #[default]
            #[serde(rename = $first_word)]
            $first,
            $(#[doc = $choice_doc] #[serde(rename = $word)] $choice,)*
        }

        impl $name {
            /// Every choice; the first is the one without a fault.
            pub const ALL: &'static [$name] = &[$name::$first, $($name::$choice,)*];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self { $name::$first => $first_word, $($name::$choice => $word,)* }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownName;

            fn from_str(name: &str) -> Result<$name, UnknownName> {
                $name::ALL.iter().copied().find(|choice| choice.name() == name).ok_or_else(|| UnknownName {
                    name: name.to_owned(),
                    known: $name::ALL.iter().map(|choice| choice.name()).collect(),
                })
            }
        }
    };
}

named! {
    /// How the resource treats the token of a write.
    ResourceFault {
        Fenced "fenced" "Compares and stores in one step: refuses a token below the highest.",
        Unfenced "unfenced" "Stores the token beside the value and compares nothing: the last write wins.",
        CheckThenSet "check-then-set" "Compares in one step and stores in another; others may write in between.",
        Forgets "forgets" "Compares, and loses its highest token when it fails over.",
        NeverStores "never-stores" "Compares with a highest token that it never raises.",
        Strict "strict" "Refuses a token that equals the highest as well: one write a token.",
        TextCompare "text-compare" "Compares tokens as text, where 10 is below 9.",
        NoReading "no-reading" "Compares like fenced and tells nobody what it read.",
    }
}

named! {
    /// What a release, or a renewal, compares before it acts.
    Bound {
        ByLease "by-lease" "The exact lease handle.",
        ByOwner "by-owner" "The owner alone: an old handle of the same owner passes.",
        ByName "by-name" "Nothing but the name of the lock.",
        Idempotent "idempotent" "The exact handle, and the answer is yes whether or not it matched.",
    }
}

named! {
    /// Which key of the resource a write falls on.
    KeyFault {
        One "one" "One key a lock.",
        Split "split" "Each owner writes under a key of its own.",
        PerEffect "per-effect" "Each of two effects has its key, and the lock covers both.",
        TwoLocks "two-locks" "Two locks write at one key.",
    }
}

named! {
    /// Where the tokens come from.
    TokenFault {
        Ordered "ordered" "A counter that grows with every lease.",
        Reset "reset" "The counter starts again when the authority restarts.",
        Reused "reused" "The counter grows on release alone: the lease after an expiry carries the token again.",
        AfterAcquire "after-acquire" "The token is taken in a step of its own, after the lease was granted.",
        None "none" "There are no tokens.",
    }
}

named! {
    /// How often an operation is delivered.
    DeliveryFault {
        Once "once" "Once.",
        Again "again" "Again to the same owner, under the same lease.",
        AgainToNextOwner "again-to-next-owner" "Again to whoever owns the lock by then.",
    }
}

impl ResourceFault {
    /// Whether the highest token never goes down: then what a key reads names who put
    /// it there.
    pub const fn keeps_highest(self) -> bool {
        matches!(self, ResourceFault::Fenced | ResourceFault::Strict)
    }
}

/// Everything that can be wrong in one run. The default is a correct system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Faults {
    /// The resource.
    pub resource: ResourceFault,
    /// The release.
    pub release: Bound,
    /// The renewal.
    pub renewal: Bound,
    /// The keys.
    pub keys: KeyFault,
    /// The tokens.
    pub tokens: TokenFault,
    /// The delivery.
    pub delivery: DeliveryFault,
    /// Whether the resource keeps the operations it applied, and refuses to repeat one.
    pub ledger: bool,
}

#[cfg(test)]
mod tests {
    use super::{Bound, Faults, ResourceFault};

    #[test]
    fn a_name_leads_back_to_its_choice() {
        for fault in ResourceFault::ALL {
            assert_eq!(fault.name().parse(), Ok(*fault));
            assert_eq!(serde_json::to_value(fault).unwrap(), fault.name());
        }
        let error = "by-luck".parse::<Bound>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"by-luck\" is none of by-lease, by-owner, by-name, idempotent"
        );
    }

    #[test]
    fn the_first_choice_is_the_correct_system() {
        assert_eq!(
            serde_json::from_str::<Faults>("{}").unwrap(),
            Faults::default()
        );
        assert_eq!(Faults::default().resource, ResourceFault::Fenced);
    }
}
