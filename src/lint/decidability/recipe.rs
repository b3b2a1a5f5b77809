//! The vocabulary of the table of ways: which fields, on which records and in which order, are
//! enough for a class to show, and how firmly.

use super::orders::Orders;
use super::{Carried, needs, part};
use crate::diagnosis::OrderBy;
use crate::evidence::Field;
use crate::incident::{Class, Variant};
use crate::named::named;
use crate::timeline::OrderFacts;

named! {
    /// How firmly the records of a lock could say it.
    Level, "Every level, worst first." {
        /// It would not show at all.
        Blind "blind",
        /// It could be suspected, or left undecided with this class among the candidates.
        CanOnlySuspect "can-only-suspect",
        /// It could be proven.
        CanProve "can-prove",
    }
}

named! {
    /// On which records a field is needed.
    On, "Every kind of record that a field may be needed on." {
        /// Writes.
        Write "write",
        /// Acquisitions.
        Acquire "acquire",
        /// Renewals.
        Renew "renew",
        /// Releases.
        Release "release",
        /// Acquisitions, renewals, expiries and releases.
        LeaseSteps "lease-steps",
        /// Every record of the lock.
        EveryRecord "every-record",
    }
}

/// A field on some records.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
    schemars::JsonSchema,
)]
pub struct Need {
    /// On which records.
    pub on: On,
    /// The field.
    pub field: Field,
}

/// A way in which a class shows.
#[derive(Debug, PartialEq, Eq)]
pub struct Way {
    /// The class.
    pub class: Class,
    /// The name in every output.
    pub name: &'static str,
    /// The question that it asks.
    pub question: &'static str,
    /// The variants that answer it.
    pub variants: &'static [Variant],
    /// The records concerned.
    pub concerned: On,
    /// What is enough.
    pub recipes: &'static [Recipe],
}

impl Way {
    /// The smallest sets of fields with which it is provable throughout, where nothing is
    /// recorded yet.
    pub fn enough(&self) -> Vec<Vec<Need>> {
        let unordered = Orders::of(&OrderFacts::default(), OrderBy::Auto);
        needs(self, &Carried::default(), unordered, &[])
    }
}

/// What is enough for one level.
#[derive(Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The level that it reaches.
    pub level: Level,
    /// Whether it shows every such incident; else some of them.
    pub full: bool,
    /// What one write must carry.
    pub write: u16,
    /// What one acquisition must carry.
    pub acquire: u16,
    /// What one release must carry.
    pub release: u16,
    /// What one renewal must carry.
    pub renew: u16,
    /// What any record of the lock must show.
    pub any: u16,
    /// The order that it needs.
    pub order: OrderNeed,
}

/// An order that a recipe needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderNeed {
    /// None.
    None,
    /// Any known order.
    Known,
    /// An order of writes that the resource or the authority gave.
    Writes,
    /// An order of lease steps that the resource or the authority gave.
    Leases,
}

impl Recipe {
    pub(super) fn parts(&self) -> [(On, u16); 4] {
        [
            (On::Write, self.write),
            (On::Acquire, self.acquire),
            (On::Release, self.release),
            (On::Renew, self.renew),
        ]
    }

    pub(super) fn part_on(&self, on: On) -> u16 {
        self.parts()
            .into_iter()
            .find_map(|(step, parts)| (step == on).then_some(parts))
            .unwrap_or_default()
    }

    /// Whether fields alone can satisfy it.
    pub(super) fn is_about_fields(&self) -> bool {
        self.parts()
            .iter()
            .all(|(_, parts)| parts & (part::REFUSED | part::DUPLICATE) == 0)
    }
}
