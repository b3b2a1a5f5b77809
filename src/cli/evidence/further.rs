//! The places of complaints past those that are shown one by one.

use std::fmt::Write;

use crate::escape::terminal;

/// So many runs of lines are told; of what lies behind them only how many complaints it has.
const MOST: usize = 60;

/// Complaints that are told by their lines alone.
#[derive(Debug, Default)]
pub(super) struct Further {
    complaints: u64,
    /// By input, in the order of reading: its name, and runs of lines, each from one to another.
    inputs: Vec<(String, Vec<[u64; 2]>)>,
    runs: usize,
    /// Complaints past the runs that are told.
    untold: u64,
}

impl Further {
    /// Notes a complaint about that line of that input.
    pub(super) fn add(&mut self, input: &str, line: u64) {
        self.complaints += 1;
        let known = self.inputs.last_mut().filter(|(name, _)| name == input);
        if let Some([_, last]) = known.and_then(|(_, runs)| runs.last_mut())
            && self.untold == 0
            && (*last..=*last + 1).contains(&line)
        {
            *last = line;
            return;
        }
        if self.runs == MOST {
            self.untold += 1;
            return;
        }
        self.runs += 1;
        if self.inputs.last().is_none_or(|(name, _)| name != input) {
            self.inputs.push((input.to_owned(), Vec::new()));
        }
        if let Some((_, runs)) = self.inputs.last_mut() {
            runs.push([line, line]);
        }
    }

    /// How many there are and where, in one line; none where there is none.
    pub(super) fn told(&self) -> Option<String> {
        if self.complaints == 0 {
            return None;
        }
        let mut text = format!("and {} more of these", self.complaints);
        for (at, (name, runs)) in self.inputs.iter().enumerate() {
            let lead = if at == 0 { ", in" } else { ";" };
            let _ = write!(text, "{lead} {}: ", terminal(name));
            let one = |[from, to]: &[u64; 2]| match from == to {
                true => from.to_string(),
                false => format!("{from}-{to}"),
            };
            let lines: Vec<String> = runs.iter().map(one).collect();
            text.push_str(&lines.join(", "));
        }
        if self.untold > 0 {
            let _ = write!(text, ", and {} behind these", self.untold);
        }
        text.push_str("; --rejects FILE keeps the lines");
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Further;

    #[test]
    fn runs_of_lines_are_told_by_their_ends() {
        let mut further = Further::default();
        assert_eq!(further.told(), None);
        for line in [21, 22, 22, 23, 25, 3] {
            further.add("a\u{1b}[1m.log", line);
        }
        further.add("b.log", 4);
        assert_eq!(
            further.told().as_deref(),
            Some(
                "and 7 more of these, in a\\u{1b}[1m.log: 21-23, 25, 3; b.log: 4; \
                 --rejects FILE keeps the lines"
            )
        );
    }

    #[test]
    fn what_is_told_is_bounded() {
        let mut further = Further::default();
        for line in 0..1000 {
            further.add("a.log", 2 * line);
        }
        let told = further.told().unwrap();
        assert!(told.contains(" 0, 2, 4,"));
        assert!(told.ends_with("118, and 940 behind these; --rejects FILE keeps the lines"));
    }
}
