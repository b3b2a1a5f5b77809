//! Evidence records inside other text: behind the prefix of a collector, in a text or a
//! member of another object, in a list.

mod copies;
mod heard;
mod piece;

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::wrapped::{elements, members};
use crate::ingest::json::inside::{lock_name_inside, names_a_schema};
use crate::ingest::json::own::is_own_output;
use crate::ingest::{Dialect, Framing, NativeJson, Output};
use copies::Copies;
use heard::{Found, Named, Whole};
use piece::{Bracket, Piece, first_value, next_bracket};

/// How many layers are taken off: a text or a member in an object, an element of a list.
const LAYERS: usize = 16;
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
        if names_a_schema(frame) {
            return output.other();
        }
        let mut whole = Whole::new(output);
        NativeJson.read(frame, &mut whole);
        if whole.is_record {
            return;
        }
        let is_object = frame.trim_ascii_start().starts_with(b"{") && !whole.is_unreadable();
        let is_other = whole.is_other();
        let mut reader = Reader {
            output: &mut *whole.output,
            aloud: true,
            copies: Copies::default(),
        };
        let found = match std::str::from_utf8(frame) {
            Ok(text) if is_object => reader.members(&Piece::at(text, 0), LAYERS),
            Ok(text) => reader.text(&Piece::at(text, 0), LAYERS),
            // What is no text in front of a record makes it none the less one.
            Err(_) if is_other => {
                let text = String::from_utf8_lossy(frame);
                reader.text(&Piece::within(&text, 0..frame.len()), LAYERS)
            }
            Err(_) => Found::Nothing,
        };
        whole.finish(found);
    }
}

/// Looks for evidence in the parts of a frame.
struct Reader<'o> {
    output: &'o mut dyn Output,
    /// Whether what is found is told.
    aloud: bool,
    copies: Copies,
}

impl Reader<'_> {
    /// Reads a value, or what is in it.
    fn value(&mut self, piece: &Piece<'_>, layers: usize, in_list: bool) -> Found {
        let Some(layers) = layers.checked_sub(1) else {
            return Found::Nothing;
        };
        match piece.text.as_bytes().first() {
            Some(b'{') => self.object(piece, layers),
            Some(b'[') => self.list(piece, layers, in_list),
            Some(b'"') => match serde_json::from_str::<Cow<'_, str>>(piece.text) {
                Ok(text) => self.text(&piece.written(&text), layers),
                Err(_) => Found::Nothing,
            },
            _ => Found::Nothing,
        }
    }

    fn object(&mut self, piece: &Piece<'_>, layers: usize) -> Found {
        if is_own_output(piece.text) || self.aloud && self.copies.has(piece.text) {
            return Found::Nothing;
        }
        match self.native(piece) {
            Found::Nothing => self.members(piece, layers),
            found => found,
        }
    }

    /// Reads an object as a record.
    fn native(&mut self, piece: &Piece<'_>) -> Found {
        let mut named = Named::new(&mut *self.output, self.aloud, piece);
        NativeJson.read_text(piece.text, &mut named);
        named.found
    }

    /// Looks into the members of an object. The best of them counts, and of several as good
    /// the first: some collectors write a text twice, as it was and taken apart, and labels
    /// may bear the names of evidence.
    fn members(&mut self, piece: &Piece<'_>, layers: usize) -> Found {
        let mut naming: Vec<&RawValue> = Vec::new();
        if !is_own_output(piece.text) {
            let wanted = |_: &str| true;
            members(piece.text, wanted, |member| {
                naming.extend(may_hold_evidence(member.get().as_bytes()).then_some(member));
            });
        }
        let best = match naming.as_slice() {
            [one] => *one,
            several => {
                let aloud = std::mem::replace(&mut self.aloud, false);
                let mut best = (Found::Nothing, None);
                for member in several {
                    let found = self.value(&piece.part(member.get()), layers, false);
                    if found > best.0 {
                        best = (found, Some(*member));
                    }
                }
                self.aloud = aloud;
                match best {
                    (_, Some(member)) if aloud => member,
                    (found, _) => return found,
                }
            }
        };
        self.value(&piece.part(best.get()), layers, false)
    }

    /// Reads the elements of a list. All count, but for copies in one row of a table: a list in a
    /// list, or one of values of several kinds.
    fn list(&mut self, piece: &Piece<'_>, layers: usize, in_list: bool) -> Found {
        // journald writes a message that is no plain text as its bytes.
        if let Ok(bytes) = serde_json::from_str::<Vec<u8>>(piece.text) {
            let text = String::from_utf8_lossy(&bytes);
            return self.text(&piece.written(&text), layers);
        }
        let (mut kind, mut alike) = (None, true);
        elements(piece.text, |element| {
            let first = element.get().as_bytes().first().copied();
            alike &= *kind.get_or_insert(first) == first;
        });
        let is_row = in_list || !alike;
        let mut found = Found::Nothing;
        elements(piece.text, |element| {
            let row = (!is_row).then(|| std::mem::take(&mut self.copies));
            found = found.max(self.value(&piece.part(element.get()), layers, true));
            if let Some(row) = row {
                self.copies = row;
            }
        });
        found
    }

    /// Looks for values in a text. All that give evidence count, but for copies: some tables
    /// have the same text in two columns.
    fn text(&mut self, piece: &Piece<'_>, layers: usize) -> Found {
        let (mut found, mut broken) = (Found::Nothing, None);
        let (mut from, mut tried) = (0, 0);
        while tried < TRIED
            && let Some(bracket) = next_bracket(piece.text, from)
        {
            let candidate = piece.text.get(bracket..).unwrap_or_default();
            if candidate.starts_with("{\"\"") && layers > 0 {
                // In the cell of a table each quote is written twice.
                let cell = candidate.replace("\"\"", "\"");
                let cell = piece.part(candidate).written(&cell);
                return found.max(self.text(&cell, layers - 1));
            }
            match first_value(piece.text, from, bracket) {
                Bracket::Begins(value) => {
                    let inner = piece.part(value);
                    found = found.max(self.value(&inner, layers, false));
                    from = piece.end_of(value);
                }
                Bracket::Broken => {
                    broken = broken.or(Some(candidate));
                    tried += 1;
                    from = bracket + 1;
                }
                Bracket::Nothing => {
                    tried += 1;
                    from = bracket + 1;
                }
            }
        }
        // Evidence that is broken or cut off is not lost, but told.
        match broken {
            Some(broken) => found.max(self.native(&piece.part(broken))),
            None => found,
        }
    }
}

/// Whether a member names a lock, or may do so in bytes.
fn may_hold_evidence(member: &[u8]) -> bool {
    matches!(member, [b'[', b'0'..=b'9', ..]) || lock_name_inside(member).is_some()
}
