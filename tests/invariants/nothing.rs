//! Names, clocks, lines, files and other locks mean nothing.

use std::collections::{BTreeMap, BTreeSet};

use lockdiag::incident::{Actor, Classification, Incident, Status, Variant};
use serde_json::{Value, json};

use crate::common::{Dice, differ, same, verdicts, with, without};
use crate::support::gists;

pub fn clocks(at: usize) -> Value {
    match at % 6 {
        0 => json!("1970-01-01T00:00:00Z"),
        1 => json!(-1),
        2 => json!({"nested": [1, 2, {"deep": null}]}),
        3 => json!("yesterday \u{202e}\u{1b}[31m"),
        4 => json!(1e300),
        _ => json!(null),
    }
}

pub fn check_no_clock(records: &[Value]) -> Result<(), String> {
    let plain: Vec<Value> = records.iter().map(|record| without(record, "ts")).collect();
    let false_clock: Vec<Value> = plain
        .iter()
        .enumerate()
        .map(|(at, record)| with(record, "ts", clocks(at)))
        .collect();
    let (a, b) = (verdicts(&[plain]), verdicts(&[false_clock]));
    let c = verdicts(&[records.to_vec()]);
    (a == b && a == c)
        .then_some(())
        .ok_or_else(|| differ(&gists(&a), &gists(&b)))
}

/// Two locks at one key are told under the first of them, and between locks only the
/// input says which one that is.
pub fn under_no_lock(mut found: Classification) -> Classification {
    for incident in &mut found.incidents {
        if incident.variant == Variant::TwoLocksOneKey && incident.status == Status::Suspected {
            incident.lock_name.clear();
            incident.late = None;
            incident.operation_id = None;
        }
    }
    found
}

pub fn check_shuffled(records: &[Value], dice: &mut Dice) -> Result<(), String> {
    let mut shuffled = records.to_vec();
    dice.shuffle(&mut shuffled);
    let mut files = vec![Vec::new(); 3];
    for record in shuffled.clone() {
        files[dice.roll(3)].push(record);
    }
    let before = under_no_lock(verdicts(&[records.to_vec()]));
    same(&before, &under_no_lock(verdicts(&[shuffled])))?;
    same(&before, &under_no_lock(verdicts(&files)))
}

/// New names for all names, and for all tokens others in the same order; 0 stays 0.
pub struct Renaming {
    tokens: BTreeMap<u64, u64>,
}

/// A token as a record may write it.
pub fn token(value: &Value) -> Option<u64> {
    let text = value.as_str().map(lockdiag::evidence::token::parse_token);
    value.as_u64().or_else(|| text?.ok())
}

pub fn holds_token(field: &str) -> bool {
    let words = ["Token", "_token"];
    field.starts_with("resource") && field != "resourceKey"
        || words.iter().any(|word| field.ends_with(word))
}

pub fn tokens_of(record: &Value, found: &mut BTreeSet<u64>) {
    for (name, value) in record.as_object().into_iter().flatten() {
        if holds_token(name) {
            found.extend(token(value));
        }
        tokens_of(value, found);
    }
}

/// Another name; a number stays, since two ids may be one number.
pub fn rename(name: &str) -> String {
    let digits = name.strip_prefix("0x").unwrap_or(name);
    if digits.len() > 1
        && digits
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
    {
        return name.to_owned();
    }
    name.chars().rev().chain("\u{e9}".chars()).collect()
}

impl Renaming {
    fn of(records: &[Value]) -> Renaming {
        let mut tokens = BTreeSet::from([0]);
        records
            .iter()
            .for_each(|record| tokens_of(record, &mut tokens));
        let tokens = tokens
            .into_iter()
            .zip((0u64..).map(|rank| rank * rank * 1_000_003));
        Renaming {
            tokens: tokens.collect(),
        }
    }

    fn token(&self, token: u64) -> u64 {
        self.tokens.get(&token).copied().unwrap_or(token)
    }

    fn record(&self, record: &Value) -> Value {
        let mut record = record.clone();
        for (name, value) in record.as_object_mut().into_iter().flatten() {
            match (name.as_str(), &value) {
                ("event" | "result" | "seqBy" | "ts" | "timestamp" | "seq" | "sequence", _) => {}
                (field, _) if holds_token(field) => {
                    if let Some(token) = token(value) {
                        *value = json!(self.token(token));
                    }
                }
                (_, Value::String(text)) => *value = json!(rename(text)),
                (_, Value::Number(number)) => *value = json!(rename(&number.to_string())),
                (_, Value::Object(_)) => *value = self.record(value),
                _ => {}
            }
        }
        record
    }

    fn incident(&self, incident: &Incident) -> Incident {
        let name = |text: &Option<String>| text.as_deref().map(rename);
        let actor = |actor: &Option<Actor>| {
            actor.as_ref().map(|actor| Actor {
                owner_id: name(&actor.owner_id),
                lease_id: name(&actor.lease_id),
                fence_token: actor.fence_token.map(|token| self.token(token)),
            })
        };
        Incident {
            id: String::new(),
            lock_name: rename(&incident.lock_name),
            resource_key: name(&incident.resource_key),
            operation_id: name(&incident.operation_id),
            late: actor(&incident.late),
            current: actor(&incident.current),
            ..incident.clone()
        }
    }
}

pub fn check_renamed(records: &[Value]) -> Result<(), String> {
    let renaming = Renaming::of(records);
    let before = verdicts(&[records.to_vec()]);
    let after = verdicts(&[records
        .iter()
        .map(|record| renaming.record(record))
        .collect()]);
    let wanted: Vec<Incident> = before
        .incidents
        .iter()
        .map(|incident| renaming.incident(incident))
        .collect();
    let found: Vec<Incident> = after
        .incidents
        .iter()
        .map(|incident| Incident {
            id: String::new(),
            ..incident.clone()
        })
        .collect();
    (wanted == found)
        .then_some(())
        .ok_or_else(|| format!("{wanted:#?}\n{found:#?}"))
}

pub fn check_interleaved(
    records: &[Value],
    foreign: &[Value],
    dice: &mut Dice,
) -> Result<(), String> {
    let alone = verdicts(&[records.to_vec()]);
    let mut mixed = Vec::new();
    let mut others = foreign.iter();
    for record in records {
        for other in others.by_ref().take(dice.roll(3)) {
            mixed.push(other.clone());
        }
        mixed.push(record.clone());
    }
    mixed.extend(others.cloned());
    let mut both = verdicts(&[mixed]);
    both.incidents
        .retain(|incident| !incident.lock_name.starts_with("other-"));
    same(&alone, &both)
}

/// The records under other locks and other keys, with the same leases and operations.
pub fn elsewhere(records: &[Value]) -> Vec<Value> {
    let moved = |record: &Value, field: &str| {
        let name = record[field].as_str().map(|name| format!("other-{name}"));
        name.map_or_else(|| record.clone(), |name| with(record, field, json!(name)))
    };
    records
        .iter()
        .map(|record| moved(&moved(record, "lockName"), "resourceKey"))
        .collect()
}
