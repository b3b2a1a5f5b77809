//! Whether what is said of the current lease was read before the step that it decided on.

use std::collections::BTreeMap;

use super::trial::{Identity, Row};
use crate::evidence::{Answer, Field};
use crate::near::plain;

/// Names that say that it is of the lease that was current.
const CURRENT: [&str; 3] = ["current", "active", "held"];

/// Why a part of the lease that was current is in doubt. A release that was done and names
/// another lease shows a removal, so it must not be one that came after:
///
/// - who is named there takes the lock only later;
/// - the name does not say when it was read, and no release names its own lease;
/// - the same, where a release of the lease that was current finds none, or where one is acquired
///   or released twice: the first release of such a one leaves it current;
/// - an acquisition that was done names another: it is not the one that is current.
pub(super) fn doubt(rows: &[Row], field: Field, name: &str) -> Option<&'static str> {
    let only = |one: &Identity| Identity {
        owner: one.owner.clone().filter(|_| field == Field::ActiveOwnerId),
        lease: one.lease.clone().filter(|_| field == Field::ActiveLeaseId),
        token: one.token.filter(|_| field == Field::ActiveFenceToken),
    };
    let (mut own, mut other, mut none) = (false, false, false);
    let taken = rows.iter().filter(|row| row.answer == Answer::Acquired);
    let another = |row: &Row| only(&row.active).is(&only(&row.own)) == Some(false);
    if taken.into_iter().any(another) {
        return Some("an acquisition names another there than who acquired");
    }
    for (n, row) in rows.iter().enumerate() {
        if !matches!(row.answer, Answer::Released | Answer::Renewed) {
            continue;
        }
        let named = only(&row.active);
        if row.none_active {
            none |= row.answer == Answer::Released && is_current(rows, n, &only(&row.own));
            continue;
        }
        match named.is(&row.own) {
            // A renewal names its own before and after.
            Some(true) => own |= row.answer == Answer::Released,
            Some(false) if comes_later(rows, n, &named) => {
                return Some(
                    "a release names who takes the lock only later: it was read after the step",
                );
            }
            Some(false) => other = true,
            None => {}
        }
    }
    // A release that names its own lease may have left it held.
    let twice = is_held_twice(rows);
    let name = plain(name);
    let told = CURRENT.iter().any(|word| name.contains(word));
    if other && !own && none {
        return Some(
            "a release of the lease that was current finds none: was it read after the step?",
        );
    }
    if other && twice {
        return Some("one holds a lock twice here: was it read before the step, or after it?");
    }
    (other && !own && !told)
        .then_some("no release names its own lease: was it read before the step, or after it?")
}

/// Whether one acquires, or releases, twice without anything in between.
fn is_held_twice(rows: &[Row]) -> bool {
    let mut last: BTreeMap<&str, &Row> = BTreeMap::new();
    let steps = rows.iter().filter(|row| {
        matches!(
            row.answer,
            Answer::Acquired | Answer::Released | Answer::Expired
        )
    });
    let mut again = steps.filter(|row| {
        let before = last.insert(&row.lock, row);
        before.is_some_and(|before| {
            before.answer == row.answer
                && before.own.owner == row.own.owner
                && before.own.is(&row.own) == Some(true)
        })
    });
    again.next().is_some()
}

/// Whether a lease was the last one that was acquired before a record, and has not ended.
pub(super) fn is_current(rows: &[Row], n: usize, lease: &Identity) -> bool {
    let Some(row) = rows.get(n) else {
        return false;
    };
    let before = rows.iter().take(n).rev().filter(|one| one.lock == row.lock);
    let mut before = before.skip_while(|one| {
        !matches!(
            one.answer,
            Answer::Acquired | Answer::Released | Answer::Expired
        )
    });
    before
        .next()
        .is_some_and(|last| last.answer == Answer::Acquired && last.own.is(lease) == Some(true))
}

/// Whether a lease is acquired after a record, and was not held before it.
fn comes_later(rows: &[Row], n: usize, lease: &Identity) -> bool {
    let Some(row) = rows.get(n) else {
        return false;
    };
    let of_lease = |one: &&Row| one.lock == row.lock && one.own.is(lease) == Some(true);
    let later = rows.iter().skip(n + 1).filter(of_lease);
    let acquires = |one: &Row| one.answer == Answer::Acquired;
    let mut before = rows.iter().take(n).rev().filter(of_lease);
    let held = before
        .find(|one| {
            matches!(
                one.answer,
                Answer::Acquired | Answer::Renewed | Answer::Released | Answer::Expired
            )
        })
        .is_some_and(|last| matches!(last.answer, Answer::Acquired | Answer::Renewed));
    !held && later.into_iter().any(acquires)
}

#[cfg(test)]
mod tests {
    use super::doubt;
    use crate::evidence::{Answer, Event, Field};
    use crate::ingest::mapping::suggest::trial::Row;

    fn row(answer: Answer, owner: &str, holder: &str) -> Row {
        let mut row = Row::written(owner, 1, "o");
        row.event = if answer == Answer::Acquired {
            Event::Acquire
        } else {
            Event::Release
        };
        (row.answer, row.own.token) = (answer, None);
        row.none_active = holder == "none";
        row.active.owner = Some(holder.to_owned()).filter(|h| !h.is_empty() && h != "none");
        row
    }

    #[test]
    fn a_holder_may_be_read_after_the_step() {
        let of = |rows: &[(Answer, &str, &str)], name| {
            let rows: Vec<Row> = rows.iter().map(|r| row(r.0, r.1, r.2)).collect();
            doubt(&rows, Field::ActiveOwnerId, name).is_some()
        };
        use Answer::{Acquired, ReleaseRejectedNotOwner, Released};
        let next = [
            (Acquired, "w1", "w1"),
            (Released, "w1", "w2"),
            (Acquired, "w2", "w2"),
        ];
        assert!(of(&next, "current_holder") && of(&next, "holder"));
        let two = [
            (Acquired, "w1", ""),
            (Acquired, "w2", ""),
            (Released, "w1", "w2"),
        ];
        assert!(!of(&two, "current_holder") && of(&two, "holder"));
        let own = [
            two[0],
            two[1],
            two[2],
            (Acquired, "w3", ""),
            (Released, "w3", "w3"),
        ];
        assert!(!of(&own, "holder"));
        let renewed = [two[0], two[1], (Answer::Renewed, "w2", "w2"), two[2]];
        assert!(of(&renewed, "holder"));
        let none = [
            two[0],
            two[1],
            two[2],
            (Acquired, "w3", ""),
            (Released, "w3", "none"),
        ];
        assert!(of(&none, "current_holder"));
        let refused = [two[0], two[1], (ReleaseRejectedNotOwner, "w1", "w2")];
        assert!(!of(&refused, "holder"));
    }
}
