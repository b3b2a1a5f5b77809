//! Faults of a mapping: each is found before anything is read, at its line and column,
//! with the nearest right word.

use lockdiag::ingest::mapping::Mapping;

fn faults(text: &str) -> Vec<String> {
    let errors = Mapping::parse("m.toml", text).err().unwrap_or_default();
    errors.iter().map(ToString::to_string).collect()
}

const GOOD: &str = "lockName = \"lock\"\nresult = \"res\"\n";

#[test]
fn unknown_words_name_the_nearest() {
    let fields = format!("[fields]\n{GOOD}");
    assert_eq!(faults(&fields), [""; 0]);
    for (text, fault) in [
        (
            format!("feilds = {{}}\n{fields}"),
            "m.toml:1:1: a mapping has no key `feilds` (did you mean `fields`?)",
        ),
        (
            format!("format = \"jsn\"\n{fields}"),
            "m.toml:1:10: `jsn` is no format (did you mean `json`?)",
        ),
        (
            format!("{fields}lokName = \"x\"\n"),
            "m.toml:4:1: `lokName` is no field of the evidence (did you mean `lockName`?)",
        ),
        (
            format!("{fields}seqBy = {{ value = \"athority\" }}\n"),
            "m.toml:4:19: `athority` is no seqBy (did you mean `authority`?)",
        ),
        (
            format!("{fields}event = {{ path = \"e\", words = {{ w = \"wirte\" }} }}\n"),
            "m.toml:4:37: `wirte` is no event (did you mean `write`?)",
        ),
        (
            format!("{fields}leaseId = {{ pth = \"x\", value = 1 }}\n"),
            "m.toml:4:13: a field has no key `pth` (did you mean `path`?)",
        ),
        (
            format!("when = {{ a = {{ exits = true }} }}\n{fields}"),
            "m.toml:1:16: a condition has no key `exits` (did you mean `exists`?)",
        ),
    ] {
        assert_eq!(faults(&text), [fault], "{text}");
    }
}

#[test]
fn every_fault_is_told_in_the_order_of_lines() {
    let text = "[fields]\nlockName = \"a..b\"\nownerId = { path = \"x[\", base = 16 }\nfenceToken = { value = -1 }\n";
    assert_eq!(
        faults(text),
        [
            "m.toml:2:15: a key is missing here (a key with dots or brackets is written in double quotes: 'a.\"b.c\"')",
            "m.toml:3:23: a bracket never ends (close it with `]`)",
            "m.toml:3:33: `ownerId` is no number (a base is for tokens, seq and lease ids)",
            "m.toml:4:24: `-1` is no fenceToken (a token is never negative)",
        ]
    );
}

#[test]
fn what_does_not_go_together() {
    let fields = format!("[fields]\n{GOOD}");
    for (text, start) in [
        ("not toml".to_owned(), "m.toml:1:"),
        (
            "".to_owned(),
            "m.toml:1:1: the mapping never says which lock",
        ),
        (
            "[fields]\nlockName = \"a\"\n".to_owned(),
            "m.toml:1:1: the mapping says neither what was done",
        ),
        (
            format!("format = \"text\"\n{fields}"),
            "m.toml:1:1: lines of text need a pattern",
        ),
        (
            format!("pattern = '(?<lockName>x)'\n{fields}"),
            "m.toml:1:1: a pattern reads lines of text",
        ),
        (
            format!("format = \"text\"\npattern = '(?<lokc>x)'\n{fields}"),
            "m.toml:4:12: no pattern has a group `lock` (did you mean `lokc`?)",
        ),
        (
            format!("format = \"text\"\npattern = '(?<lockName>x'\n{fields}"),
            "m.toml:2:11: the pattern can't be read: unclosed group",
        ),
        (
            format!("format = \"csv\"\ncolumns = [\"lok\", \"res\"]\n{fields}"),
            "m.toml:4:12: there is no column `lock` (did you mean `lok`?)",
        ),
        (
            format!("format = \"postgres-csvlog\"\n{fields}"),
            "m.toml:3:12: there is no column `lock`",
        ),
        (
            format!("each = \"a.b\"\n{fields}"),
            "m.toml:1:8: `each` names no array",
        ),
        (
            format!("each = \"a[*]\"\n{fields}ownerId = \"$.b[*].c\"\n"),
            "m.toml:5:11: [*] here is none of the arrays",
        ),
        (
            format!("{fields}ownerId = \"a[*]\"\n"),
            "m.toml:4:11: [*] here is none",
        ),
        (
            format!("{fields}lock_name = \"x\"\n"),
            "m.toml:4:1: `lock_name` is mapped twice",
        ),
        (
            format!("{fields}leaseId = {{ path = \"a\", value = 1 }}\n"),
            "m.toml:4:11: a field comes from exactly one of",
        ),
        (
            format!("{fields}leaseId = {{ part = \"x\" }}\n"),
            "m.toml:4:20: no split has a part `x`",
        ),
        (
            format!("split = {{ path = \"a\", by = \"/\", pattern = \"x\" }}\n{fields}"),
            "m.toml:1:9: a split is either `by` a text or by a `pattern`",
        ),
        (
            format!("delimiter = \";\"\n{fields}"),
            "m.toml:1:13: only csv and tsv",
        ),
    ] {
        let found = faults(&text);
        assert!(
            found.iter().any(|f| f.starts_with(start)),
            "{text}\n{found:#?}"
        );
    }
}

#[test]
fn a_pattern_cannot_take_the_machine() {
    let text = format!(
        "[fields]\n{GOOD}ownerId = {{ path = \"a\", pattern = '(\\w{{1000}}){{1000}}' }}\n"
    );
    let found = faults(&text);
    assert!(found[0].contains("the pattern can't be read"), "{found:?}");
}
