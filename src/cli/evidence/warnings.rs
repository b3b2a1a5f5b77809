//! Warnings of files that were meant to be read and gave nothing.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::cli::observers;
use crate::cli::terminal::Terminal;
use crate::ingest::{Counts, source};

/// Files that are named in a warning.
const LISTED: usize = 5;

/// Warns of files that were named and gave no record, where others did. In a directory there
/// may be any file, so of those that were found there nothing is said.
pub(super) fn of_useless(
    words: &[PathBuf],
    names: &[String],
    counts: &Counts,
    terminal: &Terminal,
) {
    let named: HashSet<PathBuf> = words
        .iter()
        .map(|word| observers::named_path(word).1)
        .collect();
    let is_named = |name: &str| named.contains(Path::new(name));
    let useless: Vec<&str> = names
        .iter()
        .zip(&counts.sources)
        .filter(|(name, read)| read.lines > 0 && read.records == 0 && is_named(name))
        .map(|(name, _)| name.as_str())
        .collect();
    if useless.is_empty() || counts.total.records == 0 {
        return;
    }
    terminal.warning(
        &format!("no evidence record in {}", listed(&useless)),
        "`lockdiag map suggest FILE` says what reads a log of another shape",
    );
}

/// Warns of files in a directory that bear the names of logs and are not read.
pub(super) fn of_passed_over(words: &[PathBuf], terminal: &Terminal) {
    let paths = words.iter().map(|word| observers::named_path(word).1);
    let directories = paths.filter(|path| path.is_dir());
    let over: Vec<PathBuf> = directories
        .flat_map(|directory| source::passed_over(&directory))
        .collect();
    if over.is_empty() {
        return;
    }
    let names: Vec<String> = over.iter().map(|path| path.display().to_string()).collect();
    terminal.warning(
        &format!("not read, by their names: {}", listed(&names)),
        "a file that is named itself is read, whatever its name ends in",
    );
}

/// The first of some names, and how many more there are.
fn listed(names: &[impl AsRef<str>]) -> String {
    let shown: Vec<&str> = names.iter().take(LISTED).map(AsRef::as_ref).collect();
    let shown = shown.join(", ");
    match names.len() - names.len().min(LISTED) {
        0 => shown,
        more => format!("{shown}, and {more} more"),
    }
}
