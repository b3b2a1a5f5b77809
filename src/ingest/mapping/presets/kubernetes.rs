//! Kubernetes audit events of `Lease` objects (`coordination.k8s.io`).
//!
//! A request is written once a stage; only its end (`ResponseComplete`) counts. What a
//! lease says is in the bodies, so level `Metadata` shows nothing of it. A refused update
//! (409) says that the object had changed since it was read, and not who holds it.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::Deserialize;

use crate::evidence::{Answer, Event};
use crate::ingest::{Dialect, Framing, Output};

use super::common::{Number, is_json, numbered, unread};

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

#[derive(Deserialize)]
struct Object<'a> {
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

/// Reads audit events.
#[derive(Debug, Default)]
pub(super) struct KubernetesAudit {
    held: HashMap<String, Held>,
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
        let lock = match reference.namespace.as_deref() {
            Some(namespace) => format!("{namespace}/{name}"),
            None => name.to_owned(),
        };
        // Only a stored object has a version of its own; that of a request is the one
        // before.
        let version = stored.and_then(|s| s.metadata.as_ref()?.resource_version);
        let seq = version.map(|version| version.0);
        let holder = spec.holder_identity.as_deref().unwrap_or_default();
        if holder.is_empty() {
            // A patch that says nothing of the holder is no release.
            (spec.holder_identity.is_some() || audit.verb? != "patch").then_some(())?;
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
            None if audit.verb? == "create" => false,
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
        if !is_json(frame) {
            return output.other();
        }
        match serde_json::from_slice::<Audit<'_>>(frame) {
            Ok(audit) => {
                if self.event(&audit, output).is_none() {
                    output.other();
                }
            }
            Err(error) => unread(&error, frame, output),
        }
    }
}
