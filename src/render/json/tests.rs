//! The contract of the JSON forms.

use crate::evidence::Field;
use crate::incident::{Actor, Assumption, Incident, Outcome, Role, Status, Variant, Witness};

/// An incident with every field filled.
pub(crate) fn incident() -> Incident {
    Incident {
        id: "9c1f6b2e".to_owned(),
        variant: Variant::WriteRefused,
        status: Status::Proven,
        outcome: Outcome::Guarded,
        lock_name: "report:417:rebuild".to_owned(),
        resource_key: Some("report:417".to_owned()),
        late: Some(Actor {
            owner_id: Some("worker-A".to_owned()),
            lease_id: Some("lease-1".to_owned()),
            fence_token: Some(1),
        }),
        current: Some(Actor {
            owner_id: Some("worker-B".to_owned()),
            lease_id: None,
            fence_token: Some(u64::MAX),
        }),
        operation_id: None,
        occurrences: 1,
        assumes: vec![Assumption::OrderedTokens],
        missing: vec![Field::OperationId],
        candidates: Vec::new(),
        evidence: vec![
            Witness {
                source: "pack.jsonl".to_owned(),
                line: 5,
                seq: Some(5),
                role: Role::LateWrite,
            },
            Witness {
                source: "pack.jsonl".to_owned(),
                line: 4,
                seq: None,
                role: Role::NewerWrite,
            },
        ],
    }
}
