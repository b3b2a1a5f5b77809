//! Lease ids are written in two bases, as some authorities do: nothing is proven by that.

use std::collections::BTreeMap;

use lockdiag::incident::{Actor, Incident, Status, Variant, WithheldReason};
use serde_json::{Value, json};

use crate::common::{Dice, verdicts};

/// The number of every lease id, and how one is written.
struct Spelling<'d> {
    numbers: BTreeMap<String, u64>,
    dice: Option<&'d mut Dice>,
}

impl Spelling<'_> {
    fn lease(&mut self, id: &str) -> Value {
        let next = 0x694d_8a7b_0000_0000 + self.numbers.len() as u64;
        let number = *self.numbers.entry(id.to_owned()).or_insert(next);
        match self.dice.as_mut().map(|dice| dice.roll(4)) {
            None | Some(0) => json!(format!("{number:x}")),
            Some(1) => json!(format!("0x0{number:X}")),
            Some(2) => json!(number.to_string()),
            Some(_) => json!(number),
        }
    }

    fn record(&mut self, record: &Value) -> Value {
        let mut record = record.clone();
        for (name, value) in record.as_object_mut().into_iter().flatten() {
            let id = match &value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                _ => String::new(),
            };
            match (name.as_str(), &value) {
                (_, Value::Object(_)) => *value = self.record(value),
                ("leaseId" | "lease_id" | "activeLeaseId" | "active_lease_id", _)
                    if !id.is_empty() =>
                {
                    *value = self.lease(&id);
                }
                _ => {}
            }
        }
        record
    }
}

/// The number of a lease id in any spelling.
fn number(actor: &Option<Actor>) -> Option<u64> {
    let text = actor.as_ref()?.lease_id.as_deref()?;
    let hex = u64::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    text.parse().ok().or(hex)
}

/// Whether the two of an incident are two leases, however they are written.
fn apart(incident: &Incident) -> bool {
    number(&incident.late) != number(&incident.current)
}

/// What is proven where every lease id is written in several ways is proven as well where
/// each is written in one.
pub fn check_spelled(records: &[Value], dice: &mut Dice) -> Result<(), String> {
    let write = |dice| {
        let mut spelling = Spelling {
            numbers: BTreeMap::new(),
            dice,
        };
        let written = records.iter().map(|record| spelling.record(record));
        written.collect::<Vec<Value>>()
    };
    let (one_way, several) = (write(None), write(Some(dice)));
    let sure = verdicts(&[one_way]);
    // That leases are used before they are acquired shows where their ids are the same.
    let is_backwards = |lock: &str| {
        let mut withheld = sure.summary.withheld.iter();
        withheld.any(|one| one.lock_name == lock && one.reason == WithheldReason::LinesBackwards)
    };
    for incident in verdicts(std::slice::from_ref(&several)).incidents {
        let mut known = sure.incidents.iter().filter(|known| {
            (&known.lock_name, known.variant) == (&incident.lock_name, incident.variant)
        });
        // A token of two leases is counted where a pair is first seen, which may be in a record
        // that proves less than a later one that writes the pair in another way.
        let suffices = |known: &Incident| {
            let status = known.status;
            status == Status::Proven || incident.variant == Variant::Shared && apart(&incident)
        };
        let is_in_order = !is_backwards(&incident.lock_name);
        if is_in_order && incident.status == Status::Proven && !known.any(suffices) {
            let lines: Vec<String> = several.iter().map(Value::to_string).collect();
            return Err(format!("{}\n{incident:#?}", lines.join("\n")));
        }
    }
    Ok(())
}
