//! Takes values apart that hold several.

use std::ops::Range;

use super::dialect::Mapped;
use super::slot::Kind;
use super::spec::{Split, SplitBy};
use crate::ingest::{Problem, ProblemKind};

impl Mapped {
    /// Fills the slots of parts.
    pub(super) fn split(&mut self, splits: &[Split], text: &str, problems: &mut Vec<Problem>) {
        for split in splits {
            for slot in split.into.iter().flatten() {
                if let Some(slot) = self.slots.get_mut(*slot) {
                    slot.clear();
                }
            }
            let Some(from) = self.slots.get(split.from).cloned() else {
                continue;
            };
            match from.kind {
                Kind::Missing | Kind::Whole => continue,
                Kind::Null => {
                    self.none_of(split, from.span());
                    continue;
                }
                _ => {}
            }
            let value = from.text(text);
            if split.none.iter().any(|none| *none == *value) {
                self.none_of(split, from.span());
                continue;
            }
            let Some(parts) = split.by.parts(&value, split.into.len()) else {
                if !split.optional {
                    problems.push(Problem {
                        kind: ProblemKind::Unmapped,
                        field: None,
                        span: from.span(),
                        message: format!("`{}` does not split as the mapping says", split.label),
                        hint: "see `by` and `pattern` of the split, or set optional = true"
                            .to_owned(),
                    });
                }
                continue;
            };
            // Parts of a text that stands in the frame stand there themselves.
            let in_frame = from.owned.is_none() && !from.escaped;
            for (slot, part) in split.into.iter().zip(parts) {
                let (Some(slot), Some(part)) = (slot, part) else {
                    continue;
                };
                let Some(slot) = self.slots.get_mut(*slot) else {
                    continue;
                };
                let raw = value.get(part.clone()).unwrap_or_default();
                if split.none.iter().any(|none| none == raw) {
                    slot.set(Kind::Null, from.span(), false);
                } else if in_frame {
                    let span = from.start + part.start..from.start + part.end;
                    slot.set(Kind::Text, span, false);
                } else {
                    slot.set_owned(Kind::Text, from.span(), raw.to_owned());
                }
            }
        }
    }

    fn none_of(&mut self, split: &Split, span: Range<usize>) {
        for slot in split.into.iter().flatten() {
            if let Some(slot) = self.slots.get_mut(*slot) {
                slot.set(Kind::Null, span.clone(), false);
            }
        }
    }
}

impl SplitBy {
    /// The places of the parts in a value, or that it does not split so.
    fn parts(&self, value: &str, count: usize) -> Option<Vec<Option<Range<usize>>>> {
        match self {
            SplitBy::Text(by) => {
                let mut parts = Vec::with_capacity(count);
                let mut start = 0;
                for (at, _) in value.match_indices(by.as_str()) {
                    parts.push(Some(start..at));
                    start = at + by.len();
                }
                parts.push(Some(start..value.len()));
                (parts.len() == count).then_some(parts)
            }
            SplitBy::Pattern(regex, groups) => {
                let captures = regex.captures(value)?;
                Some(
                    groups
                        .iter()
                        .map(|g| captures.get(*g).map(|m| m.range()))
                        .collect(),
                )
            }
        }
    }
}
