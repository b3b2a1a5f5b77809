//! From filled slots to what is said of the line.

use std::ops::Range;

use crate::evidence::Field;
use crate::ingest::{Output, Problem, ProblemKind};

use super::draft::{Built, Draft};
use super::found::{Found, problem};
use super::slot::{Kind, Slot};
use super::spec::{Condition, FieldPlan, Format, Mapping, Meaning, Quick, Shape, Test};
use super::split::split;

/// What looking at one record came to, for those who watch.
pub(crate) trait Watch {
    /// A shape was chosen (or none), and its fields were asked.
    fn seen(&mut self, shape: Option<&Shape>, found: &[(Field, Found<'_>)], slots: &[Slot]);
}

/// Builds the record of the filled slots and reports it; whether anything but another line
/// was reported. A line that is no evidence is reported here, unless a mapping with `each`
/// reads several records of it: only who reads them all knows whether there was one.
pub(super) fn record(
    mapping: &Mapping,
    slots: &mut [Slot],
    text: &str,
    shape: Option<&Shape>,
    offset: usize,
    output: &mut dyn Output,
    watch: &mut Option<&mut dyn Watch>,
) -> bool {
    let nested = mapping.levels.len() > 1;
    let shape = shape.or_else(|| {
        mapping
            .shapes
            .iter()
            .find(|shape| fits(&shape.when, slots, text))
    });
    let Some(shape) = shape else {
        if let Some(watch) = watch {
            watch.seen(None, &[], slots);
        }
        if !nested {
            output.other();
        }
        return false;
    };
    let mut problems = Vec::new();
    if watch.is_none()
        && !nested
        && let Some(targets) = &shape.at_once
        && let Some(compact) = targets.record(slots, text)
    {
        output.compact(compact, text);
        return true;
    }
    split(&shape.splits, slots, text, &mut problems);
    let mut draft = Draft::default();
    let mut seen = Vec::new();
    for plan in &shape.fields {
        if watch.is_none() && quick(plan, &mut draft, slots, text, &mut problems) {
            continue;
        }
        let found = plan.find(slots, text, &mut problems);
        if watch.is_some() {
            seen.push((plan.field, found.clone()));
        }
        draft.take(plan.field, found, &mut problems);
    }
    if let Some(watch) = watch {
        watch.seen(Some(shape), &seen, slots);
    }
    let built = draft.build(&mut problems);
    let place = offset..text.len();
    let told = report(built, shape, mapping.format, place, problems, output);
    if !told && !nested {
        output.other();
    }
    told
}

/// Reports what a draft of a shape came to, which stands at `place`; whether there was
/// anything to report.
fn report(
    built: Built<'_>,
    shape: &Shape,
    format: Format,
    place: Range<usize>,
    problems: Vec<Problem>,
    output: &mut dyn Output,
) -> bool {
    let reject = match built {
        Built::Record(record) => {
            output.record(place.start, &record, &problems);
            return true;
        }
        Built::Spoiled(problem) => problem,
        Built::NoLock | Built::NoEvent if !shape.is_sure(format) => return false,
        Built::NoLock => problem(
            ProblemKind::NoLock,
            Field::LockName,
            place,
            format!("a line of {} names no lock", called(shape)),
            "look where lockName comes from: lint --explain-mapping shows it",
        ),
        Built::NoEvent => problem(
            ProblemKind::NoEvent,
            Field::Event,
            place,
            format!("a line of {} says neither event nor result", called(shape)),
            "look where result comes from: lint --explain-mapping shows it",
        ),
    };
    output.reject(reject);
    problems
        .into_iter()
        .for_each(|problem| output.also(problem));
    true
}

/// What `find` does in the common cases, without the detour; `false` if this is none.
#[inline]
fn quick<'s>(
    plan: &'s FieldPlan,
    draft: &mut Draft<'s>,
    slots: &'s [Slot],
    text: &'s str,
    problems: &mut Vec<Problem>,
) -> bool {
    let id = match &plan.quick {
        Quick::Plain(slot) | Quick::Word(slot, _) => *slot,
        Quick::Event(event) => {
            draft.step(*event);
            return true;
        }
        Quick::None | Quick::Answer(_) | Quick::SeqBy(_) => return false,
    };
    let Some(slot) = slots.get(id) else {
        return false;
    };
    match slot.kind {
        Kind::Null => {
            draft.null(plan.field);
            return true;
        }
        _ if slot.twice => return false,
        Kind::Missing | Kind::Whole => return true,
        _ => {}
    }
    let value = slot.text(text);
    let Quick::Word(_, meanings) = &plan.quick else {
        draft.value(plan.field, value, slot.kind, slot.span(), problems);
        return true;
    };
    // Another spelling of the word is for the table itself.
    let words = plan
        .sources
        .first()
        .and_then(|source| source.words.as_ref());
    let table = words
        .map(|words| words.table.as_slice())
        .unwrap_or_default();
    let found = table
        .iter()
        .zip(meanings)
        .find(|((word, _), _)| *word == value);
    match (plan.field, found) {
        (
            Field::Event,
            Some((
                _,
                Meaning {
                    event: Some(event), ..
                },
            )),
        ) => draft.step(*event),
        (Field::Result, Some(((_, word), _))) => {
            draft.answer(word, slot.span());
        }
        _ => return false,
    }
    true
}

/// Whether all conditions hold.
pub(super) fn fits(when: &[Condition], slots: &[Slot], text: &str) -> bool {
    when.iter().all(|condition| {
        let slot = slots.get(condition.slot);
        let there = slot.is_some_and(|s| !matches!(s.kind, Kind::Missing | Kind::Null));
        let value = slot.map(|slot| slot.text(text)).unwrap_or_default();
        let among = |words: &[String]| there && words.iter().any(|word| *word == *value);
        match &condition.test {
            Test::Is(words) => among(words),
            Test::Not(words) => !among(words),
            Test::Exists(yes) => there == *yes,
            Test::Matches(regex) => there && regex.is_match(&value),
        }
    })
}

fn called(shape: &Shape) -> String {
    if shape.name.is_empty() {
        "the mapping".to_owned()
    } else {
        format!("shape `{}`", shape.name)
    }
}
