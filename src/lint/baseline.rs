//! The baseline: how many findings of each code at each lock are known and accepted.

use serde::{Deserialize, Serialize};

use super::code::Code;

/// The name of the baseline's format.
pub const SCHEMA: &str = "lockdiag.baseline/1";

/// A baseline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Baseline {
    entries: Vec<Entry>,
}

/// One entry of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Entry {
    code: String,
    lock_name: Option<String>,
    count: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct File {
    schema: String,
    entries: Vec<Entry>,
}

/// Why a baseline can't be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is no such file.
    #[error("no baseline: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// Another format.
    #[error("written as `{0}`, and this version reads `{SCHEMA}`")]
    Schema(String),
    /// A code that is not known.
    #[error("there is no code `{0}`")]
    Code(String),
}

impl Baseline {
    /// Reads the file.
    ///
    /// # Errors
    /// [`BaselineError`] says what is wrong with it.
    pub fn parse(text: &str) -> Result<Baseline, BaselineError> {
        let file: File = serde_json::from_str(text)?;
        if file.schema != SCHEMA {
            return Err(BaselineError::Schema(file.schema));
        }
        for entry in &file.entries {
            if Code::from_name(&entry.code).is_none() {
                return Err(BaselineError::Code(entry.code.clone()));
            }
        }
        Ok(Baseline {
            entries: file.entries,
        })
    }

    /// A baseline that accepts these counts.
    pub fn of(counts: impl Iterator<Item = (Code, Option<String>, u64)>) -> Baseline {
        let mut entries: Vec<Entry> = counts
            .map(|(code, lock_name, count)| Entry {
                code: code.id().to_owned(),
                lock_name,
                count,
            })
            .collect();
        entries.sort_by(|a, b| (&a.code, &a.lock_name).cmp(&(&b.code, &b.lock_name)));
        Baseline { entries }
    }

    /// The entries: code, lock, and how many are accepted.
    pub fn entries(&self) -> impl Iterator<Item = ((Code, Option<String>), u64)> {
        self.entries.iter().filter_map(|entry| {
            let code = Code::from_name(&entry.code)?;
            Some(((code, entry.lock_name.clone()), entry.count))
        })
    }

    /// The file, one entry a line.
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\"schema\":\"{SCHEMA}\",\"entries\":[");
        for (at, entry) in self.entries.iter().enumerate() {
            text.push_str(if at == 0 { "\n" } else { ",\n" });
            text.push_str(&serde_json::to_string(entry).unwrap_or_default());
        }
        text.push_str("\n]}\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::{Baseline, BaselineError};
    use crate::lint::code::Code;

    #[test]
    fn a_baseline_reads_what_it_writes() {
        let counts = [
            (Code::NamesAlike, Some("b\n".to_owned()), 2),
            (Code::UnreadableLine, None, 1),
        ];
        let baseline = Baseline::of(counts.into_iter());
        let text = baseline.to_text();
        assert_eq!(Baseline::parse(&text).unwrap(), baseline);
        assert_eq!(text.lines().count(), 4);
        assert!(text.find("LD101") < text.find("LD605"));
    }

    #[test]
    fn what_is_no_baseline_says_why() {
        let parse = |text: &str| Baseline::parse(text).unwrap_err();
        assert!(matches!(parse("[]"), BaselineError::Unreadable(_)));
        let other = r#"{"schema":"x/1","entries":[]}"#;
        assert!(matches!(parse(other), BaselineError::Schema(_)));
        let code = r#"{"schema":"lockdiag.baseline/1","entries":[{"code":"LD0","lockName":null,"count":1}]}"#;
        assert!(matches!(parse(code), BaselineError::Code(_)));
    }
}
