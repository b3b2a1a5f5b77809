//! The only place where text from a log becomes output.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Text for a terminal: everything that would move the cursor, change colours, break the
/// line, or reorder or hide what is shown is written out as an escape.
pub fn terminal(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find(is_unsafe) else {
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

/// Controls (C0, DEL, C1), line and paragraph separators, direction controls, characters
/// without width, and the invisible tag characters.
fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::terminal;
    use std::borrow::Cow;

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in ["report:417:rebuild", "Schlüssel 鍵 🔒", "a\\b \"c\""] {
            assert!(matches!(terminal(text), Cow::Borrowed(same) if same == text));
        }
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
    }
}
