//! The dialect that notes where it looked for the values of each line.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Explanation, Seen, ShapeUse, answered};
use crate::evidence::Field;
use crate::ingest::mapping::Reading;
use crate::ingest::mapping::dialect::Mapped;
use crate::ingest::mapping::found::Found;
use crate::ingest::mapping::presets::{Preset, TerraformLock};
use crate::ingest::mapping::record::Watch;
use crate::ingest::mapping::slot::Slot;
use crate::ingest::mapping::spec::{Mapping, Shape};
use crate::ingest::{Dialect, Framing, Output};

/// A reader that notes what it does.
pub struct Explaining {
    reader: Reader,
    notes: Arc<Mutex<Explanation>>,
}

enum Reader {
    Mapped(Arc<Mapping>, Mapped),
    Terraform(Arc<Mapping>, TerraformLock),
    /// One that finds values in its own way.
    Other(Box<dyn Dialect + Send>),
}

impl Explaining {
    /// A reader that notes the first `limit` lines and counts all, and its notes.
    pub fn new(how: &Reading, limit: usize) -> (Explaining, Arc<Mutex<Explanation>>) {
        let mapping = match how {
            Reading::Mapped(mapping) => Some(Arc::clone(mapping)),
            Reading::Preset(preset) => preset.mapping(),
            Reading::Native => None,
        };
        let notes = Arc::new(Mutex::new(Explanation {
            limit,
            mapped: mapping.is_some(),
            reader: match how {
                Reading::Preset(preset) => format!("the preset {}", preset.name()),
                _ => "evidence records".to_owned(),
            },
            ..Explanation::default()
        }));
        let reader = match (mapping, how) {
            (Some(mapping), Reading::Preset(Preset::TerraformLock)) => {
                let items = Mapped::new(Arc::clone(&mapping));
                Reader::Terraform(mapping, TerraformLock::new(items))
            }
            (Some(mapping), _) => Reader::Mapped(Arc::clone(&mapping), Mapped::new(mapping)),
            (None, how) => Reader::Other(how.dialect()),
        };
        let explaining = Explaining {
            reader,
            notes: Arc::clone(&notes),
        };
        (explaining, notes)
    }
}

fn lock(notes: &Mutex<Explanation>) -> std::sync::MutexGuard<'_, Explanation> {
    notes.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Dialect for Explaining {
    fn framing(&self) -> Framing {
        match &self.reader {
            Reader::Mapped(_, mapped) => mapped.framing(),
            Reader::Terraform(_, reader) => reader.framing(),
            Reader::Other(reader) => reader.framing(),
        }
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        lock(&self.notes).seen.clear();
        let notes = &self.notes;
        match &mut self.reader {
            Reader::Mapped(mapping, mapped) => {
                mapped.read_watched(frame, output, Some(&mut Note { mapping, notes }));
            }
            Reader::Terraform(mapping, reader) => {
                reader.read_watched(frame, output, Some(&mut Note { mapping, notes }));
            }
            Reader::Other(reader) => reader.read(frame, output),
        }
    }

    fn finish(&mut self, output: &mut dyn Output) {
        lock(&self.notes).end();
        match &mut self.reader {
            Reader::Mapped(_, mapped) => mapped.finish(output),
            Reader::Terraform(_, reader) => reader.finish(output),
            Reader::Other(reader) => reader.finish(output),
        }
    }
}

struct Note<'n> {
    mapping: &'n Mapping,
    notes: &'n Mutex<Explanation>,
}

impl Watch for Note<'_> {
    fn seen(&mut self, shape: Option<&Shape>, found: &[(Field, Found<'_>)], slots: &[Slot]) {
        let mut notes = lock(self.notes);
        let Some(shape) = shape else {
            notes.seen.push(Seen {
                shape: None,
                fields: Vec::new(),
            });
            return;
        };
        let known = notes.shapes.iter().position(|one| one.name == shape.name);
        let at = known.unwrap_or_else(|| {
            notes.shapes.push(ShapeUse::new(shape, self.mapping));
            notes.shapes.len() - 1
        });
        let fields = shape.fields.iter().zip(found);
        let fields = fields
            .map(|(plan, (field, found))| (*field, answered(plan, found, slots, self.mapping)));
        let fields = fields.collect();
        notes.seen.push(Seen {
            shape: Some(at),
            fields,
        });
    }
}
