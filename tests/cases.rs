//! Every row of the diagnosis, as data: evidence beside what it must come to.
//!
//! `tests/cases/<row>/<case>.jsonl` (or `<case>.1.jsonl`, `<case>.2.jsonl` for several
//! inputs) is evidence; `<case>.expected.jsonl` has a head with what the case is about, the
//! options, cautions and withheld locks, and then the incidents, each complete. A case
//! whose name begins with `near` shows that the row does not fire where it almost fits.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use lockdiag::explain::rows;
use lockdiag::incident::{Classification, Incident};
use serde_json::{Map, Value, json};
use support::{diagnose, file_name, files, input, options, values};

/// The fields of an incident that a case may pin, as the expectation writes them.
fn as_value(incident: &Incident) -> Map<String, Value> {
    let value = json!({
        "class": incident.class(),
        "variant": incident.variant,
        "status": incident.status,
        "outcome": incident.outcome,
        "lockName": incident.lock_name,
        "resourceKey": incident.resource_key,
        "assumes": incident.assumes,
        "missing": incident.missing,
        "candidates": incident.candidates,
        "occurrences": incident.occurrences,
        "late": incident.late,
        "current": incident.current,
        "operationId": incident.operation_id,
    });
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

/// The inputs of a case: `<case>.jsonl`, or the numbered ones.
fn inputs(expected: &Path) -> Vec<support::Input> {
    let stem = file_name(expected).replace(".expected.jsonl", "");
    let beside = |name: String| expected.with_file_name(name);
    let whole = beside(format!("{stem}.jsonl"));
    if whole.exists() {
        return vec![input(&whole)];
    }
    (1..)
        .map(|n| beside(format!("{stem}.{n}.jsonl")))
        .take_while(|path| path.exists())
        .map(|path| input(&path))
        .collect()
}

/// What is wrong with a case, if anything.
fn check(expected: &Path) -> Result<(), String> {
    let mut wanted = values(expected);
    let head = wanted.remove(0);
    let inputs = inputs(expected);
    if inputs.is_empty() {
        return Err("no evidence beside it".to_owned());
    }
    let found = diagnose(&inputs, options(&head));
    same_incidents(&wanted, &found)?;
    same_summary(&head, &found)?;
    if let Some(absent) = head["absent"].as_str()
        && found
            .incidents
            .iter()
            .any(|incident| incident.variant.name() == absent)
    {
        return Err(format!("{absent} must not fire here"));
    }
    Ok(())
}

/// Every incident, in order, in every field that the expectation names.
fn same_incidents(wanted: &[Value], found: &Classification) -> Result<(), String> {
    let mut shown = Vec::new();
    for (at, incident) in found.incidents.iter().enumerate() {
        let mut fields = as_value(incident);
        if let Some(Value::Object(named)) = wanted.get(at) {
            fields.retain(|name, _| named.contains_key(name));
        }
        shown.push(Value::Object(fields));
    }
    if shown == wanted {
        return Ok(());
    }
    let list = |incidents: &[Value]| {
        let lines: Vec<String> = incidents
            .iter()
            .map(|value| format!("    {value}"))
            .collect();
        lines.join("\n")
    };
    Err(format!(
        "expected\n{}\n  found\n{}",
        list(wanted),
        list(&shown)
    ))
}

/// Cautions, withheld locks and repeated records, where a case says nothing there are
/// none; that no write was decided is told by the one case that is about it.
fn same_summary(head: &Value, found: &Classification) -> Result<(), String> {
    let summary = &found.summary;
    let withheld: Vec<Value> = summary
        .withheld
        .iter()
        .map(|lock| json!(lock.reason))
        .collect();
    let wanted = head["withheld"].as_array().cloned().unwrap_or_default();
    if withheld != wanted {
        return Err(format!("withheld: expected {wanted:?}, found {withheld:?}"));
    }
    let wanted = head["cautions"].as_array().cloned().unwrap_or_default();
    let about_locks = summary.cautions.iter().filter(|caution| {
        caution.lock_name.is_some() || wanted.iter().any(|pair| pair[0] == json!(caution.kind))
    });
    let cautions: Vec<Value> = about_locks
        .map(|caution| {
            json!([
                caution.kind,
                caution.lock_name.as_ref().map(|_| caution.count)
            ])
        })
        .collect();
    if cautions != wanted {
        return Err(format!("cautions: expected {wanted:?}, found {cautions:?}"));
    }
    let repeated = head["repeated"].as_u64().unwrap_or(0);
    if summary.repeated_records != repeated {
        let found = summary.repeated_records;
        return Err(format!(
            "repeated records: expected {repeated}, found {found}"
        ));
    }
    Ok(())
}

fn expectations() -> Vec<PathBuf> {
    files("tests/cases", ".expected.jsonl")
}

fn directory(path: &Path) -> String {
    path.parent().map(file_name).unwrap_or_default()
}

#[test]
fn every_case_comes_to_what_it_says() {
    let mut wrong = Vec::new();
    for expected in expectations() {
        if let Err(why) = check(&expected) {
            let name = format!("{}/{}", directory(&expected), file_name(&expected));
            wrong.push(format!("{name}: {why}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} cases\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn every_row_has_a_case_that_fires_and_one_that_almost_does() {
    let mut of_row: BTreeMap<String, BTreeSet<bool>> = BTreeMap::new();
    for expected in expectations() {
        let near = file_name(&expected).starts_with("near");
        of_row.entry(directory(&expected)).or_default().insert(near);
    }
    for row in rows::all() {
        let cases = of_row.remove(row.id).unwrap_or_default();
        assert!(cases.contains(&false), "{} has no case that fires", row.id);
        assert!(cases.contains(&true), "{} has no near miss", row.id);
        let Some(variant) = row.variant() else {
            continue;
        };
        let says = |path: &PathBuf| {
            let fires = directory(path) == row.id && !file_name(path).starts_with("near");
            fires
                && values(path)
                    .iter()
                    .any(|incident| incident["variant"] == variant.name())
        };
        assert!(
            expectations().iter().any(says),
            "no case of {} shows {variant}",
            row.id
        );
    }
    // What is left belongs to no row: situations, and what keeps silent.
    let others: Vec<&str> = of_row.keys().map(String::as_str).collect();
    assert_eq!(others, ["clean", "reports", "unanswered"]);
}

#[test]
fn every_variant_fires_somewhere() {
    let fired: BTreeSet<String> = expectations()
        .iter()
        .flat_map(|path| values(path).into_iter().skip(1))
        .filter_map(|incident| incident["variant"].as_str().map(str::to_owned))
        .collect();
    for variant in lockdiag::incident::Variant::ALL {
        assert!(fired.contains(variant.name()), "no case shows {variant}");
    }
}
