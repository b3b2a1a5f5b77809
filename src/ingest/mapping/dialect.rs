//! A mapping as a dialect.

use std::sync::Arc;

use crate::ingest::compact::{Compact, Plain};
use crate::ingest::{Dialect, Framing, Output, Problem, ProblemKind};

use super::frame_reader::FrameReader;
use super::meant::is_meant_as_json;

use super::record::Watch;
use super::spec::{Format, Mapping};

/// Reads frames by a mapping.
#[derive(Debug)]
pub struct Mapped {
    mapping: Arc<Mapping>,
    reader: FrameReader,
}

impl Mapped {
    /// A reader of its own; the mapping is shared.
    pub fn new(mapping: Arc<Mapping>) -> Mapped {
        let reader = FrameReader::new(&mapping);
        Mapped { mapping, reader }
    }

    /// Reads a frame and shows the watcher what was found.
    pub(crate) fn read_watched(
        &mut self,
        frame: &[u8],
        output: &mut dyn Output,
        watch: Option<&mut dyn Watch>,
    ) {
        match std::str::from_utf8(frame) {
            Ok(text) => self.reader.read(&self.mapping, text, output, watch),
            Err(error) => self.not_utf8(frame, error.valid_up_to(), output),
        }
    }

    /// A line that would have been read, had it been UTF-8, is evidence lost; others are
    /// other lines.
    fn not_utf8(&mut self, frame: &[u8], at: usize, output: &mut dyn Output) {
        let meant = match &self.mapping.set {
            Some(set) => set.is_match(&String::from_utf8_lossy(frame)),
            None => self.mapping.format != Format::Json || is_meant_as_json(frame),
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
}

impl Dialect for Mapped {
    fn framing(&self) -> Framing {
        match self.mapping.format {
            Format::Json => Framing::Json,
            Format::Text | Format::Logfmt => Framing::Lines,
            Format::Columns { delimiter } => Framing::Rows { delimiter },
            Format::PostgresCsvlog => Framing::Rows { delimiter: b',' },
        }
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        self.read_watched(frame, output, None);
    }

    fn read_text(&mut self, frame: &str, output: &mut dyn Output) {
        self.reader.read(&self.mapping, frame, output, None);
    }

    fn plain(&mut self, text: &str, start: usize, records: &mut Vec<Compact>) -> Option<Plain> {
        self.reader.at_once(&self.mapping, text, start, records)
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
}
