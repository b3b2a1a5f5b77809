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
        let key = inside(text.get(at..key_end).unwrap_or_default());
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

/// A key without the comma before it, and without what stands before a bracket that it does
/// not close: that is the name of the whole.
fn inside(key: &str) -> &str {
    let mut closed = 0_usize;
    let open = key.bytes().rposition(|byte| match byte {
        b']' | b')' | b'}' => {
            closed += 1;
            false
        }
        b'[' | b'(' | b'{' if closed == 0 => true,
        b'[' | b'(' | b'{' => {
            closed -= 1;
            false
        }
        _ => false,
    });
    let key = open.and_then(|open| key.get(open + 1..)).unwrap_or(key);
    key.trim_start_matches([',', ';'])
}

/// A value without the comma behind it, and without brackets that it does not open. Which kind
/// closes which is not asked: `[0,10)` is a value.
fn bare(value: &str) -> &str {
    let body = value.trim_end_matches([',', ';', ']', ')', '}']);
    if body.len() == value.len() {
        return value;
    }
    let mut open = 0_usize;
    let mut quoted = false;
    for byte in body.bytes() {
        match byte {
            b'"' => quoted = !quoted,
            b'[' | b'(' | b'{' if !quoted => open += 1,
            b']' | b')' | b'}' if !quoted => open = open.saturating_sub(1),
            _ => {}
        }
    }
    // The value ends with the last bracket that closes one of its own.
    let mut end = body.len();
    for (at, byte) in value.bytes().enumerate().skip(body.len()) {
        if open > 0 && !matches!(byte, b',' | b';') {
            open -= 1;
            end = at + 1;
        }
    }
    &value[..end]
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
            "Held{lock=\"a:1\",owner=\"w(1)\",token=7}",
            "took Held(lock=a:1,\towner=w(1), token=7)), ok",
        ] {
            let all = [
                pair("lock", "a:1"),
                pair("owner", "w(1)"),
                pair("token", "7"),
            ];
            assert_eq!(pairs(text), all, "{text}");
        }
        // What a value opens is its own, and so is what a key closes.
        for text in [
            "tags[env]=x",
            "range=[0,10)",
            "id={4f-1}",
            r#"held={"a":"}"}"#,
            "held=map[a:[1,2]]",
            "path=C:\\locks\\a(1)",
            "url=http://h/?a=(b)&c=[d]",
            "owner=w(1)",
        ] {
            let (key, value) = text.split_once('=').unwrap();
            assert_eq!(pairs(text), [pair(key, value)]);
            assert_eq!(
                pairs(&format!("Held[a=1, {text}], ok"))[1],
                pair(key, value)
            );
        }
        // Looked through once, however many there are.
        let many = format!("a={}", ")".repeat(1 << 20));
        assert_eq!(pairs(&many), [pair("a", "")]);
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
