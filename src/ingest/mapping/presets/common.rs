//! What the readers of several systems share.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};

use crate::evidence::{Answer, Event, Origin, Record};
use crate::ingest::{Output, Problem, ProblemKind};

/// How many records one revision of an authority can hold, each with a `seq` of its own.
const STEP: u64 = 1000;

/// The `seq` of the `n`th record of a revision: one change of the authority may end one
/// lease and begin the next.
pub(super) fn seq_of(revision: u64, n: u64) -> Option<u64> {
    revision.checked_mul(STEP)?.checked_add(n.min(STEP - 1))
}

/// A record that the authority numbered.
pub(super) fn numbered<'a>(
    lock: &'a str,
    event: Event,
    answer: Answer,
    seq: Option<u64>,
) -> Record<'a> {
    let mut record = Record::new(Cow::Borrowed(lock), event, answer);
    record.seq = seq;
    record.seq_by = seq.map(|_| Origin::Authority);
    record
}

/// A borrowed value as a record holds it.
pub(super) fn cow(text: &Option<String>) -> Option<Cow<'_, str>> {
    text.as_deref().map(Cow::Borrowed)
}

/// An unsigned number that is written as a number or as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Number(pub(super) u64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Number, D::Error> {
        struct Visit;
        impl serde::de::Visitor<'_> for Visit {
            type Value = Number;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an unsigned number or its text")
            }
            fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<Number, E> {
                Ok(Number(number))
            }
            fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<Number, E> {
                // Ids are unsigned 64 bits, and some writers print them signed.
                Ok(Number(number.cast_unsigned()))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Number, E> {
                text.parse().map(Number).map_err(E::custom)
            }
        }
        from.deserialize_any(Visit)
    }
}

/// Base64 to text that can be a name: one line of printable characters.
pub(super) fn name_of_base64(text: &str) -> Option<String> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD
        .decode(text)
        .ok()?;
    String::from_utf8(bytes).ok()
}

/// A value that may be the name of an owner.
pub(super) fn owner_of(value: String) -> Option<String> {
    let printable = !value.is_empty() && value.len() <= 256 && !value.contains(char::is_control);
    printable.then_some(value)
}

/// Reports a JSON frame that could not be read: broken JSON is lost evidence, JSON of
/// another shape is another line.
pub(super) fn unread(error: &serde_json::Error, frame: &[u8], output: &mut dyn Output) {
    if error.is_data() {
        return output.other();
    }
    let at = offset(frame, error.line(), error.column());
    output.reject(Problem {
        kind: ProblemKind::Unreadable,
        field: None,
        span: at..(at + 1).min(frame.len()),
        message: "this is no whole JSON value".to_owned(),
        hint: "the line was cut off, or is not JSON".to_owned(),
    });
}

/// The offset of a line and a column, each from 1.
fn offset(frame: &[u8], line: usize, column: usize) -> usize {
    let mut start = 0;
    for _ in 1..line {
        let rest = frame.get(start..).unwrap_or_default();
        start += rest
            .iter()
            .position(|b| *b == b'\n')
            .map_or(rest.len(), |n| n + 1);
    }
    (start + column.saturating_sub(1)).min(frame.len())
}
