//! The diagnosis of a stream of records: observe each, then ask for the verdicts.

use crate::evidence::{Origin, Place, Record};
use crate::incident::{Classification, Incident};

/// Which order of records may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OrderBy {
    /// `seq` where every record of a lock carries one; lines where none does.
    #[default]
    Auto,
    /// Only `seq`.
    Seq,
    /// Only the order of lines of one input.
    Input,
    /// None: every verdict that needs order is withheld.
    None,
}

/// What the user decides about order and memory.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which order may be used.
    pub order: OrderBy,
    /// Who gave the `seq` of records that do not say so themselves.
    pub seq_by: Option<Origin>,
    /// How many bytes the records that wait to be ordered may take.
    pub memory: Option<usize>,
    /// Whether [`Diagnosis::changes`] will be asked between records.
    pub follow: bool,
}

/// Reads records and judges them.
#[derive(Debug, Default)]
pub struct Diagnosis {
    options: Options,
}

impl Diagnosis {
    /// A diagnosis that has seen nothing yet.
    pub fn new(options: Options) -> Diagnosis {
        Diagnosis { options }
    }

    /// Takes one record. `place.arrival` grows from record to record.
    pub fn observe(&mut self, place: Place, record: &Record<'_>) {
        let _ = (place, record, &self.options);
    }

    /// The incidents that are new, or whose status or outcome changed, since the last
    /// call. `sources` names the inputs, by [`Place::source`].
    pub fn changes(&mut self, sources: &[String]) -> Vec<Incident> {
        let _ = sources;
        Vec::new()
    }

    /// The input ended: all incidents and the summary.
    pub fn finish(self, sources: &[String]) -> Classification {
        let _ = sources;
        Classification::default()
    }
}
