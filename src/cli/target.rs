//! Where one result goes, and in which format: `[FORMAT=]FILE`, or standard output.

use std::path::{Path, PathBuf};

use super::exit::Stop;

/// The formats that a command writes.
pub(super) struct Formats<F> {
    /// That of standard output, where none is given.
    pub(super) default: F,
    pub(super) from_name: fn(&str) -> Option<F>,
    /// The one that the ending of a file stands for.
    pub(super) from_path: fn(&Path) -> Option<F>,
    /// How a format is given to a file whose ending names none.
    pub(super) example: &'static str,
}

/// One place and its format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target<F> {
    pub(super) format: F,
    /// `None` is standard output.
    pub(super) path: Option<PathBuf>,
}

impl<F: Copy> Formats<F> {
    /// The places that some words name, each `[FORMAT=]FILE`; standard output, where there is
    /// none.
    ///
    /// # Errors
    /// One names no format, or the same place as another.
    pub(super) fn targets(
        &self,
        words: &[PathBuf],
        format: Option<F>,
    ) -> Result<Vec<Target<F>>, Stop> {
        if words.is_empty() {
            return Ok(vec![self.stdout(format)]);
        }
        let mut targets: Vec<Target<F>> = Vec::new();
        for word in words {
            let target = self.target(word, format)?;
            if targets.iter().any(|one| one.is_at(target.path.as_deref())) {
                return Err(target.named_twice());
            }
            targets.push(target);
        }
        Ok(targets)
    }

    /// Standard output, in that format where one is given.
    fn stdout(&self, format: Option<F>) -> Target<F> {
        Target {
            format: format.unwrap_or(self.default),
            path: None,
        }
    }

    /// The place that a word `[FORMAT=]FILE` names. A format in the word counts first, then
    /// the ending of the file, then `otherwise`.
    ///
    /// # Errors
    /// None of them names a format.
    fn target(&self, word: &Path, otherwise: Option<F>) -> Result<Target<F>, Stop> {
        let prefixed = word.to_str().and_then(|text| {
            let (name, path) = text.split_once('=')?;
            Some(((self.from_name)(name)?, Path::new(path)))
        });
        let (given, path) = match prefixed {
            Some((format, path)) => (Some(format), path),
            None => (None, word),
        };
        if path == Path::new("-") {
            return Ok(self.stdout(given.or(otherwise)));
        }
        let format = given.or_else(|| (self.from_path)(path)).or(otherwise);
        let format = format.ok_or_else(|| {
            let example = self.example;
            Stop::unusable(format!("{}: the ending names no format", word.display())).hint(format!(
                "give --format, or write it as FORMAT=FILE, as in {example}"
            ))
        })?;
        Ok(Target {
            format,
            path: Some(path.to_owned()),
        })
    }
}

impl<F> Target<F> {
    /// What it is called in messages.
    pub(super) fn name(&self) -> String {
        match &self.path {
            Some(path) => path.display().to_string(),
            None => "standard output".to_owned(),
        }
    }

    /// Whether it is this place, however the path is spelled; none is standard output.
    fn is_at(&self, path: Option<&Path>) -> bool {
        let whole = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        self.path.as_deref().map(whole) == path.map(whole)
    }

    /// Refuses a file to which something else is written.
    pub(super) fn differs_from(&self, other: Option<&Path>) -> Result<(), Stop> {
        match other {
            Some(_) if self.is_at(other) => Err(self.named_twice()),
            _ => Ok(()),
        }
    }

    /// Refuses a file that can't be made, before anything is read for it.
    pub(super) fn check(&self) -> Result<(), Stop> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        if path.is_dir() {
            return Err(Stop::unusable(format!("{}: is a directory", self.name())));
        }
        match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() && !parent.is_dir() => {
                Err(Stop::unusable(format!(
                    "{}: cannot be written: there is no directory {}",
                    self.name(),
                    parent.display()
                )))
            }
            _ => Ok(()),
        }
    }

    fn named_twice(&self) -> Stop {
        Stop::unusable(format!("{}: is named twice as an output", self.name()))
    }
}
