//! A compiled mapping: where each field lies, ready to be asked frame by frame.

use regex::{Regex, RegexSet};

use crate::evidence::{Answer, Event, Field, Origin};
use crate::ingest::verdict::{Given, decide};

use super::at_once::Targets;
use super::patterns::Ways;
use super::plan::{NodeId, Plan, SlotId};

/// How the foreign log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON: a line, an array, or pretty-printed.
    Json,
    /// Lines of text, read by patterns.
    Text,
    /// `key=value` pairs.
    Logfmt,
    /// Cells between delimiters, the first line naming the columns.
    Columns {
        /// The byte between two cells.
        delimiter: u8,
    },
    /// What PostgreSQL writes with `log_destination = csvlog`.
    PostgresCsvlog,
}

impl Format {
    /// The words of `format`.
    pub const WORDS: [&'static str; 6] =
        ["json", "text", "logfmt", "csv", "tsv", "postgres-csvlog"];

    pub(crate) fn from_word(word: &str) -> Option<Format> {
        Some(match word {
            "json" => Format::Json,
            "text" => Format::Text,
            "logfmt" => Format::Logfmt,
            "csv" => Format::Columns { delimiter: b',' },
            "tsv" => Format::Columns { delimiter: b'\t' },
            "postgres-csvlog" => Format::PostgresCsvlog,
            _ => return None,
        })
    }
}

/// A mapping, checked and compiled.
#[derive(Debug)]
pub struct Mapping {
    pub(crate) format: Format,
    /// The columns, where the mapping names them and no header does.
    pub(crate) columns: Option<Vec<String>>,
    /// From the frame (first) to the record (last).
    pub(crate) levels: Vec<Level>,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) set: Option<RegexSet>,
    pub(crate) patterns: Vec<Pattern>,
    /// For each slot, the path that fills it.
    pub(crate) labels: Vec<String>,
}

/// One level of nesting that `each` steps through.
#[derive(Debug)]
pub(crate) struct Level {
    pub(crate) plan: Plan,
    /// The array whose elements make the next level.
    pub(crate) array: Option<SlotId>,
    pub(crate) slots: Vec<SlotId>,
}

/// A pattern for text lines.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) shape: usize,
    pub(crate) ways: Ways,
    /// Named groups and the nodes that they fill.
    pub(crate) groups: Vec<(usize, NodeId)>,
}

/// One kind of line.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) name: String,
    pub(crate) when: Vec<Condition>,
    pub(crate) splits: Vec<Split>,
    pub(crate) fields: Vec<FieldPlan>,
    /// The fields, where all can be taken at once.
    pub(crate) at_once: Option<Targets>,
}

impl Mapping {
    /// A mapping that finds nothing.
    pub(crate) fn empty() -> Mapping {
        Mapping {
            format: Format::Json,
            columns: None,
            levels: vec![Level {
                plan: Plan::new(),
                array: None,
                slots: Vec::new(),
            }],
            shapes: Vec::new(),
            set: None,
            patterns: Vec::new(),
            labels: Vec::new(),
        }
    }
}

impl Shape {
    /// The mapping says of the lines that fit that they are lock events.
    pub(crate) fn is_sure(&self, format: Format) -> bool {
        !self.when.is_empty() || format == Format::Text
    }
}

/// A condition on the record.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    pub(crate) slot: SlotId,
    pub(crate) test: Test,
}

#[derive(Debug, Clone)]
pub(crate) enum Test {
    Is(Vec<String>),
    Not(Vec<String>),
    Exists(bool),
    Matches(Regex),
}

/// One value that holds several.
#[derive(Debug, Clone)]
pub(crate) struct Split {
    pub(crate) from: SlotId,
    pub(crate) by: SplitBy,
    /// The slot of each part; `None` for a part that nobody wants.
    pub(crate) into: Vec<Option<SlotId>>,
    /// Texts that stand for "there is none".
    pub(crate) none: Vec<String>,
    pub(crate) optional: bool,
    pub(crate) label: String,
}

#[derive(Debug, Clone)]
pub(crate) enum SplitBy {
    /// The text between two parts.
    Text(String),
    /// A pattern; the groups of the parts.
    Pattern(Regex, Vec<usize>),
}

/// How one field of the evidence is found.
#[derive(Debug, Clone)]
pub(crate) struct FieldPlan {
    pub(crate) field: Field,
    /// The first that finds something counts.
    pub(crate) sources: Vec<Source>,
    pub(crate) default: Option<String>,
    pub(crate) quick: Quick,
}

/// A way to the value of a field without all that may have to be asked.
#[derive(Debug, Clone)]
pub(crate) enum Quick {
    None,
    /// The slot that holds the value as it is.
    Plain(SlotId),
    /// The slot that holds a foreign word, and what the words of the table mean.
    Word(SlotId, Vec<Meaning>),
    /// Always this.
    Event(Event),
    /// Always this word.
    Answer(Meaning),
    /// Always this one.
    SeqBy(Origin),
}

/// What a word of the evidence means, as an event or as an answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Meaning {
    pub(crate) event: Option<Event>,
    /// As a result: the step that it shows with each event, or with none, with and without a
    /// token.
    steps: [[Option<(Event, Answer)>; 2]; 1 + Event::ALL.len()],
}

impl Meaning {
    /// What `word` means.
    pub(crate) fn of(word: &str) -> Meaning {
        let with = |event: Given<Event>| {
            [false, true].map(|has_token| decide(event, Given::This(word), has_token).sound())
        };
        let mut steps = [with(Given::Nothing); 1 + Event::ALL.len()];
        for event in Event::ALL {
            steps[1 + event as usize] = with(Given::This(event));
        }
        Meaning {
            event: Event::from_word(word).ok(),
            steps,
        }
    }

    /// The step that it shows as the result of `event`, if it is an answer to it.
    pub(crate) fn step(&self, event: Option<Event>, has_token: bool) -> Option<(Event, Answer)> {
        let by_event = self
            .steps
            .get(event.map_or(0, |event| 1 + event as usize))?;
        by_event[usize::from(has_token)]
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) from: From,
    pub(crate) pattern: Option<(Regex, usize)>,
    pub(crate) base64: bool,
    pub(crate) base: Option<u32>,
    pub(crate) none: Vec<String>,
    pub(crate) absent: Vec<String>,
    pub(crate) null_is_absent: bool,
    pub(crate) words: Option<Words>,
}

#[derive(Debug, Clone)]
pub(crate) enum From {
    Slot(SlotId),
    Constant(String),
    Joined(Vec<SlotId>, String),
}

/// A value table.
#[derive(Debug, Clone)]
pub(crate) struct Words {
    pub(crate) table: Vec<(String, String)>,
    pub(crate) otherwise: Option<String>,
}

impl Words {
    /// The evidence word for a foreign one. `4xx` in the table stands for a status code.
    pub(crate) fn translate(&self, word: &str) -> Option<&str> {
        let exact = self.table.iter().find(|(from, _)| from == word);
        let found = exact.or_else(|| {
            self.table
                .iter()
                .find(|(from, _)| from.eq_ignore_ascii_case(word) || is_class_of(from, word))
        });
        found
            .map(|(_, to)| to.as_str())
            .or(self.otherwise.as_deref())
    }
}

fn is_class_of(class: &str, code: &str) -> bool {
    let (class, code) = (class.as_bytes(), code.as_bytes());
    class.len() == 3
        && code.len() == 3
        && class.ends_with(b"xx")
        && class[0] == code[0]
        && code.iter().all(u8::is_ascii_digit)
}
