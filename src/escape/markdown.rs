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
/// Line ends are written out, so a span never ends a paragraph; an upright bar is an
/// escape only inside a table.
pub fn markdown_name(name: &str, in_table: bool) -> String {
    if name.is_empty() {
        return "`\"\"`".to_owned();
    }
    let mut name = terminal(name).into_owned();
    if in_table {
        // A backslash before a bar that a table takes away belongs to the name no more.
        name = name.replace('|', "\\|");
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
    use super::{markdown_fence, markdown_name, markdown_words};

    #[test]
    fn a_name_is_a_code_span() {
        assert_eq!(markdown_name("report:417", false), "`report:417`");
        assert_eq!(markdown_name("a`b", false), "``a`b``");
        assert_eq!(markdown_name("`x``", false), "``` `x`` ```");
        assert_eq!(markdown_name("", false), "`\"\"`");
        assert_eq!(markdown_name("a|b", false), "`a|b`");
        assert_eq!(markdown_name("a|b", true), "`a\\|b`");
        assert_eq!(markdown_name("a\n\n# b", false), "`a\\n\\n# b`");
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
