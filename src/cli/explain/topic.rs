//! The pages of `explain`, made from the words that every output uses.

use serde::Serialize;

use crate::cli::exit::Exit;
use crate::evidence::{Answer, Event, Field, Origin};
use crate::incident::catalogue::{self, Entry, Label, Language, Term, Told};
use crate::incident::{Assumption, CautionKind, Class, Outcome, Status, Variant, WithheldReason};

/// What a page is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Kind {
    Class,
    Variant,
    Status,
    Outcome,
    Assumption,
    Field,
    Event,
    Result,
    SeqBy,
    Caution,
    Withheld,
    ExitCode,
}

impl Kind {
    /// What one of them is called.
    pub(super) fn one(self, language: Language) -> &'static str {
        let (en, ru) = match self {
            Kind::Class => ("class", "класс"),
            Kind::Variant => ("variant", "вариант"),
            Kind::Status => ("status", "статус"),
            Kind::Outcome => ("outcome", "исход"),
            Kind::Assumption => ("assumption", "допущение"),
            Kind::Field => ("evidence field", "поле записи"),
            Kind::Event => ("event", "событие"),
            Kind::Result => ("result", "результат"),
            Kind::SeqBy => ("seqBy", "seqBy"),
            Kind::Caution => ("caution", "оговорка"),
            Kind::Withheld => ("reason to withhold verdicts", "почему вывод не сделан"),
            Kind::ExitCode => ("exit code", "код завершения"),
        };
        match language {
            Language::En => en,
            Language::Ru => ru,
        }
    }

    /// What the list of them is called.
    pub(super) fn heading(self, language: Language) -> &'static str {
        let (en, ru) = match self {
            Kind::Class => ("Classes", "Классы"),
            Kind::Variant => ("Variants", "Варианты"),
            Kind::Status => ("Statuses", "Статусы"),
            Kind::Outcome => ("Outcomes", "Исходы"),
            Kind::Assumption => ("Assumptions", "Допущения"),
            Kind::Field => ("Evidence fields", "Поля записи"),
            Kind::Event => ("Events", "События"),
            Kind::Result => ("Results", "Результаты"),
            Kind::SeqBy => ("Who gave seq (seqBy)", "Кто дал seq (seqBy)"),
            Kind::Caution => ("Cautions", "Оговорки"),
            Kind::Withheld => ("Why verdicts are withheld", "Почему вывод не сделан"),
            Kind::ExitCode => ("Exit codes", "Коды завершения"),
        };
        match language {
            Language::En => en,
            Language::Ru => ru,
        }
    }
}

/// One page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Page {
    pub(super) kind: Kind,
    pub(super) name: String,
    /// Other spellings of the name.
    also: Vec<String>,
    /// One sentence.
    pub(super) title: String,
    pub(super) parts: Vec<Part>,
}

/// One labelled part of a page.
#[derive(Debug, Serialize)]
pub(super) struct Part {
    /// What the texts are; programs know it by its name in English.
    #[serde(serialize_with = "name_of_label")]
    pub(super) label: Label,
    pub(super) texts: Vec<String>,
}

impl Page {
    fn new(kind: Kind, name: &str, title: impl Into<String>) -> Page {
        Page {
            kind,
            name: name.to_owned(),
            also: Vec::new(),
            title: title.into(),
            parts: Vec::new(),
        }
    }

    fn term(kind: Kind, name: &str, term: Term) -> Page {
        let mut page = Page::new(kind, name, term.meaning);
        if term.name != name {
            page.title = format!("{}. {}", capital(term.name), term.meaning);
        }
        page
    }

    fn part(mut self, label: Label, texts: Vec<String>) -> Page {
        if texts.iter().any(|text| !text.is_empty()) {
            self.parts.push(Part { label, texts });
        }
        self
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name)
            .chain(&self.also)
            .map(String::as_str)
    }
}

/// `Label::NextAction` is `nextAction`, as in an incident.
fn name_of_label<S: serde::Serializer>(label: &Label, to: S) -> Result<S::Ok, S::Error> {
    let name = format!("{label:?}");
    let (first, rest) = name.split_at(1);
    to.collect_str(&format_args!("{}{rest}", first.to_ascii_lowercase()))
}

fn capital(text: &str) -> String {
    let mut rest = text.chars();
    match rest.next() {
        Some(first) => first.to_uppercase().chain(rest).collect(),
        None => String::new(),
    }
}

/// Every page, in the order in which they are listed.
pub(super) fn topics(language: Language) -> Vec<Page> {
    let mut pages = Vec::new();
    for class in Class::ALL {
        pages.push(class_page(language, class));
    }
    pages.extend(Variant::ALL.iter().map(|one| variant_page(language, *one)));
    pages.extend(
        Status::ALL
            .map(|one| Page::term(Kind::Status, one.name(), catalogue::status(language, one))),
    );
    pages.extend(
        Outcome::ALL
            .map(|one| Page::term(Kind::Outcome, one.name(), catalogue::outcome(language, one))),
    );
    pages.extend(Assumption::ALL.map(|one| {
        Page::term(
            Kind::Assumption,
            one.name(),
            catalogue::assumption(language, one),
        )
    }));
    pages.extend(Field::ALL.map(|one| field_page(language, one)));
    pages.extend(Event::ALL.map(|one| event_page(language, one)));
    pages.extend(Answer::ALL.map(|one| answer_page(language, one)));
    pages.extend(
        Origin::ALL
            .map(|one| Page::term(Kind::SeqBy, one.word(), catalogue::origin(language, one))),
    );
    pages.extend(CAUTIONS.map(|one| {
        let name = serialized(&one);
        Page::term(Kind::Caution, &name, catalogue::caution_kind(language, one))
    }));
    pages.extend(WITHHELD.map(|one| {
        let name = serialized(&one);
        Page::term(
            Kind::Withheld,
            &name,
            catalogue::withheld_reason(language, one),
        )
    }));
    pages.extend(Exit::ALL.iter().filter_map(|exit| {
        let term = catalogue::exit_code(language, exit.code())?;
        Some(Page::term(Kind::ExitCode, &exit.code().to_string(), term))
    }));
    pages
}

const CAUTIONS: [CautionKind; 3] = [
    CautionKind::LateLine,
    CautionKind::LateReleaseLine,
    CautionKind::NoWriteDecided,
];

const WITHHELD: [WithheldReason; 5] = [
    WithheldReason::SeqOnSomeRecords,
    WithheldReason::SeqShared,
    WithheldReason::SeveralInputs,
    WithheldReason::OrderNotUsed,
    WithheldReason::ReorderMemory,
];

/// The name of a unit variant in the formats for machines.
fn serialized<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

fn class_page(language: Language, class: Class) -> Page {
    let entry = catalogue::class_entry(language, class);
    let variants = Variant::ALL
        .iter()
        .copied()
        .filter(|one| one.class() == class)
        .map(|one| format!("{one}: {}", catalogue::entry(language, one).title))
        .collect();
    let page = Page::new(Kind::Class, class.name(), entry.observation);
    advice(page, &plain_entry(entry)).part(Label::Rows, variants)
}

/// The words of a class, which hold no names to fill in.
fn plain_entry(entry: &Entry) -> Told {
    let all = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Told {
        headline: String::new(),
        observation: entry.observation.to_owned(),
        boundary: entry.boundary.to_owned(),
        check: all(entry.check),
        next_action: entry.next_action.to_owned(),
        not_covered: all(entry.not_covered),
    }
}

fn variant_page(language: Language, variant: Variant) -> Page {
    let entry = catalogue::entry(language, variant);
    let mut page = Page::new(Kind::Variant, variant.name(), format!("{}.", entry.title));
    page.also.push(format!("{}/{}", variant.class(), variant));
    let class = vec![variant.class().name().to_owned()];
    let page = page.part(Label::Class, class);
    let status = match variant.class() {
        Class::Undecided => Status::Undecided,
        _ => Status::Proven,
    };
    let told = catalogue::tell(language, &catalogue::story(variant, status));
    let example = told.observation.clone();
    let page = page.part(Label::Example, vec![example]);
    advice(page, &told)
}

fn advice(page: Page, told: &Told) -> Page {
    page.part(Label::Boundary, vec![told.boundary.clone()])
        .part(Label::Check, told.check.clone())
        .part(Label::NextAction, vec![told.next_action.clone()])
        .part(Label::NotCovered, told.not_covered.clone())
}

fn field_page(language: Language, field: Field) -> Page {
    let mut page = Page::new(Kind::Field, field.name(), catalogue::field(language, field));
    if field.snake_name() != field.name() {
        page.also.push(field.snake_name().to_owned());
    }
    if field == Field::Seq {
        page.also.push("sequence".to_owned());
    }
    let spellings = page.names().map(str::to_owned).collect();
    page.part(Label::Spellings, spellings).part(
        Label::Missing,
        vec![catalogue::missing(language, field).to_owned()],
    )
}

fn event_page(language: Language, event: Event) -> Page {
    let answers = Answer::ALL
        .iter()
        .filter(|answer| answer.event() == Some(event))
        .map(|answer| answer.word().to_owned())
        .collect();
    Page::term(Kind::Event, event.word(), catalogue::event(language, event))
        .part(Label::Result, answers)
}

fn answer_page(language: Language, answer: Answer) -> Page {
    let event = answer.event().map(|event| event.word().to_owned());
    // A synonym is listed where it can mean this answer, by whatever event.
    let synonyms: Vec<String> = crate::evidence::answer::SYNONYMS
        .iter()
        .filter(|word| **word != answer.word())
        .filter(|word| {
            [true, false].into_iter().any(|token| {
                std::iter::once(answer.event())
                    .chain([None])
                    .any(|event| Answer::from_word(word, event, token) == Ok(answer))
            })
        })
        .map(|word| (*word).to_owned())
        .collect();
    let mut page = Page::term(
        Kind::Result,
        answer.word(),
        catalogue::answer(language, answer),
    );
    page.also.clone_from(&synonyms);
    page.part(Label::Event, event.into_iter().collect())
        .part(Label::Synonyms, synonyms)
}
