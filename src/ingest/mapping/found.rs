//! From filled slots to one field's value.

use std::borrow::Cow;
use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};

use crate::evidence::Field;
use crate::evidence::token::{Token, TokenError};
use crate::ingest::{Problem, ProblemKind};

use super::slot::{Kind, Slot};
use super::spec::{FieldPlan, From, Source};

/// What a plan found for its field.
#[derive(Debug, Clone)]
pub(crate) enum Found<'s> {
    /// No source gave anything.
    Absent,
    /// A source says that there is none.
    Null,
    /// A value, its kind, and where it stands.
    Value(Cow<'s, str>, Kind, Range<usize>),
}

impl FieldPlan {
    /// Asks the sources in turn.
    pub(crate) fn find<'s>(
        &'s self,
        slots: &'s [Slot],
        frame: &'s str,
        problems: &mut Vec<Problem>,
    ) -> Found<'s> {
        let mut null = false;
        for source in &self.sources {
            match source.find(self.field, slots, frame, problems) {
                Found::Absent => {}
                Found::Null => null = true,
                value @ Found::Value(..) => return value,
            }
        }
        match &self.default {
            Some(text) if !null => Found::Value(Cow::Borrowed(text), Kind::Text, 0..0),
            _ if null => Found::Null,
            _ => Found::Absent,
        }
    }
}

impl Source {
    fn find<'s>(
        &'s self,
        field: Field,
        slots: &'s [Slot],
        frame: &'s str,
        problems: &mut Vec<Problem>,
    ) -> Found<'s> {
        let (text, kind, span) = match &self.from {
            From::Constant(text) => return Found::Value(Cow::Borrowed(text), Kind::Text, 0..0),
            From::Slot(slot) => match self.in_slot(*slot, field, slots, frame, problems) {
                Found::Value(text, kind, span) => (text, kind, span),
                nothing => return nothing,
            },
            From::Joined(parts, with) => match joined(parts, with, slots, frame) {
                Some(joined) => joined,
                None => return Found::Absent,
            },
        };
        if kind == Kind::Whole {
            // The place of another shape's object; it is no value of a field.
            return Found::Absent;
        }
        if self.absent.iter().any(|word| *word == *text) {
            return Found::Absent;
        }
        if self.none.iter().any(|word| *word == *text) {
            return Found::Null;
        }
        self.converted(field, text, kind, span, problems)
    }

    /// What stands in one slot.
    fn in_slot<'s>(
        &self,
        slot: usize,
        field: Field,
        slots: &'s [Slot],
        frame: &'s str,
        problems: &mut Vec<Problem>,
    ) -> Found<'s> {
        let Some(slot) = slots.get(slot) else {
            return Found::Absent;
        };
        match slot.kind {
            Kind::Missing => return Found::Absent,
            Kind::Null if self.null_is_absent => return Found::Absent,
            Kind::Null => return Found::Null,
            _ => {}
        }
        if slot.twice {
            problems.push(problem(
                ProblemKind::Twice,
                field,
                slot.span(),
                format!("{field} stands here twice"),
                "which of them counts is not known, so neither is used",
            ));
            return Found::Absent;
        }
        Found::Value(slot.text(frame), slot.kind, slot.span())
    }

    /// Makes of the text that was found what the field is to have: decodes it, takes the part
    /// that the pattern wants, and translates that.
    fn converted<'s>(
        &'s self,
        field: Field,
        mut text: Cow<'s, str>,
        kind: Kind,
        span: Range<usize>,
        problems: &mut Vec<Problem>,
    ) -> Found<'s> {
        if self.base64 {
            match decode(&text) {
                Some(decoded) => text = Cow::Owned(decoded),
                None => {
                    problems.push(problem(
                        ProblemKind::Unmapped,
                        field,
                        span,
                        format!("{field} is no base64 of a text"),
                        "remove base64 = true where the value is written plainly",
                    ));
                    return Found::Absent;
                }
            }
        }
        if let Some((regex, group)) = &self.pattern {
            let range = regex
                .captures(&text)
                .and_then(|c| Some(c.get(*group)?.range()));
            let Some(range) = range else {
                return Found::Absent;
            };
            text = sliced(text, range);
        }
        if let Some(words) = &self.words
            && let Some(word) = words.translate(&text)
        {
            return Found::Value(Cow::Borrowed(word), Kind::Text, span);
        }
        if let Some(base) = self.base {
            match in_base(&text, base) {
                Ok(number) => text = Cow::Owned(number.to_string()),
                Err(error) => {
                    problems.push(problem(
                        ProblemKind::BadToken,
                        field,
                        span,
                        format!("{field} is no number of base {base}: {error}"),
                        "leave out `base` for decimal and 0x… numbers",
                    ));
                    return Found::Absent;
                }
            }
        }
        Found::Value(text, kind, span)
    }
}

/// A part of a text, without a copy where there is none.
fn sliced(text: Cow<'_, str>, range: Range<usize>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(range).unwrap_or_default()),
        Cow::Owned(text) => Cow::Owned(text.get(range).unwrap_or_default().to_owned()),
    }
}

fn joined<'s>(
    parts: &[usize],
    with: &str,
    slots: &[Slot],
    frame: &str,
) -> Option<(Cow<'s, str>, Kind, Range<usize>)> {
    let mut text = String::new();
    let mut span: Option<Range<usize>> = None;
    for (number, part) in parts.iter().enumerate() {
        let slot = slots.get(*part)?;
        if matches!(slot.kind, Kind::Missing | Kind::Null | Kind::Whole) {
            return None;
        }
        if number > 0 {
            text.push_str(with);
        }
        text.push_str(&slot.text(frame));
        span.get_or_insert(slot.span());
    }
    Some((Cow::Owned(text), Kind::Text, span?))
}

fn decode(text: &str) -> Option<String> {
    let bytes = [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD]
        .into_iter()
        .find_map(|engine| engine.decode(text).ok())?;
    String::from_utf8(bytes).ok()
}

fn in_base(text: &str, base: u32) -> Result<Token, TokenError> {
    let digits = if base == 16 {
        text.strip_prefix("0x")
            .or_else(|| text.strip_prefix("0X"))
            .unwrap_or(text)
    } else {
        text
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return Err(TokenError::NotANumber);
    }
    u64::from_str_radix(digits, base).map_err(|_| TokenError::TooLarge)
}

pub(crate) fn problem(
    kind: ProblemKind,
    field: Field,
    span: Range<usize>,
    message: String,
    hint: &str,
) -> Problem {
    Problem {
        kind,
        field: Some(field),
        span,
        message,
        hint: hint.to_owned(),
    }
}
