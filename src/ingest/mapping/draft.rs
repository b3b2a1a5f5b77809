//! From the values of fields to a record.

use std::borrow::Cow;
use std::ops::Range;

use super::found::{Found, problem};
use super::slot::Kind;
use crate::evidence::token::{Token, TokenError, parse_token};
use crate::evidence::{Active, Answer, Event, Field, Origin, Record, UnknownWord};
use crate::ingest::verdict::{Given, decide};
use crate::ingest::{Problem, ProblemKind};

/// A record on its way.
#[derive(Debug, Default)]
pub(crate) struct Draft<'s> {
    lock: Option<Cow<'s, str>>,
    event: Option<Event>,
    /// The word, and where it stands.
    result: Option<(Cow<'s, str>, Range<usize>)>,
    owner: Option<Cow<'s, str>>,
    lease: Option<Cow<'s, str>>,
    token: Option<Token>,
    before: Option<Token>,
    after: Option<Token>,
    seq: Option<u64>,
    seq_by: Option<Origin>,
    key: Option<Cow<'s, str>>,
    operation: Option<Cow<'s, str>>,
    active_owner: Option<Cow<'s, str>>,
    active_lease: Option<Cow<'s, str>>,
    active_token: Option<Token>,
    active_null: bool,
    /// A part of the active lease was there, usable or not.
    active_value: bool,
    /// An event was given that is none.
    spoiled_step: bool,
}

/// What a draft came to.
pub(crate) enum Built<'s> {
    /// A record.
    Record(Record<'s>),
    /// It names no lock.
    NoLock,
    /// It has a lock, and no step or answer.
    NoEvent,
    /// It has a lock, and what it says of the step can't be used.
    Spoiled(Problem),
}

impl<'s> Draft<'s> {
    /// Takes what was found for a field.
    pub(crate) fn take(&mut self, field: Field, found: Found<'s>, problems: &mut Vec<Problem>) {
        match found {
            Found::Absent => {}
            Found::Null => self.null(field),
            Found::Value(text, kind, span) => self.value(field, text, kind, span, problems),
        }
    }

    /// Takes the event.
    pub(crate) fn step(&mut self, event: Event) {
        self.event = Some(event);
    }

    /// Takes the word of a result.
    pub(crate) fn answer(&mut self, word: &'s str, span: Range<usize>) {
        self.result = Some((Cow::Borrowed(word), span));
    }

    /// There is none.
    pub(crate) fn null(&mut self, field: Field) {
        self.active_null |= field.is_of_active();
    }

    /// Takes a value that stands at `span`.
    #[inline]
    pub(crate) fn value(
        &mut self,
        field: Field,
        text: Cow<'s, str>,
        kind: Kind,
        span: Range<usize>,
        problems: &mut Vec<Problem>,
    ) {
        self.active_value |= field.is_of_active();
        match field {
            Field::FenceToken => self.token = token(field, &text, kind, span, problems),
            Field::ResourceHighestTokenBefore => {
                self.before = token(field, &text, kind, span, problems);
            }
            Field::ResourceHighestTokenAfter => {
                self.after = token(field, &text, kind, span, problems);
            }
            Field::ActiveFenceToken => {
                self.active_token = token(field, &text, kind, span, problems);
            }
            Field::Seq => match number(&text) {
                Ok(seq) => self.seq = Some(seq),
                Err(error) => problems.push(problem(
                    ProblemKind::WrongType,
                    field,
                    span,
                    format!("seq is no unsigned 64-bit number: {error}"),
                    "without a usable seq the record has no place in that order",
                )),
            },
            Field::SeqBy => match Origin::from_word(&text) {
                Some(origin) => self.seq_by = Some(origin),
                None => problems.push(problem(
                    ProblemKind::WrongType,
                    field,
                    span,
                    "seqBy is none of resource, authority, collector, worker".to_owned(),
                    "say in a mapping what it means: words = { … } of seqBy",
                )),
            },
            Field::Event => match Event::from_word(&text) {
                Ok(event) => self.event = Some(event),
                Err(unknown) => {
                    self.spoiled_step = true;
                    let hint = add_word(field, &unknown);
                    problems.push(problem(
                        ProblemKind::UnknownEvent,
                        field,
                        span,
                        "the event is no step of the lock protocol".to_owned(),
                        &hint,
                    ));
                }
            },
            Field::Result => self.result = Some((text, span)),
            Field::LockName => self.lock = name(field, text, kind, span, problems),
            Field::OwnerId => self.owner = name(field, text, kind, span, problems),
            Field::LeaseId => self.lease = name(field, text, kind, span, problems),
            Field::ResourceKey => self.key = name(field, text, kind, span, problems),
            Field::OperationId => self.operation = name(field, text, kind, span, problems),
            Field::ActiveOwnerId => {
                self.active_owner = name(field, text, kind, span, problems);
            }
            Field::ActiveLeaseId => {
                self.active_lease = name(field, text, kind, span, problems);
            }
            Field::ActiveLease | Field::Ts => {}
        }
    }

    /// The record that the fields make.
    pub(crate) fn build(mut self, problems: &mut Vec<Problem>) -> Built<'s> {
        let Some(lock) = self.lock.take().filter(|lock| !lock.is_empty()) else {
            return Built::NoLock;
        };
        let Some((event, answer)) = self.told(problems) else {
            let told = |p: &Problem| {
                matches!(
                    p.kind,
                    ProblemKind::UnknownResult | ProblemKind::UnknownEvent | ProblemKind::NoEvent
                )
            };
            return match problems.iter().position(told) {
                Some(at) => Built::Spoiled(problems.swap_remove(at)),
                None => Built::NoEvent,
            };
        };
        let mut record = Record::new(lock, event, answer);
        record.active = self.active();
        record.owner = self.owner;
        record.lease = self.lease;
        record.token = self.token;
        record.before = self.before;
        record.after = self.after;
        record.seq = self.seq;
        record.seq_by = self.seq_by;
        record.key = self.key;
        record.operation = self.operation;
        Built::Record(record)
    }

    /// The step and its answer. Of a step that was not understood the event is the problem,
    /// whatever the result.
    fn told(&self, problems: &mut Vec<Problem>) -> Option<(Event, Answer)> {
        let event = match self.event {
            _ if self.spoiled_step => Given::Wrong,
            event => event.into(),
        };
        let result = self.result.as_ref().map(|(word, _)| &**word);
        let has_token = self.token.is_some();
        let verdict = decide(event, result.into(), has_token);
        if verdict.sound().is_none()
            && !self.spoiled_step
            && let Some((word, span)) = &self.result
            && let Err(unknown) = Answer::from_word(word, self.event, has_token)
        {
            problems.push(unanswered(word, self.event, span.clone(), &unknown));
        }
        verdict.step.ok()
    }

    /// The lease current at the authority.
    fn active(&mut self) -> Active<'s> {
        let known = self.active_owner.is_some()
            || self.active_lease.is_some()
            || self.active_token.is_some();
        if known {
            Active::Lease {
                owner: self.active_owner.take(),
                lease: self.active_lease.take(),
                token: self.active_token,
            }
        } else if self.active_null && !self.active_value {
            Active::None
        } else {
            Active::Unrecorded
        }
    }
}

/// What is wrong with the word of a result that is no answer.
fn unanswered(
    word: &str,
    event: Option<Event>,
    span: Range<usize>,
    unknown: &UnknownWord,
) -> Problem {
    if event.is_none() && Answer::is_word(word) {
        return problem(
            ProblemKind::NoEvent,
            Field::Event,
            span,
            "what the result means depends on the step, and no event says which".to_owned(),
            "look where event comes from: lint --explain-mapping shows it",
        );
    }
    let message = match event {
        Some(event) => format!("the result is no answer to `{}`", event.word()),
        None => "the result is no known answer".to_owned(),
    };
    let hint = add_word(Field::Result, unknown);
    problem(
        ProblemKind::UnknownResult,
        Field::Result,
        span,
        message,
        &hint,
    )
}

/// [`parse_token`], quickly where the text is what a number is written as.
#[inline]
pub(super) fn number(text: &str) -> Result<Token, TokenError> {
    // No more than 19 digits, which fit in 64 bits.
    if !matches!(text.len(), 1..=19) {
        return parse_token(text);
    }
    let mut number = 0;
    for byte in text.bytes() {
        if !byte.is_ascii_digit() {
            return parse_token(text);
        }
        number = number * 10 + u64::from(byte - b'0');
    }
    Ok(number)
}

#[inline]
fn token(
    field: Field,
    text: &str,
    kind: Kind,
    span: Range<usize>,
    problems: &mut Vec<Problem>,
) -> Option<Token> {
    let parsed = if kind == Kind::Bool {
        Err(TokenError::NotANumber)
    } else {
        number(text)
    };
    match parsed {
        Ok(token) => Some(token),
        Err(error) => {
            problems.push(problem(
                ProblemKind::BadToken,
                field,
                span,
                format!("{field} is no token: {error}"),
                "a random value is a handle: map it to leaseId",
            ));
            None
        }
    }
}

/// What to do with a word that the table of the field does not have.
fn add_word(field: Field, unknown: &UnknownWord) -> String {
    match unknown.nearest {
        Some(near) if unknown.of_step.is_none() => {
            format!("say in a mapping what it means: words of {field}, as `{near}`?")
        }
        _ => format!(
            "say in a mapping what it means (words = {{ … }} of {field}); known here: {}",
            unknown.known.join(", ")
        ),
    }
}

fn name<'s>(
    field: Field,
    text: Cow<'s, str>,
    kind: Kind,
    span: Range<usize>,
    problems: &mut Vec<Problem>,
) -> Option<Cow<'s, str>> {
    if kind == Kind::Text {
        return Some(text);
    }
    let fraction = kind == Kind::Number && text.contains(['.', 'e', 'E']);
    if kind == Kind::Bool || fraction {
        problems.push(problem(
            ProblemKind::WrongType,
            field,
            span,
            format!("{field} is a text or a whole number"),
            "another path, or a number that was never a float",
        ));
        return None;
    }
    Some(text)
}
