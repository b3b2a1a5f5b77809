//! Servers with several databases, in each of which a lock may bear the same name.
//!
//! A name without the database is what applications log, and what their records are joined
//! by. So it stays as it is, and of locks that share one only those of the database that had
//! it first are read: two locks must never be taken for one.

use std::collections::HashMap;

use crate::evidence::Field;
use crate::ingest::{Problem, ProblemKind};

/// How many names are remembered at most.
const MAX_KNOWN: usize = 1 << 20;

/// The database that each name belongs to.
#[derive(Debug, Default)]
pub(super) struct Databases {
    of: HashMap<String, String>,
}

impl Databases {
    /// Whether the name is known as one of that database.
    pub(super) fn has(&self, lock: &str, database: &str) -> bool {
        self.of.get(lock).is_some_and(|of| of == database)
    }

    /// Takes a name for that database; what is wrong, where it is another's. `frame` is the
    /// line that says it.
    pub(super) fn take(&mut self, lock: &str, database: &str, frame: &[u8]) -> Option<Problem> {
        let Some(first) = self.of.get(lock) else {
            if self.of.len() < MAX_KNOWN {
                self.of.insert(lock.to_owned(), database.to_owned());
            }
            return None;
        };
        (first != database).then(|| Problem {
            kind: ProblemKind::Unmapped,
            field: Some(Field::LockName),
            span: place(frame, lock),
            message: format!(
                "{lock} of database {database} is not the lock {lock} of database {first}, which \
                 came first and is read"
            ),
            hint: format!(
                "to read it, give the lines of database {database} alone: docs/presets.md"
            ),
        })
    }
}

/// Where the name stands in a line.
fn place(frame: &[u8], name: &str) -> std::ops::Range<usize> {
    match memchr::memmem::find(frame, name.as_bytes()) {
        Some(at) => at..at + name.len(),
        None => 0..frame.len().min(1),
    }
}

#[cfg(test)]
mod tests {
    use super::Databases;

    #[test]
    fn a_name_is_of_the_database_that_had_it_first() {
        let mut databases = Databases::default();
        assert_eq!(databases.take("42", "db1", b"42"), None);
        assert_eq!(databases.take("42", "db1", b"42"), None);
        assert_eq!(databases.take("43", "db2", b"43"), None);
        let problem = databases.take("42", "db2", b"lock(42)").unwrap();
        assert_eq!(problem.span, 5..7);
        assert!(databases.has("42", "db1") && !databases.has("42", "db2"));
        assert!(databases.has("43", "db2"));
    }
}
