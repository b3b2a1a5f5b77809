//! Logs of real applications beside the logs of the real systems that they used.

use std::path::Path;

use serde_json::Value;

use super::events::classify;

/// The application's log and how it is read; the authority's, and what it writes before
/// the names of locks.
const PACKS: [(&str, &str, &str, &str, &str, &str); 7] = [
    (
        "60-applogs-python-stale-owner",
        "app-structlog.jsonl",
        "structlog",
        "monitor.txt",
        "redis-monitor",
        "lock:",
    ),
    (
        "61-applogs-python-missing-fencing",
        "app-structlog.jsonl",
        "structlog",
        "monitor.txt",
        "redis-monitor",
        "lock:",
    ),
    (
        "63-redis-node-redlock-pino-winston",
        "app-pino.jsonl",
        "pino",
        "monitor-1.txt",
        "redis-monitor",
        "lock:",
    ),
    (
        "20-etcd-lease-pg-fenced",
        "",
        "",
        "etcd-watch.jsonl",
        "etcd-watch",
        "/locks/",
    ),
    (
        "21-etcd-lease-pg-unfenced",
        "",
        "",
        "etcd-watch.jsonl",
        "etcd-watch",
        "/locks/",
    ),
    (
        "23-etcd-delete-by-key-unbound-release",
        "",
        "",
        "etcd-watch.jsonl",
        "etcd-watch",
        "/locks/",
    ),
    (
        "40-zk-kazoo-lock-fenced",
        "",
        "",
        "zookeeper-txnlog.txt",
        "zookeeper-txnlog",
        "/locks/",
    ),
];

/// What an incident says, without what it takes on trust.
fn verdict(incident: &Value) -> String {
    let fields = ["lockName", "class", "variant", "status", "occurrences"];
    fields.map(|field| incident[field].to_string()).join(" ")
}

#[test]
fn the_authority_beside_the_application_takes_nothing_away() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (pack, app, mapping, watched, preset, prefix) in PACKS {
        let data = format!("tests/observers/data/{pack}");
        let app = match app {
            "" => format!("tests/packs/{pack}/evidence.jsonl"),
            app => format!("{data}/{app}"),
        };
        let authority = format!("{data}/{watched}");
        let map = format!("samples/mappings/{mapping}.toml");
        let mapped: &[&str] = if mapping.is_empty() {
            &[]
        } else {
            &["--map", &map]
        };
        let alone = classify(root, &[&[app.as_str()][..], mapped].concat());
        assert!(!alone.is_empty(), "{pack}");
        for prefix in [prefix, "nothing:"] {
            let mut arguments = vec![
                format!("app={app}"),
                format!("authority={authority}"),
                format!("--preset=authority={preset}"),
                format!("--lock-prefix=authority={prefix}"),
            ];
            if !mapping.is_empty() {
                arguments.push(format!("--map=app={map}"));
            }
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            let together = classify(root, &arguments);
            let verdicts = |all: &[Value]| all.iter().map(verdict).collect::<Vec<_>>();
            assert_eq!(verdicts(&together), verdicts(&alone), "{pack} {prefix}");
        }
    }
}

/// The order in which etcd and ZooKeeper gave their leases shows that their tokens grow.
#[test]
fn the_authority_shows_what_the_application_took_on_trust() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (pack, _, _, watched, preset, prefix) in PACKS {
        let evidence = format!("tests/packs/{pack}/evidence.jsonl");
        let authority = format!("tests/observers/data/{pack}/{watched}");
        let trusts = |all: Vec<Value>| {
            let tokens = |one: &Value| one["assumes"].to_string().contains("ordered-tokens");
            all.iter()
                .filter(|one| one["status"] == "proven" && tokens(one))
                .count()
        };
        let alone = trusts(classify(root, &[&evidence]));
        let together = trusts(classify(
            root,
            &[
                &format!("app={evidence}"),
                &format!("authority={authority}"),
                &format!("--preset=authority={preset}"),
                &format!("--lock-prefix=authority={prefix}"),
            ],
        ));
        let numbered = preset != "redis-monitor";
        assert_eq!(together, if numbered { 0 } else { alone }, "{pack}");
    }
}
