//! Kubernetes audit events of `Lease` objects (`coordination.k8s.io`).
//!
//! A request is written once a stage; only its end (`ResponseComplete`) counts. What a
//! lease says is in the bodies, so level `Metadata` shows nothing of it. A refused update
//! (409) says that the object had changed since it was read, and not who holds it. The objects
//! themselves, as a watch prints them, are read as what is stored.

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memmem;
use serde::Deserialize;

use crate::evidence::{Answer, Event};
use crate::ingest::mapping::dialect::is_meant_as_json;
use crate::ingest::{Dialect, Framing, Output};

use super::common::{Number, numbered, unread};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Audit<'a> {
    stage: Option<&'a str>,
    verb: Option<&'a str>,
    #[serde(borrow)]
    object_ref: Option<Reference<'a>>,
    response_status: Option<Status>,
    #[serde(borrow)]
    request_object: Option<Object<'a>>,
    #[serde(borrow)]
    response_object: Option<Object<'a>>,
}

#[derive(Deserialize)]
struct Reference<'a> {
    resource: Option<&'a str>,
    #[serde(borrow)]
    namespace: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct Status {
    code: Option<u16>,
}

/// A `Lease` as a watch prints it, alone or as an event.
#[derive(Deserialize)]
struct Watched<'a> {
    #[serde(rename = "type")]
    change: Option<&'a str>,
    #[serde(borrow)]
    object: Option<Object<'a>>,
    #[serde(flatten, borrow)]
    itself: Object<'a>,
}

#[derive(Deserialize)]
struct Object<'a> {
    kind: Option<&'a str>,
    #[serde(borrow)]
    metadata: Option<Metadata<'a>>,
    #[serde(borrow)]
    spec: Option<Spec<'a>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    namespace: Option<Cow<'a, str>>,
    resource_version: Option<Number>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec<'a> {
    #[serde(borrow)]
    holder_identity: Option<Cow<'a, str>>,
    lease_transitions: Option<u64>,
    acquire_time: Option<&'a str>,
    renew_time: Option<&'a str>,
}

/// Who holds a lease, as the last event said.
#[derive(Debug, PartialEq, Eq)]
struct Held {
    holder: String,
    transitions: Option<u64>,
    since: String,
}

/// Where a lease comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    /// It was created.
    Made,
    /// Only what was changed is there.
    Changed,
    /// It is there as it is stored.
    Stored,
}

fn name_of(namespace: Option<&str>, name: &str) -> String {
    match namespace {
        Some(namespace) => format!("{namespace}/{name}"),
        None => name.to_owned(),
    }
}

/// Reads audit events.
#[derive(Debug, Default)]
pub(super) struct KubernetesAudit {
    held: HashMap<String, Held>,
    /// The version of a lease that was read last: a watch may print it again.
    seen: HashMap<String, u64>,
}

impl KubernetesAudit {
    fn event(&mut self, audit: &Audit<'_>, output: &mut dyn Output) -> Option<()> {
        let reference = audit.object_ref.as_ref()?;
        (reference.resource? == "leases").then_some(())?;
        (audit.stage? == "ResponseComplete").then_some(())?;
        let code = audit.response_status.as_ref()?.code?;
        matches!(audit.verb?, "create" | "update" | "patch").then_some(())?;
        matches!(code, 200 | 201).then_some(())?;
        // The answer is the lease as it is stored; the request is what was asked, and an
        // answer of success says that it was done.
        let stored = audit
            .response_object
            .as_ref()
            .filter(|object| object.spec.is_some());
        let object = stored.or(audit.request_object.as_ref())?;
        let spec = object.spec.as_ref()?;
        let metadata = object.metadata.as_ref();
        let name = reference
            .name
            .as_deref()
            .or(metadata.and_then(|m| m.name.as_deref()))?;
        let lock = name_of(reference.namespace.as_deref(), name);
        // Only a stored object has a version of its own; that of a request is the one
        // before.
        let version = stored.and_then(|s| s.metadata.as_ref()?.resource_version);
        let how = match audit.verb? {
            "create" => How::Made,
            "patch" => How::Changed,
            _ => How::Stored,
        };
        self.says(lock, spec, how, version.map(|version| version.0), output)
    }

    /// A lease as it is stored now.
    fn watched(&mut self, watched: Watched<'_>, output: &mut dyn Output) -> Option<()> {
        let (object, how) = match watched.change {
            None => (watched.itself, How::Stored),
            Some("ADDED" | "MODIFIED") => (watched.object?, How::Stored),
            // Of a lease that was deleted, the state before it is printed.
            Some(_) => return None,
        };
        (object.kind? == "Lease").then_some(())?;
        let metadata = object.metadata?;
        let lock = name_of(metadata.namespace.as_deref(), metadata.name.as_deref()?);
        let version = metadata.resource_version?.0;
        if self.seen.insert(lock.clone(), version) == Some(version) {
            return None;
        }
        self.says(lock, &object.spec?, how, Some(version), output)
    }

    /// What a lease says of its holder, compared with what it said before.
    fn says(
        &mut self,
        lock: String,
        spec: &Spec<'_>,
        how: How,
        seq: Option<u64>,
        output: &mut dyn Output,
    ) -> Option<()> {
        let holder = spec.holder_identity.as_deref().unwrap_or_default();
        if holder.is_empty() {
            // A patch that says nothing of the holder is no release.
            (spec.holder_identity.is_some() || how != How::Changed).then_some(())?;
            let before = self.held.remove(&lock);
            let mut record = numbered(&lock, Event::Release, Answer::Released, seq);
            record.token = spec.lease_transitions;
            if let Some(before) = &before
                && before.transitions == record.token
            {
                record.owner = Some(Cow::Borrowed(&before.holder));
            }
            output.record(0, &record, &[]);
            return Some(());
        }
        let since = spec.acquire_time.unwrap_or_default();
        let now = Held {
            holder: holder.to_owned(),
            transitions: spec.lease_transitions,
            since: since.to_owned(),
        };
        let renewed = match self.held.get(&lock) {
            Some(before) => *before == now,
            // The first that is seen of it: a lease that was taken just now was not
            // renewed yet.
            None if how == How::Made => false,
            None => spec.renew_time.is_some_and(|renewed| renewed != since),
        };
        let (event, answer) = if renewed {
            (Event::Renew, Answer::Renewed)
        } else {
            (Event::Acquire, Answer::Acquired)
        };
        let mut record = numbered(&lock, event, answer, seq);
        record.owner = Some(Cow::Borrowed(holder));
        record.token = spec.lease_transitions;
        output.record(0, &record, &[]);
        self.held.insert(lock, now);
        Some(())
    }
}

impl Dialect for KubernetesAudit {
    fn framing(&self) -> Framing {
        Framing::Json
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        if !is_meant_as_json(frame) {
            return output.other();
        }
        match serde_json::from_slice::<Audit<'_>>(frame) {
            Ok(audit) => {
                let watched = || {
                    memmem::find(frame, b"\"Lease\"")?;
                    serde_json::from_slice::<Watched<'_>>(frame).ok()
                };
                let known = self.event(&audit, output);
                if known.or_else(|| self.watched(watched()?, output)).is_none() {
                    output.other();
                }
            }
            Err(error) => unread(&error, frame, output),
        }
    }
}
