//! JSON, however it is laid out and wrapped: what stands in its objects, in lists of pairs,
//! in texts that hold JSON or pairs, and in arrays of records.

use serde_json::Value;

use super::text::{pairs, sentence_and_pairs};
use super::{Form, MAX_LINES, Sample, beginning};
use crate::ingest::mapping::path::quoted_key;

/// How deep objects are looked into.
const MAX_DEPTH: usize = 12;
/// How deep arrays of records may lie in each other, and the objects around them.
const MAX_ARRAYS: usize = 3;
/// Arrays that are tried.
const MAX_EACH: usize = 16;

/// The way to records in arrays: the keys to each array, seen from an element of the one
/// before.
type Way = Vec<Vec<String>>;

impl Sample {
    /// The values of a log as they are, and then the elements of arrays in them.
    pub(super) fn json(text: &str, lines: &[&str]) -> Vec<Sample> {
        let values = values(text, lines);
        if values.is_empty() {
            return Vec::new();
        }
        let mut ways = vec![Way::new()];
        for value in values.iter().take(20) {
            arrays(value, &mut Vec::new(), &mut Way::new(), 0, &mut ways);
        }
        ways.iter()
            .map(|way| {
                let mut sample = Sample::new(Form::Json);
                sample.usual = true;
                sample.each = (!way.is_empty()).then(|| written(way));
                for value in &values {
                    sample.elements(way, value, "$");
                }
                sample
            })
            .collect()
    }

    /// Takes in the records in a value, and what lies around them, which is at `path`.
    fn elements(&mut self, way: &[Vec<String>], value: &Value, path: &str) {
        let Some((keys, rest)) = way.split_first() else {
            return self.record("", value);
        };
        self.value(path, &[], value, 0);
        let found = keys.iter().try_fold(value, |value, key| value.get(key));
        let path = keys
            .iter()
            .fold(path.to_owned(), |path, key| child(&path, &quoted_key(key)));
        for element in found.and_then(Value::as_array).into_iter().flatten() {
            if self.records >= 2 * MAX_LINES as u64 {
                return;
            }
            self.elements(rest, element, &format!("{path}[*]"));
        }
    }

    /// Takes in a record, which lies at `path`.
    pub(super) fn record(&mut self, path: &str, value: &Value) {
        self.records += 1;
        if let Value::Array(elements) = value {
            for (n, element) in elements.iter().enumerate().take(8) {
                self.value(&format!("{path}[{n}]"), &[], element, 1);
            }
        }
        self.value(path, &[], value, 0);
    }

    fn value(&mut self, path: &str, names: &[&str], value: &Value, depth: usize) {
        if depth > MAX_DEPTH {
            return;
        }
        match value {
            Value::Object(members) => {
                for (key, value) in members {
                    let names: Vec<&str> = names.iter().copied().chain([key.as_str()]).collect();
                    self.value(&child(path, &quoted_key(key)), &names, value, depth + 1);
                }
            }
            Value::Array(elements) => {
                for (key, value) in elements.iter().filter_map(pair) {
                    self.value(&format!("{path}[key={key}]"), &[key], value, depth + 1);
                }
            }
            Value::String(text) => {
                if text.trim_start().starts_with('{')
                    && let Ok(inner @ Value::Object(_)) = serde_json::from_str(text)
                {
                    self.value(&child(path, "@json"), names, &inner, depth + 1);
                } else if !self.inside(path, text.trim()) {
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

    /// Takes in the pairs in a text, and the sentence before them; whether there are any.
    pub(super) fn inside(&mut self, path: &str, text: &str) -> bool {
        let text = beginning(text);
        let found = pairs(text);
        // `token = $1` is a statement of SQL, and says nothing of a token.
        let statement = found.iter().any(|(_, value)| is_placeholder(value));
        if found.len() < 2 || statement {
            return false;
        }
        for (key, value) in &found {
            if !value.is_empty() {
                let path = format!("{path}.@logfmt.{}", quoted_key(key));
                self.scalar(&path, &[key], value);
            }
        }
        if let Some((sentence, _)) = sentence_and_pairs(text) {
            self.sentence(path, true, sentence);
        }
        true
    }
}

/// What stands in a statement for a value.
fn is_placeholder(value: &str) -> bool {
    let number = value.strip_prefix('$').unwrap_or_default();
    value == "?" || value.starts_with('%') || number.starts_with(|c: char| c.is_ascii_digit())
}

/// The values of a log of JSON: lines, an array, or values over several lines.
fn values(text: &str, lines: &[&str]) -> Vec<Value> {
    let by_line: Vec<Value> = lines
        .iter()
        .filter(|line| line.starts_with(['{', '[']))
        .filter_map(|line| serde_json::from_str(line).ok())
        .flat_map(records)
        .collect();
    if !by_line.is_empty() {
        return by_line;
    }
    // A value over several lines begins a line; what stands behind other text does not.
    let mut rest = text;
    while !rest.trim_start().starts_with(['{', '[']) {
        let Some((_, below)) = rest.split_once('\n') else {
            return Vec::new();
        };
        rest = below;
    }
    let whole = serde_json::Deserializer::from_str(rest);
    whole
        .into_iter()
        .map_while(Result::ok)
        .flat_map(records)
        .take(MAX_LINES)
        .collect()
}

/// The objects of a value.
fn records(value: Value) -> Vec<Value> {
    match value {
        Value::Array(elements) => elements.into_iter().filter(Value::is_object).collect(),
        value if value.is_object() => vec![value],
        _ => Vec::new(),
    }
}

/// Adds the ways to arrays of records in a value, which lies behind these keys of an element that
/// the way leads to.
fn arrays(value: &Value, keys: &mut Vec<String>, way: &mut Way, depth: usize, all: &mut Vec<Way>) {
    if depth > 2 * MAX_ARRAYS {
        return;
    }
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                keys.push(key.clone());
                arrays(value, keys, way, depth + 1, all);
                keys.pop();
            }
        }
        Value::Array(elements) if !keys.is_empty() && way.len() < MAX_ARRAYS => {
            let record = |e: &&Value| (e.is_object() || e.is_array()) && pair(e).is_none();
            let Some(first) = elements.iter().find(record) else {
                return;
            };
            way.push(keys.clone());
            if all.len() < MAX_EACH && !all.contains(way) {
                all.push(way.clone());
            }
            arrays(first, &mut Vec::new(), way, depth + 1, all);
            way.pop();
        }
        _ => {}
    }
}

/// The way as `each` has it.
fn written(way: &Way) -> String {
    let arrays = way.iter().map(|keys| {
        let keys: Vec<String> = keys.iter().map(|key| quoted_key(key)).collect();
        keys.join(".") + "[*]"
    });
    arrays.collect::<Vec<_>>().join(".")
}

fn child(path: &str, segment: &str) -> String {
    if path.is_empty() {
        segment.to_owned()
    } else {
        format!("{path}.{segment}")
    }
}

/// An element of a list of `{key, value}`, as OTLP writes attributes.
fn pair(element: &Value) -> Option<(&str, &Value)> {
    let key = element.get("key")?.as_str()?;
    let value = element.get("value")?;
    let wrapped = value.as_object().filter(|o| o.len() == 1);
    let value = wrapped
        .and_then(|o| o.iter().next())
        .filter(|(name, _)| name.ends_with("Value"))
        .map_or(value, |(_, value)| value);
    (!key.contains([']', '"', '\\'])).then_some((key, value))
}
