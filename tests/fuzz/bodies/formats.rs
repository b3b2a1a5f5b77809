//! Incidents that no records made, with the worst names in every place for a name.

use lockdiag::evidence::Field;
use lockdiag::incident::{
    Actor, Assumption, Class, Classification, Incident, Outcome, Role, Status, Summary, Variant,
    Witness,
};

use super::bytes::Bytes;
use super::outputs::check_all;

/// Every format shows any names and obeys none.
pub fn formats(data: &[u8]) {
    let mut bytes = Bytes(data);
    let mut incidents = Vec::new();
    while !bytes.is_empty() && incidents.len() < 8 {
        incidents.push(make(&mut bytes));
    }
    let summary = Summary {
        records: 40,
        locks: incidents.len() as u64 + bytes.number() % 3,
        ..Summary::default()
    };
    check_all(&Classification { incidents, summary });
}

fn make(bytes: &mut Bytes<'_>) -> Incident {
    let text = |bytes: &mut Bytes<'_>| bytes.maybe(Bytes::text);
    let actor = |bytes: &mut Bytes<'_>| {
        let actor = Actor {
            owner_id: bytes.maybe(Bytes::text),
            lease_id: bytes.maybe(Bytes::text),
            fence_token: bytes.maybe(Bytes::number),
        };
        actor.known()
    };
    let variant = bytes.pick(Variant::ALL);
    let lock_name = bytes.text();
    let resource_key = text(bytes);
    let late = actor(bytes);
    let current = actor(bytes);
    Incident {
        id: format!("{:08x}", bytes.number() as u32),
        variant,
        status: bytes.pick(&Status::ALL),
        outcome: bytes.pick(&Outcome::ALL),
        lock_name,
        resource_key,
        late,
        current,
        operation_id: text(bytes),
        occurrences: bytes.number().max(1),
        assumes: bytes
            .maybe(|b| b.pick(&Assumption::ALL))
            .into_iter()
            .collect(),
        missing: bytes.maybe(|b| b.pick(&Field::ALL)).into_iter().collect(),
        candidates: bytes.maybe(|b| b.pick(&Class::ALL)).into_iter().collect(),
        evidence: (0..bytes.byte() % 3)
            .map(|_| Witness {
                source: bytes.text(),
                line: bytes.number(),
                seq: bytes.maybe(Bytes::number),
                role: bytes.pick(&Role::ALL),
            })
            .collect(),
    }
}
