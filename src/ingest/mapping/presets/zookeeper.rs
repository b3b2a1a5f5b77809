//! What ZooKeeper's transaction log toolkit prints (`zkTxnLogToolkit.sh`, or
//! `LogFormatter` of older servers).
//!
//! An ephemeral node is a lock: a sequential one is a place in the queue of its parent, any
//! other is the lock itself. Every transaction names its session and has a number, the
//! zxid, which is the authority's own order.

use std::collections::HashMap;

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
        if let Some(node) = what.strip_prefix("create ") {
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
            return self.close(zxid, paths, output);
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
        let data = rest
            .rfind(",[")
            .and_then(|end| rest.get(..end))
            .unwrap_or_default();
        let place = place_of(path)?;
        let member = Member {
            name: path.to_owned(),
            lease: Some(session.to_owned()),
            owner: owner_of(data.to_owned()),
            token: Some(zxid),
        };
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

    /// A session ended: its nodes are gone. `v{'/a,'/b}` names them.
    fn close(&mut self, zxid: u64, paths: &str, output: &mut dyn Output) -> Option<()> {
        let inside = paths.trim().strip_prefix("v{")?.strip_suffix('}')?;
        let mut any = None;
        let mut n = 0;
        for path in inside.split(",'").map(|path| path.trim_start_matches('\'')) {
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
    let (_, rest) = line.split_once(" session ")?;
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

/// Whether the node is ephemeral; `None` where the flags are not there yet.
fn ephemeral(node: &str) -> Option<bool> {
    let flags = node.get(node.rfind(']')?..)?;
    let flag = flags.strip_prefix("],")?.split(',').next()?;
    match flag.trim() {
        "true" => Some(true),
        "false" => Some(false),
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
