//! The inputs: what the command line names becomes a list of things to read.

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::hash::Hash;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::dialect::Dialect;
use super::json::NativeJson;

/// The name of standard input in messages and in evidence.
pub const STDIN_NAME: &str = "<stdin>";

/// Endings of the files that a directory is searched for; each also with `.gz` or `.zst`.
pub const EXTENSIONS: [&str; 4] = ["jsonl", "ndjson", "json", "log"];

/// Where the bytes of an input come from.
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file, opened when its turn comes.
    File(PathBuf),
    /// Anything else that can be read.
    Reader(Box<dyn Read + Send>),
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Stdin => f.write_str("Stdin"),
            Input::File(path) => f.debug_tuple("File").field(path).finish(),
            Input::Reader(_) => f.write_str("Reader"),
        }
    }
}

/// One input, how it is read, and the name that it has in everything that is said of it.
pub struct Source {
    /// The name, as the user wrote it or as the walk found it.
    pub name: String,
    /// Where its bytes come from.
    pub input: Input,
    /// What reads it.
    pub dialect: Box<dyn Dialect + Send>,
}

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Source")
            .field("name", &self.name)
            .field("input", &self.input)
            .finish_non_exhaustive()
    }
}

/// Each is read as evidence under its own names, until [`Source::read_by`] says otherwise.
impl Source {
    /// Standard input.
    pub fn stdin() -> Source {
        Source::new(STDIN_NAME.to_owned(), Input::Stdin)
    }

    /// One file.
    pub fn file(path: impl Into<PathBuf>) -> Source {
        let path = path.into();
        Source::new(path.display().to_string(), Input::File(path))
    }

    /// Anything that can be read, under a name.
    pub fn reader(name: impl Into<String>, reader: impl Read + Send + 'static) -> Source {
        Source::new(name.into(), Input::Reader(Box::new(reader)))
    }

    fn new(name: String, input: Input) -> Source {
        Source {
            name,
            input,
            dialect: Box::new(NativeJson),
        }
    }

    /// The same input, read by that dialect.
    #[must_use]
    pub fn read_by(self, dialect: Box<dyn Dialect + Send>) -> Source {
        Source { dialect, ..self }
    }
}

/// Why an input named on the command line can't be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SourceError {
    /// Nothing of that name.
    #[error("{}: no such file or directory", .path.display())]
    Missing {
        /// The name.
        path: PathBuf,
    },
    /// It is there and can't be opened or listed.
    #[error("{}: cannot be read: {error}", .path.display())]
    Unreadable {
        /// The name.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// A directory without one file to read.
    #[error(
        "{}: no file in this directory ends in .jsonl, .ndjson, .json or .log (also .gz or .zst)",
        .path.display()
    )]
    EmptyDirectory {
        /// The directory.
        path: PathBuf,
    },
}

/// Whether standard input is a terminal, where waiting for it would look like a hang.
pub fn stdin_is_terminal() -> bool {
    io::stdin().is_terminal()
}

/// An input that a word of the command line stands for.
#[derive(Debug)]
pub struct Found {
    /// The index of the word.
    pub word: usize,
    /// The input.
    pub source: Source,
    /// The same path for all names that lead to one file.
    pub identity: PathBuf,
}

/// Turns the words of the command line into inputs, in the order given: `-`, or no word
/// at all, is standard input; a directory stands for its files in order of their paths.
///
/// A file is read once, at its first mention, however often and by whatever path it is
/// named: a record read twice would look like a repeated delivery. `reader` says for whom a
/// word is: a file that is named for several readers is an input of each of them.
///
/// # Errors
/// [`SourceError`] names the first word that can't be read, before anything is.
pub fn resolve<P: AsRef<Path>, R: Eq + Hash>(
    words: &[P],
    reader: impl Fn(usize) -> R,
) -> Result<Vec<Found>, SourceError> {
    if words.is_empty() {
        return Ok(vec![Found {
            word: 0,
            source: Source::stdin(),
            identity: PathBuf::from("-"),
        }]);
    }
    let mut sources = Vec::new();
    let mut seen = HashSet::new();
    for (word, path) in words.iter().enumerate() {
        let path = path.as_ref();
        let mut found = |source: Source, identity: PathBuf| {
            if seen.insert((reader(word), identity.clone())) {
                sources.push(Found {
                    word,
                    source,
                    identity,
                });
            }
        };
        if path == Path::new("-") {
            found(Source::stdin(), PathBuf::from("-"));
            continue;
        }
        let meta = fs::metadata(path).map_err(|error| unreadable(path, error))?;
        let files = if meta.is_dir() {
            walk(path)?
        } else {
            vec![path.to_owned()]
        };
        for file in files {
            check(&file)?;
            // A pipe (`<(command)`) has no canonical path; it is its own.
            let identity = fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
            found(Source::file(file), identity);
        }
    }
    Ok(sources)
}

/// The files of a directory. Links are followed, since log directories are full of them;
/// one that leads back to its own parent, or nowhere, is passed over.
fn walk(directory: &Path) -> Result<Vec<PathBuf>, SourceError> {
    let mut files = Vec::new();
    for entry in WalkDir::new(directory)
        .follow_links(true)
        .sort_by_file_name()
    {
        match entry {
            Ok(entry) if entry.file_type().is_file() && has_extension(entry.path()) => {
                files.push(entry.into_path());
            }
            Ok(_) => {}
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => {
                let path = error.path().unwrap_or(directory).to_owned();
                let error = io::Error::from(error);
                let dangling = fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink());
                if error.kind() != io::ErrorKind::NotFound || !dangling {
                    return Err(SourceError::Unreadable { path, error });
                }
            }
        }
    }
    if files.is_empty() {
        return Err(SourceError::EmptyDirectory {
            path: directory.to_owned(),
        });
    }
    Ok(files)
}

/// The files of a directory that are not read, though their names are those of logs: rotated
/// or dated ones (`app.log.1`, `app.log-20310401.gz`), and those packed in another way
/// (`app.log.xz`). What can't be listed is left out.
pub fn passed_over(directory: &Path) -> Vec<PathBuf> {
    let entries = WalkDir::new(directory)
        .follow_links(true)
        .sort_by_file_name()
        .into_iter()
        .filter_map(Result::ok);
    let files = entries.filter(|entry| entry.file_type().is_file());
    files
        .map(walkdir::DirEntry::into_path)
        .filter(|path| !has_extension(path) && goes_on_behind_extension(path))
        .collect()
}

fn goes_on_behind_extension(path: &Path) -> bool {
    let name = lower_name(path);
    EXTENSIONS.iter().any(|extension| {
        let extension = format!(".{extension}");
        name.match_indices(&extension)
            .any(|(at, _)| name[at + extension.len()..].starts_with(['.', '-', '_']))
    })
}

fn lower_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().to_ascii_lowercase()
}

fn has_extension(path: &Path) -> bool {
    let name = lower_name(path);
    let name = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"))
        .unwrap_or(&name);
    EXTENSIONS.iter().any(|extension| {
        name.strip_suffix(extension)
            .is_some_and(|stem| stem.ends_with('.'))
    })
}

/// Opens a regular file once, so that a missing permission is said before the first
/// record is read. A pipe is left alone: opening it would take from it.
fn check(path: &Path) -> Result<(), SourceError> {
    let error = |error| unreadable(path, error);
    if fs::metadata(path).map_err(error)?.is_file() {
        File::open(path).map_err(error)?;
    }
    Ok(())
}

fn unreadable(path: &Path, error: io::Error) -> SourceError {
    let path = path.to_owned();
    if error.kind() == io::ErrorKind::NotFound {
        SourceError::Missing { path }
    } else {
        SourceError::Unreadable { path, error }
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, STDIN_NAME, Source, SourceError, passed_over};
    use std::fs;
    use std::path::{Path, PathBuf};

    fn resolve<P: AsRef<Path>>(words: &[P]) -> Result<Vec<Source>, SourceError> {
        let found = super::resolve(words, |_| ())?;
        Ok(found.into_iter().map(|found| found.source).collect())
    }

    fn touch(path: &Path) {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "").unwrap();
    }

    fn names(words: &[PathBuf], root: &Path) -> Vec<String> {
        resolve(words)
            .unwrap()
            .into_iter()
            .map(|source| match source.input {
                Input::File(path) => path
                    .strip_prefix(root)
                    .unwrap()
                    .to_string_lossy()
                    .into_owned(),
                _ => source.name,
            })
            .collect()
    }

    #[test]
    fn no_word_and_a_dash_are_standard_input() {
        assert_eq!(resolve::<&str>(&[]).unwrap()[0].name, STDIN_NAME);
        assert_eq!(resolve(&["-", "-"]).unwrap().len(), 1);
    }

    #[test]
    fn a_directory_gives_its_logs_by_path() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        for file in [
            "b.log",
            "a/z.json.gz",
            "a/c.ndjson",
            "a.jsonl",
            "Z.JSONL.ZST",
            "notes.txt",
            "x.gz",
            "jsonl",
            "a.jsonl.bak",
        ] {
            touch(&root.join(file));
        }
        assert_eq!(
            names(&[root.to_owned()], root),
            [
                "Z.JSONL.ZST",
                "a/c.ndjson",
                "a/z.json.gz",
                "a.jsonl",
                "b.log"
            ]
        );
    }

    #[test]
    fn a_file_named_twice_is_read_once() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        touch(&root.join("p/a.jsonl"));
        touch(&root.join("p/b.jsonl"));
        let words = [
            root.join("p/b.jsonl"),
            root.join("p"),
            root.join("p/../p/a.jsonl"),
        ];
        assert_eq!(names(&words, root), ["p/b.jsonl", "p/a.jsonl"]);
    }

    #[test]
    fn rotated_and_dated_logs_are_passed_over_and_told() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        let told = [
            "a/app.log.1",
            "a/app.log.2.gz",
            "app.jsonl-20310401",
            "app.log.xz",
            "app.log_old",
        ];
        for name in told {
            touch(&root.join(name));
        }
        for name in [
            "app.log",
            "app.json.gz",
            "app.login",
            "readme.txt",
            "log",
            "x.logs.1",
        ] {
            touch(&root.join(name));
        }
        let over = passed_over(root);
        let over: Vec<_> = over
            .iter()
            .map(|path| path.strip_prefix(root).unwrap())
            .collect();
        assert_eq!(over, told.map(Path::new));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_loops_are_not() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path();
        touch(&root.join("real/a.jsonl"));
        fs::create_dir(root.join("walk")).unwrap();
        std::os::unix::fs::symlink(root.join("real/a.jsonl"), root.join("walk/l.jsonl")).unwrap();
        std::os::unix::fs::symlink(root.join("walk"), root.join("walk/again")).unwrap();
        std::os::unix::fs::symlink(root.join("gone"), root.join("walk/gone.jsonl")).unwrap();
        assert_eq!(names(&[root.join("walk")], root), ["walk/l.jsonl"]);
    }

    #[test]
    fn what_cannot_be_read_says_so() {
        let dir = tempfile::tempdir().unwrap();
        let missing = resolve(&[dir.path().join("none")]).unwrap_err();
        assert!(matches!(missing, SourceError::Missing { .. }));
        touch(&dir.path().join("readme.txt"));
        let empty = resolve(&[dir.path()]).unwrap_err();
        assert!(matches!(empty, SourceError::EmptyDirectory { .. }));
        assert!(empty.to_string().contains(".jsonl"));
    }
}
