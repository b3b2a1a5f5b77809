//! What a watch has told, so that it is known what it tells again, and where its cluster
//! begins to count anew.
//!
//! A watch that is taken up again at an earlier revision repeats changes: each then says what
//! it said the first time. A cluster that was restored from a snapshot has revisions that
//! were there before and mean something else; no number orders those after the others.

use std::collections::{BTreeMap, HashMap};

use crate::evidence::{Answer, Event};
use crate::ingest::{Output, Problem};

use super::common::{cow, numbered};
use super::queue::Member;

/// How many changes are kept.
const MAX_CHANGES: usize = 1 << 16;
/// How many locks are known at most.
const MAX_LOCKS: usize = 1 << 20;

/// What stands around the changes of a response.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Header {
    pub(super) cluster: Option<u64>,
    /// The revision of the store when it answered.
    pub(super) revision: Option<u64>,
}

/// A record that a change came to.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) lock: String,
    pub(super) event: Event,
    pub(super) answer: Answer,
    pub(super) member: Member,
    pub(super) seq: Option<u64>,
}

impl Told {
    pub(super) fn tell(&self, problems: &[Problem], output: &mut dyn Output) {
        let mut record = numbered(&self.lock, self.event, self.answer, self.seq);
        record.owner = cow(&self.member.owner);
        record.lease = cow(&self.member.lease);
        record.token = self.member.token;
        output.record(0, &record, problems);
    }
}

/// Which change of a history it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) revision: u64,
    pub(super) key: String,
    pub(super) deleted: bool,
    pub(super) lease: Option<String>,
}

/// What a change is to the ones before.
#[derive(Debug)]
pub(super) enum Place {
    New,
    /// It was there before, and came to these records.
    Again(Vec<Told>),
    /// It is of another history than the ones before.
    Elsewhere,
}

/// The changes of one history.
#[derive(Debug, Default)]
pub(super) struct History {
    cluster: Option<u64>,
    changes: BTreeMap<u64, Vec<(Change, Vec<Told>)>>,
    count: usize,
    /// For each lock the greatest revision that changed it.
    locks: HashMap<String, u64>,
}

impl History {
    /// Where a change of a lock belongs, by the header that came with it.
    pub(super) fn place(&mut self, change: &Change, lock: &str, header: Header) -> Place {
        let known = self.cluster;
        if header.cluster.is_some() {
            self.cluster = header.cluster;
        }
        if known.is_some() && known != self.cluster {
            return Place::Elsewhere;
        }
        let same = self.changes.get(&change.revision).into_iter().flatten();
        let mut same = same.filter(|(one, _)| one.key == change.key);
        if let Some((one, told)) = same.next() {
            // A revision changes a key once.
            return match one == change {
                true => Place::Again(told.clone()),
                false => Place::Elsewhere,
            };
        }
        // A store does not answer with less than it had reached.
        let reached = self.locks.get(lock).copied().unwrap_or_default();
        if header.revision.is_some_and(|revision| revision < reached) {
            return Place::Elsewhere;
        }
        Place::New
    }

    /// Forgets everything but the cluster: what follows is another history.
    pub(super) fn restart(&mut self) {
        *self = History {
            cluster: self.cluster,
            ..History::default()
        };
    }

    /// Keeps what a change came to.
    pub(super) fn keep(&mut self, change: Change, lock: &str, told: Vec<Told>) {
        if let Some(reached) = self.locks.get_mut(lock) {
            *reached = change.revision.max(*reached);
        } else if self.locks.len() < MAX_LOCKS {
            self.locks.insert(lock.to_owned(), change.revision);
        }
        let of_revision = self.changes.entry(change.revision).or_default();
        of_revision.push((change, told));
        self.count += 1;
        while self.count > MAX_CHANGES
            && let Some((_, oldest)) = self.changes.pop_first()
        {
            self.count -= oldest.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Change, Header, History, MAX_CHANGES, Place};

    fn change(revision: u64, lease: &str) -> Change {
        Change {
            revision,
            key: "a".to_owned(),
            deleted: false,
            lease: Some(lease.to_owned()),
        }
    }

    fn header(cluster: u64, revision: u64) -> Header {
        Header {
            cluster: Some(cluster),
            revision: Some(revision),
        }
    }

    fn place(history: &mut History, change: Change, header: Header) -> &'static str {
        let place = match history.place(&change, "a", header) {
            Place::New => "new",
            Place::Again(_) => "again",
            Place::Elsewhere => "elsewhere",
        };
        history.keep(change, "a", Vec::new());
        place
    }

    #[test]
    fn what_is_told_again_is_known_and_another_history_is_not() {
        let mut history = History::default();
        let mut at = |revision, lease, header| place(&mut history, change(revision, lease), header);
        assert_eq!(at(26, "l1", header(1, 26)), "new");
        assert_eq!(at(30, "l2", header(1, 30)), "new");
        assert_eq!(at(26, "l1", header(1, 33)), "again");
        // From an earlier revision than before.
        assert_eq!(at(20, "l0", header(1, 33)), "new");
        assert_eq!(at(26, "l1", Header::default()), "again");
        assert_eq!(at(26, "l3", header(1, 33)), "elsewhere");
        assert_eq!(at(28, "l3", header(1, 28)), "elsewhere");
        assert_eq!(at(31, "l4", header(2, 31)), "elsewhere");
    }

    #[test]
    fn only_so_many_changes_are_kept() {
        let mut history = History::default();
        for revision in 0..=MAX_CHANGES as u64 {
            history.keep(change(revision, "l"), "a", Vec::new());
        }
        assert_eq!(history.count, MAX_CHANGES);
        assert!(!history.changes.contains_key(&0));
    }
}
