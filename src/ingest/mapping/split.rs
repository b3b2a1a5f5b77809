//! Takes values apart that hold several.

use std::ops::Range;

use super::slot::{Kind, Slot};
use super::spec::{Split, SplitBy};
use crate::ingest::{Problem, ProblemKind};

/// Fills the slots of parts.
pub(super) fn split(splits: &[Split], slots: &mut [Slot], text: &str, problems: &mut Vec<Problem>) {
    for split in splits {
        for slot in split.into.iter().flatten() {
            if let Some(slot) = slots.get_mut(*slot) {
                slot.clear();
            }
        }
        // The value is out while its parts are put into the other slots.
        let Some(from) = slots.get_mut(split.from).map(std::mem::take) else {
            continue;
        };
        match from.kind {
            Kind::Missing | Kind::Whole => {}
            Kind::Null => none_of(split, slots, from.span()),
            _ => split.parts(&from, slots, text, problems),
        }
        if let Some(slot) = slots.get_mut(split.from) {
            *slot = from;
        }
    }
}

fn none_of(split: &Split, slots: &mut [Slot], span: Range<usize>) {
    for slot in split.into.iter().flatten() {
        if let Some(slot) = slots.get_mut(*slot) {
            slot.set(Kind::Null, span.clone(), false);
        }
    }
}

impl Split {
    fn parts(&self, from: &Slot, slots: &mut [Slot], text: &str, problems: &mut Vec<Problem>) {
        let value = from.text(text);
        if self.is_none(&value) {
            return none_of(self, slots, from.span());
        }
        let whole = match &self.by {
            SplitBy::Text(by) => {
                let count = value.matches(by.as_str()).count() + 1;
                if count == self.into.len() {
                    let mut start = 0;
                    for (slot, part) in self.into.iter().zip(value.split(by.as_str())) {
                        self.part(from, slots, *slot, &value, start..start + part.len());
                        start += part.len() + by.len();
                    }
                }
                count == self.into.len()
            }
            SplitBy::Pattern(regex, groups) => {
                let captures = regex.captures(&value);
                if let Some(captures) = &captures {
                    for (slot, group) in self.into.iter().zip(groups) {
                        if let Some(part) = captures.get(*group) {
                            self.part(from, slots, *slot, &value, part.range());
                        }
                    }
                }
                captures.is_some()
            }
        };
        if !whole && !self.optional {
            problems.push(Problem {
                kind: ProblemKind::Unmapped,
                field: None,
                span: from.span(),
                message: format!("`{}` does not split as the mapping says", self.label),
                hint: "see `by` and `pattern` of the split, or set optional = true".to_owned(),
            });
        }
    }

    fn is_none(&self, text: &str) -> bool {
        self.none.iter().any(|none| none == text)
    }

    fn part(
        &self,
        from: &Slot,
        slots: &mut [Slot],
        slot: Option<usize>,
        value: &str,
        part: Range<usize>,
    ) {
        let Some(slot) = slot.and_then(|slot| slots.get_mut(slot)) else {
            return;
        };
        let raw = value.get(part.clone()).unwrap_or_default();
        if self.is_none(raw) {
            return slot.set(Kind::Null, from.span(), false);
        }
        match from.place() {
            Some(place) => {
                let place = place.start + part.start..place.start + part.end;
                if from.is_nested() {
                    slot.set_inside(Kind::Text, from.span(), place);
                } else {
                    // Parts of a text that stands in the frame stand there themselves.
                    slot.set(Kind::Text, place, false);
                }
            }
            None => slot.set_owned(Kind::Text, from.span(), raw.to_owned()),
        }
    }
}
