//! `lint` and `classify` look at the same lines, and agree on which way they run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lockdiag::diagnosis::Options;
use lockdiag::incident::WithheldReason;
use lockdiag::lint::Code;

use super::packs::classify;
use super::{lint, settings};

fn logs() -> Vec<PathBuf> {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let folders = fs::read_dir(cases).unwrap().map(|one| one.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    let files = files.map(|file| file.unwrap().path());
    files
        .filter(|file| {
            let name = file.file_name().unwrap().to_string_lossy();
            name.ends_with(".jsonl") && !name.ends_with(".expected.jsonl")
        })
        .collect()
}

#[test]
fn lint_and_classify_agree_on_which_lines_run_backwards() {
    let mut found = 0;
    for path in logs() {
        let log = vec![("log".to_owned(), fs::read(&path).unwrap())];
        let withheld = classify(&log, Options::default()).summary.withheld;
        let by_classify: BTreeSet<String> = withheld
            .into_iter()
            .filter(|one| one.reason == WithheldReason::LinesBackwards)
            .map(|one| one.lock_name)
            .collect();
        let by_lint: BTreeSet<String> = lint(log, settings(None))
            .tallies
            .iter()
            .filter(|(code, ..)| *code == Code::LinesRunBackwards)
            .filter_map(|(_, lock, _)| lock.as_ref().map(ToString::to_string))
            .collect();
        assert_eq!(by_lint, by_classify, "{}", path.display());
        found += by_lint.len();
    }
    assert!(found > 0);
}
