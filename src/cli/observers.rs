//! Named inputs: who wrote each, how it is read, and whose order its numbers are.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use clap::Args;

use super::args::InputArgs;
use super::exit::Stop;
use super::files;
use super::terminal::Terminal;
use crate::evidence::{Origin, Record};
use crate::ingest::mapping::{Preset, Reading as How};
use crate::ingest::source::{self, Input, Source, SourceError};
use crate::observers::Observers;

/// What is said of observers by their names.
#[derive(Debug, Args)]
#[command(next_help_heading = "Observers")]
pub(super) struct ObserverArgs {
    /// Who numbered the records of the inputs of that name, where they do not say so:
    /// resource, authority, collector or worker
    #[arg(long, value_name = "NAME=WHO")]
    pub(super) role: Vec<String>,
    /// What the observer of that name writes before the names of locks, and the others
    /// do not
    #[arg(long, value_name = "NAME=TEXT")]
    pub(super) lock_prefix: Vec<String>,
}

/// How the inputs of one name are read.
#[derive(Debug, Clone, Default)]
struct Named {
    how: Option<How>,
    /// The mapping or the preset, as it was named.
    reader: Option<String>,
    role: Option<Origin>,
    lock_prefix: Option<String>,
}

/// What is known of the observers of a run before it is read.
#[derive(Debug)]
pub(super) struct Team {
    /// Which input is whose.
    pub(super) observers: Observers,
    /// By source: the name of its observer.
    names: Vec<Option<String>>,
    named: BTreeMap<String, Named>,
    /// How the inputs are read that have nothing of their own.
    rest: How,
}

/// The name and the rest of a word `NAME=REST`.
fn split(word: &str) -> Option<(&str, &str)> {
    let (name, rest) = word.split_once('=')?;
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    let only = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    (begins && only && !rest.is_empty()).then_some((name, rest))
}

/// The name and the path of an input. A file that bears the whole word as its name is
/// that file.
pub(super) fn named_path(word: &Path) -> (Option<&str>, PathBuf) {
    match word.to_str().and_then(split) {
        Some((name, path)) if !word.exists() => (Some(name), PathBuf::from(path)),
        _ => (None, word.to_owned()),
    }
}

/// Finds the inputs, and the name of the observer that wrote each. A file that is named, and
/// found without a name too, is of the observer of that name.
pub(super) fn find(words: &[PathBuf]) -> Result<(Vec<Source>, Vec<Option<String>>), Stop> {
    let (names, paths): (Vec<_>, Vec<_>) = words.iter().map(|word| named_path(word)).unzip();
    let name_of = |word: usize| names.get(word).copied().flatten();
    let found = source::resolve(&paths, name_of).map_err(|error| unreadable(&error))?;
    let named: HashMap<PathBuf, &str> = found
        .iter()
        .filter_map(|one| Some((one.identity.clone(), name_of(one.word)?)))
        .collect();
    let mut inputs = (Vec::new(), Vec::new());
    for one in found {
        let name = name_of(one.word);
        let of = named.get(&one.identity).copied();
        if let (Some(name), Some(of)) = (name, of)
            && name != of
            && !is_file(&one.source)
        {
            return Err(Stop::unusable(format!(
                "{}: is named {name} and {of}, and can be read only once",
                one.source.name
            ))
            .hint("keep it in a file, which can be read as both"));
        }
        if name.is_some() || of.is_none() {
            inputs.0.push(one.source);
            inputs.1.push(name.map(str::to_owned));
        }
    }
    Ok(inputs)
}

fn is_file(source: &Source) -> bool {
    match &source.input {
        Input::File(path) => path.is_file(),
        Input::Stdin | Input::Reader(_) => false,
    }
}

/// Why an input can't be read, and what to name instead.
fn unreadable(error: &SourceError) -> Stop {
    let stop = Stop::unusable(error.to_string());
    match error {
        SourceError::Missing { path } => {
            let otherwise = "an input is a file, a directory, or - for standard input";
            stop.hint(files::hint(path, otherwise))
        }
        SourceError::EmptyDirectory { .. } => {
            stop.hint("a file that is named itself is read, whatever its name ends in")
        }
        _ => stop,
    }
}

impl Team {
    /// Reads what the arguments say of the observers. Every mapping is checked whole.
    pub(super) fn of(
        args: &InputArgs,
        names: &[Option<String>],
        terminal: &Terminal,
    ) -> Result<Team, Stop> {
        let mut team = Team {
            observers: Observers::default(),
            names: names.to_vec(),
            named: names
                .iter()
                .flatten()
                .map(|name| (name.clone(), Named::default()))
                .collect(),
            rest: How::Native,
        };
        one_for_the_rest(args)?;
        for word in &args.mapping.map {
            let (name, path) = named_path(Path::new(word));
            let how = super::mapping::read(&path, terminal)?;
            match name {
                Some(name) => team.set_how("--map", word, name, how)?,
                None => team.rest = how,
            }
        }
        for word in &args.mapping.preset {
            let (name, preset) = match word.split_once('=') {
                Some((name, preset)) => (Some(name), preset),
                None => (None, word.as_str()),
            };
            let how = How::Preset(named_preset(preset)?);
            match name {
                Some(name) => team.set_how("--preset", word, name, how)?,
                None => team.rest = how,
            }
        }
        if let Some(quick) = args.mapping.quick(terminal)? {
            team.rest = quick;
        }
        for word in &args.observers.role {
            let (name, who) = pair("--role", word, "--role authority=authority")?;
            let role = Origin::from_word(who).ok_or_else(|| {
                let words = Origin::ALL.map(Origin::word).join(", ");
                Stop::unusable(format!("--role {word}: {who} is no role"))
                    .hint(format!("the roles are {words}"))
            })?;
            team.named("--role", word, name)?.role = Some(role);
        }
        for word in &args.observers.lock_prefix {
            let example = "--lock-prefix authority=lock:";
            let (name, prefix) = pair("--lock-prefix", word, example)?;
            team.named("--lock-prefix", word, name)?.lock_prefix = Some(prefix.to_owned());
        }
        for (source, name) in names.iter().enumerate() {
            let role = name.as_deref().and_then(|name| team.role(name));
            team.observers
                .assign(source, name.as_deref().unwrap_or_default(), role);
        }
        Ok(team)
    }

    fn role(&self, name: &str) -> Option<Origin> {
        let named = self.named.get(name)?;
        let by_preset = match &named.how {
            Some(How::Preset(preset)) => preset.role(),
            _ => None,
        };
        named.role.or(by_preset)
    }

    fn named(&mut self, option: &str, word: &str, name: &str) -> Result<&mut Named, Stop> {
        let known: Vec<&str> = self.named.keys().map(String::as_str).collect();
        let hint = if known.is_empty() {
            format!("name an input: {name}=FILE")
        } else {
            format!("the inputs are named {}", known.join(", "))
        };
        self.named.get_mut(name).ok_or_else(|| {
            Stop::unusable(format!("{option} {word}: no input is named {name}")).hint(hint)
        })
    }

    fn set_how(&mut self, option: &str, word: &str, name: &str, how: How) -> Result<(), Stop> {
        let named = self.named(option, word, name)?;
        named.reader = word.split_once('=').map(|(_, rest)| rest.to_owned());
        match named.how.replace(how) {
            None => Ok(()),
            Some(_) => Err(Stop::unusable(format!(
                "{option} {word}: how {name} is read was said before"
            ))),
        }
    }

    fn of_source(&self, source: usize) -> Option<&Named> {
        self.named.get(self.names.get(source)?.as_deref()?)
    }

    /// How an input is read.
    pub(super) fn how(&self, source: usize) -> &How {
        let own = self.of_source(source).and_then(|named| named.how.as_ref());
        own.unwrap_or(&self.rest)
    }

    /// Refuses one file under two names that is read the same way for both: what it holds
    /// would be evidence twice.
    pub(super) fn differ(&self, sources: &[Source]) -> Result<(), Stop> {
        let mut seen: HashMap<PathBuf, Vec<&str>> = HashMap::new();
        for (source, name) in sources.iter().zip(&self.names) {
            let (Input::File(path), Some(name)) = (&source.input, name) else {
                continue;
            };
            let identity = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
            let others = seen.entry(identity).or_default();
            let reader = |name: &str| self.named.get(name).and_then(|named| named.reader.as_ref());
            if let Some(other) = others.iter().find(|other| reader(other) == reader(name)) {
                return Err(Stop::unusable(format!(
                    "{}: is named {other} and {name}, and read the same way for both",
                    source.name
                ))
                .hint(format!(
                    "a line is evidence once: name the file once, or say what is to be read for \
                     each: --map {other}=MAPPING --map {name}=MAPPING"
                )));
            }
            others.push(name);
        }
        Ok(())
    }

    /// How inputs are read of which nothing is said.
    pub(super) fn otherwise(&mut self, how: How) {
        if matches!(self.rest, How::Native) {
            self.rest = how;
        }
    }

    /// Whether an input is read as evidence under its own names.
    fn reads_native(&self, source: u32) -> bool {
        matches!(self.how(source as usize), How::Native)
    }

    /// Whether what an input leaves may be evidence under its own names.
    pub(super) fn may_leave_evidence(&self, source: u32) -> bool {
        let how = self.how(source as usize);
        matches!(how, How::Native | How::Preset(Preset::WrappedEvidence))
    }

    /// The presets by which some input is read.
    pub(super) fn presets(&self) -> Vec<&'static str> {
        let all = (0..self.names.len()).filter_map(|source| match self.how(source) {
            How::Preset(preset) => Some(preset.name()),
            _ => None,
        });
        all.collect()
    }

    /// Whether some input is read by a mapping or a preset.
    pub(super) fn is_mapped(&self) -> bool {
        (0..self.names.len()).any(|source| !self.reads_native(source as u32))
    }

    /// Whether records of this input may not be as they were read.
    pub(super) fn adapts(&self, source: u32) -> bool {
        self.of_source(source as usize).is_some()
    }

    /// The record as the run knows it, where it is not as it was read.
    pub(super) fn adapted<'r>(&self, source: u32, record: &Record<'r>) -> Option<Record<'r>> {
        let named = self.of_source(source as usize)?;
        let prefix = named.lock_prefix.as_deref();
        let lock = prefix.and_then(|prefix| record.lock.strip_prefix(prefix));
        let role = self.observers.role(self.observers.of(source));
        let seq_by = role.filter(|_| record.seq.is_some() && record.seq_by.is_none());
        if lock.is_none() && seq_by.is_none() {
            return None;
        }
        let lock = lock.map(|lock| lock.to_owned().into());
        Some(Record {
            lock: lock.unwrap_or_else(|| record.lock.clone()),
            seq_by: seq_by.or(record.seq_by),
            ..record.clone()
        })
    }
}

/// Refuses two ways of reading for the inputs that have none of their own.
fn one_for_the_rest(args: &InputArgs) -> Result<(), Stop> {
    let mapping = &args.mapping;
    let maps = mapping.map.iter().map(|word| (word, "--map"));
    let maps = maps.filter(|(word, _)| named_path(Path::new(word)).0.is_none());
    let presets = mapping.preset.iter().map(|word| (word, "--preset"));
    let presets = presets.filter(|(word, _)| !word.contains('='));
    let quick = [(&mapping.field, "--field"), (&mapping.pattern, "--pattern")];
    let quick = quick.iter().find(|(words, _)| !words.is_empty());
    let given = maps.chain(presets).map(|(_, option)| option);
    let given: Vec<&str> = given.chain(quick.map(|(_, option)| *option)).collect();
    let message = match given[..] {
        [first, second, ..] if first == second => {
            format!("{first} is given twice for the same inputs")
        }
        [first, second, ..] => format!("{first} and {second} are given for the same inputs"),
        _ => return Ok(()),
    };
    Err(Stop::unusable(message)
        .hint("name the inputs, and say which each is for: NAME=FILE, --map NAME=MAPPING"))
}

fn pair<'w>(option: &str, word: &'w str, example: &str) -> Result<(&'w str, &'w str), Stop> {
    split(word).ok_or_else(|| {
        Stop::unusable(format!("{option} {word}: say for which input"))
            .hint(format!("such as {example}"))
    })
}

fn named_preset(name: &str) -> Result<Preset, Stop> {
    Preset::from_name(name).map_err(|hint| {
        Stop::unusable(format!("--preset {name}: no preset of that name")).hint(
            if hint.is_empty() {
                "`lockdiag map show` lists the presets".to_owned()
            } else {
                hint
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{named_path, split};
    use std::path::{Path, PathBuf};

    #[test]
    fn a_name_is_a_word() {
        assert_eq!(split("app=app.log"), Some(("app", "app.log")));
        assert_eq!(split("db-1=a=b.log"), Some(("db-1", "a=b.log")));
        for word in ["app.log", "./a=b", "=b", "a=", "1a=b", "a b=c", "-"] {
            assert_eq!(split(word), None, "{word}");
        }
        let named = named_path(Path::new("app=-"));
        assert_eq!(named, (Some("app"), PathBuf::from("-")));
    }

    #[test]
    fn a_file_that_bears_the_whole_word_is_that_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("app=1.log");
        std::fs::write(&path, "").unwrap();
        assert_eq!(named_path(&path), (None, path.clone()));
    }
}
