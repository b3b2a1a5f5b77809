//! What the words of a log may mean: value tables for answers and events.

use std::fmt::Write as _;
use std::sync::LazyLock;

use regex::Regex;

use super::answer_field::first;
use super::choice::Choice;
use super::meaning::{is_not_owner, meaning};
use super::steps::event_of_words;
use super::toml::quoted;
use crate::evidence::{Answer, Event, Field};
use crate::ingest::mapping::sample::{SENTENCE, Sample, Values};
use crate::ingest::mapping::synonyms::plain;

/// Sentences of unknown meaning that are listed.
const OPEN: usize = 12;

pub(super) fn is_answer(text: &str) -> bool {
    matches!(text, "true" | "false")
        || std::iter::once(None)
            .chain(Event::ALL.into_iter().map(Some))
            .any(|event| Answer::from_word(text, event, true).is_ok())
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
const UNANSWERED: &str = "timed[ _-]?out|time-?out|deadline[ _]exceeded";

static NO_ANSWER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(&format!("(?i){UNANSWERED}")).ok());
/// Which step got no answer.
static STEP: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&step_pattern()).ok());

fn step_pattern() -> String {
    format!(r"(?i)\b(acquire|renew|release|write)\b[^=]*(?:{UNANSWERED})")
}

/// Whether a text says that no answer came.
fn unanswered(text: &str) -> bool {
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
    let refusal = Answer::from_word(says, Some(Event::Release), true);
    let _ = match refusal {
        Ok(Answer::ReleaseRejectedNotOwner) => writeln!(
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
    let mut table = String::new();
    if field == Field::Result && is_row_count(&values.names.0) && values.numbers {
        table.push_str(row_counts(stepped));
        return Some(format!("[fields.{}.words]\n{table}", field.name()));
    }
    for (word, _) in &values.seen {
        match field {
            Field::Event if Event::from_word(word).is_ok() => {}
            Field::Event => match event_of_words(word) {
                Some(event) => entry(&mut table, word, Some(event.word())),
                None => entry(&mut table, word, None),
            },
            Field::Result if truth(values, word) == Some(false) => {
                let _ = writeln!(table, "{}", refused(&values.names.0, word));
            }
            Field::Result if word == "true" || !is_answer(word) => {
                let flag = truth(values, word).map(|_| "true");
                match answered(&values.names.0, flag.unwrap_or(word)) {
                    Some("acquired") if may_be_by_another(values, word) => {
                        entry(&mut table, word, None);
                    }
                    Some("ok") if !stepped => of_a_step(&mut table, word, word),
                    Some("not-owner") if !stepped => of_a_step(&mut table, word, "not-owner"),
                    None if stepped && unanswered(word) => entry(&mut table, word, Some("unknown")),
                    says => entry(&mut table, word, says),
                }
            }
            Field::Result if word == "false" => {
                let _ = writeln!(table, "{}", refused(&values.names.0, word));
            }
            Field::Result if !stepped && Answer::from_word(word, None, true).is_err() => {
                of_a_step(&mut table, word, word);
            }
            Field::Result => {}
            _ => return None,
        }
    }
    (!table.is_empty()).then(|| format!("[fields.{}.words]\n{table}", field.name()))
}

/// Whether a word may say that somebody else has the lock: `locked` beside `ok`.
fn may_be_by_another(values: &Values, word: &str) -> bool {
    let acquired = |word: &str| {
        let answer = Answer::from_word(word, Some(Event::Acquire), true);
        matches!(answer, Ok(Answer::Acquired))
    };
    matches!(plain(word).as_str(), "locked" | "taken")
        && values.seen.iter().any(|(other, _)| acquired(other))
}

pub(super) fn entry(table: &mut String, word: &str, to: Option<&str>) {
    let _ = match to {
        Some(to) => writeln!(table, "{} = \"{to}\"", quoted(word)),
        None => writeln!(table, "# {} = \"…\" # what does it say?", quoted(word)),
    };
}

/// Whether a sentence seems to be about a lock.
fn is_of_locks(message: &str) -> bool {
    let message = message.to_lowercase();
    let words = ["lock", "lease", "token", "fenc", "write", "epoch"];
    words.iter().any(|word| message.contains(word))
}

/// What an owner does.
const DONE_BY: [&str; 9] = [
    "acquired", "extended", "held", "locked", "obtained", "released", "renewed", "taken",
    "unlocked",
];

/// Sentences that tell what somebody did, on a line of somebody else: `lock is acquired by
/// w-2`, said by w-1.
fn of_others(
    sample: &Sample,
    chosen: &[Choice<'_>],
    path: &str,
    values: &Values,
    text: &str,
) -> Vec<String> {
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
    let owner = chosen.iter().find(|c| c.field == Field::OwnerId);
    let (Some(owner), true) = (
        owner,
        values.seen.iter().any(|(text, _)| named(text).is_some()),
    ) else {
        return Vec::new();
    };
    // Owner and sentence of each line, read as the owner and the operation of a write.
    let mut toml = super::write::head(sample);
    let _ = write!(
        toml,
        "[fields]\nlockName = {{ value = \"lock\" }}\nownerId = {}\noperationId = {}\n\
         event = {{ value = \"write\" }}\nresult = {{ value = \"accepted\" }}\n",
        quoted(owner.path),
        quoted(path)
    );
    let mut others = Vec::new();
    for row in super::trial::rows(&toml, text) {
        let (Some(owner), Some(message)) = (row.owner, row.operation) else {
            continue;
        };
        if named(&message).is_some_and(|name| name != owner) && !others.contains(&message) {
            others.push(message);
        }
    }
    others
}

/// The table of sentences that say what was answered, where they say it of more records than
/// the field that does.
pub(super) fn answers<'s>(
    sample: &'s Sample,
    chosen: &[Choice<'_>],
    text: &str,
) -> Option<(&'s str, String)> {
    let known = |values: &Values, known: &dyn Fn(&str) -> bool| {
        let counts = values.seen.iter().filter(|(text, _)| known(text));
        counts.map(|(_, count)| count).sum::<u64>()
    };
    let result = chosen.iter().find(|c| c.field == Field::Result);
    let event = chosen.iter().find(|c| c.field == Field::Event);
    // What names the step names the answer only where nothing else does.
    let step = event.filter(|_| result.is_some()).map(|c| c.path);
    let sentences = sample.sentences.iter();
    let sentences = sentences.map(|one| (&one.path, one.cut, &one.values));
    let (path, cut, values) = sample
        .paths
        .iter()
        .map(|(path, values)| (path, false, values))
        .filter(|(path, _, _)| Some(path.as_str()) != step && !path.starts_with('$'))
        .chain(sentences)
        .filter(|(_, _, values)| !values.more)
        .max_by_key(|(_, _, values)| known(values, &|text| meaning(text).is_some()))?;
    let field = result.and_then(|choice| sample.paths.get(choice.path));
    // Status codes may be those of other lines.
    let field = field.filter(|values| !values.seen.iter().all(|(text, _)| is_code(text)));
    let by_field = field.map_or(0, |field| {
        let name = &field.names.0;
        // That a truth value is an answer is known, if not which one.
        known(field, &|text| {
            text == "false" || truth(field, text).is_some() || answered(name, text).is_some()
        })
    });
    if known(values, &|text| meaning(text).is_some()) <= by_field {
        return None;
    }
    let mut table = String::new();
    let mut open = 0;
    // A step that got no answer is named by its sentence alone.
    let stepped = event.is_some_and(|choice| choice.path != path);
    let mut no_step = false;
    let others = if cut {
        Vec::new()
    } else {
        of_others(sample, chosen, path, values, text)
    };
    // Where every record names a lock, so do those whose sentence does not.
    let name = chosen.iter().find(|c| c.field == Field::LockName);
    let name = name.and_then(|choice| sample.paths.get(choice.path));
    let all = name.is_some_and(|name| name.count >= sample.records);
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
    // What a field of its own says counts before the sentence.
    let first = result
        .filter(|choice| choice.path != path)
        .zip(field)
        .filter(|_| !cut)
        .and_then(|(choice, values)| first(sample, choice.path, values, path, text));
    let head = match first {
        Some(first) => format!("\n{first}# Guessed from sentences.\n[[fields.result]]\n"),
        None => "\n# Guessed from sentences.\n[fields.result]\n".to_owned(),
    };
    let mut head = format!("{head}path = {}\n", quoted(path));
    if cut {
        let _ = writeln!(
            head,
            "pattern = '\\b({SENTENCE})[\":,.]* +[\\[({{]?[A-Za-z_][\\w.-]*='"
        );
    }
    let event = if no_step {
        let (path, pattern) = (quoted(path), step_pattern());
        format!("\n[fields.event]\npath = {path}\npattern = '{pattern}'\n")
    } else {
        String::new()
    };
    Some((path, format!("{head}[fields.result.words]\n{table}{event}")))
}
