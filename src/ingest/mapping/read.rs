//! From TOML to a compiled mapping. Everything is checked here, before any input is read;
//! all faults are reported, each at its place.

use std::ops::Range;

use regex::{Regex, RegexBuilder, RegexSetBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::evidence::Field;

use super::columns;
use super::error::{MappingError, line_and_column, nearest_hint};
use super::path::{Path, Step};
use super::plan::{Plan, SlotId, levels};
use super::read_field::Parts;
use super::spec::{
    Condition, FieldPlan, Format, Level, Mapping, Pattern, Shape, Split, SplitBy, Test,
};

/// How large a compiled pattern may grow: patterns come from users, not from logs.
const PATTERN_SIZE: usize = 4 << 20;

const TOP_KEYS: [&str; 13] = [
    "name",
    "description",
    "format",
    "delimiter",
    "columns",
    "root",
    "each",
    "fields",
    "when",
    "split",
    "pattern",
    "shape",
    "sample",
];
const SHAPE_KEYS: [&str; 5] = ["name", "when", "pattern", "split", "fields"];
const SPLIT_KEYS: [&str; 6] = ["path", "by", "pattern", "into", "none", "optional"];
const TEST_KEYS: [&str; 4] = ["is", "not", "exists", "matches"];

pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// A mapping on its way from text to plan.
pub(super) struct Reader<'i> {
    file: &'i str,
    text: &'i str,
    pub(super) errors: Vec<MappingError>,
    pub(super) format: Format,
    root: Option<Path>,
    each: Vec<Vec<Step>>,
    plans: Vec<Plan>,
    next: SlotId,
    labels: Vec<String>,
    /// Names that a path may begin with, where they are known: columns or groups.
    names: Option<Vec<String>>,
}

struct Draft {
    name: String,
    span: Range<usize>,
    when: Vec<Condition>,
    parts: Parts,
    fields: Vec<FieldPlan>,
    patterns: Vec<(Regex, String)>,
}

impl Mapping {
    /// Reads a mapping. `file` names it in errors.
    ///
    /// # Errors
    /// Every fault of the text, in the order of its lines.
    pub fn parse(file: &str, text: &str) -> Result<Mapping, Vec<MappingError>> {
        let mut reader = Reader {
            file,
            text,
            errors: Vec::new(),
            format: Format::Json,
            root: None,
            each: Vec::new(),
            plans: vec![Plan::new()],
            next: 0,
            labels: Vec::new(),
            names: None,
        };
        let mapping = match DeTable::parse(text) {
            Ok(table) => reader.mapping(table.get_ref()),
            Err(error) => {
                let span = error.span().unwrap_or(0..0);
                reader.fault(span, error.message(), "the file is TOML: https://toml.io");
                None
            }
        };
        match mapping {
            Some(mapping) if reader.errors.is_empty() => Ok(mapping),
            _ => {
                reader.errors.sort_by_key(|e| e.span.start);
                reader.errors.dedup();
                Err(reader.errors)
            }
        }
    }
}

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

    fn mapping(&mut self, top: &DeTable<'i>) -> Option<Mapping> {
        self.known(top, &TOP_KEYS, "a mapping");
        let name = self.text_of(top, "name").map(|(text, _)| text);
        let _ = self.text_of(top, "description");
        if let Some((word, span)) = self.text_of(top, "format") {
            match Format::from_word(&word) {
                Some(format) => self.format = format,
                None => self.fault(
                    span,
                    format!("`{word}` is no format"),
                    nearest_hint(&word, Format::WORDS.into_iter()),
                ),
            }
        }
        self.delimiter(top);
        let columns = self.columns(top);
        self.nesting(top);
        self.group_names(top);

        let base_parts = self.splits(top);
        let base_when = self.conditions(top);
        let base_fields = self.fields(top, &base_parts);
        let mut drafts = Vec::new();
        match top.get("shape") {
            None => {
                let patterns = self.patterns(top);
                drafts.push(Draft {
                    name: name.clone().unwrap_or_default(),
                    span: 0..0,
                    when: base_when,
                    parts: base_parts,
                    fields: base_fields,
                    patterns,
                });
            }
            Some(shapes) => {
                if let Some(value) = top.get("pattern") {
                    self.fault(
                        value.span(),
                        "a mapping with shapes has its patterns in them",
                        "move `pattern` under [[shape]]",
                    );
                }
                for (number, shape) in self.tables(shapes, "shape").into_iter().enumerate() {
                    self.known(shape.1, &SHAPE_KEYS, "a shape");
                    let parts = self.splits(shape.1);
                    let mut when = base_when.clone();
                    when.extend(self.conditions(shape.1));
                    let patterns = self.patterns(shape.1);
                    let mut all = Parts {
                        names: base_parts.names.clone(),
                        splits: base_parts.splits.clone(),
                    };
                    all.names.extend(parts.names);
                    all.splits.extend(parts.splits);
                    let mut fields = self.fields(shape.1, &all);
                    for base in &base_fields {
                        if !fields.iter().any(|f| f.field == base.field) {
                            fields.push(base.clone());
                        }
                    }
                    let named = self.text_of(shape.1, "name");
                    drafts.push(Draft {
                        name: named.map_or_else(|| format!("shape {}", number + 1), |n| n.0),
                        span: shape.0,
                        when,
                        parts: all,
                        fields,
                        patterns,
                    });
                }
            }
        }
        self.finish(drafts, columns)
    }

    fn finish(&mut self, drafts: Vec<Draft>, columns: Option<Vec<String>>) -> Option<Mapping> {
        let mut shapes = Vec::new();
        let mut patterns = Vec::new();
        let mut sources = Vec::new();
        for (index, mut draft) in drafts.into_iter().enumerate() {
            // What is missing may be missing since something else is wrong.
            let sound = self.errors.is_empty();
            if self.format == Format::Text && draft.patterns.is_empty() && sound {
                self.fault(
                    draft.span.clone(),
                    "lines of text need a pattern",
                    "add pattern = '…(?<lockName>…)…'",
                );
            }
            if self.format != Format::Text && !draft.patterns.is_empty() {
                self.fault(
                    draft.span.clone(),
                    "a pattern reads lines of text, and this format has its own fields",
                    "set format = \"text\", or split one value with [[split]]",
                );
            }
            for (regex, source) in draft.patterns {
                self.groups_as_fields(&regex, &mut draft.fields);
                let groups = regex
                    .capture_names()
                    .enumerate()
                    .filter_map(|(group, name)| {
                        let node = self.plans[0].node(&Path::key(name?).steps);
                        Some((group, node))
                    });
                let groups = groups.collect();
                patterns.push(Pattern {
                    shape: index,
                    regex,
                    groups,
                });
                sources.push(source);
            }
            parts_as_fields(&draft.parts, &mut draft.fields);
            if sound && self.errors.is_empty() {
                self.complete(&draft.span, &draft.name, &draft.fields);
            }
            draft.fields.sort_by_key(|f| f.field);
            shapes.push(Shape {
                name: draft.name,
                when: draft.when,
                splits: draft.parts.splits,
                fields: draft.fields,
            });
        }
        if shapes.is_empty() {
            self.fault(
                0..0,
                "the mapping has no shape",
                "add [fields] or [[shape]]",
            );
        }
        let set = RegexSetBuilder::new(&sources)
            .size_limit(PATTERN_SIZE * 4)
            .build();
        let set = match set {
            Ok(set) => (!sources.is_empty()).then_some(set),
            Err(error) => {
                self.fault(
                    0..0,
                    format!("the patterns together are too large: {error}"),
                    "",
                );
                None
            }
        };
        Some(Mapping {
            format: self.format,
            columns,
            levels: self.levels(),
            shapes,
            set,
            patterns,
            labels: std::mem::take(&mut self.labels),
        })
    }

    /// A group that bears the name of a field is that field.
    fn groups_as_fields(&mut self, regex: &Regex, fields: &mut Vec<FieldPlan>) {
        for name in regex.capture_names().flatten() {
            let Some(field) = Field::from_name(name) else {
                continue;
            };
            let path = Path::key(name);
            if !fields.iter().any(|f| f.field == field) {
                let slot = self.slot(&path);
                fields.push(FieldPlan::from_slot(field, slot));
            }
        }
    }

    fn complete(&mut self, span: &Range<usize>, name: &str, fields: &[FieldPlan]) {
        let has = |field| fields.iter().any(|f| f.field == field);
        let of = if name.is_empty() {
            "the mapping".to_owned()
        } else {
            format!("`{name}`")
        };
        if !has(Field::LockName) {
            self.fault(
                span.clone(),
                format!("{of} never says which lock a line is about"),
                "add lockName = \"path\" under fields",
            );
        }
        if !has(Field::Event) && !has(Field::Result) {
            self.fault(
                span.clone(),
                format!("{of} says neither what was done nor what was answered"),
                "add result or event under fields; a constant is { value = \"acquired\" }",
            );
        }
    }

    fn levels(&mut self) -> Vec<Level> {
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

    fn delimiter(&mut self, top: &DeTable<'i>) {
        let Some((text, span)) = self.text_of(top, "delimiter") else {
            return;
        };
        match (self.format, text.as_bytes()) {
            (Format::Columns { .. }, [delimiter]) if !matches!(delimiter, b'"' | b'\n') => {
                self.format = Format::Columns {
                    delimiter: *delimiter,
                };
            }
            (Format::Columns { .. }, _) => self.fault(
                span,
                "the delimiter is one ASCII character",
                "delimiter = \";\"",
            ),
            _ => self.fault(
                span,
                "only csv and tsv have a delimiter",
                "set format = \"csv\"",
            ),
        }
    }

    fn columns(&mut self, top: &DeTable<'i>) -> Option<Vec<String>> {
        let found = top
            .get("columns")
            .map(|value| (self.texts(value), value.span()));
        if self.format == Format::PostgresCsvlog {
            self.names = Some(columns::POSTGRES.map(str::to_owned).to_vec());
        }
        let (columns, span) = found?;
        if !matches!(self.format, Format::Columns { .. }) {
            self.fault(
                span,
                "only csv and tsv have columns",
                "set format = \"csv\"",
            );
        }
        self.names = Some(columns.clone());
        Some(columns)
    }

    fn nesting(&mut self, top: &DeTable<'i>) {
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
    fn group_names(&mut self, top: &DeTable<'i>) {
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

    fn patterns(&mut self, table: &DeTable<'i>) -> Vec<(Regex, String)> {
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

    fn conditions(&mut self, table: &DeTable<'i>) -> Vec<Condition> {
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

    fn splits(&mut self, table: &DeTable<'i>) -> Parts {
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
        let (by, names) = match (self.text_of(table, "by"), self.text_of(table, "pattern")) {
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
                (SplitBy::Text(by), self.texts(into))
            }
            (None, Some((pattern, pattern_span))) => {
                let regex = self.regex(&pattern, pattern_span.clone())?;
                let names: Vec<(usize, String)> = regex
                    .capture_names()
                    .enumerate()
                    .filter_map(|(i, name)| Some((i, name?.to_owned())))
                    .collect();
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
                let groups = names.iter().map(|(i, _)| *i).collect();
                let names = names.into_iter().map(|(_, name)| name).collect();
                (SplitBy::Pattern(regex, groups), names)
            }
            _ => {
                self.fault(
                    span,
                    "a split is either `by` a text or by a `pattern`",
                    "by = \"/\", into = [\"ownerId\", \"leaseId\"]",
                );
                return None;
            }
        };
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

    /// The path that a text is, with faults at their place.
    fn bare_path(&mut self, text: &str, span: &Range<usize>) -> Option<Path> {
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
    fn placed(&mut self, path: Path, span: &Range<usize>) -> Option<Path> {
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

    fn slot_at(&mut self, level: usize, steps: &[Step], label: &str) -> SlotId {
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
    fn fresh(&mut self, label: &str) -> SlotId {
        self.next += 1;
        self.labels.push(label.to_owned());
        self.next - 1
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
    fn tables<'v>(
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

/// A part that bears the name of a field is that field.
fn parts_as_fields(parts: &Parts, fields: &mut Vec<FieldPlan>) {
    for (name, slot) in &parts.names {
        if let Some(field) = Field::from_name(name)
            && !fields.iter().any(|f| f.field == field)
        {
            fields.push(FieldPlan::from_slot(field, *slot));
        }
    }
}
