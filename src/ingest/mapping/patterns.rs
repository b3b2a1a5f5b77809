//! Patterns for lines of text, tried in their order and as cheaply as may be.
//!
//! Of most patterns some word must stand in the line, so a line without it needs no search.
//! A line that is ASCII, as nearly all are, is searched with the ASCII classes: `\S` and
//! `\w` then are a few ranges instead of tables, and groups are found in one pass. Both
//! say the same of such a line.

use std::ops::Range;

use memchr::memmem::Finder;
use regex::{CaptureLocations, Regex, RegexSet, bytes};
use regex_syntax::hir::{Hir, HirKind};

use super::read::PATTERN_SIZE;
use super::sequence::{Room, Sequence};
use super::spec::Pattern;

/// So many patterns of which no word is known are tried one by one.
const SEARCHES: usize = 4;
/// So many words are looked for one by one.
const WORDS: usize = 16;

/// Ways of matching one pattern.
#[derive(Debug)]
pub(crate) struct Ways {
    any: Regex,
    /// A text that stands in every line that it matches.
    needle: Option<Box<[u8]>>,
    ascii: Ascii,
}

/// The way for lines of ASCII.
#[derive(Debug, Clone)]
enum Ascii {
    Sequence(Sequence),
    Regex(bytes::Regex),
    /// The same as for any line.
    None,
}

impl Ways {
    pub(crate) fn new(any: Regex, pattern: &str) -> Ways {
        Ways {
            any,
            needle: needle(pattern),
            ascii: Ascii::new(pattern),
        }
    }
}

impl Ascii {
    fn new(pattern: &str) -> Ascii {
        // Characters beyond ASCII, written out or not, may have a form within it.
        let escapes = ["\\x", "\\u", "\\U"];
        if !pattern.is_ascii() || escapes.iter().any(|escape| pattern.contains(escape)) {
            return Ascii::None;
        }
        if let Some(sequence) = Sequence::new(pattern) {
            return Ascii::Sequence(sequence);
        }
        bytes::RegexBuilder::new(pattern)
            .unicode(false)
            .size_limit(PATTERN_SIZE)
            .build()
            .map_or(Ascii::None, Ascii::Regex)
    }
}

/// The longest text that stands in every match of a pattern.
fn needle(pattern: &str) -> Option<Box<[u8]>> {
    fn longest(hir: &Hir) -> &[u8] {
        match hir.kind() {
            HirKind::Literal(literal) => &literal.0,
            HirKind::Capture(group) => longest(&group.sub),
            HirKind::Repetition(repeated) if repeated.min > 0 => longest(&repeated.sub),
            HirKind::Concat(parts) => parts
                .iter()
                .map(longest)
                .max_by_key(|literal| literal.len())
                .unwrap_or_default(),
            _ => &[],
        }
    }
    let hir = regex_syntax::parse(pattern).ok()?;
    let found = longest(&hir);
    (!found.is_empty()).then(|| found.into())
}

/// The patterns of one reader, with what they have learned.
#[derive(Debug)]
pub(super) struct Patterns {
    matchers: Vec<Matcher>,
    /// All of them as one, where trying each would be too much.
    set: Option<RegexSet>,
}

/// One pattern, and the groups of its last match.
#[derive(Debug)]
pub(super) struct Matcher {
    needle: Option<Finder<'static>>,
    any: Regex,
    any_groups: CaptureLocations,
    ascii: Ascii,
    ascii_groups: Option<bytes::CaptureLocations>,
    room: Room,
    found: By,
}

/// Which way found the last match.
#[derive(Debug, Clone, Copy)]
enum By {
    Any,
    Ascii,
    Sequence,
}

impl Patterns {
    pub(super) fn new(patterns: &[Pattern], set: Option<&RegexSet>) -> Patterns {
        let matchers: Vec<_> = patterns.iter().map(Matcher::new).collect();
        let blind = matchers.iter().filter(|m| m.is_blind()).count();
        let many = blind > SEARCHES || matchers.len() > WORDS;
        Patterns {
            matchers,
            set: set.filter(|_| many).cloned(),
        }
    }

    /// Shows the patterns that match, in their order, until `done`.
    pub(super) fn matching(&mut self, text: &str, mut done: impl FnMut(usize, &Matcher) -> bool) {
        let ascii = text.is_ascii();
        match &self.set {
            Some(set) => {
                for number in set.matches(text) {
                    if let Some(matcher) = self.matchers.get_mut(number)
                        && matcher.search(text, ascii)
                        && done(number, matcher)
                    {
                        return;
                    }
                }
            }
            None => {
                for (number, matcher) in self.matchers.iter_mut().enumerate() {
                    if matcher.search(text, ascii) && done(number, matcher) {
                        return;
                    }
                }
            }
        }
    }
}

impl Matcher {
    fn new(pattern: &Pattern) -> Matcher {
        let ways = &pattern.ways;
        // A clone finds its own memory instead of sharing one with other threads.
        Matcher {
            needle: ways
                .needle
                .as_deref()
                .map(|needle| Finder::new(needle).into_owned()),
            any: ways.any.clone(),
            any_groups: ways.any.capture_locations(),
            ascii: ways.ascii.clone(),
            ascii_groups: match &ways.ascii {
                Ascii::Regex(regex) => Some(regex.capture_locations()),
                _ => None,
            },
            room: Room::default(),
            found: By::Any,
        }
    }

    fn search(&mut self, text: &str, ascii: bool) -> bool {
        let line = text.as_bytes();
        if !(ascii && self.fails_early())
            && let Some(needle) = &self.needle
            && needle.find(line).is_none()
        {
            return false;
        }
        if ascii
            && let Ascii::Sequence(sequence) = &self.ascii
            && let Some(found) = sequence.find(line, &mut self.room)
        {
            self.found = By::Sequence;
            return found;
        }
        if ascii && let (Ascii::Regex(regex), Some(groups)) = (&self.ascii, &mut self.ascii_groups)
        {
            self.found = By::Ascii;
            return regex.captures_read(groups, line).is_some();
        }
        self.found = By::Any;
        self.any.captures_read(&mut self.any_groups, text).is_some()
    }

    /// Where a group of the last match stands.
    pub(super) fn group(&self, group: usize) -> Option<Range<usize>> {
        let (start, end) = match self.found {
            By::Sequence => return self.room.group(group),
            By::Ascii => self.ascii_groups.as_ref()?.get(group)?,
            By::Any => self.any_groups.get(group)?,
        };
        Some(start..end)
    }

    /// Whether a line that does not match is known soon, without looking for a word.
    fn fails_early(&self) -> bool {
        matches!(&self.ascii, Ascii::Sequence(sequence) if sequence.is_anchored())
    }

    fn is_blind(&self) -> bool {
        self.needle.is_none() && !matches!(self.ascii, Ascii::Sequence(_))
    }
}
