//! Values of the TOML, with faults at their place.

use std::ops::Range;

use regex::{Regex, RegexBuilder};
use toml::de::{DeTable, DeValue};

use super::error::{MappingError, line_and_column, nearest_hint};
use super::read::{PATTERN_SIZE, Reader, Value};

impl<'i> Reader<'i> {
    pub(super) fn fault(
        &mut self,
        span: Range<usize>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        let (line, column) = line_and_column(self.text, span.start);
        self.errors.push(MappingError {
            file: self.file.to_owned(),
            line,
            column,
            span,
            message: message.into(),
            hint: hint.into(),
        });
    }

    pub(super) fn regex(&mut self, text: &str, span: Range<usize>) -> Option<Regex> {
        match RegexBuilder::new(text).size_limit(PATTERN_SIZE).build() {
            Ok(regex) => Some(regex),
            Err(error) => {
                let message = error.to_string();
                // The last line of the message says what is wrong; the lines before draw it.
                let last = message.lines().last().unwrap_or_default().trim();
                let last = last.strip_prefix("error: ").unwrap_or(last);
                self.fault(
                    span,
                    format!("the pattern can't be read: {last}"),
                    "a group is (?<lockName>…); write patterns in single quotes",
                );
                None
            }
        }
    }

    pub(super) fn known(&mut self, table: &DeTable<'i>, right: &[&str], of: &str) {
        for (key, _) in table {
            let word = key.get_ref();
            if !right.contains(&word.as_ref()) {
                let hint = nearest_hint(word, right.iter().copied());
                self.fault(key.span(), format!("{of} has no key `{word}`"), hint);
            }
        }
    }

    /// A text under a key.
    pub(super) fn text_of(
        &mut self,
        table: &DeTable<'i>,
        key: &str,
    ) -> Option<(String, Range<usize>)> {
        let value = table.get(key)?;
        match value.get_ref().as_str() {
            Some(text) => Some((text.to_owned(), value.span())),
            None => {
                self.fault(
                    value.span(),
                    format!("`{key}` is text"),
                    format!("{key} = \"…\""),
                );
                None
            }
        }
    }

    /// One scalar as text.
    pub(super) fn scalar(&mut self, value: &Value<'i>) -> Option<String> {
        match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Boolean(yes) => Some(yes.to_string()),
            DeValue::Integer(number) => Some(number.to_string()),
            _ => {
                let message = "a text, a number or true/false belongs here";
                self.fault(value.span(), message, "");
                None
            }
        }
    }

    /// One scalar or a list of them, as texts.
    pub(super) fn texts(&mut self, value: &Value<'i>) -> Vec<String> {
        match value.get_ref() {
            DeValue::Array(array) => array.iter().filter_map(|v| self.scalar(v)).collect(),
            _ => self.scalar(value).into_iter().collect(),
        }
    }

    /// The tables of an array of tables (or one table), with their places.
    pub(super) fn tables<'v>(
        &mut self,
        value: &'v Value<'i>,
        key: &str,
    ) -> Vec<(Range<usize>, &'v DeTable<'i>)> {
        let values: Vec<&Value<'i>> = match value.get_ref() {
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![value],
        };
        let mut found = Vec::new();
        for value in values {
            match value.get_ref().as_table() {
                Some(table) => found.push((value.span(), table)),
                None => {
                    let hint = format!("write [[{key}]] above its keys");
                    self.fault(value.span(), format!("`{key}` is a table"), hint);
                }
            }
        }
        found
    }
}
