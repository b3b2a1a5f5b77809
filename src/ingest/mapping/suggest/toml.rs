//! Texts of a log in a proposal, which is TOML that a person reads.

use std::fmt::Write as _;

use crate::escape;

/// A text in TOML, on one line and with nothing in it that a terminal obeys.
pub(super) fn quoted(text: &str) -> String {
    if !text.contains('\'') && escape::terminal(text) == text {
        return format!("'{text}'");
    }
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if escape::terminal(c.encode_utf8(&mut [0; 4])).len() != c.len_utf8() => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// A text in a remark.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    escape::terminal(&short).into_owned()
}
