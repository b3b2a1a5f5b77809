//! What a sample of a foreign log holds: its format, and for every path the values there.

use std::collections::BTreeMap;

use serde_json::Value;

use super::columns;
use super::logfmt;
use super::path::quoted_key;

/// Lines of a sample that are looked at.
const MAX_LINES: usize = 2000;
/// Different values of a path that are kept.
const MAX_VALUES: usize = 40;
/// Paths that are kept.
const MAX_PATHS: usize = 2000;
/// How deep objects are looked into.
const MAX_DEPTH: usize = 12;

/// The form of a log, as far as it can be seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Json,
    /// OTLP: many records in one value.
    Otlp,
    Logfmt,
    /// A sentence, and pairs after it.
    Sentences,
    Columns(u8),
    Text,
}

/// The values that stand at one path.
#[derive(Debug, Default)]
pub(crate) struct Values {
    /// How often the path was there and not null.
    pub(crate) count: u64,
    /// Different values and how often each was there, the first ones only.
    pub(crate) seen: Vec<(String, u64)>,
    /// There were more different values.
    pub(crate) more: bool,
    /// All are unsigned numbers that are written in digits.
    pub(crate) numbers: bool,
    /// Null stood here.
    pub(crate) null: bool,
    /// The last segment of the path, and the one before it with it.
    pub(crate) names: (String, String),
}

/// A sample.
#[derive(Debug)]
pub(crate) struct Sample {
    pub(crate) form: Form,
    pub(crate) records: u64,
    pub(crate) paths: BTreeMap<String, Values>,
    /// Lines of text, where nothing else was found.
    pub(crate) lines: Vec<String>,
    /// The sentences before the pairs.
    pub(crate) sentences: Values,
}

impl Sample {
    /// Looks at the beginning of a log.
    pub(crate) fn of(text: &str) -> Sample {
        let text = text.trim_start_matches('\u{feff}');
        let mut sample = Sample {
            form: Form::Text,
            records: 0,
            paths: BTreeMap::new(),
            lines: Vec::new(),
            sentences: Values::default(),
        };
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .take(MAX_LINES)
            .collect();
        if !sample.json(text, &lines) && !sample.columns(&lines) && !sample.pairs(&lines) {
            sample.lines = lines
                .iter()
                .take(20)
                .map(|line| (*line).to_owned())
                .collect();
        }
        sample
    }

    fn json(&mut self, text: &str, lines: &[&str]) -> bool {
        let mut values: Vec<Value> = lines
            .iter()
            .filter(|line| line.trim_start().starts_with(['{', '[']))
            .filter_map(|line| serde_json::from_str(line).ok())
            .filter(|value: &Value| value.is_object())
            .collect();
        if values.is_empty() {
            values = match serde_json::from_str(text) {
                Ok(Value::Array(array)) => array,
                Ok(value @ Value::Object(_)) => vec![value],
                _ => return false,
            };
        }
        self.form = Form::Json;
        for value in &values {
            match value.get("resourceLogs").and_then(Value::as_array) {
                Some(resources) => {
                    self.form = Form::Otlp;
                    let records = resources
                        .iter()
                        .flat_map(|r| inside(r, "scopeLogs"))
                        .flat_map(|s| inside(s, "logRecords"));
                    for record in records {
                        self.record(record);
                    }
                }
                None => self.record(value),
            }
        }
        true
    }

    fn record(&mut self, value: &Value) {
        self.records += 1;
        self.value("", &[], value, 0);
    }

    fn value(&mut self, path: &str, names: &[&str], value: &Value, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        let child = |segment: &str| {
            if path.is_empty() {
                segment.to_owned()
            } else {
                format!("{path}.{segment}")
            }
        };
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    let names: Vec<&str> = names.iter().copied().chain([key.as_str()]).collect();
                    self.value(&child(&quoted_key(key)), &names, value, depth + 1);
                }
            }
            Value::Array(elements) => {
                for element in elements {
                    // Lists of {key, value}, as OTLP writes attributes.
                    let (Some(key), Some(value)) = (
                        element.get("key").and_then(Value::as_str),
                        element.get("value"),
                    ) else {
                        continue;
                    };
                    if key.contains([']', '"', '\\']) {
                        continue;
                    }
                    let wrapped = value.as_object().filter(|o| o.len() == 1);
                    let value = wrapped
                        .and_then(|o| o.iter().next())
                        .filter(|(name, _)| name.ends_with("Value"))
                        .map_or(value, |(_, value)| value);
                    let path = format!("{path}[key={key}]");
                    self.value(&path, &[key], value, depth + 1);
                }
            }
            Value::String(text) => {
                if text.starts_with('{')
                    && let Ok(inner @ Value::Object(_)) = serde_json::from_str(text)
                {
                    self.value(&child("@json"), names, &inner, depth + 1);
                } else {
                    self.scalar(path, names, text);
                }
            }
            Value::Null => {
                if let Some(values) = self.at(path, names) {
                    values.null = true;
                }
            }
            other => self.scalar(path, names, &other.to_string()),
        }
    }

    fn columns(&mut self, lines: &[&str]) -> bool {
        let Some((header, rows)) = lines.split_first() else {
            return false;
        };
        let count = |line: &str, delimiter| {
            let mut n = 0;
            columns::cells(line, delimiter, |_, _, _| n += 1);
            n
        };
        let plain = |line: &str| !line.contains(['=', '"', '{']) && !line.contains(": ");
        let delimiter = [b',', b'\t', b';'].into_iter().find(|delimiter| {
            let width = count(header, *delimiter);
            width >= 3
                && plain(header)
                && !rows.is_empty()
                && rows
                    .iter()
                    .filter(|row| count(row, *delimiter) == width)
                    .count()
                    * 10
                    >= rows.len() * 9
        });
        let Some(delimiter) = delimiter else {
            return false;
        };
        self.form = Form::Columns(delimiter);
        let mut names = Vec::new();
        columns::cells(header, delimiter, |_, _, text| {
            names.push(text.trim().to_owned())
        });
        for row in rows {
            self.records += 1;
            let mut cells = Vec::new();
            columns::cells(row, delimiter, |_, _, text| cells.push(text.into_owned()));
            for (name, cell) in names.iter().zip(cells) {
                if !cell.is_empty() {
                    self.scalar(&quoted_key_of_column(name), &[name], &cell);
                }
            }
        }
        true
    }

    fn pairs(&mut self, lines: &[&str]) -> bool {
        let mut with_pairs = 0;
        let mut after_words = 0;
        for line in lines {
            let mut found = Vec::new();
            let mut start = None;
            logfmt::pairs(line, |key, span, value| {
                start.get_or_insert(span.start);
                found.push((key, value.into_owned()));
            });
            if found.len() < 2 {
                continue;
            }
            with_pairs += 1;
            let before = start
                .and_then(|start| line.get(..start))
                .unwrap_or_default();
            if let Some((words, _)) = before.trim_start().rsplit_once(' ') {
                after_words += 1;
                if let Some(sentence) = sentence(words) {
                    self.sentences.add(sentence);
                }
            }
            for (key, value) in found {
                if !value.is_empty() {
                    self.scalar(&quoted_key_of_column(key), &[key], &value);
                }
            }
        }
        self.records = with_pairs;
        self.form = if after_words * 2 > with_pairs {
            Form::Sentences
        } else {
            Form::Logfmt
        };
        let enough = with_pairs > 0 && with_pairs as usize * 2 >= lines.len();
        if !enough {
            self.form = Form::Text;
            self.paths.clear();
        }
        enough
    }

    fn at(&mut self, path: &str, names: &[&str]) -> Option<&mut Values> {
        if self.paths.len() >= MAX_PATHS && !self.paths.contains_key(path) {
            return None;
        }
        Some(self.paths.entry(path.to_owned()).or_insert_with(|| {
            Values {
                numbers: true,
                names: (
                    names.last().copied().unwrap_or_default().to_owned(),
                    names
                        .iter()
                        .rev()
                        .take(2)
                        .rev()
                        .copied()
                        .collect::<Vec<_>>()
                        .join("."),
                ),
                ..Values::default()
            }
        }))
    }

    fn scalar(&mut self, path: &str, names: &[&str], text: &str) {
        let Some(values) = self.at(path, names) else {
            return;
        };
        values.add(text);
    }
}

impl Values {
    fn add(&mut self, text: &str) {
        self.count += 1;
        self.numbers &= text.parse::<u64>().is_ok();
        if let Some((_, n)) = self.seen.iter_mut().find(|(seen, _)| seen == text) {
            *n += 1;
        } else if self.seen.len() < MAX_VALUES {
            self.seen.push((text.to_owned(), 1));
        } else {
            self.more = true;
        }
    }
}

/// What is said before the pairs: the small letters, commas and blanks at the end, as
/// `suggest` writes it as a pattern.
fn sentence(words: &str) -> Option<&str> {
    let tail = |c: char| c.is_ascii_lowercase() || matches!(c, ' ' | ',' | '-');
    let text = words.trim_end_matches(tail);
    let sentence = words
        .get(text.len()..)?
        .trim_start_matches(|c: char| !c.is_ascii_lowercase());
    (!sentence.is_empty()).then_some(sentence)
}

fn inside<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// In columns and pairs a name with dots is one name.
fn quoted_key_of_column(name: &str) -> String {
    if name.contains(['[', ']', '"', '\\']) {
        quoted_key(name)
    } else {
        name.to_owned()
    }
}
