use super::anchors;

fn seen(line: &str) -> Vec<String> {
    let anchors = anchors(line, &[]);
    let shown = anchors
        .iter()
        .map(|a| format!("{}={}", a.field.name(), &line[a.span.clone()]));
    shown.collect()
}

#[test]
fn an_owner_may_be_known_from_other_lines() {
    let line = "Lock 'a' is busy, w-1 will retry";
    assert_eq!(anchors(line, &[]).len(), 1);
    let found = anchors(line, &["w".to_owned(), "w-1".to_owned()]);
    assert_eq!(&line[found[1].span.clone()], "w-1");
}

#[test]
fn a_lock_is_named_behind_the_name_of_a_logger() {
    for (line, values) in [
        (
            "INFO app.lock Lock orders/55 acquired by w-a (lease 8f0d, token 12)",
            "lockName=orders/55 ownerId=w-a leaseId=8f0d fenceToken=12",
        ),
        ("INFO app.lock Lock 'orders' acquired", "lockName=orders"),
        (
            "app.lock: w-1 acquired lock a-1",
            "ownerId=w-1 lockName=a-1",
        ),
        ("INFO app.lock w-1 will retry", ""),
    ] {
        assert_eq!(seen(line).join(" "), values, "{line}");
    }
}

#[test]
fn a_lock_may_be_called_a_lease_or_be_locked() {
    for (line, values) in [
        (
            "successfully acquired lease default/aa1",
            "lockName=default/aa1",
        ),
        (
            "failed to renew lease default/aa: timed out waiting for the condition",
            "lockName=default/aa",
        ),
        ("acquired lease a/b/7f3a", "leaseId=a/b/7f3a"),
        ("acquired lease 7f3a", "leaseId=7f3a"),
        (
            "Locked 'send', lock will be held until 10:00",
            "lockName=send",
        ),
        ("Locked jobs/7 for w-1", "ownerId=w-1"),
    ] {
        assert_eq!(seen(line).join(" "), values, "{line}");
    }
}

#[test]
fn pairs_give_values() {
    for (line, values) in [
        (
            "acquired lock jobs/7 (fence=11, owner=w-1)",
            "lockName=jobs/7 fenceToken=11 ownerId=w-1",
        ),
        (
            "write to jobs/7 under lock a-1 refused: current fence=12, fence=11",
            "resourceKey=jobs/7 lockName=a-1 fenceToken=11",
        ),
        ("lock a-1 took fence=none", "lockName=a-1"),
    ] {
        assert_eq!(seen(line).join(" "), values, "{line}");
    }
}

#[test]
fn an_owner_is_who_acts() {
    for (line, values) in [
        (
            "12:00:02.100 INFO worker-A released lock 'a' held by worker-B",
            "ownerId=worker-A lockName=a",
        ),
        (
            "12:00:02 INFO billing-7d9f-x2k acquired lock 'a' with token 1",
            "ownerId=billing-7d9f-x2k lockName=a fenceToken=1",
        ),
        ("lock 'a' refused, held by worker-B", "lockName=a"),
        (
            "release of lock a-1 by w-1 token 1: released, active lease 5251",
            "lockName=a-1 ownerId=w-1 fenceToken=1 activeLeaseId=5251",
        ),
        (
            "lock a-1 released by w-1 lease 71ab, removed lease 71cd of w-2",
            "lockName=a-1 ownerId=w-1 leaseId=71ab",
        ),
        (
            "lock a-1 refused, newer token 2 seen, had token 1",
            "lockName=a-1 fenceToken=1",
        ),
        ("com.acme.Guard acquired lock 'a'", "lockName=a"),
    ] {
        assert_eq!(seen(line).join(" "), values, "{line}");
    }
}

#[test]
fn what_is_written_is_a_key_or_an_operation_where_it_looks_like_one() {
    for (line, values) in [
        (
            "write acct:42 by w-1 lock a-1 token 1 accepted",
            "resourceKey=acct:42 ownerId=w-1 lockName=a-1 fenceToken=1",
        ),
        (
            "write op-1 by w-1 lock a-1 token 1 accepted",
            "operationId=op-1 ownerId=w-1 lockName=a-1 fenceToken=1",
        ),
        (
            "write 77 to acct/42 under lock a-1 accepted",
            "operationId=77 resourceKey=acct/42 lockName=a-1",
        ),
        ("updated row17 under lock a-1", "lockName=a-1"),
        ("write row17 under lock a-1", "lockName=a-1"),
    ] {
        assert_eq!(seen(line).join(" "), values, "{line}");
    }
}

#[test]
fn names_give_values() {
    let line = "{'event': 'write', 'lock': 'a', 'fencing_token': 1, 'resource_key': 'k', 'highest_before': 0, 'current_lease': 'l2', 'lease': None}";
    assert_eq!(
        seen(line),
        [
            "lockName=a",
            "fenceToken=1",
            "resourceKey=k",
            "resourceHighestTokenBefore=0",
            "activeLeaseId=l2"
        ]
    );
}

#[test]
fn values_stand_behind_words() {
    let line = "Applied operation op-1 of w-A on 'acct:1' under lock 'acct-1' (lease l1, fencing token 2); highest token was 1, is 2";
    assert_eq!(
        seen(line),
        [
            "operationId=op-1",
            "ownerId=w-A",
            "resourceKey=acct:1",
            "lockName=acct-1",
            "leaseId=l1",
            "fenceToken=2",
            "resourceHighestTokenBefore=1",
            "resourceHighestTokenAfter=2"
        ]
    );
    let line =
        "Write refused for w-A on acct/42 under lock /locks/a-1: token 5 is stale, highest 17";
    assert_eq!(
        seen(line),
        [
            "ownerId=w-A",
            "resourceKey=acct/42",
            "lockName=/locks/a-1",
            "fenceToken=5",
            "resourceHighestTokenBefore=17"
        ]
    );
}
