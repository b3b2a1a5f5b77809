//! A text as somebody would say it, without what only names something.

/// A sentence in lower case, with the words of names in it apart: `WriteFailedException`.
pub(super) fn uncamel(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 4);
    let mut lower = false;
    for c in text.chars() {
        if c.is_uppercase() && lower {
            words.push(' ');
        }
        lower = c.is_lowercase();
        words.extend(c.to_lowercase());
    }
    words
}

/// The words of a name: `lock.release_denied`, `WriteRejected`, `TOKEN-TOO-OLD`.
pub(in super::super) fn spoken(name: &str) -> String {
    uncamel(name).replace(['_', '-', '.', ':', '/'], " ")
}

/// `select write_fenced($1)` names a function and does not say that anything was fenced.
pub(super) fn without_calls(text: &str) -> String {
    let is_call = |word: &&str| {
        let name = word.split_once('(').map_or("", |(name, _)| name);
        name.contains(['_', '.'])
    };
    let words: Vec<&str> = text.split(' ').filter(|word| !is_call(word)).collect();
    words.join(" ")
}

/// Words that may follow `fenced` where it says what happened.
const AFTER_FENCED: [&str; 12] = [
    "off", "out", "by", "because", "due", "with", "at", "after", "since", "as", "and", "for",
];

/// A fenced write, update or store is one under a token, and not one that the token kept
/// out: the word says something only where nothing is named by it.
pub(super) fn without_fenced_things(text: String) -> String {
    let Some((before, after)) = text.split_once("fenced ") else {
        return text;
    };
    let next = after.split(|c: char| !c.is_alphanumeric()).next();
    match next {
        Some(word) if !word.is_empty() && !AFTER_FENCED.contains(&word) => {
            format!("{before}{after}")
        }
        _ => text,
    }
}
