//! When the highest token of a resource was read, and whether it is the resource's at all.

use std::collections::{BTreeMap, BTreeSet};

use super::trial::Row;
use crate::evidence::{Answer, Event};
use crate::ingest::mapping::synonyms::is_either;
use crate::near::plain;

/// What a reading of the highest token is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Highest {
    Before,
    /// It is written down after the write: the first write of a token has it already.
    After,
    /// It may be either.
    Unsure,
    /// No write has it: it is that of a lease.
    NoWrite,
}

/// Whether writes bear out that a name which may be of either is what the resource had
/// before: it is what was accepted there last, or the greatest of it, on every write, and the
/// first write of a greater token is above it.
fn is_of_resource(rows: &[Row]) -> bool {
    // The last and the greatest accepted token of each key.
    let mut accepted: BTreeMap<_, (u64, u64)> = BTreeMap::new();
    let (mut held, mut above) = (false, false);
    for row in rows.iter().filter(|row| row.event == Event::Write) {
        let (Some(token), Some(before)) = (row.own.token, row.before) else {
            continue;
        };
        let known = accepted.get(&(&row.lock, &row.key)).copied();
        if let Some((last, greatest)) = known {
            if before != last && before != greatest {
                return false;
            }
            held = true;
        }
        if row.answer == Answer::Accepted {
            if known.is_none_or(|(_, greatest)| token > greatest) {
                if known.is_some() && before >= token {
                    return false;
                }
                above |= before < token;
            }
            let greatest = known.map_or(token, |(_, greatest)| greatest.max(token));
            accepted.insert((&row.lock, &row.key), (token, greatest));
        }
    }
    held && above
}

/// When a resource's highest token, which has this name, was read. A resource that compares
/// accepts no write below the highest, and the first of a token is above it: where no
/// accepted write is, the reading was not made before the write.
pub(super) fn highest(rows: &[Row], name: &str) -> Highest {
    let mut read = rows.iter().filter(|row| row.before.is_some()).peekable();
    if read.peek().is_some() && read.all(|row| row.event != Event::Write) {
        return Highest::NoWrite;
    }
    if is_either(name) && !is_of_resource(rows) {
        return Highest::Unsure;
    }
    let name = plain(name);
    if ["before", "prev", "old"]
        .iter()
        .any(|word| name.contains(word))
    {
        return Highest::Before;
    }
    let writes = rows
        .iter()
        .filter(|row| row.event == Event::Write && row.answer == Answer::Accepted);
    let readings: Vec<(&Row, u64, u64)> = writes
        .filter_map(|row| Some((row, row.own.token?, row.before?)))
        .collect();
    if readings.is_empty() || readings.iter().any(|(_, token, before)| before < token) {
        return Highest::Before;
    }
    let mut seen = BTreeSet::new();
    let mut firsts = readings
        .iter()
        .filter(|(row, token, _)| seen.insert((&row.lock, &row.key, token)));
    let own = firsts.all(|(_, token, before)| token == before);
    let acquired = |row: &&Row| row.answer == Answer::Acquired && row.own.token.is_some();
    if own && (seen.len() > 1 || rows.iter().any(|row| acquired(&row))) {
        Highest::After
    } else {
        Highest::Unsure
    }
}

#[cfg(test)]
mod tests {
    use super::{Highest, highest};
    use crate::evidence::Event;
    use crate::ingest::mapping::suggest::trial::Row;

    fn row(token: u64, before: u64) -> Row {
        Row {
            before: Some(before),
            ..Row::written("w", token, "o")
        }
    }

    #[test]
    fn when_the_highest_token_was_read() {
        let of = |rows: &[(u64, u64)]| {
            let rows: Vec<Row> = rows.iter().map(|(t, b)| row(*t, *b)).collect();
            highest(&rows, "highest")
        };
        assert_eq!(of(&[(1, 0), (2, 1), (1, 2)]), Highest::Before);
        assert_eq!(of(&[(1, 1), (2, 2), (2, 2)]), Highest::After);
        assert_eq!(of(&[(2, 2)]), Highest::Unsure);
        assert_eq!(of(&[(1, 2)]), Highest::Unsure);
        assert_eq!(of(&[(2, 2), (1, 2)]), Highest::Unsure);
        assert_eq!(highest(&[row(1, 2)], "highest_before"), Highest::Before);
    }

    #[test]
    fn a_current_token_may_be_of_the_resource_or_of_the_authority() {
        let of = |rows: &[(u64, u64)]| {
            let rows: Vec<Row> = rows.iter().map(|(t, b)| row(*t, *b)).collect();
            highest(&rows, "current_token") == Highest::Before
        };
        assert!(of(&[(2, 1), (3, 2), (2, 3)]) && of(&[(2, 0), (2, 2), (1, 2), (3, 2)]));
        // One write bears nothing out, nor do those that have their own.
        assert!(!of(&[(2, 1)]) && !of(&[(1, 2)]) && !of(&[(1, 1), (2, 2)]));
        // What was not accepted before is not the resource's.
        assert!(!of(&[(1, 0), (1, 2)]) && !of(&[(1, 0), (2, 1), (2, 3)]));
    }

    #[test]
    fn what_no_write_has_is_of_a_lease() {
        let mut release = row(2, 1);
        release.event = Event::Release;
        assert_eq!(highest(&[release], "prev_token"), Highest::NoWrite);
    }
}
