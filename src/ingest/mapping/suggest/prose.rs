//! Sentences: where a lock, its owner, a lease and tokens are named in the same words in many
//! lines, these words make a pattern.

mod anchors;

use std::fmt::Write as _;

use super::meaning::meaning;
use crate::escape;
use crate::evidence::Field;
use anchors::{Anchor, anchors};

/// Sentences that are proposed, and as many more that are shown as not understood.
const MAX_SHAPES: usize = 24;
/// Owners that are looked for in other lines.
const MAX_OWNERS: usize = 64;
/// How much of a line is looked at, and how much of what stands behind the last value.
const MAX_LINE: usize = 2000;
const MAX_TAIL: usize = 40;

/// A sentence in which values stand.
struct Sentence {
    pattern: String,
    /// What it says, where that is understood.
    says: Option<&'static str>,
    fields: Vec<Field>,
    example: String,
}

/// The shapes of the sentences in some lines, and the fields that they have; nothing where no
/// sentence that names a lock is understood.
pub(super) fn shapes(lines: &[String]) -> Option<(String, Vec<Field>)> {
    let lines = || lines.iter().filter(|line| line.len() <= MAX_LINE);
    let owners = owners(lines());
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut more = false;
    for found in lines().filter_map(|line| sentence(line, &owners)) {
        if sentences.iter().any(|known| known.pattern == found.pattern) {
            continue;
        }
        if sentences.len() == MAX_SHAPES {
            more = true;
            break;
        }
        sentences.push(found);
    }
    // A sentence may be the beginning of one that says more.
    sentences.sort_by_key(|sentence| std::cmp::Reverse(sentence.fields.len()));
    sentences.iter().find_map(|sentence| sentence.says)?;
    let mut out = String::new();
    let mut fields: Vec<Field> = Vec::new();
    for sentence in &sentences {
        let example = shown_line(&sentence.example);
        let Some(says) = sentence.says else {
            let why = if sentence.fields.contains(&Field::LockName) {
                "not understood"
            } else {
                "names no lock"
            };
            let _ = writeln!(out, "\n# {why}: {example}");
            continue;
        };
        let _ = write!(
            out,
            "\n# such as: {example}\n[[shape]]\nname = \"{says}\"\npattern = '''{}'''\n\
             fields.result = {{ value = \"{says}\" }}\n",
            sentence.pattern
        );
        fields.extend(&sentence.fields);
        fields.push(Field::Result);
    }
    if more {
        out.push_str("\n# There are more sentences that name a lock.\n");
    }
    fields.sort_unstable_by_key(|field| field.name());
    fields.dedup();
    Some((out, fields))
}

/// Owners as lines name them, the longest first: one may be the beginning of another.
fn owners<'l>(lines: impl Iterator<Item = &'l String>) -> Vec<String> {
    let mut owners: Vec<String> = Vec::new();
    for line in lines {
        let anchors = anchors(line, &[]);
        let owner = anchors.iter().find(|anchor| anchor.field == Field::OwnerId);
        let owner = owner.and_then(|anchor| line.get(anchor.span.clone()));
        if let Some(owner) = owner
            && owners.len() < MAX_OWNERS
            && !owners.iter().any(|known| known == owner)
        {
            owners.push(owner.to_owned());
        }
    }
    owners.sort_by_key(|owner| std::cmp::Reverse(owner.len()));
    owners
}

fn shown_line(line: &str) -> String {
    let line: String = line.chars().take(200).collect();
    escape::terminal(&line).into_owned()
}

/// The sentence of a line that names a lock, or a token of one.
fn sentence(line: &str, owners: &[String]) -> Option<Sentence> {
    let anchors = anchors(line, owners);
    let has = |field| anchors.iter().any(|anchor| anchor.field == field);
    let named = has(Field::LockName);
    let of_token = has(Field::FenceToken) && anchors.len() > 1;
    if !named && !of_token {
        return None;
    }
    let (first, last) = (anchors.first()?, anchors.last()?);
    let mut at = beginning(line.get(..first.span.start)?);
    let mut pattern = String::new();
    let mut words = String::new();
    for anchor in &anchors {
        let between = line.get(at..anchor.span.start)?;
        literal(&mut pattern, between);
        words.push_str(between);
        let next = line.get(anchor.span.end..)?.chars().next();
        let _ = write!(
            pattern,
            "(?<{}>{})",
            anchor.field.name(),
            class(line, anchor, next)
        );
        at = anchor.span.end;
    }
    let tail = line.get(last.span.end..)?;
    if tail.len() <= MAX_TAIL {
        literal(&mut pattern, tail);
        pattern.push('$');
    }
    words.push_str(tail);
    let fields: Vec<Field> = anchors.iter().map(|anchor| anchor.field).collect();
    // What TOML could not hold is no sentence.
    let holds = !pattern.contains("'''");
    holds.then(|| Sentence {
        says: if named { says(&words, &fields) } else { None },
        pattern,
        fields,
        example: line.to_owned(),
    })
}

/// What a sentence says. A refusal without a reason is that of a write where it names what was
/// to be done.
fn says(words: &str, fields: &[Field]) -> Option<&'static str> {
    let words = words.to_lowercase();
    let refused = ["refused", "rejected"]
        .iter()
        .any(|word| words.contains(word));
    let of_write = [Field::OperationId, Field::ResourceKey]
        .iter()
        .any(|field| fields.contains(field));
    meaning(&words).or_else(|| (refused && of_write).then_some("rejected"))
}

/// Where the sentence begins: behind what a logger puts before it.
fn beginning(before: &str) -> usize {
    let end = [" - ", "] ", "| "]
        .iter()
        .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
        .max();
    end.unwrap_or_else(|| {
        let mut at = 0;
        for word in before.split_inclusive(' ') {
            let bare = word.trim_end();
            let of_logger = bare.is_empty()
                || bare.contains(|c: char| c.is_ascii_digit() || c == '.')
                || !bare.contains(char::is_lowercase) && bare.len() > 2;
            if !of_logger {
                break;
            }
            at += word.len();
        }
        at
    })
}

/// Words as a pattern: numbers in them differ from line to line. What a terminal would obey,
/// or nobody would see, is written as a number.
fn literal(pattern: &mut String, text: &str) {
    let mut digits = false;
    for c in text.chars() {
        if c.is_ascii_digit() {
            if !digits {
                pattern.push_str(r"\d+");
            }
            digits = true;
            continue;
        }
        digits = false;
        let mut room = [0; 4];
        let text: &str = c.encode_utf8(&mut room);
        if c.is_control() || escape::terminal(text) != text {
            let _ = write!(pattern, r"\x{{{:x}}}", u32::from(c));
        } else {
            pattern.push_str(&regex::escape(text));
        }
    }
}

/// What a value may consist of.
fn class(line: &str, anchor: &Anchor, next: Option<char>) -> String {
    let value = line.get(anchor.span.clone()).unwrap_or_default();
    match next {
        _ if anchor.number && value.starts_with("0x") => "0x[0-9a-fA-F]+".to_owned(),
        _ if anchor.number => r"\d+".to_owned(),
        Some(quote @ ('\'' | '"')) => format!("[^{quote}]*"),
        None | Some(' ') => r"\S+".to_owned(),
        Some(c) if c.is_ascii_punctuation() && !value.contains(c) => {
            format!(r"[^\s{}]+", regex::escape(c.encode_utf8(&mut [0; 4])))
        }
        Some(_) => r"[\w./:@#+=-]*\w".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::shapes;

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
