//! The mapping language, piece by piece: a mapping, a line, and what comes of it.

use crate::support::{Seen, mapped, read};

fn by(toml: &str, log: &str) -> Seen {
    read(&mut mapped("test.toml", toml), log.as_bytes())
}

fn record(toml: &str, line: &str) -> String {
    let seen = by(toml, line);
    assert_eq!(seen.records.len(), 1, "{seen:?}");
    assert_eq!(seen.problems, [""; 0]);
    seen.records.into_iter().next().unwrap()
}

#[test]
fn paths_keys_indices_selections_and_nested_texts() {
    let toml = r#"
        [fields]
        lockName = 'a."b.c"[1]'
        ownerId = 'tags[name=owner].value'
        leaseId = 'msg.@json.lease.id'
        operationId = 'line.@logfmt.op'
        fenceToken = '["weird key"]'
        result = { value = "acquired" }
    "#;
    let line = r#"{"a":{"b.c":["x","lock-1"]},"tags":[{"name":"other","value":"no"},{"value":"w-1","name":"owner"}],"msg":"{\"lease\":{\"id\":\"l\\u00e9\"}}","line":"go op=\"o 1\" x","weird key":"0x1f"}"#;
    assert_eq!(
        record(toml, line),
        "lock-1 acquire acquired owner=w-1 lease=l\u{e9} token=31 op=o 1"
    );
}

#[test]
fn an_escaped_key_is_the_key_it_means() {
    let toml = r#"fields = { lockName = "lock", result = { value = "acquired" } }"#;
    assert_eq!(
        record(toml, r#"{"l\u006fck":"a\tb"}"#),
        "a\tb acquire acquired"
    );
}

/// A program that writes JSON is started by others that write text.
#[test]
fn text_between_brackets_is_another_line() {
    let toml = r#"fields = { lockName = "lock", result = { value = "acquired" } }"#;
    let log = "[main] INFO ready\n[2031-04-01 08:00:00,000] WARN slow\n{\"lock\":\"a\"}\n";
    let seen = by(toml, log);
    assert_eq!(seen.records, ["a acquire acquired"]);
    assert_eq!((seen.others, seen.rejects.len()), (2, 0));
    for cut_off in [r#"[{"lock":"a""#, r#"["a","b""#, r#"{"lock":"a""#] {
        assert_eq!(by(toml, cut_off).rejects.len(), 1, "{cut_off}");
    }
}

#[test]
fn each_with_paths_to_what_lies_around() {
    let toml = r#"
        each = "batches[*].events[*]"
        [fields]
        lockName = "lock"
        ownerId = "$.batches[*].pod"
        operationId = "$.trace"
        result = { value = "acquired" }
    "#;
    let line = r#"{"batches":[{"events":[{"lock":"a"},{"no":1}],"pod":"p1"},{"pod":"p2","events":[{"lock":"b"}]},{}],"trace":"t"}"#;
    let seen = by(toml, line);
    assert_eq!(
        seen.records,
        [
            "a acquire acquired owner=p1 op=t",
            "b acquire acquired owner=p2 op=t"
        ]
    );
    assert_eq!(by(toml, r#"{"batches":[]}"#).others, 1);
}

#[test]
fn splits_by_text_and_by_pattern_and_none() {
    let toml = r#"
        split = [
          { path = "highest", by = "->", into = ["resourceHighestTokenBefore", "resourceHighestTokenAfter"] },
          { path = "current", by = "/", into = ["activeOwnerId", "activeLeaseId", "gen"], none = "-" },
          { path = "who", pattern = '^(?<ownerId>\w+)@(?<_>.*)$', optional = true },
        ]
        [fields]
        lockName = "lock"
        event = { value = "release" }
        result = "result"
        activeFenceToken = { part = "gen", base = 16 }
    "#;
    assert_eq!(
        record(
            toml,
            r#"{"lock":"a","result":"ok","highest":"1->2","current":"w/l/ff","who":"me@host"}"#
        ),
        "a release released owner=me before=1 after=2 active.owner=w active.lease=l active.token=255"
    );
    assert_eq!(
        record(
            toml,
            r#"{"lock":"a","result":"ok","current":"-","who":"nobody"}"#
        ),
        "a release released active=none"
    );
    assert_eq!(
        record(toml, r#"{"lock":"a","result":"ok","current":null}"#),
        "a release released active=none"
    );
    let seen = by(toml, r#"{"lock":"a","result":"ok","current":"w/x"}"#);
    assert_eq!(seen.records, ["a release released"]);
    assert_eq!(
        seen.problems,
        ["`current` does not split as the mapping says"]
    );
}

#[test]
fn words_from_booleans_status_codes_and_the_rest() {
    let toml = r#"
        [fields]
        lockName = "lock"
        event = { value = "write" }
        result = { path = ["done", "code"], words = { true = "ok", false = "stale", 409 = "duplicate", 4xx = "rejected-other", "*" = "unknown" } }
    "#;
    let of = |value: &str| record(toml, &format!(r#"{{"lock":"a",{value}}}"#));
    assert_eq!(of(r#""done":true"#), "a write accepted");
    assert_eq!(of(r#""done":false"#), "a write rejected-stale-fence");
    assert_eq!(of(r#""code":409"#), "a write rejected-duplicate");
    assert_eq!(of(r#""code":"422""#), "a write rejected-other");
    assert_eq!(of(r#""code":500"#), "a write in-doubt");
}

#[test]
fn alternatives_defaults_joins_and_encodings() {
    let toml = r#"
        [fields]
        lockName = { join = ["ns", "name"], with = "/" }
        ownerId = ["who", { path = "key", base64 = true }, { value = "nobody" }]
        leaseId = { path = "session", base = 16 }
        fenceToken = { path = "rev", pattern = 'r(\d+)', absent = ["r0", ""] }
        seq = "seq"
        seqBy = { path = "by", default = "collector" }
        result = { value = "acquired" }
    "#;
    assert_eq!(
        record(
            toml,
            r#"{"ns":"a","name":7,"key":"d29ya2Vy","session":"0x1F","rev":"r12","seq":3}"#
        ),
        "a/7 acquire acquired owner=worker lease=31 token=12 seq=3 by=collector"
    );
    assert_eq!(
        record(
            toml,
            r#"{"ns":"a","name":"b","rev":"r0","by":"AUTHORITY","seq":"4"}"#
        ),
        "a/b acquire acquired owner=nobody seq=4 by=authority"
    );
}

#[test]
fn null_is_no_lease_unless_the_log_means_absent() {
    let toml = |null: &str| {
        format!(
            r#"fields = {{ lockName = "lock", result = {{ value = "released" }}, activeLeaseId = {{ path = "cur"{null} }} }}"#
        )
    };
    let line = r#"{"lock":"a","cur":null}"#;
    assert_eq!(record(&toml(""), line), "a release released active=none");
    assert_eq!(
        record(&toml(", null = \"absent\""), line),
        "a release released"
    );
    let object =
        r#"fields = { lockName = "lock", result = { value = "released" }, activeLease = "cur" }"#;
    assert_eq!(record(object, line), "a release released active=none");
    assert_eq!(
        record(
            object,
            r#"{"lock":"a","cur":{"ownerId":"w","fence_token":"9"}}"#
        ),
        "a release released active.owner=w active.token=9"
    );
}

#[test]
fn shapes_are_tried_in_turn_and_the_rest_are_other_lines() {
    let toml = r#"
        [fields]
        lockName = "lock"
        [[shape]]
        name = "write"
        when = { kind = ["w", "x"], dry = { not = true }, msg = { matches = "^wrote" } }
        fields.result = { value = "accepted" }
        [[shape]]
        name = "free"
        when = { kind = "r", by = { exists = false } }
        fields.result = { value = "released" }
    "#;
    let seen = by(
        toml,
        "{\"kind\":\"w\",\"msg\":\"wrote it\",\"lock\":\"a\"}\n\
         {\"kind\":\"w\",\"msg\":\"wrote it\",\"lock\":\"a\",\"dry\":true}\n\
         {\"kind\":\"r\",\"lock\":\"b\"}\n\
         {\"kind\":\"r\",\"lock\":\"b\",\"by\":\"admin\"}\n\
         plain text\n\
         {\"kind\":\"r\"}\n\
         {\"kind\":\"r\"",
    );
    assert_eq!(seen.records, ["a write accepted", "b release released"]);
    assert_eq!(seen.others, 3);
    assert_eq!(
        seen.rejects,
        [
            "a line of shape `free` names no lock",
            "the JSON ends too early"
        ]
    );
}

#[test]
fn a_field_that_cannot_be_used_leaves_the_record() {
    let toml = r#"fields = { lockName = "lock", event = "do", result = "res", fenceToken = "token", leaseId = "lease" }"#;
    let seen = by(
        toml,
        r#"{"lock":"a","do":"release","res":"relased","token":"uuid","lease":"x","lease":"y"}"#,
    );
    assert_eq!(seen.records, ["a release in-doubt"]);
    assert_eq!(seen.problems.len(), 3, "{seen:?}");
    // An answer of an unknown step is believed only where no other step has it.
    let seen = by(toml, r#"{"lock":"a","do":"unlok","res":"accepted"}"#);
    assert_eq!(seen.records, [""; 0]);
    assert_eq!(seen.rejects, ["the event is no step of the lock protocol"]);
    assert_eq!(by(toml, r#"{"lock":"","res":"released"}"#).others, 1);
    assert_eq!(by(toml, r#"{"lock":"a"}"#).others, 1);
}

#[test]
fn columns_with_and_without_a_header() {
    let fields = "[fields]\nlockName = \"lock.name\"\nresult = \"res\"\nactiveLeaseId = \"cur\"\n";
    let tsv = format!("format = \"tsv\"\n{fields}");
    let seen = by(
        &tsv,
        "\u{feff}res\tlock.name\tcur\nreleased\ta\tl1\nreleased\ta\t\n",
    );
    assert_eq!(
        seen.records,
        ["a release released active.lease=l1", "a release released"]
    );
    let csv = format!(
        "format = \"csv\"\ndelimiter = \";\"\ncolumns = [\"lock.name\", \"res\", \"cur\"]\n{fields}"
    );
    let seen = by(
        &csv,
        "\"a\nb\";released;\"x\"\"y\"\n\"c;d\";released;\n\"open",
    );
    assert_eq!(
        seen.records,
        [
            "a\nb release released active.lease=x\"y",
            "c;d release released"
        ]
    );
    assert_eq!(seen.rejects, ["the input ends inside a quoted cell"]);
}

#[test]
fn patterns_are_tried_as_one_set_and_the_first_that_fits_counts() {
    let toml = r#"
        format = "text"
        [[shape]]
        name = "by somebody"
        pattern = '^took (?<lockName>\S+) for (?<ownerId>\S+)$'
        fields.result = { value = "acquired" }
        [[shape]]
        name = "any"
        pattern = ['^took (?<lockName>\S+)', '^got (?<lockName>\S+)']
        fields.result = { value = "acquired" }
    "#;
    let seen = by(toml, "took a for w\ntook b\ngot c\nlost d\n");
    assert_eq!(
        seen.records,
        [
            "a acquire acquired owner=w",
            "b acquire acquired",
            "c acquire acquired"
        ]
    );
    assert_eq!(seen.others, 1);
    let seen = read(&mut mapped("t", toml), b"took \xff\xfe\nother \xff\n");
    assert_eq!(seen.rejects, ["the line is no UTF-8"]);
    assert_eq!(seen.others, 1);
}

#[test]
fn tokens_keep_every_digit() {
    let toml =
        r#"fields = { lockName = "lock", fenceToken = "t", result = { value = "acquired" } }"#;
    assert_eq!(
        record(toml, r#"{"lock":"a","t":18446744073709551615}"#),
        "a acquire acquired token=18446744073709551615"
    );
    let seen = by(toml, r#"{"lock":"a","t":1e3}"#);
    assert_eq!(seen.problems.len(), 1);
}
