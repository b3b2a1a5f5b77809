//! One sentence: the values that stand in it, what it says, and a pattern that fits it.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use super::anchors::Anchor;
use super::stamp;
use super::words::{Known, literal};
use crate::evidence::Field;
use crate::ingest::mapping::suggest::meaning::{
    affirms, is_of_it, is_rehearsed, meaning, refused_otherwise,
};

/// How long what stands behind the last value may be to be part of the pattern as a whole, in
/// bytes.
const MAX_TAIL: usize = 120;

/// A sentence in which values stand.
#[derive(Clone)]
pub(super) struct Sentence {
    pub(super) pattern: Pattern,
    /// What it says, where that is understood.
    pub(super) says: Option<&'static str>,
    pub(super) fields: Vec<Field>,
    /// The values, in the order of the fields.
    pub(super) values: Vec<String>,
    pub(super) example: String,
    /// The name of the lock is that of the resource key, too.
    pub(super) lock_is_key: bool,
    /// Lines that it would fit say something else.
    pub(super) shared: bool,
}

impl Sentence {
    /// What it says of every line that it fits.
    pub(super) fn said(&self) -> Option<&'static str> {
        self.says.filter(|_| !self.shared)
    }
}

/// A pattern in parts. Its outer parts are left out unless they keep it from fitting lines that
/// say something else.
#[derive(Clone, PartialEq)]
pub(super) struct Pattern {
    /// Words before the sentence, of a logger or other ones.
    pub(super) before: usize,
    pub(super) body: String,
    /// Behind the last value: as far as the sentence says what was answered, and whole.
    pub(super) short: String,
    pub(super) whole: String,
    pub(super) from_start: bool,
    pub(super) to_end: bool,
}

impl Pattern {
    pub(super) fn text(&self) -> String {
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

/// The name of the value behind it: `{"token":`, `, lease: `.
static NAME_OF_NEXT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r#"[{(\[,]\s*["']?[A-Za-z_][\w.-]*["']?\s*[:=]\s*["'\[]?$"#).ok());

/// The sentence of a line that names a lock, or a token of one.
pub(super) fn sentence(line: &str, mut anchors: Vec<Anchor>, known: &Known) -> Option<Sentence> {
    let has = |field| anchors.iter().any(|anchor| anchor.field == field);
    let named = has(Field::LockName);
    let of_token = has(Field::FenceToken) && anchors.len() > 1;
    if !named && !of_token {
        return None;
    }
    let start = beginning(line.get(..anchors.first()?.span.start)?);
    let rehearsed = is_rehearsed(line.get(..start)?);
    let fields = |anchors: &[Anchor]| -> Vec<Field> { anchors.iter().map(|a| a.field).collect() };
    let all = fields(&anchors);
    let answer = |words: &str, tail: &str| {
        let says = says(&format!("{words}{tail}"), &all);
        says.filter(|_| named && !rehearsed)
    };
    let (mut words, mut end) = spoken(line, start, &anchors);
    let answered = answer(&words, line.get(end..)?);
    if answered == Some("acquire-rejected-held") {
        leave_out_holder(line, &mut anchors);
        (words, end) = spoken(line, start, &anchors);
    }
    let tail = line.get(end..)?;
    let body = body(line, start, &anchors, known)?;
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
        lock_is_key: anchors.iter().any(|anchor| anchor.is_key),
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

/// The words between the values, and where the last value ends. The names of members and
/// parameters are left out: `{"token":` says nothing of what was done.
pub(super) fn spoken(line: &str, start: usize, anchors: &[Anchor]) -> (String, usize) {
    let mut words = String::new();
    let mut at = start;
    for anchor in anchors {
        let between = line.get(at..anchor.span.start).unwrap_or_default();
        let name = NAME_OF_NEXT.as_ref().and_then(|name| name.find(between));
        let said = name.map_or(between.len(), |name| name.start());
        words.push_str(between.get(..said).unwrap_or_default());
        at = anchor.span.end;
    }
    (words, at)
}

/// Takes out whoever has what another one did not get: the name of one who did not ask, and
/// the lease and the token behind it.
fn leave_out_holder(line: &str, anchors: &mut Vec<Anchor>) {
    let holder = anchors.iter().position(|anchor| {
        let before = line.get(..anchor.span.start).unwrap_or_default();
        anchor.field == Field::OwnerId && is_holder(before)
    });
    let Some(holder) = holder else { return };
    let behind = anchors.split_off(holder).into_iter().skip(1);
    anchors.extend(behind.filter(|a| !matches!(a.field, Field::LeaseId | Field::FenceToken)));
}

/// The pattern up to the last value.
fn body(line: &str, start: usize, anchors: &[Anchor], known: &Known) -> Option<String> {
    let mut body = String::new();
    let mut at = start;
    for anchor in anchors {
        literal(&mut body, line.get(at..anchor.span.start)?, known);
        let next = line.get(anchor.span.end..)?.chars().next();
        let (name, class) = (anchor.field.name(), class(line, anchor, next));
        let _ = write!(body, "(?<{name}>{class})");
        at = anchor.span.end;
    }
    Some(body)
}

/// Whether whoever is named next has the lock: `acquired by`, but not `not acquired by`.
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
pub(super) fn says(words: &str, fields: &[Field]) -> Option<&'static str> {
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
    meaning(words).or_else(|| lost_by(&lower)).or_else(|| {
        let says = refused && of_write && !of_other && !affirms(&lower);
        (says && !refused_otherwise(&lower) && is_of_it(&lower, false, "rejected"))
            .then_some("rejected")
    })
}

/// `Lock 'a' lost by w-1`, without the values. Who lost it to somebody, or for what, may never have
/// had it.
fn lost_by(lower: &str) -> Option<&'static str> {
    let words = lower.replace(['\'', '"'], " ");
    let words: Vec<&str> = words.split_whitespace().collect();
    let words = words.join(" ");
    let told = ["lock lost by", "lease lost by"]
        .iter()
        .any(|told| words.contains(told));
    told.then(|| meaning(&words)).flatten()
}

/// Where the sentence begins: behind what a logger puts before it.
fn beginning(before: &str) -> usize {
    let end = [" - ", "] ", "| "]
        .iter()
        .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
        .max();
    end.unwrap_or_else(|| {
        let mut at = 0;
        while let Some(rest) = before.get(at..).filter(|rest| !rest.is_empty()) {
            let stamp = stamp::end(rest);
            if stamp > 0 {
                at += stamp;
                continue;
            }
            let word = rest.split_inclusive(' ').next().unwrap_or_default();
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
        _ if anchor.is_number() && value.starts_with("0x") => "0x[0-9a-fA-F]+".to_owned(),
        _ if anchor.is_number() => r"\d+".to_owned(),
        Some(quote @ ('\'' | '"')) => format!("[^{quote}]*"),
        None | Some(' ') => r"\S+".to_owned(),
        Some(c) if c.is_ascii_punctuation() && !value.contains(c) => {
            format!(r"[^\s{}]+", regex::escape(c.encode_utf8(&mut [0; 4])))
        }
        Some(_) => r"[\w./:@#+=-]*\w".to_owned(),
    }
}
