//! Proposes a mapping for a foreign log, from names and from the shape of values. It is a
//! text for a person to check; nothing applies it.

use std::fmt::Write as _;

use crate::escape;
use crate::evidence::{Answer, Event, Field};

use super::sample::{Form, Sample, Values};
use super::synonyms::{NAMES, meaning, plain};

/// Other candidates that are named.
const OTHERS: usize = 3;

/// A proposal.
#[derive(Debug)]
pub struct Suggestion {
    /// The mapping as TOML, with remarks on what was guessed.
    pub toml: String,
    /// The fields that something was found for.
    pub found: Vec<Field>,
}

/// Looks at the beginning of a log and proposes a mapping for it.
pub fn suggest(text: &str) -> Suggestion {
    let sample = Sample::of(text);
    let mut out = String::new();
    out.push_str(
        "# A proposal, from the names and the values of a sample. Check every line: a name\n\
         # that fits is no proof that the value is what the evidence needs.\n",
    );
    match sample.form {
        Form::Json => out.push_str("format = \"json\"\n"),
        Form::Otlp => out.push_str(
            "format = \"json\"\neach = \"resourceLogs[*].scopeLogs[*].logRecords[*]\"\n",
        ),
        Form::Sentences => out.push_str(
            "format = \"text\"\npattern = '(?<sentence>[a-z][a-z, -]*) (?<pairs>[A-Za-z_.]+=.*)$'\n",
        ),
        Form::Logfmt => out.push_str("format = \"logfmt\"\n"),
        Form::Columns(b'\t') => out.push_str("format = \"tsv\"\n"),
        Form::Columns(b',') => out.push_str("format = \"csv\"\n"),
        Form::Columns(delimiter) => {
            let _ = writeln!(
                out,
                "format = \"csv\"\ndelimiter = \"{}\"",
                char::from(delimiter)
            );
        }
        Form::Text => return text_skeleton(out, &sample),
    }
    let chosen = choose(&sample);
    out.push_str("\n[fields]\n");
    let mut tables = String::new();
    for field in NAMES.map(|(field, _)| field) {
        match chosen.iter().find(|c| c.field == field) {
            Some(choice) => write_field(&mut out, &mut tables, choice, &sample),
            None if field == Field::LockName => {
                out.push_str("# lockName: nothing here looks like the name of a lock\n");
            }
            None => {}
        }
    }
    let has = |field| chosen.iter().any(|c| c.field == field);
    if !has(Field::Result) {
        match from_messages(&sample) {
            Some(table) => tables.push_str(&table),
            None if !has(Field::Event) => {
                out.push_str("# result: nothing here looks like an answer\n");
            }
            None => {}
        }
    }
    out.push_str(&tables);
    Suggestion {
        toml: out,
        found: chosen.iter().map(|c| c.field).collect(),
    }
}

struct Choice<'s> {
    field: Field,
    path: &'s str,
    /// Other paths, the best first.
    others: Vec<&'s str>,
}

/// The best path of each field. One path is not used for two fields.
fn choose(sample: &Sample) -> Vec<Choice<'_>> {
    let mut scores: Vec<(i64, Field, &str)> = Vec::new();
    for (field, names) in NAMES {
        for (path, values) in &sample.paths {
            if let Some(score) = score(field, names, values) {
                scores.push((score, field, path));
            }
        }
    }
    // The best score first; what is equal keeps the order of fields and paths.
    scores.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then(a.2.len().cmp(&b.2.len()))
            .then(a.2.cmp(b.2))
    });
    let mut chosen: Vec<Choice<'_>> = Vec::new();
    for (_, field, path) in &scores {
        if chosen.iter().any(|c| c.path == *path) {
            continue;
        }
        match chosen.iter_mut().find(|c| c.field == *field) {
            None => chosen.push(Choice {
                field: *field,
                path,
                others: Vec::new(),
            }),
            Some(choice) if choice.others.len() < OTHERS => choice.others.push(path),
            Some(_) => {}
        }
    }
    chosen
}

/// How well a path fits a field, or that it does not.
fn score(field: Field, names: &[&str], values: &Values) -> Option<i64> {
    if values.count == 0 {
        return None;
    }
    let (last, both) = (plain(&values.names.0), plain(&values.names.1));
    let rank = |name: &str| names.iter().position(|n| *n == name);
    let by_name = [both.as_str(), last.as_str()]
        .into_iter()
        .filter_map(rank)
        .min();
    let mut score = match by_name {
        Some(rank) => 100 - 3 * i64::try_from(rank).unwrap_or(20),
        None => {
            // `lock.fencing_token`: the name of a field with something before it.
            let tail = names
                .iter()
                .take(6)
                .position(|n| n.len() > 5 && both.ends_with(n))?;
            60 - 3 * i64::try_from(tail).unwrap_or(6)
        }
    };
    let texts = || values.seen.iter().map(|(text, _)| text.as_str());
    match field {
        Field::FenceToken
        | Field::ResourceHighestTokenBefore
        | Field::ResourceHighestTokenAfter
        | Field::ActiveFenceToken
        | Field::Seq
            if !values.numbers => {
                return None;
            }
        Field::LeaseId | Field::ActiveLeaseId
            // A small number is a generation; a handle is random or long.
            if values.numbers && texts().all(|text| text.len() < 8) => {
                score -= 30;
            }
        Field::Result => {
            let known = texts().filter(|text| is_answer(text)).count();
            if known == 0 && texts().filter_map(meaning).count() == 0 {
                return None;
            }
            score += fraction(known, values.seen.len()) / 2;
            if values.more {
                score -= 60;
            }
        }
        Field::Event => {
            let known = texts().filter(|text| event_in(text).is_some()).count();
            if known == 0 || values.more {
                return None;
            }
            score += fraction(known, values.seen.len()) / 2;
            // `lock acquired` under `event` is a message.
            if known < values.seen.len() {
                score -= 40;
            }
        }
        Field::OperationId
            if texts().all(|text| Event::from_word(text).is_ok()) => {
                return None;
            }
        _ => {}
    }
    Some(score)
}

fn fraction(part: usize, whole: usize) -> i64 {
    i64::try_from(part * 100 / whole.max(1)).unwrap_or(0)
}

fn is_answer(text: &str) -> bool {
    matches!(text, "true" | "false")
        || std::iter::once(None)
            .chain(Event::ALL.into_iter().map(Some))
            .any(|event| Answer::from_word(text, event, true).is_ok())
}

/// `acquire`, `lock.acquire`, `LOCK_ACQUIRE`: the event at the end of a word.
fn event_in(text: &str) -> Option<Event> {
    if text.contains(' ') {
        return None;
    }
    let last = text
        .rsplit(['.', ':', '/', '_', '-'])
        .next()
        .unwrap_or(text);
    Event::from_word(text)
        .or_else(|_| Event::from_word(last))
        .ok()
}

fn write_field(out: &mut String, tables: &mut String, choice: &Choice<'_>, sample: &Sample) {
    let Some(values) = sample.paths.get(choice.path) else {
        return;
    };
    let mut remark = format!("in {} of {}", values.count, sample.records);
    if let Some((example, _)) = values.seen.first() {
        let _ = write!(remark, ", such as {}", shown(example));
    }
    if !choice.others.is_empty() {
        let others: Vec<String> = choice.others.iter().map(|path| shown(path)).collect();
        let _ = write!(remark, "; or {}", others.join(", "));
    }
    let name = choice.field.name();
    let path = quoted(&path_in(sample, choice.path));
    match words(choice.field, values) {
        Some(words) => {
            let _ = write!(
                tables,
                "\n# {remark}\n[fields.{name}]\npath = {path}\n{words}"
            );
        }
        None if values.null && is_active(choice.field) => {
            // Whether null says that there was none, only the writer knows.
            let _ = writeln!(
                out,
                "{name} = {path} # {remark}; null is read as \"there was no lease\""
            );
        }
        None => {
            let _ = writeln!(out, "{name} = {path} # {remark}");
        }
    }
}

const fn is_active(field: Field) -> bool {
    matches!(
        field,
        Field::ActiveOwnerId | Field::ActiveLeaseId | Field::ActiveFenceToken
    )
}

/// The value table of an event or a result, where its words are not those of the evidence.
fn words(field: Field, values: &Values) -> Option<String> {
    let mut table = String::new();
    for (word, _) in &values.seen {
        match field {
            Field::Event if Event::from_word(word).is_ok() => {}
            Field::Event => match event_in(word) {
                Some(event) => entry(&mut table, word, Some(event.word())),
                None => entry(&mut table, word, None),
            },
            Field::Result if word == "true" => entry(&mut table, word, Some("ok")),
            Field::Result if word == "false" => entry(&mut table, word, None),
            Field::Result if is_answer(word) => {}
            Field::Result => entry(&mut table, word, meaning(word)),
            _ => return None,
        }
    }
    (!table.is_empty()).then(|| format!("[fields.{}.words]\n{table}", field.name()))
}

fn entry(table: &mut String, word: &str, to: Option<&str>) {
    let _ = match to {
        Some(to) => writeln!(table, "{} = \"{to}\"", quoted(word)),
        None => writeln!(table, "# {} = \"…\" # what does it say?", quoted(word)),
    };
}

/// Where no field is an answer, a message may be.
fn from_messages(sample: &Sample) -> Option<String> {
    let sentence = ("sentence".to_owned(), &sample.sentences);
    let (path, values) = sample
        .paths
        .iter()
        .map(|(path, values)| (path_in(sample, path), values))
        .chain([sentence])
        .filter(|(_, values)| !values.more)
        .max_by_key(|(_, values)| {
            values
                .seen
                .iter()
                .filter(|(t, _)| meaning(t).is_some())
                .count()
        })?;
    let mut table = String::new();
    for (message, _) in &values.seen {
        if let Some(to) = meaning(message) {
            entry(&mut table, message, Some(to));
        }
    }
    (!table.is_empty()).then(|| {
        format!(
            "\n# Guessed from sentences.\n[fields.result]\npath = {}\n[fields.result.words]\n{table}",
            quoted(&path)
        )
    })
}

/// The path as the mapping writes it: pairs after a sentence lie in a group.
fn path_in(sample: &Sample, path: &str) -> String {
    match sample.form {
        Form::Sentences => format!("pairs.@logfmt.{path}"),
        _ => path.to_owned(),
    }
}

/// Lines of text: only a person can tell where the fields are.
fn text_skeleton(mut out: String, sample: &Sample) -> Suggestion {
    out.push_str(
        "format = \"text\"\n\n\
         # Lines of text need a pattern for each sentence. A group that bears the name of an\n\
         # evidence field is that field. The first lines of the sample:\n",
    );
    for line in &sample.lines {
        let _ = writeln!(out, "#   {}", escape::terminal(line));
    }
    out.push_str(
        "\n[[shape]]\nname = \"acquired\"\n\
         pattern = '''lock (?<lockName>\\S+) acquired by (?<ownerId>\\S+)'''\n\
         fields.result = { value = \"acquired\" }\n",
    );
    Suggestion {
        toml: out,
        found: Vec::new(),
    }
}

/// A text in TOML, on one line and with nothing in it that a terminal obeys.
fn quoted(text: &str) -> String {
    if !text.contains('\'') && escape::terminal(text) == text {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if escape::terminal(c.encode_utf8(&mut [0; 4])).len() != c.len_utf8() => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A text in a remark.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    escape::terminal(&short).into_owned()
}
