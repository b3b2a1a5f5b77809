//! Incidents that are told together: same section, same variant, same advice.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

use super::block::{self, shortened};
use super::paint::{self, Style};
use super::phrases::phrases;
use crate::incident::catalogue::{self, Label, Language, Noun, Term, Told};
use crate::incident::{Incident, Outcome, Status};

/// The parts of the text form, worst first. What the records do not decide stands
/// between what is bad and what went well, whatever its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Breached,
    Exposed,
    Unknown,
    Undecided,
    Guarded,
}

impl Section {
    pub(super) const ALL: [Section; 5] = [
        Section::Breached,
        Section::Exposed,
        Section::Unknown,
        Section::Undecided,
        Section::Guarded,
    ];

    fn of(incident: &Incident) -> Section {
        match (incident.status, incident.outcome) {
            (Status::Undecided, _) => Section::Undecided,
            (_, Outcome::Breached) => Section::Breached,
            (_, Outcome::Exposed) => Section::Exposed,
            (_, Outcome::Unknown) => Section::Unknown,
            (_, Outcome::Guarded) => Section::Guarded,
        }
    }

    /// The outcome of its incidents; `None` where they are undecided.
    fn outcome(self) -> Option<Outcome> {
        match self {
            Section::Undecided => None,
            Section::Breached => Some(Outcome::Breached),
            Section::Exposed => Some(Outcome::Exposed),
            Section::Unknown => Some(Outcome::Unknown),
            Section::Guarded => Some(Outcome::Guarded),
        }
    }

    fn term(self, language: Language) -> Term {
        self.outcome().map_or_else(
            || catalogue::status(language, Status::Undecided),
            |outcome| catalogue::outcome(language, outcome),
        )
    }

    pub(super) fn name(self, language: Language) -> &'static str {
        self.term(language).name
    }

    /// What the section says of its incidents, which is no more than they say themselves.
    pub(super) fn meaning(
        self,
        language: Language,
        count: usize,
        suspected: usize,
    ) -> Cow<'static, str> {
        let meaning = self.term(language).meaning;
        match self.outcome() {
            Some(outcome) if suspected == count => {
                catalogue::suspected_outcome(language, outcome).into()
            }
            Some(_) if suspected > 0 => {
                format!("{meaning} {}", phrases(language).of_suspected).into()
            }
            _ => meaning.into(),
        }
    }
}

/// What the members of a group have in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Advice {
    pub(super) boundary: String,
    pub(super) check: Vec<String>,
    pub(super) next_action: String,
    pub(super) not_covered: Vec<String>,
}

/// One incident, with what is told of it alone.
pub(super) struct Member {
    pub(super) incident: Incident,
    pub(super) told: Told,
    /// What its next action says beyond that of the group.
    pub(super) also: Option<String>,
}

pub(super) struct Group {
    section: Section,
    advice: Advice,
    pub(super) members: Vec<Member>,
}

/// The groups of one section: by class and variant in documented order, within that by
/// first appearance.
pub(super) fn groups(shown: &[&Incident], section: Section, language: Language) -> Vec<Group> {
    let mut incidents: Vec<&Incident> = shown
        .iter()
        .copied()
        .filter(|incident| Section::of(incident) == section)
        .collect();
    incidents.sort_by_key(|incident| (incident.class(), incident.variant));
    let mut index: HashMap<(crate::incident::Variant, Advice), usize> = HashMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for incident in incidents {
        let (advice, member) = told(incident, language);
        let key = (incident.variant, advice.clone());
        let at = *index.entry(key).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(group) => group.members.push(member),
            None => groups.push(Group {
                section,
                advice,
                members: vec![member],
            }),
        }
    }
    groups
}

/// A group of one.
pub(super) fn alone(incident: &Incident, language: Language) -> Group {
    let (advice, member) = told(incident, language);
    Group {
        section: Section::of(incident),
        advice,
        members: vec![member],
    }
}

fn told(incident: &Incident, language: Language) -> (Advice, Member) {
    let incident = shortened(incident);
    let told = catalogue::tell(language, &incident);
    // How often it happened is told of each one; the advice is that for once.
    let mut once = incident.clone();
    once.occurrences = 1;
    let general = catalogue::tell(language, &once);
    let also = (told.next_action != general.next_action).then(|| {
        told.next_action
            .strip_prefix(&general.next_action)
            .unwrap_or(&told.next_action)
            .trim()
            .to_owned()
    });
    let advice = Advice {
        boundary: general.boundary,
        check: general.check,
        next_action: general.next_action,
        not_covered: general.not_covered,
    };
    let member = Member {
        incident,
        told,
        also,
    };
    (advice, member)
}

impl Group {
    pub(super) fn write(&self, style: &Style, out: &mut dyn Write) -> io::Result<()> {
        let quiet = match self.section {
            Section::Guarded => paint::DIM,
            _ => paint::PLAIN,
        };
        if let [one] = self.members.as_slice() {
            block::write(one, "", self.section, style, out)?;
            return self.advise(style, quiet, out);
        }
        let Some(first) = self.members.first() else {
            return Ok(());
        };
        let variant = first.incident.variant;
        let language = style.language;
        let count = catalogue::count(language, self.members.len() as u64, Noun::Incident);
        let title = format!("{}: {count}", catalogue::entry(language, variant).title);
        style.wrapped("", &title, self.section.colour(), out)?;
        let shared = self.shared_observation();
        if !shared.is_empty() {
            let label = catalogue::label(language, Label::Observation);
            style.labelled(label, shared, quiet, out)?;
        }
        self.advise(style, quiet, out)?;
        for member in &self.members {
            writeln!(out)?;
            block::write(member, shared, self.section, style, out)?;
        }
        Ok(())
    }

    /// The last sentences of the observation, as far as they are the same for all.
    fn shared_observation(&self) -> &str {
        let mut members = self.members.iter().map(|one| one.told.observation.as_str());
        let Some(first) = members.next() else {
            return "";
        };
        let mut shared = first;
        for other in members {
            while !other.ends_with(shared) {
                shared = shared.split_once(". ").map_or("", |(_, rest)| rest);
            }
        }
        // Each keeps a sentence of its own.
        if shared == first {
            first.split_once(". ").map_or("", |(_, rest)| rest)
        } else {
            shared
        }
    }

    fn advise(&self, style: &Style, ansi: anstyle::Style, out: &mut dyn Write) -> io::Result<()> {
        let label = |label| catalogue::label(style.language, label);
        let advice = &self.advice;
        style.labelled(label(Label::Boundary), &advice.boundary, ansi, out)?;
        style.list(label(Label::Check), &advice.check, ansi, out)?;
        style.labelled(label(Label::NextAction), &advice.next_action, ansi, out)?;
        style.list(label(Label::NotCovered), &advice.not_covered, ansi, out)
    }
}
