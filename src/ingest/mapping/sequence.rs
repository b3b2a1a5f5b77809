//! Patterns that need no search engine: fixed texts and runs of one kind of characters in a
//! row.
//!
//! `^\S+ WARN (?<who>\w+) token=(?<fenceToken>\d+)$` is one. Mostly each run ends where its
//! characters end, since what must follow begins with none of them; so each byte is looked
//! at once. Else the ends are tried in the order in which a pattern prefers them. Where
//! that takes too long there is no answer, and the pattern itself has to be asked. Of ASCII
//! lines it says what the pattern says.

use std::ops::Range;

use memchr::memmem::{Finder, FinderRev};

mod compile;

/// Steps for a line, and more for each of its bytes, after which a search is given up.
const STEPS: usize = 1024;
const STEPS_A_BYTE: usize = 8;

/// Such a pattern.
#[derive(Debug, Clone)]
pub(super) struct Sequence {
    pieces: Vec<Piece>,
    groups: usize,
    begin: Begin,
}

/// Where a match may begin.
#[derive(Debug, Clone)]
enum Begin {
    Line,
    /// Where this text stands.
    Text(Box<Finder<'static>>),
}

#[derive(Debug, Clone)]
enum Piece {
    Text(Box<[u8]>),
    /// One of several texts, none of which begins with another.
    Choice(Vec<Box<[u8]>>),
    Run(Run),
    Open(usize),
    Close(usize),
    /// The pieces from here to `end` may be left out, and with them these groups.
    Maybe {
        end: usize,
        groups: Range<usize>,
    },
    End,
}

/// A run of one kind of bytes.
#[derive(Debug, Clone)]
struct Run {
    kind: Box<[bool; 256]>,
    min: usize,
    max: usize,
    /// As few as possible are preferred.
    lazy: bool,
    /// There is one place only where it can end.
    sure: bool,
    /// The text behind it, from both sides.
    next: Option<Box<(Finder<'static>, FinderRev<'static>)>>,
}

/// What is left to be tried.
#[derive(Debug)]
enum Try {
    /// A run that begins at `at` and has had `count` bytes, of `most` that it may have.
    Run {
        piece: usize,
        at: usize,
        count: usize,
        most: usize,
    },
    /// Without the piece that may be left out.
    Without { piece: usize, at: usize },
}

/// Room for what a search finds and remembers.
#[derive(Debug, Default)]
pub(super) struct Room {
    groups: Vec<Range<usize>>,
    tries: Vec<Try>,
}

/// A group that took no part.
const NOWHERE: Range<usize> = usize::MAX..usize::MAX;

impl Room {
    /// Where a group of the last match stands.
    pub(super) fn group(&self, group: usize) -> Option<Range<usize>> {
        let found = self.groups.get(group)?;
        (*found != NOWHERE).then(|| found.clone())
    }
}

impl Sequence {
    /// Whether it matches at the begin of a line only.
    pub(super) fn is_anchored(&self) -> bool {
        matches!(self.begin, Begin::Line)
    }

    /// Whether the line matches; `None` if that takes too long to say.
    pub(super) fn find(&self, line: &[u8], room: &mut Room) -> Option<bool> {
        let mut steps = STEPS + STEPS_A_BYTE * line.len();
        match &self.begin {
            Begin::Line => self.matches(line, 0, room, &mut steps),
            Begin::Text(text) => {
                for at in text.find_iter(line) {
                    if self.matches(line, at, room, &mut steps)? {
                        return Some(true);
                    }
                }
                Some(false)
            }
        }
    }

    fn matches(
        &self,
        line: &[u8],
        begin: usize,
        room: &mut Room,
        steps: &mut usize,
    ) -> Option<bool> {
        let Room { groups, tries } = room;
        groups.clear();
        groups.resize(self.groups, NOWHERE);
        tries.clear();
        let (mut at, mut number) = (begin, 0);
        while let Some(piece) = self.pieces.get(number) {
            *steps = steps.checked_sub(1)?;
            let rest = line.get(at..).unwrap_or_default();
            let next = match piece {
                Piece::Text(text) => rest.starts_with(text).then(|| at + text.len()),
                Piece::Choice(texts) => {
                    let text = texts.iter().find(|text| rest.starts_with(text));
                    text.map(|text| at + text.len())
                }
                Piece::Run(run) => {
                    let most = run.most(rest);
                    *steps = steps.checked_sub(most)?;
                    if most < run.min {
                        None
                    } else if run.sure {
                        Some(at + most)
                    } else {
                        let first = if run.lazy { run.min } else { most };
                        let count = run.likely(line, at, first, most);
                        if let Some(count) = count {
                            tries.push(Try::Run {
                                piece: number,
                                at,
                                count,
                                most,
                            });
                        }
                        count.map(|count| at + count)
                    }
                }
                Piece::Open(group) => {
                    if let Some(span) = groups.get_mut(*group) {
                        span.start = at;
                    }
                    Some(at)
                }
                Piece::Close(group) => {
                    if let Some(span) = groups.get_mut(*group) {
                        span.end = at;
                    }
                    Some(at)
                }
                Piece::Maybe { .. } => {
                    tries.push(Try::Without { piece: number, at });
                    Some(at)
                }
                Piece::End => rest.is_empty().then_some(at),
            };
            match next {
                Some(next) => {
                    at = next;
                    number += 1;
                }
                None => match self.back(line, groups, tries, steps)? {
                    Some(back) => (number, at) = back,
                    None => return Some(false),
                },
            }
        }
        Some(true)
    }

    /// The piece and the place to go on with, after a try that failed.
    fn back(
        &self,
        line: &[u8],
        groups: &mut [Range<usize>],
        tries: &mut Vec<Try>,
        steps: &mut usize,
    ) -> Option<Option<(usize, usize)>> {
        while let Some(last) = tries.last_mut() {
            *steps = steps.checked_sub(1)?;
            match last {
                Try::Without { piece, at } => {
                    let (piece, at) = (*piece, *at);
                    tries.pop();
                    if let Some(Piece::Maybe { end, groups: left }) = self.pieces.get(piece) {
                        let left = groups.get_mut(left.clone()).unwrap_or_default();
                        left.fill(NOWHERE);
                        return Some(Some((*end, at)));
                    }
                }
                Try::Run {
                    piece,
                    at,
                    count,
                    most,
                } => {
                    let Some(Piece::Run(run)) = self.pieces.get(*piece) else {
                        tries.pop();
                        continue;
                    };
                    let next = match run.lazy {
                        true if *count < *most => Some(*count + 1),
                        false if *count > run.min => Some(*count - 1),
                        _ => None,
                    };
                    let next = next.and_then(|next| run.likely(line, *at, next, *most));
                    let Some(next) = next else {
                        tries.pop();
                        continue;
                    };
                    *steps = steps.checked_sub(count.abs_diff(next) / 8)?;
                    *count = next;
                    return Some(Some((*piece + 1, *at + next)));
                }
            }
        }
        Some(None)
    }
}

impl Run {
    /// How many bytes it can have at most.
    #[inline]
    fn most(&self, rest: &[u8]) -> usize {
        let window = rest.get(..self.max).unwrap_or(rest);
        let end = window
            .iter()
            .position(|byte| !self.kind[usize::from(*byte)]);
        end.unwrap_or(window.len())
    }

    /// The count of bytes, from `first` on in the order of preference, behind which the
    /// next text stands.
    fn likely(&self, line: &[u8], at: usize, first: usize, most: usize) -> Option<usize> {
        let Some(next) = &self.next else {
            return Some(first);
        };
        let (forward, backward) = &**next;
        let len = forward.needle().len();
        if self.lazy {
            let end = (at + most + len).min(line.len());
            let found = forward.find(line.get(at + first..end)?)?;
            Some(first + found)
        } else {
            let end = (at + first + len).min(line.len());
            let found = backward.rfind(line.get(at + self.min..end)?)?;
            Some(self.min + found)
        }
    }
}

#[cfg(test)]
mod tests;
