//! When what repeats is one operation, and when several.

use super::no_operation;
use crate::evidence::Answer;
use crate::ingest::mapping::suggest::trial::Row;

fn of(rows: &[(&str, u64, &str)]) -> Vec<Row> {
    let rows = rows.iter();
    rows.map(|(owner, token, op)| Row::written(owner, *token, op))
        .collect()
}

fn kept(rows: &[Row], name: &str) -> bool {
    no_operation(rows, name, &[]).is_none()
}

#[test]
fn what_repeats_may_be_no_operation() {
    let two = |op| of(&[("w-1", 1, op), ("w-2", 2, op)]);
    assert!(!kept(&two("transfer"), "operation_id"));
    assert!(!kept(&two("job-7"), "job_id"));
    assert!(!kept(&two("r-7"), "request_id"));
    assert!(kept(&two("op-7"), "operation_id"));
    assert!(kept(&two("op-7"), "Idempotency-Key"));
    // Once more among others, under another lease.
    let again = of(&[
        ("w-1", 1, "r-1"),
        ("w-1", 1, "r-2"),
        ("w-1", 1, "r-3"),
        ("w-1", 1, "r-4"),
        ("w-2", 2, "r-2"),
    ]);
    assert!(kept(&again, "request_id") && kept(&again, "message_id"));
    assert!(kept(&again[1..], "op"));
    assert!(!kept(&again[1..], "correlation_id"));
    // One for each lease.
    let each = of(&[
        ("w-1", 1, "r-1"),
        ("w-1", 1, "r-1"),
        ("w-2", 2, "r-2"),
        ("w-2", 2, "r-2"),
    ]);
    assert!(!kept(&each, "request_id"));
    assert!(kept(&each, "operation_id"));
}

#[test]
fn one_lease_may_write_several_times_with_one_id() {
    let twice = of(&[("w-1", 1, "9f1c"), ("w-1", 1, "9f1c"), ("w-2", 2, "77ab")]);
    for name in ["request_id", "command_id", "message_id", "req", "op"] {
        assert!(!kept(&twice, name), "{name}");
    }
    assert!(kept(&twice, "operation_id"));
    // A repetition that was refused bears the name out.
    let mut refused = twice;
    refused.push(Row::written("w-2", 2, "77ab"));
    refused[3].answer = Answer::RejectedDuplicate;
    assert!(kept(&refused, "op"));
    assert!(!kept(&refused, "request_id"));
}

#[test]
fn numbers_may_count_the_steps_of_a_lease() {
    let steps = |ids: [&str; 4]| {
        let [a, b, c, d] = ids;
        of(&[("w1", 1, a), ("w1", 1, b), ("w2", 2, c), ("w2", 2, d)])
    };
    assert!(!kept(&steps(["1", "2", "2", "3"]), "op"));
    assert!(!kept(
        &steps(["step-1", "step-2", "step-2", "step-3"]),
        "op"
    ));
    assert!(!kept(&steps(["w-1", "w-2", "w-1", "w-2"]), "op"));
    assert!(!kept(&steps(["1", "2", "1", "2"]), "operation_id"));
    assert!(kept(&steps(["1", "2", "2", "3"]), "operation_id"));
    assert!(kept(&steps(["t-1", "t-2", "t-2", "t-3"]), "op"));
    assert!(kept(&steps(["5001", "5002", "5002", "5003"]), "op"));
}

#[test]
fn what_is_delivered_again_names_the_operation() {
    let rows = of(&[("c1", 5, "m1"), ("c1", 6, "m2"), ("c2", 7, "m2")]);
    let by = |name, again: &[bool]| no_operation(&rows, name, again).is_none();
    assert!(!by("message_id", &[]));
    assert!(by("message_id", &[false, false, true]));
    assert!(!by("message_id", &[false, false, false]));
    assert!(!by("correlation_id", &[false, false, true]));
}
