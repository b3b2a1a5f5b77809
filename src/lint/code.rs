//! The lint codes: number, name, default severity. Their words are in
//! [`super::catalogue`], what raises them in [`super::checks`].

use serde::{Deserialize, Serialize};

/// How much a finding matters. Ordered from quiet to loud.
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
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing; nothing is lost by it.
    Note,
    /// Some verdict becomes weaker or can't be reached.
    Warning,
    /// A record, a field or an order can't be used.
    Error,
}

impl Severity {
    /// Every severity, loudest first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

    /// The name in every output.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }

    /// The severity of that name.
    pub fn from_name(name: &str) -> Option<Severity> {
        Severity::ALL.into_iter().find(|one| one.name() == name)
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A group of codes that one check family raises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Family {
    /// What could not be read at all, or not as evidence.
    Reading,
    /// Fields that a record lacks.
    Fields,
    /// Tokens, and what the resource read.
    Tokens,
    /// Words for events and results.
    Words,
    /// What orders the records.
    Order,
    /// Names and handles that should agree and do not.
    Identity,
    /// Releases that fit no lease.
    Handles,
    /// What should not stand in a log.
    Privacy,
    /// The configuration and the baseline of lint itself.
    Upkeep,
}

impl Family {
    /// Every family, in order of its codes.
    pub const ALL: [Family; 9] = [
        Family::Reading,
        Family::Fields,
        Family::Tokens,
        Family::Words,
        Family::Order,
        Family::Identity,
        Family::Handles,
        Family::Privacy,
        Family::Upkeep,
    ];

    /// A heading.
    pub const fn title(self) -> &'static str {
        match self {
            Family::Reading => "Reading the lines",
            Family::Fields => "Missing fields",
            Family::Tokens => "Tokens and readings",
            Family::Words => "Events and results",
            Family::Order => "Order",
            Family::Identity => "Names and handles",
            Family::Handles => "Releases",
            Family::Privacy => "What should not be logged",
            Family::Upkeep => "Ignores and baseline",
        }
    }
}

macro_rules! codes {
    ($($family:ident { $($(#[$doc:meta])* $code:ident $id:literal $name:literal $severity:ident;)* })*) => {
        /// One lint code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($($(#[$doc])* $code,)*)* }

        impl Code {
            /// Every code, by number.
            pub const ALL: &'static [Code] = &[$($(Code::$code,)*)*];

            /// The number, `LD101`.
            pub const fn id(self) -> &'static str {
                match self { $($(Code::$code => $id,)*)* }
            }

            /// The name, `unreadable-line`.
            pub const fn name(self) -> &'static str {
                match self { $($(Code::$code => $name,)*)* }
            }

            /// The severity, unless the configuration says otherwise.
            pub const fn severity(self) -> Severity {
                match self { $($(Code::$code => Severity::$severity,)*)* }
            }

            /// The check family.
            pub const fn family(self) -> Family {
                match self { $($(Code::$code => Family::$family,)*)* }
            }
        }
    };
}

codes! {
    Reading {
        /// Nothing of a line could be read.
        UnreadableLine "LD101" "unreadable-line" Error;
        /// An input ended in the middle.
        InputCutShort "LD102" "input-cut-short" Error;
        /// A line that is no JSON object.
        NotAnObject "LD103" "not-an-object" Note;
        /// An object without any evidence field.
        NoEvidenceField "LD104" "no-evidence-field" Note;
        /// Evidence that names no lock.
        NoLockName "LD105" "no-lock-name" Error;
        /// A record with neither an event nor a result.
        NoStep "LD106" "no-step" Error;
        /// A name that is nearly that of an evidence field.
        NearlyAField "LD107" "nearly-a-field" Warning;
        /// One field with two values.
        FieldTwice "LD108" "field-twice" Error;
        /// A value of the wrong type.
        WrongType "LD109" "wrong-type" Error;
        /// A value that a mapping could not turn into its field.
        NotMapped "LD110" "not-mapped" Error;
        /// Evidence inside other text.
        EvidenceInside "LD111" "evidence-inside" Warning;
    }
    Fields {
        /// A field that the required profile names.
        FieldRequired "LD201" "field-required" Error;
        /// A field without which some verdict can't be proven.
        FieldForProof "LD202" "field-for-proof" Warning;
        /// A field that makes a verdict easier to act on.
        FieldUseful "LD203" "field-useful" Note;
        /// A release or renewal that names no lease.
        ReleaseWithoutHandle "LD204" "release-without-handle" Warning;
        /// A write that names no operation.
        WriteWithoutOperation "LD205" "write-without-operation" Warning;
        /// A write that names no resource key.
        WriteWithoutKey "LD206" "write-without-resource-key" Warning;
    }
    Tokens {
        /// A token that is no unsigned 64-bit number.
        TokenNotOrdered "LD301" "token-not-ordered" Error;
        /// A token that looks as if a float had rounded it.
        TokenRounded "LD302" "token-rounded" Warning;
        /// The highest token went down in one decision.
        HighestWentDown "LD303" "highest-went-down" Error;
        /// Accepted, and the token was not kept.
        AcceptedNotKept "LD304" "accepted-not-kept" Warning;
        /// Refused as stale with a token above the highest.
        RefusedThoughHigher "LD305" "refused-though-higher" Warning;
    }
    Words {
        /// A result outside the vocabulary.
        UnknownResult "LD401" "unknown-result" Error;
        /// An event outside the vocabulary.
        UnknownEvent "LD402" "unknown-event" Error;
        /// A result that belongs to another event.
        ResultOfAnotherEvent "LD403" "result-of-another-event" Error;
    }
    Order {
        /// Two different records share one `seq`.
        SeqShared "LD501" "seq-shared" Error;
        /// `seq` is lower than one before it in the same input.
        SeqBack "LD502" "seq-back" Note;
        /// `seq`, and nothing says who gave it.
        SeqWithoutOrigin "LD503" "seq-without-origin" Warning;
        /// Nothing but the clock orders the records of a lock.
        OnlyClock "LD504" "only-the-clock" Warning;
        /// The clock and `seq` disagree.
        ClockContradictsSeq "LD505" "clock-contradicts-seq" Note;
        /// The readings of the resource and the order of the records disagree.
        ReadingContradictsOrder "LD506" "reading-contradicts-order" Warning;
        /// A record that was there before.
        RepeatedRecord "LD507" "repeated-record" Note;
        /// Some records of a lock have `seq`, some do not.
        SeqOnSome "LD508" "seq-on-some" Warning;
        /// Lines with the newest first.
        LinesRunBackwards "LD509" "lines-run-backwards" Warning;
    }
    Identity {
        /// One lease with two owners.
        LeaseTwoOwners "LD601" "lease-two-owners" Warning;
        /// One lease with two tokens.
        LeaseTwoTokens "LD602" "lease-two-tokens" Warning;
        /// One token with two leases.
        TokenTwoLeases "LD603" "token-two-leases" Warning;
        /// One lease id in two spellings.
        LeaseTwoSpellings "LD604" "lease-two-spellings" Warning;
        /// Two names that differ only in how they are written.
        NamesAlike "LD605" "names-alike" Warning;
    }
    Handles {
        /// Released, and no lease was there.
        ReleaseWithoutLease "LD701" "release-without-lease" Warning;
    }
    Privacy {
        /// What looks like a password or a key.
        SecretLogged "LD801" "secret-logged" Note;
        /// An e-mail or network address.
        AddressLogged "LD802" "address-logged" Note;
        /// A UUID that carries the address of a network card.
        UuidWithMac "LD803" "uuid-with-mac" Note;
    }
    Upkeep {
        /// An ignore whose date has passed.
        IgnoreExpired "LD901" "ignore-expired" Warning;
        /// An ignore that matched nothing.
        IgnoreUnused "LD902" "ignore-unused" Note;
        /// A baseline entry that allows more than was found.
        BaselineStale "LD903" "baseline-stale" Note;
    }
}

impl Code {
    /// The code of that number or name; case does not matter.
    pub fn from_name(name: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| {
            code.id().eq_ignore_ascii_case(name) || code.name().eq_ignore_ascii_case(name)
        })
    }

    /// The number or name nearest to `name`, if it is near enough to be meant.
    pub fn nearest(name: &str) -> Option<&'static str> {
        let names = Code::ALL.iter().flat_map(|code| [code.id(), code.name()]);
        crate::near::nearest(name, names)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.id())
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Family};

    #[test]
    fn numbers_and_names_are_unique_and_lead_back() {
        for code in Code::ALL {
            assert_eq!(Code::from_name(code.id()), Some(*code));
            assert_eq!(Code::from_name(code.name()), Some(*code));
            assert!(Family::ALL.contains(&code.family()));
        }
        assert!(Code::ALL.windows(2).all(|pair| pair[0].id() < pair[1].id()));
        assert_eq!(Code::from_name("ld101"), Some(Code::UnreadableLine));
        assert_eq!(Code::nearest("names-alik"), Some("names-alike"));
        assert_eq!(Code::nearest("zzz"), None);
    }
}
