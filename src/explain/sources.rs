//! What pages of all families are made with, and the family of exit codes.

use super::{Fact, Kind, PageEntry, Source, Topic};
use crate::incident::catalogue::{self, Label, Language, Term};

pub(super) fn topic(name: impl Into<String>, kind: Kind, title: impl Into<String>) -> Topic {
    Topic {
        name: name.into(),
        kind,
        title: title.into(),
        aliases: Vec::new(),
    }
}

pub(super) fn page(name: &str, kind: Kind, title: &str, meaning: Vec<String>) -> PageEntry {
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
