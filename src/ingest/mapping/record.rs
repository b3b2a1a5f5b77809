//! From filled slots to what is said of the line.

use crate::evidence::Field;
use crate::ingest::{Output, Problem, ProblemKind};

use super::draft::{Built, Draft};
use super::found::{Found, problem};
use super::slot::{Kind, Slot};
use super::spec::{Condition, FieldPlan, Mapping, Meaning, Quick, Shape, Test};
use super::split::split;

/// What looking at one record came to, for those who watch.
pub(crate) trait Watch {
    /// A shape was chosen (or none), and its fields were asked.
    fn seen(&mut self, shape: Option<&Shape>, found: &[(Field, Found<'_>)], slots: &[Slot]);
}

/// Builds the record of the filled slots and reports it; whether anything but
/// another line was reported (for a line of text and of JSON without `each`, another
/// line is reported here).
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
    let sure = shape.is_sure(mapping.format);
    match draft.build(&mut problems) {
        Built::Record(record) => {
            output.record(offset, &record, &problems);
            true
        }
        Built::NoLock if sure => {
            output.reject(problem(
                ProblemKind::NoLock,
                Field::LockName,
                offset..text.len(),
                format!("a line of {} names no lock", called(shape)),
                "look where lockName comes from: lint --explain-mapping shows it",
            ));
            also(output, problems);
            true
        }
        Built::NoEvent if sure => {
            output.reject(problem(
                ProblemKind::NoEvent,
                Field::Event,
                offset..text.len(),
                format!("a line of {} says neither event nor result", called(shape)),
                "look where result comes from: lint --explain-mapping shows it",
            ));
            also(output, problems);
            true
        }
        Built::Spoiled(problem) => {
            output.reject(problem);
            also(output, problems);
            true
        }
        Built::NoLock | Built::NoEvent => {
            if !nested {
                output.other();
            }
            false
        }
    }
}

/// Tells what else is wrong with what was rejected.
fn also(output: &mut dyn Output, problems: Vec<Problem>) {
    problems
        .into_iter()
        .for_each(|problem| output.also(problem));
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
        (Field::Result, Some(((_, word), meaning))) => {
            draft.answer(word, slot.span(), meaning.answer);
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
