//! Where paths begin, and the slots that they fill.

use std::ops::Range;

use regex::Regex;
use toml::de::{DeTable, DeValue};

use super::error::nearest_hint;
use super::path::{Path, Step};
use super::plan::{Plan, SlotId, levels};
use super::read::Reader;
use super::spec::{Format, Level};

impl<'i> Reader<'i> {
    pub(super) fn nesting(&mut self, top: &DeTable<'i>) {
        if let Some((text, span)) = self.text_of(top, "root") {
            self.root = self.bare_path(&text, &span).map(|path| match self.format {
                Format::Json => path,
                _ => path.flattened(),
            });
        }
        let Some((text, span)) = self.text_of(top, "each") else {
            return;
        };
        if self.format != Format::Json {
            self.fault(
                span,
                "`each` steps through arrays of JSON",
                "set format = \"json\"",
            );
            return;
        }
        let Some(path) = self.bare_path(&text, &span) else {
            return;
        };
        let mut parts = levels(&path);
        // What follows the last `[*]` lies inside each record.
        let inside = parts.pop().unwrap_or_default();
        if parts.is_empty() {
            self.fault(
                span,
                "`each` names no array to step through",
                "mark every array with [*]: resourceLogs[*].scopeLogs[*].logRecords[*]",
            );
            return;
        }
        if !inside.is_empty() {
            self.fault(
                span,
                "`each` ends with an array",
                "move what follows the last [*] to root",
            );
        }
        self.plans = (0..=parts.len()).map(|_| Plan::new()).collect();
        self.each = parts;
    }

    /// In a mapping for text, a path begins with the name of a group.
    pub(super) fn group_names(&mut self, top: &DeTable<'i>) {
        if self.format != Format::Text {
            return;
        }
        let mut names = Vec::new();
        let mut tables = vec![top];
        let shapes = top.get("shape").and_then(|v| v.get_ref().as_array());
        tables.extend(
            shapes
                .into_iter()
                .flat_map(|a| a.iter().filter_map(|v| v.get_ref().as_table())),
        );
        for table in tables {
            let texts = match table.get("pattern").map(|v| v.get_ref()) {
                Some(DeValue::String(text)) => vec![text.to_string()],
                Some(DeValue::Array(array)) => array
                    .iter()
                    .filter_map(|v| v.get_ref().as_str().map(str::to_owned))
                    .collect(),
                _ => Vec::new(),
            };
            for regex in texts.iter().filter_map(|text| Regex::new(text).ok()) {
                names.extend(regex.capture_names().flatten().map(str::to_owned));
            }
        }
        // Without a pattern that is what is missing, and not the group.
        self.names = (!names.is_empty()).then_some(names);
    }

    /// The path that a text is, with faults at their place.
    pub(super) fn bare_path(&mut self, text: &str, span: &Range<usize>) -> Option<Path> {
        match Path::parse(text) {
            Ok(path) => Some(path),
            Err(error) => {
                // The text of a path is written in quotes, so its first byte is the second.
                let written = self.text.get(span.clone()).unwrap_or_default();
                let quote = usize::from(written.starts_with(['"', '\'']));
                let at = (span.start + quote + error.at).min(span.end);
                self.fault(at..span.end, error.message, error.hint);
                None
            }
        }
    }

    /// The same after the root, and flattened where the format is flat.
    pub(super) fn path(&mut self, text: &str, span: &Range<usize>) -> Option<Path> {
        let path = self.bare_path(text, span)?;
        if self.format == Format::Json {
            let path = match &self.root {
                Some(root) => path.under(root),
                None => path,
            };
            return self.placed(path, span);
        }
        let path = match self.root.clone() {
            Some(root) => path.under(&root),
            None => path.flattened(),
        };
        if let (Some(names), Some(Step::Key(first))) = (&self.names, path.steps.first())
            && !names.contains(first)
        {
            let what = if self.format == Format::Text {
                "no pattern has a group"
            } else {
                "there is no column"
            };
            let hint = nearest_hint(first, names.iter().map(String::as_str));
            let message = format!("{what} `{first}`");
            self.fault(span.clone(), message, hint);
            return None;
        }
        Some(path)
    }

    /// Checks the `[*]` steps of a path against `each`.
    pub(super) fn placed(&mut self, path: Path, span: &Range<usize>) -> Option<Path> {
        let parts = levels(&path);
        let (_, outer) = parts.split_last()?;
        let fits = outer.len() <= self.each.len()
            && outer.iter().zip(&self.each).all(|(a, b)| a == b)
            && (outer.is_empty() || path.from_frame);
        if !fits {
            self.fault(
                span.clone(),
                "[*] here is none of the arrays that `each` steps through",
                "a path to what lies around the record begins with $ and repeats the start of each",
            );
            return None;
        }
        Some(path)
    }

    /// The slot of a path.
    pub(super) fn slot(&mut self, path: &Path) -> SlotId {
        let mut parts = levels(path);
        let last = parts.pop().unwrap_or_default();
        let level = if path.from_frame {
            parts.len()
        } else {
            self.each.len()
        };
        self.slot_at(level, &last, &path.to_string())
    }

    pub(super) fn slot_at(&mut self, level: usize, steps: &[Step], label: &str) -> SlotId {
        let Some(plan) = self.plans.get_mut(level) else {
            return 0;
        };
        let slot = plan.slot(steps, &mut self.next);
        if self.labels.len() < self.next {
            self.labels.push(label.to_owned());
        }
        slot
    }

    /// A slot that no path fills.
    pub(super) fn fresh(&mut self, label: &str) -> SlotId {
        self.next += 1;
        self.labels.push(label.to_owned());
        self.next - 1
    }

    pub(super) fn levels(&mut self) -> Vec<Level> {
        let mut arrays = Vec::new();
        for (index, steps) in self.each.clone().iter().enumerate() {
            let slot = self.slot_at(index, steps, &format!("each[{index}]"));
            arrays.push(Some(slot));
        }
        arrays.push(None);
        let plans = std::mem::take(&mut self.plans);
        plans
            .into_iter()
            .zip(arrays)
            .map(|(plan, array)| Level {
                slots: plan.nodes.iter().filter_map(|node| node.slot).collect(),
                plan,
                array,
            })
            .collect()
    }
}
