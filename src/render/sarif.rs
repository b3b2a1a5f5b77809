//! SARIF 2.1.0: one rule a variant, one result an incident.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;

use super::{Severity, View};
use crate::escape;
use crate::incident::catalogue::{self, Entry, Label, Language};
use crate::incident::{Incident, Variant, Witness};
use crate::ingest::source::STDIN_NAME;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The name under which the fingerprint of an incident is kept. It changes only where
/// the meaning of an id does.
const FINGERPRINT: &str = "lockdiagIncident/v1";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Finding>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: String,
    short_description: Text,
    full_description: Text,
    help: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    rule_id: String,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location>,
    partial_fingerprints: BTreeMap<&'static str, String>,
    occurrence_count: u64,
    properties: Properties,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Properties {
    status: &'static str,
    outcome: &'static str,
    lock_name: String,
    resource_key: Option<String>,
    assumes: Vec<&'static str>,
    missing: Vec<&'static str>,
    candidates: Vec<&'static str>,
}

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "lockdiag",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: Variant::ALL.iter().map(|variant| rule(*variant)).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results: view
                .shown
                .iter()
                .map(|incident| finding(incident))
                .collect(),
        }],
    };
    escape::json(out, &log)?;
    out.write_all(b"\n")
}

fn rule_id(variant: Variant) -> String {
    format!("{}/{}", variant.class(), variant)
}

/// A text without a name in it needs the same care: braces are placeholders everywhere.
fn text(text: &str) -> Text {
    Text {
        text: escape::sarif_message(text),
    }
}

fn rule(variant: Variant) -> Rule {
    let entry = catalogue::entry(Language::En, variant);
    let class = catalogue::class_entry(Language::En, variant.class());
    Rule {
        id: rule_id(variant),
        short_description: text(entry.title),
        full_description: text(&format!("{}: {}", class.title, entry.boundary)),
        help: Text { text: help(entry) },
    }
}

/// What to check, and what may not be concluded. What to do next stands in each result,
/// since it depends on the incident.
fn help(entry: &Entry) -> String {
    let mut help = catalogue::label(Language::En, Label::Check).to_owned();
    help.push_str(":\n");
    for check in entry.check {
        help.push_str(&format!("- {check}\n"));
    }
    help.push_str(catalogue::label(Language::En, Label::NotCovered));
    help.push_str(":\n");
    for limit in entry.not_covered {
        help.push_str(&format!("- {limit}\n"));
    }
    help.trim_end().to_owned()
}

fn finding(incident: &Incident) -> Finding {
    let told = catalogue::tell(Language::En, incident);
    let mut places = incident.evidence.iter();
    let first = match places.next() {
        Some(witness) => location(&witness.source, witness.line, None),
        // No verdict stands without a record; a consumer still wants a place.
        None => location(STDIN_NAME, 1, None),
    };
    let message = format!(
        "{} {} {}",
        catalogue::headline(Language::En, incident),
        told.observation,
        told.next_action
    );
    let index = Variant::ALL
        .iter()
        .position(|variant| *variant == incident.variant);
    Finding {
        rule_id: rule_id(incident.variant),
        rule_index: index.unwrap_or_default(),
        level: match Severity::of(incident) {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        },
        message: text(&message),
        locations: [first],
        related_locations: places.map(related).collect(),
        partial_fingerprints: BTreeMap::from([(FINGERPRINT, incident.id.clone())]),
        occurrence_count: incident.occurrences.max(1),
        properties: Properties {
            status: incident.status.name(),
            outcome: incident.outcome.name(),
            lock_name: incident.lock_name.clone(),
            resource_key: incident.resource_key.clone(),
            assumes: incident.assumes.iter().map(|one| one.name()).collect(),
            missing: incident.missing.iter().map(|one| one.name()).collect(),
            candidates: incident.candidates.iter().map(|one| one.name()).collect(),
        },
    }
}

fn related(witness: &Witness) -> Location {
    let role = catalogue::role(Language::En, witness.role).name;
    location(&witness.source, witness.line, Some(text(role)))
}

fn location(source: &str, line: u64, message: Option<Text>) -> Location {
    // Standard input has no file; a relative reference is still a valid one.
    let uri = if source == STDIN_NAME {
        "stdin".to_owned()
    } else {
        escape::uri(source)
    };
    Location {
        physical_location: PhysicalLocation {
            artifact_location: ArtifactLocation { uri },
            region: Region {
                start_line: line.max(1),
            },
        },
        message,
    }
}
