//! From TOML to a compiled mapping. Everything is checked here, before any input is read;
//! all faults are reported, each at its place.

use std::ops::Range;

use regex::{Regex, RegexSetBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::evidence::Field;

use super::at_once::Targets;
use super::columns;
use super::error::{MappingError, nearest_hint};
use super::path::{Path, Step};
use super::patterns::Ways;
use super::plan::{Plan, SlotId};
use super::read_field::Parts;
use super::spec::{Condition, FieldPlan, Format, Mapping, Pattern, Shape};

/// How large a compiled pattern may grow: patterns come from users, not from logs.
pub(super) const PATTERN_SIZE: usize = 4 << 20;

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

pub(super) type Value<'i> = Spanned<DeValue<'i>>;

/// A mapping on its way from text to plan.
pub(super) struct Reader<'i> {
    pub(super) file: &'i str,
    pub(super) text: &'i str,
    pub(super) errors: Vec<MappingError>,
    pub(super) format: Format,
    pub(super) root: Option<Path>,
    pub(super) each: Vec<Vec<Step>>,
    pub(super) plans: Vec<Plan>,
    pub(super) next: SlotId,
    pub(super) labels: Vec<String>,
    /// Names that a path may begin with, where they are known: columns or groups.
    pub(super) names: Option<Vec<String>>,
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
        let mut compiled = Vec::new();
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
                compiled.push(Pattern {
                    shape: index,
                    ways: Ways::new(regex, &source),
                    groups,
                });
                sources.push(source);
            }
            parts_as_fields(&draft.parts, &mut draft.fields);
            if sound && self.errors.is_empty() {
                self.complete(&draft.span, &draft.name, &draft.fields);
            }
            draft.fields.sort_by_key(|f| f.field);
            draft.fields.iter_mut().for_each(FieldPlan::settle);
            let splits = draft.parts.splits;
            let at_once = Targets::of(&draft.fields).filter(|_| splits.is_empty());
            shapes.push(Shape {
                name: draft.name,
                when: draft.when,
                splits,
                fields: draft.fields,
                at_once,
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
            patterns: compiled,
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
