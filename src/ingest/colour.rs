//! Takes the escape sequences out of a line that was written for a terminal.
//!
//! A raw escape byte stands in no JSON and in no name, so a line that holds one was
//! coloured by whoever wrote it. It is read without the sequences, and what is wrong with
//! it is shown where it stands in the line as it was.

use std::ops::Range;

use memchr::{memchr, memchr2};

use super::dialect::{Output, Problem};
use crate::evidence::Record;

const ESC: u8 = 0x1b;
const BELL: u8 = 7;

/// A text without its escape sequences.
#[derive(Debug)]
pub(crate) struct Bare {
    pub(crate) text: String,
    /// Where in the text something was taken out, and how many bytes up to there.
    cuts: Vec<(usize, usize)>,
}

/// The text without escape sequences; `None` where it holds none.
pub(crate) fn bare(text: &str) -> Option<Bare> {
    let mut next = memchr(ESC, text.as_bytes())?;
    let mut bare = Bare {
        text: String::with_capacity(text.len()),
        cuts: Vec::new(),
    };
    let (mut at, mut taken) = (0, 0);
    loop {
        bare.text.push_str(text.get(at..next).unwrap_or_default());
        let len = sequence(text.as_bytes().get(next..).unwrap_or_default());
        taken += len;
        match bare.cuts.last_mut() {
            Some((cut, all)) if *cut == bare.text.len() => *all = taken,
            _ => bare.cuts.push((bare.text.len(), taken)),
        }
        at = next + len;
        match memchr(ESC, text.as_bytes().get(at..).unwrap_or_default()) {
            Some(found) => next = at + found,
            None => break,
        }
    }
    bare.text.push_str(text.get(at..).unwrap_or_default());
    Some(bare)
}

/// The length of the escape sequence at the begin: `ESC [ … letter` (colours), a link or a
/// title (`ESC ] … BEL`), a choice of letters (`ESC ( B`), or two bytes. What is none of them
/// is the escape byte alone.
fn sequence(bytes: &[u8]) -> usize {
    match bytes.get(1) {
        Some(b'[') => {
            let inside = bytes
                .iter()
                .skip(2)
                .take_while(|b| (0x20..0x40).contains(*b));
            let end = 2 + inside.count();
            match bytes.get(end) {
                Some(0x40..=0x7e) => end + 1,
                _ => end,
            }
        }
        Some(b']') => {
            // It holds neither byte, so no more of the line is looked through than up to the
            // next sequence.
            let inside = bytes.get(2..).unwrap_or_default();
            let end = memchr2(ESC, BELL, inside).map_or(bytes.len(), |at| at + 2);
            match bytes.get(end..) {
                Some([BELL, ..]) => end + 1,
                Some([ESC, b'\\', ..]) => end + 2,
                _ => 2,
            }
        }
        Some(b'(' | b')') if bytes.get(2).is_some_and(u8::is_ascii_graphic) => 3,
        Some(0x30..=0x7e) => 2,
        _ => 1,
    }
}

impl Bare {
    /// An output that shows what is wrong where it stands in the coloured line.
    pub(crate) fn output<'o>(&'o self, output: &'o mut dyn Output) -> Uncoloured<'o> {
        Uncoloured { bare: self, output }
    }

    fn place(&self, at: usize) -> usize {
        let before = self.cuts.partition_point(|(cut, _)| *cut <= at);
        let known = before.checked_sub(1).and_then(|last| self.cuts.get(last));
        at + known.map_or(0, |(_, taken)| *taken)
    }

    fn span(&self, span: &Range<usize>) -> Range<usize> {
        let start = self.place(span.start);
        // The last byte stands where it stands; a sequence behind it is not part of it.
        let end = match span.end.checked_sub(1) {
            Some(last) if last >= span.start => self.place(last) + 1,
            _ => start,
        };
        start..end
    }

    fn problem(&self, problem: &Problem) -> Problem {
        Problem {
            span: self.span(&problem.span),
            ..problem.clone()
        }
    }
}

/// The [`Output`] of a line that was coloured.
pub(crate) struct Uncoloured<'o> {
    bare: &'o Bare,
    output: &'o mut dyn Output,
}

impl Output for Uncoloured<'_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        let problems: Vec<_> = problems.iter().map(|p| self.bare.problem(p)).collect();
        let offset = self.bare.place(offset);
        self.output.record(offset, record, &problems);
    }

    fn reject(&mut self, problem: Problem) {
        self.output.reject(self.bare.problem(&problem));
    }

    fn also(&mut self, problem: Problem) {
        self.output.also(self.bare.problem(&problem));
    }

    fn other(&mut self) {
        self.output.other();
    }
}

#[cfg(test)]
mod tests {
    use super::bare;

    #[test]
    fn sequences_go_and_the_rest_stays() {
        for (coloured, plain) in [
            ("\u{1b}[36mlock=\u{1b}[0ma b", "lock=a b"),
            ("\u{1b}[1;38;5;196mx\u{1b}[m", "x"),
            ("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{1b}\\", "link"),
            ("\u{1b}(Bü\u{1b}", "ü"),
            ("cut \u{1b}[3", "cut "),
            ("\u{1b}ü", "ü"),
            // A lone escape byte takes nothing with it that parts pairs.
            ("a=\"x\u{1b}\" b=\u{1b} c", "a=\"x\" b= c"),
        ] {
            assert_eq!(bare(coloured).unwrap().text, plain);
        }
        assert!(bare("plain").is_none());
        // What has no end is no link.
        assert_eq!(bare("\u{1b}]8;;é \u{1b}[mx").unwrap().text, "8;;é x");
        let begins = "\u{1b}]".repeat(1 << 20);
        let bare = bare(&begins).unwrap();
        assert_eq!(bare.text, "");
        assert_eq!(bare.cuts, [(0, begins.len())]);
    }

    #[test]
    fn places_are_those_of_the_coloured_line() {
        let line = "\u{1b}[36mtoken=\u{1b}[0mx1\u{1b}[0m end";
        let bare = bare(line).unwrap();
        let span = |text: &str| {
            let start = bare.text.find(text).unwrap();
            bare.span(&(start..start + text.len()))
        };
        for text in ["token=", "x1", " end"] {
            assert_eq!(&line[span(text)], text);
        }
    }
}
