//! From a pattern to its pieces, if it is made of such.

use memchr::memmem::{Finder, FinderRev};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

use super::{Begin, Piece, Run, Sequence};

impl Sequence {
    /// The pattern as such a sequence, if it is one.
    pub(in super::super) fn new(pattern: &str) -> Option<Sequence> {
        let hir = ParserBuilder::new()
            .unicode(false)
            .utf8(false)
            .build()
            .parse(pattern)
            .ok()?;
        let HirKind::Concat(parts) = hir.kind() else {
            return None;
        };
        let (first, rest) = parts.split_first()?;
        let anchored = *first.kind() == HirKind::Look(Look::Start);
        let mut pieces = Vec::new();
        for part in if anchored { rest } else { parts } {
            take(part, &mut pieces)?;
        }
        let begin = match pieces.iter().find(|piece| !is_mark(piece)) {
            _ if anchored => Begin::Line,
            // Overlapping places are passed over, so none may overlap.
            Some(Piece::Text(text)) if !overlaps(text) => {
                Begin::Text(Box::new(Finder::new(text).into_owned()))
            }
            _ => return None,
        };
        for at in 0..pieces.len() {
            look_ahead(&mut pieces, at);
        }
        Some(Sequence {
            pieces,
            groups: hir.properties().explicit_captures_len() + 1,
            begin,
        })
    }
}

fn is_mark(piece: &Piece) -> bool {
    matches!(piece, Piece::Open(_) | Piece::Close(_))
}

/// Whether the text can begin again before it has ended.
fn overlaps(text: &[u8]) -> bool {
    (1..text.len()).any(|shift| text.starts_with(&text[shift..]))
}

/// Appends the pieces of a part; `None` where it is something else.
fn take(part: &Hir, pieces: &mut Vec<Piece>) -> Option<()> {
    match part.kind() {
        HirKind::Empty => {}
        HirKind::Literal(literal) => pieces.push(Piece::Text(literal.0.clone())),
        HirKind::Class(class) => pieces.push(run(class, 1, Some(1), false)?),
        HirKind::Repetition(repeated) => match repeated.sub.kind() {
            HirKind::Class(class) => {
                let lazy = !repeated.greedy;
                pieces.push(run(class, repeated.min, repeated.max, lazy)?);
            }
            _ if repeated.min == 0 && repeated.max == Some(1) && repeated.greedy => {
                let at = pieces.len();
                pieces.push(Piece::End);
                take(&repeated.sub, pieces)?;
                let groups = pieces.iter().skip(at).filter_map(|piece| match piece {
                    Piece::Open(group) => Some(*group),
                    _ => None,
                });
                let first = groups.clone().min().unwrap_or(0);
                let groups = first..groups.max().map_or(0, |last| last + 1);
                let end = pieces.len();
                *pieces.get_mut(at)? = Piece::Maybe { end, groups };
            }
            _ => return None,
        },
        HirKind::Capture(group) => {
            let index = group.index as usize;
            pieces.push(Piece::Open(index));
            take(&group.sub, pieces)?;
            pieces.push(Piece::Close(index));
        }
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| take(part, pieces))?,
        HirKind::Alternation(parts) => {
            let texts = parts.iter().map(|part| match part.kind() {
                HirKind::Literal(literal) => Some(literal.0.clone()),
                _ => None,
            });
            let texts: Vec<_> = texts.collect::<Option<_>>()?;
            let begins = |a: usize, b: usize| a != b && texts[a].starts_with(&texts[b]);
            let count = texts.len();
            if (0..count).any(|a| (0..count).any(|b| begins(a, b))) {
                return None;
            }
            pieces.push(Piece::Choice(texts));
        }
        HirKind::Look(Look::End) => pieces.push(Piece::End),
        HirKind::Look(_) => return None,
    }
    Some(())
}

fn run(class: &Class, min: u32, max: Option<u32>, lazy: bool) -> Option<Piece> {
    let Class::Bytes(class) = class else {
        return None;
    };
    let mut kind = Box::new([false; 256]);
    for range in class.ranges() {
        for byte in range.start()..=range.end() {
            kind[usize::from(byte)] = true;
        }
    }
    Some(Piece::Run(Run {
        kind,
        min: min as usize,
        max: max.map_or(usize::MAX, |max| max as usize),
        lazy,
        sure: false,
        next: None,
    }))
}

/// Tells a run what follows it.
fn look_ahead(pieces: &mut [Piece], at: usize) {
    let (before, after) = pieces.split_at_mut((at + 1).min(pieces.len()));
    let Some(Piece::Run(run)) = before.last_mut() else {
        return;
    };
    let is = |byte: &u8| run.kind[usize::from(*byte)];
    run.sure = run.min == run.max;
    match after.iter().find(|piece| !is_mark(piece)) {
        None => run.sure |= !run.lazy,
        Some(Piece::End) => run.sure = true,
        Some(Piece::Text(text)) => {
            run.sure |= text.first().is_some_and(|byte| !is(byte));
            let ways = (Finder::new(text), FinderRev::new(text));
            run.next = Some(Box::new((ways.0.into_owned(), ways.1.into_owned())));
        }
        Some(Piece::Choice(texts)) => {
            let sure = |text: &[u8]| text.first().is_some_and(|byte| !is(byte));
            run.sure |= texts.iter().all(|text| sure(text));
        }
        Some(Piece::Run(next)) => {
            let both = (0..=255u8).any(|byte| is(&byte) && next.kind[usize::from(byte)]);
            run.sure |= next.min > 0 && !both;
        }
        Some(Piece::Maybe { .. } | Piece::Open(_) | Piece::Close(_)) => {}
    }
}
