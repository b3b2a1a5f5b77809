//! Made-up records: few names, every answer, fields there or not. Some histories are
//! plausible, some are not; verdicts must behave in both.

#![allow(dead_code)]

use proptest::collection::vec;
use proptest::option::{self, weighted};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Who numbers the records of a history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Nobody.
    None,
    /// Everybody's records, one after another; by whom is told or not.
    All(Option<&'static str>),
    /// Only every second record.
    Some,
}

/// The lease that the authority names.
#[derive(Debug, Clone)]
pub enum Named {
    Unrecorded,
    Nobody,
    /// A lease, and which of owner, lease id and token are told.
    Lease(u64, [bool; 3]),
}

/// One made-up record.
#[derive(Debug, Clone)]
pub struct Made {
    pub lock: u64,
    /// The lease; its usual owner and token follow from it.
    pub lease: u64,
    pub step: (&'static str, &'static str),
    /// Another token than the usual one.
    pub other_token: Option<u64>,
    /// Another owner than the usual one.
    pub other_owner: Option<u64>,
    /// Whether owner, lease id and token are told.
    pub told: [bool; 3],
    pub key: Option<u64>,
    pub operation: Option<u64>,
    pub before: Option<u64>,
    pub after: Option<u64>,
    pub active: Named,
}

pub const WRITES: &[(&str, &str)] = &[
    ("write", "accepted"),
    ("write", "accepted"),
    ("write", "accepted"),
    ("write", "rejected-stale-fence"),
    ("write", "rejected-stale-fence"),
    ("write", "rejected-duplicate"),
    ("write", "rejected-other"),
    ("write", "in-doubt"),
];

pub const HANDLES: &[(&str, &str)] = &[
    ("acquire", "acquired"),
    ("acquire", "acquired"),
    ("acquire", "acquired"),
    ("acquire", "acquire-rejected-held"),
    ("acquire", "in-doubt"),
    ("renew", "renewed"),
    ("renew", "renew-rejected-not-owner"),
    ("expire", "expired"),
    ("release", "released"),
    ("release", "released"),
    ("release", "release-rejected-not-owner"),
    ("release", "release-noop"),
    ("release", "in-doubt"),
];

/// The usual owner of a lease.
fn owner_of(lease: u64) -> u64 {
    lease % 3
}

impl Made {
    /// The record as a line of evidence.
    pub fn to_json(&self) -> Value {
        let mut fields = Map::new();
        let mut put = |name: &str, value: Value| {
            fields.insert(name.to_owned(), value);
        };
        put("lockName", json!(format!("lock-{}", self.lock)));
        let (event, result) = self.step;
        put("event", json!(event));
        put("result", json!(result));
        let owner = self.other_owner.unwrap_or(owner_of(self.lease));
        let token = self.other_token.unwrap_or(self.lease + 1);
        let [tell_owner, tell_lease, tell_token] = self.told;
        if tell_owner {
            put("ownerId", json!(format!("owner-{owner}")));
        }
        if tell_lease {
            put("leaseId", json!(format!("lease-{}", self.lease)));
        }
        if tell_token {
            put("fenceToken", json!(token));
        }
        if event == "write" {
            if let Some(key) = self.key {
                put("resourceKey", json!(format!("key-{key}")));
            }
            if let Some(operation) = self.operation {
                put("operationId", json!(format!("operation-{operation}")));
            }
        }
        if (event == "write" || event == "release")
            && let Some(before) = self.before
        {
            put("resourceHighestTokenBefore", json!(before));
        }
        if event == "write"
            && let Some(after) = self.after
        {
            put("resourceHighestTokenAfter", json!(after));
        }
        if event == "release" || event == "renew" {
            match self.active {
                Named::Unrecorded => {}
                Named::Nobody => put("activeLease", Value::Null),
                Named::Lease(lease, told) => put("activeLease", active(lease, told)),
            }
        }
        Value::Object(fields)
    }
}

fn active(lease: u64, [owner, id, token]: [bool; 3]) -> Value {
    let mut parts = Map::new();
    if owner {
        parts.insert(
            "ownerId".into(),
            json!(format!("owner-{}", owner_of(lease))),
        );
    }
    if id || !(owner || token) {
        parts.insert("leaseId".into(), json!(format!("lease-{lease}")));
    }
    if token {
        parts.insert("fenceToken".into(), json!(lease + 1));
    }
    Value::Object(parts)
}

/// A history of up to `length` records of `locks` locks. `wild` lets leases change
/// owners and tokens.
pub fn history(
    locks: u64,
    length: std::ops::Range<usize>,
    wild: bool,
) -> impl Strategy<Value = Vec<Value>> {
    let strange = if wild { 0.1 } else { 1e-12 };
    let told = [
        weighted(0.9, Just(())),
        weighted(0.85, Just(())),
        weighted(0.85, Just(())),
    ]
    .prop_map(|told| told.map(|part| part.is_some()));
    let named = prop_oneof![
        6 => Just(Named::Unrecorded),
        1 => Just(Named::Nobody),
        3 => (0..4u64, any::<[bool; 3]>()).prop_map(|(lease, told)| Named::Lease(lease, told)),
    ];
    let step = prop_oneof![
        proptest::sample::select(WRITES),
        proptest::sample::select(HANDLES),
    ];
    let who = (
        0..locks,
        0..4u64,
        weighted(strange, 1..6u64),
        weighted(strange, 0..3u64),
        told,
    );
    let what = (
        weighted(0.8, 0..2u64),
        option::of(0..3u64),
        option::of(0..6u64),
        weighted(0.2, 0..6u64),
        named,
    );
    let record = (who, step, what).prop_map(|(who, step, what)| {
        let (lock, lease, other_token, other_owner, told) = who;
        let (key, operation, before, after, active) = what;
        Made {
            lock,
            lease,
            step,
            other_token,
            other_owner,
            told,
            key,
            operation,
            before,
            after,
            active,
        }
        .to_json()
    });
    // Some locks know no tokens at all.
    (vec(record, length), weighted(0.1, Just(()))).prop_map(|(mut records, no_tokens)| {
        for fields in records.iter_mut().filter_map(Value::as_object_mut) {
            if no_tokens.is_some() {
                fields.remove("fenceToken");
            }
        }
        records
    })
}

/// How a history is numbered.
pub fn numbers() -> impl Strategy<Value = Numbers> {
    prop_oneof![
        3 => Just(Numbers::None),
        2 => Just(Numbers::All(None)),
        1 => Just(Numbers::All(Some("collector"))),
        3 => Just(Numbers::All(Some("resource"))),
        1 => Just(Numbers::Some),
    ]
}

/// Numbers that all records carry.
pub fn all_numbered() -> impl Strategy<Value = Numbers> {
    prop_oneof![
        Just(Numbers::All(None)),
        Just(Numbers::All(Some("resource")))
    ]
}

/// The history with its numbers.
pub fn numbered(mut history: Vec<Value>, numbers: Numbers) -> Vec<Value> {
    for (at, record) in history.iter_mut().enumerate() {
        let Value::Object(fields) = record else {
            continue;
        };
        let (number, by) = match numbers {
            Numbers::None => (false, None),
            Numbers::All(by) => (true, by),
            Numbers::Some => (at % 2 == 0, None),
        };
        if number {
            fields.insert("seq".into(), json!(at as u64 + 1));
        }
        if let Some(by) = by {
            fields.insert("seqBy".into(), json!(by));
        }
    }
    history
}
