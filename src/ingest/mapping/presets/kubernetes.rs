//! Kubernetes audit events of `Lease` objects (`coordination.k8s.io`).
//!
//! A request is written once a stage; only its end (`ResponseComplete`) counts. What a
//! lease says is in the bodies, so level `Metadata` shows nothing of it. A refused update
//! (409) says that the object had changed since it was read, and not who holds it. The objects
//! themselves, as a watch prints them, are read as what is stored.

mod asker;

use std::borrow::Cow;
use std::collections::HashMap;

use memchr::memmem;
use serde::Deserialize;

use crate::evidence::{Active, Answer, Event};
use crate::ingest::mapping::meant::is_meant_as_json;
use crate::ingest::{Dialect, Framing, Output};

use self::asker::{Asker, User};
use super::common::{Number, numbered, unread};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Audit<'a> {
    stage: Option<&'a str>,
    verb: Option<&'a str>,
    #[serde(borrow)]
    user: Option<User<'a>>,
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

/// A lease as the last event showed it stored; nobody holds it where the holder is empty.
#[derive(Debug)]
struct Held {
    holder: String,
    transitions: Option<u64>,
    since: String,
    /// Who stored it so, and as which version.
    by: Option<Asker>,
    version: Option<u64>,
}

impl Held {
    fn is_same_lease(&self, other: &Held) -> bool {
        self.holder == other.holder
            && self.transitions == other.transitions
            && self.since == other.since
    }
}

/// What became of a lease: how it is told, by whom, and which version it replaced.
struct Change {
    how: How,
    by: Option<Asker>,
    replaced: Option<u64>,
    version: Option<u64>,
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
    /// The identity and the transitions with which somebody took or renewed a lease last.
    taken: HashMap<(String, Asker), (String, Option<u64>)>,
    /// The version of a lease that was read last: a watch may print it again.
    seen: HashMap<String, u64>,
}

impl KubernetesAudit {
    fn event(&mut self, audit: Audit<'_>, output: &mut dyn Output) -> Option<()> {
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
        let asked = audit.request_object.as_ref();
        let object = stored.or(asked)?;
        let spec = object.spec.as_ref()?;
        let metadata = object.metadata.as_ref();
        let name = reference
            .name
            .as_deref()
            .or(metadata.and_then(|m| m.name.as_deref()))?;
        let lock = name_of(reference.namespace.as_deref(), name);
        // Only a stored object has a version of its own; that of a request is the one
        // before.
        let version = |object: &Object<'_>| Some(object.metadata.as_ref()?.resource_version?.0);
        let change = Change {
            how: match audit.verb? {
                "create" => How::Made,
                "patch" => How::Changed,
                _ => How::Stored,
            },
            by: audit.user.and_then(Asker::of),
            replaced: asked.and_then(version),
            version: stored.and_then(version),
        };
        self.says(lock, spec, change, output)
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
        let change = Change {
            how,
            by: None,
            replaced: None,
            version: Some(version),
        };
        self.says(lock, &object.spec?, change, output)
    }

    /// What a lease says of its holder, compared with what it said before.
    fn says(
        &mut self,
        lock: String,
        spec: &Spec<'_>,
        change: Change,
        output: &mut dyn Output,
    ) -> Option<()> {
        let holder = spec.holder_identity.as_deref().unwrap_or_default();
        // A patch that says nothing of the holder is no release.
        (spec.holder_identity.is_some() || change.how != How::Changed).then_some(())?;
        let since = spec.acquire_time.unwrap_or_default();
        let now = Held {
            holder: holder.to_owned(),
            transitions: spec.lease_transitions,
            since: since.to_owned(),
            by: change.by.clone(),
            version: change.version,
        };
        let before = self.held.get(&lock);
        if holder.is_empty() {
            let held = before.filter(|before| !before.holder.is_empty());
            self.released(&lock, held, &now, change.replaced, output);
        } else {
            let renewed = match before {
                Some(before) => before.is_same_lease(&now),
                // The first that is seen of it: a lease that was taken just now was not
                // renewed yet.
                None if change.how == How::Made => false,
                None => spec.renew_time.is_some_and(|renewed| renewed != since),
            };
            let (event, answer) = if renewed {
                (Event::Renew, Answer::Renewed)
            } else {
                (Event::Acquire, Answer::Acquired)
            };
            let mut record = numbered(&lock, event, answer, now.version);
            record.owner = Some(Cow::Borrowed(holder));
            record.token = now.transitions;
            output.record(0, &record, &[]);
            if let Some(by) = change.by {
                let lease = (now.holder.clone(), now.transitions);
                self.taken.insert((lock.clone(), by), lease);
            }
        }
        self.held.insert(lock, now);
        Some(())
    }

    /// A lease was emptied. It was that of `held`; who emptied it need not be the holder.
    fn released(
        &self,
        lock: &str,
        held: Option<&Held>,
        now: &Held,
        replaced: Option<u64>,
        output: &mut dyn Output,
    ) {
        let mut record = numbered(lock, Event::Release, Answer::Released, now.version);
        record.token = now.transitions;
        let stranger = held
            .zip(now.by.as_ref())
            .and_then(|(held, by)| self.stranger(lock, held, by));
        match (held, stranger) {
            (Some(held), Some(stranger)) => {
                // The server compared the versions: it is this state that was replaced.
                let compared = replaced.is_some() && replaced == held.version;
                if compared && stranger.is_elector {
                    record.active = Active::Lease {
                        owner: Some(Cow::Borrowed(&held.holder)),
                        lease: None,
                        token: held.transitions,
                    };
                }
                // With other transitions, something in between is not on record.
                if compared || held.transitions == now.transitions {
                    record.token = stranger.transitions;
                }
                if record.token == stranger.transitions {
                    record.owner = Some(Cow::Borrowed(stranger.name));
                }
            }
            (Some(held), None) if held.transitions == now.transitions => {
                record.owner = Some(Cow::Borrowed(&held.holder));
            }
            _ => {}
        }
        output.record(0, &record, &[]);
    }

    /// Whoever asked, where that is known to be another one than the holder. The pods of a
    /// deployment share a user, so only a pod is sure to have taken no lease but its last one.
    fn stranger<'a>(&'a self, lock: &str, held: &Held, by: &'a Asker) -> Option<Stranger<'a>> {
        let taken = self.taken.get(&(lock.to_owned(), by.clone()));
        let other = taken.filter(|(identity, _)| *identity != held.holder);
        let is_another = match taken {
            Some(_) if by.is_pod() => other.is_some(),
            _ => held.by.as_ref().is_some_and(|holder| by.differs(holder)),
        };
        (is_another && !by.is_named_by(&held.holder)).then(|| Stranger {
            name: other.map_or(by.name(), |(identity, _)| identity),
            transitions: other.and_then(|(_, transitions)| *transitions),
            is_elector: other.is_some(),
        })
    }
}

/// One who emptied a lease that it did not hold.
struct Stranger<'a> {
    name: &'a str,
    /// Those of the lease that it took last.
    transitions: Option<u64>,
    /// Whether it took the lease before. Somebody who never did may act for the holder.
    is_elector: bool,
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
                let known = self.event(audit, output);
                if known.or_else(|| self.watched(watched()?, output)).is_none() {
                    output.other();
                }
            }
            Err(error) => unread(&error, frame, output),
        }
    }
}
