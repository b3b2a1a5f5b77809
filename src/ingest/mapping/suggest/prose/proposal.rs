//! A proposal for lines of text.

use std::fmt::Write as _;

use super::{Lines, Taken, shapes};
use crate::escape;
use crate::evidence::Field;
use crate::ingest::mapping::suggest::Suggestion;
use crate::ingest::mapping::suggest::operation::no_operation;
use crate::ingest::mapping::suggest::reading::{Highest, highest};
use crate::ingest::mapping::suggest::trial::{Row, rows};
use crate::ingest::mapping::suggest::write::HEAD;

/// How much of a line is shown.
const LINE: usize = 400;
/// Lines that are shown where there is nothing else to say.
const FIRST_LINES: usize = 20;

const GUESSED: &str = "\n# Guessed from sentences. A group that bears the name of an evidence field is that\n\
     # field; lines that none of them fits are other lines.\n";

const NOTHING: &str = "\n# No sentence was found here that names a lock and tells what was answered: this proposal\n\
     # reads nothing before somebody writes a pattern for each sentence, such as\n\
     #   [[shape]]\n\
     #   name = \"acquired\"\n\
     #   pattern = 'lock (?<lockName>\\S+) acquired by (?<ownerId>\\S+)'\n\
     #   fields.result = { value = \"acquired\" }\n\
     # A group that bears the name of an evidence field is that field. The first lines of the sample:\n";

/// A proposal for the log that these lines are the first of, without the values that can't be
/// what the words before them say, once the lines are read by it.
pub(in super::super) fn propose(lines: &[String], log: &str) -> Suggestion {
    let text = lines.join("\n");
    let read = Lines::of(lines);
    let mut taken = Taken::default();
    loop {
        let mut proposal = patterns(&read, &taken, lines);
        if !takes_back(&mut taken, &proposal, &rows(&proposal.toml, &text)) {
            proposal.records = rows(&proposal.toml, log).len();
            return proposal;
        }
    }
}

/// Takes back one value more, where it has to be. Each is taken back once, so this ends.
fn takes_back(taken: &mut Taken, proposal: &Suggestion, rows: &[Row]) -> bool {
    let has = |field| proposal.found.contains(&field);
    let once = |told: &mut bool| !std::mem::replace(told, true);
    if has(Field::OperationId)
        && no_operation(rows, "op", &[]).is_some()
        && once(&mut taken.no_operation)
    {
        return true;
    }
    let after = has(Field::ResourceHighestTokenAfter) || taken.no_before;
    match highest(rows, "highest") {
        Highest::After if !after => once(&mut taken.before_is_after),
        Highest::Unsure if has(Field::ResourceHighestTokenBefore) => once(&mut taken.no_before),
        _ => false,
    }
}

/// Patterns of sentences, or a beginning for a person who writes some.
fn patterns(read: &Lines<'_>, taken: &Taken, lines: &[String]) -> Suggestion {
    let mut toml = format!("{HEAD}format = \"text\"\n");
    let mut found = Vec::new();
    if let Some((shapes, fields)) = shapes(read, taken) {
        toml.push_str(GUESSED);
        toml.push_str(&shapes);
        found = fields;
    } else {
        toml.push_str(NOTHING);
        for line in lines.iter().take(FIRST_LINES) {
            let line: String = line.chars().take(LINE).collect();
            let _ = writeln!(toml, "#   {}", escape::terminal(&line));
        }
    }
    Suggestion {
        toml,
        records: 0,
        found,
        preset: None,
    }
}
