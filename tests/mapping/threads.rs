//! Mapped logs of several blocks say the same on any number of threads: verdicts, complaints
//! and their places, rejected lines.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::process::Command;
use std::sync::Arc;

use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::mapping::{Mapping, Preset, Reading};
use lockdiag::ingest::{Dialect, Framing, Output, ReadOptions, Rejected, Sink, Source, read};

use super::support::line as fields;

/// A log takes at least this much, several blocks of reading.
const SIZE: usize = 3 * 512 * 1024;

/// One step of a lock: what a line is made of.
struct Step {
    n: usize,
    lock: usize,
    token: usize,
    write: bool,
    late: bool,
}

/// A log of steps, with lines now and then that are something else, and one line that is
/// longer than a block.
fn log(header: &str, line: impl Fn(&Step) -> String, broken: &[&str], long: &str) -> String {
    let mut log = header.to_owned();
    let mut n = 0;
    let mut last = 0;
    while log.len() < SIZE {
        let (lock, round) = (n % 7, n / 7);
        let late = round % 50 == 49;
        let step = Step {
            n,
            lock,
            token: round / 2 + 1 - usize::from(late),
            write: round % 2 == 1,
            late,
        };
        log.push_str(&line(&step));
        log.push('\n');
        if n % 211 == 0 {
            log.push_str(broken[n / 211 % broken.len()]);
            log.push('\n');
        }
        if log.len() / (700 * 1024) > last {
            last = log.len() / (700 * 1024);
            log.push_str(&long.replace('#', &"x".repeat(600 * 1024)));
            log.push('\n');
        }
        n += 1;
    }
    // The last line has no end.
    log.push_str(&line(&Step {
        n,
        lock: 1,
        token: n,
        write: false,
        late: false,
    }));
    log
}

fn outcome(step: &Step) -> &'static str {
    match (step.write, step.late) {
        (false, _) => "granted",
        (true, false) => "applied",
        (true, true) => "fenced",
    }
}

fn json(step: &Step) -> String {
    let Step { n, lock, token, .. } = step;
    let outcome = outcome(step);
    // Some lines have their members in another order, or an escape, or a name twice.
    match n % 23 {
        7 => format!(
            r#"{{"outcome":"{outcome}","epoch":{token},"at":{{"n":{n}}},"lock":"l{lock}","res":"r"}}"#
        ),
        11 => format!(
            r#"{{"lock":"l{lock}","who":{{"id":"w\u0061{n}"}},"epoch":{token},"outcome":"{outcome}","res":"r"}}"#
        ),
        13 => format!(
            r#"{{"lock":"l{lock}","epoch":{token},"outcome":"{outcome}","lock":"l{lock}"}}"#
        ),
        17 => format!(r#"{{"lock":"l{lock}","epoch":"x{token}","outcome":"{outcome}","res":"r"}}"#),
        _ => format!(
            r#"{{"level":"info","lock":"l{lock}","who":{{"id":"w{n}"}},"epoch":{token},"at":{{"n":{n}}},"outcome":"{outcome}","res":"r"}}"#
        ),
    }
}

fn text(step: &Step) -> String {
    let Step { n, lock, token, .. } = step;
    let (outcome, who) = (outcome(step), if n % 31 == 0 { "é" } else { "w" });
    format!("12:00:00 INFO {outcome} lock=l{lock} owner={who}{n} token={token} seq={n} res=r")
}

const JSON: &str = r#"
[fields]
lockName = "lock"
ownerId = "who.id"
fenceToken = "epoch"
seq = "at.n"
resourceKey = "res"
result = { path = "outcome", words = { granted = "acquired", applied = "accepted", fenced = "rejected-stale-fence" } }
"#;
const TEXT: &str = r#"
format = "text"
[fields]
lockName = "rest.@logfmt.lock"
[[shape]]
name = "grant"
pattern = '^\S+ INFO granted (?<rest>.*) owner=(?<ownerId>\S+) token=(?<fenceToken>\S+) seq=(?<seq>\d+)'
fields.result = { value = "acquired" }
[[shape]]
name = "write"
pattern = 'INFO (?<what>applied|fenced) (?<rest>lock=(?<name>\w+)) owner=(?<ownerId>\S+) token=(?<fenceToken>\S+) seq=(?<seq>\d+) res=(?<resourceKey>\S+)$'
fields.result = { path = "what", words = { applied = "accepted", fenced = "rejected-stale-fence" } }
"#;
const LOGFMT: &str = r#"
format = "logfmt"
[fields]
lockName = "lock"
ownerId = "owner"
fenceToken = "token"
seq = "seq"
resourceKey = "res"
result = { path = "did", words = { granted = "acquired", applied = "accepted", fenced = "rejected-stale-fence" } }
"#;
const CSV: &str = r#"
format = "csv"
[fields]
lockName = "lock"
fenceToken = "token"
seq = "n"
resourceKey = "res"
result = { path = "did", words = { granted = "acquired", applied = "accepted", fenced = "rejected-stale-fence" } }
"#;

/// Names, readings (a mapping, or the name of a preset) and logs.
fn cases() -> Vec<(&'static str, &'static str, String)> {
    let csv = |s: &Step| {
        let note = if s.n.is_multiple_of(19) {
            "\"two\nlines\""
        } else {
            "one"
        };
        let (lock, token, n) = (s.lock, s.token, s.n);
        format!("l{lock},{token},{n},r,{},{note}", outcome(s))
    };
    let etcd = |s: &Step| {
        let (kind, key, n) = (["0", "1"][s.n % 2], s.lock, s.n + 2);
        format!(
            r#"{{"Header":{{"revision":{n}}},"Events":[{{"type":{kind},"kv":{{"key":"L2xvY2tzL{key}RA","create_revision":{n},"mod_revision":{n},"version":1,"value":"d29ya2VyLUE=","lease":{n}}}}}]}}"#
        )
    };
    let logfmt = |s: &Step| {
        let Step { n, lock, token, .. } = s;
        format!(
            "time=1 msg=\"lock step\" did={} lock=l{lock} owner=\"w{n}\" token={token} seq={n} res=r",
            outcome(s)
        )
    };
    vec![
        (
            "JSON",
            JSON,
            log(
                "",
                json,
                &[
                    r#"{"lock":"l1","epoch":"#,
                    r#"{"lock":"l1","epoch":1,"outcome":"tentative"}"#,
                    "plain words",
                    r#"{"lock":"l1"} {"#,
                    "{\n  \"lock\": \"l2\",\n  \"outcome\": \"granted\"\n}",
                ],
                r##"{"lock":"l3","outcome":"granted","note":"#"}"##,
            ),
        ),
        (
            "text",
            TEXT,
            log(
                "",
                text,
                &[
                    "12:00:00 INFO granted nothing owner=w token=1 seq=1",
                    "ready",
                    "",
                    "12:00:00 INFO granted lock=l1 owner=w token=4.5 seq=1",
                ],
                "12:00:00 INFO granted lock=l3 note=# owner=w token=1 seq=1",
            ),
        ),
        (
            "logfmt",
            LOGFMT,
            log(
                "",
                logfmt,
                &[
                    "lock=l1 did=wavered",
                    "words only",
                    "lock=l1 did=granted token=-4",
                ],
                "lock=l3 did=granted note=#",
            ),
        ),
        (
            "CSV",
            CSV,
            log(
                "lock,token,n,res,did,note\n",
                csv,
                &["l1,x,,,granted,", ",,,,,", "l1,1,1,r,wavered,\"a,b\""],
                "l3,1,,,granted,\"#\"",
            ),
        ),
        (
            "etcd-watch",
            "",
            log(
                "",
                etcd,
                &[r#"{"Header":{"revision":1},"Events":[{"#, "connected"],
                r##"{"Header":{"note":"#"},"Events":[]}"##,
            ),
        ),
    ]
}

fn reading(name: &str, mapping: &str) -> Reading {
    match Preset::from_name(name) {
        Ok(preset) => Reading::Preset(preset),
        Err(_) => Reading::Mapped(Arc::new(Mapping::parse(name, mapping).unwrap())),
    }
}

/// Writes down all that is read.
#[derive(Default)]
struct Log(String);

impl Sink for Log {
    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        let _ = writeln!(self.0, "{}: {}", place.line, fields(record));
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        for l in rejected.problems {
            let (used, excerpt, problem) = (rejected.used, &l.excerpt, &l.problem);
            let _ = writeln!(
                self.0,
                "{}:{} {used} {:?} {excerpt} {problem:?}",
                l.line, l.column, l.mark
            );
        }
        ControlFlow::Continue(())
    }
}

/// Reads every frame as if it were the first.
struct Fresh(Reading);

impl Dialect for Fresh {
    fn framing(&self) -> Framing {
        self.0.dialect().framing()
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        self.0.dialect().read(frame, output);
    }
}

#[test]
fn records_and_problems_are_the_same_on_any_number_of_threads() {
    for (name, mapping, log) in cases() {
        let reading = reading(name, mapping);
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log");
        std::fs::write(&path, &log).unwrap();
        let mut first = None;
        if matches!(name, "JSON" | "logfmt") {
            // Where no line needs another: each by a reader that has seen none.
            let mut seen = Log::default();
            let source = Source::file(&path).read_by(Box::new(Fresh(reading.clone())));
            read(vec![source], &ReadOptions::default(), &mut seen).unwrap();
            first = Some(seen.0);
        }
        for threads in [1, 2, 4] {
            let mut options = ReadOptions::default();
            options.threads = threads;
            let mut seen = Log::default();
            let source = Source::file(&path).read_by(reading.dialect());
            let counts = read(vec![source], &options, &mut seen).unwrap();
            assert!(counts.total.records > 1000, "{name}: {counts:?}");
            assert!(
                counts.total.rejected + counts.total.flawed > 5,
                "{name}: {counts:?}"
            );
            let first = first.get_or_insert_with(|| seen.0.clone());
            for (a, b) in first.lines().zip(seen.0.lines()) {
                assert_eq!(a, b, "{name} on {threads} threads");
            }
            assert_eq!(first.len(), seen.0.len(), "{name} on {threads} threads");
        }
    }
}

#[test]
fn classify_says_the_same_on_any_number_of_threads() {
    for (name, mapping, log) in cases() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("app.log"), &log).unwrap();
        std::fs::write(path("my.toml"), mapping).unwrap();
        let way: [&str; 2] = if mapping.is_empty() {
            ["--preset", name]
        } else {
            ["--map", "my.toml"]
        };
        let mut first = None;
        for threads in ["1", "2", "4"] {
            let run = Command::new(env!("CARGO_BIN_EXE_lockdiag"))
                .current_dir(directory.path())
                .args(["classify", "--format", "jsonl", "--rejects", "rejects"])
                .args(["--threads", threads])
                .args(way)
                .arg("app.log")
                .output()
                .unwrap();
            let rejects = std::fs::read(path("rejects")).unwrap();
            std::fs::remove_file(path("rejects")).unwrap();
            assert!(matches!(run.status.code(), Some(0 | 1)), "{name}: {run:?}");
            let all = [run.stdout, run.stderr, rejects].map(|b| String::from_utf8(b).unwrap());
            assert!(!all[2].is_empty(), "{name}");
            let first = first.get_or_insert_with(|| all.clone());
            assert!(*first == all, "{name} on {threads} threads");
        }
        if let Some([incidents, ..]) = &first
            && name != "etcd-watch"
        {
            assert!(incidents.contains("stale-owner"), "{name}: {incidents}");
        }
    }
}
