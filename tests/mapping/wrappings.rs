//! A service's log as collectors, terminals and consoles leave it: whatever is around its
//! lines, the proposal finds the same records in them.

use lockdiag::ingest::NativeJson;
use lockdiag::ingest::mapping::suggest;
use serde_json::{Value, json};

use crate::support::{mapped, read};

/// What the service said: the sentence, and its fields.
fn said() -> Vec<(&'static str, Value)> {
    vec![
        (
            "lock acquired",
            json!({"lock": "a:1", "owner": "w1", "lease": "l1", "token": 41}),
        ),
        (
            "write accepted",
            json!({"lock": "a:1", "owner": "w1", "lease": "l1", "token": 41, "resource": "r/1", "op": "o-1", "highest": 40}),
        ),
        (
            "lock acquired",
            json!({"lock": "a:1", "owner": "w2", "lease": "l2", "token": 42}),
        ),
        (
            "stale write rejected",
            json!({"lock": "a:1", "owner": "w1", "lease": "l1", "token": 41, "resource": "r/1", "op": "o-2", "highest": 42}),
        ),
        (
            "release refused, not the owner",
            json!({"lock": "a:1", "owner": "w1", "lease": "l1", "token": 41}),
        ),
        (
            "lock released",
            json!({"lock": "a:1", "owner": "w2", "lease": "l2", "token": 42}),
        ),
    ]
}

const RECORDS: [&str; 6] = [
    "a:1 acquire acquired owner=w1 lease=l1 token=41",
    "a:1 write accepted owner=w1 lease=l1 token=41 before=40 key=r/1 op=o-1",
    "a:1 acquire acquired owner=w2 lease=l2 token=42",
    "a:1 write rejected-stale-fence owner=w1 lease=l1 token=41 before=42 key=r/1 op=o-2",
    "a:1 release release-rejected-not-owner owner=w1 lease=l1 token=41",
    "a:1 release released owner=w2 lease=l2 token=42",
];

/// The fields with the sentence among them.
fn object(said: &(&str, Value)) -> Value {
    let mut object = said.1.clone();
    object["msg"] = json!(said.0);
    object
}

fn pairs(fields: &Value, before: &str, between: &str) -> String {
    let fields = fields.as_object().unwrap().iter();
    let pairs = fields.map(|(key, value)| {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        format!("{before}{key}{between}={value}")
    });
    pairs.collect::<Vec<_>>().join(" ")
}

/// The log with a line of another program behind each.
fn lines(line: impl Fn(&(&str, Value)) -> String, other: &str) -> String {
    let lines = said().into_iter().map(|said| line(&said) + "\n" + other);
    lines.collect()
}

fn check(name: &str, log: &str) {
    let toml = suggest(log).toml;
    let seen = read(&mut mapped(name, &toml), log.as_bytes());
    assert_eq!(seen.records, RECORDS, "{name}\n{log}\n{toml}\n{seen:?}");
    assert_eq!(seen.problems, [""; 0], "{name}\n{toml}");
    assert_eq!(seen.rejects, [""; 0], "{name}\n{toml}");
}

#[test]
fn json_behind_what_a_collector_puts_before_it() {
    for (name, before) in [
        ("cri", "2031-04-01T08:00:00.410503000Z stdout F "),
        ("compose", "worker-a-1  | "),
        ("kubectl", "[pod/rebuild-7d9f/app] "),
        ("syslog", "Apr  1 08:00:00 db-1 rebuild[4123]: "),
    ] {
        let line = |said: &(&str, Value)| format!("{before}{}", object(said));
        check(name, &lines(line, &format!("{before}ready\n")));
    }
}

#[test]
fn json_behind_a_sentence() {
    for (name, before) in [
        ("zap", "2031-04-01T08:00:00.410Z\tINFO\tlock/guard.go:88\t"),
        (
            "python",
            "2031-04-01 08:00:00,410 - rebuild.guard - WARNING - ",
        ),
    ] {
        let line = |said: &(&str, Value)| format!("{before}{}\t{}", said.0, said.1);
        check(
            name,
            &lines(line, &format!("{before}request\t{{\"status\":200}}\n")),
        );
    }
}

#[test]
fn json_and_pairs_in_a_text_of_json() {
    let json = |said: &(&str, Value)| object(said).to_string() + "\n";
    let logfmt = |said: &(&str, Value)| {
        format!("level=info msg=\"{}\" {}\n", said.0, pairs(&said.1, "", ""))
    };
    let sentence = |said: &(&str, Value)| format!("INFO {} {}", said.0, pairs(&said.1, "", ""));
    let other = "{\"log\":\"listening on :8080\\n\",\"MESSAGE\":\"x\",\"message\":\"x\"}\n";
    check(
        "docker",
        &lines(
            |said| json!({"log": json(said), "stream": "stdout"}).to_string(),
            other,
        ),
    );
    check(
        "docker-logfmt",
        &lines(|said| json!({"log": logfmt(said)}).to_string(), other),
    );
    check(
        "journald",
        &lines(
            |said| json!({"MESSAGE": sentence(said), "_PID": "7"}).to_string(),
            other,
        ),
    );
}

#[test]
fn records_in_arrays() {
    let texts = || {
        said()
            .iter()
            .map(|said| object(said).to_string())
            .collect::<Vec<_>>()
    };
    let events: Vec<_> = texts()
        .iter()
        .map(|t| json!({"id": "1", "message": t}))
        .collect();
    check(
        "cloudwatch",
        &json!({"events": events, "searchedLogStreams": []}).to_string(),
    );
    check(
        "subscription",
        &json!({"owner": "123456789012", "logEvents": events}).to_string(),
    );
    let hits: Vec<_> = said()
        .iter()
        .map(|s| json!({"_index": "a", "_source": object(s)}))
        .collect();
    check(
        "search",
        &json!({"took": 3, "hits": {"total": {"value": 6}, "hits": hits}}).to_string(),
    );
    let values: Vec<_> = texts().iter().map(|t| json!(["1932000000", t])).collect();
    let stream = json!({"stream": {"app": "x"}, "values": values});
    check("loki", &json!({"data": {"result": [stream]}}).to_string());
}

#[test]
fn colours_of_a_terminal() {
    let line = |said: &(&str, Value)| {
        let pairs = pairs(&said.1, "\u{1b}[36m", "\u{1b}[0m");
        format!(
            "\u{1b}[90m8:00AM\u{1b}[0m \u{1b}[32mINF\u{1b}[0m \u{1b}[1m{:<32}\u{1b}[0m {pairs}",
            said.0
        )
    };
    check(
        "coloured",
        &lines(line, "\u{1b}[90m8:00AM\u{1b}[0m INF listening\n"),
    );
    let line = |said: &(&str, Value)| format!("\u{1b}[2m{}\u{1b}[0m", object(said));
    check("coloured-json", &lines(line, "{}\n"));
}

#[test]
fn names_in_quotes_and_texts_for_nothing() {
    let columns = [
        "lock", "owner", "lease", "token", "resource", "op", "highest", "msg",
    ];
    let line = |said: &(&str, Value)| {
        let object = object(said);
        let cells = columns.map(|name| match &object[name] {
            Value::Null => "\"-\"".to_owned(),
            Value::String(text) => format!("\"{text}\""),
            number => format!("\"{number}\""),
        });
        cells.join(";")
    };
    let header = columns.map(|name| format!("\"{name}\"")).join(";");
    check("columns", &format!("{header}\n{}", lines(line, "")));
    let line = |said: &(&str, Value)| {
        let mut object = object(said);
        for name in columns
            .into_iter()
            .filter(|name| said.1[name].is_null() && *name != "msg")
        {
            object[name] = json!("");
        }
        object.to_string()
    };
    check("empty", &lines(line, "{}\n"));
}

#[test]
fn dots_in_names_are_steps() {
    let line = |said: &(&str, Value)| {
        let renamed = said.1.as_object().unwrap().iter().map(|(name, value)| {
            let name = match name.as_str() {
                "lock" => "lock.name".to_owned(),
                "resource" => "resource.key".to_owned(),
                "op" | "highest" => name.clone(),
                other => format!("lock.{other}"),
            };
            (name, value.clone())
        });
        let fields = Value::Object(renamed.collect());
        format!("level=INFO msg=\"{}\" {}", said.0, pairs(&fields, "", ""))
    };
    check("slog", &lines(line, "level=INFO msg=ready addr=:8080\n"));
}

#[test]
fn evidence_that_was_printed_in_colours() {
    let line = "\u{1b}[32m{\"lockName\":\"a\",\"fenceToken\":\"x1\",\"result\":\"acquired\"}\u{1b}[0m\n\u{1b}[1mready\u{1b}[0m\n";
    let seen = read(&mut NativeJson, line.as_bytes());
    assert_eq!(seen.records, ["a acquire acquired"]);
    assert_eq!(seen.problems.len(), 1, "{seen:?}");
    assert_eq!((seen.rejects.len(), seen.others), (0, 1));
}

#[test]
fn a_truth_value_is_an_answer_and_a_fenced_write_is_none() {
    let log = "{\"lock\":\"a\",\"event\":\"write\",\"accepted\":true,\"msg\":\"fenced write\"}\n\
               {\"lock\":\"a\",\"event\":\"write\",\"accepted\":false,\"msg\":\"fenced write\"}\n";
    let toml = suggest(log).toml;
    assert!(toml.contains("path = 'accepted'"), "{toml}");
    assert!(!toml.contains("sentences"), "{toml}");
    let seen = read(&mut mapped("truth", &toml), log.as_bytes());
    assert_eq!(
        seen.records,
        ["a write accepted", "a write rejected-other"],
        "{toml}"
    );
}

#[test]
fn two_readings_in_one_text_are_split() {
    let log = "INFO write accepted lock=a token=2 highest=1->2\nINFO write accepted lock=a token=3 highest=2->3\n";
    let toml = suggest(log).toml;
    let seen = read(&mut mapped("split", &toml), log.as_bytes());
    assert_eq!(
        seen.records,
        [
            "a write accepted token=2 before=1 after=2",
            "a write accepted token=3 before=2 after=3"
        ],
        "{toml}"
    );
}

#[test]
fn a_key_that_speaks_of_a_lock_may_be_its_name() {
    let log = "{\"key\":\"lock:a\",\"worker\":\"w\",\"fence\":1,\"result\":\"acquired\",\"@version\":\"1\"}\n";
    let toml = suggest(log).toml;
    let seen = read(&mut mapped("key", &toml), log.as_bytes());
    assert_eq!(
        seen.records,
        ["lock:a acquire acquired owner=w token=1"],
        "{toml}"
    );
}

/// The version of a program or a format is the same under every lease, and no token.
#[test]
fn a_version_that_never_changes_is_no_token() {
    let line = |lease: &str| {
        format!(
            "{{\"lock\":\"a\",\"lease\":\"{lease}\",\"version\":3,\"@version\":\"1\",\"result\":\"acquired\"}}\n"
        )
    };
    let toml = suggest(&(line("l1") + &line("l2"))).toml;
    assert!(!toml.contains("fenceToken"), "{toml}");
}

#[test]
fn verbs_and_status_codes() {
    let log = "{\"lock\":\"a\",\"op\":\"unlock\",\"status\":200}\n{\"lock\":\"a\",\"op\":\"lock.acquired\",\"status\":503}\n";
    let toml = suggest(log).toml;
    let seen = read(&mut mapped("codes", &toml), log.as_bytes());
    assert_eq!(
        seen.records,
        ["a release released", "a acquire in-doubt"],
        "{toml}"
    );
}

#[test]
fn locks_that_come_late_in_a_busy_log() {
    let busy = "INFO request path=/healthz status=200 took=3ms\n".repeat(3000);
    let line = |said: &(&str, Value)| format!("INFO {} {}", said.0, pairs(&said.1, "", ""));
    check(
        "late",
        &(busy + &lines(line, "INFO request path=/ status=200\n")),
    );
}

#[test]
fn who_wrote_stands_around_the_records() {
    let frame = |who: &str, token: &str| {
        let value = |key: &str, value: &str| json!({"key": key, "value": {"stringValue": value}});
        let record = json!({"attributes": [value("lock.name", "a"), value("lock.epoch", token), value("outcome", "acquired")]});
        let resource =
            json!({"attributes": [value("service.name", "s"), value("service.instance.id", who)]});
        json!({"resourceLogs": [{"resource": resource, "scopeLogs": [{"logRecords": [record]}]}]})
            .to_string()
    };
    let log = frame("w1", "1") + "\n" + &frame("w2", "2") + "\n";
    let toml = suggest(&log).toml;
    let seen = read(&mut mapped("around", &toml), log.as_bytes());
    assert_eq!(
        seen.records,
        [
            "a acquire acquired owner=w1 token=1",
            "a acquire acquired owner=w2 token=2"
        ],
        "{toml}"
    );
}

#[test]
fn pairs_between_commas_and_brackets() {
    let line = |said: &(&str, Value)| {
        let pairs = pairs(&said.1, "", "").replace(' ', ", ");
        format!(
            "08:00:00,410 INFO [pool-1] c.e.Guard - {} [{pairs}]",
            said.0
        )
    };
    check(
        "brackets",
        &lines(
            line,
            "08:00:00 INFO [pool-1] c.e.Http - GET /healthz (status=200, took=3ms)\n",
        ),
    );
    let line = |said: &(&str, Value)| {
        let pairs = pairs(&said.1, "", "").replace(' ', ", ");
        format!("08:00:00,410 INFO [pool-1] c.e.Guard - {}: {pairs}", said.0)
    };
    check(
        "commas",
        &lines(line, "08:00:00 INFO [pool-1] c.e.Http - ready\n"),
    );
}
