//! Reports, from the command to the page.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::{Value, json};

fn lockdiag(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockdiag"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("SOURCE_DATE_EPOCH")
        .env_remove("LC_ALL")
        .output()
        .unwrap()
}

fn report(arguments: &[&str]) -> String {
    let mut all = vec!["report"];
    all.extend(arguments);
    let output = lockdiag(&all);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A file that shall hold this text; UPDATE_DOCS=1 writes it.
fn holds(path: &str, text: &str) {
    let file = root(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, text).unwrap();
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        known == text,
        "{path} is not what the tool writes; UPDATE_DOCS=1 renews it"
    );
}

const EXAMPLES: [&str; 5] = [
    "01-redis-redispy-stale-owner-fenced",
    "05-redis-naive-del-unbound-release",
    "15-redis-one-lock-two-keys",
    "24-etcd-value-compare-lexicographic",
    "73-pg-multi-mixed",
];

#[test]
fn the_examples_are_what_the_tool_writes() {
    for name in EXAMPLES {
        let input = format!("tests/packs/{name}/evidence.jsonl");
        for (language, format, ending) in [
            ("en", "markdown", "md"),
            ("en", "html", "html"),
            ("en", "json", "json"),
            ("en", "mermaid", "mmd"),
            ("ru", "markdown", "ru.md"),
            ("ru", "html", "ru.html"),
        ] {
            let text = report(&["--lang", language, "--format", format, &input]);
            holds(&format!("docs/examples/{name}.{ending}"), &text);
        }
    }
}

#[test]
fn the_example_templates_are_filled_as_shown() {
    let input = format!("tests/packs/{}/evidence.jsonl", EXAMPLES[0]);
    for (format, ending) in [("markdown", "md"), ("html", "html")] {
        let template = format!("docs/examples/templates/short.{ending}");
        let text = report(&[
            "--lang",
            "en",
            "--format",
            format,
            "--template",
            &template,
            &input,
        ]);
        holds(
            &format!("docs/examples/templates/short.filled.{ending}"),
            &text,
        );
    }
}

#[test]
fn the_json_fits_its_schema_in_every_language() {
    let schema: Value = serde_json::from_slice(&lockdiag(&["schema", "report"]).stdout).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    for name in EXAMPLES {
        let input = format!("tests/packs/{name}/evidence.jsonl");
        let english = report(&["--format", "json", "--lang", "en", &input]);
        let value: Value = serde_json::from_str(&english).unwrap();
        if let Err(error) = validator.validate(&value) {
            panic!("{name}: {error} at {}", error.instance_path());
        }
        let russian = report(&["--format", "json", "--lang", "ru", &input]);
        let mut other: Value = serde_json::from_str(&russian).unwrap();
        other["provenance"]["command"] = value["provenance"]["command"].clone();
        assert_eq!(value, other);
        // What a clock would say is not there unless somebody says it.
        assert_eq!(value["provenance"]["generated"], Value::Null);
    }
}

/// Names that try to be something else, wherever a name can stand.
const HOSTILE: [&str; 14] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</script><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "[click](javascript:alert(1)) ![x](https://evil.example/x.png)",
    "https://evil.example/ www.evil.example mail@evil.example",
    "a|b\\|c`d``e\n# heading\n\n- item\n```\n~~~",
    "\u{202e}gpj.exe\u{2066}\u{200b}\u{feff}",
    "{{ 7777 * 7777 }}{% raw %}",
    "end; participant X\n%%{init: {}}%%",
    "\u{fdd0}mark\u{fdd1}",
    "\u{1b}[31mred\u{7}",
    "",
    " `` ",
];

fn hostile() -> String {
    let mut lines = String::new();
    for (n, name) in HOSTILE.iter().enumerate() {
        let long = format!("{name}{}", "x".repeat(10_000));
        for name in [*name, long.as_str()] {
            let record = |owner: &str, token: u64, before: u64, result: &str, seq: u64| {
                let event = match result {
                    "acquired" => "acquire",
                    _ => "write",
                };
                let line = json!({
                    "lockName": format!("{n}{name}"), "ownerId": owner, "event": event,
                    "leaseId": format!("{name}{token}"), "fenceToken": token, "seq": seq,
                    "resourceKey": name, "operationId": name, "result": result,
                    "resourceHighestTokenBefore": before, "ts": name, "seqBy": "resource",
                });
                format!("{line}\n")
            };
            lines.push_str(&record(name, 1, 0, "acquired", 1));
            lines.push_str(&record(&format!("{name}!"), 2, 0, "acquired", 2));
            lines.push_str(&record(&format!("{name}!"), 2, 0, "accepted", 3));
            lines.push_str(&record(name, 1, 2, "accepted", 4));
            lines.push_str(&record(name, 1, 2, "rejected-stale-fence", 5));
        }
    }
    lines
}

#[test]
fn hostile_names_stay_names_in_html() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("hostile.jsonl");
    fs::write(&input, hostile()).unwrap();
    for language in ["en", "ru"] {
        let page = report(&[
            "--format",
            "html",
            "--lang",
            language,
            input.to_str().unwrap(),
        ]);
        assert!(page.len() <= 5 << 20, "{}", page.len());
        // The page itself has one script element, for data, and no handler or address.
        assert_eq!(page.matches("<script").count(), 1);
        assert_eq!(page.matches("</script").count(), 1);
        for tag in [
            "<img",
            "<svg onload",
            "<iframe",
            " onmouseover='",
            " onerror=alert",
        ] {
            let inside = page.replace("&lt;", "");
            assert!(
                !page.contains(tag) || !inside.contains(&format!("<{tag}")),
                "{tag}"
            );
        }
        assert!(!page.contains("<img"));
        for hidden in [
            '\u{202e}', '\u{2066}', '\u{200b}', '\u{feff}', '\u{1b}', '\u{7}',
        ] {
            assert!(!page.contains(hidden), "{hidden:?}");
        }
    }
}

#[test]
fn hostile_names_stay_names_in_markdown() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("hostile.jsonl");
    fs::write(&input, hostile()).unwrap();
    let text = report(&["--lang", "en", input.to_str().unwrap()]);
    use pulldown_cmark::{Event, Options, Parser, Tag};
    let mut tables = 0;
    for event in Parser::new_ext(&text, Options::all()) {
        match event {
            Event::Html(html) | Event::InlineHtml(html) => panic!("HTML: {html}"),
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                panic!("link: {dest_url}")
            }
            Event::Start(Tag::Table(_)) => tables += 1,
            Event::FootnoteReference(name) => panic!("footnote: {name}"),
            Event::InlineMath(math) | Event::DisplayMath(math) => panic!("math: {math}"),
            Event::Start(Tag::BlockQuote(_) | Tag::HtmlBlock) => panic!("a block was forged"),
            Event::Text(text) => {
                for word in ["evil.example", "alert(1)", "heading"] {
                    let strip =
                        text.contains('●') || text.contains('✗') || text.contains("acquired");
                    assert!(
                        strip || !text.contains(word),
                        "a name in running text: {text}"
                    );
                }
            }
            _ => {}
        }
    }
    assert!(tables > 20, "{tables}");
    // Headings are the tool's own.
    let forged = text.lines().filter(|line| *line == "# heading").count();
    assert_eq!(forged, 0);
}

#[test]
fn hostile_names_add_no_line_to_a_diagram() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("hostile.jsonl");
    fs::write(&input, hostile()).unwrap();
    let diagram = report(&[
        "--lang",
        "en",
        "--format",
        "mermaid",
        input.to_str().unwrap(),
    ]);
    for line in diagram.lines().skip(1) {
        let known = ["  participant p", "  Note ", "  p", "  %% "];
        assert!(known.iter().any(|start| line.starts_with(start)), "{line}");
        assert!(!line.contains("%%{"), "{line}");
    }
}

#[test]
fn a_template_cannot_let_a_name_through() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("hostile.jsonl");
    fs::write(&input, hostile()).unwrap();
    let template = dir.path().join("all.html");
    fs::write(
        &template,
        "{{ report }}{% for t in report.timelines %}{{ t.lockName }}{{ t.lockName | code }}{{ picture(loop.index0) }}{{ strip(loop.index0) }}{% endfor %}",
    )
    .unwrap();
    let (template, input) = (template.to_str().unwrap(), input.to_str().unwrap());
    let page = report(&["--format", "html", "--template", template, input]);
    assert!(!page.contains("<script") && !page.contains("<img"));
    assert!(!page.contains("60481729"), "a name was read as a template");
}

#[test]
fn a_broken_template_is_located() {
    let dir = tempfile::tempdir().unwrap();
    let template = dir.path().join("broken.md");
    let input = format!("tests/packs/{}/evidence.jsonl", EXAMPLES[0]);
    for (text, said) in [
        ("a\n{% for %}", ":2: "),
        ("{{ report.nothing }}", ":1: "),
        (
            "{% for a in range(10000) %}{% for b in range(10000) %}{% endfor %}{% endfor %}",
            "fuel",
        ),
    ] {
        fs::write(&template, text).unwrap();
        let output = lockdiag(&["report", "--template", template.to_str().unwrap(), &input]);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
    }
}

#[test]
fn redaction_leaves_no_name_and_is_the_same_in_every_format() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("secret-host/pack.jsonl");
    fs::create_dir(input.parent().unwrap()).unwrap();
    let record = |owner: &str, token: u64, before: u64, seq: u64| {
        let line = json!({
            "lockName": format!("report:{owner}:10.1.2.3"), "ownerId": owner,
            "leaseId": format!("secret-lease-{token}"), "fenceToken": token, "seq": seq,
            "seqBy": "resource", "resourceKey": "ana@mail.example", "result": "accepted",
            "event": "write", "resourceHighestTokenBefore": before,
            "operationId": format!("{owner}/secret-lease-{token}"),
        });
        format!("{line}\n")
    };
    let text = record("secret-worker", 2, 0, 1) + &record("secret-worker", 1, 2, 2);
    fs::write(&input, text).unwrap();
    let mut all = Vec::new();
    for format in ["markdown", "html", "json", "mermaid"] {
        let text = report(&[
            "--redact",
            "--lang",
            "en",
            "--format",
            format,
            input.to_str().unwrap(),
        ]);
        for secret in ["secret", "10.1.2.3", "ana@"] {
            assert!(!text.contains(secret), "{format}: {secret}");
        }
        assert!(text.contains("owner-1"), "{format}");
        all.push(text);
    }
    let model: Value = serde_json::from_str(&all[2]).unwrap();
    let counts = &model["provenance"]["redacted"];
    assert_eq!(counts["owners"], 1);
    assert_eq!(counts["leases"], 2);
    assert_eq!(counts["addresses"], 2);
    let lock = model["headlines"][0]["lockName"].as_str().unwrap();
    assert_eq!(lock, "report:owner-1:address-1");
    assert!(all[0].contains(lock) && all[1].contains(lock));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let input = format!("tests/packs/{}/evidence.jsonl", EXAMPLES[4]);
    for format in ["markdown", "html", "json", "mermaid"] {
        let once = report(&["--format", format, "--now", "2027-01-31T12:00:00Z", &input]);
        assert_eq!(
            once,
            report(&["--format", format, "--now", "2027-01-31T12:00:00Z", &input])
        );
        assert!(format == "mermaid" || once.contains("2027-01-31T12:00:00Z"));
    }
    let epoch = Command::new(env!("CARGO_BIN_EXE_lockdiag"))
        .args(["report", &input])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("SOURCE_DATE_EPOCH", "1772359202")
        .output()
        .unwrap();
    let text = String::from_utf8(epoch.stdout).unwrap();
    assert!(text.contains("2026-03-01T10:00:02Z"));
}

#[test]
fn a_page_fits_the_size_that_was_asked_for() {
    let input = format!("tests/packs/{}/evidence.jsonl", EXAMPLES[4]);
    let page = report(&["--format", "html", "--max-size", "200K", &input]);
    assert!(page.len() <= 200 << 10, "{}", page.len());
    let whole = report(&["--format", "json", &input]);
    let whole: Value = serde_json::from_str(&whole).unwrap();
    let told: u64 = whole["counts"]["incidents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["count"].as_u64().unwrap())
        .sum();
    let in_groups: u64 = whole["groups"]
        .as_array()
        .unwrap()
        .iter()
        .map(|group| {
            group["incidents"].as_array().unwrap().len() as u64 + group["more"].as_u64().unwrap()
        })
        .sum();
    // What is not told is counted.
    assert_eq!(told, in_groups);
}

#[test]
fn outputs_are_files_of_any_format_and_never_an_input() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let input = path("pack.jsonl");
    fs::copy(
        root(&format!("tests/packs/{}/evidence.jsonl", EXAMPLES[0])),
        &input,
    )
    .unwrap();
    let (md, html, odd) = (
        path("a.md"),
        path("b.html"),
        format!("json={}", path("c.txt")),
    );
    assert_eq!(report(&["-o", &md, "-o", &html, "-o", &odd, &input]), "");
    assert!(fs::read_to_string(&md).unwrap().starts_with("# "));
    assert!(
        fs::read_to_string(&html)
            .unwrap()
            .starts_with("<!doctype html>")
    );
    assert!(fs::read_to_string(path("c.txt")).unwrap().starts_with('{'));
    for (arguments, said) in [
        (
            vec!["-o", &input, "--format", "json", &input],
            "is an input",
        ),
        (vec!["-o", "page.pdf", &input], "names no format"),
        (vec!["-o", &md, "-o", &md, &input], "named twice"),
        (vec!["--now", "tomorrow", &input], "a time is written as"),
    ] {
        let mut all = vec!["report"];
        all.extend(arguments);
        let output = lockdiag(&all);
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(said), "{stderr}");
    }
}

#[test]
fn a_report_without_incidents_says_what_that_means() {
    let text = report(&["--lang", "en", "tests/cli/data/clean.jsonl"]);
    assert!(text.contains("No incident: 1 lock."));
    assert!(text.contains("what was not recorded can't be seen here"));
    assert!(text.contains("What a token covers"));
}

#[test]
fn the_record_of_the_other_lock_is_told_with_its_lock() {
    let input = "tests/cases/end.two-locks-read/fires.jsonl";
    let value: Value = serde_json::from_str(&report(&["--format", "json", input])).unwrap();
    let incident = &value["groups"][0]["incidents"][0];
    let other = incident["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .find(|witness| witness["role"] == "other-write")
        .unwrap();
    let lock = other["otherLockName"].as_str().unwrap();
    assert_ne!(incident["lockName"], lock);
    assert_eq!(other["record"]["result"], "accepted");
    assert!(report(&["--lang", "en", input]).contains(&format!("other write, lock `{lock}`")));
}

#[test]
fn a_refused_release_is_not_told_as_a_refused_write() {
    let input = "tests/packs/07-redis-compare-and-delete-clean/evidence.jsonl";
    let value: Value = serde_json::from_str(&report(&["--format", "json", input])).unwrap();
    assert_eq!(
        value["shows"],
        json!(["Stale owner. An old release was refused: 1 proven, guarded."])
    );
}

#[test]
fn withheld_verdicts_are_told_as_such() {
    let input = format!("tests/packs/{}/evidence.jsonl", EXAMPLES[0]);
    let text = report(&["--lang", "en", "--order", "none", &input]);
    assert!(text.contains("- Some verdicts were withheld: `acct-42`: "));
}
