//! What is rejected goes to a file of its own.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::cli::exit::Stop;
use crate::ingest::Rejected;

/// The file that keeps what was rejected, byte for byte. A line end that is not in the
/// input stands only between what would otherwise run together.
pub(super) struct Rejects {
    path: PathBuf,
    file: BufWriter<File>,
    /// What was written last ends its line.
    line_ended: bool,
    /// What comes next is something else.
    other: bool,
}

impl Rejects {
    pub(super) fn create(path: &Path) -> Result<Rejects, Stop> {
        let file = File::create(path)
            .map_err(|error| Stop::writing(&path.display().to_string(), &error))?;
        Ok(Rejects {
            path: path.to_owned(),
            file: BufWriter::new(file),
            line_ended: true,
            other: false,
        })
    }

    pub(super) fn keep(&mut self, rejected: &Rejected<'_>) -> Result<(), Stop> {
        self.other = true;
        self.keep_more(rejected.lead)?;
        self.keep_more(rejected.bytes)
    }

    pub(super) fn keep_more(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let Some(last) = bytes.last() else {
            return Ok(());
        };
        let apart = std::mem::take(&mut self.other) && !self.line_ended;
        self.line_ended = *last == b'\n';
        self.file
            .write_all(if apart { b"\n" } else { b"" })
            .and_then(|()| self.file.write_all(bytes))
            .map_err(|error| failed(&self.path, &error))
    }

    pub(super) fn finish(mut self) -> Result<(), Stop> {
        self.file
            .flush()
            .map_err(|error| failed(&self.path, &error))
    }
}

fn failed(path: &Path, error: &io::Error) -> Stop {
    let name = path.display().to_string();
    match Stop::writing(&name, error) {
        // Only the reader of the result may leave quietly.
        Stop::ClosedPipe => Stop::unusable(format!("{name}: {error}")),
        stop @ Stop::Because { .. } => stop,
    }
}
