//! The shape of `lockdiag.toml`.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::lint::code::Severity;

/// The configuration.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// How the evidence is read, unless the command line says otherwise.
    #[serde(default)]
    pub input: Option<InputConfig>,
    /// What `lockdiag lint` does.
    #[serde(default)]
    pub lint: Option<LintConfig>,
}

/// How the evidence is read: by a mapping or by a preset, not by both.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InputConfig {
    /// A mapping file, from where this file lies.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub map: Option<Spanned<String>>,
    /// The name of a preset.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub preset: Option<Spanned<String>>,
}

/// The settings of `lint`.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LintConfig {
    /// The fields that every record must carry: `minimal`, `proof`, or a list of fields
    /// for each step.
    #[serde(default)]
    pub profile: Option<ProfileEntry>,
    /// Severities by code, by its number or name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, SeverityName>")]
    pub severity: BTreeMap<Spanned<String>, SeverityName>,
    /// Findings that the team has decided to live with.
    #[serde(default)]
    #[schemars(with = "Vec<IgnoreEntry>")]
    pub ignore: Vec<Spanned<IgnoreEntry>>,
}

/// How much a code matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeverityName {
    /// It fails the run, unless `--fail-on` says otherwise.
    Error,
    /// It is worth mending.
    Warning,
    /// It is worth knowing.
    Note,
    /// It is not looked for.
    Off,
}

impl SeverityName {
    /// The severity; none switches a code off.
    pub fn severity(self) -> Option<Severity> {
        match self {
            SeverityName::Error => Some(Severity::Error),
            SeverityName::Warning => Some(Severity::Warning),
            SeverityName::Note => Some(Severity::Note),
            SeverityName::Off => None,
        }
    }
}

/// A required profile.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(untagged)]
pub enum ProfileEntry {
    /// One that is built in.
    Name(ProfileName),
    /// The team's own.
    Own(ProfileTable),
}

// By hand: what serde derives for such a choice loses the places of the names.
impl<'de> Deserialize<'de> for ProfileEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ProfileEntry, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = ProfileEntry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"minimal\", \"proof\", or a table of field lists by step")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<ProfileEntry, E> {
                ProfileName::deserialize(name.into_deserializer()).map(ProfileEntry::Name)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ProfileEntry, A::Error> {
                ProfileTable::deserialize(MapAccessDeserializer::new(map)).map(ProfileEntry::Own)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The built-in profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ProfileName {
    /// The six fields of the minimal packet.
    Minimal,
    /// Everything that proof needs.
    Proof,
}

/// Field names, each with its place.
pub type FieldList = Vec<Spanned<String>>;

/// The fields that each step must carry.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileTable {
    /// Acquisitions that gave a lease.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub acquire: FieldList,
    /// Renewals.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub renew: FieldList,
    /// Expiries.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub expire: FieldList,
    /// Releases.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub release: FieldList,
    /// Writes.
    #[serde(default)]
    #[schemars(with = "Vec<String>")]
    pub write: FieldList,
}

/// One ignore.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct IgnoreEntry {
    /// The code, by its number or name.
    #[schemars(with = "String")]
    pub code: Spanned<String>,
    /// Only locks whose name matches, as in `acct:*`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub lock: Option<Spanned<String>>,
    /// Only findings about this evidence field.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub field: Option<Spanned<String>>,
    /// Why it is not mended.
    #[schemars(with = "String")]
    pub reason: Spanned<String>,
    /// The last day on which the ignore counts, as in `2027-01-31`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub until: Option<Spanned<toml::value::Datetime>>,
}
