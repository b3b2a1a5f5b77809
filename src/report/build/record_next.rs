//! Which fields to record next time.

use std::collections::BTreeMap;

use super::Builder;
use crate::evidence::Field;
use crate::incident::catalogue;
use crate::lint::decidability::On;
use crate::report::model::RecordNext;

impl Builder<'_, '_> {
    /// The fields that incidents lack, and those that would let the records prove more;
    /// the one that helps most incidents first.
    pub(super) fn record_next(&self) -> Vec<RecordNext> {
        let mut next: BTreeMap<Field, RecordNext> = BTreeMap::new();
        let mut of = |field: Field, take: &dyn Fn(&mut RecordNext)| {
            take(next.entry(field).or_insert_with(|| RecordNext {
                field,
                on: Vec::new(),
                why: catalogue::missing(self.language, field),
                incidents: 0,
                classes: Vec::new(),
                locks: 0,
            }));
        };
        for one in &self.run.classification.incidents {
            for field in &one.missing {
                of(*field, &|next| next.incidents += 1);
            }
        }
        for way in self.run.gaps.summary() {
            // The first set is the one that helps most, and the smallest of those.
            let Some((needs, locks)) = way.needs.first() else {
                continue;
            };
            for need in needs {
                of(need.field, &|next| {
                    insert(&mut next.on, need.on);
                    insert(&mut next.classes, way.way.class);
                    next.locks = next.locks.max(*locks);
                });
            }
        }
        let mut next: Vec<RecordNext> = next.into_values().collect();
        for one in &mut next {
            if one.on.contains(&On::EveryRecord) {
                one.on = vec![On::EveryRecord];
            }
        }
        next.sort_by_key(|one| std::cmp::Reverse((one.incidents, one.classes.len())));
        next
    }
}

/// Puts something into an ordered list without repetition.
fn insert<T: Ord>(list: &mut Vec<T>, item: T) {
    if let Err(at) = list.binary_search(&item) {
        list.insert(at, item);
    }
}
