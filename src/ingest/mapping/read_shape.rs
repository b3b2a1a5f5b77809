//! Conditions, splits and patterns of a shape.

use std::ops::Range;

use regex::Regex;
use toml::de::{DeTable, DeValue};

use super::read::{Reader, Value};
use super::read_field::Parts;
use super::spec::{Condition, Split, SplitBy, Test};

const SPLIT_KEYS: [&str; 6] = ["path", "by", "pattern", "into", "none", "optional"];
const TEST_KEYS: [&str; 4] = ["is", "not", "exists", "matches"];

impl<'i> Reader<'i> {
    pub(super) fn conditions(&mut self, table: &DeTable<'i>) -> Vec<Condition> {
        let Some(value) = table.get("when") else {
            return Vec::new();
        };
        let Some(when) = value.get_ref().as_table() else {
            self.fault(
                value.span(),
                "`when` is a table",
                "when = { action = \"write\" }",
            );
            return Vec::new();
        };
        let mut conditions = Vec::new();
        for (key, value) in when {
            let Some(path) = self.path(key.get_ref(), &key.span()) else {
                continue;
            };
            let slot = self.slot(&path);
            for test in self.tests(value) {
                conditions.push(Condition { slot, test });
            }
        }
        conditions
    }

    fn tests(&mut self, value: &Value<'i>) -> Vec<Test> {
        let Some(table) = value.get_ref().as_table() else {
            return vec![Test::Is(self.texts(value))];
        };
        self.known(table, &TEST_KEYS, "a condition");
        let mut tests = Vec::new();
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("is", _) => tests.push(Test::Is(self.texts(value))),
                ("not", _) => tests.push(Test::Not(self.texts(value))),
                ("exists", DeValue::Boolean(yes)) => tests.push(Test::Exists(*yes)),
                ("exists", _) => self.fault(value.span(), "`exists` is true or false", ""),
                ("matches", DeValue::String(text)) => {
                    tests.extend(self.regex(text, value.span()).map(Test::Matches));
                }
                ("matches", _) => self.fault(value.span(), "`matches` is a pattern", ""),
                _ => {}
            }
        }
        tests
    }

    pub(super) fn splits(&mut self, table: &DeTable<'i>) -> Parts {
        let mut parts = Parts::default();
        let Some(value) = table.get("split") else {
            return parts;
        };
        for (span, table) in self.tables(value, "split") {
            self.known(table, &SPLIT_KEYS, "a split");
            if let Some(split) = self.split(table, span, &mut parts) {
                parts.splits.push(split);
            }
        }
        parts
    }

    fn split(
        &mut self,
        table: &DeTable<'i>,
        span: Range<usize>,
        parts: &mut Parts,
    ) -> Option<Split> {
        let Some((text, path_span)) = self.text_of(table, "path") else {
            self.fault(span, "a split names what it splits", "path = \"current\"");
            return None;
        };
        let path = self.path(&text, &path_span)?;
        let from = self.slot(&path);
        let none = table.get("none").map(|v| self.texts(v)).unwrap_or_default();
        let optional = match table.get("optional").map(|v| (v.get_ref(), v.span())) {
            None => false,
            Some((DeValue::Boolean(yes), _)) => *yes,
            Some((_, span)) => {
                self.fault(span, "`optional` is true or false", "");
                false
            }
        };
        let (by, names) = self.split_by(table, span)?;
        let into = names
            .into_iter()
            .map(|name| {
                if name == "_" {
                    return None;
                }
                let slot = self.fresh(&format!("{path}, part {name}"));
                parts.names.push((name, slot));
                Some(slot)
            })
            .collect();
        Some(Split {
            from,
            by,
            into,
            none,
            optional,
            label: path.to_string(),
        })
    }

    /// How a split takes its value apart, and the names of the parts.
    fn split_by(
        &mut self,
        table: &DeTable<'i>,
        span: Range<usize>,
    ) -> Option<(SplitBy, Vec<String>)> {
        match (self.text_of(table, "by"), self.text_of(table, "pattern")) {
            (Some((by, by_span)), None) => {
                if by.is_empty() {
                    self.fault(by_span, "an empty text splits nothing", "by = \"/\"");
                    return None;
                }
                let Some(into) = table.get("into") else {
                    self.fault(
                        span,
                        "a split names its parts",
                        "into = [\"ownerId\", \"leaseId\"]",
                    );
                    return None;
                };
                Some((SplitBy::Text(by), self.texts(into)))
            }
            (None, Some((pattern, pattern_span))) => {
                let regex = self.regex(&pattern, pattern_span.clone())?;
                let named = regex.capture_names().enumerate();
                let (groups, names): (Vec<usize>, Vec<String>) = named
                    .filter_map(|(group, name)| Some((group, name?.to_owned())))
                    .unzip();
                if names.is_empty() {
                    self.fault(
                        pattern_span,
                        "the pattern names no part",
                        "(?<fenceToken>\\d+)",
                    );
                }
                if let Some(into) = table.get("into") {
                    self.fault(
                        into.span(),
                        "a pattern names its parts itself",
                        "remove `into`",
                    );
                }
                Some((SplitBy::Pattern(regex, groups), names))
            }
            _ => {
                self.fault(
                    span,
                    "a split is either `by` a text or by a `pattern`",
                    "by = \"/\", into = [\"ownerId\", \"leaseId\"]",
                );
                None
            }
        }
    }

    pub(super) fn patterns(&mut self, table: &DeTable<'i>) -> Vec<(Regex, String)> {
        let Some(value) = table.get("pattern") else {
            return Vec::new();
        };
        let texts = match value.get_ref() {
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![value],
        };
        let mut found = Vec::new();
        for value in texts {
            match value.get_ref().as_str() {
                Some(text) => {
                    if let Some(regex) = self.regex(text, value.span()) {
                        found.push((regex, text.to_owned()));
                    }
                }
                None => self.fault(value.span(), "a pattern is text", "pattern = '…'"),
            }
        }
        found
    }
}
