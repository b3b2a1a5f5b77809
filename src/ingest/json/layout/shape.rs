//! What the fields of a line come to, as far as the values make no difference.

use super::super::field_set::{ACTIVE, EVIDENCE, FieldSet};
use super::step::{OTHER, ROWS, Step, Told, Word};
use crate::evidence::{Answer, Event, Field, Origin};
use crate::ingest::compact::{self, Compact, Span};
use crate::ingest::verdict::decide;

/// The values of a line, by row; where it has none, what is left of a line before.
#[derive(Debug)]
pub(super) struct Values {
    pub(super) texts: [Span; ROWS],
    pub(super) numbers: [u64; ROWS],
}

impl Default for Values {
    fn default() -> Values {
        Values {
            texts: [Span::ABSENT; ROWS],
            numbers: [0; ROWS],
        }
    }
}

/// What a line gave so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Path {
    /// The fields, a bit by row, and those of them that are null.
    given: u32,
    null: u32,
    event: Option<Event>,
    seq_by: Option<Origin>,
    result: Option<Word>,
    has_foreign: bool,
    steps: usize,
}

/// What a line comes to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// One good record.
    Record(RecordShape),
    /// No evidence.
    Other,
    /// Whatever the JSON parser has to say.
    Doubt,
}

/// All of a record but its values.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordShape {
    there: FieldSet,
    has: u8,
    event: Event,
    answer: Answer,
    seq_by: Option<Origin>,
}

impl Path {
    /// Whether nothing was given.
    pub(super) fn is_empty(&self) -> bool {
        self.steps == 0
    }

    /// Adds a value. `None` if its field was given before.
    pub(super) fn add(&mut self, step: Step, told: Told) -> Option<()> {
        let bit = 1 << step.row;
        if self.given & bit != 0 && step.row != OTHER {
            return None;
        }
        self.given |= bit;
        self.steps += 1;
        self.has_foreign |= step.is_foreign;
        match told {
            Told::Nothing => {}
            Told::Null => self.null |= bit,
            Told::Event(event) => self.event = Some(event),
            Told::SeqBy(origin) => self.seq_by = Some(origin),
            Told::Result(word) => self.result = Some(word),
        }
        Some(())
    }

    /// What a line comes to that ends here.
    pub(super) fn shape(&self) -> Shape {
        if self.steps == 0 {
            return Shape::Doubt;
        }
        if !self.there().meets(EVIDENCE) {
            return Shape::Other;
        }
        self.record().map_or(Shape::Doubt, Shape::Record)
    }

    fn there(&self) -> FieldSet {
        FieldSet::from_bits(self.given & !self.null)
    }

    fn record(&self) -> Option<RecordShape> {
        let (there, null) = (self.there(), FieldSet::from_bits(self.null));
        let some_active = there.meets(ACTIVE);
        let in_doubt = self.has_foreign
            || !there.contains(Field::LockName)
            || null.contains(Field::ActiveLease) && some_active;
        if in_doubt {
            return None;
        }
        let result = self.result.as_ref().map(Word::text);
        let has_token = there.contains(Field::FenceToken);
        let (event, answer) = decide(self.event.into(), result.into(), has_token).sound()?;
        let mut has = 0;
        for (field, bit) in [
            (Field::FenceToken, compact::TOKEN),
            (Field::ResourceHighestTokenBefore, compact::BEFORE),
            (Field::ResourceHighestTokenAfter, compact::AFTER),
            (Field::Seq, compact::SEQ),
            (Field::ActiveFenceToken, compact::ACTIVE_TOKEN),
        ] {
            has |= if there.contains(field) { bit } else { 0 };
        }
        if some_active {
            has |= compact::ACTIVE_LEASE;
        } else if null.contains(Field::ActiveLease) || null.meets(ACTIVE) {
            has |= compact::ACTIVE_NONE;
        }
        Some(RecordShape {
            there,
            has,
            event,
            answer,
            seq_by: self.seq_by,
        })
    }
}

impl RecordShape {
    /// The record of a line with these values.
    #[inline(always)]
    pub(super) fn compact(self, values: &Values) -> Compact {
        let text = |field: Field| match self.there.contains(field) {
            true => values.texts[field as usize],
            false => Span::ABSENT,
        };
        // Of a number that is not there nobody reads what it was before.
        let number = |field: Field| values.numbers[field as usize];
        Compact {
            lock: text(Field::LockName),
            owner: text(Field::OwnerId),
            lease: text(Field::LeaseId),
            key: text(Field::ResourceKey),
            operation: text(Field::OperationId),
            active_owner: text(Field::ActiveOwnerId),
            active_lease: text(Field::ActiveLeaseId),
            token: number(Field::FenceToken),
            before: number(Field::ResourceHighestTokenBefore),
            after: number(Field::ResourceHighestTokenAfter),
            seq: number(Field::Seq),
            active_token: number(Field::ActiveFenceToken),
            has: self.has,
            event: self.event,
            answer: self.answer,
            seq_by: self.seq_by,
        }
    }
}
