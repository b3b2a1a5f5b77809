//! Evidence records inside other text: behind the prefix of a collector, in a text or a
//! member of another object, in a list.

use std::borrow::Cow;

use hashbrown::HashSet;
use memchr::memchr2;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::wrapped::{Heard, elements, members};
use crate::evidence::Record;
use crate::ingest::json::inside::lock_name_inside;
use crate::ingest::json::own::is_own_output;
use crate::ingest::{Dialect, Framing, NativeJson, Output, Problem, ProblemKind};

/// How many layers are taken off: a text or a member in an object, an element of a list.
const LAYERS: usize = 8;
/// So many brackets of a text that begin no value are tried.
const TRIED: usize = 64;

/// Reads evidence under its own names, wherever it stands in a line or value.
#[derive(Debug, Default)]
pub(super) struct WrappedEvidence;

impl Dialect for WrappedEvidence {
    fn framing(&self) -> Framing {
        Framing::Json
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        let mut whole = Named::new(output, 0);
        NativeJson.read(frame, &mut whole);
        let unnamed = match whole.found {
            Found::Something => return,
            Found::NoLock(problem) => Some(problem),
            Found::Nothing => None,
        };
        let found = std::str::from_utf8(frame).is_ok_and(|text| {
            let piece = Piece { text, at: 0 };
            if text.trim_ascii_start().starts_with('{') {
                in_members(piece, LAYERS, output)
            } else {
                in_text(piece, LAYERS, output)
            }
        });
        match unnamed {
            _ if found => {}
            Some(problem) => output.reject(problem),
            None => output.other(),
        }
    }
}

/// A part of a frame.
#[derive(Clone, Copy)]
struct Piece<'t> {
    text: &'t str,
    /// Where it begins in the frame; of what was written into a text, where that begins.
    at: usize,
}

impl<'t> Piece<'t> {
    /// A part of it.
    fn part(self, text: &'t str) -> Piece<'t> {
        let distance = (text.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        let at = self.at + distance;
        Piece { text, at }
    }
}

/// Reads a value, or what is in it. Whether that gave evidence.
fn in_value(piece: Piece<'_>, layers: usize, output: &mut dyn Output) -> bool {
    let Some(layers) = layers.checked_sub(1) else {
        return false;
    };
    match piece.text.as_bytes().first() {
        Some(b'{') if is_own_output(piece.text) => false,
        Some(b'{') => {
            let mut whole = Named::new(output, piece.at);
            NativeJson.read_text(piece.text, &mut whole);
            matches!(whole.found, Found::Something) || in_members(piece, layers, output)
        }
        Some(b'[') => {
            // journald writes a message that is no plain text as its bytes.
            if let Ok(bytes) = serde_json::from_str::<Vec<u8>>(piece.text) {
                let text = &String::from_utf8_lossy(&bytes);
                return in_text(Piece { text, ..piece }, layers, output);
            }
            let mut any = false;
            elements(piece.text, |element| {
                any |= in_value(piece.part(element.get()), layers, output);
            });
            any
        }
        Some(b'"') => {
            let text = serde_json::from_str::<Cow<'_, str>>(piece.text);
            text.is_ok_and(|text| {
                // What is in a text has no places of its own in the frame.
                let inner = Piece {
                    text: &text,
                    ..piece
                };
                in_text(inner, layers, output)
            })
        }
        _ => false,
    }
}

/// Looks into the members of an object. The first that gives evidence counts: some
/// collectors write a text twice, as it was and taken apart.
fn in_members(piece: Piece<'_>, layers: usize, output: &mut dyn Output) -> bool {
    let mut any = false;
    if !is_own_output(piece.text) {
        members(
            piece.text,
            |_| true,
            |member| {
                any = any || in_value(piece.part(member.get()), layers, output);
            },
        );
    }
    any
}

/// Looks for values in a text. All that give evidence count, but for copies: some tables have
/// the same text in two columns.
fn in_text(piece: Piece<'_>, layers: usize, output: &mut dyn Output) -> bool {
    let mut read = HashSet::new();
    let mut broken = None;
    let (mut from, mut tried) = (0, 0);
    while tried < TRIED {
        let rest = piece.text.get(from..).unwrap_or_default();
        let Some(bracket) = memchr2(b'{', b'[', rest.as_bytes()) else {
            break;
        };
        let (before, candidate) = rest.split_at(bracket);
        if candidate.starts_with("{\"\"") && layers > 0 {
            // In the cell of a table each quote is written twice.
            let text = &candidate.replace("\"\"", "\"");
            let at = piece.part(candidate).at;
            return in_text(Piece { text, at }, layers - 1, output) || !read.is_empty();
        }
        // An object in quotes has escapes, so it is read as the text it is.
        let quoted = || first_value(&rest[before.strip_suffix('"')?.len()..]);
        let Some(value) = first_value(candidate).or_else(quoted) else {
            if candidate.starts_with("{\"") && lock_name_inside(candidate.as_bytes()).is_some() {
                broken.get_or_insert(candidate);
            }
            tried += 1;
            from += bracket + 1;
            continue;
        };
        let inner = piece.part(value);
        if !read.contains(value) && in_value(inner, layers, output) {
            read.insert(value);
        }
        from = inner.at - piece.at + value.len();
    }
    if !read.is_empty() {
        return true;
    }
    // Evidence that is broken or cut off is not lost, but told.
    let Some(broken) = broken.map(|broken| piece.part(broken)) else {
        return false;
    };
    let mut whole = Named::new(output, broken.at);
    NativeJson.read_text(broken.text, &mut whole);
    matches!(whole.found, Found::Something)
}

/// The JSON value that a text begins with.
fn first_value(text: &str) -> Option<&str> {
    let mut values = serde_json::Deserializer::from_str(text);
    let value = <&RawValue>::deserialize(&mut values).ok()?;
    Some(value.get())
}

/// What a value came to.
enum Found {
    /// Other text.
    Nothing,
    /// Something of evidence that names no lock, as other objects may have.
    NoLock(Problem),
    /// A record, or what was meant as one.
    Something,
}

/// The [`Output`] for one value, which may hold what is looked for only in its parts.
struct Named<'o> {
    heard: Heard<'o>,
    found: Found,
}

impl<'o> Named<'o> {
    fn new(output: &'o mut dyn Output, at: usize) -> Named<'o> {
        Named {
            heard: Heard::new(output, at),
            found: Found::Nothing,
        }
    }
}

impl Output for Named<'_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        self.found = Found::Something;
        self.heard.record(offset, record, problems);
    }

    fn reject(&mut self, problem: Problem) {
        if problem.kind == ProblemKind::NoLock {
            self.found = Found::NoLock(problem);
        } else {
            self.found = Found::Something;
            self.heard.reject(problem);
        }
    }

    fn also(&mut self, problem: Problem) {
        if matches!(self.found, Found::Something) {
            self.heard.also(problem);
        }
    }

    fn other(&mut self) {}
}
