//! A mapping shown at work: which field came from where, what found nothing, and which
//! lines fit no shape.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use super::dialect::Mapped;
use super::found::Found;
use super::record::Watch;
use super::slot::{Kind, Slot};
use super::spec::{FieldPlan, From, Mapping, Shape};
use crate::escape;
use crate::evidence::Field;
use crate::ingest::{Dialect, Framing, Output};

/// How much of a line is shown.
const EXCERPT: usize = 100;

/// What a mapping did with an input.
#[derive(Debug, Default)]
pub struct Explanation {
    /// The first records and lines.
    pub first: Vec<Explained>,
    /// Over the whole input, by shape.
    pub shapes: Vec<ShapeUse>,
    /// Lines that fit no shape.
    pub unmatched: u64,
    /// How many are kept in `first`.
    limit: usize,
    frames: u64,
}

/// One of the first records or lines.
#[derive(Debug)]
pub struct Explained {
    /// The line or value, counted from 1.
    pub number: u64,
    /// The shape that it fits; none where it fits none.
    pub shape: Option<String>,
    /// The fields of that shape: value and path, or the paths that were tried.
    pub fields: Vec<(Field, Answered)>,
    /// The beginning of the line.
    pub excerpt: String,
}

/// What came of looking for a field.
#[derive(Debug, Clone)]
pub enum Answered {
    /// A value, and where it was.
    Value(String, String),
    /// It says that there is none.
    Null(String),
    /// Nothing, and where it was looked for.
    Nothing(String),
}

/// How a shape was used.
#[derive(Debug)]
pub struct ShapeUse {
    /// Its name.
    pub name: String,
    /// Lines that fit it.
    pub lines: u64,
    /// Its fields, and how often each source gave something.
    pub fields: Vec<FieldUse>,
}

/// How a field was found over the whole input.
#[derive(Debug)]
pub struct FieldUse {
    /// The field.
    pub field: Field,
    /// How often each path gave it.
    pub from: BTreeMap<String, u64>,
    /// How often nothing did.
    pub nothing: u64,
    /// Where it was looked for.
    pub tried: String,
}

/// A mapping that notes what it does.
#[derive(Debug)]
pub struct Explaining {
    mapping: Arc<Mapping>,
    mapped: Mapped,
    notes: Arc<Mutex<Explanation>>,
}

impl Explaining {
    /// A reader that notes the first `limit` lines and counts all, and its notes.
    pub fn new(mapping: Arc<Mapping>, limit: usize) -> (Explaining, Arc<Mutex<Explanation>>) {
        let notes = Arc::new(Mutex::new(Explanation {
            limit,
            ..Explanation::default()
        }));
        let explaining = Explaining {
            mapped: Mapped::new(Arc::clone(&mapping)),
            mapping,
            notes: Arc::clone(&notes),
        };
        (explaining, notes)
    }
}

impl Dialect for Explaining {
    fn framing(&self) -> Framing {
        self.mapped.framing()
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.frames += 1;
        let mut note = Note {
            mapping: &self.mapping,
            frame,
            notes: &mut notes,
        };
        self.mapped.read_watched(frame, output, Some(&mut note));
    }

    fn finish(&mut self, output: &mut dyn Output) {
        self.mapped.finish(output);
    }
}

struct Note<'n> {
    mapping: &'n Mapping,
    frame: &'n [u8],
    notes: &'n mut Explanation,
}

impl Watch for Note<'_> {
    fn seen(&mut self, shape: Option<&Shape>, found: &[(Field, Found<'_>)], slots: &[Slot]) {
        let mut fields = Vec::new();
        if let Some(shape) = shape {
            let at = match self.notes.shapes.iter().position(|s| s.name == shape.name) {
                Some(at) => at,
                None => {
                    self.notes.shapes.push(ShapeUse::new(shape, self.mapping));
                    self.notes.shapes.len() - 1
                }
            };
            if let Some(used) = self.notes.shapes.get_mut(at) {
                used.lines += 1;
                for (number, (plan, (field, found))) in shape.fields.iter().zip(found).enumerate() {
                    let answered = answered(plan, found, slots, self.mapping);
                    if let Some(used) = used.fields.get_mut(number) {
                        match &answered {
                            Answered::Value(_, from) | Answered::Null(from) => {
                                *used.from.entry(from.clone()).or_default() += 1;
                            }
                            Answered::Nothing(_) => used.nothing += 1,
                        }
                    }
                    fields.push((*field, answered));
                }
            }
        } else {
            self.notes.unmatched += 1;
        }
        if self.notes.first.len() < self.notes.limit {
            let text = String::from_utf8_lossy(self.frame);
            self.notes.first.push(Explained {
                number: self.notes.frames,
                shape: shape.map(|shape| shape.name.clone()),
                fields,
                excerpt: text.chars().take(EXCERPT).collect(),
            });
        }
    }
}

impl ShapeUse {
    fn new(shape: &Shape, mapping: &Mapping) -> ShapeUse {
        let fields = shape.fields.iter().map(|plan| FieldUse {
            field: plan.field,
            from: BTreeMap::new(),
            nothing: 0,
            tried: tried(plan, mapping),
        });
        ShapeUse {
            name: shape.name.clone(),
            lines: 0,
            fields: fields.collect(),
        }
    }
}

fn answered(plan: &FieldPlan, found: &Found<'_>, slots: &[Slot], mapping: &Mapping) -> Answered {
    let label = |from: &From| match from {
        From::Constant(_) => "a constant of the mapping".to_owned(),
        From::Slot(slot) => mapping.labels.get(*slot).cloned().unwrap_or_default(),
        From::Joined(parts, _) => joined(parts, mapping),
    };
    // The first source that has something at its place is the one that answered.
    let source = plan.sources.iter().find(|source| match &source.from {
        From::Constant(_) => true,
        From::Slot(slot) => slots.get(*slot).is_some_and(|s| s.kind != Kind::Missing),
        From::Joined(parts, _) => parts
            .iter()
            .all(|part| slots.get(*part).is_some_and(|s| s.kind != Kind::Missing)),
    });
    let from = source.map_or_else(|| "the default".to_owned(), |source| label(&source.from));
    match found {
        Found::Absent => Answered::Nothing(tried(plan, mapping)),
        Found::Null => Answered::Null(from),
        Found::Value(text, ..) => Answered::Value(text.chars().take(EXCERPT).collect(), from),
    }
}

fn tried(plan: &FieldPlan, mapping: &Mapping) -> String {
    let labels = plan.sources.iter().map(|source| match &source.from {
        From::Constant(text) => format!("the constant {text}"),
        From::Slot(slot) => mapping.labels.get(*slot).cloned().unwrap_or_default(),
        From::Joined(parts, _) => joined(parts, mapping),
    });
    labels.collect::<Vec<_>>().join(", ")
}

fn joined(parts: &[usize], mapping: &Mapping) -> String {
    let labels = parts
        .iter()
        .filter_map(|part| mapping.labels.get(*part).map(String::as_str));
    labels.collect::<Vec<_>>().join(" + ")
}

impl Explanation {
    /// The explanation for people: nothing of a log reaches it unescaped.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for one in &self.first {
            let excerpt = escape::terminal(&one.excerpt);
            match &one.shape {
                None => {
                    let _ = writeln!(out, "{}: fits no shape: {excerpt}", one.number);
                    continue;
                }
                Some(name) if name.is_empty() => {
                    let _ = writeln!(out, "{}: {excerpt}", one.number);
                }
                Some(name) => {
                    let name = escape::terminal(name);
                    let _ = writeln!(out, "{}: shape `{name}`: {excerpt}", one.number);
                }
            }
            for (field, answered) in &one.fields {
                let (value, from) = match answered {
                    Answered::Value(value, from) => (value.as_str(), format!("from {from}")),
                    Answered::Null(from) => ("null", format!("from {from}")),
                    Answered::Nothing(tried) => ("-", format!("nothing at {tried}")),
                };
                let value = escape::terminal(value);
                let from = escape::terminal(&from);
                let _ = writeln!(out, "    {:<26} {value}  ({from})", field.name());
            }
        }
        if !self.first.is_empty() {
            out.push('\n');
        }
        let _ = writeln!(out, "In all {} lines or values:", self.frames);
        for shape in &self.shapes {
            let name = match shape.name.as_str() {
                "" => "the mapping".to_owned(),
                name => format!("shape `{}`", escape::terminal(name)),
            };
            let _ = writeln!(out, "  {name}: {}", shape.lines);
            for used in &shape.fields {
                let mut parts: Vec<String> = used
                    .from
                    .iter()
                    .map(|(from, n)| format!("{n} from {}", escape::terminal(from)))
                    .collect();
                if used.nothing > 0 {
                    parts.push(format!(
                        "{} found nothing at {}",
                        used.nothing,
                        escape::terminal(&used.tried)
                    ));
                }
                let _ = writeln!(out, "    {:<26} {}", used.field.name(), parts.join("; "));
            }
        }
        let _ = writeln!(out, "  fits no shape: {}", self.unmatched);
        out
    }
}
