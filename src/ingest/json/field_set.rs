//! Sets of fields, one bit each.

use crate::evidence::Field;

/// A set of fields.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct FieldSet(u32);

/// The fields of which any shows that an object is meant as evidence.
pub(super) const EVIDENCE: FieldSet = FieldSet::of(&Field::MARKS);
/// The parts of the lease current at the authority.
pub(super) const ACTIVE: FieldSet = FieldSet::of(&[
    Field::ActiveOwnerId,
    Field::ActiveLeaseId,
    Field::ActiveFenceToken,
]);

impl FieldSet {
    const fn of(fields: &[Field]) -> FieldSet {
        let (mut set, mut n) = (0, 0);
        while n < fields.len() {
            set |= 1 << fields[n] as u32;
            n += 1;
        }
        FieldSet(set)
    }

    /// The fields of which a bit is set, by their numbers; other bits do not matter.
    pub(super) fn from_bits(bits: u32) -> FieldSet {
        FieldSet(bits)
    }

    /// Whether any field is in both.
    pub(super) fn meets(self, other: FieldSet) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn insert(&mut self, field: Field) {
        self.0 |= 1 << field as u32;
    }

    pub(super) fn contains(self, field: Field) -> bool {
        self.0 & (1 << field as u32) != 0
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}
