//! A mapping shown at work: which field came from where, what found nothing, and which
//! lines fit no shape.
//!
//! Two sides tell. The dialect ([`Explaining`]) knows where each value of a line was looked
//! for; whoever takes the results knows what became of the line, and tells it to the
//! [`Explanation`] as it comes. So every line is accounted for, also one that no mapping
//! was asked about.

mod explaining;
mod text;
mod told;

use std::collections::BTreeMap;

use super::found::Found;
use super::slot::{Kind, Slot};
use super::spec::{FieldPlan, From, Mapping, Shape};
use crate::evidence::{Field, Record};
use crate::ingest::Rejected;
pub use explaining::Explaining;

/// How much of a line is shown.
const EXCERPT: usize = 100;

/// What a mapping did with an input.
#[derive(Debug, Default)]
pub struct Explanation {
    /// The first records and lines.
    pub first: Vec<Explained>,
    /// Over the whole input, by shape.
    pub shapes: Vec<ShapeUse>,
    /// Lines or values that fit no shape.
    pub unmatched: u64,
    /// Lines or values that hold no evidence, and of which no field was looked for.
    pub others: u64,
    /// Lines or values of which nothing could be read.
    pub unreadable: u64,
    /// Lines or values, all of them.
    pub frames: u64,
    /// The evidence records that they gave.
    pub records: u64,
    /// How many are kept in `first`.
    limit: usize,
    /// What records are called that were read without a mapping.
    reader: String,
    /// Whether a mapping is at work at all.
    mapped: bool,
    /// The line or value at hand, and what was found in it.
    now: Option<Now>,
    seen: Vec<Seen>,
    ended: bool,
}

/// One of the first records or lines.
#[derive(Debug)]
pub struct Explained {
    /// The line or value, counted from 1.
    pub number: u64,
    /// What became of it.
    pub came_of: CameOf,
    /// The fields of its shape: value and path, or the paths that were tried.
    pub fields: Vec<(Field, Answered)>,
    /// The beginning of the line.
    pub excerpt: String,
}

/// What became of a line or value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CameOf {
    /// It fits this shape, and its fields were asked; without a name it is the only one.
    Shape(String),
    /// It fits none.
    NoShape,
    /// It holds no evidence.
    Other,
    /// Nothing of it could be read, for this reason.
    Unreadable(String),
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
    /// Something that can't be used, and where it was.
    Unusable(String),
    /// A value that a reader found in its own way.
    Read(String),
}

/// How a shape was used.
#[derive(Debug)]
pub struct ShapeUse {
    /// Its name.
    pub name: String,
    /// Lines, or records in them, that fit it.
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
    /// How often a reader gave it that has no paths.
    pub read: u64,
    /// How often what lies at a path could not be used.
    pub unusable: BTreeMap<String, u64>,
    /// How often nothing did.
    pub nothing: u64,
    /// Where it was looked for.
    pub tried: String,
}

/// A line or value that is being read.
#[derive(Debug, Default)]
struct Now {
    excerpt: String,
    records: Vec<Vec<(Field, Answered)>>,
    other: bool,
    /// What is wrong with it.
    problem: Option<String>,
}

/// What a mapping found in a record: the number of the shape in `shapes`.
#[derive(Debug)]
struct Seen {
    shape: Option<usize>,
    fields: Vec<(Field, Answered)>,
}

impl Explanation {
    /// A line or value is about to be read.
    pub fn frame(&mut self, bytes: &[u8]) {
        self.settle();
        self.now = Some(Now {
            excerpt: excerpt(bytes),
            ..Now::default()
        });
    }

    /// It gave a record.
    pub fn record(&mut self, record: &Record<'_>) {
        self.records += 1;
        let fields = match self.seen.is_empty() {
            true => told::fields(record),
            false => Vec::new(),
        };
        self.now.get_or_insert_default().records.push(fields);
    }

    /// It is another line.
    pub fn other(&mut self) {
        self.now.get_or_insert_default().other = true;
    }

    /// Something is wrong with it, or with a line that could not be read at all.
    pub fn rejected(&mut self, rejected: &Rejected<'_>) {
        let read = self.now.as_ref().is_some_and(|now| {
            !now.records.is_empty()
                || !self.seen.is_empty()
                || now.excerpt == excerpt(rejected.bytes)
        });
        if !read && !self.ended {
            self.frame(rejected.bytes);
            self.seen.clear();
        }
        let message = rejected.problems.first();
        let message = message.map_or_else(String::new, |one| one.problem.message.clone());
        self.now.get_or_insert_default().problem = Some(message);
    }

    /// The input ended; what still comes waited for its end.
    pub fn end(&mut self) {
        self.settle();
        self.ended = true;
        self.now = Some(Now {
            excerpt: "(the input ended)".to_owned(),
            ..Now::default()
        });
    }

    /// What became of the line or value at hand is known.
    fn settle(&mut self) {
        let seen = std::mem::take(&mut self.seen);
        let Some(now) = self.now.take() else {
            return;
        };
        // What gave nothing at all goes on in the next line, or was only tried.
        if now.records.is_empty() && !now.other && now.problem.is_none() {
            return;
        }
        self.frames += 1;
        if !seen.is_empty() {
            let fits = seen.iter().any(|one| one.shape.is_some());
            self.unmatched += u64::from(!fits);
            for one in seen {
                self.shape(one, &now.excerpt);
            }
        } else if !now.records.is_empty() {
            for fields in now.records {
                let at = self.reader_use();
                let shape = Some(at);
                self.shape(Seen { shape, fields }, &now.excerpt);
            }
        } else if let Some(problem) = now.problem {
            self.unreadable += 1;
            self.show(CameOf::Unreadable(problem), Vec::new(), &now.excerpt);
        } else {
            self.others += 1;
            self.show(CameOf::Other, Vec::new(), &now.excerpt);
        }
    }

    fn shape(&mut self, seen: Seen, excerpt: &str) {
        let used = seen.shape.and_then(|at| self.shapes.get_mut(at));
        let came_of = match used {
            None => CameOf::NoShape,
            Some(used) => {
                used.take(&seen.fields);
                CameOf::Shape(used.name.clone())
            }
        };
        self.show(came_of, seen.fields, excerpt);
    }

    fn show(&mut self, came_of: CameOf, fields: Vec<(Field, Answered)>, excerpt: &str) {
        if self.first.len() < self.limit {
            self.first.push(Explained {
                number: self.frames,
                came_of,
                fields,
                excerpt: excerpt.to_owned(),
            });
        }
    }

    /// The one use of a reader that has no shapes.
    fn reader_use(&mut self) -> usize {
        let known = self.shapes.iter().position(|one| one.name == self.reader);
        known.unwrap_or_else(|| {
            self.shapes.push(ShapeUse {
                name: self.reader.clone(),
                lines: 0,
                fields: told::uses(),
            });
            self.shapes.len() - 1
        })
    }
}

fn excerpt(bytes: &[u8]) -> String {
    // Of a long line only its beginning is looked at: a character has at most four bytes.
    let start = bytes.get(..EXCERPT * 4).unwrap_or(bytes);
    String::from_utf8_lossy(start)
        .chars()
        .take(EXCERPT)
        .collect()
}

impl ShapeUse {
    /// Counts one record.
    fn take(&mut self, fields: &[(Field, Answered)]) {
        self.lines += 1;
        for (field, answered) in fields {
            let Some(used) = self.fields.iter_mut().find(|one| one.field == *field) else {
                continue;
            };
            match answered {
                Answered::Value(_, from) | Answered::Null(from) => {
                    *used.from.entry(from.clone()).or_default() += 1;
                }
                Answered::Read(_) => used.read += 1,
                Answered::Unusable(at) => {
                    *used.unusable.entry(at.clone()).or_default() += 1;
                }
                Answered::Nothing(_) => used.nothing += 1,
            }
        }
    }

    fn new(shape: &Shape, mapping: &Mapping) -> ShapeUse {
        let fields = shape.fields.iter().map(|plan| FieldUse {
            field: plan.field,
            from: BTreeMap::new(),
            read: 0,
            unusable: BTreeMap::new(),
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
    let is_constant = source.is_some_and(|source| matches!(source.from, From::Constant(_)));
    let from = source.map_or_else(|| "the default".to_owned(), |source| label(&source.from));
    match found {
        Found::Absent if source.is_some() && !is_constant => Answered::Unusable(from),
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
