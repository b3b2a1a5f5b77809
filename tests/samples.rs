//! The samples come to what stands beside them, byte for byte, as a user would run them.

#![allow(clippy::unwrap_used)] // a test may stop at what it cannot read

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use lockdiag::incident::Class;
use serde_json::Value;

fn samples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples");
    let mut found: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.join("evidence.jsonl").exists())
        .collect();
    found.sort();
    found
}

fn expected(sample: &Path) -> String {
    std::fs::read_to_string(sample.join("expected.jsonl")).unwrap()
}

#[test]
fn every_sample_comes_to_what_stands_beside_it() {
    for sample in samples() {
        let output = Command::new(env!("CARGO_BIN_EXE_lockdiag"))
            .args(["classify", "--quiet", "--lang", "en", "--format", "jsonl"])
            .arg("evidence.jsonl")
            .current_dir(&sample)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", sample.display());
        let found = String::from_utf8(output.stdout).unwrap();
        assert_eq!(found, expected(&sample), "{}", sample.display());
    }
}

#[test]
fn every_class_has_a_sample_and_silence_has_one() {
    let mut shown = BTreeSet::new();
    let mut silent = 0;
    for sample in samples() {
        let incidents = expected(&sample);
        silent += usize::from(incidents.is_empty());
        for incident in incidents.lines() {
            let incident: Value = serde_json::from_str(incident).unwrap();
            shown.insert(incident["class"].as_str().unwrap().to_owned());
        }
    }
    for class in Class::ALL {
        assert!(shown.contains(class.name()), "no sample shows {class}");
    }
    assert_eq!(silent, 1);
}

#[test]
fn every_sample_is_explained() {
    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/README.md");
    let readme = std::fs::read_to_string(readme).unwrap();
    for sample in samples() {
        let name = sample.file_name().unwrap().to_string_lossy().into_owned();
        assert!(readme.contains(&format!("- **{name}**:")), "{name}");
    }
}
