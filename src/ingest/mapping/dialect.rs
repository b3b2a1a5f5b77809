//! A mapping at work: frames in, records out.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use crate::evidence::Field;
use crate::ingest::{Dialect, Framing, Output, Problem, ProblemKind};

use super::columns;
use super::draft::{Built, Draft};
use super::found::Found;
use super::logfmt;
use super::plan::NodeId;
use super::slot::{Kind, Slot};
use super::spec::{Condition, Format, Mapping, Shape, Test};
use super::walk::{Broken, Walk, elements};

/// How many bytes of a record that goes on over several lines are kept.
const MAX_PENDING: usize = 4 << 20;

/// Reads frames by a mapping.
#[derive(Debug)]
pub struct Mapped {
    mapping: Arc<Mapping>,
    pub(super) slots: Vec<Slot>,
    /// The nodes of the columns, once they are known.
    header: Option<Vec<Option<NodeId>>>,
    /// Lines of a record that is not complete.
    pending: String,
}

/// What looking at one record came to, for those who watch.
pub(crate) trait Watch {
    /// A shape was chosen (or none), and its fields were asked.
    fn seen(&mut self, shape: Option<&Shape>, found: &[(Field, Found<'_>)], slots: &[Slot]);
}

impl Mapped {
    /// A reader of its own; the mapping is shared.
    pub fn new(mapping: Arc<Mapping>) -> Mapped {
        let header = match (&mapping.columns, mapping.format) {
            (Some(columns), _) => Some(nodes(&mapping, columns.iter().map(String::as_str))),
            (None, Format::PostgresCsvlog) => Some(nodes(&mapping, columns::POSTGRES.into_iter())),
            _ => None,
        };
        Mapped {
            slots: vec![Slot::default(); mapping.labels.len()],
            mapping,
            header,
            pending: String::new(),
        }
    }

    /// Reads a frame and shows the watcher what was found.
    pub(crate) fn read_watched(
        &mut self,
        frame: &[u8],
        output: &mut dyn Output,
        mut watch: Option<&mut dyn Watch>,
    ) {
        let text = match std::str::from_utf8(frame) {
            Ok(text) => text,
            Err(error) => return self.not_utf8(frame, error.valid_up_to(), output),
        };
        match self.mapping.format {
            Format::Json => self.json(text, output, &mut watch),
            Format::Text => self.by_pattern(text, output, &mut watch),
            Format::Logfmt => self.pairs(text, output, &mut watch),
            Format::Columns { delimiter } => {
                self.columns(text, delimiter, output, &mut watch);
            }
            Format::PostgresCsvlog => self.columns(text, b',', output, &mut watch),
        }
    }

    /// A line that would have been read, had it been UTF-8, is evidence lost; others are
    /// other lines.
    fn not_utf8(&mut self, frame: &[u8], at: usize, output: &mut dyn Output) {
        let meant = match &self.mapping.set {
            Some(set) => set.is_match(&String::from_utf8_lossy(frame)),
            None => self.mapping.format != Format::Json || begins_json(frame),
        };
        if !meant {
            return output.other();
        }
        output.reject(Problem {
            kind: ProblemKind::Unreadable,
            field: None,
            span: at..(at + 1).min(frame.len()),
            message: "the line is no UTF-8".to_owned(),
            hint: "write the log as UTF-8".to_owned(),
        });
    }

    fn json(&mut self, text: &str, output: &mut dyn Output, watch: &mut Option<&mut dyn Watch>) {
        if !begins_json(text.as_bytes()) {
            return output.other();
        }
        let mapping = Arc::clone(&self.mapping);
        if let Err(Broken(at)) = self.fill(&mapping, text, 0, 0..text.len()) {
            return output.reject(Problem {
                kind: ProblemKind::Unreadable,
                field: None,
                span: at.min(text.len())..(at + 1).min(text.len()),
                message: if at >= text.len() {
                    "the JSON ends too early".to_owned()
                } else {
                    "this is no JSON".to_owned()
                },
                hint: "the line was cut off or is not one whole value".to_owned(),
            });
        }
        if mapping.levels.len() == 1 {
            self.record(&mapping, text, None, 0, output, watch);
            return;
        }
        if !self.descend(&mapping, text, 0, output, watch) {
            output.other();
        }
    }

    /// Steps through the arrays below a level; whether there was any record.
    fn descend(
        &mut self,
        mapping: &Mapping,
        text: &str,
        level: usize,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) -> bool {
        let array = mapping.levels.get(level).and_then(|level| level.array);
        let Some(array) = array.and_then(|slot| self.slots.get(slot)) else {
            return false;
        };
        if array.kind != Kind::Whole {
            return false;
        }
        let mut any = false;
        for span in elements(text, array.span()) {
            let offset = span.start;
            if self.fill(mapping, text, level + 1, span).is_err() {
                continue;
            }
            if level + 2 == mapping.levels.len() {
                any |= self.record(mapping, text, None, offset, output, watch);
            } else {
                any |= self.descend(mapping, text, level + 1, output, watch);
            }
        }
        any
    }

    fn fill(
        &mut self,
        mapping: &Mapping,
        text: &str,
        level: usize,
        span: Range<usize>,
    ) -> Result<(), Broken> {
        for level in mapping.levels.iter().skip(level) {
            for slot in &level.slots {
                if let Some(slot) = self.slots.get_mut(*slot) {
                    slot.clear();
                }
            }
        }
        let Some(plan) = mapping.levels.get(level).map(|level| &level.plan) else {
            return Ok(());
        };
        let mut walk = Walk::new(plan, &mut self.slots, text);
        if level == 0 {
            walk.whole(0)
        } else {
            walk.value(span.start, Some(0)).map(|_| ())
        }
    }

    fn by_pattern(
        &mut self,
        text: &str,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) {
        let mapping = Arc::clone(&self.mapping);
        let mut taken = false;
        if let (Some(set), Some(level)) = (&mapping.set, mapping.levels.first()) {
            for index in set.matches(text) {
                let Some(pattern) = mapping.patterns.get(index) else {
                    continue;
                };
                let Some(captures) = pattern.regex.captures(text) else {
                    continue;
                };
                self.clear();
                let mut walk = Walk::new(&level.plan, &mut self.slots, text);
                for (group, node) in &pattern.groups {
                    if let Some(found) = captures.get(*group) {
                        walk.flat(*node, found.range(), Cow::Borrowed(found.as_str()));
                    }
                }
                let shape = mapping.shapes.get(pattern.shape);
                if shape.is_some_and(|shape| self.fits(&shape.when, text)) {
                    taken = self.record(&mapping, text, shape, 0, output, watch);
                    break;
                }
            }
        }
        if !taken {
            if let Some(watch) = watch {
                watch.seen(None, &[], &self.slots);
            }
            output.other();
        }
    }

    fn pairs(&mut self, text: &str, output: &mut dyn Output, watch: &mut Option<&mut dyn Watch>) {
        let mapping = Arc::clone(&self.mapping);
        self.clear();
        if let Some(level) = mapping.levels.first() {
            let mut walk = Walk::new(&level.plan, &mut self.slots, text);
            let root = level.plan.nodes.first();
            logfmt::pairs(text, |key, span, value| {
                if let Some(node) = root.and_then(|root| root.key(key))
                    && !value.is_empty()
                {
                    walk.flat(node, span, value);
                }
            });
        }
        self.record(&mapping, text, None, 0, output, watch);
    }

    fn columns(
        &mut self,
        line: &str,
        delimiter: u8,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) {
        if !self.pending.is_empty() {
            self.pending.push('\n');
            self.pending.push_str(line);
            if columns::is_open(&self.pending) && self.pending.len() < MAX_PENDING {
                return;
            }
            let whole = std::mem::take(&mut self.pending);
            return self.row(&whole, delimiter, output, watch);
        }
        if columns::is_open(line) {
            self.pending.push_str(line);
            return;
        }
        self.row(line, delimiter, output, watch);
    }

    fn row(
        &mut self,
        line: &str,
        delimiter: u8,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) {
        let mapping = Arc::clone(&self.mapping);
        if line.trim().is_empty() {
            return output.other();
        }
        let Some(header) = &self.header else {
            let mut names = Vec::new();
            columns::cells(
                line.trim_start_matches('\u{feff}'),
                delimiter,
                |_, _, text| {
                    names.push(text.trim().to_owned());
                },
            );
            self.header = Some(nodes(&mapping, names.iter().map(String::as_str)));
            return output.other();
        };
        let header = header.clone();
        self.clear();
        if let Some(level) = mapping.levels.first() {
            let mut walk = Walk::new(&level.plan, &mut self.slots, line);
            columns::cells(line, delimiter, |number, span, text| {
                if let Some(Some(node)) = header.get(number)
                    && !text.is_empty()
                {
                    walk.flat(*node, span, text);
                }
            });
        }
        self.record(&mapping, line, None, 0, output, watch);
    }

    fn clear(&mut self) {
        for slot in &mut self.slots {
            slot.clear();
        }
    }

    /// Builds the record of the filled slots and reports it; whether anything but
    /// another line was reported (for a line of text and of JSON without `each`, another
    /// line is reported here).
    fn record(
        &mut self,
        mapping: &Mapping,
        text: &str,
        shape: Option<&Shape>,
        offset: usize,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) -> bool {
        let nested = mapping.levels.len() > 1;
        let shape = shape.or_else(|| {
            mapping
                .shapes
                .iter()
                .find(|shape| self.fits(&shape.when, text))
        });
        let Some(shape) = shape else {
            if let Some(watch) = watch {
                watch.seen(None, &[], &self.slots);
            }
            if !nested {
                output.other();
            }
            return false;
        };
        let mut problems = Vec::new();
        self.split(&shape.splits, text, &mut problems);
        let mut draft = Draft::default();
        let mut seen = Vec::new();
        for plan in &shape.fields {
            let found = plan.find(&self.slots, text, &mut problems);
            if watch.is_some() {
                seen.push((plan.field, found.clone()));
            }
            draft.take(plan.field, found, &mut problems);
        }
        if let Some(watch) = watch {
            watch.seen(Some(shape), &seen, &self.slots);
        }
        let sure = shape.is_sure(mapping.format);
        match draft.build(&mut problems) {
            Built::Record(record) => {
                output.record(offset, &record, &problems);
                true
            }
            Built::NoLock if sure => {
                output.reject(nothing(
                    ProblemKind::NoLock,
                    Field::LockName,
                    offset..text.len(),
                    format!("a line of {} names no lock", called(shape)),
                    "look where lockName comes from: lint --explain-mapping shows it",
                ));
                true
            }
            Built::NoEvent if sure => {
                output.reject(nothing(
                    ProblemKind::NoEvent,
                    Field::Event,
                    offset..text.len(),
                    format!("a line of {} says neither event nor result", called(shape)),
                    "look where result comes from: lint --explain-mapping shows it",
                ));
                true
            }
            Built::Spoiled(problem) => {
                output.reject(problem);
                true
            }
            Built::NoLock | Built::NoEvent => {
                if !nested {
                    output.other();
                }
                false
            }
        }
    }

    fn fits(&self, when: &[Condition], text: &str) -> bool {
        when.iter().all(|condition| {
            let slot = self.slots.get(condition.slot);
            let there = slot.is_some_and(|s| !matches!(s.kind, Kind::Missing | Kind::Null));
            let value = slot.map(|slot| slot.text(text)).unwrap_or_default();
            let among = |words: &[String]| there && words.iter().any(|word| *word == *value);
            match &condition.test {
                Test::Is(words) => among(words),
                Test::Not(words) => !among(words),
                Test::Exists(yes) => there == *yes,
                Test::Matches(regex) => there && regex.is_match(&value),
            }
        })
    }
}

impl Dialect for Mapped {
    fn framing(&self) -> Framing {
        match self.mapping.format {
            Format::Json => Framing::Json,
            _ => Framing::Lines,
        }
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        self.read_watched(frame, output, None);
    }

    /// Cells are named by a line before them and may go on over several; all else is read
    /// line by line.
    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        match self.mapping.format {
            Format::Json | Format::Text | Format::Logfmt => {
                Some(Box::new(Mapped::new(Arc::clone(&self.mapping))))
            }
            Format::Columns { .. } | Format::PostgresCsvlog => None,
        }
    }

    fn finish(&mut self, output: &mut dyn Output) {
        if self.pending.is_empty() {
            return;
        }
        self.pending.clear();
        output.reject(Problem {
            kind: ProblemKind::Unreadable,
            field: None,
            span: 0..0,
            message: "the input ends inside a quoted cell".to_owned(),
            hint: "the last record was cut off".to_owned(),
        });
    }
}

fn called(shape: &Shape) -> String {
    if shape.name.is_empty() {
        "the mapping".to_owned()
    } else {
        format!("shape `{}`", shape.name)
    }
}

fn nothing(
    kind: ProblemKind,
    field: Field,
    span: Range<usize>,
    message: String,
    hint: &str,
) -> Problem {
    Problem {
        kind,
        field: Some(field),
        span,
        message,
        hint: hint.to_owned(),
    }
}

fn begins_json(frame: &[u8]) -> bool {
    matches!(frame.trim_ascii_start().first(), Some(b'{' | b'['))
}

/// For each column the node that wants it.
fn nodes<'n>(mapping: &Mapping, names: impl Iterator<Item = &'n str>) -> Vec<Option<NodeId>> {
    let root = mapping
        .levels
        .first()
        .and_then(|level| level.plan.nodes.first());
    names
        .map(|name| root.and_then(|root| root.key(name)))
        .collect()
}
