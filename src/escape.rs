//! The only place where text from a log becomes output.
//!
//! One function a destination. Each takes any text and gives back text that its
//! destination shows and never obeys. What a person can't see is written out as
//! `\u{…}`, so that two names that differ also look different.

mod markdown;
mod page;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;

pub use markdown::{markdown_cell, markdown_fence, markdown_name, markdown_words};
pub use page::{json_in_html, mermaid};

/// Text for a terminal: everything that would move the cursor, change colours, break the
/// line, or reorder or hide what is shown is written out as an escape.
pub fn terminal(text: &str) -> Cow<'_, str> {
    let Some(first) = first_unsafe(text) else {
        return Cow::Borrowed(text);
    };
    let (clean, rest) = text.split_at(first);
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(clean);
    for c in rest.chars() {
        match c {
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c if is_unsafe(c) => {
                // Writing to a String cannot fail.
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Where the first character is that must not reach a terminal as it is.
fn first_unsafe(text: &str) -> Option<usize> {
    // Nearly all texts are plain ASCII, and all of their bytes can be looked at at once.
    let plain = text
        .bytes()
        .fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
    if plain { None } else { text.find(is_unsafe) }
}

/// Controls (C0, DEL, C1), line and paragraph separators, direction controls, characters
/// without width or ink, and the invisible tag and selector characters.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{17b4}'
                | '\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{fffe}'
                | '\u{ffff}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// A cell of a table that a spreadsheet may open: visible, and never a formula.
///
/// The quotes that CSV itself needs are the writer's business.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    // Looked at before the escapes are written out: a leading tab or line end makes some
    // spreadsheets look at what follows it.
    let first = is_formula(text) || text.starts_with(['\t', '\r', '\n']);
    if !first && !text.contains(';') {
        return terminal(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    if first {
        out.push('\'');
    }
    // Where the decimal mark is a comma, spreadsheets begin a new cell at a semicolon,
    // whatever stands before it.
    for (at, part) in text.split(';').enumerate() {
        if at > 0 {
            out.push_str(if is_formula(part) { ";'" } else { ";" });
        }
        out.push_str(&terminal(part));
    }
    Cow::Owned(out)
}

/// Whether a spreadsheet would compute this, given a cell of its own. Full-width signs
/// count as the plain ones, and a quote may be taken for the beginning of a quoted cell.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches(|c: char| c.is_whitespace() || c == '"' || is_unsafe(c))
        .starts_with([
            '=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}',
        ])
}

/// Text or an attribute value of XML 1.0. The controls that XML forbids in any form are
/// written out like the rest of what can't be seen.
pub fn xml(text: &str) -> Cow<'_, str> {
    let text = terminal(text);
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The message of a GitHub workflow command. Line ends that the caller put between two
/// texts are kept as line ends of the annotation; those inside a text must have gone
/// through [`terminal`] before.
pub fn github_message(text: &str) -> String {
    text.replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A")
}

/// A property (`file`, `title`) of a GitHub workflow command.
pub fn github_property(text: &str) -> String {
    github_message(&terminal(text))
        .replace(':', "%3A")
        .replace(',', "%2C")
}

/// The message of a SARIF result, where `[text](target)` would be a link and braces are
/// placeholders. A backslash could itself be escaped by one in the text before it, so the
/// two halves of a link are set apart.
pub fn sarif_message(text: &str) -> String {
    terminal(text)
        .replace('{', "{{")
        .replace('}', "}}")
        .replace("](", "] (")
}

/// The path of a file as a URI reference: everything outside the unreserved characters
/// is percent-encoded, so a name can be neither a scheme nor a query.
pub fn uri(path: &str) -> String {
    let mut out = String::with_capacity(path.len() + 8);
    if path.starts_with('/') {
        out.push_str("file://");
    }
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            #[cfg(windows)]
            b'\\' => out.push('/'),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// Writes a value as JSON on one line. What can't be seen is written as `\uXXXX`, which
/// every reader of JSON turns back into the same text, and a terminal shows as it is.
///
/// # Errors
/// What the writer says.
pub fn json<T: Serialize + ?Sized>(out: &mut dyn io::Write, value: &T) -> io::Result<()> {
    // It is written in very small pieces, and whose `out` is can't be seen from here.
    let mut pieces = io::BufWriter::new(out);
    let mut serializer = serde_json::Serializer::with_formatter(&mut pieces, VisibleJson);
    value.serialize(&mut serializer)?;
    // To flush would empty the caller's buffer as well.
    pieces.into_inner()?;
    Ok(())
}

struct VisibleJson;

impl serde_json::ser::Formatter for VisibleJson {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some(at) = first_unsafe(rest) {
            let (clean, found) = rest.split_at(at);
            out.write_all(clean.as_bytes())?;
            let mut after = found.chars();
            if let Some(c) = after.next() {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}")?;
                }
            }
            rest = after.as_str();
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::{
        csv_cell, github_message, github_property, json, sarif_message, terminal, uri, xml,
    };
    use std::borrow::Cow;
    use std::io::{self, Write};

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["report:417:rebuild", "Schlüssel 鍵 🔒", "a\\b \"c\""] {
            assert!(matches!(terminal(text), Cow::Borrowed(same) if same == text));
        }
        assert!(matches!(csv_cell("acct-7"), Cow::Borrowed("acct-7")));
        assert!(matches!(xml("acct-7"), Cow::Borrowed("acct-7")));
    }

    #[test]
    fn what_acts_on_a_terminal_is_written_out() {
        assert_eq!(terminal("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(terminal("\u{202e}txt.exe"), "\\u{202e}txt.exe");
        assert_eq!(
            terminal("\u{2066}x\u{2069}\u{200b}"),
            "\\u{2066}x\\u{2069}\\u{200b}"
        );
        assert_eq!(terminal("1\n2\r\t3"), "1\\n2\\r\\t3");
        assert_eq!(
            terminal("\u{9b}0m\u{7f}\u{2028}"),
            "\\u{9b}0m\\u{7f}\\u{2028}"
        );
        assert_eq!(terminal("\u{e0041}\u{3164}"), "\\u{e0041}\\u{3164}");
        assert_eq!(terminal("\u{fe00}\u{1d173}"), "\\u{fe00}\\u{1d173}");
    }

    #[test]
    fn a_cell_is_never_a_formula() {
        for formula in [
            "=1+1",
            "+1",
            "-1",
            "@x",
            " =1",
            "\u{200b}=1",
            "\u{ff1d}1",
            "\tx",
        ] {
            assert!(csv_cell(formula).starts_with('\''), "{formula:?}");
        }
        assert_eq!(csv_cell("a=1"), "a=1");
        assert_eq!(csv_cell("\t=1"), "'\\t=1");
        assert_eq!(csv_cell("a;b"), "a;b");
        assert_eq!(csv_cell("a; =1;\t@x"), "a;' =1;'\\t@x");
        assert_eq!(csv_cell("\"=1"), "'\"=1");
    }

    #[test]
    fn xml_has_no_markup_and_no_forbidden_character() {
        assert_eq!(
            xml("<a b='\"'>&\u{1}\u{ffff}]]>"),
            "&lt;a b=&#39;&quot;&#39;&gt;&amp;\\u{1}\\u{ffff}]]&gt;"
        );
    }

    #[test]
    fn a_workflow_command_stays_one_command() {
        assert_eq!(
            github_message("100%\n::error::x\r"),
            "100%25%0A::error::x%0D"
        );
        assert_eq!(
            github_property("a,b:c\n::warning::%"),
            "a%2Cb%3Ac\\n%3A%3Awarning%3A%3A%25"
        );
    }

    #[test]
    fn a_sarif_message_has_no_link_and_no_placeholder() {
        assert_eq!(
            sarif_message("[x](https://e.example) {0}"),
            "[x] (https://e.example) {{0}}"
        );
    }

    #[test]
    fn a_path_is_no_more_than_a_path() {
        assert_eq!(uri("logs/a b#1?.jsonl"), "logs/a%20b%231%3F.jsonl");
        assert_eq!(uri("javascript:x"), "javascript%3Ax");
        assert_eq!(uri("/var/log/ä"), "file:///var/log/%C3%A4");
    }

    #[test]
    fn json_says_the_same_and_shows_it() {
        let text = "a\u{1b}[0m\u{202e}\u{7f}\u{e0041}\"\\é🔒\n";
        let mut out = Vec::new();
        json(&mut out, text).unwrap();
        let shown = String::from_utf8(out).unwrap();
        assert_eq!(
            shown,
            "\"a\\u001b[0m\\u202e\\u007f\\udb40\\udc41\\\"\\\\é🔒\\n\""
        );
        assert_eq!(serde_json::from_str::<String>(&shown).unwrap(), text);
    }

    #[test]
    fn json_leaves_it_to_its_writer_when_to_write() {
        struct Kept(Vec<u8>);
        impl Write for Kept {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.0.write(bytes)
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(io::Error::other("flushed"))
            }
        }
        let mut kept = Kept(Vec::new());
        json(&mut kept, "text").unwrap();
        assert_eq!(kept.0, b"\"text\"");
    }
}
