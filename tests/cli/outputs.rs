//! Where results go: files, standard output, pipes that close, disks that are full.

use std::fs;
use std::io::Write;
use std::path::Path;

use super::{STORY, lockdiag, piped, run, text};

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
