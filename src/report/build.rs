//! From the result of a run to the model of a report.

use std::collections::{BTreeMap, HashMap};

use super::columns::columns;
use super::keep::{Keeper, Kept, KeptLock};
use super::model::{
    Active, Actor, Count, Counts, Coverage, Entry, ForPeople, Group, Headline, Incident, Input,
    OrderUsed, Part, Provenance, RecordNext, Report, SCHEMA, Saying, Timeline, Witness,
};
use super::names::Names;
use super::text::{Text, marked};
use super::words::{fill, words};
use super::{Limits, Origins};
use crate::diagnosis::OrderBy;
use crate::evidence::Field;
use crate::incident::catalogue::{self, Language, Noun};
use crate::incident::{self, Class, Classification, Outcome, Status, Variant, WithheldReason};
use crate::ingest::Counts as Read;
use crate::lint::{self, decidability::On};
use crate::timeline::{ActiveLease, Handle, Symbols};

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
            shows: self.shows(&counts),
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

    /// Makes the owners and leases known before any other name is shown, so that they are
    /// found inside the others.
    fn meet(&mut self, all: &[&incident::Incident]) {
        if !self.names.redacts() {
            return;
        }
        let actors = all.iter().flat_map(|one| [&one.late, &one.current]);
        for actor in actors.flatten() {
            self.actor(actor);
        }
        for lock in self.locks(all) {
            let Some(kept) = self.keeper.lock(lock) else {
                continue;
            };
            let handles: Vec<Handle> = kept
                .first
                .iter()
                .chain(&kept.last)
                .flat_map(|kept| {
                    let active = match kept.step.active {
                        ActiveLease::Lease(handle) => Some(handle),
                        ActiveLease::None | ActiveLease::Unrecorded => None,
                    };
                    [Some(kept.step.handle), active]
                })
                .flatten()
                .collect();
            for handle in handles {
                handle_names(&handle, &self.keeper.symbols, &mut self.names);
            }
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

    fn headlines(
        &mut self,
        all: &[&incident::Incident],
        numbers: &HashMap<&str, u64>,
    ) -> (Vec<Headline>, u64) {
        let mut of: HashMap<&str, u64> = HashMap::new();
        for one in all {
            *of.entry(&one.lock_name).or_default() += 1;
        }
        let mut seen = std::collections::HashSet::new();
        let mut headlines = Vec::new();
        for one in all {
            if !seen.insert(one.lock_name.as_str()) || headlines.len() == self.limits.headlines {
                continue;
            }
            let more = of.get(one.lock_name.as_str()).copied().unwrap_or(1) - 1;
            let text = Text::cut(&catalogue::tell(self.language, &self.mark(one)).headline);
            let text = if more == 0 {
                text
            } else {
                let count = catalogue::count(self.language, more + 1, Noun::Incident);
                text.and(&fill(words(self.language).more_at_lock, &[&count]))
            };
            headlines.push(Headline {
                lock_name: self.names.other(&one.lock_name),
                incident: numbers.get(one.id.as_str()).copied().unwrap_or_default(),
                status: one.status,
                outcome: one.outcome,
                text,
                more,
            });
        }
        let more = of.len() as u64 - headlines.len() as u64;
        (headlines, more)
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

    fn groups<'i>(&mut self, all: &[&'i incident::Incident]) -> Vec<Numbered<'i>> {
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
        let told = catalogue::tell(self.language, &self.mark(one));
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
            headline: Text::cut(&told.headline),
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

    fn witness(&mut self, one: &incident::Incident, witness: &incident::Witness) -> Witness {
        let source = self
            .run
            .inputs
            .iter()
            .position(|name| *name == witness.source);
        // Of a lock that two locks share, the other's record is kept under the other.
        let lock = self.keeper.lock(&one.lock_name);
        let kept = lock.and_then(|lock| find(lock, source, witness)).cloned();
        Witness {
            role: witness.role,
            source: self.names.input(&witness.source),
            line: witness.line,
            seq: witness.seq,
            record: kept.map(|kept| saying(&kept, &self.keeper.symbols, &mut self.names)),
        }
    }

    fn timelines(
        &mut self,
        all: &[&incident::Incident],
        numbers: &HashMap<&str, u64>,
    ) -> Vec<Timeline> {
        let mut timelines = Vec::new();
        for lock in self.locks(all) {
            if timelines.len() == self.limits.timelines {
                break;
            }
            let of: Vec<&incident::Incident> = all
                .iter()
                .copied()
                .filter(|one| one.lock_name == lock)
                .collect();
            if let Some(timeline) = self.timeline(lock, &of, numbers) {
                timelines.push(timeline);
            }
        }
        timelines
    }

    fn timeline(
        &mut self,
        lock: &str,
        incidents: &[&incident::Incident],
        numbers: &HashMap<&str, u64>,
    ) -> Option<Timeline> {
        let withheld = self.withheld(lock);
        let by = self.run.origins.order;
        let kept = self.keeper.lock(lock)?;
        let (records, dropped, split) = (kept.total(), kept.dropped, kept.first.len());
        let order = match (withheld, by) {
            (Some(_), _) | (None, OrderBy::None) => OrderUsed::None,
            (None, OrderBy::Input) => OrderUsed::Lines,
            (None, OrderBy::Auto | OrderBy::Seq) if kept.with_seq == records => OrderUsed::Seq,
            (None, OrderBy::Auto | OrderBy::Seq) => OrderUsed::Lines,
        };
        let mut steps: Vec<(usize, Kept)> = kept
            .first
            .iter()
            .chain(&kept.last)
            .cloned()
            .enumerate()
            .collect();
        if order == OrderUsed::Seq {
            steps.sort_by_key(|(_, kept)| (kept.step.seq, kept.step.place));
            steps.dedup_by(|(_, later), (_, first)| later.step.repeats(&first.step));
        }
        let gap = (dropped > 0).then(|| {
            let at = steps
                .iter()
                .position(|(index, _)| *index >= split)
                .unwrap_or(steps.len());
            (at, dropped)
        });
        let mut parts: HashMap<(Option<usize>, u64, Option<u64>), Vec<Part>> = HashMap::new();
        for one in incidents {
            let Some(number) = numbers.get(one.id.as_str()) else {
                continue;
            };
            let decides = one.evidence.first().map(|witness| witness.role);
            for witness in &one.evidence {
                let source = self
                    .run
                    .inputs
                    .iter()
                    .position(|name| *name == witness.source);
                parts
                    .entry((source, witness.line, witness.seq))
                    .or_default()
                    .push(Part {
                        incident: *number,
                        decides: Some(witness.role) == decides,
                        role: witness.role,
                    });
            }
        }
        let mut position = 0;
        let mut entries = Vec::with_capacity(steps.len());
        for (at, (_, kept)) in steps.iter().enumerate() {
            position += 1;
            if let Some((gap, count)) = gap
                && gap == at
            {
                position += count;
            }
            let place = kept.step.place;
            let source = place.source as usize;
            let name = self.run.inputs.get(source).map_or("", String::as_str);
            entries.push(Entry {
                position,
                source: self.names.input(name),
                line: place.line,
                seq: kept.step.seq,
                record: saying(kept, &self.keeper.symbols, &mut self.names),
                incidents: parts
                    .get(&(Some(source), place.line, kept.step.seq))
                    .cloned()
                    .unwrap_or_default(),
            });
        }
        Some(Timeline {
            lock_name: self.names.other(lock),
            order,
            withheld,
            records,
            columns: columns(entries, gap, self.limits.columns),
        })
    }

    fn withheld(&self, lock: &str) -> Option<WithheldReason> {
        let withheld = &self.run.classification.summary.withheld;
        let found = withheld.iter().find(|one| one.lock_name == lock);
        found.map(|one| one.reason)
    }

    fn counts(&self) -> Counts {
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

    /// One sentence for each class that occurs, with how often and how firmly.
    fn shows(&self, counts: &Counts) -> Vec<Text> {
        let mut shows = Vec::new();
        for class in Class::ALL {
            let of: Vec<&Count> = counts
                .incidents
                .iter()
                .filter(|one| one.class == class)
                .collect();
            if of.is_empty() {
                continue;
            }
            let kinds: Vec<String> = of
                .iter()
                .map(|one| {
                    let status = catalogue::status(self.language, one.status).name;
                    let outcome = catalogue::outcome(self.language, one.outcome).name;
                    match one.status {
                        Status::Undecided => format!("{} {status}", one.count),
                        _ => format!("{} {status}, {outcome}", one.count),
                    }
                })
                .collect();
            let entry = catalogue::class_entry(self.language, class);
            let sentence = fill(
                words(self.language).shows_class,
                &[entry.title, &kinds.join("; "), entry.observation],
            );
            shows.push(Text::words(sentence));
        }
        if shows.is_empty() {
            let label = catalogue::label(self.language, catalogue::Label::NoIncident);
            shows.push(Text::words(format!("{label}.")));
        }
        shows
    }

    fn does_not_show(&self, groups: &[Group]) -> Vec<Text> {
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

    fn cautions(&mut self) -> (Vec<Text>, u64) {
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
            all.push(Text::cut(&catalogue::withheld(
                self.language,
                one.reason,
                &[&one.lock_name],
            )));
        }
        let more = (total - all.len()) as u64;
        (all, more)
    }

    /// The fields that incidents lack, and those that would let the records prove more;
    /// the one that helps most incidents first.
    fn record_next(&self) -> Vec<RecordNext> {
        let mut next: BTreeMap<Field, RecordNext> = BTreeMap::new();
        let mut of = |field: Field, take: &dyn Fn(&mut RecordNext)| {
            take(next.entry(field).or_insert_with(|| RecordNext {
                field,
                on: Vec::new(),
                why: catalogue::missing(self.language, field),
                incidents: 0,
                classes: Vec::new(),
                locks: 0,
            }));
        };
        for one in &self.run.classification.incidents {
            for field in &one.missing {
                of(*field, &|next| next.incidents += 1);
            }
        }
        for way in self.run.gaps.summary() {
            // The first set is the one that helps most, and the smallest of those.
            let Some((needs, locks)) = way.needs.first() else {
                continue;
            };
            for need in needs {
                of(need.field, &|next| {
                    insert(&mut next.on, need.on);
                    insert(&mut next.classes, way.way.class);
                    next.locks = next.locks.max(*locks);
                });
            }
        }
        let mut next: Vec<RecordNext> = next.into_values().collect();
        for one in &mut next {
            if one.on.contains(&On::EveryRecord) {
                one.on = vec![On::EveryRecord];
            }
        }
        next.sort_by_key(|one| std::cmp::Reverse((one.incidents, one.classes.len())));
        next
    }

    fn provenance(&mut self) -> Provenance {
        let origins = self.run.origins;
        let mut inputs = Vec::new();
        for (name, read) in self.run.inputs.iter().zip(&self.run.read.sources) {
            if inputs.len() == self.limits.inputs {
                break;
            }
            inputs.push(Input {
                name: self.names.input(name),
                bytes: read.bytes,
                lines: read.lines,
                records: read.records,
                other_lines: read.other,
                rejected_lines: read.rejected + read.flawed,
                sha256: read
                    .digest
                    .map(|digest| digest.iter().map(|byte| format!("{byte:02x}")).collect()),
            });
        }
        let command: Vec<String> = origins
            .command
            .iter()
            .map(|word| shell(&self.word(word)))
            .collect();
        Provenance {
            tool: format!("lockdiag {}", env!("CARGO_PKG_VERSION")),
            command: command.join(" "),
            generated: origins.generated.clone(),
            more_inputs: (self.run.inputs.len() - inputs.len()) as u64,
            inputs,
            order: match origins.order {
                OrderBy::Auto => "auto",
                OrderBy::Seq => "seq",
                OrderBy::Input => "input",
                OrderBy::None => "none",
            },
            vouched_by: origins.vouched_by.map(crate::evidence::Origin::word),
            redacted: self.names.replaced(),
        }
    }

    /// A word of the command: a file of it is shown like an input.
    fn word(&mut self, word: &str) -> String {
        match word.split_once('=') {
            Some((option, value)) if !option.contains(['/', '\\']) => {
                format!("{option}={}", self.names.input(value))
            }
            _ => self.names.input(word),
        }
    }
}

/// Puts something into an ordered list without repetition.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
}

/// A group, and the numbers of its incidents by their ids.
struct Numbered<'i> {
    group: Group,
    members: Vec<(&'i str, u64)>,
}

fn find<'k>(
    lock: &'k KeptLock,
    source: Option<usize>,
    witness: &incident::Witness,
) -> Option<&'k Kept> {
    lock.first.iter().chain(&lock.last).find(|kept| {
        let place = kept.step.place;
        Some(place.source as usize) == source
            && place.line == witness.line
            && kept.step.seq == witness.seq
    })
}

fn handle_names(handle: &Handle, symbols: &Symbols, names: &mut Names) -> Actor {
    Actor {
        owner_id: handle.owner.map(|one| names.owner(symbols.name(one))),
        lease_id: handle.lease.map(|one| names.lease(symbols.name(one))),
        fence_token: handle.token,
    }
}

fn saying(kept: &Kept, symbols: &Symbols, names: &mut Names) -> Saying {
    let step = &kept.step;
    let actor = handle_names(&step.handle, symbols, names);
    Saying {
        ts: kept.ts.as_deref().map(|ts| names.other(ts)),
        event: step.event,
        result: step.answer,
        owner_id: actor.owner_id,
        lease_id: actor.lease_id,
        fence_token: actor.fence_token,
        resource_key: step.key.map(|key| names.other(symbols.name(key))),
        operation_id: step.operation.map(|one| names.other(symbols.name(one))),
        resource_highest_token_before: step.before,
        resource_highest_token_after: step.after,
        active: match step.active {
            ActiveLease::Unrecorded => None,
            ActiveLease::None => Some(Active::None),
            ActiveLease::Lease(handle) => {
                Some(Active::Lease(handle_names(&handle, symbols, names)))
            }
        },
    }
}

/// A word of a command line, quoted where a shell would read more into it.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
