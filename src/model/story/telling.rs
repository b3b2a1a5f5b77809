//! A told story as text for people and as JSON for programs.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::{Assertion, Step, Story, Telling, Told};
use crate::evidence::Event as Kind;
use crate::model::names::Names;

/// The story for people: what happened, what was asserted and whether it held, and what
/// it does not show.
pub fn text(story: &Story, told: &Told) -> String {
    let names = story.names();
    let mut out = format!("{}: {}\n\n", story.name, story.tells);
    for step in &told.run.steps {
        out.push_str(&line(step, &names));
    }
    if let Some(contrast) = &told.contrast {
        out.push_str("\nThe same steps at a resource that compares nothing:\n\n");
        let differs = |(protected, unsafe_): &(&Step, &Step)| {
            protected.event.map(|event| event.answer) != unsafe_.event.map(|event| event.answer)
        };
        for (_, step) in told.run.steps.iter().zip(&contrast.steps).filter(differs) {
            out.push_str(&line(step, &names));
        }
        if let Some(value) = contrast.value {
            out.push_str(&format!("  in the end it holds {value}\n"));
        }
    }
    out.push_str("\nThis run asserts:\n");
    for assertion in &told.assertions {
        let held = if assertion.held { "held  " } else { "FAILED" };
        out.push_str(&format!("  {held}  {}\n", assertion.says));
    }
    out.push_str("\nIt does not show:\n");
    for limit in story.not_shown {
        out.push_str(&format!("  - {limit}\n"));
    }
    out
}

fn line(step: &Step, names: &Names) -> String {
    let Some(event) = step.event else {
        return format!("  {:>6} ms  the clock\n", step.at);
    };
    let owner = names.text(|n, out| n.owner(out, event.owner));
    let lease = event
        .lease
        .map(|number| names.text(|n, out| n.lease(out, event.lock, number)));
    let lease = lease.as_deref().unwrap_or("the lock");
    let token = event
        .token
        .map(|token| format!(" (token {token})"))
        .unwrap_or_default();
    let did = match event.step {
        Kind::Acquire => format!("{owner} takes {lease}{token}"),
        Kind::Renew => format!("{owner} renews {lease}{token}"),
        Kind::Expire => format!("the time of {lease}{token} is over"),
        Kind::Release => format!("{owner} releases {lease}{token}"),
        Kind::Write => {
            let key = event
                .key
                .map(|key| names.text(|n, out| n.key(out, key)))
                .unwrap_or_default();
            format!(
                "{owner} writes {} to {key} under {lease}{token}",
                step.beat.value
            )
        }
    };
    format!("  {:>6} ms  {did}: {}\n", step.at, event.answer.word())
}

/// The story for programs, as one JSON document.
pub fn json(story: &Story, told: &Told) -> String {
    let document = Document {
        schema: "lockdiag.story/1",
        story: story.name,
        tells: story.tells,
        timeline: Timeline(&told.run, story.names()),
        value: told.run.value,
        unsafe_contrast: told.contrast.as_ref().map(|contrast| Contrast {
            timeline: Timeline(contrast, story.names()),
            value: contrast.value,
        }),
        assertions: Assertions(&told.assertions),
        not_shown: story.not_shown,
    };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    schema: &'static str,
    story: &'static str,
    tells: &'static str,
    timeline: Timeline<'a>,
    value: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unsafe_contrast: Option<Contrast<'a>>,
    assertions: Assertions<'a>,
    not_shown: &'static [&'static str],
}

#[derive(Serialize)]
struct Contrast<'a> {
    timeline: Timeline<'a>,
    value: Option<&'static str>,
}

struct Timeline<'a>(&'a Telling, Names);

impl Serialize for Timeline<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.steps.len()))?;
        for step in &self.0.steps {
            map.serialize_entry(step.beat.name, &entry(step, &self.1))?;
        }
        map.end()
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry {
    at: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Kind>,
    #[serde(flatten)]
    who: Option<Who>,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Who {
    lock_name: String,
    owner_id: String,
    lease_id: Option<String>,
    fence_token: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_highest_token_before: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
}

fn entry(step: &Step, names: &Names) -> Entry {
    let who = step.event.map(|event| Who {
        lock_name: names.text(|n, out| n.lock(out, event.lock)),
        owner_id: names.text(|n, out| n.owner(out, event.owner)),
        lease_id: event
            .lease
            .map(|number| names.text(|n, out| n.lease(out, event.lock, number))),
        fence_token: event.token,
        resource_key: event.key.map(|key| names.text(|n, out| n.key(out, key))),
        resource_highest_token_before: event.before,
        value: event.key.map(|_| step.beat.value),
    });
    Entry {
        at: step.at,
        event: step.event.map(|event| event.step),
        who,
        status: step.event.map(|event| event.answer.word()),
    }
}

struct Assertions<'a>(&'a [Assertion]);

impl Serialize for Assertions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for assertion in self.0 {
            map.serialize_entry(&assertion.name, &assertion.held)?;
        }
        map.end()
    }
}
