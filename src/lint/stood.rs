//! Where something stood that a later record is compared with, in as little room as a line
//! number takes.

use std::fmt;

use crate::evidence::Place;

/// How many bits tell the line.
const LINE: u32 = 48;

/// An input and a line of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stood(u64);

impl Stood {
    /// The place of a record.
    pub fn at(place: Place) -> Stood {
        // Of more inputs than are counted here it is only known that they are not the first.
        let source = place.source.min(u32::from(u16::MAX));
        let line = place.line.min((1 << LINE) - 1);
        Stood(u64::from(source) << LINE | line)
    }

    fn source(self) -> usize {
        (self.0 >> LINE) as usize
    }

    /// Whether it is known that both stood in one input.
    pub fn is_in_the_input_of(self, here: Place) -> bool {
        self.source() == Stood::at(here).source() && self.source() < usize::from(u16::MAX)
    }

    /// Words for a person who looks at `here`: the line, and its input where that is another.
    pub fn seen_from(self, here: Place, inputs: &[String]) -> impl fmt::Display {
        let line = self.0 & ((1 << LINE) - 1);
        let source = self.source();
        if self.is_in_the_input_of(here) {
            return format!("line {line}");
        }
        match inputs.get(source) {
            Some(name) if source < usize::from(u16::MAX) => format!("line {line} of {name}"),
            _ => format!("line {line} of another input"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Stood;
    use crate::evidence::Place;

    #[test]
    fn another_input_is_named() {
        let at = |source, line| Place {
            arrival: 0,
            source,
            line,
        };
        let inputs = ["a".to_owned(), "b".to_owned()];
        let told = |there, here| Stood::at(there).seen_from(here, &inputs).to_string();
        assert_eq!(told(at(1, 7), at(1, 9)), "line 7");
        assert_eq!(told(at(0, 7), at(1, 9)), "line 7 of a");
        assert_eq!(told(at(2, 7), at(1, 9)), "line 7 of another input");
        assert_eq!(
            told(at(u32::MAX, 7), at(u32::MAX - 1, 9)),
            "line 7 of another input"
        );
    }
}
