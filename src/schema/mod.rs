//! JSON Schemas (2020-12) of what is read and written, made from the types themselves.
//!
//! docs/schema/ holds the same text; a test keeps it true.

pub mod record;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::Value;

use crate::config::Config;
use crate::lint::render::v1 as lint;
use crate::model::labels;
use crate::render::json::v1 as incident;
use crate::report::model as report;

/// What has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Name {
    /// The evidence record.
    Record,
    /// One incident: a line of `classify --format jsonl`.
    Incident,
    /// The document of `classify --format json`.
    Classification,
    /// One finding: a line of `lint --format jsonl`.
    Finding,
    /// What one lock can decide: the other kind of line of `lint --format jsonl`.
    Lock,
    /// The document of `lint --format json`.
    Lint,
    /// The document of `report --format json`.
    Report,
    /// `lockdiag.toml`.
    Config,
    /// What `simulate --truth` writes.
    Truth,
}

impl Name {
    /// Every schema.
    pub const ALL: [Name; 9] = [
        Name::Record,
        Name::Incident,
        Name::Classification,
        Name::Finding,
        Name::Lock,
        Name::Lint,
        Name::Report,
        Name::Config,
        Name::Truth,
    ];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Name::Record => "record",
            Name::Incident => "incident",
            Name::Classification => "classification",
            Name::Finding => "finding",
            Name::Lock => "lock",
            Name::Lint => "lint",
            Name::Report => "report",
            Name::Config => "config",
            Name::Truth => "truth",
        }
    }

    /// The schema of that name.
    pub fn from_name(name: &str) -> Option<Name> {
        Name::ALL.into_iter().find(|one| one.name() == name)
    }

    /// The file in docs/schema/.
    pub fn file_name(self) -> String {
        format!("{}.schema.json", self.name())
    }
}

/// The schema of a name.
pub fn schema(name: Name) -> Schema {
    let mut schema = match name {
        Name::Record => record::schema(),
        Name::Incident => written::<incident::Incident<'_>>(incident::INCIDENT),
        Name::Classification => {
            let mut schema = written::<incident::Classification<'_>>(incident::CLASSIFICATION);
            is_schema(&mut schema, "Incident", incident::INCIDENT);
            schema
        }
        Name::Finding => written::<lint::Finding<'_>>(lint::FINDING),
        Name::Lock => written::<lint::LockLine<'_>>(lint::LOCK),
        Name::Lint => {
            let mut schema = written::<lint::Lint<'_>>(lint::LINT);
            is_schema(&mut schema, "Finding", lint::FINDING);
            schema
        }
        Name::Report => written::<report::Report>(report::SCHEMA),
        Name::Config => read::<Config>(),
        Name::Truth => written::<labels::Document<'_>>(labels::SCHEMA),
    };
    let id = format!("urn:lockdiag:schema:{}:1", name.name());
    schema.insert("$id".to_owned(), id.into());
    schema
}

/// The text of a schema, as it is written to a file.
pub fn text(name: Name) -> String {
    let mut text = format!("{:#}", schema(name).to_value());
    text.push('\n');
    text
}

/// The schema of something that is read.
fn read<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.into_generator().into_root_schema_for::<T>()
}

/// The schema of something that is written with a schema name of its own.
fn written<T: JsonSchema>(name: &str) -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    if let Some(property) = schema.pointer_mut("/properties/schema") {
        set_const(property, name);
    }
    schema
}

fn is_schema(schema: &mut Schema, definition: &str, name: &str) {
    let pointer = format!("/$defs/{definition}/properties/schema");
    if let Some(property) = schema.pointer_mut(&pointer) {
        set_const(property, name);
    }
}

fn set_const(property: &mut Value, name: &str) {
    if let Some(property) = property.as_object_mut() {
        property.insert("const".to_owned(), name.into());
    }
}
