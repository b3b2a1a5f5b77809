//! What is wrong with the input: shown, counted, and kept.

use std::fs;

use super::{STORY, run, text};

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
fn of_complaints_beyond_a_screenful_the_lines_are_told() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in.log");
    fs::write(&input, "{\"lockName\":\n".repeat(25)).unwrap();
    let output = run(&["classify", &input.display().to_string()]);
    assert_eq!(output.status.code(), Some(3));
    let stderr = text(&output.stderr);
    assert_eq!(stderr.matches("broken JSON").count(), 20);
    let told = format!(
        "and 5 more of these, in {}: 21-25; --rejects",
        input.display()
    );
    assert!(stderr.contains(&told), "{stderr}");
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
fn any_finding_of_lint_is_a_note_or_louder() {
    // One note is all that there is to find.
    for (threshold, code) in [("any", 1), ("note", 1), ("warning", 0), ("never", 0)] {
        let output = run(&["lint", "-q", "--fail-on", threshold, STORY]);
        assert_eq!(output.status.code(), Some(code), "{threshold}");
    }
}
