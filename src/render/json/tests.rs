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

/// The keys of an object, in the order in which they are written.
fn keys(json: &str) -> Vec<String> {
    struct Keys(Vec<String>);
    impl<'de> serde::Deserialize<'de> for Keys {
        fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Keys, D::Error> {
            struct Visitor;
            impl<'de> serde::de::Visitor<'de> for Visitor {
                type Value = Keys;
                fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                    f.write_str("an object")
                }
                fn visit_map<A: serde::de::MapAccess<'de>>(
                    self,
                    mut map: A,
                ) -> Result<Keys, A::Error> {
                    let mut keys = Vec::new();
                    while let Some((key, _)) = map.next_entry::<_, serde::de::IgnoredAny>()? {
                        keys.push(key);
                    }
                    Ok(Keys(keys))
                }
            }
            from.deserialize_map(Visitor)
        }
    }
    serde_json::from_str::<Keys>(json).unwrap().0
}

fn line(incident: &Incident) -> String {
    let mut out = Vec::new();
    super::line(incident, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const KEYS: [&str; 21] = [
    "schema",
    "id",
    "class",
    "variant",
    "status",
    "outcome",
    "lockName",
    "resourceKey",
    "late",
    "current",
    "operationId",
    "occurrences",
    "assumes",
    "missing",
    "candidates",
    "observation",
    "boundary",
    "check",
    "nextAction",
    "notCovered",
    "evidence",
];

#[test]
fn every_key_is_always_there_and_in_its_place() {
    let full = incident();
    let bare = Incident {
        resource_key: None,
        late: None,
        current: None,
        assumes: Vec::new(),
        missing: Vec::new(),
        evidence: Vec::new(),
        ..incident()
    };
    for one in [full, bare] {
        assert_eq!(keys(&line(&one)), KEYS);
    }
}

#[test]
fn what_is_unknown_is_null_and_what_is_empty_is_a_list() {
    let bare = Incident {
        resource_key: None,
        late: None,
        assumes: Vec::new(),
        evidence: Vec::new(),
        ..incident()
    };
    let json = line(&bare);
    for part in [
        "\"resourceKey\":null,\"late\":null,",
        "\"operationId\":null,",
        "\"assumes\":[],\"missing\":[\"operationId\"],\"candidates\":[],",
        "\"evidence\":[]}",
        "\"leaseId\":null,",
    ] {
        assert!(json.contains(part), "{part} in {json}");
    }
}

#[test]
fn a_token_is_a_number_with_all_its_digits() {
    let json = line(&incident());
    assert!(json.contains("\"fenceToken\":18446744073709551615}"));
    assert!(json.contains(
        "{\"source\":\"pack.jsonl\",\"line\":5,\"seq\":5,\"role\":\"late-write\"},\
         {\"source\":\"pack.jsonl\",\"line\":4,\"seq\":null,\"role\":\"newer-write\"}"
    ));
}
