//! Each code has a case that shows it and one that almost does, as data; so has each
//! example of the documentation.

use std::fs;
use std::path::{Path, PathBuf};

use lockdiag::ingest::mapping::{Mapping, Reading};
use lockdiag::lint::baseline::Baseline;
use lockdiag::lint::catalogue::examples;
use lockdiag::lint::{Code, Report};

use super::{lint, lint_by, lint_text, page, settings};

fn folder(code: Code) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/lint/cases")
        .join(code.id())
}

fn run(folder: &Path, name: &str) -> Report {
    let config = fs::read_to_string(folder.join(format!("{name}.toml"))).ok();
    let mut settings = settings(config.as_deref());
    if let Ok(text) = fs::read_to_string(folder.join(format!("{name}.baseline.json"))) {
        settings.baseline = Some(Baseline::parse(&text).unwrap());
    }
    let log = [format!("{name}.jsonl"), format!("{name}.jsonl.gz")]
        .into_iter()
        .find_map(|file| Some((file.clone(), fs::read(folder.join(file)).ok()?)));
    let log = log.unwrap_or_else(|| panic!("{}: no {name}.jsonl", folder.display()));
    let how = match fs::read_to_string(folder.join(format!("{name}.map.toml"))) {
        Ok(text) => Reading::Mapped(Mapping::parse("map.toml", &text).unwrap().into()),
        Err(_) => Reading::Native,
    };
    settings.mapped = !matches!(how, Reading::Native);
    lint_by(&how, vec![log], settings)
}

fn raised(report: &Report, code: Code) -> u64 {
    let of_code = report.tallies.iter().filter(|(one, _, _)| *one == code);
    of_code.map(|(_, _, tally)| tally.total).sum()
}

#[test]
fn every_code_shows_and_almost_shows() {
    for code in Code::ALL {
        let folder = folder(*code);
        let bad = run(&folder, "bad");
        assert!(raised(&bad, *code) > 0, "{code} is not raised by its case");
        let found = bad.findings.iter().find(|one| one.code == *code).unwrap();
        assert_eq!(found.severity, code.severity(), "{code}");
        assert!(
            !found.message.is_empty() && !found.hint.is_empty(),
            "{code}"
        );
        let near = run(&folder, "near");
        assert_eq!(raised(&near, *code), 0, "{code}: {:#?}", near.findings);
    }
}

#[test]
fn every_example_is_what_it_says() {
    for code in Code::ALL {
        let examples = examples(*code);
        if examples.kind != "json" {
            continue;
        }
        let bad = lint_text(examples.bad, settings(None));
        assert!(
            raised(&bad, *code) > 0,
            "{code} is not raised by its example"
        );
        let good = lint_text(examples.good, settings(None));
        assert_eq!(raised(&good, *code), 0, "{code}: {:#?}", good.findings);
    }
}

#[test]
fn every_token_problem_of_the_case_is_found() {
    let report = run(&folder(Code::TokenNotOrdered), "bad");
    let lines = fs::read_to_string(folder(Code::TokenNotOrdered).join("bad.jsonl")).unwrap();
    assert_eq!(
        raised(&report, Code::TokenNotOrdered),
        lines.lines().count() as u64
    );
}

/// Made anew with `UPDATE_DOCS=1 cargo test --test lint`.
#[test]
fn the_documentation_is_made_from_the_codes() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lint.md");
    let written = fs::read_to_string(&path).unwrap();
    let page = page::renewed(&written);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).unwrap();
    } else {
        assert!(written == page, "docs/lint.md is out of date");
    }
}

#[test]
fn a_finding_points_at_the_field_or_at_its_absence() {
    let text = "{\"lockName\":\"a\",\"event\":\"write\",\"fenceToken\":7,\"resourceHighestTokenBefore\":9,\"result\":\"stale\",\"resourceHighestTokenAfter\":8}\n";
    let report = lint_text(text, settings(None));
    let marked = |code: Code| {
        let found = report.findings.iter().find(|one| one.code == code).unwrap();
        (
            found.spot.excerpt[found.spot.mark.clone()].to_owned(),
            found.spot.column,
        )
    };
    assert_eq!(marked(Code::HighestWentDown), ("8".to_owned(), 124));
    let end = text.trim_end().len() as u64;
    assert_eq!(marked(Code::WriteWithoutKey), ("}".to_owned(), end));
}

#[test]
fn what_another_input_says_of_a_release_is_no_second_one() {
    let line = |more: &str| {
        format!(
            "{{\"lockName\":\"a\",\"event\":\"release\",\"leaseId\":\"x\"{more},\"result\":\"released\"}}\n"
        )
    };
    let told = |worker: &str, authority: &str| {
        let inputs = [("worker", line(worker)), ("authority", line(authority))];
        let inputs = inputs.map(|(name, text)| (name.to_owned(), text.into_bytes()));
        let mut settings = settings(None);
        settings.inputs = vec!["worker".to_owned(), "authority".to_owned()];
        let report = lint(inputs.into(), settings);
        let of_code = report.findings.into_iter();
        of_code
            .filter(|one| one.code == Code::ReleaseWithoutLease)
            .map(|one| one.message)
            .collect::<Vec<String>>()
    };
    assert_eq!(told("", ",\"activeLeaseId\":\"x\""), [""; 0]);
    assert_eq!(
        told(",\"seq\":1", ",\"seq\":2"),
        ["this lease is released, and it had ended in line 1 of worker"]
    );
}

#[test]
fn fingerprints_outlive_moved_lines_and_are_unique() {
    let line = |seq: u64, result: &str| {
        format!(
            "{{\"lockName\":\"a\",\"event\":\"release\",\"leaseId\":\"x\",\"seq\":{seq},\"result\":\"{result}\"}}\n"
        )
    };
    let before = line(1, "done") + &line(2, "gone") + &line(3, "done");
    let after = line(0, "released") + &before;
    let prints = |text: &str| -> Vec<String> {
        lint_text(text, settings(None))
            .findings
            .into_iter()
            .filter(|one| one.code == Code::UnknownResult)
            .map(|one| one.fingerprint)
            .collect()
    };
    let first = prints(&before);
    assert_eq!(first, prints(&after));
    let unique: std::collections::HashSet<&String> = first.iter().collect();
    assert_eq!((first.len(), unique.len()), (3, 3));
}

#[test]
fn a_baseline_accepts_what_it_was_written_from_and_no_more() {
    let line = |seq: u64| {
        format!(
            "{{\"lockName\":\"a\",\"event\":\"release\",\"leaseId\":\"x\",\"seq\":{seq},\"result\":\"done\"}}\n"
        )
    };
    let known = line(1) + &line(2);
    let baseline = lint_text(&known, settings(None)).baseline();
    let with = |text: &str| {
        let mut settings = settings(None);
        settings.baseline = Some(Baseline::parse(&baseline.to_text()).unwrap());
        lint_text(text, settings)
    };
    let same = with(&known);
    assert_eq!((same.loudest, same.findings.len()), (None, 0));
    assert_eq!(same.baseline(), baseline);
    let more = with(&(known.clone() + &line(3)));
    let new: Vec<Code> = more.findings.iter().map(|one| one.code).collect();
    assert!(new.contains(&Code::UnknownResult));
    assert_eq!(
        more.findings
            .iter()
            .filter(|one| one.code == Code::UnknownResult)
            .count(),
        1
    );
    let fewer = with(&line(1));
    assert!(raised(&fewer, Code::BaselineStale) > 0);
}

#[test]
fn severities_ignores_and_profiles_are_obeyed() {
    let text =
        "{\"lockName\":\"a\",\"event\":\"write\",\"fenceToken\":7,\"result\":\"accepted\"}\n";
    let with = |config: &str| lint_text(text, settings(Some(config)));
    let off = with("[lint.severity]\nwrite-without-operation = \"off\"");
    assert_eq!(raised(&off, Code::WriteWithoutOperation), 0);
    let loud = with("[lint.severity]\nLD205 = \"error\"");
    assert_eq!(loud.loudest, Some(lockdiag::lint::Severity::Error));
    let ignored = with("[[lint.ignore]]\ncode = \"LD205\"\nlock = \"a*\"\nreason = \"known\"");
    assert_eq!(raised(&ignored, Code::WriteWithoutOperation), 0);
    assert!(
        ignored
            .tallies
            .iter()
            .any(|(_, _, tally)| tally.ignored == 1)
    );
    let own = with("[lint]\nprofile = { write = [\"operationId\", \"seqBy\"] }");
    assert_eq!(raised(&own, Code::FieldRequired), 2);
    let proof = with("[lint]\nprofile = \"proof\"");
    // Owner, lease, reading, key, operation, seq.
    assert_eq!(raised(&proof, Code::FieldRequired), 6);
}
