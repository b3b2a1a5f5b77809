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
    /// Standard output, in that format where one is given.
    pub(super) fn stdout(&self, format: Option<F>) -> Target<F> {
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
    pub(super) fn target(&self, word: &Path, otherwise: Option<F>) -> Result<Target<F>, Stop> {
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
}

/// Refuses to write two things to one place.
pub(super) fn named_twice(name: &str) -> Stop {
    Stop::unusable(format!("{name}: is named twice as an output"))
}
