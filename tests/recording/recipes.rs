//! The recipes for Redis, PostgreSQL and etcd, each against its server.

use std::path::Path;

use crate::page;
use crate::servers::Server;
use crate::tool::{classify, listing, project, read, run};

/// Stages, and holds the incidents and the page to what came out.
fn staged(name: &'static str) -> Option<tempfile::TempDir> {
    let server = Server::start(name)?;
    let directory = server.stage();
    let evidence = evidence(directory.path(), "evidence");
    let expected = read(project(&format!("tests/recording/{name}.expected")));
    assert_eq!(listing(&classify(&evidence)), expected, "{evidence}");
    page::shows_only(name, &evidence);
    Some(directory)
}

fn evidence(directory: &Path, name: &str) -> String {
    read(directory.join(name).with_extension("jsonl"))
}

#[test]
fn redis() {
    let Some(directory) = staged("redis") else {
        return;
    };
    page::table_of_fields(&evidence(directory.path(), "evidence"));

    // Authority and resource each with a counter of its own: each file proves what it can.
    let authority = evidence(directory.path(), "authority");
    let resource = evidence(directory.path(), "resource");
    page::shows_only("redis-apart", &(authority.clone() + &resource));
    assert_eq!(listing(&classify(&authority)), "");
    assert_eq!(
        listing(&classify(&resource)),
        "report:430  missing-fencing  both-accepted  proven  breached\n"
    );
    // In one input the two counters contradict each other, and no order is made up.
    let (together, complaints, _) = run(&(authority + &resource), &[]);
    assert_eq!(listing(&together), "");
    assert!(complaints.contains("Verdicts withheld"), "{complaints}");
}

#[test]
fn postgresql() {
    let Some(directory) = staged("postgresql") else {
        return;
    };
    // Where `seq` did not follow the decisions, writes would seem late that were not.
    let incidents = classify(&evidence(directory.path(), "contended"));
    assert!(!incidents.is_empty());
    for incident in &incidents {
        let [_, class, _, status, outcome] = incident.each_ref().map(String::as_str);
        assert_eq!(
            (class, status, outcome),
            ("stale-owner", "proven", "guarded"),
            "{incident:?}"
        );
    }
}

#[test]
fn etcd() {
    staged("etcd");
}
