//! From filled slots straight to a compact record, where nothing of it is in doubt.
//!
//! What is flawed, computed, or written with escapes is left to [`Draft`](super::draft::Draft),
//! which alone says what is wrong. So what comes out here is what it would make, and a test
//! holds the two together.

use std::ops::Range;

use super::plan::SlotId;
use super::slot::{Kind, Slot};
use super::spec::{FieldPlan, Meaning, Quick};
use crate::evidence::{Event, Field, Origin};
use crate::ingest::compact::{self, Compact, Span};
use crate::ingest::plain::integer;
use crate::ingest::verdict::{Given, decide};

/// How the fields of a shape are taken at once.
#[derive(Debug)]
pub(crate) struct Targets(Box<[(SlotId, Target)]>, Constants);

/// What is the same in every line.
#[derive(Debug, Default)]
struct Constants {
    event: Option<Event>,
    result: Option<Meaning>,
    seq_by: Option<Origin>,
}

/// What a value is taken for.
#[derive(Debug)]
enum Target {
    Name(Name),
    Number(Number),
    SeqBy,
    Event,
    Result,
    /// Nothing; it must not stand there twice all the same.
    Nothing,
    /// A foreign word for an event or a result, and what each means.
    WordOfEvent(Box<[(Box<[u8]>, Meaning)]>),
    WordOfResult(Box<[(Box<[u8]>, Meaning)]>),
}

#[derive(Debug, Clone, Copy)]
enum Name {
    Lock,
    Owner,
    Lease,
    Key,
    Operation,
    ActiveOwner,
    ActiveLease,
}

#[derive(Debug, Clone, Copy)]
enum Number {
    Token,
    Before,
    After,
    ActiveToken,
    Seq,
}

impl Targets {
    /// `None` where a field takes more than to look at one value.
    pub(super) fn of(fields: &[FieldPlan]) -> Option<Targets> {
        let mut targets = Vec::new();
        let mut constants = Constants::default();
        for plan in fields {
            match &plan.quick {
                Quick::Plain(slot) => targets.push((*slot, Target::plain(plan.field))),
                Quick::Word(slot, meanings) => {
                    let table = &plan.sources.first()?.words.as_ref()?.table;
                    let words = table.iter().map(|(word, _)| word.as_bytes().into());
                    let words = words.zip(meanings.iter().copied()).collect();
                    targets.push((
                        *slot,
                        match plan.field {
                            Field::Event => Target::WordOfEvent(words),
                            _ => Target::WordOfResult(words),
                        },
                    ));
                }
                Quick::Event(event) => constants.event = Some(*event),
                Quick::Answer(meaning) => constants.result = Some(*meaning),
                Quick::SeqBy(origin) => constants.seq_by = Some(*origin),
                Quick::None => return None,
            }
        }
        Some(Targets(targets.into(), constants))
    }

    /// The record of a line; its texts stand in `text`. `None` where it is in doubt.
    pub(super) fn record(&self, slots: &[Slot], text: &str) -> Option<Compact> {
        let Targets(targets, constants) = self;
        let mut found = Found {
            event: constants.event,
            result: constants.result.as_ref().map(Word::Meant),
            ..Found::default()
        };
        found.record.seq_by = constants.seq_by;
        for (slot, target) in targets {
            let slot = slots.get(*slot)?;
            match slot.kind {
                Kind::Missing => {}
                Kind::Null => found.active_null |= target.is_active(),
                Kind::Whole if !slot.twice => {}
                Kind::Bool | Kind::Whole => return None,
                Kind::Number | Kind::Text => found.take(target, slot, text)?,
            }
        }
        found.compact()
    }
}

impl Target {
    /// What a value is taken for as it is.
    fn plain(field: Field) -> Target {
        match field {
            Field::LockName => Target::Name(Name::Lock),
            Field::OwnerId => Target::Name(Name::Owner),
            Field::LeaseId => Target::Name(Name::Lease),
            Field::ResourceKey => Target::Name(Name::Key),
            Field::OperationId => Target::Name(Name::Operation),
            Field::ActiveOwnerId => Target::Name(Name::ActiveOwner),
            Field::ActiveLeaseId => Target::Name(Name::ActiveLease),
            Field::FenceToken => Target::Number(Number::Token),
            Field::ResourceHighestTokenBefore => Target::Number(Number::Before),
            Field::ResourceHighestTokenAfter => Target::Number(Number::After),
            Field::ActiveFenceToken => Target::Number(Number::ActiveToken),
            Field::Seq => Target::Number(Number::Seq),
            Field::SeqBy => Target::SeqBy,
            Field::Event => Target::Event,
            Field::Result => Target::Result,
            Field::ActiveLease | Field::Ts => Target::Nothing,
        }
    }

    fn is_active(&self) -> bool {
        matches!(
            self,
            Target::Name(Name::ActiveOwner | Name::ActiveLease)
                | Target::Number(Number::ActiveToken)
        )
    }
}

/// What was found so far.
#[derive(Default)]
struct Found<'s> {
    record: Compact,
    has_lock: bool,
    event: Option<Event>,
    result: Option<Word<'s>>,
    active_null: bool,
    active_known: bool,
}

/// The word of a result.
enum Word<'s> {
    Written(&'s str),
    Meant(&'s Meaning),
}

impl<'s> Found<'s> {
    /// Takes a value.
    #[inline]
    fn take(&mut self, target: &'s Target, slot: &Slot, text: &'s str) -> Option<()> {
        let place = slot.place().filter(|_| !slot.twice)?;
        match target {
            Target::Name(name) => self.name(*name, slot.kind, text, &place)?,
            Target::Number(number) => self.number(*number, text, &place)?,
            Target::Nothing => {}
            Target::SeqBy => self.record.seq_by = Some(Origin::from_word(text.get(place)?)?),
            Target::Event => self.event = Some(Event::from_word(text.get(place)?).ok()?),
            Target::Result => self.result = Some(Word::Written(text.get(place)?)),
            Target::WordOfEvent(words) => self.event = Some(meaning(words, text, place)?.event?),
            Target::WordOfResult(words) => {
                self.result = Some(Word::Meant(meaning(words, text, place)?));
            }
        }
        Some(())
    }

    #[inline]
    fn name(&mut self, name: Name, kind: Kind, text: &str, place: &Range<usize>) -> Option<()> {
        // A number is a name where it is a whole one.
        if kind == Kind::Number && text.get(place.clone())?.contains(['.', 'e', 'E']) {
            return None;
        }
        let span = Span::new(place.start, place.len())?;
        let record = &mut self.record;
        let to = match name {
            Name::Lock => {
                self.has_lock = !place.is_empty();
                &mut record.lock
            }
            Name::Owner => &mut record.owner,
            Name::Lease => &mut record.lease,
            Name::Key => &mut record.key,
            Name::Operation => &mut record.operation,
            Name::ActiveOwner => {
                self.active_known = true;
                &mut record.active_owner
            }
            Name::ActiveLease => {
                self.active_known = true;
                &mut record.active_lease
            }
        };
        *to = span;
        Some(())
    }

    #[inline]
    fn number(&mut self, number: Number, text: &str, place: &Range<usize>) -> Option<()> {
        let found = match integer(text.as_bytes(), place.start) {
            Some((found, digits)) if digits == place.len() => found,
            _ => super::draft::number(text.get(place.clone())?).ok()?,
        };
        let record = &mut self.record;
        let (to, bit) = match number {
            Number::Token => (&mut record.token, compact::TOKEN),
            Number::Before => (&mut record.before, compact::BEFORE),
            Number::After => (&mut record.after, compact::AFTER),
            Number::ActiveToken => {
                self.active_known = true;
                (&mut record.active_token, compact::ACTIVE_TOKEN)
            }
            Number::Seq => (&mut record.seq, compact::SEQ),
        };
        *to = found;
        record.has |= bit;
        Some(())
    }

    /// The record that it makes.
    fn compact(self) -> Option<Compact> {
        let mut record = self.record;
        let has_token = record.has & compact::TOKEN != 0;
        let written = |result| decide(self.event.into(), result, has_token).sound();
        (record.event, record.answer) = match self.result {
            Some(Word::Meant(meaning)) => meaning.step(self.event, has_token),
            Some(Word::Written(word)) => written(Given::This(word)),
            None => written(Given::Nothing),
        }?;
        if self.active_known {
            record.has |= compact::ACTIVE_LEASE;
        } else if self.active_null {
            record.has |= compact::ACTIVE_NONE;
        }
        self.has_lock.then_some(record)
    }
}

/// What a foreign word means; another spelling of one is in doubt.
#[inline]
fn meaning<'w>(
    words: &'w [(Box<[u8]>, Meaning)],
    text: &str,
    place: Range<usize>,
) -> Option<&'w Meaning> {
    let word = text.as_bytes().get(place)?;
    let mut words = words.iter();
    let (_, meaning) = words.find(|(known, _)| **known == *word)?;
    Some(meaning)
}

#[cfg(test)]
mod tests;
