//! The order of events at one lock, as a report has it.

use schemars::JsonSchema;
use serde::Serialize;

use super::Saying;
use crate::incident::{Role, WithheldReason};

/// What happened at one lock, in order.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    /// The lock.
    pub lock_name: String,
    /// What orders the columns.
    pub order: OrderUsed,
    /// Why there is no order, where there is none.
    pub withheld: Option<WithheldReason>,
    /// How many records the lock has.
    pub records: u64,
    /// The records, runs of alike ones, and gaps, in order.
    pub columns: Vec<Column>,
}

/// What orders the records of a timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum OrderUsed {
    /// Their `seq`.
    Seq,
    /// The lines of the input.
    Lines,
    /// Nothing: they stand as they were read.
    None,
}

/// One place on the axis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Column {
    /// One record.
    Record(Entry),
    /// Alike records in a row: the first stands for all.
    #[serde(rename_all = "camelCase")]
    Run {
        /// The first of them.
        first: Entry,
        /// How many.
        count: u64,
        /// The position of the last.
        last_position: u64,
        /// The line of the last.
        last_line: u64,
    },
    /// Records that are not drawn.
    Gap {
        /// How many.
        count: u64,
    },
}

/// One record of a timeline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entry {
    /// Its position in the order of the lock, from 1.
    pub position: u64,
    /// The input.
    pub source: String,
    /// The line in it.
    pub line: u64,
    /// Its `seq`.
    pub seq: Option<u64>,
    /// What it says.
    pub record: Saying,
    /// The incidents that rest on it, and its part in each.
    pub incidents: Vec<Part>,
}

/// The part of a record in an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Part {
    /// The number of the incident in the report.
    pub incident: u64,
    /// Whether the record decides it.
    pub decides: bool,
    /// The part.
    pub role: Role,
}

impl Column {
    /// The record that stands here.
    pub fn entry(&self) -> Option<&Entry> {
        match self {
            Column::Record(entry) | Column::Run { first: entry, .. } => Some(entry),
            Column::Gap { .. } => None,
        }
    }

    /// How many records stand here.
    pub fn count(&self) -> u64 {
        match self {
            Column::Record(_) => 1,
            Column::Run { count, .. } | Column::Gap { count } => *count,
        }
    }
}
