//! Lines of text: columns, pairs, and what stands behind a sentence.

use std::sync::LazyLock;

use regex::Regex;

use super::{Form, Sample, beginning, quoted_key_of_column};
use crate::ingest::mapping::{columns, logfmt};

/// A sentence: a word, and small words after it; behind two of them, its reason. Or the name of an
/// event, as `LOCK_ACQUIRED`.
const SENTENCE: &str =
    r"[A-Za-z][a-z]*(?:(?:(?:, | |-)[a-z]+)+(?:(?:: | \()[a-z -]+\)?)?)?|[A-Z]+(?:_[A-Z]+)+";
/// What may stand between a sentence and the first pair.
const BEFORE_PAIRS: &str = r#"[":,.]*(?: [|-])? +[\[({]?"#;
/// The first pair.
const PAIR: &str = r"[A-Za-z_][\w.-]*=";

/// The pattern of a sentence, and pairs behind it.
pub(crate) fn sentence_before_pairs() -> String {
    format!(r"\b({SENTENCE}){BEFORE_PAIRS}{PAIR}")
}

/// The pattern of pairs at the end of a line, and the sentence before them.
pub(crate) fn pairs_at_end() -> String {
    format!(r"\b(?<sentence>{SENTENCE}){BEFORE_PAIRS}(?<pairs>{PAIR}.*)$")
}

/// The pattern of a JSON object at the end of a line, and the sentence before it. Monolog writes a
/// list behind it.
pub(crate) fn json_at_end() -> String {
    format!(
        r#"(?:\b(?<sentence>{SENTENCE})[":,.]*(?: [|-])?\s+)?(?<json>\{{\s*".*\}})(?: \[\])?\s*$"#
    )
}

/// What PostgreSQL writes in the column of the severity.
const SEVERITIES: [&str; 8] = [
    "LOG", "INFO", "NOTICE", "WARNING", "ERROR", "FATAL", "PANIC", "DEBUG",
];

/// How long the name of a column may be, in bytes and in words.
const MAX_NAME: usize = 64;
const MAX_WORDS: usize = 6;

/// A pattern of this room; all of them are right.
fn pattern(text: &str) -> Option<Regex> {
    Regex::new(text).ok()
}

static PAIRS: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(&pairs_at_end()));
static JSON: LazyLock<Option<Regex>> = LazyLock::new(|| pattern(&json_at_end()));

/// The sentence and the pairs of a text, where it ends with pairs.
pub(super) fn sentence_and_pairs(text: &str) -> Option<(&str, &str)> {
    let groups = PAIRS.as_ref()?.captures(text)?;
    let sentence = groups.name("sentence")?;
    let before = text.get(..sentence.start())?;
    let rest = groups.name("pairs")?.as_str();
    pairs(before)
        .is_empty()
        .then_some((sentence.as_str(), rest))
}

/// The pairs of a text that say something.
pub(super) fn pairs(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    logfmt::pairs(text, |key, _, value| {
        if !key.is_empty() {
            found.push((key, value.into_owned()));
        }
    });
    found
}

impl Sample {
    /// Columns under a line of names.
    pub(super) fn columns(lines: &[&str]) -> Option<Sample> {
        let framed = |line: &&str| !columns::is_frame(line);
        let lines: Vec<&str> = lines.iter().copied().filter(framed).collect();
        let (header, rows) = lines.split_first()?;
        let cells = |line: &str, delimiter| {
            let mut all = Vec::new();
            columns::cells(line, delimiter, |_, _, text| {
                all.push(text.trim().to_owned())
            });
            all
        };
        // A sentence with commas is no row of names, nor is a row of values.
        let plain = |name: &String| {
            name.len() <= MAX_NAME
                && !name.contains(['=', '"', '{', '\''])
                && !name.contains(": ")
                && (name.is_empty() || name.contains(char::is_alphabetic))
                && name.split_whitespace().count() <= MAX_WORDS
        };
        let (delimiter, names) = [b',', b'\t', b';', b'|']
            .into_iter()
            .find_map(|delimiter| {
                let names = cells(header, delimiter);
                let alike = rows
                    .iter()
                    .filter(|row| cells(row, delimiter).len() == names.len())
                    .count();
                let fits = names.len() >= 3
                    && names.iter().all(plain)
                    && names.iter().any(|name| !name.is_empty())
                    && !rows.is_empty()
                    && alike * 10 >= rows.len() * 9;
                fits.then_some((delimiter, names))
            })?;
        let mut sample = Sample::new(Form::Columns(delimiter));
        sample.usual = true;
        for row in rows {
            sample.records += 1;
            for (name, cell) in names.iter().zip(cells(row, delimiter)) {
                if !cell.is_empty() {
                    sample.scalar(&quoted_key_of_column(name), &[name], &cell);
                }
            }
        }
        Some(sample)
    }

    /// Messages in PostgreSQL's csvlog that are pairs. Of its other columns none is a field of
    /// the evidence: a session of it is no lease, and a transaction no operation.
    pub(super) fn postgres_csvlog(lines: &[&str]) -> Option<Sample> {
        let at = |name: &str| columns::POSTGRES.iter().position(|column| *column == name);
        let (severity, message) = (at("error_severity")?, at("message")?);
        let mut sample = Sample::new(Form::PostgresCsvlog);
        let mut rows = 0;
        for line in lines {
            let (mut is_row, mut text) = (false, None);
            columns::cells(line, b',', |n, _, cell| {
                is_row |= n == severity && SEVERITIES.contains(&cell.as_ref());
                if n == message {
                    text = Some(cell.into_owned());
                }
            });
            let Some(text) = text.filter(|_| is_row) else {
                continue;
            };
            rows += 1;
            sample.records += u64::from(sample.inside("message", &text));
        }
        // Statements go on over several lines.
        sample.usual = rows * 4 >= lines.len();
        (sample.records > 0).then_some(sample)
    }

    /// A JSON object at the end of each line, as collectors and console writers leave it.
    pub(super) fn json_at_end(lines: &[&str]) -> Option<Sample> {
        let mut sample = Sample::new(Form::JsonAtEnd);
        let behind = |line: &&&str| line.contains('{') && !line.starts_with('{');
        for line in lines.iter().filter(behind) {
            let Some(groups) = JSON.as_ref()?.captures(line) else {
                continue;
            };
            let object = groups.name("json").map_or("", |group| group.as_str());
            let Ok(value @ serde_json::Value::Object(_)) = serde_json::from_str(object) else {
                continue;
            };
            if let Some(sentence) = groups.name("sentence") {
                sample.sentence("sentence", false, sentence.as_str());
            }
            sample.record("json.@json", &value);
        }
        sample.usual = sample.records as usize * 2 >= lines.len();
        (sample.records > 0).then_some(sample)
    }

    /// Pairs, with a sentence before them or without.
    pub(super) fn pairs(lines: &[&str]) -> Option<Sample> {
        let mut plain = Sample::new(Form::Logfmt);
        let mut after = Sample::new(Form::Sentences);
        for line in lines.iter().map(|line| beginning(line)) {
            let found = pairs(line);
            if found.len() < 2 {
                continue;
            }
            plain.records += 1;
            for (key, value) in found {
                if !value.is_empty() {
                    plain.scalar(&quoted_key_of_column(key), &[key], &value);
                }
            }
            let Some((sentence, rest)) = sentence_and_pairs(line) else {
                continue;
            };
            after.records += 1;
            after.sentence("sentence", false, sentence);
            after.inside("pairs", rest);
        }
        let mut sample = if after.records * 2 > plain.records {
            after
        } else {
            plain
        };
        sample.usual = sample.records as usize * 2 >= lines.len();
        (sample.records > 0).then_some(sample)
    }
}
