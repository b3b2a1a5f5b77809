//! Names with what stands around them, for lines in an order of their own: what comes in no order
//! that is known comes from names that are.

use super::step::{Step, Told};
use crate::ingest::literal::{Before, LONGEST, Literal};

/// Room for heads of lists, a power of two.
const SLOTS: usize = 256;
/// More names than this are not kept: evidence has few, and others that have many hold ids.
const MOST: usize = 128;

/// A name, with the comma or bracket before it and all up to its value; of a value that is one
/// of a few, the value too.
#[derive(Debug)]
struct Name {
    literal: Literal,
    step: Step,
    told: Told,
    /// The next one in the list, plus one.
    next: u8,
}

/// The names that were found so far. They make reading faster and change no result.
#[derive(Debug)]
pub(super) struct Names {
    /// Of each list the first name, plus one.
    first: [u8; SLOTS],
    names: Vec<Name>,
}

impl Default for Names {
    fn default() -> Names {
        Names {
            first: [0; SLOTS],
            names: Vec::new(),
        }
    }
}

impl Names {
    /// The name that comes next, if it is known: how many bytes it has with what stands around
    /// it, and what is known of its value.
    #[inline]
    pub(super) fn find(&self, ahead: &[u8; LONGEST]) -> Option<(usize, Step, Told)> {
        let mut next = self.first[slot(ahead)];
        loop {
            let name = self.names.get(usize::from(next).checked_sub(1)?)?;
            if name.literal.fits(ahead) {
                return Some((name.literal.len(), name.step, name.told));
            }
            next = name.next;
        }
    }

    /// Keeps a name that was read. A word that is none of ours begins as all words do, so it
    /// is not kept.
    pub(super) fn keep(&mut self, text: &[u8], step: Step, told: Told) {
        if step.is_foreign || self.names.len() == MOST {
            return;
        }
        let before = match step.is_bare_number() {
            true => Before::Digit,
            false => Before::Anything,
        };
        let mut ahead = [0; LONGEST];
        let Some(literal) = Literal::new(text, before) else {
            return;
        };
        ahead[..text.len()].copy_from_slice(text);
        let first = &mut self.first[slot(&ahead)];
        self.names.push(Name {
            literal,
            step,
            told,
            next: *first,
        });
        *first = self.names.len() as u8;
    }
}

/// The list of the name that comes next, by its first bytes up to its end and by whether it is
/// the first one.
#[inline]
fn slot(ahead: &[u8; LONGEST]) -> usize {
    // Behind a comma or bracket, a space or none, and a quote.
    let begin = 2 + usize::from(ahead[1] == b' ');
    let bytes = ahead.get(begin..).and_then(|rest| rest.first_chunk());
    let word = u64::from_le_bytes(bytes.copied().unwrap_or_default());
    // The lowest bit that is set is of the first quote.
    let quotes = word ^ u64::from_ne_bytes([b'"'; 8]);
    let quotes = quotes.wrapping_sub(0x0101_0101_0101_0101) & !quotes & 0x8080_8080_8080_8080;
    let name = word & (quotes ^ quotes.wrapping_sub(1));
    let name = name ^ u64::from(ahead[0]) << 56;
    (name.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, Names, Step};

    fn ahead(text: &str) -> [u8; LONGEST] {
        let mut room = [0; LONGEST];
        room[..text.len()].copy_from_slice(text.as_bytes());
        room
    }

    #[test]
    fn a_name_is_found_with_what_stands_around_it_and_no_other() {
        let lines = [
            r#"{"seq":12,"#,
            r#","seq":7}"#,
            r#", "seq": 7}"#,
            r#","resourceKey":"a""#,
            r#","resourceHighestTokenBefore":4"#,
            r#","resourceHighestTokenAfter":4"#,
            r#","event":"write","#,
            r#","event":"renew","#,
            r#","leaseId":null,"#,
            r#","leaseId":"a","#,
            r#","leaseId":1,"#,
            r#","":"a""#,
        ];
        let mut names = Names::default();
        let mut known = Vec::new();
        for line in lines {
            assert_eq!(
                names.find(&ahead(line)).map(|found| found.0),
                None,
                "{line}"
            );
            let (len, step, told) = Step::ahead(line, line.starts_with('{')).unwrap();
            names.keep(&line.as_bytes()[..len], step, told);
            known.push((line, len, step.row, step.way));
            for (line, len, row, way) in &known {
                let found = names.find(&ahead(line)).unwrap();
                assert_eq!(
                    (found.0, found.1.row, found.1.way),
                    (*len, *row, *way),
                    "{line}"
                );
            }
        }
        for other in [
            r#","seqs":1"#,
            r#","seq":"1""#,
            r#","event":"writes""#,
            ",",
            "",
        ] {
            assert!(names.find(&ahead(other)).is_none(), "{other}");
        }
    }
}
