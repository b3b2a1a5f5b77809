//! From the TOML under `fields` to the plan of each field.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::evidence::{Event, Field, Origin};

use super::error::nearest_hint;
use super::path::Path;
use super::plan::SlotId;
use super::read::{Reader, Value};
use super::spec::{FieldPlan, From, Meaning, Quick, Source, Split};

const FIELD_KEYS: [&str; 13] = [
    "path", "part", "value", "join", "with", "pattern", "base64", "base", "none", "absent", "null",
    "words", "default",
];

/// The splits of a shape and the names of their parts.
#[derive(Debug, Default, Clone)]
pub(super) struct Parts {
    pub(super) names: Vec<(String, SlotId)>,
    pub(super) splits: Vec<Split>,
}

impl FieldPlan {
    pub(super) fn from_slot(field: Field, slot: SlotId) -> FieldPlan {
        FieldPlan {
            field,
            sources: vec![Source::plain(From::Slot(slot))],
            default: None,
            quick: Quick::None,
        }
    }

    /// Looks for a quick way to its value, once it is complete.
    pub(super) fn settle(&mut self) {
        let ([source], None) = (self.sources.as_slice(), &self.default) else {
            return;
        };
        if !source.is_plain() {
            return;
        }
        let step = matches!(self.field, Field::Event | Field::Result);
        self.quick = match (&source.from, &source.words) {
            (From::Slot(slot), None) => Quick::Plain(*slot),
            (From::Slot(slot), Some(words)) if step => {
                let meanings = words.table.iter().map(|(_, word)| Meaning::of(word));
                Quick::Word(*slot, meanings.collect())
            }
            (From::Constant(word), _) if self.field == Field::Event => {
                Event::from_word(word).map_or(Quick::None, Quick::Event)
            }
            (From::Constant(word), _) if self.field == Field::Result => {
                Quick::Answer(Meaning::of(word))
            }
            (From::Constant(word), _) if self.field == Field::SeqBy => {
                Origin::from_word(word).map_or(Quick::None, Quick::SeqBy)
            }
            _ => Quick::None,
        };
    }
}

impl Source {
    fn plain(from: From) -> Source {
        Source {
            from,
            pattern: None,
            base64: false,
            base: None,
            none: Vec::new(),
            absent: Vec::new(),
            null_is_absent: false,
            words: None,
        }
    }

    /// Whether the value, or the word for it, counts as it is.
    fn is_plain(&self) -> bool {
        self.pattern.is_none()
            && !self.base64
            && self.base.is_none()
            && self.none.is_empty()
            && self.absent.is_empty()
            && !self.null_is_absent
    }
}

impl<'i> Reader<'i> {
    pub(super) fn fields(&mut self, table: &DeTable<'i>, parts: &Parts) -> Vec<FieldPlan> {
        let Some(value) = table.get("fields") else {
            return Vec::new();
        };
        let Some(fields) = value.get_ref().as_table() else {
            self.fault(
                value.span(),
                "`fields` is a table",
                "fields = { lockName = \"lock\" }",
            );
            return Vec::new();
        };
        let mut plans: Vec<FieldPlan> = Vec::new();
        for (key, value) in fields {
            let name = key.get_ref();
            let Some(field) = Field::from_name(name) else {
                let names = Field::ALL.into_iter().map(Field::name);
                let hint = nearest_hint(name, names);
                self.fault(
                    key.span(),
                    format!("`{name}` is no field of the evidence"),
                    hint,
                );
                continue;
            };
            if plans.iter().any(|plan| plan.field == field) {
                self.fault(
                    key.span(),
                    format!("`{name}` is mapped twice"),
                    "keep one of them",
                );
            }
            if field == Field::ActiveLease {
                self.active_lease(value, parts, &mut plans);
                continue;
            }
            let mut plan = FieldPlan {
                field,
                sources: Vec::new(),
                default: None,
                quick: Quick::None,
            };
            self.sources(value, parts, &mut plan);
            plans.push(plan);
        }
        plans
    }

    /// `activeLease = "path"`: an object with the three parts, or null.
    fn active_lease(&mut self, value: &Value<'i>, parts: &Parts, plans: &mut Vec<FieldPlan>) {
        if let Some(text) = value.get_ref().as_str() {
            let Some(path) = self.path(text, &value.span()) else {
                return;
            };
            for (field, names) in [
                (Field::ActiveOwnerId, ["ownerId", "owner_id"]),
                (Field::ActiveLeaseId, ["leaseId", "lease_id"]),
                (Field::ActiveFenceToken, ["fenceToken", "fence_token"]),
            ] {
                if plans.iter().any(|plan| plan.field == field) {
                    continue;
                }
                let mut sources: Vec<Source> = names
                    .map(|name| Source::plain(From::Slot(self.slot(&path.child(name)))))
                    .to_vec();
                // The object itself, for its null.
                sources.push(Source::plain(From::Slot(self.slot(&path))));
                plans.push(FieldPlan {
                    field,
                    sources,
                    default: None,
                    quick: Quick::None,
                });
            }
            return;
        }
        let _ = parts;
        self.fault(
            value.span(),
            "`activeLease` is the path of an object",
            "or map activeOwnerId, activeLeaseId and activeFenceToken one by one",
        );
    }

    fn sources(&mut self, value: &Value<'i>, parts: &Parts, plan: &mut FieldPlan) {
        match value.get_ref() {
            DeValue::String(text) => {
                if let Some(path) = self.path(text, &value.span()) {
                    let slot = self.slot(&path);
                    plan.sources.push(Source::plain(From::Slot(slot)));
                }
            }
            DeValue::Array(array) => {
                for value in array.iter() {
                    self.sources(value, parts, plan);
                }
                if array.is_empty() {
                    self.fault(value.span(), "a list of paths with no path", "");
                }
            }
            DeValue::Table(table) => self.source(table, &value.span(), parts, plan),
            _ => self.fault(
                value.span(),
                "a field is a path, a list of paths, or a table",
                "a constant is { value = 7 }",
            ),
        }
    }

    fn source(
        &mut self,
        table: &DeTable<'i>,
        span: &Range<usize>,
        parts: &Parts,
        plan: &mut FieldPlan,
    ) {
        self.known(table, &FIELD_KEYS, "a field");
        let mut source = Source::plain(From::Constant(String::new()));
        self.options(table, plan.field, &mut source);
        if let Some(value) = table.get("default")
            && let Some(text) = self.scalar(value)
        {
            self.right_word(plan.field, &text, value.span());
            plan.default = Some(text);
        }
        for from in self.origins(table, span, parts, plan.field) {
            plan.sources.push(Source {
                from,
                ..source.clone()
            });
        }
    }

    /// Where the value comes from: one of `path`, `part`, `value` and `join`.
    fn origins(
        &mut self,
        table: &DeTable<'i>,
        span: &Range<usize>,
        parts: &Parts,
        field: Field,
    ) -> Vec<From> {
        let given: Vec<&str> = ["path", "part", "value", "join"]
            .into_iter()
            .filter(|key| table.contains_key(*key))
            .collect();
        if given.len() != 1 {
            self.fault(
                span.clone(),
                "a field comes from exactly one of `path`, `part`, `value` and `join`",
                "{ path = \"lock.token\", base = 16 }",
            );
            return Vec::new();
        }
        if table.contains_key("with") && !table.contains_key("join") {
            self.fault(span.clone(), "`with` stands between what `join` joins", "");
        }
        if let Some(value) = table.get("path") {
            return self.slots(value).into_iter().map(From::Slot).collect();
        }
        if let Some(value) = table.get("value") {
            let Some(text) = self.scalar(value) else {
                return Vec::new();
            };
            self.right_word(field, &text, value.span());
            return vec![From::Constant(text)];
        }
        if let Some((name, span)) = self.text_of(table, "part") {
            return match parts.names.iter().find(|(n, _)| *n == name) {
                Some((_, slot)) => vec![From::Slot(*slot)],
                None => {
                    let names = parts.names.iter().map(|(n, _)| n.as_str());
                    let hint = nearest_hint(&name, names);
                    self.fault(span, format!("no split has a part `{name}`"), hint);
                    Vec::new()
                }
            };
        }
        if let Some(value) = table.get("join") {
            let with = self
                .text_of(table, "with")
                .map_or_else(|| "/".to_owned(), |w| w.0);
            return vec![From::Joined(self.slots(value), with)];
        }
        Vec::new()
    }

    fn slots(&mut self, value: &Value<'i>) -> Vec<SlotId> {
        let values: Vec<&Value<'i>> = match value.get_ref() {
            DeValue::Array(array) => array.iter().collect(),
            _ => vec![value],
        };
        let mut slots = Vec::new();
        for value in values {
            let path: Option<Path> = match value.get_ref().as_str() {
                Some(text) => self.path(text, &value.span()),
                None => {
                    self.fault(value.span(), "a path is text", "path = \"lock.name\"");
                    None
                }
            };
            if let Some(path) = path {
                slots.push(self.slot(&path));
            }
        }
        slots
    }

    fn options(&mut self, table: &DeTable<'i>, field: Field, source: &mut Source) {
        if let Some((text, span)) = self.text_of(table, "pattern")
            && let Some(regex) = self.regex(&text, span.clone())
        {
            // The group named `value`, or the first one.
            let group = regex
                .capture_names()
                .position(|name| name == Some("value"))
                .or((regex.captures_len() > 1).then_some(1));
            match group {
                Some(group) => source.pattern = Some((regex, group)),
                None => self.fault(span, "the pattern has no group", "put the value in ( )"),
            }
        }
        match table.get("base64").map(|v| (v.get_ref(), v.span())) {
            None => {}
            Some((DeValue::Boolean(yes), _)) => source.base64 = *yes,
            Some((_, span)) => self.fault(span, "`base64` is true or false", ""),
        }
        if let Some(value) = table.get("base") {
            let base = self.scalar(value).and_then(|text| text.parse().ok());
            match base.filter(|base| (2..=36).contains(base)) {
                Some(base) => source.base = Some(base),
                None => self.fault(value.span(), "a base is a number from 2 to 36", "base = 16"),
            }
            if !field.is_number() && !matches!(field, Field::LeaseId | Field::ActiveLeaseId) {
                let message = format!("`{field}` is no number");
                self.fault(
                    value.span(),
                    message,
                    "a base is for tokens, seq and lease ids",
                );
            }
        }
        source.none = table.get("none").map(|v| self.texts(v)).unwrap_or_default();
        source.absent = table
            .get("absent")
            .map(|v| self.texts(v))
            .unwrap_or_default();
        if let Some((word, span)) = self.text_of(table, "null") {
            match word.as_str() {
                "absent" => source.null_is_absent = true,
                "none" => {}
                _ => self.fault(
                    span,
                    format!("`{word}` is no reading of null"),
                    "none, absent",
                ),
            }
        }
        if let Some(value) = table.get("words") {
            source.words = self.words(value, field);
        }
    }
}
