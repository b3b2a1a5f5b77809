//! What a proposal does not use: tokens that can't be any, and paths that are of no field.

use std::fmt::Write as _;

use crate::evidence::Field;
use crate::evidence::token::parse_token;
use crate::ingest::mapping::sample::{Sample, Values};
use crate::ingest::mapping::suggest::choice::Guess;
use crate::ingest::mapping::suggest::score::is_clock;
use crate::ingest::mapping::suggest::toml::{quoted, shown};
use crate::ingest::mapping::synonyms::names_of;
use crate::near::plain;

/// Paths that are named where a field was not found.
const UNUSED: usize = 24;
/// The same where all was found that is needed.
const ALSO: usize = 8;
/// Names of what any log has, and that no field of the evidence is.
const USUAL: [&str; 16] = [
    "caller",
    "datetime",
    "file",
    "level",
    "line",
    "logger",
    "message",
    "msg",
    "name",
    "pid",
    "process",
    "severity",
    "thread",
    "time",
    "timestamp",
    "ts",
];
/// What the name of a token speaks of.
const OF_TOKENS: [&str; 5] = ["token", "fenc", "epoch", "highest", "zxid"];

/// What is called a token and can't be one, where nothing else is.
pub(super) fn no_tokens(guess: &Guess<'_>) -> String {
    let mut out = String::new();
    for field in [Field::FenceToken, Field::ResourceHighestTokenBefore] {
        if guess.has(field) {
            continue;
        }
        let names = names_of(field);
        for (path, values) in &guess.sample.paths {
            let (last, both) = (plain(&values.name), plain(&values.full_name));
            let named = OF_TOKENS.iter().any(|word| last.contains(word))
                && (names.contains(&last.as_str()) || names.contains(&both.as_str()));
            if named
                && !path.starts_with('$')
                && !guess.is_chosen(path)
                && let Some(why) = no_token(values, &last)
            {
                let (name, path) = (field.name(), quoted(path));
                let _ = writeln!(out, "# {name} = {path} # not used: {why}");
            }
        }
    }
    out
}

/// Why values of this name are no tokens.
fn no_token(values: &Values, name: &str) -> Option<String> {
    if values.numbers {
        let why = "it looks like a clock, which is another on each line";
        return is_clock(values, name).then(|| why.to_owned());
    }
    let mut texts = values.seen.iter().map(|(text, _)| text.as_str());
    let hex = |text: &str| text.len() <= 16 && text.bytes().all(|b| b.is_ascii_hexdigit());
    let base = match texts.clone().all(hex) {
        true => "; a hexadecimal one is read by base = 16",
        false => "",
    };
    let example = shown(texts.find(|text| parse_token(text).is_err())?);
    Some(format!(
        "{example} is no token, which is a whole number{base}"
    ))
}

/// What else there is, for a person who looks for the field that was not found.
pub(super) fn unused(sample: &Sample, is_unused: impl Fn(&str) -> bool) -> String {
    let mut out = String::new();
    let paths = sample.paths.iter().filter(|(path, _)| is_unused(path));
    for (path, values) in paths.take(UNUSED) {
        if let Some((example, _)) = values.seen.first() {
            let (path, example) = (shown(path), shown(example));
            let _ = writeln!(out, "# not used: {path}, such as {example}");
        }
    }
    out
}

/// The same in one line, where every field that is needed was found.
pub(super) fn also(sample: &Sample, is_unused: impl Fn(&str) -> bool) -> String {
    let of_any_log = |values: &Values| USUAL.contains(&plain(&values.name).as_str());
    let paths = sample.paths.iter();
    let rest: Vec<String> = paths
        .filter(|(path, values)| values.count > 0 && is_unused(path) && !of_any_log(values))
        .map(|(path, _)| shown(path))
        .collect();
    if rest.is_empty() {
        return String::new();
    }
    let named = rest.get(..ALSO).unwrap_or(&rest).join(", ");
    let more = match rest.len().saturating_sub(ALSO) {
        0 => String::new(),
        n => format!(", and {n} more"),
    };
    format!("# not used: {named}{more}\n")
}
