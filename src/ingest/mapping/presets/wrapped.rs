//! What a collector put around the values of a system: a text that holds the value, a list
//! of many, or both.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::common::is_json;
use crate::evidence::Record;
use crate::ingest::{Dialect, Framing, Output, Problem};

/// How many layers are taken off.
const LAYERS: usize = 4;

/// The members under which collectors and consoles keep what they carry: Docker's `log`, the
/// `message` of CloudWatch and of most shippers, journald's `MESSAGE`, `properties` of Azure;
/// lists of Kubernetes, CloudWatch, Azure and DynamoDB.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow, alias = "message", alias = "MESSAGE", alias = "textPayload")]
    log: Option<&'a RawValue>,
    #[serde(borrow, alias = "Item")]
    properties: Option<&'a RawValue>,
    #[serde(
        borrow,
        alias = "Items",
        alias = "events",
        alias = "logEvents",
        alias = "records",
        alias = "Records"
    )]
    items: Option<&'a RawValue>,
}

/// A value in an envelope.
struct Piece<'p> {
    text: &'p str,
    /// Where it begins in the frame, or what it was written into.
    at: usize,
}

/// Shows the values in an envelope to `read`, which says whether it could use one; those
/// that it could not may be envelopes themselves. Whether any was of use.
fn open(around: &Piece<'_>, layers: usize, read: &mut dyn FnMut(&Piece<'_>) -> bool) -> bool {
    let Ok(envelope) = serde_json::from_str::<Envelope<'_>>(around.text) else {
        return false;
    };
    let start = around.text.as_ptr() as usize;
    let at = |part: &RawValue| around.at + (part.get().as_ptr() as usize).wrapping_sub(start);
    let mut any = false;
    if let Some(log) = envelope.log
        && let Ok(text) = serde_json::from_str::<Cow<'_, str>>(log.get())
    {
        // What is in a text has no places of its own in the frame.
        let at = at(log);
        let mut read = |piece: &Piece<'_>| {
            read(&Piece {
                text: piece.text,
                at,
            })
        };
        any |= show(text.trim(), at, layers, &mut read);
    }
    if let Some(one) = envelope.properties {
        any |= show(one.get(), at(one), layers, read);
    }
    let items = envelope.items.map(RawValue::get).unwrap_or_default();
    let items: Vec<&RawValue> = serde_json::from_str(items).unwrap_or_default();
    for item in items {
        any |= show(item.get(), at(item), layers, read);
    }
    any
}

fn show(text: &str, at: usize, layers: usize, read: &mut dyn FnMut(&Piece<'_>) -> bool) -> bool {
    let piece = Piece { text, at };
    is_json(text.as_bytes()) && (read(&piece) || layers > 1 && open(&piece, layers - 1, read))
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
        let mut heard = Heard {
            output: &mut *output,
            at: piece.at,
            other: false,
        };
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
    pub(super) fn new(output: &'o mut dyn Output) -> Heard<'o> {
        Heard {
            output,
            at: 0,
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

    fn other(&mut self) {
        self.other = true;
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
        let mut heard = Heard::new(&mut *output);
        self.0.read(frame, &mut heard);
        if heard.other
            && !inside(frame, output, &mut |frame, output| {
                self.0.read(frame, output)
            })
        {
            output.other();
        }
    }

    fn finish(&mut self, output: &mut dyn Output) {
        self.0.finish(output);
    }
}
