//! The slow pass, only over the fields that are wrong: which bytes, one sentence, one hint.

mod members;

use super::field_set::FieldSet;
use super::value::{Value, number};
use crate::evidence::token::parse_token;
use crate::evidence::{Answer, Event, Field, Origin, TokenError};
use crate::ingest::dialect::{Problem, ProblemKind};
use members::{Member, find, members};

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
            .find_map(wrong_value);
        let any = members.iter().rfind(|member| member.field == field);
        let twice = second.or(first).or(any).map(|member| {
            member.problem(
                ProblemKind::Twice,
                format!("`{field}` is given twice, with different values"),
                "neither value is used: write the field once",
            )
        });
        problems.extend(of_value.or(twice));
    }
    problems.sort_by_key(|problem| problem.span.start);
    problems
}

/// What is wrong with the value of one field, looked at alone.
fn wrong_value(member: &Member<'_>) -> Option<Problem> {
    match member.field {
        field if field.is_number() => wrong_number(member),
        Field::ActiveLease => wrong_active_lease(member),
        Field::LeaseId | Field::ActiveLeaseId => wrong_handle(member),
        _ => wrong_word(member),
    }
}

fn wrong_number(member: &Member<'_>) -> Option<Problem> {
    let (field, raw) = (member.field, member.raw);
    if number(&member.value).is_ok() {
        return None;
    }
    let error = match &member.value {
        Value::Text(text) => parse_token(text).err()?,
        _ if begins_number(raw) => parse_token(raw).err().unwrap_or(TokenError::Float),
        _ => {
            return Some(member.problem(
                ProblemKind::WrongType,
                format!("`{field}` is {}, not a number", what_it_is(raw)),
                "write an unsigned 64-bit integer, or its digits in quotes",
            ));
        }
    };
    let message = match field {
        Field::Seq => "`seq` is no unsigned 64-bit integer".to_owned(),
        _ => format!("`{field}`: {error}"),
    };
    let hint = if field == Field::Seq && error != TokenError::Float {
        "write the position of the record in the one order of this lock"
    } else {
        token_hint(error)
    };
    Some(member.problem(ProblemKind::BadToken, message, hint))
}

fn wrong_active_lease(member: &Member<'_>) -> Option<Problem> {
    if member.raw.starts_with('{') {
        return None;
    }
    Some(member.problem(
        ProblemKind::WrongType,
        format!("`activeLease` is {}, not an object", what_it_is(member.raw)),
        "write {\"ownerId\":…,\"leaseId\":…,\"fenceToken\":…}, or null where no lease was current",
    ))
}

fn wrong_handle(member: &Member<'_>) -> Option<Problem> {
    let (field, raw) = (member.field, member.raw);
    let message = match member.value {
        Value::Text(_) | Value::Unsigned(_) | Value::Negative(_) | Value::Digits(_) => return None,
        _ if begins_number(raw) => format!("`{field}` is no whole number"),
        _ => format!(
            "`{field}` is {}, neither a text nor an integer",
            what_it_is(raw)
        ),
    };
    let hint = "write the handle in double quotes, as it stands";
    Some(member.problem(ProblemKind::WrongType, message, hint))
}

fn wrong_word(member: &Member<'_>) -> Option<Problem> {
    let field = member.field;
    let Value::Text(word) = &member.value else {
        return Some(member.problem(
            ProblemKind::WrongType,
            format!("`{field}` is {}, not a text", what_it_is(member.raw)),
            "write it in double quotes",
        ));
    };
    match field {
        Field::Event => Event::from_word(word).err().map(|unknown| {
            member.problem(
                ProblemKind::UnknownEvent,
                "this is no step of the lock protocol".to_owned(),
                &unknown.hint(),
            )
        }),
        Field::SeqBy if Origin::from_word(word).is_none() => Some(member.problem(
            ProblemKind::WrongType,
            "`seqBy` names nobody who could have given the order".to_owned(),
            "write resource, authority, collector or worker",
        )),
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
        return member.problem(
            ProblemKind::WrongType,
            "`result` is not a text".to_owned(),
            "write it in double quotes",
        );
    };
    let hint = match Answer::from_word(word, event, true) {
        Err(unknown) => unknown.hint(),
        Ok(_) => "write a result of the evidence format".to_owned(),
    };
    let message = match event {
        Some(event) => format!("this is no result of the step `{}`", event.word()),
        None => "this result is not known".to_owned(),
    };
    member.problem(ProblemKind::UnknownResult, message, &hint)
}

fn begins_number(raw: &str) -> bool {
    raw.starts_with(|c: char| c == '-' || c.is_ascii_digit())
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
