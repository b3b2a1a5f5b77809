//! Version 1 of the report, `lockdiag.report/1`: what every form of it is made from.
//!
//! Every field is always there: null where nothing is known, `[]` where a list is empty.
//! A field may be added; anything else is a new version. Names are shown as
//! `names` says.

mod timeline;

use schemars::JsonSchema;
use serde::Serialize;

use super::names::Replaced;
use super::text::Text;
use crate::evidence::{Answer, Event, Field};
use crate::incident::{Assumption, Class, Outcome, Role, Status, Variant};
use crate::lint::decidability::On;
pub use timeline::{Column, Entry, OrderUsed, Part, Timeline};

/// The name of the schema.
pub const SCHEMA: &str = "lockdiag.report/1";

/// A report.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// `lockdiag.report/1`.
    pub schema: &'static str,
    /// The language of the sentences: `en` or `ru`.
    pub language: &'static str,
    /// One sentence for each lock with an incident, the worst first.
    pub headlines: Vec<Headline>,
    /// Locks with an incident beyond those.
    pub more_headlines: u64,
    /// Locks without an incident.
    pub quiet_locks: u64,
    /// What was read.
    pub counts: Counts,
    /// The incidents, breached first; those with the same advice stand together.
    pub groups: Vec<Group>,
    /// What the evidence shows, in sentences.
    pub shows: Vec<Text>,
    /// What it does not show, in sentences.
    pub does_not_show: Vec<Text>,
    /// What to know before trusting this.
    pub cautions: Vec<Text>,
    /// Cautions beyond those.
    pub more_cautions: u64,
    /// Which questions a token answers, and what answers the others.
    pub coverage: Vec<Coverage>,
    /// What to record next time.
    pub record_next: Vec<RecordNext>,
    /// The parts that people fill in; empty on purpose.
    pub for_people: ForPeople,
    /// What happened at each lock that has an incident.
    pub timelines: Vec<Timeline>,
    /// Locks with an incident and without a timeline here.
    pub more_timelines: u64,
    /// Where all this comes from.
    pub provenance: Provenance,
}

/// One sentence for a lock.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Headline {
    /// The lock.
    pub lock_name: String,
    /// The number of its worst incident.
    pub incident: u64,
    /// Of that incident.
    pub status: Status,
    /// Of that incident.
    pub outcome: Outcome,
    /// The sentence.
    pub text: Text,
    /// How many incidents it has beside that.
    pub more: u64,
}

/// What was read.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Counts {
    /// Evidence records.
    pub records: u64,
    /// Locks.
    pub locks: u64,
    /// Writes that the resource accepted or refused.
    pub decided_writes: u64,
    /// Records that were seen before and used once.
    pub repeated_records: u64,
    /// Lines that are no evidence.
    pub other_lines: u64,
    /// Lines with something wrong in them.
    pub rejected_lines: u64,
    /// All incidents by class, status and outcome.
    pub incidents: Vec<Count>,
}

/// How many incidents share class, status and outcome.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Count {
    /// The class.
    pub class: Class,
    /// The status.
    pub status: Status,
    /// The outcome.
    pub outcome: Outcome,
    /// How many.
    pub count: u64,
}

/// Incidents of one variant and outcome with the same advice.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Group {
    /// The class.
    pub class: Class,
    /// The variant.
    pub variant: Variant,
    /// The status.
    pub status: Status,
    /// The outcome.
    pub outcome: Outcome,
    /// A heading.
    pub title: &'static str,
    /// The incidents.
    pub incidents: Vec<Incident>,
    /// Incidents of the group beyond those.
    pub more: u64,
    /// The boundary that likely failed, or held.
    pub boundary: Text,
    /// What to check.
    pub check: Vec<Text>,
    /// What to do next.
    pub next_action: Text,
    /// What may not be concluded.
    pub not_covered: Vec<Text>,
}

/// One incident.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Incident {
    /// Its number in this report, from 1.
    pub number: u64,
    /// The id that it has in every output.
    pub id: String,
    /// The lock.
    pub lock_name: String,
    /// The resource key.
    pub resource_key: Option<String>,
    /// The operation.
    pub operation_id: Option<String>,
    /// The actor whose record decides it.
    pub late: Option<Actor>,
    /// The one it met.
    pub current: Option<Actor>,
    /// How many records decide it.
    pub occurrences: u64,
    /// One sentence.
    pub headline: Text,
    /// What happened, who, and how firmly the records say so.
    pub story: Text,
    /// What the next action says because this happened more than once.
    pub also: Option<Text>,
    /// The records that show it.
    pub evidence: Vec<Witness>,
    /// What is taken on trust.
    pub assumes: Vec<Assumption>,
    /// The fields that would settle it.
    pub missing: Vec<Field>,
    /// The classes left.
    pub candidates: Vec<Class>,
}

/// Somebody who acted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Actor {
    /// The owner.
    pub owner_id: Option<String>,
    /// The lease.
    pub lease_id: Option<String>,
    /// The token, all 64 bits.
    pub fence_token: Option<u64>,
}

/// One record that an incident rests on.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Witness {
    /// The part that it plays.
    pub role: Role,
    /// The input.
    pub source: String,
    /// The line in it.
    pub line: u64,
    /// Its `seq`.
    pub seq: Option<u64>,
    /// Its lock, where that is another than the one of the incident.
    pub other_lock_name: Option<String>,
    /// What it says; null where it was not kept.
    pub record: Option<Saying>,
}

/// What one record says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Saying {
    /// The wall clock: a label, never an order.
    pub ts: Option<String>,
    /// The step.
    pub event: Event,
    /// The answer.
    pub result: Answer,
    /// Who asked.
    pub owner_id: Option<String>,
    /// With which lease.
    pub lease_id: Option<String>,
    /// With which token.
    pub fence_token: Option<u64>,
    /// Where the token is compared.
    pub resource_key: Option<String>,
    /// The operation.
    pub operation_id: Option<String>,
    /// The highest token before, as the resource read it.
    pub resource_highest_token_before: Option<u64>,
    /// The highest token after.
    pub resource_highest_token_after: Option<u64>,
    /// The lease that the authority counted then; null where it was not recorded.
    pub active: Option<Active>,
}

/// The lease that the authority counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case", tag = "kind", content = "lease")]
pub enum Active {
    /// None.
    None,
    /// This one.
    Lease(Actor),
}

/// One question, and whether a token answers it.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Coverage {
    /// The question.
    pub question: &'static str,
    /// Whether a token does, in words.
    pub covered: &'static str,
    /// Whether it does.
    pub by_token: bool,
    /// What does.
    pub what_does: &'static str,
}

/// A field to record next time.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct RecordNext {
    /// The field.
    pub field: Field,
    /// On which records.
    pub on: Vec<On>,
    /// What it would decide.
    pub why: &'static str,
    /// How many incidents of this report it would settle or strengthen.
    pub incidents: u64,
    /// The classes that could be proven with it, and with others of this list, where now
    /// they could not.
    pub classes: Vec<Class>,
    /// At how many locks, at most.
    pub locks: u64,
}

/// What no record says. Each part is null: a person fills it in.
#[derive(Debug, Clone, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForPeople {
    /// Who was hurt, and how much.
    pub impact: Option<String>,
    /// Why it could happen.
    pub root_cause: Option<String>,
    /// Who does what now.
    pub action_owners: Option<String>,
    /// By when.
    pub dates: Option<String>,
}

/// Where the report comes from.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// The version of the tool.
    pub tool: String,
    /// The command, ready for a shell.
    pub command: String,
    /// When it was made, if somebody said so.
    pub generated: Option<String>,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Inputs beyond those.
    pub more_inputs: u64,
    /// What the user let order the records.
    pub order: &'static str,
    /// Who gave `seq`, by the word of the user.
    pub vouched_by: Option<&'static str>,
    /// What was replaced; null where nothing was to be.
    pub redacted: Option<Replaced>,
}

/// One input.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its size in bytes, as it lay there.
    pub bytes: u64,
    /// Its lines.
    pub lines: u64,
    /// The evidence records in it.
    pub records: u64,
    /// Lines that are no evidence.
    pub other_lines: u64,
    /// Lines with something wrong in them.
    pub rejected_lines: u64,
    /// The SHA-256 of its bytes; null where it was not read to its end.
    pub sha256: Option<String>,
}

impl Report {
    /// Every incident that is told, in order of number.
    pub fn incidents(&self) -> impl Iterator<Item = &Incident> {
        self.groups.iter().flat_map(|group| &group.incidents)
    }
}
