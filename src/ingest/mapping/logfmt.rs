//! `key=value key="a \"quoted\" value" flag`: the pairs of a logfmt line, also with commas
//! between them and brackets around them, as in `Held[key=value, key=value]`.

use std::borrow::Cow;
use std::ops::Range;

/// Calls `each` with the key, the place and the text of every pair. Words without `=`
/// are skipped: a line may begin with prose.
pub(crate) fn pairs<'t>(text: &'t str, mut each: impl FnMut(&'t str, Range<usize>, Cow<'t, str>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let Some(skip) = bytes[at..].iter().position(|b| !b.is_ascii_whitespace()) else {
            return;
        };
        at += skip;
        let key_end = at
            + bytes[at..]
                .iter()
                .position(|b| *b == b'=' || b.is_ascii_whitespace())
                .unwrap_or(bytes.len() - at);
        if bytes.get(key_end) != Some(&b'=') {
            at = key_end;
            continue;
        }
        let key = text.get(at..key_end).unwrap_or_default();
        // What an opening bracket follows is the name of the whole.
        let key = key
            .rfind(['[', '(', '{'])
            .map_or(key, |open| &key[open + 1..]);
        at = key_end + 1;
        if bytes.get(at) == Some(&b'"') {
            let (end, escaped) = quoted(bytes, at);
            let inside = at + 1..end;
            let raw = text.get(inside.clone()).unwrap_or_default();
            let value = if escaped {
                Cow::Owned(unescape(raw))
            } else {
                Cow::Borrowed(raw)
            };
            each(key, inside, value);
            at = end + 1;
        } else {
            let end = at
                + bytes[at..]
                    .iter()
                    .position(u8::is_ascii_whitespace)
                    .unwrap_or(bytes.len() - at);
            let value = bare(text.get(at..end).unwrap_or_default());
            each(key, at..at + value.len(), Cow::Borrowed(value));
            at = end;
        }
    }
}

/// A value without the comma behind it, and without brackets that it does not open.
fn bare(mut value: &str) -> &str {
    loop {
        let open = match value.as_bytes().last() {
            Some(b',' | b';') => None,
            Some(b']') => Some('['),
            Some(b')') => Some('('),
            Some(b'}') => Some('{'),
            _ => return value,
        };
        if open.is_some_and(|open| value.contains(open)) {
            return value;
        }
        value = &value[..value.len() - 1];
    }
}

/// The offset of the closing quote (or of the end), and whether there are escapes.
fn quoted(bytes: &[u8], at: usize) -> (usize, bool) {
    let mut escaped = false;
    let mut end = at + 1;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'"' => break,
            b'\\' => {
                escaped = true;
                end += 1;
            }
            _ => {}
        }
        end += 1;
    }
    (end.min(bytes.len()), escaped)
}

/// The escapes of Go's and Python's writers: those of JSON, and `\x` for any other `x`.
fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut chars = raw.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => text.push('\n'),
            Some('t') => text.push('\t'),
            Some('r') => text.push('\r'),
            Some('u') => {
                let code = chars.as_str().get(..4).unwrap_or_default();
                match u32::from_str_radix(code, 16).ok().and_then(char::from_u32) {
                    Some(c) if code.len() == 4 => {
                        text.push(c);
                        chars = chars.as_str()[4..].chars();
                    }
                    _ => text.push_str("\\u"),
                }
            }
            Some(c) => text.push(c),
            None => text.push('\\'),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    fn pairs(text: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        super::pairs(text, |key, _, value| {
            found.push((key.to_owned(), value.into_owned()));
        });
        found
    }

    #[test]
    fn quotes_escapes_prose_and_empty_values() {
        let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        assert_eq!(
            pairs(r#"INFO lock acquired a=1 b="x \"y\" z" c= d="ü\u00e4\n" e=f=g"#),
            [
                pair("a", "1"),
                pair("b", "x \"y\" z"),
                pair("c", ""),
                pair("d", "üä\n"),
                pair("e", "f=g"),
            ]
        );
    }

    #[test]
    fn commas_and_brackets_around_pairs_are_none_of_theirs() {
        let pair = |k: &str, v: &str| (k.to_owned(), v.to_owned());
        for text in [
            "took Held[lock=a:1, owner=w(1), token=7] ok",
            "took (lock=a:1, owner=w(1); token=7), ok",
            "{lock=\"a:1\", owner=w(1), token=7}",
        ] {
            let all = [
                pair("lock", "a:1"),
                pair("owner", "w(1)"),
                pair("token", "7"),
            ];
            assert_eq!(pairs(text), all, "{text}");
        }
        assert_eq!(
            pairs("a=[1] b=1,2 c=, d=)"),
            [
                pair("a", "[1]"),
                pair("b", "1,2"),
                pair("c", ""),
                pair("d", ""),
            ]
        );
    }

    #[test]
    fn a_cut_line_gives_what_is_there() {
        assert_eq!(pairs("a=\"never ends").len(), 1);
        assert_eq!(pairs("a=\"ends in \\").len(), 1);
        assert_eq!(pairs("").len(), 0);
    }
}
