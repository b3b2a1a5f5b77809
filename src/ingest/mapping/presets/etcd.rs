//! `etcdctl watch -w json`, the same through the gRPC gateway (numbers as text, the header
//! inside `result`), and `-w fields`.
//!
//! A key with a lease is a lock. Two recipes are told apart: a key that is the lock
//! itself, and a key `PREFIX/HEX` of a queue, where the lowest create revision holds. The
//! deletion of the holder's key ends its lease; a watch does not say who deleted it, nor
//! whether the lease had run out, so no release is ever reported.

use std::collections::HashMap;

use serde::Deserialize;

use crate::evidence::{Answer, Event, Field};
use crate::ingest::mapping::meant::is_meant_as_json;
use crate::ingest::{Dialect, Framing, Output, Problem, ProblemKind};

use super::common::{Number, name_of_base64, owner_of, seq_of, unread};
use super::etcd_fields::Fields;
use super::etcd_history::{Change as Known, Header, History, Place, Told};
use super::queue::{Member, Queue, Removed};

#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow, alias = "Result")]
    result: Option<Box<Response<'a>>>,
    #[serde(default, alias = "Header")]
    header: Option<Head>,
    #[serde(borrow, default, alias = "Events")]
    events: Vec<Change<'a>>,
}

#[derive(Deserialize)]
struct Head {
    cluster_id: Option<Number>,
    revision: Option<Number>,
}

impl Head {
    fn header(&self) -> Header {
        Header {
            cluster: self.cluster_id.map(|n| n.0),
            revision: self.revision.map(|n| n.0),
        }
    }
}

#[derive(Deserialize)]
struct Change<'a> {
    #[serde(borrow, default, rename = "type")]
    kind: Kind<'a>,
    #[serde(borrow)]
    kv: Pair<'a>,
    #[serde(borrow)]
    prev_kv: Option<Pair<'a>>,
}

/// `PUT` is 0, absent or a word; `DELETE` is 1 or a word.
#[derive(Deserialize)]
#[serde(untagged)]
enum Kind<'a> {
    Number(u8),
    Word(&'a str),
}

impl Default for Kind<'_> {
    fn default() -> Self {
        Kind::Number(0)
    }
}

impl Kind<'_> {
    fn is_delete(&self) -> bool {
        matches!(self, Kind::Number(1) | Kind::Word("DELETE"))
    }
}

#[derive(Deserialize)]
struct Pair<'a> {
    key: &'a str,
    create_revision: Option<Number>,
    mod_revision: Option<Number>,
    version: Option<Number>,
    value: Option<&'a str>,
    #[serde(default)]
    lease: Number,
}

impl Pair<'_> {
    fn member(&self, name: &str) -> Member {
        Member {
            name: name.to_owned(),
            lease: lease_of(self.lease.0),
            owner: self.value.and_then(name_of_base64).and_then(owner_of),
            token: self.create_revision.map(|n| n.0),
        }
    }
}

/// A lease id as etcdctl prints it.
pub(super) fn lease_of(id: u64) -> Option<String> {
    (id != 0).then(|| format!("{id:016x}"))
}

/// A change of a key, whatever form it was written in.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) deleted: bool,
    pub(super) key: String,
    pub(super) revision: u64,
    pub(super) version: Option<u64>,
    /// What stands there now.
    pub(super) member: Member,
    /// What stood there before, where it was asked for.
    pub(super) before: Option<Member>,
}

impl Change<'_> {
    fn entry(&self) -> Option<Entry> {
        let key = name_of_base64(self.kv.key)?;
        Some(Entry {
            deleted: self.kind.is_delete(),
            revision: self.kv.mod_revision?.0,
            version: self.kv.version.map(|version| version.0),
            member: self.kv.member(&key),
            before: self.prev_kv.as_ref().map(|pair| pair.member(&key)),
            key,
        })
    }
}

/// Reads a watch.
#[derive(Debug, Default)]
pub(super) struct EtcdWatch {
    /// Locks that are one key: who has it.
    keys: HashMap<String, Member>,
    /// Locks that are a queue of keys under a prefix.
    queues: HashMap<String, Queue>,
    /// The revision of the last record, and how many records it had.
    revision: u64,
    records: u64,
    history: History,
    /// The cluster began to count anew: no number orders what follows after what was before.
    anew: bool,
    /// What is wrong there, until a record says it.
    untold: Option<Problem>,
    /// A change whose lines have not all come.
    fields: Fields,
}

impl EtcdWatch {
    fn seq(&mut self, revision: u64) -> Option<u64> {
        if revision != self.revision {
            self.revision = revision;
            self.records = 0;
        }
        self.records += 1;
        seq_of(revision, self.records - 1)
    }

    /// Reads a change and tells what it came to.
    fn told(
        &mut self,
        entry: Entry,
        header: Header,
        frame: &[u8],
        output: &mut dyn Output,
    ) -> Option<()> {
        let lock = prefix(&entry.key).unwrap_or(&entry.key).to_owned();
        let change = Known {
            revision: entry.revision,
            key: entry.key.clone(),
            deleted: entry.deleted,
            lease: entry.member.lease.clone(),
        };
        let mut problem = None;
        let told = match self.history.place(&change, &lock, header) {
            Place::Again(told) => told,
            place => {
                if matches!(place, Place::Elsewhere) {
                    // Whoever held or waited there may not do so here.
                    self.history.restart();
                    self.keys.clear();
                    self.queues.clear();
                    problem = (!self.anew).then(|| counts_anew(frame));
                    self.anew = true;
                }
                let told = self.change(entry);
                self.history.keep(change, &lock, told.clone());
                told
            }
        };
        let mut problem = problem.or_else(|| self.untold.take());
        for one in &told {
            one.tell(problem.as_slice(), output);
            problem = None;
        }
        // A change that is none of a lock says it nowhere.
        self.untold = problem;
        (!told.is_empty()).then_some(())
    }

    /// The records of a change.
    fn change(&mut self, change: Entry) -> Vec<Told> {
        let Entry {
            deleted,
            key,
            revision,
            version,
            member,
            before,
        } = change;
        if deleted {
            return self.removed(&key, revision, before);
        }
        if member.lease.is_none() {
            return Vec::new();
        }
        let Some(prefix) = prefix(&key) else {
            let before = self.keys.get(&key);
            if before.is_some_and(|before| before.lease == member.lease) {
                return Vec::new();
            }
            let mut member = member;
            if before.is_some() || version.is_some_and(|version| version > 1) {
                // Written over by another lease: the create revision is that of the
                // lease before, so it is no generation.
                member.token = None;
            }
            let told = self.acquired(&key, &member, revision);
            self.keys.insert(key, member);
            return vec![told];
        };
        // A later version of the key changes its value, not its place.
        let Some(place) = member
            .token
            .filter(|_| version.is_none_or(|version| version <= 1))
        else {
            return Vec::new();
        };
        let queue = self.queues.entry(prefix.to_owned()).or_default();
        match queue.join(place, member.clone()) {
            true => vec![self.acquired(prefix, &member, revision)],
            false => Vec::new(),
        }
    }

    fn removed(&mut self, key: &str, revision: u64, before: Option<Member>) -> Vec<Told> {
        let told = before.filter(|m| m.lease.is_some());
        let Some(prefix) = prefix(key) else {
            let ended = self.keys.remove(key).or(told);
            let ended = ended.map(|ended| self.ended(key, &ended, revision));
            return ended.into_iter().collect();
        };
        let Some(queue) = self.queues.get_mut(prefix) else {
            return Vec::new();
        };
        let removed = queue.leave(key);
        if queue.is_empty() {
            self.queues.remove(prefix);
        }
        let Removed::Holder(holder, next) = removed else {
            return Vec::new();
        };
        // Of one that came later, where older changes are told after newer ones, that is known.
        let next = next.filter(|next| next.token.is_none_or(|created| created <= revision));
        let mut told = vec![self.ended(prefix, &holder, revision)];
        told.extend(next.map(|next| self.acquired(prefix, &next, revision)));
        told
    }

    fn acquired(&mut self, lock: &str, by: &Member, revision: u64) -> Told {
        self.says(lock, (Event::Acquire, Answer::Acquired), by, revision)
    }

    fn ended(&mut self, lock: &str, of: &Member, revision: u64) -> Told {
        self.says(lock, (Event::Expire, Answer::Expired), of, revision)
    }

    fn says(
        &mut self,
        lock: &str,
        (event, answer): (Event, Answer),
        member: &Member,
        revision: u64,
    ) -> Told {
        Told {
            lock: lock.to_owned(),
            event,
            answer,
            member: member.clone(),
            seq: self.seq(revision).filter(|_| !self.anew),
        }
    }
}

/// What is said of the first record of another history.
fn counts_anew(frame: &[u8]) -> Problem {
    Problem {
        kind: ProblemKind::Unmapped,
        field: Some(Field::Seq),
        span: 0..frame.len().min(1),
        message: "here the revisions are no longer those of the lines before: the cluster is \
                  another one, or was restored from a snapshot"
            .to_owned(),
        hint: "from here on no record has `seq`; where that is two clusters, read the log of each \
               alone"
            .to_owned(),
    }
}

impl Dialect for EtcdWatch {
    fn framing(&self) -> Framing {
        Framing::Json
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        if !is_meant_as_json(frame) {
            let change = self.fields.line(frame);
            let header = self.fields.header;
            return match change.and_then(|change| self.told(change, header, frame, output)) {
                Some(()) => {}
                None => output.other(),
            };
        }
        let response: Response<'_> = match serde_json::from_slice(frame) {
            Ok(response) => response,
            Err(error) => return unread(&error, frame, output),
        };
        let response = response.result.as_deref().unwrap_or(&response);
        let header = response.header.as_ref().map(Head::header);
        let header = header.unwrap_or_default();
        let mut any = false;
        for change in &response.events {
            let change = change.entry();
            any |= change.is_some_and(|change| self.told(change, header, frame, output).is_some());
        }
        if !any {
            output.other();
        }
    }
}

/// The lock of a key of a queue: what stands before the last `/`, where a lease id in
/// hexadecimal stands after it.
fn prefix(key: &str) -> Option<&str> {
    let (prefix, last) = key.rsplit_once('/')?;
    let hex = last.len() >= 12 && last.bytes().all(|b| b.is_ascii_hexdigit());
    (hex && !prefix.is_empty()).then_some(prefix)
}
