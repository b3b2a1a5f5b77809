//! A mapping at work: frames in, records out.

use std::ops::Range;

use crate::ingest::compact::{Compact, Plain};
use crate::ingest::{Output, Problem, ProblemKind, colour};

use super::columns;
use super::logfmt;
use super::meant::is_meant_as_json;
use super::outline::Outline;
use super::patterns::Patterns;
use super::plan::NodeId;
use super::record::{Watch, fits, record};
use super::slot::{Kind, Slot};
use super::spec::{Format, Mapping, Shape};
use super::walk::{Broken, Walk, elements};

/// What one reader has seen, and room for what it finds.
#[derive(Debug)]
pub(super) struct FrameReader {
    slots: Vec<Slot>,
    /// What its lines have looked like.
    outline: Outline,
    patterns: Patterns,
    /// The nodes of the columns, once they are known.
    header: Option<Vec<Option<NodeId>>>,
}

impl FrameReader {
    /// A reader that has seen nothing yet.
    pub(super) fn new(mapping: &Mapping) -> FrameReader {
        let header = match (&mapping.columns, mapping.format) {
            (Some(columns), _) => Some(nodes(mapping, columns.iter().map(String::as_str))),
            (None, Format::PostgresCsvlog) => Some(nodes(mapping, columns::POSTGRES.into_iter())),
            _ => None,
        };
        FrameReader {
            slots: vec![Slot::default(); mapping.labels.len()],
            outline: Outline::default(),
            patterns: Patterns::new(&mapping.patterns, mapping.set.as_ref()),
            header,
        }
    }

    /// Reads a frame; one that was written for a terminal as if it had no colours.
    pub(super) fn read(
        &mut self,
        mapping: &Mapping,
        text: &str,
        output: &mut dyn Output,
        watch: Option<&mut dyn Watch>,
    ) {
        let coloured = match mapping.format {
            Format::Text | Format::Logfmt => true,
            // In JSON there is no escape byte, so it can only begin a line.
            Format::Json => text.starts_with('\u{1b}'),
            Format::Columns { .. } | Format::PostgresCsvlog => false,
        };
        match coloured.then(|| colour::bare(text)).flatten() {
            Some(bare) => self.bare(mapping, &bare.text, &mut bare.output(output), watch),
            None => self.bare(mapping, text, output, watch),
        }
    }

    fn bare(
        &mut self,
        mapping: &Mapping,
        text: &str,
        output: &mut dyn Output,
        mut watch: Option<&mut dyn Watch>,
    ) {
        let watch = &mut watch;
        match mapping.format {
            Format::Json => self.json(mapping, text, output, watch),
            Format::Text => self.by_pattern(mapping, text, output, watch),
            Format::Logfmt => self.pairs(mapping, text, output, watch),
            Format::Columns { delimiter } => {
                self.columns(mapping, text, delimiter, output, watch);
            }
            Format::PostgresCsvlog => self.columns(mapping, text, b',', output, watch),
        }
    }

    fn json(
        &mut self,
        mapping: &Mapping,
        text: &str,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) {
        if !is_meant_as_json(text.as_bytes()) {
            return output.other();
        }
        if let [level] = mapping.levels.as_slice() {
            self.clear();
            let (plan, slots) = (&level.plan, &mut self.slots);
            if self.outline.walk(plan, slots, text).is_some() {
                self.record(mapping, text, None, 0, output, watch);
                return;
            }
        }
        if let Err(Broken(at)) = self.fill(mapping, text, 0, 0..text.len()) {
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
            self.record(mapping, text, None, 0, output, watch);
            return;
        }
        if !self.descend(mapping, text, 0, output, watch) {
            output.other();
        }
    }

    /// Takes a line as a whole, where it looks like the ones before and nothing is in doubt.
    pub(super) fn at_once(
        &mut self,
        mapping: &Mapping,
        text: &str,
        start: usize,
        records: &mut Vec<Compact>,
    ) -> Option<Plain> {
        let ([level], Some(b'{')) = (mapping.levels.as_slice(), text.as_bytes().get(start)) else {
            return None;
        };
        self.clear();
        let (plan, slots) = (&level.plan, &mut self.slots);
        let end = self.outline.walk_known(plan, slots, text, start)?;
        let mut shapes = mapping.shapes.iter();
        let shape = shapes.find(|shape| fits(&shape.when, slots, text));
        if let Some(shape) = shape {
            records.push(shape.at_once.as_ref()?.record(slots, text)?);
        }
        Some(Plain {
            end,
            is_record: shape.is_some(),
        })
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
        mapping: &Mapping,
        text: &str,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) {
        let mut taken = None;
        if let Some(level) = mapping.levels.first() {
            let slots = &mut self.slots;
            self.patterns.matching(text, |number, groups| {
                let Some(pattern) = mapping.patterns.get(number) else {
                    return false;
                };
                slots.iter_mut().for_each(Slot::clear);
                let mut walk = Walk::new(&level.plan, slots, text);
                for (group, node) in &pattern.groups {
                    if let Some(span) = groups.group(*group) {
                        walk.found(*node, Kind::Text, span, false);
                    }
                }
                let shape = mapping.shapes.get(pattern.shape);
                taken = shape.filter(|shape| fits(&shape.when, slots, text));
                taken.is_some()
            });
        }
        let other = match taken {
            Some(shape) => !self.record(mapping, text, Some(shape), 0, output, watch),
            None => true,
        };
        if other {
            if let Some(watch) = watch {
                watch.seen(None, &[], &self.slots);
            }
            output.other();
        }
    }

    fn pairs(
        &mut self,
        mapping: &Mapping,
        text: &str,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) {
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
        self.record(mapping, text, None, 0, output, watch);
    }

    fn columns(
        &mut self,
        mapping: &Mapping,
        line: &str,
        delimiter: u8,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) {
        if let Some(quote) = columns::open_quote(line, delimiter) {
            return output.reject(columns::never_closed(quote));
        }
        if line.trim().is_empty() || columns::is_frame(line) {
            return output.other();
        }
        self.clear();
        let Some(header) = &self.header else {
            let line = line.trim_start_matches('\u{feff}');
            let mut names = Vec::new();
            columns::cells(line, delimiter, |_, _, text| {
                names.push(text.trim().to_owned());
            });
            self.header = Some(nodes(mapping, names.iter().map(String::as_str)));
            return output.other();
        };
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
        self.record(mapping, line, None, 0, output, watch);
    }

    fn clear(&mut self) {
        for slot in &mut self.slots {
            slot.clear();
        }
    }

    fn record(
        &mut self,
        mapping: &Mapping,
        text: &str,
        shape: Option<&Shape>,
        offset: usize,
        output: &mut dyn Output,
        watch: &mut Option<&mut dyn Watch>,
    ) -> bool {
        record(mapping, &mut self.slots, text, shape, offset, output, watch)
    }
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
