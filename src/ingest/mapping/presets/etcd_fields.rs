//! `etcdctl watch -w fields`: a change is a row of lines, `"Key" : "/locks/a"`, from its type
//! to its lease.

use super::common::owner_of;
use super::etcd::{Entry, lease_of};
use super::etcd_history::Header;
use super::queue::Member;

/// What is known of a change so far.
#[derive(Debug, Default)]
pub(super) struct Fields {
    /// Of the response that the change is in.
    pub(super) header: Header,
    deleted: bool,
    now: Version,
    before: Version,
}

/// One version of a key.
#[derive(Debug, Default)]
struct Version {
    key: String,
    value: String,
    created: Option<u64>,
    changed: Option<u64>,
    version: Option<u64>,
    lease: u64,
}

impl Version {
    fn set(&mut self, name: &str, text: &str) {
        let number = text.parse().ok();
        match name {
            "Key" => self.key = unquoted(text),
            "Value" => self.value = unquoted(text),
            "CreateRevision" => self.created = number,
            "ModRevision" => self.changed = number,
            "Version" => self.version = number,
            // Ids are unsigned 64 bits, and some writers print them signed.
            "Lease" => {
                let signed = || text.parse::<i64>().ok().map(i64::cast_unsigned);
                self.lease = number.or_else(signed).unwrap_or_default();
            }
            _ => {}
        }
    }

    fn member(&self, name: &str) -> Member {
        Member {
            name: name.to_owned(),
            lease: lease_of(self.lease),
            owner: owner_of(self.value.clone()),
            token: self.created.filter(|revision| *revision > 0),
        }
    }
}

impl Fields {
    /// Takes a line; a change, where it is the last one of it.
    pub(super) fn line(&mut self, frame: &[u8]) -> Option<Entry> {
        let line = std::str::from_utf8(frame).ok()?;
        // A collector may have put something before it.
        let (_, line) = line.split_once('"')?;
        let (name, text) = line.split_once("\" : ")?;
        let text = text.trim();
        if name == "Type" {
            *self = Fields {
                header: self.header,
                deleted: text == "DELETE",
                ..Fields::default()
            };
            return None;
        }
        match name {
            "ClusterID" => self.header.cluster = text.parse().ok(),
            "Revision" => self.header.revision = text.parse().ok(),
            _ => {}
        }
        match name.strip_prefix("Prev") {
            Some(name) => self.before.set(name, text),
            None => self.now.set(name, text),
        }
        (name == "Lease").then_some(())?;
        let header = self.header;
        let whole = std::mem::take(self);
        self.header = header;
        whole.entry()
    }

    fn entry(self) -> Option<Entry> {
        let Fields {
            deleted,
            now,
            before,
            header: _,
        } = self;
        if now.key.is_empty() {
            return None;
        }
        Some(Entry {
            deleted,
            revision: now.changed?,
            version: now.version,
            member: now.member(&now.key),
            before: (!before.key.is_empty()).then(|| before.member(&now.key)),
            key: now.key,
        })
    }
}

/// A text as Go quotes it, which mostly is as JSON does.
fn unquoted(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_else(|_| text.trim_matches('"').to_owned())
}
