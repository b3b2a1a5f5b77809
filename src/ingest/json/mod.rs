//! The native dialect: one JSON object, one evidence record.

mod explain;
mod field_set;
mod fields;
pub(crate) mod inside;
mod layout;
pub(crate) mod own;
mod unreadable;
mod value;

use super::colour;
use super::compact::{Compact, Plain};
use super::dialect::{Dialect, Framing, Output, Problem};
use super::verdict::{Given, Verdict, decide};
use crate::evidence::{Active, Field, Record};
use field_set::ACTIVE;
use fields::Fields;
use layout::Layout;
use own::is_own_output;

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
            self.read_text(text, output);
        }
    }

    fn read_text(&mut self, text: &str, output: &mut dyn Output) {
        if begins_object(text.as_bytes()) {
            parse(text, output);
            return;
        }
        // An object that was printed for a terminal.
        let begins_coloured = text.starts_with('\u{1b}');
        match begins_coloured.then(|| colour::bare(text)).flatten() {
            Some(bare) if begins_object(bare.text.as_bytes()) => {
                parse(&bare.text, &mut bare.output(output));
            }
            _ => output.other(),
        }
    }
}

/// The same, faster on lines that look like the ones before.
#[derive(Debug, Default)]
struct Learning {
    layout: Layout,
    /// Room for the record of a line that is read for itself.
    room: Vec<Compact>,
}

impl Dialect for Learning {
    fn framing(&self) -> Framing {
        NativeJson.framing()
    }

    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        NativeJson.fork()
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        let Some(text) = object(frame, output) else {
            return;
        };
        let line = text.strip_suffix('\r').unwrap_or(text);
        self.room.clear();
        match self.layout.scan(line, 0, &mut self.room) {
            Some(Plain { end, .. }) if end == line.len() => match self.room.first() {
                Some(record) => output.record(0, &record.record(line.as_bytes(), ""), &[]),
                None => output.other(),
            },
            _ => self.read_text(text, output),
        }
    }

    fn read_text(&mut self, text: &str, output: &mut dyn Output) {
        NativeJson.read_text(text, output);
    }

    fn plain(&mut self, text: &str, start: usize, records: &mut Vec<Compact>) -> Option<Plain> {
        self.layout.scan(text, start, records)
    }
}

fn begins_object(frame: &[u8]) -> bool {
    frame.trim_ascii_start().starts_with(b"{")
}

/// The text of a frame that may be a record.
fn object<'f>(frame: &'f [u8], output: &mut dyn Output) -> Option<&'f str> {
    if !begins_object(frame) && !frame.starts_with(b"\x1b") {
        output.other();
        return None;
    }
    match std::str::from_utf8(frame) {
        Ok(text) => Some(text),
        Err(_) if !begins_object(frame) => {
            output.other();
            None
        }
        Err(error) => {
            output.reject(unreadable::bad_utf8(frame, &error));
            None
        }
    }
}

fn parse(text: &str, output: &mut dyn Output) {
    match Fields::parse(text) {
        Ok(mut fields) => report(text, &mut fields, output),
        Err(error) => output.reject(unreadable::bad_json(text, &error)),
    }
}

/// Says what the fields of an object come to.
fn report(text: &str, fields: &mut Fields<'_>, output: &mut dyn Output) {
    if fields.deep {
        output.reject(unreadable::too_deep(text));
        return;
    }
    if !fields.is_evidence() || is_own_output(text) {
        output.other();
        return;
    }
    let explain = |fields: &Fields<'_>, found: Verdict| {
        explain::problems(text, fields.wrong, found.result_unknown, fields.event)
    };
    fields.drop_wrong();
    let wrong = fields.wrong;
    let event = match fields.event {
        Some(event) => Given::This(event),
        None if wrong.contains(Field::Event) => Given::Wrong,
        None => Given::Nothing,
    };
    let result = match &fields.result {
        Some(word) => Given::This(&**word),
        None if wrong.contains(Field::Result) => Given::Wrong,
        None => Given::Nothing,
    };
    let found = decide(event, result, fields.token.is_some());
    let (event, answer) = match (&fields.lock, found.step) {
        (Some(lock), Ok(step)) if !lock.is_empty() => step,
        (lock, step) => {
            let named = lock.as_ref().is_some_and(|lock| !lock.is_empty());
            let flaws = explain(fields, found);
            let mut problems = Vec::new();
            if !named {
                problems.push(explain::no_lock(text, &flaws));
            }
            if let Err(kind) = step {
                problems.push(explain::no_step(text, kind, &flaws));
            }
            reject(output, problems, flaws);
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

/// Rejects a record for the first of `problems`, and tells what else is wrong with it.
fn reject(output: &mut dyn Output, mut problems: Vec<Problem>, flaws: Vec<Problem>) {
    for flaw in flaws {
        if !problems.contains(&flaw) {
            problems.push(flaw);
        }
    }
    let mut problems = problems.into_iter();
    if let Some(problem) = problems.next() {
        output.reject(problem);
    }
    problems.for_each(|problem| output.also(problem));
}

/// The lease current at the authority, from the object or from the flat fields.
fn active<'a>(fields: &mut Fields<'a>) -> Active<'a> {
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
    let any_null = fields.null.contains(Field::ActiveLease) || fields.null.meets(ACTIVE);
    let any_value = fields.present.meets(ACTIVE);
    // A part that is there and can't be used says that some lease was current, not which.
    if any_null && !any_value {
        Active::None
    } else {
        Active::Unrecorded
    }
}
