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
    let names = [Field::LockName.name(), Field::LockName.snake_name()];
    let found = names.into_iter().find_map(|name| {
        memmem::find_iter(line, name)
            .map(|start| start..start + name.len())
            .find(|name| gives_a_value(line, name))
    })?;
    // What this tool wrote names locks, too.
    let own = std::str::from_utf8(line).is_ok_and(is_own_output);
    (!own).then_some(found)
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
    use super::lock_name_inside;

    #[test]
    fn whatever_stands_around_it() {
        for line in [
            r#"2031-04-01T08:00:00Z stdout F {"lockName":"a","result":"acquired"}"#,
            r#"{"log":"{\"lockName\":\"a\"}\n"}"#,
            r#"{"log":"{\"msg\":\"{\\\"lockName\\\": \\\"a\\\"}\"}\n"}"#,
            r#"{"fields":{"lock_name" : "a"}}"#,
            "INFO write {'lockName': 'a'}",
            "write accepted lock_name=a",
            "Evidence{lockName=a, result=accepted}",
        ] {
            let name = lock_name_inside(line.as_bytes()).map(|name| &line[name]);
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
            "lockName",
            "",
        ] {
            assert_eq!(lock_name_inside(line.as_bytes()), None, "{line}");
        }
    }
}
