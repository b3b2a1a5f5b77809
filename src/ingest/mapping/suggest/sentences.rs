//! The table of the sentences of a log: what each says was answered.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use super::answer_field::first;
use super::choice::Guess;
use super::meaning::meaning;
use super::toml::quoted;
use super::words::{UNANSWERED, answered, entry, is_code, truth, unanswered, words};
use crate::evidence::Field;
use crate::ingest::mapping::sample::{Sample, Values, sentence_before_pairs};

/// Sentences of unknown meaning that are listed.
const OPEN: usize = 12;

/// Which step got no answer.
static STEP: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&step_pattern()).ok());

fn step_pattern() -> String {
    format!(r"(?i)\b(acquire|renew|release|write)\b[^=]*(?:{UNANSWERED})")
}

/// What an owner does.
const DONE_BY: [&str; 9] = [
    "acquired", "extended", "held", "locked", "obtained", "released", "renewed", "taken",
    "unlocked",
];

/// The table of sentences that say what was answered, where they say it of more records than
/// the field that does.
pub(super) fn answers<'s>(guess: &Guess<'s>) -> Option<(&'s str, String)> {
    let sample = guess.sample;
    let result = guess.path(Field::Result);
    let event = guess.path(Field::Event);
    // What names the step names the answer only where nothing else does.
    let step = event.filter(|_| result.is_some());
    let (path, cut, values) = telling(sample, step)?;
    let field = guess.values(Field::Result);
    // Status codes may be those of other lines.
    let is_codes = |values: &&Values| values.seen.iter().all(|(text, _)| is_code(text));
    let codes = result.zip(field.filter(is_codes));
    let field = field.filter(|values| !is_codes(values));
    if understood(values) <= field.map_or(0, answering) {
        return None;
    }
    let others = if cut {
        Vec::new()
    } else {
        of_others(guess, path, values)
    };
    // Where every record names a lock, so do those whose sentence does not.
    let name = guess.values(Field::LockName);
    let all = name.is_some_and(|name| name.count >= sample.records);
    // A step that got no answer is named by its sentence alone.
    let stepped = event.is_some_and(|event| event != path);
    let (table, no_step) = table(values, stepped, all, &others);
    // What a field of its own says counts before the sentence.
    let first = result
        .filter(|result| *result != path && !cut)
        .zip(field)
        .and_then(|(result, values)| first(guess, result, values, path));
    let mut toml = match first {
        Some(first) => format!("\n{first}# Guessed from sentences.\n[[fields.result]]\n"),
        None => "\n# Guessed from sentences.\n[fields.result]\n".to_owned(),
    };
    let _ = writeln!(toml, "path = {}", quoted(path));
    if cut {
        let _ = writeln!(toml, "pattern = '{}'", sentence_before_pairs());
    }
    let _ = write!(toml, "[fields.result.words]\n{table}");
    if let Some((path, codes)) = codes
        && let Some(words) = words(Field::Result, codes, stepped)
        && !cut
        && values.count < codes.count
    {
        // `error` beside `status`, which all have.
        toml = toml.replacen("[fields.result]\n", "[[fields.result]]\n", 1);
        let path = quoted(path);
        let _ = write!(toml, "\n[[fields.result]]\npath = {path}\n{words}");
    }
    if no_step {
        let (path, pattern) = (quoted(path), step_pattern());
        let _ = write!(
            toml,
            "\n[fields.event]\npath = {path}\npattern = '{pattern}'\n"
        );
    }
    Some((path, toml))
}

/// The path whose texts tell of the most records what was answered, whether pairs follow in
/// the same text, and the texts; `step` names the step.
fn telling<'s>(sample: &'s Sample, step: Option<&str>) -> Option<(&'s String, bool, &'s Values)> {
    let sentences = sample.sentences.iter();
    let sentences = sentences.map(|one| (&one.path, one.cut, &one.values));
    sample
        .paths
        .iter()
        .map(|(path, values)| (path, false, values))
        .filter(|(path, _, _)| Some(path.as_str()) != step && !path.starts_with('$'))
        .chain(sentences)
        .filter(|(_, _, values)| !values.more)
        .max_by_key(|(_, _, values)| understood(values))
}

/// Of how many records the texts tell what was answered.
fn understood(values: &Values) -> u64 {
    records(values, |text| meaning(text).is_some())
}

/// Of how many records a field of answers tells it.
fn answering(field: &Values) -> u64 {
    let name = &field.name;
    // That a truth value is an answer is known, if not which one.
    records(field, |text| {
        text == "false" || truth(field, text).is_some() || answered(name, text).is_some()
    })
}

fn records(values: &Values, known: impl Fn(&str) -> bool) -> u64 {
    let counts = values.seen.iter().filter(|(text, _)| known(text));
    counts.map(|(_, count)| count).sum()
}

/// The entries, and whether a sentence that names its step alone says that no answer came.
/// `stepped` is whether a field names the step, `all` whether every record names a lock;
/// `others` are sentences about somebody else.
fn table(values: &Values, stepped: bool, all: bool, others: &[String]) -> (String, bool) {
    let mut table = String::new();
    let mut open = 0;
    let mut no_step = false;
    for (message, _) in &values.seen {
        let to = meaning(message).filter(|_| !others.contains(message));
        let is_step = |step: &Regex| step.is_match(message);
        let unstepped = !stepped && STEP.as_ref().is_some_and(is_step);
        let in_doubt = unstepped || stepped && unanswered(message);
        no_step |= to.is_none() && unstepped;
        let to = to.or_else(|| in_doubt.then_some("unknown"));
        open += usize::from(to.is_none());
        if to.is_some() || open <= OPEN && (all || is_of_locks(message)) {
            entry(&mut table, message, to);
        }
    }
    (table, no_step)
}

/// Whether a sentence seems to be about a lock.
fn is_of_locks(message: &str) -> bool {
    let message = message.to_lowercase();
    let words = ["lock", "lease", "token", "fenc", "write", "epoch"];
    words.iter().any(|word| message.contains(word))
}

/// Sentences that tell what somebody did, on a line of somebody else: `lock is acquired by
/// w-2`, said by w-1.
fn of_others(guess: &Guess<'_>, path: &str, values: &Values) -> Vec<String> {
    let named = |message: &str| {
        let (before, rest) = message.split_once(" by ")?;
        let verb = before.rsplit(' ').next().unwrap_or_default().to_lowercase();
        DONE_BY.contains(&verb.as_str()).then_some(())?;
        let name = rest.split([' ', ',', ';', '(', ')']).next()?;
        let name = name.trim_matches(['\'', '"', '.', ':']);
        // The name of a parameter is that of any line.
        let is_name = !name.is_empty() && !name.contains(['{', '}', '%', '$', '<']);
        is_name.then(|| name.to_owned())
    };
    let mut texts = values.seen.iter().map(|(text, _)| text);
    let owner = guess.path(Field::OwnerId);
    let Some(owner) = owner.filter(|_| texts.any(|text| named(text).is_some())) else {
        return Vec::new();
    };
    let mut others = Vec::new();
    for (owner, message) in guess.pairs(&quoted(owner), path) {
        if named(&message).is_some_and(|name| name != owner) && !others.contains(&message) {
            others.push(message);
        }
    }
    others
}
