//! Who asks, and who holds the lock: the name `holder` may be that of either. Where records
//! have both, they say it themselves.

mod told;

use std::collections::{BTreeMap, BTreeSet};

use super::choice::{Aside, Choice};
use super::holder;
use super::toml::shown;
use super::trial::{Identity, Row, probe};
use crate::evidence::{Answer, Field};
use crate::ingest::mapping::sample::{Sample, Values};
use crate::ingest::mapping::synonyms::NAMES;
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
    let (last, both) = (plain(&values.names.0), plain(&values.names.1));
    let ends = |names: &[&str]| names.iter().any(|name| both.ends_with(name));
    let owners = NAMES.iter().find(|(field, _)| *field == Field::OwnerId);
    let known = owners
        .is_some_and(|(_, names)| names.contains(&last.as_str()) || names.contains(&both.as_str()));
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
pub(super) fn doubted(
    sample: &Sample,
    chosen: &[Choice<'_>],
    aside: &[Aside],
    rows: &[Row],
    text: &str,
) -> Option<Aside> {
    let owner = chosen.iter().find(|c| c.field == Field::OwnerId)?;
    let of = kind(sample.paths.get(owner.path)?).unwrap_or(Kind::Asker);
    if aside.iter().any(|one| one.why == NEITHER) {
        return Some(out(owner.path, NEITHER));
    }
    let asks = match of {
        Kind::Holder | Kind::Owner => of_leases(sample, chosen, owner.path, of, text)
            .or_else(|| among(sample, chosen, aside, (owner.path, of), rows, text)),
        Kind::Place | Kind::Asker => None,
    };
    asks.or_else(|| beside(sample, chosen, aside, (owner.path, of), text))
}

fn out(path: &str, why: &str) -> Aside {
    Aside::new(Field::OwnerId, path.to_owned(), why.to_owned())
}

/// A name of a holder that was taken for who asks, held against all names of who asks.
fn among(
    sample: &Sample,
    chosen: &[Choice<'_>],
    aside: &[Aside],
    (path, of): (&str, Kind),
    rows: &[Row],
    text: &str,
) -> Option<Aside> {
    let taken = |one: &str| {
        chosen.iter().any(|c| c.path == one) || aside.iter().any(|aside| aside.path == one)
    };
    let mut askers: Vec<(&str, Kind)> = sample
        .paths
        .iter()
        .filter(|(path, values)| !taken(path) && values.count > 0)
        // What is the same on all lines wrote them all.
        .filter(|(path, values)| !path.starts_with('$') || values.seen.len() > 1)
        .filter_map(|(path, values)| Some((path.as_str(), kind(values)?, values.seen.len())))
        .filter(|(_, kind, distinct)| match kind {
            Kind::Asker => true,
            Kind::Place => *distinct > 1,
            Kind::Owner => of == Kind::Holder,
            Kind::Holder => false,
        })
        .map(|(path, kind, _)| (path, kind))
        .collect();
    askers.sort_by_key(|(_, kind)| *kind);
    let mut found: Vec<_> = askers
        .into_iter()
        .take(MAX_ASKERS)
        .map(|(asker, its)| {
            let instead = [(Field::OwnerId, asker), (Field::ActiveOwnerId, path)];
            let rows = probe(sample, chosen, &instead, text);
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
        Some((_, Role::Holds, asker, rows)) => Some(holds(sample, chosen, rows, path, asker)),
        Some((_, Role::Doubtful(why), ..)) => Some(out(path, why)),
        Some((_, Role::Asks, ..)) => None,
        None => alone(rows, of).map(|why| out(path, why)),
    }
}

/// Who holds the lock: the owner of the lease that was current, where nothing else is and it
/// was read before the step.
fn holds(sample: &Sample, chosen: &[Choice<'_>], rows: &[Row], path: &str, asker: &str) -> Aside {
    let name = sample.paths.get(path).map_or("", |v| v.names.0.as_str());
    let what = format!(
        "it names who holds the lock, whoever asks ({})",
        shown(asker)
    );
    let taken = chosen
        .iter()
        .any(|c| c.field == Field::ActiveOwnerId && c.path != path);
    match holder::doubt(rows, Field::ActiveOwnerId, name) {
        Some(why) => out(path, &format!("{what}; {why}")),
        None => {
            let mut aside = out(path, &what);
            aside.becomes = (!taken).then_some(Field::ActiveOwnerId);
            aside
        }
    }
}

/// A name of a holder that nothing was made of, beside who asks.
fn beside(
    sample: &Sample,
    chosen: &[Choice<'_>],
    aside: &[Aside],
    (owner, its): (&str, Kind),
    text: &str,
) -> Option<Aside> {
    if chosen.iter().any(|c| c.field == Field::ActiveOwnerId) {
        return None;
    }
    let free = |path: &str| {
        !path.starts_with('$')
            && chosen.iter().all(|c| c.path != path)
            && aside.iter().all(|one| one.path != path)
    };
    let holders = sample.paths.iter().filter_map(|(path, values)| {
        let of = kind(values)?;
        let named = of == Kind::Holder || of == Kind::Owner && its != Kind::Owner;
        (named && free(path)).then_some((path.as_str(), of))
    });
    holders.take(MAX_ASKERS).find_map(|(path, of)| {
        let instead = [(Field::OwnerId, owner), (Field::ActiveOwnerId, path)];
        let rows = probe(sample, chosen, &instead, text);
        let role = Told::of(&rows).role(of, its);
        (role == Role::Holds).then(|| holds(sample, chosen, &rows, path, owner))
    })
}

/// A name of a holder that names leases, as `session` beside it does.
fn of_leases(
    sample: &Sample,
    chosen: &[Choice<'_>],
    path: &str,
    of: Kind,
    text: &str,
) -> Option<Aside> {
    let lease = chosen.iter().find(|c| c.field == Field::LeaseId)?;
    if names_who_asks(sample, path, lease.path) {
        return None;
    }
    let instead = [(Field::LeaseId, lease.path), (Field::ActiveLeaseId, path)];
    let rows = probe(sample, chosen, &instead, text);
    let leases: BTreeSet<&String> = rows.iter().filter_map(|row| row.lease.as_ref()).collect();
    let named = |row: &&Row| {
        row.active
            .lease
            .as_ref()
            .is_some_and(|one| leases.contains(one))
    };
    let mut named = rows.iter().filter(named).peekable();
    named.peek()?;
    let differ = named.any(|row| row.lease.is_some() && row.lease != row.active.lease);
    let name = sample.paths.get(path).map_or("", |v| v.names.0.as_str());
    let taken = chosen
        .iter()
        .any(|c| c.field == Field::ActiveLeaseId && c.path != path);
    let mut aside = out(path, "it names leases, and may be which one holds the lock");
    if differ && !taken && holder::doubt(&rows, Field::ActiveLeaseId, name).is_none() {
        aside.becomes = Some(Field::ActiveLeaseId);
    }
    (differ || of == Kind::Holder).then_some(aside)
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
        all.peek().is_none() || all.any(|row| row.owner.is_some())
    };
    if !named(Answer::Acquired) {
        return Some("no acquisition has it: it may be who holds the lock");
    }
    let refused = |row: &Row| row.answer == Answer::RejectedStaleFence && row.owner.is_some();
    if !named(Answer::Accepted) && rows.iter().any(refused) {
        return Some("no accepted write has it: it may be who holds the lock");
    }
    let mut owners: BTreeMap<_, &String> = BTreeMap::new();
    for (n, row) in rows.iter().enumerate() {
        let Some(owner) = &row.owner else {
            continue;
        };
        let lease = match (&row.lease, row.token) {
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
