//! What every check needs: verdicts, edits of records, chance.

use std::collections::BTreeSet;

use lockdiag::diagnosis::Options;
use lockdiag::incident::Classification;
use serde_json::Value;

use crate::support::{self, gists, judge};

pub fn verdicts(inputs: &[Vec<Value>]) -> Classification {
    judge(inputs, Options::default()).0
}

/// Every file of evidence that the other tests use, parsed; what is no JSON is left out.
pub fn recorded() -> Vec<(String, Vec<Value>)> {
    let mut found = Vec::new();
    for root in ["tests/cases", "tests/packs"] {
        for path in support::files(root, ".jsonl") {
            if support::file_name(&path).ends_with(".expected.jsonl") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let records: Vec<Value> = text
                .lines()
                .filter_map(|line| serde_json::from_str(line.trim_start_matches('\u{feff}')).ok())
                .collect();
            found.push((path.display().to_string(), records));
        }
    }
    found
}

/// A fixed, poor, sufficient source of numbers: the same in every run.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % sides.max(1)
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.roll(at + 1));
        }
    }
}

pub fn with(record: &Value, name: &str, value: Value) -> Value {
    let mut record = record.clone();
    record[name] = value;
    record
}

pub fn without(record: &Value, name: &str) -> Value {
    let mut record = record.clone();
    if let Value::Object(fields) = &mut record {
        fields.remove(name);
    }
    record
}

pub fn differ(a: &BTreeSet<String>, b: &BTreeSet<String>) -> String {
    let lost: Vec<_> = a.difference(b).collect();
    let new: Vec<_> = b.difference(a).collect();
    format!("only before {lost:#?}\nonly after {new:#?}")
}

pub fn same(a: &Classification, b: &Classification) -> Result<(), String> {
    let (a, b) = (gists(a), gists(b));
    (a == b).then_some(()).ok_or_else(|| differ(&a, &b))
}
