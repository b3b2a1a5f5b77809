//! What one frame gave for one path: a place in the frame, or a text of its own.

use std::borrow::Cow;
use std::ops::Range;

/// What kind of value was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Kind {
    /// The path leads nowhere in this frame.
    #[default]
    Missing,
    /// JSON null, or a text that the mapping calls none.
    Null,
    /// `true` or `false`.
    Bool,
    /// A JSON number, in the digits it was written with.
    Number,
    /// Text.
    Text,
    /// An object or an array, as it was written.
    Whole,
}

/// One found value. It keeps places rather than references, so that the slots are
/// allocated once and used for every frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slot {
    pub(crate) kind: Kind,
    /// Where in the frame the value stands (for a value out of a nested text: the text).
    start: usize,
    end: usize,
    /// Where in the frame the value itself begins and ends, if it stands there as it is.
    from: usize,
    to: usize,
    /// The text holds JSON escapes.
    escaped: bool,
    /// The path was met twice in one record.
    pub(crate) twice: bool,
    /// The value itself where it does not stand in the frame as it is.
    owned: Option<String>,
}

impl Slot {
    /// Forgets what the last frame gave.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.kind = Kind::Missing;
        self.escaped = false;
        self.twice = false;
        if self.owned.is_some() {
            self.owned = None;
        }
    }

    /// Takes a value that stands in the frame; the first one stays.
    #[inline]
    pub(crate) fn set(&mut self, kind: Kind, span: Range<usize>, escaped: bool) {
        if self.kind != Kind::Missing {
            self.twice = true;
            return;
        }
        self.kind = kind;
        (self.start, self.end) = (span.start, span.end);
        (self.from, self.to) = (span.start, span.end);
        self.escaped = escaped;
    }

    /// Takes a value of a nested text, `span`, that stands at `place` as it is.
    pub(crate) fn set_inside(&mut self, kind: Kind, span: Range<usize>, place: Range<usize>) {
        if self.kind == Kind::Missing {
            self.set(kind, span, false);
            (self.from, self.to) = (place.start, place.end);
        } else {
            self.twice = true;
        }
    }

    /// Takes a value that was computed from what stands at `span`.
    pub(crate) fn set_owned(&mut self, kind: Kind, span: Range<usize>, text: String) {
        if self.kind == Kind::Missing {
            self.owned = Some(text);
        }
        self.set(kind, span, false);
    }

    /// Where in the frame the value stands.
    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Where in the frame the value itself stands, if it stands there as it is.
    pub(crate) fn place(&self) -> Option<Range<usize>> {
        (self.owned.is_none() && !self.escaped).then_some(self.from..self.to)
    }

    /// Whether the value stands inside a text of the frame that holds several.
    pub(crate) fn is_nested(&self) -> bool {
        self.owned.is_some() || (self.from, self.to) != (self.start, self.end)
    }

    /// The value as text: a string without its quotes and escapes, a number in its own
    /// digits, `true` or `false`.
    #[inline]
    pub(crate) fn text<'s>(&'s self, frame: &'s str) -> Cow<'s, str> {
        if let Some(owned) = &self.owned {
            return Cow::Borrowed(owned);
        }
        let raw = frame.get(self.from..self.to).unwrap_or_default();
        if self.escaped {
            Cow::Owned(unescape(raw))
        } else {
            Cow::Borrowed(raw)
        }
    }
}

/// Resolves the escapes of the inside of a JSON string. An escape that is no character
/// (half of a surrogate pair) leaves the text as it was written.
pub(crate) fn unescape(inside: &str) -> String {
    let mut quoted = String::with_capacity(inside.len() + 2);
    quoted.push('"');
    quoted.push_str(inside);
    quoted.push('"');
    serde_json::from_str(&quoted).unwrap_or_else(|_| inside.to_owned())
}
