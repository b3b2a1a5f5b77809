//! Files of every kind of trouble, and what they come to.

use super::support::run;

/// Each file of the corpus with what it must come to; `UPDATE_CORPUS=1` writes that down.
#[test]
fn corpus() {
    let mut files: Vec<_> = std::fs::read_dir("tests/ingest/corpus")
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e != "expected"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let (log, counts) = run(&bytes);
        let total = &counts.total;
        let text = format!(
            "{}lines {} records {} flawed {} other {} rejected {}\n",
            log.text, total.lines, total.records, total.flawed, total.other, total.rejected
        );
        let expected = file.with_extension("expected");
        if std::env::var_os("UPDATE_CORPUS").is_some() {
            std::fs::write(&expected, &text).unwrap();
        }
        let expected = std::fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(text, expected, "{}", file.display());
    }
}
