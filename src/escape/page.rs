//! Text inside pages and diagrams.

use std::fmt::Write as _;

use serde::Serialize;

use super::terminal;

/// A value as JSON that may stand inside a `<script>` element: no character of it can end
/// the element or begin a comment in it.
///
/// # Errors
/// What the value says.
pub fn json_in_html<T: Serialize + ?Sized>(value: &T) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    super::json(&mut bytes, value)?;
    let text = String::from_utf8(bytes).map_err(std::io::Error::other)?;
    Ok(text
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026"))
}

/// Text of a Mermaid diagram: whatever could be its syntax is written as a code.
pub fn mermaid(text: &str) -> String {
    let text = terminal(text);
    let mut out = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric()) {
        // The word `end` closes a block wherever it stands.
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let closes = bare.eq_ignore_ascii_case("end");
        for (at, c) in word.chars().enumerate() {
            let plain = c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '/' | ':' | ',');
            if plain && !(closes && at == 0) {
                out.push(c);
            } else {
                // Writing to a String cannot fail.
                let _ = write!(out, "#{};", u32::from(c));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{json_in_html, mermaid};

    #[test]
    fn json_cannot_leave_its_element() {
        let text = "</script><!--\u{2028}&amp;\"";
        let json = json_in_html(text).unwrap();
        assert!(!json.contains(['<', '>', '&', '\u{2028}']));
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }

    #[test]
    fn a_diagram_has_only_the_lines_that_are_meant() {
        assert_eq!(mermaid("a:1\nend"), "a:1#92;nend");
        assert_eq!(
            mermaid("end; %%{init}"),
            "#101;nd#59; #37;#37;#123;init#125;"
        );
        assert_eq!(mermaid("the End"), "the #69;nd");
        assert_eq!(mermaid("send ender"), "send ender");
    }
}
