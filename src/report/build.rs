//! From the result of a run to the model of a report.

mod groups;
mod headlines;
mod overview;
mod provenance;
mod record_next;
mod records;
mod timelines;

use std::collections::HashMap;

use super::keep::Keeper;
use super::model::{Actor, Coverage, ForPeople, Group, Report, SCHEMA};
use super::names::Names;
use super::text::marked;
use super::{Limits, Origins};
use crate::incident::catalogue::{self, Language};
use crate::incident::{self, Class, Classification, Outcome, Status, Variant};
use crate::ingest::Counts as Read;
use crate::lint;

/// What a run left for its report.
#[derive(Debug)]
pub struct Run<'r> {
    /// The incidents and the summary.
    pub classification: &'r Classification,
    /// What the records can decide, and what they lack.
    pub gaps: &'r lint::Report,
    /// What was read.
    pub read: &'r Read,
    /// The inputs, as they were named.
    pub inputs: &'r [String],
    /// What ordered the records, by whose word, by which command, and when.
    pub origins: &'r Origins,
}

impl<'r> Run<'r> {
    /// The report of this run in a language.
    pub fn report(
        &self,
        keeper: &mut Keeper,
        language: Language,
        redact: bool,
        limits: &Limits,
    ) -> Report {
        Builder {
            run: self,
            keeper,
            names: Names::new(redact),
            language,
            limits,
        }
        .build()
    }
}

struct Builder<'r, 'k> {
    run: &'r Run<'r>,
    keeper: &'k mut Keeper,
    names: Names,
    language: Language,
    limits: &'r Limits,
}

/// Worst first; what the records do not decide stands between bad and good.
fn rank(incident: &incident::Incident) -> (u8, Class, Variant, Status) {
    let first = match (incident.status, incident.outcome) {
        (Status::Undecided, _) => 3,
        (_, Outcome::Breached) => 0,
        (_, Outcome::Exposed) => 1,
        (_, Outcome::Unknown) => 2,
        (_, Outcome::Guarded) => 4,
    };
    // The firmer verdict of two comes first.
    let status = match incident.status {
        Status::Proven => Status::Undecided,
        Status::Suspected => Status::Suspected,
        Status::Undecided => Status::Proven,
    };
    (first, incident.class(), incident.variant, status)
}

impl Builder<'_, '_> {
    fn build(mut self) -> Report {
        let run = self.run;
        let mut all: Vec<&incident::Incident> = run.classification.incidents.iter().collect();
        all.sort_by_key(|one| rank(one));
        self.meet(&all);
        let groups = self.groups(&all);
        let numbers: HashMap<&str, u64> = groups
            .iter()
            .flat_map(|group| &group.members)
            .copied()
            .collect();
        let (headlines, more_headlines) = self.headlines(&all, &numbers);
        let timelines = self.timelines(&all, &numbers);
        let more_timelines = (self.locks(&all).len() - timelines.len()) as u64;
        let groups: Vec<Group> = groups.into_iter().map(|one| one.group).collect();
        let counts = self.counts();
        let (cautions, more_cautions) = self.cautions();
        let locks = self.locks(&all).len() as u64;
        Report {
            schema: SCHEMA,
            language: self.language.tag(),
            headlines,
            more_headlines,
            quiet_locks: run.classification.summary.locks.saturating_sub(locks),
            shows: self.shows(),
            does_not_show: self.does_not_show(&groups),
            counts,
            groups,
            cautions,
            more_cautions,
            coverage: catalogue::coverage(self.language)
                .iter()
                .map(|row| Coverage {
                    question: row.question,
                    covered: row.covered,
                    by_token: row.by_token,
                    what_does: row.what_does,
                })
                .collect(),
            record_next: self.record_next(),
            for_people: ForPeople::default(),
            timelines,
            more_timelines,
            provenance: self.provenance(),
        }
    }

    /// The locks with an incident, those with the worst first.
    fn locks<'i>(&self, all: &[&'i incident::Incident]) -> Vec<&'i str> {
        let mut seen = std::collections::HashSet::new();
        all.iter()
            .map(|one| one.lock_name.as_str())
            .filter(|lock| seen.insert(*lock))
            .collect()
    }

    /// The incident with its names shown as the report shows them, and marked.
    fn mark(&mut self, incident: &incident::Incident) -> incident::Incident {
        let mut told = incident.clone();
        let names = &mut self.names;
        told.lock_name = marked(&names.other(&incident.lock_name));
        let other = |name: &mut Option<String>, names: &mut Names| {
            if let Some(name) = name {
                *name = marked(&names.other(name));
            }
        };
        other(&mut told.resource_key, names);
        other(&mut told.operation_id, names);
        for actor in [&mut told.late, &mut told.current].into_iter().flatten() {
            actor.owner_id = actor.owner_id.as_ref().map(|one| marked(&names.owner(one)));
            actor.lease_id = actor.lease_id.as_ref().map(|one| marked(&names.lease(one)));
        }
        told
    }

    fn actor(&mut self, actor: &incident::Actor) -> Actor {
        Actor {
            owner_id: actor.owner_id.as_deref().map(|one| self.names.owner(one)),
            lease_id: actor.lease_id.as_deref().map(|one| self.names.lease(one)),
            fence_token: actor.fence_token,
        }
    }
}
