//! Files that the command line names, and what to say where they are not there.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::exit::Stop;

/// Names in a directory that are looked at for one that is near.
const LOOKED_AT: usize = 4096;

/// Reads a text file. Where there is none, the hint is the nearest name beside it, or
/// `otherwise`.
pub(super) fn read(path: &Path, otherwise: &str) -> Result<String, Stop> {
    fs::read_to_string(path).map_err(|error| unreadable(path, &error, otherwise))
}

/// Refuses `-` where what is written stands beside a result: standard output is for that.
pub(super) fn is_file(option: &str, path: &Path) -> Result<(), Stop> {
    if path != Path::new("-") {
        return Ok(());
    }
    let hint = if cfg!(unix) {
        "/dev/stderr is standard error, and ./- a file of that name"
    } else {
        "name a file; ./- is one of that name"
    };
    Err(Stop::unusable(format!(
        "`{option}` takes a file, and `-` is standard output"
    ))
    .hint(hint))
}

/// Opens a file to be read, with the same to say where there is none.
pub(super) fn open(path: &Path, otherwise: &str) -> Result<File, Stop> {
    let file = File::open(path).and_then(|file| {
        if file.metadata()?.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(file)
    });
    file.map_err(|error| unreadable(path, &error, otherwise))
}

fn unreadable(path: &Path, error: &io::Error, otherwise: &str) -> Stop {
    let name = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => {
            Stop::unusable(format!("{name}: no such file")).hint(hint(path, otherwise))
        }
        io::ErrorKind::IsADirectory => {
            Stop::unusable(format!("{name}: is a directory, not a file")).hint(otherwise)
        }
        io::ErrorKind::InvalidData => {
            Stop::unusable(format!("{name}: is no text in UTF-8")).hint(otherwise)
        }
        _ => Stop::unusable(format!("{name}: cannot be read: {error}")),
    }
}

/// What to say to somebody who named a file that is not there.
pub(super) fn hint(path: &Path, otherwise: &str) -> String {
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let Ok(entries) = fs::read_dir(directory) else {
        return format!("there is no directory `{}` to read", directory.display());
    };
    if fs::symlink_metadata(path).is_ok() {
        return "it is a link, and what it points to is not there".to_owned();
    }
    let wanted = path.file_name().unwrap_or_default().to_string_lossy();
    let names = entries.take(LOOKED_AT).flatten();
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    match nearest(&wanted, names) {
        Some(name) => format!("did you mean `{}`?", path.with_file_name(name).display()),
        None => otherwise.to_owned(),
    }
}

/// The name that somebody is most likely to have meant, whatever order names come in.
fn nearest(wanted: &str, names: impl Iterator<Item = String>) -> Option<String> {
    const ENOUGH: f64 = 0.7;
    names
        .map(|name| {
            let alike = strsim::normalized_damerau_levenshtein(wanted, &name);
            // What was meant may have been written without its ending.
            let begins = name
                .strip_prefix(wanted)
                .is_some_and(|rest| rest.starts_with('.'));
            (if begins { 1.0 } else { alike }, name)
        })
        .filter(|(alike, _)| *alike >= ENOUGH)
        .max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.cmp(&a.1)))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn the_nearest_name_is_found_in_any_order() {
        let names = [
            "evidence.jsonl",
            "evidence.json",
            "truth.json",
            "app.log.gz",
        ];
        let find = |wanted: &str| {
            let forth = nearest(wanted, names.iter().map(|name| (*name).to_owned()));
            let back = nearest(wanted, names.iter().rev().map(|name| (*name).to_owned()));
            assert_eq!(forth, back);
            forth
        };
        assert_eq!(find("evidence.jsnl").as_deref(), Some("evidence.jsonl"));
        assert_eq!(find("evidence").as_deref(), Some("evidence.json"));
        assert_eq!(find("app.log").as_deref(), Some("app.log.gz"));
        assert_eq!(find("nosuchfile"), None);
        assert_eq!(find(""), None);
    }
}
