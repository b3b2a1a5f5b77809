//! The tables and lines that every form of a report shows alike.

mod incident;
mod timeline;
mod whole;

pub use self::incident::{evidence, facts, record_next};
pub use self::timeline::{line, order, timeline};
pub use self::whole::{counts, coverage, inputs, origins};
use super::model::{Active, Actor, Saying};
use super::text::Text;
use super::words::words;
use crate::incident::catalogue::{self, Label, Language};

/// A table: a head and rows of the same length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// What it is.
    pub caption: Text,
    /// The heads of its columns.
    pub head: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Vec<Text>>,
}

impl Table {
    fn new(caption: Text, head: Vec<&'static str>) -> Table {
        Table {
            caption,
            head,
            rows: Vec::new(),
        }
    }

    /// Without the columns in which no row says anything.
    fn filled(mut self) -> Table {
        let said: Vec<bool> = (0..self.head.len())
            .map(|at| {
                self.rows
                    .iter()
                    .any(|row| row.get(at).is_some_and(|cell| !cell.is_empty()))
            })
            .collect();
        let mut keep = said.iter();
        self.head.retain(|_| keep.next().copied().unwrap_or(true));
        for row in &mut self.rows {
            let mut keep = said.iter();
            row.retain(|_| keep.next().copied().unwrap_or(true));
        }
        self
    }
}

fn label(language: Language, label: Label) -> &'static str {
    catalogue::label(language, label)
}

fn named(name: Option<&str>) -> Text {
    name.map(Text::name).unwrap_or_default()
}

fn number(number: Option<u64>) -> Text {
    number
        .map(|one| Text::words(one.to_string()))
        .unwrap_or_default()
}

/// Owner, token, answer, highest token, key, lease, time: what decides stands first.
fn saying(record: &Saying, language: Language) -> Vec<Text> {
    let mut answer = Text::words(catalogue::answer(language, record.result).name);
    if record.result.event().is_none() {
        answer = Text::words(catalogue::event(language, record.event).name)
            .and(": ")
            .and(catalogue::answer(language, record.result).name);
    }
    if let Some(active) = &record.active {
        let (before, after) = words(language).active.split_once("{}").unwrap_or_default();
        answer = answer.and(" (").and(before);
        answer = match active {
            Active::None => answer.and(words(language).nobody),
            Active::Lease(actor) => holder(answer, actor),
        };
        answer = answer.and(after).and(")");
    }
    vec![
        named(record.owner_id.as_deref()),
        number(record.fence_token),
        answer,
        highest(record),
        named(record.resource_key.as_deref()),
        named(record.lease_id.as_deref()),
        named(record.ts.as_deref()),
    ]
}

/// The lease of somebody, with what is known of it.
fn holder(text: Text, actor: &Actor) -> Text {
    match (&actor.lease_id, actor.fence_token, &actor.owner_id) {
        (Some(lease), ..) => text.and_name(lease),
        (None, Some(token), _) => text.and(&token.to_string()),
        (None, None, Some(owner)) => text.and_name(owner),
        (None, None, None) => text.and("?"),
    }
}

fn highest(record: &Saying) -> Text {
    let shown = |token: Option<u64>| token.map_or("?".to_owned(), |one| one.to_string());
    match (
        record.resource_highest_token_before,
        record.resource_highest_token_after,
    ) {
        (None, None) => Text::default(),
        (before, after) => Text::words(format!("{} → {}", shown(before), shown(after))),
    }
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_lowercase().chain(chars).collect(),
        None => String::new(),
    }
}
