//! The command line as its users meet it: transcripts, outputs, pipes, full disks.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .env("LC_ALL", "C")
        .env("NO_COLOR", "1")
        .env("COLUMNS", "100")
        .case("tests/cli/*.trycmd");
}

const STORY: &str = "tests/cli/data/report-417.jsonl";

fn lockdiag(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lockdiag"));
    command.args(arguments).env("LC_ALL", "C");
    command
}

fn run(arguments: &[&str]) -> Output {
    lockdiag(arguments).output().unwrap()
}

fn piped(arguments: &[&str]) -> Child {
    lockdiag(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn one_pass_writes_every_output() {
    let dir = tempfile::tempdir().unwrap();
    let mut arguments = vec!["classify".to_owned(), STORY.to_owned(), "-q".to_owned()];
    let names = [
        ("a.txt", "text"),
        ("a.jsonl", "jsonl"),
        ("a.ndjson", "jsonl"),
        ("a.json", "json"),
        ("a.csv", "csv"),
        ("a.sarif", "sarif"),
        ("a.xml", "junit"),
        ("a.log", "github"),
    ];
    for (name, format) in names {
        let path = dir.path().join(name).display().to_string();
        let prefix = if format == "github" { "github=" } else { "" };
        arguments.extend(["-o".to_owned(), format!("{prefix}{path}")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = run(&arguments);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "");
    for (name, format) in names {
        let alone = run(&["classify", STORY, "-q", "--format", format]);
        let file = fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!(file, text(&alone.stdout), "{name}");
    }
}

#[test]
fn standard_output_is_one_more_output() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.json").display().to_string();
    let output = run(&["classify", STORY, "-q", "-o", &path, "-o", "jsonl=-"]);
    let alone = run(&["classify", STORY, "-q", "--format", "jsonl"]);
    assert_eq!(output.stdout, alone.stdout);
    assert!(Path::new(&path).exists());
}

#[test]
fn a_run_that_fails_leaves_an_earlier_result_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.json");
    fs::write(&path, "earlier").unwrap();
    let name = path.display().to_string();
    let output = run(&[
        "classify",
        "--strict",
        "tests/cli/data/damaged.log",
        "-o",
        &name,
    ]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(fs::read_to_string(&path).unwrap(), "earlier");
}

#[test]
fn rejects_are_kept_byte_for_byte() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).display().to_string();
    let good = fs::read(STORY).unwrap();
    let bad: [&[u8]; 6] = [
        b"{\"lockName\":\"\xff\",\"result\":\"ok\"}\n",
        b"{\"lockName\":\"a\",\"event\":\"write\",\"result\":\"acepted\"}\t \r\n",
        b" \t {\"lockName\": broken  \r\n",
        b"\xef\xbb\xbf{\"lockName\":\r\n",
        b"{\n  \"lockName\": \"a\",\n  \"event\": 7\n}\n",
        b"{\"lockName\":",
    ];
    let mut log = Vec::new();
    for line in bad {
        log.extend_from_slice(&good);
        log.extend_from_slice(line);
    }
    fs::write(path("1.log"), log).unwrap();
    // What would run together is kept apart, and an open array is nobody's line.
    fs::write(
        path("2.log"),
        b"[{\"lockName\":\"a\"},\n {\"lockName\":\"b\"}",
    )
    .unwrap();
    let apart = b"\n{\"lockName\":\"a\"}\n {\"lockName\":\"b\"}";
    let expected = [&bad.concat(), &apart[..]].concat();
    for command in ["classify", "report", "lint"] {
        let output = run(&[
            command,
            &path("1.log"),
            &path("2.log"),
            "--rejects",
            &path("kept"),
        ]);
        assert!(matches!(output.status.code(), Some(0 | 1)));
        let kept = fs::read(path("kept")).unwrap();
        assert_eq!(
            kept.escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
    }
}

#[test]
fn a_run_that_stops_early_keeps_whole_lines() {
    let dir = tempfile::tempdir().unwrap();
    let (log, rejects) = (dir.path().join("log"), dir.path().join("rejects"));
    fs::write(&log, "{\"lockName\": \n").unwrap();
    let output = run(&[
        "classify",
        log.to_str().unwrap(),
        "--strict",
        "--rejects",
        rejects.to_str().unwrap(),
    ]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(fs::read(&rejects).unwrap(), b"{\"lockName\": \n");
}

#[cfg(unix)]
#[test]
fn an_input_is_not_written_over_under_another_name() {
    let dir = tempfile::tempdir().unwrap();
    let (log, link) = (dir.path().join("log"), dir.path().join("link"));
    fs::copy(STORY, &log).unwrap();
    fs::hard_link(&log, &link).unwrap();
    let before = fs::read(&log).unwrap();
    let (log, target) = (
        log.to_str().unwrap(),
        format!("json={}", link.to_str().unwrap()),
    );
    let named = run(&["classify", log, "-o", &target]);
    let piped = lockdiag(&["classify", "-o", &target])
        .stdin(fs::File::open(log).unwrap())
        .output()
        .unwrap();
    for (output, name) in [(named, log), (piped, "<stdin>")] {
        assert_eq!(output.status.code(), Some(2));
        let said = format!("error: {name}: is an input, and would be written over\n");
        assert_eq!(text(&output.stderr), said);
    }
    assert_eq!(fs::read(log).unwrap(), before);
}

#[test]
fn complaints_beyond_a_screenful_are_counted() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in.log");
    fs::write(&input, "{\"lockName\":\n".repeat(25)).unwrap();
    let output = run(&["classify", &input.display().to_string()]);
    assert_eq!(output.status.code(), Some(3));
    let stderr = text(&output.stderr);
    assert_eq!(stderr.matches("broken JSON").count(), 20);
    assert!(stderr.contains("and 5 more of these"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_once() {
    for target in [["--format", "json"], ["-o", "json=/dev/full"]] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = lockdiag(&["classify", STORY, "-q", target[0], target[1]])
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{target:?}");
        let stderr = text(&output.stderr);
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains("cannot be written"), "{stderr}");
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for format in ["text", "jsonl", "json", "csv", "sarif", "github", "junit"] {
        let mut child = piped(&["classify", "-q", "--fail-on", "any", "--format", format]);
        drop(child.stdout.take());
        let story = fs::read(STORY).unwrap();
        child.stdin.take().unwrap().write_all(&story).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}");
        assert_eq!(text(&output.stderr), "", "{format}");
    }
}

#[test]
fn an_input_that_ends_too_early_is_judged_and_fails() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("a.gz");
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    packed.write_all(&fs::read(STORY).unwrap()).unwrap();
    let packed = packed.finish().unwrap();
    fs::write(&input, &packed[..packed.len() - 12]).unwrap();
    let output = run(&[
        "classify",
        "--format",
        "jsonl",
        &input.display().to_string(),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stdout).contains("write-refused"));
    assert!(text(&output.stderr).contains("error: "));
}

const TAKEN_OVER: [&str; 4] = [
    r#"{"event":"acquire","lockName":"L","ownerId":"A","leaseId":"l1","fenceToken":1,"result":"acquired"}"#,
    r#"{"event":"acquire","lockName":"L","ownerId":"B","leaseId":"l2","fenceToken":2,"result":"acquired"}"#,
    r#"{"event":"release","lockName":"L","ownerId":"A","leaseId":"l1","fenceToken":1,"result":"released"}"#,
    r#"{"event":"release","lockName":"L","ownerId":"B","leaseId":"l2","fenceToken":2,"result":"release-noop"}"#,
];

/// Reads up to the first line that holds `word`, while the input stays open.
fn read_to(out: &mut impl BufRead, word: &str) -> String {
    let mut line = String::new();
    while !line.contains(word) {
        line.clear();
        assert_ne!(out.read_line(&mut line).unwrap(), 0, "no {word}");
    }
    line
}

#[test]
fn following_tells_at_once_and_again_on_a_change() {
    let mut child = piped(&["classify", "--follow", "--format", "jsonl"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in &TAKEN_OVER[..3] {
        writeln!(stdin, "{line}").unwrap();
    }
    let first = read_to(&mut stdout, "removed-other-lease");
    assert!(first.contains("\"outcome\":\"unknown\""));
    writeln!(stdin, "{}", TAKEN_OVER[3]).unwrap();
    let second = read_to(&mut stdout, "removed-other-lease");
    assert!(second.contains("\"outcome\":\"breached\""));
    drop(stdin);
    let mut rest = String::new();
    stdout.read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn following_in_text_says_what_changed() {
    let mut child = piped(&["classify", "--follow"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in &TAKEN_OVER[..3] {
        writeln!(stdin, "{line}").unwrap();
    }
    read_to(&mut stdout, "removed-other-lease");
    writeln!(stdin, "{}", TAKEN_OVER[3]).unwrap();
    let now = read_to(&mut stdout, "Now ");
    assert!(now.contains("suspected, breached; told before as suspected, unknown"));
    drop(stdin);
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn following_takes_back_what_later_records_explain() {
    let mut child = piped(&["classify", "--follow"]);
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for line in &TAKEN_OVER[..3] {
        writeln!(stdin, "{line}").unwrap();
    }
    read_to(&mut stdout, "removed-other-lease");
    // The lease lived on, so the release removed nothing.
    let renewed = r#"{"event":"renew","lockName":"L","ownerId":"B","leaseId":"l2","fenceToken":2,"result":"renewed"}"#;
    writeln!(stdin, "{renewed}").unwrap();
    drop(stdin);
    read_to(&mut stdout, "Withdrawn");
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(0));
}

#[test]
fn following_ends_with_what_a_whole_run_says() {
    let whole = run(&["classify", "-q", "--format", "json", STORY]);
    let whole: serde_json::Value = serde_json::from_slice(&whole.stdout).unwrap();
    let followed = run(&["classify", "-q", "--follow", "--format", "jsonl", STORY]);
    let count = whole["incidents"].as_array().unwrap().len();
    assert_eq!(text(&followed.stdout).lines().count(), count);
}

#[test]
fn the_locale_and_the_option_choose_the_language() {
    let said = |arguments: &[&str], locale: &str| {
        let output = lockdiag(arguments).env("LC_ALL", locale).output().unwrap();
        text(&output.stdout)
    };
    let english = said(&["explain", "guarded"], "C");
    let russian = said(&["explain", "guarded"], "ru_RU.UTF-8");
    assert_ne!(english, russian);
    assert_eq!(said(&["explain", "guarded"], "de_DE.UTF-8"), english);
    assert_eq!(said(&["explain", "guarded", "--lang", "ru"], "C"), russian);
    assert_eq!(
        said(&["explain", "guarded", "--lang", "en"], "ru_RU.UTF-8"),
        english
    );
}

#[test]
fn colour_obeys_the_user() {
    let colored = |arguments: &[&str], variable: Option<&str>| {
        let mut command = lockdiag(arguments);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
        if let Some(name) = variable {
            command.env(name, "1");
        }
        text(&command.output().unwrap().stdout).contains('\u{1b}')
    };
    let auto = ["classify", STORY];
    assert!(!colored(&auto, None));
    assert!(colored(&auto, Some("CLICOLOR_FORCE")));
    assert!(colored(
        &["classify", STORY, "--color", "always"],
        Some("NO_COLOR")
    ));
    assert!(!colored(
        &["classify", STORY, "--color", "never"],
        Some("CLICOLOR_FORCE")
    ));
    assert!(!colored(
        &["classify", STORY, "--format", "json", "--color", "always"],
        None
    ));
}

#[test]
fn shells_and_man_are_served() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = run(&["completions", shell]);
        assert_eq!(output.status.code(), Some(0));
        assert!(text(&output.stdout).contains("fail-on"), "{shell}");
    }
    for (arguments, title) in [
        (vec!["man"], "lockdiag"),
        (vec!["man", "classify"], "lockdiag-classify"),
    ] {
        let page = text(&run(&arguments).stdout);
        assert!(page.contains(&format!(".TH {title} ")), "{page}");
    }
}

#[test]
fn help_and_version_are_written_or_told() {
    for arguments in [
        &["--help"][..],
        &["classify", "--help"],
        &["--version"],
        &["help", "map"],
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = lockdiag(arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let stderr = text(&output.stderr);
        assert!(stderr.starts_with("error: standard output: "), "{stderr}");
        let mut child = piped(arguments);
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        // What fits into the pipe may have been written before it was closed.
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
fn help_and_wrong_usage_have_the_colours_that_were_asked_for() {
    for (arguments, color, expected) in [
        (&["--help"][..], "always", true),
        (&["lint", "--help"], "always", true),
        (&["lint", "--help"], "never", false),
        (&["classify", "--folow"], "always", true),
        (&["classify", "--folow"], "never", false),
        (&["map"], "always", true),
    ] {
        let output = lockdiag(arguments)
            .args(["--color", color])
            .env_remove("NO_COLOR")
            .env("CLICOLOR_FORCE", "1")
            .output()
            .unwrap();
        let both = [output.stdout, output.stderr].concat();
        assert_eq!(both.contains(&b'\x1b'), expected, "{arguments:?} {color}");
    }
    let output = lockdiag(&["--help"])
        .env_remove("NO_COLOR")
        .env("CLICOLOR_FORCE", "0")
        .output()
        .unwrap();
    assert!(!output.stdout.contains(&b'\x1b'));
}

#[test]
fn any_finding_of_lint_is_a_note_or_louder() {
    // One note is all that there is to find.
    for (threshold, code) in [("any", 1), ("note", 1), ("warning", 0), ("never", 0)] {
        let output = run(&["lint", "-q", "--fail-on", threshold, STORY]);
        assert_eq!(output.status.code(), Some(code), "{threshold}");
    }
}

#[test]
fn without_evidence_machine_formats_say_so_and_no_report_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.json");
    let name = path.display().to_string();
    let empty = "tests/cli/data/empty.jsonl";
    for (command, counts) in [("classify", "\"records\":0"), ("lint", "rejectedLines")] {
        fs::write(&path, "earlier").unwrap();
        let output = run(&[command, empty, "-o", &name, "-o", "json=-"]);
        assert_eq!(output.status.code(), Some(3), "{command}");
        assert!(text(&output.stdout).contains(counts), "{command}");
        let written = fs::read_to_string(&path).unwrap();
        assert_eq!(written, text(&output.stdout), "{command}");
    }
    fs::write(&path, "earlier").unwrap();
    let output = run(&["report", empty, "-o", &name, "-o", "json=-"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(fs::read_to_string(&path).unwrap(), "earlier");
}

#[test]
fn every_command_counts_the_same_lines_as_rejected() {
    let dir = tempfile::tempdir().unwrap();
    let kept = dir.path().join("kept").display().to_string();
    for input in ["tests/cli/data/damaged.log", "tests/cli/data/service.jsonl"] {
        let count = |command: &str| {
            let output = run(&[command, input, "--format", "json", "--rejects", &kept]);
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let place = ["/summary/rejectedLines", "/summary/counts/rejectedLines"];
            let found = place.iter().find_map(|place| document.pointer(place));
            let lines = fs::read_to_string(&kept).unwrap().lines().count() as u64;
            (found.and_then(serde_json::Value::as_u64), lines)
        };
        let lint = count("lint");
        assert_eq!(lint.0, Some(lint.1), "{input}");
        assert!(lint.1 > 0, "{input}");
        assert_eq!(count("classify"), lint, "{input}");
        let whole = text(&run(&["report", input, "--format", "json"]).stdout);
        assert!(
            whole.contains(&format!("\"rejectedLines\":{}", lint.1)),
            "{input}"
        );
    }
}

#[test]
fn an_explained_mapping_goes_where_it_was_sent() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.txt").display().to_string();
    let input = [
        "--map",
        "tests/cli/data/mixed.toml",
        "tests/cli/data/mixed.log",
    ];
    let explain = ["lint", "--explain-mapping"];
    let output = run(&[&explain[..], &input, &["-o", &path]].concat());
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stdout), "");
    let shown = run(&[&["map", "explain"], &input[..]].concat());
    assert_eq!(fs::read(&path).unwrap(), shown.stdout);
}

#[test]
fn every_preset_is_explained() {
    for entry in fs::read_dir("tests/mapping/systems").unwrap() {
        let path = entry.unwrap().path().display().to_string();
        let preset = path.split('.').nth(1).unwrap();
        let output = run(&["map", "explain", "--preset", preset, "--first", "0", &path]);
        let classified = run(&["classify", "--format", "json", "--preset", preset, &path]);
        assert_eq!(output.status.code(), classified.status.code(), "{path}");
        let shown = text(&output.stdout);
        let number = |label: &str| -> u64 {
            let line = shown
                .lines()
                .find_map(|line| line.trim().strip_prefix(label));
            let number = line.and_then(|rest| rest.split_whitespace().next());
            number
                .unwrap_or_else(|| panic!("{path}: {shown}"))
                .parse()
                .unwrap()
        };
        let records = number("evidence records:");
        if let Ok(document) = serde_json::from_slice::<serde_json::Value>(&classified.stdout) {
            let summary = &document["summary"];
            assert_eq!(summary["records"], records, "{path}");
            assert_eq!(
                summary["rejectedLines"],
                number("could not be read:"),
                "{path}"
            );
        } else {
            assert_eq!(records, 0, "{path}");
        }
        // No more values than there are results.
        let rest = number("other lines:") + number("could not be read:");
        assert!(number("In all") <= records + rest + 1, "{path}: {shown}");
    }
}
