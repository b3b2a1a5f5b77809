//! What was read and is no evidence: kept to say what would read it.

use crate::evidence::Place;
use crate::ingest::json::inside::evidence_inside;
use crate::ingest::json::own::is_own_output;
use crate::ingest::mapping::{Preset, suggest};

/// Bytes that are kept of a log without evidence, to say what reads it.
const KEPT: usize = 64 << 10;

/// Lines and values that gave no record.
#[derive(Debug, Default)]
pub(super) struct Unused {
    beginning: Vec<u8>,
    /// The frame being read, where evidence stands inside it.
    holding: Option<Place>,
    /// The beginning of the first such frame.
    line: Vec<u8>,
    /// How many other lines have evidence inside.
    holding_evidence: u64,
    /// The first of them, until it is told, and how much had been read then.
    first: Option<Place>,
    bytes: Option<u64>,
}

impl Unused {
    /// Keeps a frame, as long as nothing was evidence.
    pub(super) fn keep(&mut self, bytes: &[u8]) {
        if self.beginning.len() + bytes.len() < KEPT {
            self.beginning.extend_from_slice(bytes);
            self.beginning.push(b'\n');
        }
    }

    /// Looks for evidence inside a frame that is about to be read.
    pub(super) fn look_inside(&mut self, place: Place, bytes: &[u8]) {
        self.holding = evidence_inside(bytes).map(|_| place);
        if self.holding.is_some() && self.holding_evidence == 0 {
            self.line = bytes[..bytes.len().min(KEPT)].to_vec();
        }
    }

    /// The frame turned out to be another line.
    pub(super) fn other(&mut self) {
        if let Some(place) = self.holding.take() {
            if self.holding_evidence == 0 {
                self.first = Some(place);
            }
            self.holding_evidence += 1;
        }
    }

    /// The first line with evidence inside, for who tells it; once. Where nothing is evidence,
    /// the error at the end says it, so it is told before only if more has come meanwhile:
    /// of a log that is followed there may be no end.
    pub(super) fn take_first(&mut self, records: u64, bytes: u64) -> Option<Place> {
        self.first?;
        let more_came = bytes > *self.bytes.get_or_insert(bytes);
        self.first.take_if(|_| records > 0 || more_came)
    }

    /// How many other lines have evidence inside.
    pub(super) fn holding_evidence(&self) -> u64 {
        self.holding_evidence
    }

    /// What reads the first line with evidence inside, as a hint.
    pub(super) fn reads_the_first(&self) -> String {
        match preset_of(&self.line) {
            Some(name) => format!("--preset {name} reads them, and evidence that stands alone"),
            None => "`lockdiag map suggest FILE` says what may read them".to_owned(),
        }
    }

    /// Whether the log begins as what this tool writes does.
    pub(super) fn is_own_output(&self) -> bool {
        str::from_utf8(&self.beginning).is_ok_and(|log| is_own_output(log.trim_ascii_start()))
    }

    /// The preset that reads lines of what is no evidence.
    pub(super) fn preset(&self) -> Option<&'static str> {
        preset_of(&self.beginning).or_else(|| preset_of(&self.line))
    }
}

/// The name of the preset that reads lines of a log.
fn preset_of(log: &[u8]) -> Option<&'static str> {
    let log = String::from_utf8_lossy(log);
    (!log.is_empty())
        .then(|| suggest(&log).preset)?
        .map(Preset::name)
}
