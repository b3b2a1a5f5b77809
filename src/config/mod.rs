//! `lockdiag.toml`: what a team decides once for all its runs.
//!
//! This module reads text. Finding and opening the file is the command line's business.

mod file;

use globset::Glob;

pub use file::{
    Config, FieldList, IgnoreEntry, InputConfig, LintConfig, ProfileEntry, ProfileName,
    ProfileTable, SeverityName,
};

use crate::evidence::{Event, Field};
use crate::ingest::mapping::Preset;
use crate::lint::code::Code;
use crate::lint::profile::Profile;
use crate::lint::settings::{Date, Ignore, Settings};
use crate::near::nearest;

/// The name under which the file is looked for.
pub const FILE_NAME: &str = "lockdiag.toml";

/// How the configuration has the evidence read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MappedBy {
    /// By a mapping file; the path is as it stands in the configuration.
    File(String),
    /// By a preset.
    Preset(Preset),
}

/// What is wrong with a configuration, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ConfigError {
    /// One sentence.
    pub message: String,
    /// What was meant, perhaps.
    pub hint: Option<String>,
    /// The line, from 1.
    pub line: u64,
    /// The character on that line, from 1.
    pub column: u64,
}

impl ConfigError {
    fn at(text: &str, span: std::ops::Range<usize>, message: String) -> ConfigError {
        let start = (0..=span.start.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at))
            .unwrap_or(0);
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        ConfigError {
            message,
            hint: None,
            line: before.matches('\n').count() as u64 + 1,
            column: before[line_start..].chars().count() as u64 + 1,
        }
    }

    fn hint(mut self, hint: Option<String>) -> ConfigError {
        self.hint = hint;
        self
    }
}

impl Config {
    /// Reads a configuration.
    ///
    /// # Errors
    /// [`ConfigError`] says what is wrong with it, where, and what was meant.
    pub fn parse(text: &str) -> Result<Config, ConfigError> {
        toml::from_str(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let hint = suggestion(error.message()).or_else(|| missing(error.message()));
            ConfigError::at(text, span, error.message().trim().replace('\n', " ")).hint(hint)
        })
    }

    /// How the evidence is to be read, if the configuration says so.
    ///
    /// # Errors
    /// [`ConfigError`] where there is no such preset, or both a mapping and a preset.
    pub fn input(&self, text: &str) -> Result<Option<MappedBy>, ConfigError> {
        let Some(input) = &self.input else {
            return Ok(None);
        };
        match (&input.map, &input.preset) {
            (None, None) => Ok(None),
            (Some(map), None) => Ok(Some(MappedBy::File(map.as_ref().clone()))),
            (Some(_), Some(preset)) => {
                let message = "`map` and `preset` are two ways to read one log".to_owned();
                Err(ConfigError::at(text, preset.span(), message)
                    .hint(Some("keep one of them".to_owned())))
            }
            (None, Some(preset)) => {
                let name = preset.as_ref();
                Preset::from_name(name)
                    .map(|one| Some(MappedBy::Preset(one)))
                    .map_err(|hint| {
                        let message = format!("there is no preset `{name}`");
                        ConfigError::at(text, preset.span(), message).hint(Some(hint))
                    })
            }
        }
    }

    /// Puts what the configuration says of lint into settings. `path` is where it stands,
    /// `text` what stands there.
    ///
    /// # Errors
    /// [`ConfigError`] where a code, a lock pattern or a date is not what it should be.
    pub fn lint(&self, path: &str, text: &str, settings: &mut Settings) -> Result<(), ConfigError> {
        settings.config_path = path.to_owned();
        let Some(lint) = &self.lint else {
            return Ok(());
        };
        for (name, severity) in &lint.severity {
            let code = code(text, name.as_ref(), name.span())?;
            settings.severities.insert(code, severity.severity());
        }
        if let Some(profile) = &lint.profile {
            settings.profile = profile_of(text, profile)?;
        }
        for entry in &lint.ignore {
            let entry_span = entry.span();
            let entry = entry.as_ref();
            let lock = entry
                .lock
                .as_ref()
                .map(|lock| {
                    Glob::new(lock.as_ref())
                        .map(|glob| glob.compile_matcher())
                        .map_err(|error| {
                            ConfigError::at(text, lock.span(), error.kind().to_string())
                        })
                })
                .transpose()?;
            let field = entry
                .field
                .as_ref()
                .map(|field| field_of(text, field.as_ref(), field.span()))
                .transpose()?;
            let until = entry
                .until
                .as_ref()
                .map(|until| {
                    let day = until.as_ref().to_string();
                    Date::parse(&day).ok_or_else(|| {
                        let message = format!("`{day}` is no day");
                        ConfigError::at(text, until.span(), message)
                            .hint(Some("a day is written as 2027-01-31".to_owned()))
                    })
                })
                .transpose()?;
            if entry.reason.as_ref().trim().is_empty() {
                let message = "an ignore needs a reason".to_owned();
                return Err(ConfigError::at(text, entry.reason.span(), message)
                    .hint(Some("say why it is not mended".to_owned())));
            }
            let code = code(text, entry.code.as_ref(), entry.code.span())?;
            let place = ConfigError::at(text, entry_span, String::new());
            settings.ignores.push(Ignore {
                code,
                lock,
                field,
                reason: entry.reason.as_ref().clone(),
                until,
                line: place.line,
                text: text
                    .lines()
                    .nth(usize::try_from(place.line).unwrap_or(1) - 1)
                    .unwrap_or_default()
                    .to_owned(),
            });
        }
        Ok(())
    }
}

fn code(text: &str, name: &str, span: std::ops::Range<usize>) -> Result<Code, ConfigError> {
    Code::from_name(name).ok_or_else(|| {
        let hint = Code::nearest(name).map(|nearest| format!("did you mean `{nearest}`?"));
        ConfigError::at(text, span, format!("there is no lint code `{name}`")).hint(hint)
    })
}

fn field_of(text: &str, name: &str, span: std::ops::Range<usize>) -> Result<Field, ConfigError> {
    Field::from_name(name).ok_or_else(|| {
        let names = Field::ALL.into_iter().map(Field::name);
        let hint = nearest(name, names).map(|nearest| format!("did you mean `{nearest}`?"));
        ConfigError::at(text, span, format!("there is no evidence field `{name}`")).hint(hint)
    })
}

fn profile_of(text: &str, profile: &ProfileEntry) -> Result<Profile, ConfigError> {
    let table = match profile {
        ProfileEntry::Name(ProfileName::Minimal) => return Ok(Profile::Minimal),
        ProfileEntry::Name(ProfileName::Proof) => return Ok(Profile::Proof),
        ProfileEntry::Own(table) => table,
    };
    let lists = [
        (Event::Acquire, &table.acquire),
        (Event::Renew, &table.renew),
        (Event::Expire, &table.expire),
        (Event::Release, &table.release),
        (Event::Write, &table.write),
    ];
    let mut own = Vec::new();
    for (event, list) in lists {
        let fields: Result<Vec<Field>, ConfigError> = list
            .iter()
            .map(|name| field_of(text, name.as_ref(), name.span()))
            .collect();
        own.push((event, fields?));
    }
    Ok(Profile::Own(own))
}

/// What to write for a key that is not there.
fn missing(message: &str) -> Option<String> {
    let key = message.strip_prefix("missing field `")?.split('`').next()?;
    Some(match key {
        "reason" => "an ignore says why: reason = \"it is replaced in March\"".to_owned(),
        "code" => "an ignore says of what: code = \"LD503\"".to_owned(),
        _ => format!("add {key} = …"),
    })
}

/// What an unknown name may have been meant to be: the parser lists the known ones.
fn suggestion(message: &str) -> Option<String> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = quoted.next()?;
    let nearest = nearest(unknown, quoted)?;
    message
        .starts_with("unknown")
        .then(|| format!("did you mean `{nearest}`?"))
}

#[cfg(test)]
mod tests;
