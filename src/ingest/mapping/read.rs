//! From TOML to a compiled mapping. Everything is checked here, before any input is read;
//! all faults are reported, each at its place.

use std::ops::Range;

use regex::{Regex, RegexSet, RegexSetBuilder};
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
use super::{Preset, Reading};

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

impl Draft {
    /// The shape that it is, once all its fields are known.
    fn settled(self) -> Shape {
        let mut fields = self.fields;
        fields.sort_by_key(|plan| plan.field);
        fields.iter_mut().for_each(FieldPlan::settle);
        let splits = self.parts.splits;
        let at_once = Targets::of(&fields).filter(|_| splits.is_empty());
        Shape {
            name: self.name,
            when: self.when,
            splits,
            fields,
            at_once,
        }
    }
}

impl Mapping {
    /// Reads a mapping. `file` names it in errors.
    ///
    /// # Errors
    /// Every fault of the text, in the order of its lines.
    pub fn parse(file: &str, text: &str) -> Result<Mapping, Vec<MappingError>> {
        let mut reader = Reader::new(file, text);
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

impl Reading {
    /// Reads a mapping, or what may stand in its place: `preset = "NAME"`, and nothing else.
    /// `file` names it in errors.
    ///
    /// # Errors
    /// Every fault of the text, in the order of its lines.
    pub fn parse(file: &str, text: &str) -> Result<Reading, Vec<MappingError>> {
        let table = DeTable::parse(text).ok();
        let Some(table) = table.filter(|table| table.get_ref().contains_key("preset")) else {
            return Mapping::parse(file, text).map(|mapping| Reading::Mapped(mapping.into()));
        };
        let mut reader = Reader::new(file, text);
        if let Some((name, span)) = reader.text_of(table.get_ref(), "preset") {
            match Preset::from_name(&name) {
                Ok(preset) if table.get_ref().len() == 1 => return Ok(Reading::Preset(preset)),
                Ok(_) => reader.fault(
                    span,
                    "a preset stands in the place of a mapping",
                    "take the other keys away, or this one",
                ),
                Err(hint) => reader.fault(span, format!("there is no preset `{name}`"), hint),
            }
        }
        Err(reader.errors)
    }
}

impl<'i> Reader<'i> {
    fn new(file: &'i str, text: &'i str) -> Reader<'i> {
        Reader {
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
        }
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

        let parts = self.splits(top);
        let base = Draft {
            name: name.unwrap_or_default(),
            span: 0..0,
            when: self.conditions(top),
            fields: self.fields(top, &parts),
            parts,
            patterns: Vec::new(),
        };
        let drafts = match top.get("shape") {
            None => vec![Draft {
                patterns: self.patterns(top),
                ..base
            }],
            Some(shapes) => {
                if let Some(value) = top.get("pattern") {
                    self.fault(
                        value.span(),
                        "a mapping with shapes has its patterns in them",
                        "move `pattern` under [[shape]]",
                    );
                }
                let shapes = self.tables(shapes, "shape").into_iter().enumerate();
                shapes
                    .map(|(number, (span, shape))| self.shape(shape, span, number + 1, &base))
                    .collect()
            }
        };
        self.finish(drafts, columns)
    }

    /// Reads the shape of that number, which has what the mapping says of all, too.
    fn shape(
        &mut self,
        shape: &DeTable<'i>,
        span: Range<usize>,
        number: usize,
        base: &Draft,
    ) -> Draft {
        self.known(shape, &SHAPE_KEYS, "a shape");
        let own = self.splits(shape);
        let mut when = base.when.clone();
        when.extend(self.conditions(shape));
        let patterns = self.patterns(shape);
        let mut parts = base.parts.clone();
        parts.names.extend(own.names);
        parts.splits.extend(own.splits);
        let mut fields = self.fields(shape, &parts);
        for one in &base.fields {
            if !fields.iter().any(|own| own.field == one.field) {
                fields.push(one.clone());
            }
        }
        let name = self.text_of(shape, "name");
        Draft {
            name: name.map_or_else(|| format!("shape {number}"), |(name, _)| name),
            span,
            when,
            parts,
            fields,
            patterns,
        }
    }

    fn finish(&mut self, drafts: Vec<Draft>, columns: Option<Vec<String>>) -> Option<Mapping> {
        let mut patterns = Vec::new();
        let mut sources = Vec::new();
        let mut shapes = Vec::new();
        for (number, mut draft) in drafts.into_iter().enumerate() {
            // What is missing may be missing since something else is wrong.
            let sound = self.errors.is_empty();
            self.fits_format(&draft);
            for (regex, source) in std::mem::take(&mut draft.patterns) {
                self.groups_as_fields(&regex, &mut draft.fields);
                patterns.push(self.pattern(number, regex, &source));
                sources.push(source);
            }
            parts_as_fields(&draft.parts, &mut draft.fields);
            if sound && self.errors.is_empty() {
                self.complete(&draft.span, &draft.name, &draft.fields);
            }
            shapes.push(draft.settled());
        }
        if shapes.is_empty() {
            self.fault(
                0..0,
                "the mapping has no shape",
                "add [fields] or [[shape]]",
            );
        }
        let set = self.set(&sources);
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

    /// Only lines of text are read by patterns, and they by nothing else.
    fn fits_format(&mut self, draft: &Draft) {
        let is_text = self.format == Format::Text;
        if is_text && draft.patterns.is_empty() && self.errors.is_empty() {
            self.fault(
                draft.span.clone(),
                "lines of text need a pattern",
                "add pattern = '…(?<lockName>…)…'",
            );
        }
        if !is_text && !draft.patterns.is_empty() {
            self.fault(
                draft.span.clone(),
                "a pattern reads lines of text, and this format has its own fields",
                "set format = \"text\", or split one value with [[split]]",
            );
        }
    }

    /// A pattern of the shape of that number, and where its groups go.
    fn pattern(&mut self, shape: usize, regex: Regex, source: &str) -> Pattern {
        let names = regex.capture_names().enumerate();
        let groups = names
            .filter_map(|(group, name)| {
                let node = self.plans[0].node(&Path::key(name?).steps);
                Some((group, node))
            })
            .collect();
        Pattern {
            shape,
            ways: Ways::new(regex, source),
            groups,
        }
    }

    /// All patterns in one, which says whether any fits.
    fn set(&mut self, sources: &[String]) -> Option<RegexSet> {
        let set = RegexSetBuilder::new(sources)
            .size_limit(PATTERN_SIZE * 4)
            .build();
        match set {
            Ok(set) => (!sources.is_empty()).then_some(set),
            Err(error) => {
                let message = format!("the patterns together are too large: {error}");
                self.fault(0..0, message, "");
                None
            }
        }
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
