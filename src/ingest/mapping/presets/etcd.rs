//! `etcdctl watch -w json`, the same through the gRPC gateway (numbers as text, the header
//! inside `result`), and `-w fields`.
//!
//! A key with a lease is a lock. Two recipes are told apart: a key that is the lock
//! itself, and a key `PREFIX/HEX` of a queue, where the lowest create revision holds. The
//! deletion of the holder's key ends its lease; a watch does not say who deleted it, nor
//! whether the lease had run out, so no release is ever reported.

use std::collections::HashMap;

use serde::Deserialize;

use crate::evidence::{Answer, Event};
use crate::ingest::{Dialect, Framing, Output};

use super::common::{Number, cow, is_json, name_of_base64, numbered, owner_of, seq_of, unread};
use super::etcd_fields::Fields;
use super::queue::{Member, Queue, Removed};

#[derive(Deserialize)]
struct Response<'a> {
    #[serde(borrow, alias = "Result")]
    result: Option<Box<Response<'a>>>,
    #[serde(borrow, default, alias = "Events")]
    events: Vec<Change<'a>>,
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

    fn change(&mut self, change: Entry, output: &mut dyn Output) -> Option<()> {
        let Entry {
            deleted,
            key,
            revision,
            version,
            member,
            before,
        } = change;
        if deleted {
            return self.removed(&key, revision, before, output);
        }
        member.lease.as_ref()?;
        match prefix(&key) {
            Some(prefix) => {
                // A later version of the key changes its value, not its place.
                if version.is_some_and(|version| version > 1) {
                    return None;
                }
                let queue = self.queues.entry(prefix.to_owned()).or_default();
                if !queue.join(member.token?, member.clone()) {
                    return None;
                }
                self.acquired(prefix, &member, revision, output);
            }
            None => {
                let before = self.keys.get(&key);
                let same = before.is_some_and(|before| before.lease == member.lease);
                if same {
                    return None;
                }
                let mut member = member;
                if before.is_some() || version.is_some_and(|version| version > 1) {
                    // Written over by another lease: the create revision is that of the
                    // lease before, so it is no generation.
                    member.token = None;
                }
                self.acquired(&key, &member, revision, output);
                self.keys.insert(key, member);
            }
        }
        Some(())
    }

    fn removed(
        &mut self,
        key: &str,
        revision: u64,
        before: Option<Member>,
        output: &mut dyn Output,
    ) -> Option<()> {
        let told = before.filter(|m| m.lease.is_some());
        let Some(prefix) = prefix(key) else {
            let known = self.keys.remove(key);
            let ended = known.or(told)?;
            self.ended(key, &ended, revision, output);
            return Some(());
        };
        let queue = self.queues.get_mut(prefix)?;
        let removed = queue.leave(key);
        let empty = queue.is_empty();
        if empty {
            self.queues.remove(prefix);
        }
        let Removed::Holder(holder, next) = removed else {
            return None;
        };
        self.ended(prefix, &holder, revision, output);
        if let Some(next) = next {
            self.acquired(prefix, &next, revision, output);
        }
        Some(())
    }

    fn acquired(&mut self, lock: &str, by: &Member, revision: u64, output: &mut dyn Output) {
        let seq = self.seq(revision);
        let mut record = numbered(lock, Event::Acquire, Answer::Acquired, seq);
        record.owner = cow(&by.owner);
        record.lease = cow(&by.lease);
        record.token = by.token;
        output.record(0, &record, &[]);
    }

    fn ended(&mut self, lock: &str, of: &Member, revision: u64, output: &mut dyn Output) {
        let seq = self.seq(revision);
        let mut record = numbered(lock, Event::Expire, Answer::Expired, seq);
        record.owner = cow(&of.owner);
        record.lease = cow(&of.lease);
        record.token = of.token;
        output.record(0, &record, &[]);
    }
}

impl Dialect for EtcdWatch {
    fn framing(&self) -> Framing {
        Framing::Json
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        if !is_json(frame) {
            let change = self.fields.line(frame);
            return match change.and_then(|change| self.change(change, output)) {
                Some(()) => {}
                None => output.other(),
            };
        }
        let response: Response<'_> = match serde_json::from_slice(frame) {
            Ok(response) => response,
            Err(error) => return unread(&error, frame, output),
        };
        let events = match &response.result {
            Some(inner) => &inner.events,
            None => &response.events,
        };
        let mut any = false;
        for change in events {
            let change = change.entry();
            any |= change.is_some_and(|change| self.change(change, output).is_some());
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
