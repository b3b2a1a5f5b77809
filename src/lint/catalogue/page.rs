//! The documentation page, made from the same words as `explain`.

use std::fmt::Write as _;

use super::{entry, examples, headings};
use crate::incident::catalogue::Language;
use crate::lint::code::{Code, Family};

const OPENING: &str = "\
# Lint codes

What `lockdiag lint` may say, and what to do about it. This page is made from the text
that `lockdiag explain CODE` shows. Severities are the default ones; `lockdiag.toml` can
change each of them.
";

/// The page that lists every code.
pub fn page() -> String {
    let mut page = OPENING.to_owned();
    let language = Language::En;
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a String cannot fail.
        let _ = page.write_fmt(text);
        page.push('\n');
    };
    for family in Family::ALL {
        line(format_args!("\n## {}\n", family.title()));
        line(format_args!(
            "| code | name | severity | what is wrong |\n|---|---|---|---|"
        ));
        let codes = || Code::ALL.iter().filter(|code| code.family() == family);
        for code in codes() {
            let anchor = format!("{}-{}", code.id().to_ascii_lowercase(), code.name());
            line(format_args!(
                "| [{code}](#{anchor}) | `{}` | {} | {} |",
                code.name(),
                code.severity(),
                entry(language, *code).summary
            ));
        }
        for code in codes() {
            let (entry, examples) = (entry(language, *code), examples(*code));
            let [severity, why, bad, good, fix] = headings(language);
            line(format_args!("\n### {code} {}\n", code.name()));
            line(format_args!(
                "{severity}: {}. {}\n",
                code.severity(),
                entry.summary
            ));
            line(format_args!("**{why}.** {}\n", entry.why));
            let kind = examples.kind;
            line(format_args!("{bad}:\n\n```{kind}\n{}\n```\n", examples.bad));
            line(format_args!(
                "{good}:\n\n```{kind}\n{}\n```\n",
                examples.good
            ));
            line(format_args!("**{fix}.** {}", entry.fix));
        }
    }
    page
}
