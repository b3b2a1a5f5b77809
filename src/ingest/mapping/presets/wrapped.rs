//! What a collector put around the values of a system: a text that holds the value, a list
//! of many, or both.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::evidence::Record;
use crate::ingest::mapping::meant::{is_meant_as_json, is_meant_as_objects};
use crate::ingest::{Dialect, Framing, Output, Problem};

/// How many layers are taken off.
const LAYERS: usize = 4;

/// The members under which collectors and consoles keep what they carry: Docker's `log`, the
/// `message` of CloudWatch and of most shippers, journald's `MESSAGE`, the `textPayload` of
/// Google, `properties` of Azure; lists of Kubernetes, CloudWatch, Azure and DynamoDB.
const CARRIED: [&str; 12] = [
    "log",
    "message",
    "MESSAGE",
    "textPayload",
    "properties",
    "Item",
    "items",
    "Items",
    "events",
    "logEvents",
    "records",
    "Records",
];

/// A value in an envelope.
struct Piece<'p> {
    text: &'p str,
    /// Where it begins in the frame, or what it was written into.
    at: usize,
}

/// Whether a reader could use a piece.
type Read<'r> = &'r mut dyn FnMut(&Piece<'_>) -> bool;

/// Shows the values in an envelope to `read`, which says whether it could use one; those
/// that it could not may be envelopes themselves. Whether any was of use. Of several members
/// that carry something the first of use counts: some collectors write a text twice.
fn open(around: &Piece<'_>, layers: usize, read: Read<'_>) -> bool {
    let mut any = false;
    members(
        around.text,
        |name| CARRIED.contains(&name),
        |member| {
            any = any || carried(member, around, layers, read);
        },
    );
    any
}

/// Shows what a member holds, whether as a text, in a list, or as it is.
fn carried(member: &RawValue, around: &Piece<'_>, layers: usize, read: Read<'_>) -> bool {
    let start = around.text.as_ptr() as usize;
    let at = |part: &RawValue| around.at + (part.get().as_ptr() as usize).wrapping_sub(start);
    match member.get().as_bytes().first() {
        Some(b'"') => {
            let Ok(text) = serde_json::from_str::<Cow<'_, str>>(member.get()) else {
                return false;
            };
            // What is in a text has no places of its own in the frame.
            let at = at(member);
            let mut read = |piece: &Piece<'_>| {
                read(&Piece {
                    text: piece.text,
                    at,
                })
            };
            show(text.trim(), at, layers, &mut read)
        }
        Some(b'[') => {
            let mut any = false;
            elements(member.get(), |element| {
                any |= show(element.get(), at(element), layers, read);
            });
            any
        }
        _ => show(member.get(), at(member), layers, read),
    }
}

fn show(text: &str, at: usize, layers: usize, read: Read<'_>) -> bool {
    let piece = Piece { text, at };
    is_meant_as_objects(text) && (read(&piece) || layers > 1 && open(&piece, layers - 1, read))
}

/// Shows the members of an object whose names are wanted.
pub(super) fn members<'t>(
    text: &'t str,
    wanted: impl Fn(&str) -> bool,
    each: impl FnMut(&'t RawValue),
) {
    let mut json = serde_json::Deserializer::from_str(text);
    // What is no object holds nothing, and what is broken ends.
    let _ = json.deserialize_map(Parts { wanted, each });
}

/// Shows the elements of an array.
pub(super) fn elements<'t>(text: &'t str, each: impl FnMut(&'t RawValue)) {
    let mut json = serde_json::Deserializer::from_str(text);
    let wanted = |_: &str| true;
    let _ = json.deserialize_seq(Parts { wanted, each });
}

/// Shows the parts of a value one by one: there may be very many.
struct Parts<W, F> {
    wanted: W,
    each: F,
}

impl<'de, W: Fn(&str) -> bool, F: FnMut(&'de RawValue)> Visitor<'de> for Parts<W, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an envelope")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<Cow<'de, str>>()? {
            if (self.wanted)(&key) {
                (self.each)(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element()? {
            (self.each)(element);
        }
        Ok(())
    }
}

/// Reads what the envelope in a frame carries; whether any of it was of use.
pub(super) fn inside(
    frame: &[u8],
    output: &mut dyn Output,
    read: &mut dyn FnMut(&[u8], &mut dyn Output),
) -> bool {
    let Ok(text) = std::str::from_utf8(frame) else {
        return false;
    };
    let whole = Piece { text, at: 0 };
    open(&whole, LAYERS, &mut |piece| {
        let mut heard = Heard::new(&mut *output, piece.at);
        read(piece.text.as_bytes(), &mut heard);
        !heard.other
    })
}

/// The [`Output`] for one value: it keeps to itself that the value is no evidence.
pub(super) struct Heard<'o> {
    output: &'o mut dyn Output,
    at: usize,
    pub(super) other: bool,
}

impl<'o> Heard<'o> {
    /// For a value that begins there in the frame.
    pub(super) fn new(output: &'o mut dyn Output, at: usize) -> Heard<'o> {
        Heard {
            output,
            at,
            other: false,
        }
    }

    fn placed(&self, problem: &Problem) -> Problem {
        let span = self.at + problem.span.start..self.at + problem.span.end;
        Problem {
            span,
            ..problem.clone()
        }
    }
}

impl Output for Heard<'_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        let problems: Vec<_> = problems.iter().map(|p| self.placed(p)).collect();
        self.output.record(self.at + offset, record, &problems);
    }

    fn reject(&mut self, problem: Problem) {
        self.output.reject(self.placed(&problem));
    }

    fn also(&mut self, problem: Problem) {
        self.output.also(self.placed(&problem));
    }

    fn other(&mut self) {
        self.other = true;
    }
}

/// What the values of these systems begin with, where a line was cut off.
const BEGIN: [&[u8]; 5] = [
    b"{\"Header\"",
    b"{\"header\"",
    b"{\"result\"",
    b"{\"kind\"",
    b"{\"LockIndex\"",
];

/// Where the value begins that a line ends with, behind what a collector put before it
/// (`docker compose logs`, a time). One that was cut off is lost evidence, if it is one.
fn behind_a_prefix(frame: &[u8]) -> Option<usize> {
    // A line of names and values in quotes has no prefix.
    let quoted = frame.trim_ascii_start().starts_with(b"\"");
    (!quoted && !is_meant_as_json(frame)).then_some(())?;
    let object = memchr::memmem::find(frame, b"{\"")?;
    let is_list = frame.get(..object)?.ends_with(b"[");
    let at = object - usize::from(is_list);
    let begins = |begin: &&[u8]| {
        frame
            .get(object..)
            .is_some_and(|tail| tail.starts_with(begin))
    };
    match serde_json::from_slice::<IgnoredAny>(frame.get(at..)?) {
        Err(error) => (error.is_eof() && BEGIN.iter().any(begins)).then_some(at),
        Ok(_) => Some(at),
    }
}

/// A reader of JSON values that looks for them in envelopes, too.
#[derive(Debug, Default)]
pub(super) struct Wrapped<D>(D);

impl<D: Dialect> Dialect for Wrapped<D> {
    fn framing(&self) -> Framing {
        self.0.framing()
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        let at = behind_a_prefix(frame).unwrap_or_default();
        let frame = frame.get(at..).unwrap_or_default();
        let mut output = Heard::new(output, at);
        let mut heard = Heard::new(&mut output, 0);
        self.0.read(frame, &mut heard);
        if heard.other {
            let read = &mut |frame: &[u8], output: &mut dyn Output| self.0.read(frame, output);
            output.other = !inside(frame, &mut output, read);
        }
        if output.other {
            output.output.other();
        }
    }

    fn finish(&mut self, output: &mut dyn Output) {
        self.0.finish(output);
    }
}
