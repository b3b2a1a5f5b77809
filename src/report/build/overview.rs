//! What a run found on the whole: its counts, what they show and do not show, its cautions.

use std::collections::BTreeMap;

use super::Builder;
use crate::incident::catalogue;
use crate::incident::{Class, Outcome, Status, Variant};
use crate::report::model::{Count, Counts, Group};
use crate::report::text::{Text, marked};
use crate::report::words::{fill, words};

impl Builder<'_, '_> {
    pub(super) fn counts(&self) -> Counts {
        let summary = &self.run.classification.summary;
        let total = &self.run.read.total;
        let mut counts: BTreeMap<(Class, Status, Outcome), u64> = BTreeMap::new();
        for one in &self.run.classification.incidents {
            *counts
                .entry((one.class(), one.status, one.outcome))
                .or_default() += 1;
        }
        Counts {
            records: summary.records,
            locks: summary.locks,
            decided_writes: summary.decided_writes,
            repeated_records: summary.repeated_records,
            other_lines: total.other,
            rejected_lines: total.rejected + total.flawed,
            incidents: counts
                .into_iter()
                .map(|((class, status, outcome), count)| Count {
                    class,
                    status,
                    outcome,
                    count,
                })
                .collect(),
        }
    }

    /// One entry for each class that occurs: what was seen of it, how often and how firmly.
    ///
    /// A class has several kinds of incident, and not each of its sentences fits all of
    /// them: a refused release is no refused write.
    pub(super) fn shows(&self) -> Vec<Text> {
        let mut counts: BTreeMap<(usize, Status, Outcome), u64> = BTreeMap::new();
        for one in &self.run.classification.incidents {
            let at = Variant::ALL.iter().position(|other| *other == one.variant);
            let key = (at.unwrap_or_default(), one.status, one.outcome);
            *counts.entry(key).or_default() += 1;
        }
        let mut shows = Vec::new();
        for class in Class::ALL {
            let sentences: Vec<String> = Variant::ALL
                .iter()
                .enumerate()
                .filter(|(_, variant)| variant.class() == class)
                .filter_map(|(at, variant)| self.shows_variant(*variant, at, &counts))
                .collect();
            if sentences.is_empty() {
                continue;
            }
            let title = catalogue::class_entry(self.language, class).title;
            shows.push(Text::words(fill(
                words(self.language).shows_class,
                &[title, &sentences.join(" ")],
            )));
        }
        if shows.is_empty() {
            let label = catalogue::label(self.language, catalogue::Label::NoIncident);
            shows.push(Text::words(format!("{label}.")));
        }
        shows
    }

    /// How often a variant occurs and how firmly; nothing where it does not.
    fn shows_variant(
        &self,
        variant: Variant,
        at: usize,
        counts: &BTreeMap<(usize, Status, Outcome), u64>,
    ) -> Option<String> {
        let kinds: Vec<String> = counts
            .iter()
            .filter(|((of, ..), _)| *of == at)
            .map(|((_, status, outcome), count)| {
                let name = catalogue::status(self.language, *status).name;
                let outcome = catalogue::outcome(self.language, *outcome).name;
                match status {
                    Status::Undecided => format!("{count} {name}"),
                    _ => format!("{count} {name}, {outcome}"),
                }
            })
            .collect();
        let title = catalogue::entry(self.language, variant).title;
        (!kinds.is_empty()).then(|| {
            fill(
                words(self.language).shows_variant,
                &[title, &kinds.join("; ")],
            )
        })
    }

    pub(super) fn does_not_show(&self, groups: &[Group]) -> Vec<Text> {
        let own = groups.iter().flat_map(|group| &group.not_covered).cloned();
        let general = catalogue::limits(self.language)
            .iter()
            .map(|text| Text::words(*text));
        let mut seen = std::collections::HashSet::new();
        let mut all: Vec<Text> = own.chain(general).collect();
        if self.run.classification.incidents.is_empty() {
            let label = catalogue::Label::NoIncidentMeans;
            all.insert(0, Text::words(catalogue::label(self.language, label)));
        }
        all.retain(|text| seen.insert(text.plain()));
        all
    }

    pub(super) fn cautions(&mut self) -> (Vec<Text>, u64) {
        let summary = &self.run.classification.summary;
        let total = summary.cautions.len() + summary.withheld.len();
        let mut all = Vec::new();
        for one in summary.cautions.iter().take(self.limits.cautions) {
            let mut one = one.clone();
            one.lock_name = one.lock_name.map(|lock| marked(&self.names.other(&lock)));
            all.push(Text::cut(&catalogue::caution(self.language, &one)));
        }
        for one in &summary.withheld {
            if all.len() >= self.limits.cautions {
                break;
            }
            let mut one = one.clone();
            one.lock_name = marked(&self.names.other(&one.lock_name));
            let why = catalogue::withheld(self.language, one.reason, &[&one.lock_name]);
            let told = fill(words(self.language).withheld, &[&why]);
            all.push(Text::cut(&told));
        }
        let more = (total - all.len()) as u64;
        (all, more)
    }
}
