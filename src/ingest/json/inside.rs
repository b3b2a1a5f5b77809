//! Evidence that stands inside other text, where the native reader does not look: behind the
//! prefix of a collector, or in a text of another object.

use std::ops::Range;

use memchr::memmem;

use super::own::is_own_output;
use crate::evidence::Field;

/// Where a line that is no evidence names a lock as evidence does: `lockName`, in either
/// spelling, and what a value follows. In an object of its own it would have made the line
/// evidence, so it stands deeper, or in text.
pub(crate) fn lock_name_inside(line: &[u8]) -> Option<Range<usize>> {
    [Field::LockName.name(), Field::LockName.snake_name()]
        .into_iter()
        .find_map(|name| gives(line, name))
}

/// The same where it is likely to be evidence: another field stands in the line, too, and it is
/// no document that names its own schema, such as what this tool writes.
pub(crate) fn evidence_inside(line: &[u8]) -> Option<Range<usize>> {
    let name = lock_name_inside(line)?;
    let others = Field::ALL
        .into_iter()
        .filter(|field| *field != Field::LockName);
    let mut names = others.flat_map(|field| [field.name(), field.snake_name()]);
    let is_evidence = names.any(|name| gives(line, name).is_some());
    (is_evidence && !names_a_schema(line)).then_some(name)
}

/// Whether a value is a document that names the schema of such documents.
pub(crate) fn names_a_schema(line: &[u8]) -> bool {
    let object = line.trim_ascii_start().strip_prefix(b"{");
    let first = object.map(<[u8]>::trim_ascii_start).unwrap_or_default();
    first.starts_with(b"\"$schema\"") || std::str::from_utf8(line).is_ok_and(is_own_output)
}

/// Where a line gives a value under a name.
fn gives(line: &[u8], name: &str) -> Option<Range<usize>> {
    memmem::find_iter(line, name)
        .map(|start| start..start + name.len())
        .find(|name| gives_a_value(line, name))
}

/// Whether a name stands alone and a value follows it, whatever quotes and escapes it has.
fn gives_a_value(line: &[u8], name: &Range<usize>) -> bool {
    let part_of_more = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let before = line.get(..name.start).unwrap_or_default();
    let behind = line.get(name.end..).unwrap_or_default();
    let sign = behind
        .iter()
        .find(|byte| !matches!(byte, b'\\' | b'"' | b'\'' | b' '));
    !before.last().is_some_and(part_of_more) && matches!(sign, Some(b':' | b'='))
}

#[cfg(test)]
mod tests {
    use super::evidence_inside;

    #[test]
    fn whatever_stands_around_it() {
        for line in [
            r#"2031-04-01T08:00:00Z stdout F {"lockName":"a","result":"acquired"}"#,
            r#"{"log":"{\"lockName\":\"a\",\"result\":1}\n"}"#,
            r#"{"log":"{\"msg\":\"{\\\"lockName\\\": \\\"a\\\",\\\"event\\\":1}\"}\n"}"#,
            r#"{"fields":{"lock_name" : "a", "fence_token":1}}"#,
            "INFO write {'lockName': 'a', 'seq': 1}",
            "write accepted lock_name=a owner_id=b",
            "Evidence{lockName=a, result=accepted}",
        ] {
            let name = evidence_inside(line.as_bytes()).map(|name| &line[name]);
            assert!(matches!(name, Some("lockName" | "lock_name")), "{line}");
        }
    }

    #[test]
    fn words_that_only_look_like_it() {
        for line in [
            "lock acquired by worker-A",
            "lockName must be given",
            r#"{"blockName":"a","lockNames":["a"]}"#,
            "my_lock_name=a lockNameOf=b",
            r#"{"schema":"lockdiag.incident/1","lockName":"a"}"#,
            r#"{ "$schema": "x", "properties": {"lockName": {}, "result": {}}}"#,
            "INFO starting with lockName=a",
            "lockName",
            "",
        ] {
            assert_eq!(evidence_inside(line.as_bytes()), None, "{line}");
        }
    }
}
