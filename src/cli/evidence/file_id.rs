//! Which file a name stands for, so that nothing is written over what is read.

use std::fs;
#[cfg(unix)]
use std::fs::{File, Metadata};
#[cfg(unix)]
use std::io;
use std::path::Path;
#[cfg(not(unix))]
use std::path::PathBuf;

/// Which file a name stands for: two names of one file agree.
#[derive(Debug, PartialEq, Eq)]
#[cfg(unix)]
pub(super) struct FileId(u64, u64);

#[cfg(unix)]
impl FileId {
    pub(super) fn of(path: &Path) -> Option<FileId> {
        FileId::new(&fs::metadata(path).ok()?)
    }

    /// The file that standard input is read from, where it is one.
    pub(super) fn of_stdin() -> Option<FileId> {
        use std::os::fd::AsFd;
        let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
        FileId::new(&File::from(stdin).metadata().ok()?)
    }

    /// Only a file loses what it holds: a terminal or `/dev/null` may be both.
    fn new(metadata: &Metadata) -> Option<FileId> {
        use std::os::unix::fs::MetadataExt;
        metadata
            .is_file()
            .then(|| FileId(metadata.dev(), metadata.ino()))
    }
}

/// Which file a name stands for, as far as its path tells.
#[derive(Debug, PartialEq, Eq)]
#[cfg(not(unix))]
pub(super) struct FileId(PathBuf);

#[cfg(not(unix))]
impl FileId {
    pub(super) fn of(path: &Path) -> Option<FileId> {
        fs::canonicalize(path).ok().map(FileId)
    }

    pub(super) fn of_stdin() -> Option<FileId> {
        None
    }
}
