//! What was seen of one event, and how it is written.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::evidence::{Active, Answer, Event as Step, Field, Origin, Record};

use super::event::{Current, Event};
use super::names::{Names, push_number};

/// A set of evidence fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(from = "Vec<Field>", into = "Vec<Field>")]
pub struct FieldSet(u32);

impl FieldSet {
    /// Every field.
    pub const fn all() -> FieldSet {
        FieldSet(u32::MAX)
    }

    /// Those fields.
    pub fn of(fields: &[Field]) -> FieldSet {
        fields
            .iter()
            .fold(FieldSet(0), |set, field| set.with(*field))
    }

    /// This set and one more.
    pub const fn with(self, field: Field) -> FieldSet {
        FieldSet(self.0 | 1 << field as u32)
    }

    /// This set without those fields.
    pub const fn without(self, fields: FieldSet) -> FieldSet {
        FieldSet(self.0 & !fields.0)
    }

    /// Whether it holds that field.
    pub const fn has(self, field: Field) -> bool {
        self.0 & (1 << field as u32) != 0
    }

    /// Whether it holds them all.
    pub const fn has_all(self, fields: FieldSet) -> bool {
        self.0 & fields.0 == fields.0
    }
}

impl From<Vec<Field>> for FieldSet {
    fn from(fields: Vec<Field>) -> FieldSet {
        FieldSet::of(&fields)
    }
}

impl From<FieldSet> for Vec<Field> {
    fn from(set: FieldSet) -> Vec<Field> {
        Field::ALL
            .into_iter()
            .filter(|field| set.has(*field))
            .collect()
    }
}

/// One line that an observer wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sighting {
    /// What happened; its answer is the one that the observer knows.
    pub event: Event,
    /// What of it was recorded. A field that the event does not have is not recorded
    /// either.
    pub fields: FieldSet,
    /// The number that the line carries.
    pub seq: u64,
    /// Who gave that number.
    pub seq_by: Origin,
    /// The file that the line went to.
    pub file: u32,
}

impl Sighting {
    /// Whether the answer is known.
    pub fn decided(&self) -> bool {
        self.fields.has(Field::Result) && self.event.answer != Answer::InDoubt
    }

    fn answer(&self) -> Answer {
        match self.event.step {
            _ if self.fields.has(Field::Result) => self.event.answer,
            // An expiry has but one answer: its name says it.
            Step::Expire => Answer::Expired,
            _ => Answer::InDoubt,
        }
    }

    /// Appends the record as one line of JSON, keys in documented order.
    pub fn write(&self, out: &mut Vec<u8>, names: &Names) {
        let Sighting { event, fields, .. } = self;
        let lock = event.lock;
        out.extend_from_slice(b"{\"lockName\":\"");
        names.lock(out, lock);
        out.push(b'"');
        if fields.has(Field::OwnerId) {
            out.extend_from_slice(b",\"ownerId\":\"");
            names.owner(out, event.owner);
            out.push(b'"');
        }
        if let (true, Some(lease)) = (fields.has(Field::LeaseId), event.lease) {
            out.extend_from_slice(b",\"leaseId\":\"");
            names.lease(out, lock, lease);
            out.push(b'"');
        }
        self.number(out, Field::FenceToken, b",\"fenceToken\":", event.token);
        self.number(
            out,
            Field::ResourceHighestTokenBefore,
            b",\"resourceHighestTokenBefore\":",
            event.before,
        );
        if fields.has(Field::Result) {
            out.extend_from_slice(b",\"result\":\"");
            out.extend_from_slice(event.answer.word().as_bytes());
            out.push(b'"');
        }
        // A record has to name its step one way or the other.
        if fields.has(Field::Event) || !self.decided() {
            out.extend_from_slice(b",\"event\":\"");
            out.extend_from_slice(event.step.word().as_bytes());
            out.push(b'"');
        }
        if fields.has(Field::Seq) {
            out.extend_from_slice(b",\"seq\":");
            push_number(out, self.seq);
            if fields.has(Field::SeqBy) {
                out.extend_from_slice(b",\"seqBy\":\"");
                out.extend_from_slice(self.seq_by.word().as_bytes());
                out.push(b'"');
            }
        }
        if let (true, Some(key)) = (fields.has(Field::ResourceKey), event.key) {
            out.extend_from_slice(b",\"resourceKey\":\"");
            names.key(out, key);
            out.push(b'"');
        }
        self.number(
            out,
            Field::ResourceHighestTokenAfter,
            b",\"resourceHighestTokenAfter\":",
            event.after,
        );
        if let (true, Some(operation)) = (fields.has(Field::OperationId), event.operation) {
            out.extend_from_slice(b",\"operationId\":\"");
            names.operation(out, lock, operation);
            out.push(b'"');
        }
        self.write_current(out, names);
        if fields.has(Field::Ts) {
            out.extend_from_slice(b",\"ts\":");
            push_number(out, self.wall_clock());
        }
        out.extend_from_slice(b"}\n");
    }

    fn number(&self, out: &mut Vec<u8>, field: Field, key: &[u8], value: Option<u64>) {
        if let (true, Some(value)) = (self.fields.has(field), value) {
            out.extend_from_slice(key);
            push_number(out, value);
        }
    }

    fn write_current(&self, out: &mut Vec<u8>, names: &Names) {
        let grant = match self.event.current {
            Current::NotAsked => return,
            Current::Nobody => None,
            Current::Lease(grant) => Some(grant),
        };
        if self.fields.has(Field::ActiveOwnerId) {
            out.extend_from_slice(b",\"activeOwnerId\":");
            quoted(out, grant, |out, grant| names.owner(out, grant.owner));
        }
        if self.fields.has(Field::ActiveLeaseId) {
            out.extend_from_slice(b",\"activeLeaseId\":");
            quoted(out, grant, |out, grant| {
                names.lease(out, self.event.lock, grant.number)
            });
        }
        if self.fields.has(Field::ActiveFenceToken) {
            match grant.map(|grant| grant.token) {
                None => out.extend_from_slice(b",\"activeFenceToken\":null"),
                Some(None) => {}
                Some(Some(token)) => {
                    out.extend_from_slice(b",\"activeFenceToken\":");
                    push_number(out, token);
                }
            }
        }
    }

    /// Milliseconds on the clock of whoever wrote it; each worker's goes wrong in its
    /// own way, by up to three seconds.
    fn wall_clock(&self) -> u64 {
        const START: u64 = 1_760_000_000_000;
        START + self.event.at / 1000 + u64::from(self.event.owner) * 1237 % 7 * 1000 - 3000
    }

    /// The record, as reading the written line gives it.
    pub fn record(&self, names: &Names) -> Record<'static> {
        let Sighting { event, fields, .. } = self;
        let lock = event.lock;
        let mut record = Record::new(
            names.text(|n, out| n.lock(out, lock)),
            event.step,
            self.answer(),
        );
        let text = |write: &dyn Fn(&Names, &mut Vec<u8>)| Cow::Owned(names.text(write));
        if fields.has(Field::OwnerId) {
            record.owner = Some(text(&|n, out| n.owner(out, event.owner)));
        }
        if let (true, Some(lease)) = (fields.has(Field::LeaseId), event.lease) {
            record.lease = Some(text(&|n, out| n.lease(out, lock, lease)));
        }
        let number = |field, value: Option<u64>| value.filter(|_| fields.has(field));
        record.token = number(Field::FenceToken, event.token);
        record.before = number(Field::ResourceHighestTokenBefore, event.before);
        record.after = number(Field::ResourceHighestTokenAfter, event.after);
        if fields.has(Field::Seq) {
            record.seq = Some(self.seq);
            record.seq_by = fields.has(Field::SeqBy).then_some(self.seq_by);
        }
        if let (true, Some(key)) = (fields.has(Field::ResourceKey), event.key) {
            record.key = Some(text(&|n, out| n.key(out, key)));
        }
        if let (true, Some(operation)) = (fields.has(Field::OperationId), event.operation) {
            record.operation = Some(text(&|n, out| n.operation(out, lock, operation)));
        }
        let shown = [
            Field::ActiveOwnerId,
            Field::ActiveLeaseId,
            Field::ActiveFenceToken,
        ];
        record.active = match event.current {
            Current::Nobody if shown.iter().any(|field| fields.has(*field)) => Active::None,
            Current::Lease(grant) => {
                let owner = fields
                    .has(Field::ActiveOwnerId)
                    .then(|| text(&|n, out| n.owner(out, grant.owner)));
                let lease = fields
                    .has(Field::ActiveLeaseId)
                    .then(|| text(&|n, out| n.lease(out, lock, grant.number)));
                let token = number(Field::ActiveFenceToken, grant.token);
                if owner.is_none() && lease.is_none() && token.is_none() {
                    Active::Unrecorded
                } else {
                    Active::Lease {
                        owner,
                        lease,
                        token,
                    }
                }
            }
            Current::Nobody | Current::NotAsked => Active::Unrecorded,
        };
        record
    }
}

fn quoted(
    out: &mut Vec<u8>,
    grant: Option<super::Grant>,
    write: impl FnOnce(&mut Vec<u8>, super::Grant),
) {
    match grant {
        None => out.extend_from_slice(b"null"),
        Some(grant) => {
            out.push(b'"');
            write(out, grant);
            out.push(b'"');
        }
    }
}

/// Whether a step is the resource's to decide, and not the authority's.
pub(super) fn decided_by(step: Step) -> Origin {
    if step == Step::Write {
        Origin::Resource
    } else {
        Origin::Authority
    }
}
