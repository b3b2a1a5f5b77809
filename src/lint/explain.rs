//! The codes as topics of `explain`.

use super::catalogue::{entry, examples, headings};
use super::code::Code;
use crate::explain::{Fact, Kind, PageEntry, Records, Source, Topic};
use crate::incident::catalogue::Language;

/// The lint codes.
pub(crate) struct LintCodes;

impl Source for LintCodes {
    fn topics(&self, language: Language) -> Vec<Topic> {
        let topic = |code: &Code| Topic {
            name: code.id().to_owned(),
            kind: Kind::LintCode,
            title: format!("{}: {}", code.name(), entry(language, *code).summary),
            aliases: vec![code.name().to_owned()],
        };
        Code::ALL.iter().map(topic).collect()
    }

    fn entry(&self, name: &str, language: Language) -> Option<PageEntry> {
        let code = Code::from_name(name)?;
        let (words, examples) = (entry(language, code), examples(code));
        let [severity, why, bad, good, fix] = headings(language);
        let fact = |label: &str, value: &str| Fact {
            label: label.to_owned(),
            values: vec![value.to_owned()],
        };
        let lines = |text: &str, note: &str| {
            Some(Records {
                lines: text.lines().map(str::to_owned).collect(),
                note: Some(note.to_owned()),
            })
        };
        Some(PageEntry {
            name: code.id().to_owned(),
            kind: Kind::LintCode,
            title: code.name().to_owned(),
            meaning: vec![words.summary.to_owned()],
            facts: vec![
                fact(severity, code.severity().name()),
                fact(why, words.why),
                fact(fix, words.fix),
            ],
            rows: Vec::new(),
            example: lines(examples.bad, bad),
            near_miss: lines(examples.good, good),
            see_also: Vec::new(),
        })
    }
}
