//! What ZooKeeper's transaction log toolkit prints (`zkTxnLogToolkit.sh`, or
//! `LogFormatter` of older servers).
//!
//! An ephemeral node is a lock: a sequential one is a place in the queue of its parent, any
//! other is the lock itself. Every transaction names its session and has a number, the
//! zxid, which is the authority's own order.

use std::collections::{BTreeSet, HashMap};

use crate::evidence::{Active, Answer, Event};
use crate::ingest::{Dialect, Framing, Output};

use super::common::{cow, numbered, owner_of, seq_of};
use super::queue::{Member, Queue, Removed};

/// How many bytes of a transaction that goes on over several lines are kept.
const MAX_PENDING: usize = 1 << 20;

/// Reads a printed transaction log.
#[derive(Debug, Default)]
pub(super) struct ZooKeeperLog {
    locks: HashMap<String, Queue>,
    /// The nodes of each session: older servers do not name those that go with it.
    nodes: HashMap<String, BTreeSet<String>>,
    /// A `create` whose flags stand on a later line.
    pending: Option<Pending>,
}

#[derive(Debug)]
struct Pending {
    session: String,
    zxid: u64,
    text: String,
}

struct Transaction<'l> {
    session: &'l str,
    zxid: u64,
    /// `create …`, `delete '…`, `closeSession …`
    what: &'l str,
}

impl ZooKeeperLog {
    fn transaction(&mut self, line: &str, output: &mut dyn Output) -> Option<()> {
        let Some(transaction) = split(line) else {
            // The rest of the transaction before.
            let mut pending = self.pending.take()?;
            pending.text.push('\n');
            pending.text.push_str(line);
            if ephemeral(&pending.text).is_none() {
                if pending.text.len() < MAX_PENDING {
                    self.pending = Some(pending);
                }
                return None;
            }
            return self.create(&pending.session, pending.zxid, &pending.text, output);
        };
        self.pending = None;
        let Transaction {
            session,
            zxid,
            what,
        } = transaction;
        let created = what.strip_prefix("create ");
        if let Some(node) = created.or_else(|| what.strip_prefix("create2 ")) {
            if ephemeral(node).is_some() {
                return self.create(session, zxid, node, output);
            }
            self.pending = Some(Pending {
                session: session.to_owned(),
                zxid,
                text: node.to_owned(),
            });
            return None;
        }
        if let Some(path) = what.strip_prefix("delete ") {
            let path = path.trim().trim_matches('\'');
            return self.delete(session, zxid, path, output);
        }
        if let Some(paths) = what.strip_prefix("closeSession") {
            return self.close(session, zxid, paths, output);
        }
        None
    }

    fn create(
        &mut self,
        session: &str,
        zxid: u64,
        node: &str,
        output: &mut dyn Output,
    ) -> Option<()> {
        if !ephemeral(node)? {
            return None;
        }
        let (path, rest) = node.split_once(',')?;
        let path = path.trim_start_matches('\'');
        let end = rest.rfind(",[").or_else(|| rest.rfind(",v{"));
        let data = end.and_then(|end| rest.get(..end)).unwrap_or_default();
        let data = of_hex(data).unwrap_or_else(|| data.to_owned());
        let place = place_of(path)?;
        let member = Member {
            name: path.to_owned(),
            lease: Some(session.to_owned()),
            owner: owner_of(data),
            token: Some(zxid),
        };
        let nodes = self.nodes.entry(session.to_owned()).or_default();
        nodes.insert(path.to_owned());
        let queue = self.locks.entry(place.lock.to_owned()).or_default();
        if !queue.join(place.number, member.clone()) {
            return None;
        }
        acquired(place.lock, &member, seq_of(zxid, 0), output);
        Some(())
    }

    fn delete(
        &mut self,
        session: &str,
        zxid: u64,
        path: &str,
        output: &mut dyn Output,
    ) -> Option<()> {
        let place = place_of(path)?;
        let queue = self.locks.get_mut(place.lock)?;
        let session_of = queue.lease_of(path);
        if let Some(nodes) = session_of.and_then(|session| self.nodes.get_mut(session)) {
            nodes.remove(path);
        }
        let Removed::Holder(holder, next) = queue.leave(path) else {
            return None;
        };
        // Somebody who has no place in the queue is no owner of it: a person who cleans
        // up, or a session that is gone. Then only the end of the lease is known.
        let own = holder.lease.as_deref() == Some(session);
        let takes_part = own || queue.knows_lease(session);
        if queue.is_empty() {
            self.locks.remove(place.lock);
        }
        if takes_part {
            let seq = seq_of(zxid, 0);
            let mut record = numbered(place.lock, Event::Release, Answer::Released, seq);
            record.lease = Some(session.into());
            if own {
                record.owner = cow(&holder.owner);
                record.token = holder.token;
            }
            record.active = Active::Lease {
                owner: cow(&holder.owner),
                lease: cow(&holder.lease),
                token: holder.token,
            };
            output.record(0, &record, &[]);
        } else {
            ended(place.lock, &holder, seq_of(zxid, 0), output);
        }
        if let Some(next) = next {
            acquired(place.lock, &next, seq_of(zxid, 1), output);
        }
        Some(())
    }

    /// A session ended: its nodes are gone. `v{'/a,'/b}` names them; before 3.6 nothing does.
    fn close(
        &mut self,
        session: &str,
        zxid: u64,
        paths: &str,
        output: &mut dyn Output,
    ) -> Option<()> {
        let known = self.nodes.remove(session).unwrap_or_default();
        let named = paths.trim();
        let named = named.strip_prefix("v{").and_then(|p| p.strip_suffix('}'));
        let paths: Vec<&str> = match named {
            Some(named) => named
                .split(",'")
                .map(|path| path.trim_start_matches('\''))
                .collect(),
            None => known.iter().map(String::as_str).collect(),
        };
        let mut any = None;
        let mut n = 0;
        for path in paths {
            let Some(place) = place_of(path) else {
                continue;
            };
            let Some(queue) = self.locks.get_mut(place.lock) else {
                continue;
            };
            let Removed::Holder(holder, next) = queue.leave(path) else {
                continue;
            };
            if queue.is_empty() {
                self.locks.remove(place.lock);
            }
            ended(place.lock, &holder, seq_of(zxid, n), output);
            any = Some(());
            if let Some(next) = next {
                acquired(place.lock, &next, seq_of(zxid, n + 1), output);
            }
            n += 2;
        }
        any
    }
}

impl Dialect for ZooKeeperLog {
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        let line = String::from_utf8_lossy(frame);
        if self.transaction(&line, output).is_none() {
            output.other();
        }
    }
}

fn acquired(lock: &str, by: &Member, seq: Option<u64>, output: &mut dyn Output) {
    let mut record = numbered(lock, Event::Acquire, Answer::Acquired, seq);
    record.owner = cow(&by.owner);
    record.lease = cow(&by.lease);
    record.token = by.token;
    output.record(0, &record, &[]);
}

fn ended(lock: &str, of: &Member, seq: Option<u64>, output: &mut dyn Output) {
    let mut record = numbered(lock, Event::Expire, Answer::Expired, seq);
    record.owner = cow(&of.owner);
    record.lease = cow(&of.lease);
    record.token = of.token;
    output.record(0, &record, &[]);
}

/// `… session 0x1 cxid 0x2 zxid 0x3 create …`
fn split(line: &str) -> Option<Transaction<'_>> {
    let (time, rest) = line.split_once(" session ")?;
    // It is printed once more behind the complaint.
    (!time.starts_with("CRC ERROR")).then_some(())?;
    let (session, rest) = rest.split_once(" cxid ")?;
    let (_, rest) = rest.split_once(" zxid ")?;
    let (zxid, what) = rest.split_once(' ')?;
    let digits = zxid.strip_prefix("0x")?;
    session.starts_with("0x").then_some(Transaction {
        session,
        zxid: u64::from_str_radix(digits, 16).ok()?,
        what,
    })
}

/// Data as older servers print it: `#` and hexadecimal digits.
fn of_hex(data: &str) -> Option<String> {
    let digits = data.strip_prefix('#')?;
    let pairs = digits.as_bytes().chunks(2);
    let bytes = pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    String::from_utf8(bytes.collect::<Option<_>>()?).ok()
}

/// Whether the node is ephemeral; `None` where the flags are not there yet. Behind the ACL stands
/// `],true,1`, or `},T,1` in the form of servers before 3.5.
fn ephemeral(node: &str) -> Option<bool> {
    let flags = node.get(node.rfind([']', '}'])?..)?;
    let flag = flags.get(1..)?.strip_prefix(',')?.split(',').next()?;
    match flag.trim() {
        "true" | "T" => Some(true),
        "false" | "F" => Some(false),
        _ => None,
    }
}

struct Place<'p> {
    lock: &'p str,
    number: u64,
}

/// The lock of a node, and its place in the queue. Nodes of shared locks are not read.
fn place_of(path: &str) -> Option<Place<'_>> {
    let (parent, name) = path.rsplit_once('/')?;
    let shared = ["__rlock__", "__READ__", "-read-", "-READ-"];
    if shared.iter().any(|word| name.contains(word)) {
        return None;
    }
    let digits = name.len().checked_sub(10).and_then(|at| name.get(at..));
    match digits.filter(|digits| digits.bytes().all(|b| b.is_ascii_digit())) {
        Some(digits) if !parent.is_empty() => Some(Place {
            lock: parent,
            number: digits.parse().ok()?,
        }),
        _ => Some(Place {
            lock: path,
            number: 0,
        }),
    }
}
