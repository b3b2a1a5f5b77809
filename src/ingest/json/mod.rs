//! The native dialect: one JSON object, one evidence record.

mod explain;
mod fields;
mod layout;

use super::dialect::{Dialect, Framing, Output, ProblemKind};
use crate::evidence::{Active, Answer, Event, Field, Record};
use fields::Fields;
use layout::Layout;

/// Reads records that carry the evidence fields under their own names.
#[derive(Debug, Clone, Copy, Default)]
pub struct NativeJson;

impl Dialect for NativeJson {
    fn framing(&self) -> Framing {
        Framing::Json
    }

    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        Some(Box::new(Learning::default()))
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        if let Some(text) = object(frame, output) {
            parse(text, output);
        }
    }

    fn read_text(&mut self, text: &str, output: &mut dyn Output) {
        if begins_object(text.as_bytes()) {
            parse(text, output);
        } else {
            output.other();
        }
    }
}

/// The same, faster on lines that look like the ones before.
#[derive(Debug, Default)]
struct Learning(Layout);

impl Dialect for Learning {
    fn framing(&self) -> Framing {
        NativeJson.framing()
    }

    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        NativeJson.fork()
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        if let Some(text) = object(frame, output) {
            self.read_text(text, output);
        }
    }

    fn read_text(&mut self, text: &str, output: &mut dyn Output) {
        let mut fields = Fields::default();
        match self.0.scan(text, &mut fields) {
            Some(()) => report(text, &mut fields, output),
            None => NativeJson.read_text(text, output),
        }
    }
}

fn begins_object(frame: &[u8]) -> bool {
    frame.trim_ascii_start().starts_with(b"{")
}

/// The text of a frame that may be a record.
fn object<'f>(frame: &'f [u8], output: &mut dyn Output) -> Option<&'f str> {
    if !begins_object(frame) {
        output.other();
        return None;
    }
    match std::str::from_utf8(frame) {
        Ok(text) => Some(text),
        Err(error) => {
            output.reject(explain::bad_utf8(frame, &error));
            None
        }
    }
}

fn parse(text: &str, output: &mut dyn Output) {
    match Fields::parse(text) {
        Ok(mut fields) => report(text, &mut fields, output),
        Err(error) => output.reject(explain::bad_json(text, &error)),
    }
}

/// Says what the fields of an object come to.
fn report(text: &str, fields: &mut Fields<'_>, output: &mut dyn Output) {
    if fields.deep {
        output.reject(explain::too_deep(text));
        return;
    }
    if !fields.is_evidence() {
        output.other();
        return;
    }
    let explain = |fields: &Fields<'_>, found: Found| {
        explain::problems(text, fields.wrong, found.result_unknown, fields.event)
    };
    fields.drop_wrong();
    let found = decide(fields);
    let (event, answer) = match (&fields.lock, found.step) {
        (Some(lock), Ok(step)) if !lock.is_empty() => step,
        (Some(lock), Err(kind)) if !lock.is_empty() => {
            output.reject(explain::no_step(text, kind, &explain(fields, found)));
            return;
        }
        _ => {
            output.reject(explain::no_lock(text, &explain(fields, found)));
            return;
        }
    };
    let clean = fields.wrong.is_empty() && !found.result_unknown;
    let problems = if clean {
        Vec::new()
    } else {
        explain(fields, found)
    };
    let active = active(fields);
    let record = Record {
        lock: fields.lock.take().unwrap_or_default(),
        event,
        answer,
        owner: fields.owner.take(),
        lease: fields.lease.take(),
        token: fields.token,
        before: fields.before,
        after: fields.after,
        seq: fields.seq,
        seq_by: fields.seq_by,
        key: fields.key.take(),
        operation: fields.operation.take(),
        active,
    };
    output.record(0, &record, &problems);
}

/// The step that a record shows, or why none.
#[derive(Debug, Clone, Copy)]
struct Found {
    step: Result<(Event, Answer), ProblemKind>,
    /// The answer is there, and not in the vocabulary of the event.
    result_unknown: bool,
}

/// Event and answer, each of which may follow from the other.
fn decide(fields: &Fields<'_>) -> Found {
    let event_wrong = fields.wrong.contains(Field::Event);
    let result_wrong = fields.wrong.contains(Field::Result);
    let known = |step| Found {
        step: Ok(step),
        result_unknown: false,
    };
    let unknown = |kind| Found {
        step: Err(kind),
        result_unknown: false,
    };
    let Some(word) = &fields.result else {
        return match fields.event {
            // The one thing that an expiry can have come to.
            Some(Event::Expire) if !result_wrong => known((Event::Expire, Answer::Expired)),
            Some(event) => known((event, Answer::InDoubt)),
            None if result_wrong => unknown(ProblemKind::UnknownResult),
            None if event_wrong => unknown(ProblemKind::UnknownEvent),
            None => unknown(ProblemKind::NoEvent),
        };
    };
    if event_wrong {
        // Of a step that was not understood only an answer that belongs to one step
        // alone can be believed: an `accepted` unlock is no accepted write.
        return match Answer::ALL
            .into_iter()
            .find(|answer| answer.word() == *word)
        {
            Some(answer) if answer != Answer::Accepted => match answer.event() {
                Some(event) => known((event, answer)),
                None => unknown(ProblemKind::UnknownEvent),
            },
            _ => unknown(ProblemKind::UnknownEvent),
        };
    }
    match Answer::from_word(word, fields.event, fields.token.is_some()) {
        Ok(answer) => match fields.event.or(answer.event()) {
            Some(event) => known((event, answer)),
            None => unknown(ProblemKind::NoEvent),
        },
        Err(_) => Found {
            step: fields
                .event
                .map(|event| (event, Answer::InDoubt))
                .ok_or(ProblemKind::UnknownResult),
            result_unknown: true,
        },
    }
}

/// The lease current at the authority, from the object or from the flat fields.
fn active<'a>(fields: &mut Fields<'a>) -> Active<'a> {
    const PARTS: [Field; 3] = [
        Field::ActiveOwnerId,
        Field::ActiveLeaseId,
        Field::ActiveFenceToken,
    ];
    let (owner, lease, token) = (
        fields.active_owner.take(),
        fields.active_lease.take(),
        fields.active_token.take(),
    );
    if fields.wrong.contains(Field::ActiveLease) {
        return Active::Unrecorded;
    }
    if owner.is_some() || lease.is_some() || token.is_some() {
        return Active::Lease {
            owner,
            lease,
            token,
        };
    }
    let any_null = fields.null.contains(Field::ActiveLease)
        || PARTS.into_iter().any(|part| fields.null.contains(part));
    let any_value = PARTS.into_iter().any(|part| fields.present.contains(part));
    // A part that is there and can't be used says that some lease was current, not which.
    if any_null && !any_value {
        Active::None
    } else {
        Active::Unrecorded
    }
}
