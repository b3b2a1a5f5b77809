//! The timelines as one Mermaid sequence diagram, for documents that draw it.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::model::{Active, Column, Entry, Report, Timeline};
use super::words::{fill, words};
use crate::escape::mermaid as escape;
use crate::evidence::{Answer, Event};
use crate::incident::catalogue::{self, Label, Language, Noun};

/// Documents refuse longer diagrams.
const MOST_MESSAGES: usize = 150;
/// A diagram with more lanes can't be read.
const MOST_LOCKS: usize = 5;

/// The diagram of a report.
pub fn render(report: &Report, language: Language) -> String {
    let mut diagram = Diagram {
        language,
        participants: String::new(),
        body: String::new(),
        known: HashMap::new(),
        messages: 0,
    };
    let shown = report.timelines.len().min(MOST_LOCKS);
    for timeline in report.timelines.iter().take(shown) {
        diagram.timeline(timeline);
    }
    let left = (report.timelines.len() - shown) as u64 + report.more_timelines;
    let mut out = String::from("sequenceDiagram\n");
    out.push_str(&diagram.participants);
    if diagram.participants.is_empty() {
        let none = catalogue::label(language, Label::NoIncident);
        let _ = writeln!(out, "  participant none as {}", escape(none));
    }
    out.push_str(&diagram.body);
    if left > 0 {
        let locks = catalogue::count(language, left, Noun::Lock);
        let more = fill(words(language).more_timelines, &[&locks]);
        let _ = writeln!(out, "  %% {}", escape(&more));
    }
    out
}

/// Who takes part.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    Owner(Option<String>),
    /// The authority of a lock.
    Lock(String),
    Key(Option<String>),
}

struct Diagram {
    language: Language,
    participants: String,
    body: String,
    known: HashMap<Who, String>,
    messages: usize,
}

// Writing to a String cannot fail, so its results are let go throughout.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{ let _ = writeln!($out, $($arg)*); }};
}

impl Diagram {
    fn timeline(&mut self, timeline: &Timeline) {
        let lock = self.who(Who::Lock(timeline.lock_name.clone()));
        for (at, column) in timeline.columns.iter().enumerate() {
            if self.messages >= MOST_MESSAGES {
                let left: u64 = timeline.columns.iter().skip(at).map(Column::count).sum();
                self.gap(&lock, left);
                return;
            }
            match column.entry() {
                Some(entry) => self.entry(entry, column.count(), &lock),
                None => self.gap(&lock, column.count()),
            }
        }
    }

    fn gap(&mut self, lock: &str, count: u64) {
        let records = catalogue::count(self.language, count, Noun::Record);
        let gap = fill(words(self.language).gap, &[&records]);
        put!(self.body, "  Note over {lock}: {}", escape(&gap));
    }

    fn entry(&mut self, entry: &Entry, count: u64, lock: &str) {
        self.messages += 1;
        let record = &entry.record;
        let owner = self.who(Who::Owner(record.owner_id.clone()));
        let target = match record.event {
            Event::Write => self.who(Who::Key(record.resource_key.clone())),
            _ => lock.to_owned(),
        };
        let mut text = catalogue::answer(self.language, record.result)
            .name
            .to_owned();
        if record.result.event().is_none() || record.event == Event::Write {
            let event = catalogue::event(self.language, record.event).name;
            text = format!("{event}, {text}");
        }
        let label = |label| catalogue::label(self.language, label).to_lowercase();
        if let Some(lease) = record
            .lease_id
            .as_deref()
            .filter(|_| record.event != Event::Write)
        {
            let _ = write!(text, ", {} {lease}", label(Label::Lease));
        }
        if let Some(token) = record.fence_token {
            let _ = write!(text, ", {} {token}", label(Label::Token));
        }
        if let Some(before) = record.resource_highest_token_before {
            let _ = write!(text, ", {} {before}", label(Label::HighestToken));
        }
        if let Some(Active::Lease(actor)) = &record.active
            && let Some(lease) = &actor.lease_id
        {
            let active = fill(words(self.language).active, &[lease]);
            let _ = write!(text, ", {active}");
        }
        if count > 1 {
            let _ = write!(text, ", ×{count}");
        }
        let arrow = match record.result {
            Answer::AcquireRejectedHeld
            | Answer::RenewRejectedNotOwner
            | Answer::ReleaseRejectedNotOwner
            | Answer::RejectedStaleFence
            | Answer::RejectedDuplicate
            | Answer::RejectedOther => "-x",
            Answer::InDoubt => "--)",
            _ => "->>",
        };
        if record.result == Answer::Expired {
            put!(self.body, "  Note over {target}: {}", escape(&text));
        } else {
            put!(
                self.body,
                "  {owner}{arrow}{target}: {}. {}",
                entry.position,
                escape(&text)
            );
        }
        for part in entry.incidents.iter().filter(|part| part.decides) {
            let number = part.incident.to_string();
            let note = fill(words(self.language).incident, &[&number]);
            put!(self.body, "  Note right of {target}: {}", escape(&note));
        }
    }

    fn who(&mut self, who: Who) -> String {
        let number = self.known.len() + 1;
        if let Some(id) = self.known.get(&who) {
            return id.clone();
        }
        let words = words(self.language);
        let (kind, name) = match &who {
            Who::Owner(name) => (
                "participant",
                name.as_deref().unwrap_or(words.unnamed_owner),
            ),
            Who::Lock(name) => ("participant", name.as_str()),
            Who::Key(name) => ("participant", name.as_deref().unwrap_or(words.unnamed_key)),
        };
        let label = match &who {
            Who::Owner(_) => Label::Owner,
            Who::Lock(_) => Label::Lock,
            Who::Key(_) => Label::ResourceKey,
        };
        let label = catalogue::label(self.language, label);
        let id = format!("p{number}");
        put!(
            self.participants,
            "  {kind} {id} as {}<br/>{}",
            escape(label),
            escape(if name.is_empty() { "\"\"" } else { name })
        );
        self.known.insert(who, id.clone());
        id
    }
}
