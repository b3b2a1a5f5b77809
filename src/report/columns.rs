//! Which records of a lock a timeline shows, one by one, together, or not at all.

use std::collections::BTreeMap;

use super::model::{Column, Entry};
use crate::evidence::Event;

/// Up to so many records, each has a column of its own.
const FEW: usize = 36;
/// Alike records in a row are told as one from this many on.
const RUN: usize = 3;

/// The columns for the records of a lock, in order. `gap` is how many records are known
/// to be missing before the record at that index. No more than `most` columns come out.
///
/// A record that an incident rests on always has a column of its own, as long as there is
/// room for all of them.
pub fn columns(entries: Vec<Entry>, gap: Option<(usize, u64)>, most: usize) -> Vec<Column> {
    let mut columns = Vec::with_capacity(entries.len() + 1);
    let few = entries.len() <= FEW.min(most);
    for (index, entry) in entries.into_iter().enumerate() {
        if let Some((at, count)) = gap
            && at == index
        {
            columns.push(Column::Gap { count });
        }
        columns.push(Column::Record(entry));
    }
    if few {
        return columns;
    }
    let columns = runs(columns);
    if columns.len() <= most {
        return columns;
    }
    let wanted = choose(&columns, most);
    thin(columns, &wanted)
}

/// The columns that are wanted: those of incidents, and as much around them as there is
/// room for, the first incident first.
fn choose(columns: &[Column], most: usize) -> Vec<bool> {
    let mut of: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, column) in columns.iter().enumerate() {
        for part in column
            .entry()
            .into_iter()
            .flat_map(|entry| &entry.incidents)
        {
            of.entry(part.incident).or_default().push(at);
        }
    }
    let mut wanted = vec![false; columns.len()];
    let mut add = |list: &[usize]| {
        let mut more = wanted.clone();
        for at in list {
            if let Some(one) = more.get_mut(*at) {
                *one = true;
            }
        }
        fill(&mut more);
        let fits = shown(&more) <= most;
        if fits {
            wanted = more;
        }
        fits
    };
    let told: Vec<usize> = of.values().flatten().copied().collect();
    if !add(&told) {
        for list in of.values() {
            add(list);
        }
    }
    for list in of.values() {
        add(&leases(columns, list));
    }
    for context in 1..=2 {
        for list in of.values() {
            let near: Vec<usize> = list
                .iter()
                .flat_map(|at| at.saturating_sub(context)..=at + context)
                .collect();
            add(&near);
        }
    }
    add(&[0, columns.len().saturating_sub(1)]);
    wanted
}

/// Where the leases of some columns begin and end.
fn leases(columns: &[Column], list: &[usize]) -> Vec<usize> {
    let lease = |at: usize| columns.get(at)?.entry()?.record.lease_id.as_deref();
    let leases: Vec<&str> = list.iter().filter_map(|at| lease(*at)).collect();
    let turns = |at: &usize| {
        let entry = columns.get(*at).and_then(Column::entry);
        entry.is_some_and(|one| !matches!(one.record.event, Event::Write | Event::Renew))
    };
    (0..columns.len())
        .filter(turns)
        .filter(|at| lease(*at).is_some_and(|lease| leases.contains(&lease)))
        .collect()
}

/// A gap of one column would take the room of that column: it is shown instead.
fn fill(wanted: &mut [bool]) {
    let gap = |wanted: &[bool], at: Option<usize>| {
        at.and_then(|at| wanted.get(at)).is_some_and(|one| !one)
    };
    for at in 0..wanted.len() {
        let alone =
            gap(wanted, Some(at)) && !gap(wanted, at.checked_sub(1)) && !gap(wanted, Some(at + 1));
        if alone && let Some(one) = wanted.get_mut(at) {
            *one = true;
        }
    }
}

/// Puts alike records in a row together.
fn runs(columns: Vec<Column>) -> Vec<Column> {
    let mut out: Vec<Column> = Vec::with_capacity(columns.len());
    let mut run: Vec<Entry> = Vec::new();
    for column in columns {
        match column {
            Column::Record(entry) if entry.incidents.is_empty() => {
                if run.last().is_some_and(|last| !alike(last, &entry)) {
                    flush(&mut run, &mut out);
                }
                run.push(entry);
            }
            other => {
                flush(&mut run, &mut out);
                out.push(other);
            }
        }
    }
    flush(&mut run, &mut out);
    out
}

fn flush(run: &mut Vec<Entry>, out: &mut Vec<Column>) {
    if run.len() < RUN {
        out.extend(run.drain(..).map(Column::Record));
        return;
    }
    let count = run.len() as u64;
    let last = run.last().map(|last| (last.position, last.line));
    let first = run.drain(..).next();
    if let (Some(first), Some((last_position, last_line))) = (first, last) {
        out.push(Column::Run {
            first,
            count,
            last_position,
            last_line,
        });
    }
}

/// Whether two records say the same in a picture.
fn alike(a: &Entry, b: &Entry) -> bool {
    let what = |entry: &Entry| (entry.record.event, entry.record.result);
    what(a) == what(b)
        && a.record.owner_id == b.record.owner_id
        && a.record.lease_id == b.record.lease_id
        && a.record.fence_token == b.record.fence_token
        && a.record.resource_key == b.record.resource_key
        && a.record.active == b.record.active
}

/// How many columns there are once the unwanted ones are gaps.
fn shown(wanted: &[bool]) -> usize {
    let gaps = wanted
        .iter()
        .enumerate()
        .filter(|(at, one)| !**one && (*at == 0 || wanted.get(at - 1).is_some_and(|one| *one)))
        .count();
    wanted.iter().filter(|one| **one).count() + gaps
}

fn thin(columns: Vec<Column>, wanted: &[bool]) -> Vec<Column> {
    let mut out: Vec<Column> = Vec::new();
    for (column, wanted) in columns.into_iter().zip(wanted) {
        if *wanted && !matches!(column, Column::Gap { .. }) {
            out.push(column);
            continue;
        }
        let more = column.count();
        match out.last_mut() {
            Some(Column::Gap { count }) => *count += more,
            _ => out.push(Column::Gap { count: more }),
        }
    }
    out
}

#[cfg(test)]
pub(crate) mod tests {
    use super::columns;
    use crate::evidence::{Answer, Event};
    use crate::incident::Role;
    use crate::report::model::{Column, Entry, Part, Saying};
    use proptest::prelude::*;

    pub(crate) fn entry(
        position: u64,
        told: bool,
        owner: &str,
        event: Event,
        answer: Answer,
    ) -> Entry {
        Entry {
            position,
            source: "log".to_owned(),
            line: position,
            seq: Some(position),
            record: Saying {
                ts: None,
                event,
                result: answer,
                owner_id: Some(owner.to_owned()),
                lease_id: Some(format!("lease-{owner}")),
                fence_token: Some(position),
                resource_key: Some("key".to_owned()),
                operation_id: None,
                resource_highest_token_before: None,
                resource_highest_token_after: None,
                active: None,
            },
            incidents: if told {
                vec![Part {
                    incident: 1,
                    decides: true,
                    role: Role::LateWrite,
                }]
            } else {
                Vec::new()
            },
        }
    }

    proptest! {
        #[test]
        fn no_record_is_lost_and_the_bound_holds(
            told in proptest::collection::vec(any::<(bool, bool)>(), 0..400),
            gap in proptest::option::of((0usize..400, 1u64..1000)),
            most in 12usize..120,
        ) {
            let entries: Vec<Entry> = told
                .iter()
                .zip(1..)
                .map(|((told, other), n)| {
                    let owner = if *other { "a" } else { "b" };
                    let mut one = entry(n, *told && n % 7 == 0, owner, Event::Write, Answer::Accepted);
                    one.record.fence_token = Some(1);
                    one
                })
                .collect();
            let total = entries.len() as u64
                + gap.filter(|(at, _)| *at < entries.len()).map_or(0, |(_, count)| count);
            let wanted = entries.iter().filter(|one| !one.incidents.is_empty()).count();
            let columns = columns(entries, gap, most);
            prop_assert_eq!(columns.iter().map(Column::count).sum::<u64>(), total);
            prop_assert!(columns.len() <= most + 1);
            let positions: Vec<u64> = columns
                .iter()
                .filter_map(|one| Some(one.entry()?.position))
                .collect();
            prop_assert!(positions.is_sorted());
            if wanted * 2 < most {
                let told = columns
                    .iter()
                    .filter(|one| one.entry().is_some_and(|one| !one.incidents.is_empty()));
                prop_assert_eq!(told.count(), wanted);
            }
        }
    }
}
