//! Version 1 of the JSON that `classify` writes: `lockdiag.incident/1` and
//! `lockdiag.classification/1`.
//!
//! Every field is always there: null where nothing is known, `[]` where a list is empty.
//! The order of the fields is part of the contract. A field may be added at the end of
//! its object; anything else is a new version.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::evidence::Field;
use crate::incident::catalogue::{self, Language};
use crate::incident::{self, Assumption, Caution, Class, Outcome, Role, Status, Variant, Withheld};
use crate::render::View;

/// The name of the incident's schema.
pub const INCIDENT: &str = "lockdiag.incident/1";
/// The name of the document's schema.
pub const CLASSIFICATION: &str = "lockdiag.classification/1";

/// One incident.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Incident<'a> {
    /// `lockdiag.incident/1`.
    schema: &'static str,
    /// Depends only on class, variant, lock and subject.
    id: &'a str,
    class: Class,
    variant: Variant,
    status: Status,
    outcome: Outcome,
    lock_name: &'a str,
    /// The key under which the resource compares tokens.
    resource_key: Option<&'a str>,
    /// The actor whose record decides the incident.
    late: Option<Actor<'a>>,
    /// The one it met.
    current: Option<Actor<'a>>,
    operation_id: Option<&'a str>,
    /// How many records decide this incident.
    occurrences: u64,
    /// What is taken on trust.
    assumes: &'a [Assumption],
    /// The fields that would settle or strengthen it.
    missing: &'a [Field],
    /// Class `undecided`: the classes left.
    candidates: &'a [Class],
    /// What the records show.
    observation: String,
    /// The boundary that likely failed, or held.
    boundary: String,
    /// What to check.
    check: Vec<String>,
    /// What to do next.
    next_action: String,
    /// What may not be concluded.
    not_covered: Vec<String>,
    /// The first records by role, and the last one that decides.
    evidence: Vec<Witness<'a>>,
}

/// Somebody who acted.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Actor<'a> {
    owner_id: Option<&'a str>,
    lease_id: Option<&'a str>,
    /// All 64 bits.
    fence_token: Option<u64>,
}

/// One record that an incident rests on.
#[derive(Debug, Serialize, JsonSchema)]
struct Witness<'a> {
    /// The input, as it was named.
    source: &'a str,
    /// The line in it, from 1.
    line: u64,
    seq: Option<u64>,
    /// The part that the record plays.
    role: Role,
}

impl<'a> Incident<'a> {
    /// The incident with its words.
    pub fn new(incident: &'a incident::Incident) -> Incident<'a> {
        let told = catalogue::tell(Language::En, incident);
        Incident {
            schema: INCIDENT,
            id: &incident.id,
            class: incident.class(),
            variant: incident.variant,
            status: incident.status,
            outcome: incident.outcome,
            lock_name: &incident.lock_name,
            resource_key: incident.resource_key.as_deref(),
            late: incident.late.as_ref().map(Actor::new),
            current: incident.current.as_ref().map(Actor::new),
            operation_id: incident.operation_id.as_deref(),
            occurrences: incident.occurrences,
            assumes: &incident.assumes,
            missing: &incident.missing,
            candidates: &incident.candidates,
            observation: told.observation,
            boundary: told.boundary,
            check: told.check,
            next_action: told.next_action,
            not_covered: told.not_covered,
            evidence: incident.evidence.iter().map(Witness::new).collect(),
        }
    }
}

impl<'a> Actor<'a> {
    fn new(actor: &'a incident::Actor) -> Actor<'a> {
        Actor {
            owner_id: actor.owner_id.as_deref(),
            lease_id: actor.lease_id.as_deref(),
            fence_token: actor.fence_token,
        }
    }
}

impl<'a> Witness<'a> {
    fn new(witness: &'a incident::Witness) -> Witness<'a> {
        Witness {
            source: &witness.source,
            line: witness.line,
            seq: witness.seq,
            role: witness.role,
        }
    }
}

/// The whole document of `--format json`, for its schema: the document itself is written
/// piece by piece.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Classification<'a> {
    /// `lockdiag.classification/1`.
    schema: &'static str,
    /// The incidents that were asked for, in order of their first deciding record.
    incidents: Vec<Incident<'a>>,
    summary: Summary<'a>,
}

/// What was read, what was left out, and which verdicts were withheld.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary<'a> {
    /// Evidence records read, repeated ones included.
    records: u64,
    /// Distinct locks among them.
    locks: u64,
    /// Lines that are no evidence.
    other_lines: u64,
    /// Lines with something wrong in them.
    rejected_lines: u64,
    /// Records that were seen before and used once.
    repeated_records: u64,
    /// Writes that the resource accepted or refused; where there are none, nothing is
    /// said of fencing.
    decided_writes: u64,
    cautions: &'a [Caution],
    /// All incidents, shown or not, by class, status and outcome, in that order.
    incidents: Vec<Count>,
    /// Incidents in this document.
    shown: u64,
    /// Incidents that exist and were not asked for.
    hidden: u64,
    /// Locks whose verdicts that need order were withheld, and why.
    withheld: &'a [Withheld],
}

/// How many incidents share class, status and outcome.
#[derive(Debug, Serialize, JsonSchema)]
struct Count {
    class: Class,
    status: Status,
    outcome: Outcome,
    count: u64,
}

impl<'a> Summary<'a> {
    /// The summary of a run.
    pub fn new(view: &View<'a>) -> Summary<'a> {
        let mut counts: BTreeMap<(Class, Status, Outcome), u64> = BTreeMap::new();
        for incident in view.all {
            let key = (incident.class(), incident.status, incident.outcome);
            *counts.entry(key).or_default() += 1;
        }
        Summary {
            records: view.summary.records,
            locks: view.summary.locks,
            other_lines: view.lines.other,
            rejected_lines: view.lines.rejected,
            repeated_records: view.summary.repeated_records,
            decided_writes: view.summary.decided_writes,
            cautions: &view.summary.cautions,
            incidents: counts
                .into_iter()
                .map(|((class, status, outcome), count)| Count {
                    class,
                    status,
                    outcome,
                    count,
                })
                .collect(),
            shown: view.shown.len() as u64,
            hidden: view.hidden() as u64,
            withheld: &view.summary.withheld,
        }
    }
}
