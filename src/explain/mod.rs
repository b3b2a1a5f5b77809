//! What every word of the tool means: classes, variants, cautions, answers, fields, exit
//! codes.
//!
//! ```
//! use lockdiag::explain::{explain, text};
//! use lockdiag::incident::catalogue::Language;
//!
//! let page = explain("write-refused", Language::En).unwrap();
//! assert!(text(&page, Language::En).contains("stale-owner"));
//!
//! let unknown = explain("write-refusd", Language::En).unwrap_err();
//! assert_eq!(unknown.nearest[0], "write-refused");
//! ```

mod parts;
mod record;
pub mod rows;
pub mod samples;
mod sources;
mod summaries;
mod text;
mod verdicts;

use schemars::JsonSchema;
use serde::Serialize;

use crate::incident::catalogue::Language;
use crate::near;
pub use text::{list, text};

/// What kind of thing a name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A class of incident.
    Class,
    /// A variant of a class.
    Variant,
    /// How firmly the records say it.
    Status,
    /// What the incident did.
    Outcome,
    /// What is taken on trust.
    Assumption,
    /// The part that a record plays in an incident.
    Role,
    /// What to know before trusting that nothing was found.
    Caution,
    /// Why verdicts of a lock are withheld.
    Withheld,
    /// A step of the protocol.
    Event,
    /// An answer.
    Result,
    /// Another word for an answer.
    Synonym,
    /// Who gave a `seq`.
    Origin,
    /// An evidence field.
    Field,
    /// An exit code.
    ExitCode,
    /// A code of `lint`.
    LintCode,
}

/// Something that can be explained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Topic {
    /// The name to ask for.
    pub name: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// One line.
    pub title: String,
    /// Other names that lead to it.
    pub aliases: Vec<String>,
}

/// All that is said of one name. Several things may share it: `undecided` is a class and
/// a status.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// `lockdiag.explain/1`.
    pub schema: &'static str,
    /// The name that was asked for, as the tool spells it.
    pub name: String,
    /// What it is, the most important first.
    pub entries: Vec<PageEntry>,
}

/// All that is said of one thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PageEntry {
    /// Its name.
    pub name: String,
    /// What kind of thing it is.
    pub kind: Kind,
    /// A heading.
    pub title: String,
    /// What it means, in whole sentences.
    pub meaning: Vec<String>,
    /// Everything else, under short labels.
    pub facts: Vec<Fact>,
    /// The rows of the diagnosis that say it.
    pub rows: Vec<RowEntry>,
    /// Records that show it.
    pub example: Option<Records>,
    /// Records that almost show it, and why they do not.
    pub near_miss: Option<Records>,
    /// Names to read next.
    pub see_also: Vec<String>,
}

/// A label and what stands under it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    /// The label.
    pub label: String,
    /// What stands under it.
    pub values: Vec<String>,
}

/// One row of the diagnosis.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowEntry {
    /// Its name, and that of its case.
    pub id: String,
    /// The condition.
    pub when: String,
    /// The status; two where the order decides, the stronger first.
    pub status: Vec<String>,
    /// The outcome.
    pub outcome: String,
    /// What it takes on trust.
    pub assumes: Vec<String>,
    /// The fields that would settle it.
    pub missing: Vec<String>,
    /// The classes left.
    pub candidates: Vec<String>,
}

/// Some evidence records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Records {
    /// One JSON object a line, as they stand in a log.
    pub lines: Vec<String>,
    /// What there is to see.
    pub note: Option<String>,
}

/// There is no such topic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("nothing here is called {name:?}")]
pub struct UnknownTopic {
    /// The name that was asked for.
    pub name: String,
    /// The nearest names, the nearest first; empty where none is near.
    pub nearest: Vec<String>,
}

/// The schema of a [`Page`].
pub const SCHEMA: &str = "lockdiag.explain/1";

/// A family of topics. A new family (the codes of `lint`, say) is one more
/// implementation in `SOURCES`.
pub(crate) trait Source: Sync {
    fn topics(&self, language: Language) -> Vec<Topic>;
    /// The entry of one of these topics, by its own name.
    fn entry(&self, name: &str, language: Language) -> Option<PageEntry>;
}

/// Every family, in the order in which a shared name is explained.
const SOURCES: [&dyn Source; 10] = [
    &verdicts::Classes,
    &verdicts::Variants,
    &verdicts::Judgements,
    &record::Answers,
    &record::Fields,
    &parts::Origins,
    &parts::Roles,
    &summaries::Summaries,
    &sources::ExitCodes,
    &crate::lint::explain::LintCodes,
];

/// Everything that can be explained.
pub fn topics(language: Language) -> Vec<Topic> {
    SOURCES
        .into_iter()
        .flat_map(|source| source.topics(language))
        .collect()
}

/// Explains a name. Case, `_` and `-` do not matter.
///
/// # Errors
/// [`UnknownTopic`] with the nearest names.
pub fn explain(name: &str, language: Language) -> Result<Page, UnknownTopic> {
    let asked = near::plain(name);
    let mut entries = Vec::new();
    for source in SOURCES {
        for topic in source.topics(language) {
            let mut names = std::iter::once(&topic.name).chain(&topic.aliases);
            if names.any(|one| near::plain(one) == asked) {
                entries.extend(source.entry(&topic.name, language));
            }
        }
    }
    match entries.first() {
        Some(first) => Ok(Page {
            schema: SCHEMA,
            name: first.name.clone(),
            entries,
        }),
        None => Err(UnknownTopic {
            name: name.to_owned(),
            nearest: nearest(&asked),
        }),
    }
}

fn nearest(asked: &str) -> Vec<String> {
    let mut scored: Vec<(usize, String)> = topics(Language::En)
        .into_iter()
        .flat_map(|topic| std::iter::once(topic.name).chain(topic.aliases))
        .filter_map(|name| Some((near::distance(asked, &name)?, name)))
        .collect();
    scored.sort();
    let mut names: Vec<String> = Vec::new();
    for (_, name) in scored {
        if names.len() < 3 && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

#[cfg(test)]
mod tests;
