//! Whether numbers order the records of a lock, or are those of its leases.

use std::collections::BTreeMap;

use super::trial::Row;
use crate::evidence::Answer;

/// Why numbers do not order the records: two records of one lock have the same, and are of
/// different things.
pub(super) fn no_order(rows: &[Row]) -> Option<&'static str> {
    let mut seen: BTreeMap<(&str, u64), &Row> = BTreeMap::new();
    let numbered = rows.iter().filter_map(|row| Some((row.seq?, row)));
    let mut differ = numbered.filter(|(seq, row)| {
        let first = seen.entry((&row.lock, *seq)).or_insert(row);
        *first != *row
    });
    let one = differ.next();
    one.map(|_| "different records of a lock have the same: it does not order them")
}

/// Whether numbers are those of leases: each lease has one of its own for all its records, and
/// each acquisition of a lock a greater one than those before it.
pub(super) fn is_of_leases(rows: &[Row]) -> bool {
    let mut of_lease: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    let mut greatest: BTreeMap<&str, u64> = BTreeMap::new();
    for row in rows {
        let (lease, number) = match (&row.own.lease, row.seq) {
            (Some(lease), Some(number)) => (lease.as_str(), number),
            (_, None) => continue,
            (None, Some(_)) => return false,
        };
        let acquired = row.answer == Answer::Acquired;
        match of_lease.get(&(row.lock.as_str(), lease)) {
            Some(known) if *known != number => return false,
            Some(_) => {}
            None if !acquired => return false,
            None => {
                let last = greatest.insert(&row.lock, number);
                if last.is_some_and(|last| last >= number) {
                    return false;
                }
                of_lease.insert((&row.lock, lease), number);
            }
        }
    }
    of_lease.len() > 1
}

#[cfg(test)]
mod tests {
    use super::{Row, is_of_leases, no_order};
    use crate::evidence::{Answer, Event};

    #[test]
    fn what_each_lease_has_of_its_own_is_of_leases() {
        let of = |rows: &[(&str, bool, u64)]| {
            let rows = rows.iter().map(|(lease, acquired, number)| {
                let mut row = Row::written("w", 1, "o");
                row.own.lease = Some((*lease).to_owned());
                row.seq = Some(*number);
                if *acquired {
                    (row.event, row.answer) = (Event::Acquire, Answer::Acquired);
                }
                row
            });
            is_of_leases(&rows.collect::<Vec<_>>())
        };
        let (acquired, written) = (true, false);
        assert!(of(&[
            ("l1", acquired, 5),
            ("l1", written, 5),
            ("l2", acquired, 9),
            ("l1", written, 5),
        ]));
        // A lease alone tells nothing, nor does one that was not acquired.
        assert!(!of(&[("l1", acquired, 5), ("l1", written, 5)]));
        assert!(!of(&[("l1", acquired, 5), ("l2", written, 9)]));
        assert!(!of(&[
            ("l1", acquired, 5),
            ("l1", written, 6),
            ("l2", acquired, 9)
        ]));
        assert!(!of(&[("l1", acquired, 9), ("l2", acquired, 5)]));
    }

    #[test]
    fn what_repeats_is_no_order() {
        let of = |seqs: &[(&str, u64)]| {
            let rows = seqs.iter().map(|(owner, seq)| Row {
                seq: Some(*seq),
                ..Row::written(owner, 1, "o")
            });
            no_order(&rows.collect::<Vec<_>>()).is_none()
        };
        assert!(of(&[("w1", 1), ("w1", 2), ("w2", 3)]));
        // A line that was written twice is one record.
        assert!(of(&[("w1", 1), ("w1", 1), ("w2", 2)]));
        assert!(!of(&[("w1", 1), ("w2", 1)]));
    }
}
