//! The checks, one file a family. Each takes a record and raises what it finds.

pub mod fields;
pub mod handles;
pub mod identity;
pub mod order;
pub mod privacy;
pub mod reading;
pub mod tokens;
pub mod upkeep;

use std::borrow::Cow;

use super::code::Code;
use super::collect::{About, Collector, Pointed, Words};
use super::members::Members;
use super::recent::hash;
use super::stood::Stood;
use crate::evidence::{Active, Field, Place, Record};
use crate::timeline::{Symbol, Symbols};

/// One record on its way through the checks.
#[derive(Debug, Clone, Copy)]
pub struct Checked<'r, 'f> {
    /// Where it stood.
    pub place: Place,
    /// The record.
    pub record: &'r Record<'r>,
    /// The members of its line.
    pub members: &'r Members<'f>,
    /// Its lock.
    pub lock: Symbol,
    /// Its names as numbers.
    pub hashes: &'r Hashes,
    /// Whether it is known that it was not there before. Where it is not, nothing is said
    /// of it, and what it would change in what is remembered is no longer known.
    pub sure: bool,
}

/// The names in a record as numbers: they are compared with those of many others.
#[derive(Debug)]
pub struct Hashes {
    owner: Option<u64>,
    lease: Option<u64>,
    key: Option<u64>,
    active_owner: Option<u64>,
    active_lease: Option<u64>,
}

impl Hashes {
    /// Those of a record.
    pub fn of(record: &Record<'_>) -> Hashes {
        let of = |name: &Option<Cow<'_, str>>| name.as_deref().map(hash);
        let (active_owner, active_lease) = match &record.active {
            Active::Lease { owner, lease, .. } => (of(owner), of(lease)),
            Active::Unrecorded | Active::None => (None, None),
        };
        Hashes {
            owner: of(&record.owner),
            lease: of(&record.lease),
            key: of(&record.key),
            active_owner,
            active_lease,
        }
    }
}

/// Where findings go.
#[derive(Debug)]
pub struct Desk<'c> {
    /// The collector.
    pub collector: &'c mut Collector,
    /// The names of locks.
    pub symbols: &'c Symbols,
}

impl Checked<'_, '_> {
    /// Points at a field of the record, or at its absence.
    fn point(&self, field: Field) -> Pointed<'_> {
        let (span, label) = self.members.point(field);
        Pointed {
            source: self.place.source,
            line: self.place.line,
            frame: self.members.frame,
            span,
            label,
        }
    }

    fn about(&self) -> About {
        About {
            lock: Some(self.lock),
            event: Some(self.record.event),
            ..About::default()
        }
    }
}

impl Desk<'_> {
    /// What stood elsewhere, in words for a person who looks at this record.
    fn line(&self, checked: &Checked<'_, '_>, there: Stood) -> String {
        let inputs = &self.collector.settings.inputs;
        there.seen_from(checked.place, inputs).to_string()
    }

    /// Raises a finding about a field of a record.
    fn at_field(
        &mut self,
        code: Code,
        checked: &Checked<'_, '_>,
        field: Field,
        words: impl FnOnce() -> Words,
    ) {
        self.at(code, checked, field, checked.about(), words);
    }

    /// The same, told once for each lock, step and field.
    fn at_field_once(
        &mut self,
        code: Code,
        checked: &Checked<'_, '_>,
        field: Field,
        words: impl FnOnce() -> Words,
    ) {
        let about = About {
            folded: true,
            ..checked.about()
        };
        self.at(code, checked, field, about, words);
    }

    fn at(
        &mut self,
        code: Code,
        checked: &Checked<'_, '_>,
        field: Field,
        about: About,
        words: impl FnOnce() -> Words,
    ) {
        if !checked.sure {
            return;
        }
        let about = About {
            field: Some(field),
            ..about
        };
        let at = checked.point(field);
        self.collector.raise(self.symbols, code, about, &at, words);
    }
}

/// The words of a finding.
fn words(message: impl Into<String>, hint: impl Into<String>, subject: impl Into<String>) -> Words {
    Words {
        message: message.into(),
        hint: hint.into(),
        subject: subject.into(),
    }
}
