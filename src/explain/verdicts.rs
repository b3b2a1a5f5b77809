//! What an incident is called: its class, its variant, how firmly, with what outcome and on
//! whose trust.

use super::rows::{self, Row, Strength, Verdict};
use super::samples::sample;
use super::sources::{fact, owned, page, term_page, topic};
use super::{Kind, PageEntry, Records, RowEntry, Source, Topic};
use crate::incident::catalogue::{self, Label, Language, Term};
use crate::incident::{Assumption, Class, Outcome, Status, Variant};

/// Classes of incident.
pub(super) struct Classes;

impl Source for Classes {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let title = |class| catalogue::class_entry(language, class).title;
        Class::ALL
            .into_iter()
            .map(|class| topic(class.name(), Kind::Class, title(class)))
            .collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let class = Class::from_name(name)?;
        let words = catalogue::class_entry(language, class);
        let variants: Vec<&Variant> = Variant::ALL
            .iter()
            .filter(|variant| variant.class() == class)
            .collect();
        let mut entry = page(
            name,
            Kind::Class,
            words.title,
            vec![words.observation.to_owned()],
        );
        entry.facts = vec![
            fact(language, Label::Boundary, owned(&[words.boundary])),
            fact(language, Label::Check, owned(words.check)),
            fact(language, Label::NextAction, owned(&[words.next_action])),
            fact(language, Label::NotCovered, owned(words.not_covered)),
            fact(
                language,
                Label::Variant,
                variants
                    .iter()
                    .map(|one| format!("{one}: {}", catalogue::entry(language, **one).title))
                    .collect(),
            ),
        ];
        entry.see_also = variants.iter().map(ToString::to_string).collect();
        Some(entry)
    }
}

/// Variants of a class.
pub(super) struct Variants;

impl Source for Variants {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let one = |variant: &Variant| Topic {
            aliases: vec![format!("{}/{variant}", variant.class())],
            ..topic(
                variant.name(),
                Kind::Variant,
                catalogue::entry(language, *variant).title,
            )
        };
        Variant::ALL.iter().map(one).collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let variant = Variant::from_name(name)?;
        let words = catalogue::entry(language, variant);
        let rows: Vec<RowEntry> = rows::of(variant)
            .filter_map(|row| row_entry(row, language))
            .collect();
        let strongest = if variant.class() == Class::Undecided {
            Status::Undecided
        } else if rows
            .iter()
            .any(|row| row.status.iter().any(|one| one == "proven"))
        {
            Status::Proven
        } else {
            Status::Suspected
        };
        let told = catalogue::tell(language, &catalogue::story(variant, strongest));
        let sample = sample(variant);
        let mut entry = page(name, Kind::Variant, words.title, vec![told.observation]);
        entry.facts = vec![
            fact(
                language,
                Label::Class,
                vec![variant.class().name().to_owned()],
            ),
            fact(language, Label::Boundary, vec![told.boundary]),
            fact(language, Label::Check, told.check),
            fact(language, Label::NextAction, vec![told.next_action]),
            fact(language, Label::NotCovered, told.not_covered),
            fact(
                language,
                Label::Subject,
                owned(&[rows::subject(variant).get(language)]),
            ),
        ];
        entry.rows = rows;
        entry.example = Some(lines(sample.example, None));
        entry.near_miss = Some(lines(sample.near_miss, Some(sample.why.get(language))));
        entry.see_also = vec![variant.class().name().to_owned()];
        Some(entry)
    }
}

/// Statuses, outcomes and assumptions.
pub(super) struct Judgements;

impl Judgements {
    fn all(language: Language) -> Vec<(&'static str, Kind, Term)> {
        let statuses =
            Status::ALL.map(|it| (it.name(), Kind::Status, catalogue::status(language, it)));
        let outcomes =
            Outcome::ALL.map(|it| (it.name(), Kind::Outcome, catalogue::outcome(language, it)));
        let assumptions = Assumption::ALL.map(|it| {
            let term = catalogue::assumption(language, it);
            (it.name(), Kind::Assumption, term)
        });
        statuses
            .into_iter()
            .chain(outcomes)
            .chain(assumptions)
            .collect()
    }
}

impl Source for Judgements {
    fn topics(&self, language: Language) -> Vec<Topic> {
        Judgements::all(language)
            .into_iter()
            .map(|(name, kind, term)| topic(name, kind, term.name))
            .collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let (name, kind, term) = Judgements::all(language)
            .into_iter()
            .find(|(one, ..)| *one == name)?;
        let mut entry = term_page(name, kind, term);
        let variants: Vec<String> = Variant::ALL
            .iter()
            .filter(|variant| {
                rows::of(**variant)
                    .filter_map(|row| row_entry(row, language))
                    .any(|row| {
                        row.outcome == name
                            || row.status.iter().chain(&row.assumes).any(|one| one == name)
                    })
            })
            .map(|variant| format!("{}/{variant}", variant.class()))
            .collect();
        entry.facts = vec![fact(language, Label::Variant, variants)];
        Some(entry)
    }
}

fn lines(lines: &[&str], note: Option<&str>) -> Records {
    Records {
        lines: owned(lines),
        note: note.map(str::to_owned),
    }
}

fn row_entry(row: &Row, language: Language) -> Option<RowEntry> {
    let Verdict::Incident {
        strength,
        outcome,
        assumes,
        missing,
        candidates,
        ..
    } = row.verdict
    else {
        return None;
    };
    let status = match strength {
        Strength::Always(status) => vec![status],
        Strength::ByOrder => vec![Status::Proven, Status::Suspected],
    };
    Some(RowEntry {
        id: row.id.to_owned(),
        when: row.when.get(language).to_owned(),
        status: status.iter().map(|one| one.name().to_owned()).collect(),
        outcome: outcome.name().to_owned(),
        assumes: assumes.iter().map(|one| one.name().to_owned()).collect(),
        missing: missing.iter().map(|one| one.name().to_owned()).collect(),
        candidates: candidates.iter().map(|one| one.name().to_owned()).collect(),
    })
}
