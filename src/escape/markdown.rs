//! Text inside Markdown: CommonMark, and GitHub's tables and autolinks.

use super::terminal;

/// Words of our own in running text: no character of them is markup.
///
/// Names from a log go through [`markdown_name`]; GitHub makes links of bare addresses in
/// running text, and no escape prevents that for all of them.
pub fn markdown_words(text: &str) -> String {
    let text = terminal(text);
    let mut out = String::with_capacity(text.len() + 8);
    let mut first = true;
    for c in text.chars() {
        let special = matches!(
            c,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '$' | '#'
        ) || (first && matches!(c, '+' | '-' | '=' | '!'));
        if special {
            out.push('\\');
        }
        out.push(c);
        first = false;
    }
    out
}

/// A name from a log: a code span, in which nothing is markup and nothing becomes a link.
///
/// Line ends are written out, so a span never ends a paragraph.
pub fn markdown_name(name: &str) -> String {
    code_span(&terminal(name))
}

/// The same inside a table, where an upright bar needs an escape.
pub fn markdown_cell(name: &str) -> String {
    // A backslash before a bar that a table takes away belongs to the name no more.
    code_span(&terminal(name).replace('|', "\\|"))
}

fn code_span(name: &str) -> String {
    if name.is_empty() {
        return "`\"\"`".to_owned();
    }
    let longest = name
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let blank = name.starts_with(['`', ' ']) || name.ends_with(['`', ' ']);
    let pad = if blank { " " } else { "" };
    format!("{fence}{pad}{name}{pad}{fence}")
}

/// A fence of backticks that no line of the text ends.
pub fn markdown_fence(text: &str) -> String {
    let longest = text
        .split(|c| c != '`')
        .map(str::len)
        .max()
        .unwrap_or_default();
    "`".repeat(longest.max(2) + 1)
}

#[cfg(test)]
mod tests {
    use super::{markdown_cell, markdown_fence, markdown_name, markdown_words};

    #[test]
    fn a_name_is_a_code_span() {
        assert_eq!(markdown_name("report:417"), "`report:417`");
        assert_eq!(markdown_name("a`b"), "``a`b``");
        assert_eq!(markdown_name("`x``"), "``` `x`` ```");
        assert_eq!(markdown_name(""), "`\"\"`");
        assert_eq!(markdown_name("a|b"), "`a|b`");
        assert_eq!(markdown_cell("a|b"), "`a\\|b`");
        assert_eq!(markdown_name("a\n\n# b"), "`a\\n\\n# b`");
    }

    #[test]
    fn words_are_no_markup() {
        assert_eq!(
            markdown_words("a_b* [c](d) <i>"),
            "a\\_b\\* \\[c\\](d) \\<i\\>"
        );
        assert_eq!(markdown_words("- x"), "\\- x");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        assert_eq!(markdown_fence("x"), "```");
        assert_eq!(markdown_fence("```` x"), "`````");
    }
}
