//! Sentences: where a lock, its owner, a lease and tokens are named in the same words in many
//! lines, these words make a pattern.

mod anchors;
mod check;
mod locks;
mod named;
mod others;
mod proposal;
mod sentence;
mod stamp;
mod verbs;
mod words;

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::escape;
use crate::evidence::Field;
use anchors::{Anchor, anchors};
pub(super) use proposal::propose;
use sentence::{Sentence, sentence};
use words::Known;

/// Sentences that are proposed, and as many more that are shown as not understood.
const MAX_SHAPES: usize = 24;
/// Owners, and locks, that are looked for in other lines.
const MAX_NAMES: usize = 64;
/// How much of a line is looked at, and how many words that are the same in other lines may
/// stand behind the last value.
const MAX_LINE: usize = 2000;

/// Lines, and what they say together.
struct Lines<'l> {
    /// Each line with the values in it.
    lines: Vec<(&'l String, Vec<Anchor>)>,
    /// Locks as lines name them.
    locks: Vec<String>,
    known: Known,
}

impl<'l> Lines<'l> {
    fn of(lines: &'l [String]) -> Lines<'l> {
        let lines = lines.iter().filter(|line| line.len() <= MAX_LINE);
        let mut lines: Vec<_> = lines.map(|line| (line, anchors(line, &[]))).collect();
        let locks = names(&lines, Field::LockName, locks::is_name);
        let mut owners = names(&lines, Field::OwnerId, |_| true);
        // The longest first: one may be the beginning of another.
        owners.sort_by_key(|owner| Reverse(owner.len()));
        for (line, found) in &mut lines {
            *found = anchors(line, &owners);
        }
        let known = Known::of(&lines);
        Lines {
            lines,
            locks,
            known,
        }
    }
}

/// What is named as this field, once for each line at most.
fn names(
    lines: &[(&String, Vec<Anchor>)],
    field: Field,
    is_name: impl Fn(&str) -> bool,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (line, anchors) in lines {
        let anchor = anchors.iter().find(|anchor| anchor.field == field);
        let name = anchor.and_then(|anchor| line.get(anchor.span.clone()));
        if let Some(name) = name.filter(|name| is_name(name))
            && names.len() < MAX_NAMES
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// What values behind words are not, though the words say so.
#[derive(Default)]
struct Taken {
    /// The same operation stands in lines that are of different ones.
    no_operation: bool,
    /// The highest token was read after the write.
    before_is_after: bool,
    /// It may have been read before or after.
    no_before: bool,
}

impl Taken {
    /// The values of a line, each as the field that it is.
    fn anchors(&self, line: &str, found: &[Anchor], locks: &[String]) -> Vec<Anchor> {
        let mut anchors = found.to_vec();
        locks::add(line, &mut anchors, locks);
        let before = Field::ResourceHighestTokenBefore;
        let after = Field::ResourceHighestTokenAfter;
        anchors.retain(|anchor| {
            !(self.no_operation && anchor.field == Field::OperationId
                || self.no_before && anchor.field == before)
        });
        if self.before_is_after && anchors.iter().all(|anchor| anchor.field != after) {
            for anchor in anchors.iter_mut().filter(|anchor| anchor.field == before) {
                anchor.field = after;
            }
        }
        anchors
    }

    fn remarks(&self) -> String {
        let remarks = [
            (
                self.no_operation,
                "# operationId is left out: writes that differ have the same, so that it may not be one operation.\n",
            ),
            (
                self.no_before,
                "# resourceHighestTokenBefore is left out: no accepted write is above it. Was it read before the\n\
                 # write, or after it?\n",
            ),
            (
                self.before_is_after,
                "# The highest token is the one after the write: it holds the token of the write itself.\n",
            ),
        ];
        let said = remarks.iter().filter(|(is, _)| *is);
        said.map(|(_, remark)| *remark).collect()
    }
}

/// The shapes of the sentences in some lines, and the fields that they have; nothing where no
/// sentence that names a lock is understood.
fn shapes(read: &Lines<'_>, taken: &Taken) -> Option<(String, Vec<Field>)> {
    let lines = read.lines.iter();
    let all: Vec<(&String, Option<Sentence>)> = lines
        .map(|(line, found)| {
            let anchors = taken.anchors(line, found, &read.locks);
            (*line, sentence(line, anchors, &read.known))
        })
        .collect();
    let (mut sentences, more) = different(all.iter().filter_map(|(_, found)| found.as_ref()));
    // A sentence may be the beginning of one that says more.
    sentences.sort_by_key(|sentence| Reverse(sentence.fields.len()));
    check::settle(&mut sentences, &all);
    sentences.iter().find_map(Sentence::said)?;
    let mut out = taken.remarks();
    let mut fields = write(&mut out, &sentences);
    if more {
        out.push_str("\n# There are more sentences that name a lock.\n");
    }
    fields.sort_unstable_by_key(|field| field.name());
    fields.dedup();
    Some((out, fields))
}

/// Each sentence once, and whether there are more than are looked at.
fn different<'s>(all: impl Iterator<Item = &'s Sentence>) -> (Vec<Sentence>, bool) {
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut more = false;
    for found in all {
        let same = |one: &&Sentence| one.says.is_some() == found.says.is_some();
        if sentences
            .iter()
            .any(|one| one.pattern == found.pattern && one.says == found.says)
        {
            continue;
        }
        if sentences.iter().filter(same).count() == MAX_SHAPES {
            more = true;
            continue;
        }
        sentences.push(found.clone());
    }
    (sentences, more)
}

/// Writes a shape for each sentence that is understood, and why there is none for the others;
/// the fields that the shapes have.
fn write(out: &mut String, sentences: &[Sentence]) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut written: Vec<(String, &str)> = Vec::new();
    for sentence in sentences {
        let example = shown_line(&sentence.example);
        let Some(says) = sentence.said() else {
            let why = if sentence.shared {
                "left out, since lines that say something else have the same words"
            } else if sentence.fields.contains(&Field::LockName) {
                "not understood"
            } else {
                "names no lock"
            };
            let _ = writeln!(out, "\n# {why}: {example}");
            continue;
        };
        let shape = (sentence.pattern.text(), says);
        // What stands before a sentence may differ.
        if written.contains(&shape) {
            continue;
        }
        let pattern = &shape.0;
        let _ = write!(
            out,
            "\n# such as: {example}\n[[shape]]\nname = \"{says}\"\npattern = '''{pattern}'''\n\
             fields.result = {{ value = \"{says}\" }}\n",
        );
        if sentence.lock_is_key {
            out.push_str(
                "fields.resourceKey = \"lockName\" # what was written has the name of a lock\n",
            );
            fields.push(Field::ResourceKey);
        }
        written.push(shape);
        fields.extend(&sentence.fields);
        fields.push(Field::Result);
    }
    fields
}

fn shown_line(line: &str) -> String {
    let line: String = line.chars().take(200).collect();
    escape::terminal(&line).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{Lines, Taken};
    use crate::evidence::Field;

    fn shapes(lines: &[String]) -> Option<(String, Vec<Field>)> {
        super::shapes(&Lines::of(lines), &Taken::default())
    }

    #[test]
    fn nothing_is_made_of_sentences_that_name_no_lock() {
        let lines = [
            "ready in 3 ms",
            "token 7 is stale",
            "Lock acquired by worker-1",
        ];
        assert!(shapes(&lines.map(str::to_owned)).is_none());
    }

    #[test]
    fn what_a_terminal_would_obey_is_written_as_a_number() {
        let line = "Lock 'a' re\u{202e}moved,\u{9b}\treleased by w-1";
        let (toml, _) = shapes(&[line.to_owned()]).unwrap();
        let shown = |c: char| c == '\n' || !c.is_control() && c != '\u{202e}';
        assert!(toml.chars().all(shown), "{toml:?}");
        let pattern = toml.split("'''").nth(1).unwrap();
        assert!(regex::Regex::new(pattern).unwrap().is_match(line), "{toml}");
    }

    #[test]
    fn a_sentence_of_more_fields_comes_first() {
        let lines = [
            "Lock 'a' released by w-1",
            "Lock 'a' released by w-1 (lease l1, token 7)",
            "Lock 'a' puzzled w-1",
        ];
        let (toml, _) = shapes(&lines.map(str::to_owned)).unwrap();
        let long = toml.find("leaseId").unwrap();
        let short = toml.rfind("(?<ownerId>\\S+)$").unwrap();
        assert!(long < short && toml.contains("# not understood"), "{toml}");
    }
}
