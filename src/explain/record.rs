//! What stands in a record: its fields, and the words of its event and answer.

use super::rows::{self, Verdict};
use super::sources::{fact, page, term_page, topic};
use super::{Kind, PageEntry, Source, Topic};
use crate::evidence::answer::SYNONYMS;
use crate::evidence::{Answer, Event, Field, Origin};
use crate::incident::Variant;
use crate::incident::catalogue::{self, Label, Language};

/// Events, answers, and other words for answers.
pub(super) struct Answers;

impl Answers {
    /// What a synonym means, and of which event, where that matters.
    fn meanings(word: &str) -> Vec<(Option<Event>, Answer)> {
        let by_event = Event::ALL
            .into_iter()
            .filter_map(|event| {
                let answer = Answer::of_word(word, Some(event), true)?;
                (answer != Answer::InDoubt).then_some((Some(event), answer))
            })
            .collect::<Vec<_>>();
        if by_event.is_empty() {
            let answer = Answer::of_word(word, None, true);
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
            aliases.extend(field.other_names().iter().map(ToString::to_string));
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
        spellings.extend(field.other_names().iter().map(ToString::to_string));
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
