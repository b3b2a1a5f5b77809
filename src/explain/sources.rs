//! The families of topics.

use super::rows::{self, Row, Strength, Verdict};
use super::samples::sample;
use super::{Fact, Kind, PageEntry, Records, RowEntry, Source, Topic};
use crate::evidence::answer::SYNONYMS;
use crate::evidence::{Answer, Event, Field, Origin};
use crate::incident::catalogue::{self, Label, Language, Term};
use crate::incident::{Assumption, Class, Outcome, Status, Variant};

pub(super) fn topic(name: impl Into<String>, kind: Kind, title: impl Into<String>) -> Topic {
    Topic {
        name: name.into(),
        kind,
        title: title.into(),
        aliases: Vec::new(),
    }
}

fn page(name: &str, kind: Kind, title: &str, meaning: Vec<String>) -> PageEntry {
    PageEntry {
        name: name.to_owned(),
        kind,
        title: title.to_owned(),
        meaning,
        facts: Vec::new(),
        rows: Vec::new(),
        example: None,
        near_miss: None,
        see_also: Vec::new(),
    }
}

pub(super) fn term_page(name: &str, kind: Kind, term: Term) -> PageEntry {
    page(name, kind, term.name, vec![term.meaning.to_owned()])
}

pub(super) fn fact(language: Language, label: Label, values: Vec<String>) -> Fact {
    Fact {
        label: catalogue::label(language, label).to_owned(),
        values,
    }
}

pub(super) fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
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

/// Events, answers, and other words for answers.
pub(super) struct Answers;

impl Answers {
    /// What a synonym means, and of which event, where that matters.
    fn meanings(word: &str) -> Vec<(Option<Event>, Answer)> {
        let by_event = Event::ALL
            .into_iter()
            .filter_map(|event| {
                let answer = Answer::from_word(word, Some(event), true).ok()?;
                (answer != Answer::InDoubt).then_some((Some(event), answer))
            })
            .collect::<Vec<_>>();
        if by_event.is_empty() {
            let answer = Answer::from_word(word, None, true).ok();
            return answer.map(|answer| (None, answer)).into_iter().collect();
        }
        by_event
    }

    fn synonyms() -> impl Iterator<Item = &'static str> {
        SYNONYMS
            .into_iter()
            .filter(|word| Answer::ALL.iter().all(|answer| answer.word() != *word))
    }
}

impl Source for Answers {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let events = Event::ALL.map(|it| {
            let title = catalogue::event(language, it).name;
            topic(it.word(), Kind::Event, title)
        });
        let answers = Answer::ALL.map(|it| {
            let title = catalogue::answer(language, it).name;
            topic(it.word(), Kind::Result, title)
        });
        let synonyms = Answers::synonyms().map(|word| {
            let means = Answers::meanings(word);
            let mut words: Vec<&str> = means.iter().map(|(_, answer)| answer.word()).collect();
            words.dedup();
            topic(word, Kind::Synonym, words.join(", "))
        });
        events.into_iter().chain(answers).chain(synonyms).collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        if let Some(event) = Event::ALL.into_iter().find(|event| event.word() == name) {
            let mut entry = term_page(name, Kind::Event, catalogue::event(language, event));
            entry.see_also = Answer::ALL
                .into_iter()
                .filter(|answer| answer.event() == Some(event))
                .map(|answer| answer.word().to_owned())
                .collect();
            return Some(entry);
        }
        if let Some(answer) = Answer::ALL.into_iter().find(|answer| answer.word() == name) {
            let mut entry = term_page(name, Kind::Result, catalogue::answer(language, answer));
            let event = answer.event().map(|event| event.word().to_owned());
            let synonyms = Answers::synonyms()
                .filter(|word| {
                    Answers::meanings(word)
                        .iter()
                        .any(|(_, one)| *one == answer)
                })
                .map(str::to_owned)
                .collect();
            entry.facts = vec![
                fact(language, Label::Event, event.clone().into_iter().collect()),
                fact(language, Label::Synonyms, synonyms),
            ];
            entry.see_also = event.into_iter().collect();
            return Some(entry);
        }
        let word = Answers::synonyms().find(|word| *word == name)?;
        let means = Answers::meanings(word);
        let say = |(event, answer): &(Option<Event>, Answer)| match event {
            Some(event) => format!("{}: {}", event.word(), answer.word()),
            None => answer.word().to_owned(),
        };
        let mut entry = page(
            word,
            Kind::Synonym,
            word,
            means
                .iter()
                .map(|(_, answer)| catalogue::answer(language, *answer).meaning.to_owned())
                .collect(),
        );
        entry.facts = vec![fact(
            language,
            Label::Result,
            means.iter().map(say).collect(),
        )];
        entry.see_also = means
            .iter()
            .map(|(_, answer)| answer.word().to_owned())
            .collect();
        entry.see_also.dedup();
        Some(entry)
    }
}

/// Evidence fields.
pub(super) struct Fields;

impl Source for Fields {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let one = |field: Field| {
            let mut aliases = vec![field.snake_name().to_owned()];
            if field == Field::Seq {
                aliases.push("sequence".to_owned());
            }
            let title = catalogue::field(language, field);
            let first = title.split_once(". ").map_or(title, |(first, _)| first);
            Topic {
                aliases,
                ..topic(field.name(), Kind::Field, first.trim_end_matches('.'))
            }
        };
        Field::ALL.into_iter().map(one).collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let field = Field::from_name(name)?;
        let mut entry = page(
            field.name(),
            Kind::Field,
            field.name(),
            vec![catalogue::field(language, field).to_owned()],
        );
        let mut spellings = vec![field.name().to_owned()];
        if field.snake_name() != field.name() {
            spellings.push(field.snake_name().to_owned());
        }
        if field == Field::Seq {
            spellings.push("sequence".to_owned());
        }
        entry
            .facts
            .push(fact(language, Label::Spellings, spellings));
        let decides = catalogue::missing(language, field).to_owned();
        entry
            .facts
            .push(fact(language, Label::Missing, vec![decides]));
        if field == Field::SeqBy {
            let origins = Origin::ALL.map(|origin| {
                let term = catalogue::origin(language, origin);
                format!("{} ({}): {}", origin.word(), term.name, term.meaning)
            });
            entry
                .facts
                .push(fact(language, Label::Meaning, origins.to_vec()));
        }
        let variants = Variant::ALL.iter().filter(|variant| {
            rows::of(**variant).any(|row| {
                matches!(row.verdict, Verdict::Incident { missing, .. } if missing.contains(&field))
            })
        });
        entry.see_also = variants.map(ToString::to_string).collect();
        Some(entry)
    }
}

/// Exit codes.
pub(super) struct ExitCodes;

impl Source for ExitCodes {
    fn topics(&self, language: Language) -> Vec<Topic> {
        (0..=u8::MAX)
            .filter_map(|code| Some((code, catalogue::exit_code(language, code)?)))
            .map(|(code, term)| Topic {
                aliases: vec![code.to_string()],
                ..topic(format!("exit-{code}"), Kind::ExitCode, term.name)
            })
            .collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let code = name.strip_prefix("exit-")?.parse().ok()?;
        let term = catalogue::exit_code(language, code)?;
        Some(term_page(name, Kind::ExitCode, term))
    }
}
