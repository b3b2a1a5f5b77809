//! What the words of a log may mean: value tables for answers and events.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use super::meaning::{is_not_owner, meaning};
use super::steps::event_of_words;
use super::toml::quoted;
use crate::evidence::{Answer, Event, Field};
use crate::ingest::mapping::sample::Values;
use crate::near::plain;

/// Whether a text is an answer, in whatever word.
pub(super) fn is_answer(text: &str) -> bool {
    matches!(text, "true" | "false") || Answer::is_word(text)
}

/// What a word says where all words of its path say `true` or `false` as this one does: `t`
/// and `f` of a table, `yes` and `no`.
pub(super) fn truth(values: &Values, word: &str) -> Option<bool> {
    let one = |word: &str| match word.to_ascii_lowercase().as_str() {
        "t" | "y" | "yes" => Some(true),
        "f" | "n" | "no" => Some(false),
        _ => None,
    };
    let all = !values.more && values.seen.iter().all(|(text, _)| one(text).is_some());
    one(word).filter(|_| all)
}

/// Words of no answer in time.
pub(super) const UNANSWERED: &str = "timed[ _-]?out|time-?out|deadline[ _]exceeded";

static NO_ANSWER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("(?i){UNANSWERED}")).ok());

/// Whether a text says that no answer came.
pub(super) fn unanswered(text: &str) -> bool {
    NO_ANSWER.as_ref().is_some_and(|words| words.is_match(text))
}

/// Whether a word is a status code of HTTP.
pub(super) fn is_code(word: &str) -> bool {
    word.len() == 3
        && word
            .parse::<u16>()
            .is_ok_and(|code| (100..600).contains(&code))
}

/// Whether a name is that of how many rows a condition met.
pub(super) fn is_row_count(name: &str) -> bool {
    let name = plain(name);
    name.contains("row") && !name.contains("key")
}

/// The entry of `false`. A write that was not accepted was rejected, for whatever reason; why
/// anything else was refused, only its writer knows.
pub(super) fn refused(name: &str, word: &str) -> String {
    let word = quoted(word);
    match plain(name).as_str() {
        "accepted" | "applied" | "written" => format!(
            "{word} = \"rejected\" # stale where there is a token; or rejected-duplicate, rejected-other: what does it say?"
        ),
        "rejected" | "stale" | "fenced" | "duplicate" => format!("{word} = \"accepted\""),
        "acquired" | "locked" => format!("{word} = \"held\" # what does it say?"),
        "released" | "unlocked" => {
            format!("# {word} = \"not-owner\" # or not-held: what does it say?")
        }
        _ => format!("# {word} = \"\u{2026}\" # what does it say?"),
    }
}

/// What a word says under a name, as far as a guess goes; `ok` of all words that need no entry.
pub(super) fn answered(name: &str, word: &str) -> Option<&'static str> {
    match (word, plain(name).as_str()) {
        ("false", _) => None,
        ("true", "accepted" | "applied") => Some("accepted"),
        ("true", "acquired" | "locked") => Some("acquired"),
        ("true", "released" | "unlocked") => Some("released"),
        ("true", "rejected") => Some("rejected"),
        ("true", "stale" | "fenced") => Some("rejected-stale-fence"),
        ("true", "duplicate") => Some("rejected-duplicate"),
        ("true", _) => Some("ok"),
        (code, _) if is_code(code) => match code.as_bytes().first() {
            Some(b'2') => Some("ok"),
            Some(b'5') => Some("unknown"),
            _ => None,
        },
        (word, _) if is_answer(word) => Some("ok"),
        (word, _) => meaning(word).or_else(|| is_not_owner(word).then_some("not-owner")),
    }
}

/// Whether what a flag says is that something was refused.
pub(super) fn is_refusal(says: &str) -> bool {
    says.starts_with("rejected")
}

/// How many rows a condition met: none where a write was kept out by it.
fn row_counts(stepped: bool) -> &'static str {
    if stepped {
        "# '0' = \"\u{2026}\" # no row met the condition: what does it say?\n'*' = \"ok\"\n"
    } else {
        "'0' = \"rejected\" # by the token, or was there no such row?\n'*' = \"accepted\"\n"
    }
}

/// A word that says something only of a step, where no step is known.
fn of_a_step(table: &mut String, word: &str, says: &str) {
    let _ = match Answer::of_word(says, Some(Event::Release), true) {
        Some(Answer::ReleaseRejectedNotOwner) => writeln!(
            table,
            "# {} = \"release-rejected-not-owner\" # or renew-rejected-not-owner: of which step?",
            quoted(word)
        ),
        _ => writeln!(table, "# {} = \"\u{2026}\" # of which step?", quoted(word)),
    };
}

/// The value table of an event or a result, where its words are not those of the evidence.
/// `stepped` is whether the step of a record is known.
pub(super) fn words(field: Field, values: &Values, stepped: bool) -> Option<String> {
    let table_of = |entries: &str| format!("[fields.{}.words]\n{entries}", field.name());
    if field == Field::Result && is_row_count(&values.name) && values.numbers {
        return Some(table_of(row_counts(stepped)));
    }
    let mut table = String::new();
    for (word, _) in &values.seen {
        match field {
            Field::Event if Event::from_word(word).is_ok() => {}
            Field::Event => entry(&mut table, word, event_of_words(word).map(Event::word)),
            Field::Result if word == "false" || truth(values, word) == Some(false) => {
                let _ = writeln!(table, "{}", refused(&values.name, word));
            }
            Field::Result if word == "true" || !is_answer(word) => {
                let flag = truth(values, word).map(|_| "true");
                match answered(&values.name, flag.unwrap_or(word)) {
                    Some("acquired") if may_be_by_another(values, word) => {
                        entry(&mut table, word, None);
                    }
                    Some("ok") if !stepped => of_a_step(&mut table, word, word),
                    Some("not-owner") if !stepped => of_a_step(&mut table, word, "not-owner"),
                    None if stepped && unanswered(word) => entry(&mut table, word, Some("unknown")),
                    says => entry(&mut table, word, says),
                }
            }
            Field::Result if !stepped && Answer::of_word(word, None, true).is_none() => {
                of_a_step(&mut table, word, word);
            }
            Field::Result => {}
            _ => return None,
        }
    }
    (!table.is_empty()).then(|| table_of(&table))
}

/// Whether a word may say that somebody else has the lock: `locked` beside `ok`.
fn may_be_by_another(values: &Values, word: &str) -> bool {
    let acquired =
        |word: &str| Answer::of_word(word, Some(Event::Acquire), true) == Some(Answer::Acquired);
    matches!(plain(word).as_str(), "locked" | "taken")
        && values.seen.iter().any(|(other, _)| acquired(other))
}

pub(super) fn entry(table: &mut String, word: &str, to: Option<&str>) {
    let _ = match to {
        Some(to) => writeln!(table, "{} = \"{to}\"", quoted(word)),
        None => writeln!(table, "# {} = \"…\" # what does it say?", quoted(word)),
    };
}
