//! The slow pass, only over what is wrong: which bytes, one sentence, one hint.

use std::fmt;
use std::ops::Range;
use std::str::Utf8Error;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::fields::{Any, FieldSet, Name, Value, inside_active, is_number, lease, number};
use crate::evidence::token::parse_token;
use crate::evidence::{Answer, Event, Field, Origin, TokenError};
use crate::ingest::dialect::{Problem, ProblemKind};
use crate::ingest::scan;

/// Bytes that are no UTF-8.
pub(super) fn bad_utf8(frame: &[u8], error: &Utf8Error) -> Problem {
    let start = error.valid_up_to();
    let end = error
        .error_len()
        .map_or(frame.len(), |length| start + length);
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: start..end,
        message: "these bytes are no UTF-8".to_owned(),
        hint: "JSON is written in UTF-8: convert the file, or find what cut the character"
            .to_owned(),
    }
}

/// Text that is no JSON.
pub(super) fn bad_json(text: &str, error: &serde_json::Error) -> Problem {
    let line = text
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum::<usize>();
    let at = (line + error.column().saturating_sub(1)).min(text.len());
    let at = floor_char(text, at);
    let full = error.to_string();
    let reason = full
        .rsplit_once(" at line ")
        .map_or(full.as_str(), |(reason, _)| reason);
    let (span, hint) = if error.classify() == Category::Eof {
        let end = text.trim_end().len();
        let last = text
            .trim_end()
            .chars()
            .next_back()
            .map_or(0, char::len_utf8);
        (
            end - last..end,
            "the record ends too early: was the line cut off?",
        )
    } else {
        let length = text.get(at..).and_then(|rest| rest.chars().next());
        (
            at..at + length.map_or(0, char::len_utf8),
            syntax_hint(reason),
        )
    };
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span,
        message: format!(
            "broken JSON: {}",
            reason.replace("EOF while parsing", "it ends inside")
        ),
        hint: hint.to_owned(),
    }
}

fn syntax_hint(reason: &str) -> &'static str {
    if reason.starts_with("control character") {
        "a line end or control inside a text is written as an escape, such as \\n"
    } else if reason.starts_with("trailing characters") {
        "one record is one object; what stands behind it does not belong to it"
    } else if reason.contains("surrogate") || reason.contains("hex escape") {
        "an escape such as \\ud83d needs its second half, \\ude00"
    } else if reason.starts_with("key must be a string") || reason.starts_with("trailing comma") {
        "names are written in double quotes, and no comma stands before a closing bracket"
    } else if reason.starts_with("number out of range") || reason.starts_with("invalid number") {
        "a number is written without leading zeros, plus sign or bare point"
    } else if reason.starts_with("recursion limit") {
        "evidence fields stand at the top of the record"
    } else {
        "one record is one JSON object with quoted names"
    }
}

/// Brackets inside brackets beyond the bound.
pub(super) fn too_deep(text: &str) -> Problem {
    let at = scan::too_deep(text.as_bytes(), 0).unwrap_or(0);
    Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: at..at + 1,
        message: format!("nested deeper than {} levels", scan::MAX_DEPTH),
        hint: "evidence fields stand at the top of the record".to_owned(),
    }
}

/// A record that names no lock; what is wrong with the name, if it has one.
pub(super) fn no_lock(text: &str, problems: &[Problem]) -> Problem {
    let of_name = problems
        .iter()
        .find(|problem| problem.field == Some(Field::LockName));
    if let Some(problem) = of_name {
        return problem.clone();
    }
    let members = members(text);
    let empty = members
        .iter()
        .find(|member| member.field == Field::LockName && member.value != Value::Null);
    Problem {
        kind: ProblemKind::NoLock,
        field: Some(Field::LockName),
        span: empty
            .or_else(|| {
                members
                    .iter()
                    .find(|member| member.field.is_distinctive() && member.value != Value::Null)
            })
            .map_or(0..text.len().min(1), |member| member.span.clone()),
        message: if empty.is_some() {
            "`lockName` is empty".to_owned()
        } else {
            "this is lock evidence, and no `lockName` says of which lock".to_owned()
        },
        hint: "add `lockName`, the item that the lock protects".to_owned(),
    }
}

/// A record whose step can't be known.
pub(super) fn no_step(text: &str, kind: ProblemKind, problems: &[Problem]) -> Problem {
    let field = match kind {
        ProblemKind::UnknownResult => Field::Result,
        _ => Field::Event,
    };
    if let Some(problem) = problems
        .iter()
        .find(|problem| problem.field == Some(field))
        .or_else(|| problems.iter().find(|p| p.field == Some(Field::Result)))
    {
        return problem.clone();
    }
    let members = members(text);
    let answer = find(&members, Field::Result);
    Problem {
        kind: ProblemKind::NoEvent,
        field: Some(Field::Event),
        span: answer
            .or_else(|| find(&members, Field::LockName))
            .map_or(0..text.len().min(1), |member| member.span.clone()),
        message: if answer.is_some() {
            "what this result means depends on the step, and no `event` says which".to_owned()
        } else {
            "neither `event` nor `result` says what happened to the lock".to_owned()
        },
        hint: "add `event`: acquire, renew, expire, release or write".to_owned(),
    }
}

/// One problem for each field that is there and can't be used, in order of place.
pub(super) fn problems(
    text: &str,
    wrong: FieldSet,
    result_unknown: bool,
    event: Option<Event>,
) -> Vec<Problem> {
    let members = members(text);
    let mut problems = Vec::new();
    for field in Field::ALL {
        let mut given = members
            .iter()
            .filter(|member| member.field == field && member.value != Value::Null);
        let (first, second) = (given.next(), given.next());
        if field == Field::Result && result_unknown && !wrong.contains(field) {
            problems.extend(first.map(|member| unknown_result(member, event)));
        }
        if !wrong.contains(field) {
            continue;
        }
        let of_value = members
            .iter()
            .filter(|member| member.field == field && member.value != Value::Null)
            .find_map(|member| wrong_value(text, member));
        let any = members.iter().rfind(|member| member.field == field);
        let twice = second.or(first).or(any).map(|member| Problem {
            kind: ProblemKind::Twice,
            field: Some(field),
            span: member.span.clone(),
            message: format!("`{field}` is given twice, with different values"),
            hint: "neither value is used: write the field once".to_owned(),
        });
        problems.extend(of_value.or(twice));
    }
    problems.sort_by_key(|problem| problem.span.start);
    problems
}

/// What is wrong with the value of one field, looked at alone.
fn wrong_value(text: &str, member: &Member<'_>) -> Option<Problem> {
    let field = member.field;
    let problem = |kind, message: String, hint: &str| {
        Some(Problem {
            kind,
            field: Some(field),
            span: member.span.clone(),
            message,
            hint: hint.to_owned(),
        })
    };
    let raw = text.get(member.span.clone()).unwrap_or_default();
    let is = what_it_is(raw);
    if is_number(field) {
        if number(&member.value).is_ok() {
            return None;
        }
        let error = match &member.value {
            Value::Text(text) => parse_token(text).err()?,
            _ if is == "a number" => parse_token(raw).err().unwrap_or(TokenError::Float),
            _ => {
                return problem(
                    ProblemKind::WrongType,
                    format!("`{field}` is {is}, not a number"),
                    "write an unsigned 64-bit integer, or its digits in quotes",
                );
            }
        };
        return problem(
            ProblemKind::BadToken,
            if field == Field::Seq {
                "`seq` is no unsigned 64-bit integer".to_owned()
            } else {
                format!("`{field}`: {error}")
            },
            if field == Field::Seq && error != TokenError::Float {
                "write the position of the record in the one order of this lock"
            } else {
                token_hint(error)
            },
        );
    }
    let word = match &member.value {
        Value::Text(word) => Some(word.as_ref()),
        _ => None,
    };
    let not_text = || {
        problem(
            ProblemKind::WrongType,
            format!("`{field}` is {is}, not a text"),
            "write it in double quotes",
        )
    };
    match (field, word) {
        (Field::ActiveLease, _) if is == "an object" => None,
        (Field::ActiveLease, _) => problem(
            ProblemKind::WrongType,
            format!("`activeLease` is {is}, not an object"),
            "write {\"ownerId\":…,\"leaseId\":…,\"fenceToken\":…}, or null where no lease was current",
        ),
        (Field::LeaseId | Field::ActiveLeaseId, None)
            if !matches!(
                member.value,
                Value::Unsigned(_) | Value::Negative(_) | Value::Digits(_)
            ) =>
        {
            problem(
                ProblemKind::WrongType,
                if is == "a number" {
                    format!("`{field}` is no whole number")
                } else {
                    format!("`{field}` is {is}, neither a text nor an integer")
                },
                "write the handle in double quotes, as it stands",
            )
        }
        (Field::LeaseId | Field::ActiveLeaseId, _) => None,
        (_, None) => not_text(),
        (Field::Event, Some(word)) => Event::from_word(word).err().and_then(|unknown| {
            problem(
                ProblemKind::UnknownEvent,
                "this is no step of the lock protocol".to_owned(),
                &unknown.hint(),
            )
        }),
        (Field::SeqBy, Some(word)) if Origin::from_word(word).is_none() => problem(
            ProblemKind::WrongType,
            "`seqBy` names nobody who could have given the order".to_owned(),
            "write resource, authority, collector or worker",
        ),
        _ => None,
    }
}

fn token_hint(error: TokenError) -> &'static str {
    match error {
        TokenError::Negative | TokenError::NotANumber => {
            "record the number that grows with each acquisition, not a handle"
        }
        TokenError::Float => "write the integer with all its digits, in quotes if need be",
        TokenError::TooLarge => "the greatest number of 64 bits is 18446744073709551615",
    }
}

fn unknown_result(member: &Member<'_>, event: Option<Event>) -> Problem {
    let Value::Text(word) = &member.value else {
        return Problem {
            kind: ProblemKind::WrongType,
            field: Some(Field::Result),
            span: member.span.clone(),
            message: "`result` is not a text".to_owned(),
            hint: "write it in double quotes".to_owned(),
        };
    };
    let hint = match Answer::from_word(word, event, true) {
        Err(unknown) => unknown.hint(),
        Ok(_) => "write a result of the evidence format".to_owned(),
    };
    let message = match event {
        Some(event) => format!("this is no result of the step `{}`", event.word()),
        None => "this result is not known".to_owned(),
    };
    Problem {
        kind: ProblemKind::UnknownResult,
        field: Some(Field::Result),
        span: member.span.clone(),
        message,
        hint,
    }
}

fn what_it_is(raw: &str) -> &'static str {
    match raw.as_bytes().first() {
        Some(b'"') => "a text",
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "a truth value",
        Some(b'n') => "null",
        _ => "a number",
    }
}

fn floor_char(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

/// A field as it stands in the text.
struct Member<'a> {
    field: Field,
    span: Range<usize>,
    value: Value<'a>,
}

fn find<'m, 'a>(members: &'m [Member<'a>], field: Field) -> Option<&'m Member<'a>> {
    members
        .iter()
        .find(|member| member.field == field && member.value != Value::Null)
}

/// Every evidence field of an object that is known to be well formed.
fn members(text: &str) -> Vec<Member<'_>> {
    let mut found = Vec::new();
    let _ = collect(text, text, false, &mut found);
    found
}

fn collect<'a>(
    text: &'a str,
    object: &'a str,
    active: bool,
    found: &mut Vec<Member<'a>>,
) -> Result<(), serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(object);
    for (field, raw) in Members.deserialize(&mut deserializer)? {
        let field = if active {
            inside_active(field)
        } else {
            Some(field)
        };
        let Some(field) = field else { continue };
        let raw = raw.get();
        // Both lie in one text, so the distance of their addresses is the place.
        let start = (raw.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
        let value = match field {
            Field::LeaseId | Field::ActiveLeaseId => lease(raw)?,
            _ => Any.deserialize(&mut serde_json::Deserializer::from_str(raw))?,
        };
        found.push(Member {
            field,
            span: start..start + raw.len(),
            value,
        });
        if field == Field::ActiveLease && raw.starts_with('{') {
            collect(text, raw, true, found)?;
        }
    }
    Ok(())
}

struct Members;

impl<'de> DeserializeSeed<'de> for Members {
    type Value = Vec<(Field, &'de RawValue)>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(Field, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        while let Some(name) = map.next_key_seed(Name)? {
            let raw: &RawValue = map.next_value()?;
            found.extend(name.map(|field| (field, raw)));
        }
        Ok(found)
    }
}
