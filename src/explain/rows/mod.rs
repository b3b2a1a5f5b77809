//! The rows of the diagnosis as data: when each fits, and what it then says.
//!
//! `explain` and docs/diagnosis.md are made from them. A row is named by its block and
//! by what it says there; `tests/cases/<row>/` holds the case that shows it.

mod accepted;
mod authority;
mod refused;
mod whole;

use crate::evidence::Field;
use crate::incident::catalogue::Language;
use crate::incident::{Assumption, Class, Outcome, Status, Variant};

/// One text in every language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    /// English.
    pub en: &'static str,
    /// Russian.
    pub ru: &'static str,
}

impl Said {
    /// The text in that language.
    pub const fn get(self, language: Language) -> &'static str {
        match language {
            Language::En => self.en,
            Language::Ru => self.ru,
        }
    }
}

const fn said(en: &'static str, ru: &'static str) -> Said {
    Said { en, ru }
}

/// A group of rows that are tried together: the first that fits counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Block {
    /// An accepted write: is it late?
    WriteLate,
    /// An accepted write: does the resource keep the token?
    WriteKept,
    /// An accepted write without a token.
    WriteNoToken,
    /// A write, accepted or refused: was it here before?
    Delivery,
    /// A write refused as stale: why?
    WriteRefused,
    /// Releases and renewals.
    Release,
    /// The issue of tokens.
    Tokens,
    /// What is judged when the whole input has been seen.
    End,
}

impl Block {
    /// Every block, in documented order.
    pub const ALL: [Block; 8] = [
        Block::WriteLate,
        Block::WriteKept,
        Block::WriteNoToken,
        Block::Delivery,
        Block::WriteRefused,
        Block::Release,
        Block::Tokens,
        Block::End,
    ];

    /// The first part of the names of its rows.
    pub const fn name(self) -> &'static str {
        match self {
            Block::WriteLate => "write-late",
            Block::WriteKept => "write-kept",
            Block::WriteNoToken => "write-no-token",
            Block::Delivery => "delivery",
            Block::WriteRefused => "write-refused",
            Block::Release => "release",
            Block::Tokens => "tokens",
            Block::End => "end",
        }
    }

    /// The rows of the block, in the order in which they are tried.
    pub const fn rows(self) -> &'static [Row] {
        match self {
            Block::WriteLate => accepted::LATE,
            Block::WriteKept => accepted::KEPT,
            Block::WriteNoToken => accepted::NO_TOKEN,
            Block::Delivery => refused::DELIVERY,
            Block::WriteRefused => refused::REFUSED,
            Block::Release => authority::RELEASE,
            Block::Tokens => authority::TOKENS,
            Block::End => whole::END,
        }
    }
}

/// How firmly a row speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strength {
    /// Always with this status.
    Always(Status),
    /// Proven where the resource or the authority gave the order, else suspected.
    ByOrder,
}

/// What a row says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// An incident.
    Incident {
        /// Its variant, and so its class.
        variant: Variant,
        /// Its status.
        strength: Strength,
        /// Its outcome.
        outcome: Outcome,
        /// What it takes on trust.
        assumes: &'static [Assumption],
        /// The fields that would settle it.
        missing: &'static [Field],
        /// The classes left.
        candidates: &'static [Class],
    },
    /// No incident.
    Nothing,
    /// It is told by another row.
    Elsewhere(Said),
}

/// One row of the diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Its name: the block, a point, what it says there.
    pub id: &'static str,
    /// The condition. `t` is the token, `b` and `a` are the highest token before and
    /// after, `k` is the resource key, `H(k)` the highest token shown accepted there.
    pub when: Said,
    /// What follows.
    pub verdict: Verdict,
}

impl Row {
    /// The variant that it says, if it says an incident.
    pub const fn variant(&self) -> Option<Variant> {
        match self.verdict {
            Verdict::Incident { variant, .. } => Some(variant),
            Verdict::Nothing | Verdict::Elsewhere(_) => None,
        }
    }
}

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Row> {
    Block::ALL.into_iter().flat_map(|block| block.rows())
}

/// The rows that say a variant.
pub fn of(variant: Variant) -> impl Iterator<Item = &'static Row> {
    all().filter(move |row| row.variant() == Some(variant))
}

/// What tells two incidents of one variant apart.
pub const fn subject(variant: Variant) -> Said {
    match variant {
        Variant::RemovedOtherLease | Variant::RenewedOtherLease => said(
            "lock, and the lease that the release or renewal met",
            "блокировка и аренда, на которую пришлось освобождение или продление",
        ),
        Variant::ReleaseRefused => said(
            "lock, and the lease whose release was refused",
            "блокировка и аренда, чьё освобождение отклонено",
        ),
        Variant::AppliedAgain | Variant::Redelivered | Variant::RefusedAgain => said(
            "lock, and the operation (the token, where no operation is recorded)",
            "блокировка и операция (токен, если операция не записана)",
        ),
        Variant::TokenRepeated => said("lock, and the token", "блокировка и токен"),
        Variant::KeysDiverge => said("lock", "блокировка"),
        Variant::TwoLocksOneKey => said("resource key", "ключ ресурса"),
        Variant::Shared | Variant::WentBack | Variant::OutOfStep => said(
            "lock, and the later lease",
            "блокировка и более поздняя аренда",
        ),
        Variant::Forked => said(
            "lock, resource key, and the highest token that both writes read",
            "блокировка, ключ ресурса и наибольший токен, прочитанный обеими записями",
        ),
        Variant::WriteRefused
        | Variant::NotCompared
        | Variant::BothAccepted
        | Variant::NotStored
        | Variant::HighestLost
        | Variant::LeaseSuperseded
        | Variant::LateWriteOtherKey
        | Variant::KeyUnknown
        | Variant::EqualTokenRefused
        | Variant::SameLeaseToken
        | Variant::Contradiction
        | Variant::NoReading
        | Variant::OrderUnknown
        | Variant::NewerOwnerSilent => said(
            "lock, resource key, and the late token",
            "блокировка, ключ ресурса и опоздавший токен",
        ),
    }
}

const PROVEN: Strength = Strength::Always(Status::Proven);
const SUSPECTED: Strength = Strength::Always(Status::Suspected);
const UNDECIDED: Strength = Strength::Always(Status::Undecided);
const TOKENS_GROW: &[Assumption] = &[Assumption::OrderedTokens];

/// An incident without further conditions.
const fn says(variant: Variant, strength: Strength, outcome: Outcome) -> Verdict {
    Verdict::Incident {
        variant,
        strength,
        outcome,
        assumes: &[],
        missing: &[],
        candidates: &[],
    }
}

/// An incident that takes something on trust.
const fn trusts(
    variant: Variant,
    strength: Strength,
    outcome: Outcome,
    assumes: &'static [Assumption],
) -> Verdict {
    Verdict::Incident {
        variant,
        strength,
        outcome,
        assumes,
        missing: &[],
        candidates: &[],
    }
}

/// An incident that lacks fields.
const fn lacks(
    variant: Variant,
    strength: Strength,
    outcome: Outcome,
    missing: &'static [Field],
) -> Verdict {
    Verdict::Incident {
        variant,
        strength,
        outcome,
        assumes: &[],
        missing,
        candidates: &[],
    }
}

/// An undecided incident.
const fn open(
    variant: Variant,
    outcome: Outcome,
    candidates: &'static [Class],
    missing: &'static [Field],
) -> Verdict {
    Verdict::Incident {
        variant,
        strength: UNDECIDED,
        outcome,
        assumes: &[],
        missing,
        candidates,
    }
}
