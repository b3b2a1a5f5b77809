//! Who asks, and who holds the lock: the name `holder` may be that of either. Where records
//! have both, they say it themselves.

mod told;

use std::collections::{BTreeMap, BTreeSet};

use super::choice::{Aside, Guess};
use super::holder;
use super::toml::shown;
use super::trial::{Identity, Row};
use crate::evidence::{Answer, Field};
use crate::ingest::mapping::sample::{Sample, Values};
use crate::ingest::mapping::synonyms::names_of;
use crate::near::plain;
use told::{NEITHER, Role, Told};

/// Ends of names of who holds a lock, which may be who asks.
const HOLDERS: [&str; 6] = [
    "holder",
    "holderid",
    "holderidentity",
    "holdername",
    "lockedby",
    "acquiredby",
];
/// Names of who was elected: `is_leader` names nobody.
const LEADERS: [&str; 2] = ["leader", "leaderid"];
/// Ends of names of an owner, who asks more often than not.
const OWNERS: [&str; 3] = ["owner", "ownerid", "ownername"];
/// Names of where something runs, which may be where a line was written.
const PLACES: [&str; 10] = [
    "host",
    "hostname",
    "instanceid",
    "serviceinstanceid",
    "instance",
    "nodeid",
    "node",
    "podname",
    "pod",
    "replica",
];

/// Names that are held against one.
const MAX_ASKERS: usize = 4;

/// What a name may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Owner,
    Asker,
    Place,
    Holder,
}

fn kind(values: &Values) -> Option<Kind> {
    let (last, both) = (plain(&values.name), plain(&values.full_name));
    let ends = |names: &[&str]| names.iter().any(|name| both.ends_with(name));
    let mut owners = names_of(Field::OwnerId).iter();
    let known = owners.any(|name| last == *name || both == *name);
    let comes_next = ["new", "next"].iter().any(|word| last.starts_with(word));
    if comes_next {
        None
    } else if ends(&HOLDERS) || LEADERS.contains(&last.as_str()) {
        Some(Kind::Holder)
    } else if ends(&OWNERS) {
        Some(Kind::Owner)
    } else if PLACES.contains(&last.as_str()) {
        Some(Kind::Place)
    } else {
        known.then_some(Kind::Asker)
    }
}

/// What is called an owner and is not who asks, or is who holds the lock.
pub(super) fn doubted(guess: &Guess<'_>, rows: &[Row]) -> Option<Aside> {
    let owner = guess.path(Field::OwnerId)?;
    let of = kind(guess.values(Field::OwnerId)?).unwrap_or(Kind::Asker);
    if guess.aside.iter().any(|one| one.why == NEITHER) {
        return Some(out(owner, NEITHER));
    }
    let asks = match of {
        Kind::Holder | Kind::Owner => {
            of_leases(guess, owner, of).or_else(|| among(guess, owner, of, rows))
        }
        Kind::Place | Kind::Asker => None,
    };
    asks.or_else(|| beside(guess, owner, of))
}

fn out(path: &str, why: impl Into<String>) -> Aside {
    Aside::new(Field::OwnerId, path, why)
}

/// A name of a holder that was taken for who asks, held against all names of who asks.
fn among(guess: &Guess<'_>, path: &str, of: Kind, rows: &[Row]) -> Option<Aside> {
    let other = guess.sample.paths.iter().filter(|(path, values)| {
        // What is the same on all lines wrote them all.
        let is_everywhere = path.starts_with('$') && values.seen.len() < 2;
        !guess.is_taken(path) && values.count > 0 && !is_everywhere
    });
    let mut askers: Vec<(Kind, &str)> = other
        .filter_map(|(path, values)| {
            let kind = kind(values)?;
            let asks = match kind {
                Kind::Asker => true,
                Kind::Place => values.seen.len() > 1,
                Kind::Owner => of == Kind::Holder,
                Kind::Holder => false,
            };
            asks.then_some((kind, path.as_str()))
        })
        .collect();
    askers.sort_by_key(|(kind, _)| *kind);
    let mut found: Vec<_> = askers
        .into_iter()
        .take(MAX_ASKERS)
        .map(|(its, asker)| {
            let rows = guess.probe(&[(Field::OwnerId, asker), (Field::ActiveOwnerId, path)]);
            let told = Told::of(&rows);
            (told.shared, told.role(of, its), asker, rows)
        })
        .collect();
    // One that has the same values tells most.
    found.sort_by_key(|(shared, ..)| !shared);
    let telling = found
        .iter()
        .find(|(shared, role, ..)| *shared || *role != Role::Asks);
    match telling {
        Some((_, Role::Holds, asker, rows)) => Some(holds(guess, rows, path, asker)),
        Some((_, Role::Doubtful(why), ..)) => Some(out(path, *why)),
        Some((_, Role::Asks, ..)) => None,
        None => alone(rows, of).map(|why| out(path, why)),
    }
}

/// Who holds the lock: the owner of the lease that was current, where nothing else is and it
/// was read before the step.
fn holds(guess: &Guess<'_>, rows: &[Row], path: &str, asker: &str) -> Aside {
    let what = format!(
        "it names who holds the lock, whoever asks ({})",
        shown(asker)
    );
    match holder::doubt(rows, Field::ActiveOwnerId, guess.name(path)) {
        Some(why) => out(path, format!("{what}; {why}")),
        None if is_of_another(guess, Field::ActiveOwnerId, path) => out(path, what),
        None => out(path, what).becoming(Field::ActiveOwnerId),
    }
}

/// Whether a field has another path than this one.
fn is_of_another(guess: &Guess<'_>, field: Field, path: &str) -> bool {
    guess.path(field).is_some_and(|other| other != path)
}

/// A name of a holder that nothing was made of, beside who asks.
fn beside(guess: &Guess<'_>, owner: &str, its: Kind) -> Option<Aside> {
    if guess.has(Field::ActiveOwnerId) {
        return None;
    }
    let holders = guess.sample.paths.iter().filter_map(|(path, values)| {
        let of = kind(values)?;
        let named = of == Kind::Holder || of == Kind::Owner && its != Kind::Owner;
        (named && guess.is_free(path)).then_some((path.as_str(), of))
    });
    holders.take(MAX_ASKERS).find_map(|(path, of)| {
        let rows = guess.probe(&[(Field::OwnerId, owner), (Field::ActiveOwnerId, path)]);
        let role = Told::of(&rows).role(of, its);
        (role == Role::Holds).then(|| holds(guess, &rows, path, owner))
    })
}

/// A name of a holder that names leases, as `session` beside it does.
fn of_leases(guess: &Guess<'_>, path: &str, of: Kind) -> Option<Aside> {
    let lease = guess.path(Field::LeaseId)?;
    if names_who_asks(guess.sample, path, lease) {
        return None;
    }
    let rows = guess.probe(&[(Field::LeaseId, lease), (Field::ActiveLeaseId, path)]);
    let leases: BTreeSet<&String> = rows
        .iter()
        .filter_map(|row| row.own.lease.as_ref())
        .collect();
    let named = |row: &&Row| {
        let active = row.active.lease.as_ref();
        active.is_some_and(|one| leases.contains(one))
    };
    let mut named = rows.iter().filter(named).peekable();
    named.peek()?;
    let differ = named.any(|row| row.own.lease.is_some() && row.own.lease != row.active.lease);
    let is_active = differ
        && !is_of_another(guess, Field::ActiveLeaseId, path)
        && holder::doubt(&rows, Field::ActiveLeaseId, guess.name(path)).is_none();
    let aside = out(path, "it names leases, and may be which one holds the lock");
    match is_active {
        true => Some(aside.becoming(Field::ActiveLeaseId)),
        false => (differ || of == Kind::Holder).then_some(aside),
    }
}

/// Whether all values under a name are those of who asks under another one: where these are
/// numbers, leases may have the same.
fn names_who_asks(sample: &Sample, path: &str, lease: &str) -> bool {
    let Some(holder) = sample.paths.get(path) else {
        return false;
    };
    sample.paths.iter().any(|(other, values)| {
        let known = |value: &String| values.seen.iter().any(|(one, _)| one == value);
        other != path
            && other != lease
            && kind(values).is_some_and(|kind| kind != Kind::Holder)
            && holder.seen.iter().all(|(value, _)| known(value))
    })
}

/// Why a name of a holder is not that of who asks, where nothing else is.
fn alone(rows: &[Row], of: Kind) -> Option<&'static str> {
    let named = |answer: Answer| {
        let mut all = rows.iter().filter(|row| row.answer == answer).peekable();
        all.peek().is_none() || all.any(|row| row.own.owner.is_some())
    };
    if !named(Answer::Acquired) {
        return Some("no acquisition has it: it may be who holds the lock");
    }
    let refused = |row: &Row| row.answer == Answer::RejectedStaleFence && row.own.owner.is_some();
    if !named(Answer::Accepted) && rows.iter().any(refused) {
        return Some("no accepted write has it: it may be who holds the lock");
    }
    let mut owners: BTreeMap<_, &String> = BTreeMap::new();
    for (n, row) in rows.iter().enumerate() {
        let Some(owner) = &row.own.owner else {
            continue;
        };
        let lease = match (&row.own.lease, row.own.token) {
            (None, None) => None,
            (None, token) => Some((&row.lock, None, token)),
            (lease, _) => Some((&row.lock, lease.as_ref(), None)),
        };
        let first = lease.and_then(|lease| owners.get(&lease));
        match row.answer {
            Answer::Acquired => {
                if let Some(lease) = lease {
                    owners.insert(lease, owner);
                }
            }
            Answer::ReleaseRejectedNotOwner
            | Answer::RenewRejectedNotOwner
            | Answer::AcquireRejectedHeld
            | Answer::RejectedStaleFence => {
                let by_owner = Identity {
                    owner: Some(owner.clone()),
                    ..Identity::default()
                };
                let stale = row.answer == Answer::RejectedStaleFence;
                let held = row.answer == Answer::AcquireRejectedHeld;
                let current = !stale && holder::is_current(rows, n, &by_owner);
                // Who finds a lock held may tell the lease that holds it.
                let other = !held && first.is_some_and(|first| *first != owner);
                if other || of == Kind::Holder && current {
                    return Some("what was refused names another there than who asked");
                }
            }
            _ => {}
        }
    }
    None
}
