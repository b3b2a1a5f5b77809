//! Sentences: where a lock, its owner, a lease and tokens are named in the same words in many
//! lines, these words make a pattern.

mod anchors;
mod check;
mod locks;
mod named;
mod others;
mod words;

use std::fmt::Write as _;

use super::meaning::{affirms, meaning, refused_otherwise};
use crate::escape;
use crate::evidence::Field;
use anchors::{Anchor, anchors};
use words::{Known, literal};

/// Sentences that are proposed, and as many more that are shown as not understood.
const MAX_SHAPES: usize = 24;
/// Owners that are looked for in other lines.
const MAX_OWNERS: usize = 64;
/// How much of a line is looked at, and how many words that are the same in other lines may
/// stand behind the last value.
const MAX_LINE: usize = 2000;
const MAX_TAIL: usize = 120;

/// What values behind words are not, though the words say so.
#[derive(Default)]
pub(super) struct Taken {
    /// The same operation stands in lines that are of different ones.
    pub(super) no_operation: bool,
    /// The highest token was read after the write.
    pub(super) before_is_after: bool,
    /// It may have been read before or after.
    pub(super) no_before: bool,
}

impl Taken {
    /// The values of a line, each as the field that it is.
    fn anchors(&self, line: &str, owners: &[String], locks: &[String]) -> Vec<Anchor> {
        let mut anchors = anchors(line, owners);
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

/// A sentence in which values stand.
#[derive(Clone)]
struct Sentence {
    pattern: Pattern,
    /// What it says, where that is understood.
    says: Option<&'static str>,
    fields: Vec<Field>,
    /// The values, in the order of the fields.
    values: Vec<String>,
    example: String,
    /// Lines that it would fit say something else.
    shared: bool,
}

/// A pattern in parts, of which the outer ones are left out where no other line needs them.
#[derive(Clone, PartialEq)]
struct Pattern {
    /// Words before the sentence, of a logger or other ones.
    before: usize,
    body: String,
    /// Behind the last value: as far as the sentence says what was answered, and whole.
    short: String,
    whole: String,
    from_start: bool,
    to_end: bool,
}

impl Pattern {
    fn text(&self) -> String {
        let Pattern { before, body, .. } = self;
        let start = match before {
            _ if !self.from_start => String::new(),
            0 => "^".to_owned(),
            n => format!(r"^(?:\S+\s+){{{n}}}"),
        };
        if self.to_end {
            format!("{start}{body}{}$", self.whole)
        } else {
            format!("{start}{body}{}", self.short)
        }
    }
}

/// The shapes of the sentences in some lines, and the fields that they have; nothing where no
/// sentence that names a lock is understood.
pub(super) fn shapes(lines: &[String], taken: &Taken) -> Option<(String, Vec<Field>)> {
    let lines = || lines.iter().filter(|line| line.len() <= MAX_LINE);
    let (owners, locks) = (owners(lines()), locks::locks(lines()));
    let known = Known::of(lines().map(|line| (line.as_str(), anchors(line, &owners))));
    let mut sentences: Vec<Sentence> = Vec::new();
    let mut more = false;
    let all: Vec<(&String, Option<Sentence>)> = lines()
        .map(|line| {
            (
                line,
                sentence(line, taken.anchors(line, &owners, &locks), &known),
            )
        })
        .collect();
    for found in all.iter().filter_map(|(_, sentence)| sentence.as_ref()) {
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
    // A sentence may be the beginning of one that says more.
    sentences.sort_by_key(|sentence| std::cmp::Reverse(sentence.fields.len()));
    check::settle(&mut sentences, &all);
    let said = |sentence: &Sentence| sentence.says.filter(|_| !sentence.shared);
    sentences.iter().find_map(said)?;
    let mut out = taken.remarks();
    let mut fields: Vec<Field> = Vec::new();
    for sentence in &sentences {
        let example = shown_line(&sentence.example);
        let Some(says) = said(sentence) else {
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
        let _ = write!(
            out,
            "\n# such as: {example}\n[[shape]]\nname = \"{says}\"\npattern = '''{}'''\n\
             fields.result = {{ value = \"{says}\" }}\n",
            sentence.pattern.text()
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
fn sentence(line: &str, mut anchors: Vec<Anchor>, known: &Known) -> Option<Sentence> {
    let has = |field| anchors.iter().any(|anchor| anchor.field == field);
    let named = has(Field::LockName);
    let of_token = has(Field::FenceToken) && anchors.len() > 1;
    if !named && !of_token {
        return None;
    }
    let start = beginning(line.get(..anchors.first()?.span.start)?);
    let spoken = |anchors: &[Anchor]| {
        let mut words = String::new();
        let mut at = start;
        for anchor in anchors {
            words.push_str(line.get(at..anchor.span.start).unwrap_or_default());
            at = anchor.span.end;
        }
        (words, at)
    };
    let (mut words, mut end) = spoken(&anchors);
    let fields = |anchors: &[Anchor]| -> Vec<Field> { anchors.iter().map(|a| a.field).collect() };
    let all = fields(&anchors);
    let answer = |words: &str, tail: &str| {
        let says = says(&format!("{words}{tail}"), &all);
        says.filter(|_| named)
    };
    let answered = answer(&words, line.get(end..)?);
    // Who has what another one did not get did not ask for it.
    let holder = anchors.iter().position(|anchor| {
        let before = line.get(..anchor.span.start).unwrap_or_default();
        anchor.field == Field::OwnerId && is_holder(before)
    });
    if let (Some(holder), Some("acquire-rejected-held")) = (holder, answered) {
        let (lease, token) = (Field::LeaseId, Field::FenceToken);
        let of_holder = |a: &Anchor| a.field == lease || a.field == token;
        let mut n = 0;
        anchors.retain(|anchor| {
            n += 1;
            n <= holder || n > holder + 1 && !of_holder(anchor)
        });
        (words, end) = spoken(&anchors);
    }
    let tail = line.get(end..)?;
    let mut body = String::new();
    let mut at = start;
    for anchor in &anchors {
        literal(&mut body, line.get(at..anchor.span.start)?, known);
        let next = line.get(anchor.span.end..)?.chars().next();
        let _ = write!(
            body,
            "(?<{}>{})",
            anchor.field.name(),
            class(line, anchor, next)
        );
        at = anchor.span.end;
    }
    let mut whole = String::new();
    let long = literal(&mut whole, tail, known) > MAX_TAIL;
    let mut short = whole.clone();
    if long {
        // As far as the answer is told, and no further.
        let cuts = tail.match_indices(|c: char| !c.is_alphanumeric() && c != '_' && c != '-');
        let cut = cuts
            .map(|(at, _)| at)
            .chain([tail.len()])
            .find(|at| answer(&words, tail.get(..*at).unwrap_or_default()) == answered);
        short.clear();
        literal(&mut short, tail.get(..cut?)?, known);
    }
    let values = anchors.iter().filter_map(|a| line.get(a.span.clone()));
    let sentence = Sentence {
        says: answered,
        fields: fields(&anchors),
        values: values.map(str::to_owned).collect(),
        example: line.to_owned(),
        shared: false,
        pattern: Pattern {
            before: line.get(..start)?.split_whitespace().count(),
            body,
            short,
            whole,
            from_start: false,
            to_end: !long,
        },
    };
    // What TOML could not hold is no sentence.
    let text = [&sentence.pattern.body, &sentence.pattern.whole];
    (!text.iter().any(|text| text.contains("'''"))).then_some(sentence)
}

/// Whether what is named next has the lock: `acquired by`, but not `not acquired by`.
fn is_holder(before: &str) -> bool {
    let before = before.to_lowercase();
    let before = before.trim_end_matches([' ', '\'', '"']);
    [
        "acquired by",
        "locked by",
        "taken by",
        "held by",
        "owned by",
    ]
    .iter()
    .filter_map(|words| before.strip_suffix(words))
    .any(|before| !before.trim_end().ends_with("not"))
}

/// What a sentence says. A refusal without a reason is that of a write where it names what was
/// to be done.
fn says(words: &str, fields: &[Field]) -> Option<&'static str> {
    let lower = words.to_lowercase();
    let refused = ["refused", "rejected", "denied"]
        .iter()
        .any(|word| lower.contains(word));
    let of_write = [Field::OperationId, Field::ResourceKey]
        .iter()
        .any(|field| fields.contains(field))
        || lower.contains("write");
    let of_other = ["releas", "unlock", "renew", "acquire"]
        .iter()
        .any(|word| lower.contains(word));
    meaning(words).or_else(|| {
        (refused && of_write && !of_other && !affirms(&lower) && !refused_otherwise(&lower))
            .then_some("rejected")
    })
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

/// What a value may consist of.
fn class(line: &str, anchor: &Anchor, next: Option<char>) -> String {
    let value = line.get(anchor.span.clone()).unwrap_or_default();
    match next {
        _ if anchor.by_looks && anchor.field == Field::ResourceKey => {
            r"[\w.@#+=-]*[:/][\w./:@#+=-]*".to_owned()
        }
        _ if anchor.by_looks => {
            let end = value.find(|c: char| !c.is_alphabetic());
            let name = value.get(..end.unwrap_or_default()).unwrap_or_default();
            format!(r"{}[\w-]+", regex::escape(name))
        }
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
    use super::{Taken, shapes};

    #[test]
    fn nothing_is_made_of_sentences_that_name_no_lock() {
        let lines = [
            "ready in 3 ms",
            "token 7 is stale",
            "Lock acquired by worker-1",
        ];
        assert!(shapes(&lines.map(str::to_owned), &Taken::default()).is_none());
    }

    #[test]
    fn what_a_terminal_would_obey_is_written_as_a_number() {
        let line = "Lock 'a' re\u{202e}moved,\u{9b}\treleased by w-1";
        let (toml, _) = shapes(&[line.to_owned()], &Taken::default()).unwrap();
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
        let (toml, _) = shapes(&lines.map(str::to_owned), &Taken::default()).unwrap();
        let long = toml.find("leaseId").unwrap();
        let short = toml.rfind("(?<ownerId>\\S+)$").unwrap();
        assert!(long < short && toml.contains("# not understood"), "{toml}");
    }
}
