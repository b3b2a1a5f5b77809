//! An answer in a field of its own beside a sentence: of a record that has both, the field
//! says what came of it, and the sentence perhaps only what was tried.

use std::fmt::Write as _;

use super::choice::Guess;
use super::meaning::meaning;
use super::toml::quoted;
use super::words::{answered, entry, is_answer, refused, truth};
use crate::evidence::Answer;
use crate::ingest::mapping::sample::Values;

/// Words that say that something was not done, whatever it was.
const NOT_DONE: [&str; 26] = [
    "false", "fail", "error", "reject", "refuse", "denied", "decline", "abort", "not ", "not_",
    "not-", "rolled", "rollback", "conflict", "mismatch", "dropped", "discard", "skip", "dry",
    "cancel", "noop", "no-op", "no_op", "retr", "pending", "queued",
];

/// The field of the answer as what is asked before the sentences are, where it has words that
/// say more than that all went well.
pub(super) fn first(
    guess: &Guess<'_>,
    path: &str,
    values: &Values,
    sentences: &str,
) -> Option<String> {
    if values.more {
        return None;
    }
    let path = quoted(path);
    let answer = format!("{{ path = {path}, words = {{ true = \"true\", false = \"false\" }} }}");
    let together = guess.pairs(&answer, sentences);
    let (mut table, mut absent, mut wins) = (String::new(), values.blanks.clone(), false);
    for (word, _) in &values.seen {
        if tells(word, values, &together, &mut table) {
            wins = true;
        } else {
            absent.push(word.clone());
        }
    }
    if !wins {
        return None;
    }
    let mut out = format!("[[fields.result]]\npath = {path}\n");
    if !absent.is_empty() {
        let absent: Vec<String> = absent.iter().map(|word| quoted(word)).collect();
        let _ = writeln!(
            out,
            "absent = [{}] # the sentence says more",
            absent.join(", ")
        );
    }
    if !table.is_empty() {
        let _ = write!(out, "[fields.result.words]\n{table}");
    }
    out.push('\n');
    Some(out)
}

/// Whether the field says more with a word than the sentence does. What it says goes into the
/// table, unless it is a word of the evidence.
fn tells(word: &str, values: &Values, together: &[(String, String)], table: &mut String) -> bool {
    let name = &values.name;
    let flag = match word {
        "true" => Some(true),
        "false" => Some(false),
        word => truth(values, word),
    };
    match (flag, answered(name, "true")) {
        (Some(true), Some("ok") | None) => return false,
        (Some(true), says) => {
            entry(table, word, says);
            return true;
        }
        (Some(false), Some(says)) if says != "ok" => {
            let _ = writeln!(table, "{}", refused(name, word));
            return true;
        }
        _ => {}
    }
    let lower = word.to_lowercase();
    let not_done = flag == Some(false) || NOT_DONE.iter().any(|no| lower.contains(no));
    if not_done && Answer::canonical(word).is_none() && meaning(word).is_none() {
        // The sentence says why, unless it says that it was done.
        let mut sentences = together.iter().filter(|(one, _)| one == word);
        let contradicted = sentences.any(|(_, sentence)| is_done(sentence));
        if contradicted {
            entry(table, word, None);
        }
        return contradicted;
    }
    if Answer::of_word(word, None, true).is_some() {
        return true;
    }
    let says = meaning(word).filter(|_| !is_answer(word));
    if says.is_some() {
        entry(table, word, says);
    }
    says.is_some()
}

fn is_done(sentence: &str) -> bool {
    let done = ["acquired", "accepted", "released", "renewed"];
    meaning(sentence).is_some_and(|says| done.contains(&says))
}
