//! Incidents of one advice in one group, numbered as they stand.

use std::collections::HashMap;

use super::Builder;
use crate::incident::catalogue;
use crate::incident::{self, Outcome, Status, Variant};
use crate::report::model::{Group, Incident};
use crate::report::text::Text;

/// A group, and the numbers of its incidents by their ids.
pub(super) struct Numbered<'i> {
    pub(super) group: Group,
    pub(super) members: Vec<(&'i str, u64)>,
}

impl Builder<'_, '_> {
    pub(super) fn groups<'i>(&mut self, all: &[&'i incident::Incident]) -> Vec<Numbered<'i>> {
        let mut index: HashMap<(Variant, Status, Outcome, Vec<Text>), usize> = HashMap::new();
        let mut groups: Vec<Numbered<'i>> = Vec::new();
        let mut number = 0;
        // Grouped first, numbered as they stand.
        let mut members: Vec<Vec<&'i incident::Incident>> = Vec::new();
        for one in all {
            let group = self.advice(one);
            let mut advice = vec![group.boundary.clone(), group.next_action.clone()];
            advice.extend(group.check.iter().chain(&group.not_covered).cloned());
            let key = (one.variant, one.status, one.outcome, advice);
            let at = *index.entry(key).or_insert(groups.len());
            if at == groups.len() {
                groups.push(Numbered {
                    group,
                    members: Vec::new(),
                });
                members.push(Vec::new());
            }
            if let Some(members) = members.get_mut(at) {
                members.push(one);
            }
        }
        for (group, members) in groups.iter_mut().zip(members) {
            let told = members.len().min(self.limits.incidents_a_group);
            group.group.more = (members.len() - told) as u64;
            for one in members.into_iter().take(told) {
                number += 1;
                group.members.push((&one.id, number));
                let incident = self.incident(one, number, &group.group.next_action);
                group.group.incidents.push(incident);
            }
        }
        groups
    }

    /// What goes for every incident like this one.
    fn advice(&mut self, incident: &incident::Incident) -> Group {
        let mut once = self.mark(incident);
        // How often it happened is told of each.
        once.occurrences = 1;
        let told = catalogue::tell(self.language, &once);
        let cut = |texts: &[String]| texts.iter().map(|text| Text::cut(text)).collect();
        Group {
            class: incident.class(),
            variant: incident.variant,
            status: incident.status,
            outcome: incident.outcome,
            title: catalogue::entry(self.language, incident.variant).title,
            incidents: Vec::new(),
            more: 0,
            boundary: Text::cut(&told.boundary),
            check: cut(&told.check),
            next_action: Text::cut(&told.next_action),
            not_covered: cut(&told.not_covered),
        }
    }

    fn incident(&mut self, one: &incident::Incident, number: u64, advice: &Text) -> Incident {
        let marked = self.mark(one);
        let told = catalogue::tell(self.language, &marked);
        let next = Text::cut(&told.next_action);
        let also = (next != *advice).then(|| {
            let whole = told.next_action.as_str();
            let general = advice.plain();
            whole
                .strip_prefix(&general)
                .map_or(next.clone(), |rest| Text::cut(rest.trim()))
        });
        Incident {
            number,
            id: one.id.clone(),
            lock_name: self.names.other(&one.lock_name),
            resource_key: one.resource_key.as_deref().map(|key| self.names.other(key)),
            operation_id: one.operation_id.as_deref().map(|one| self.names.other(one)),
            late: one.late.as_ref().map(|actor| self.actor(actor)),
            current: one.current.as_ref().map(|actor| self.actor(actor)),
            occurrences: one.occurrences,
            headline: Text::cut(&catalogue::headline(self.language, &marked)),
            story: Text::cut(&told.observation),
            also,
            evidence: one
                .evidence
                .iter()
                .map(|witness| self.witness(one, witness))
                .collect(),
            assumes: one.assumes.clone(),
            missing: one.missing.clone(),
            candidates: one.candidates.clone(),
        }
    }
}
