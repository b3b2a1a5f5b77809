//! The parts of docs/lint.md that are made from the words of `explain`, and from the table by
//! which it is judged what a pack can decide.

use std::fmt::Write as _;

use lockdiag::incident::catalogue::Language;
use lockdiag::lint::catalogue::{entry, examples, headings};
use lockdiag::lint::decidability::WAYS;
use lockdiag::lint::render::needs;
use lockdiag::lint::{Code, Family};

/// The page with both parts made anew. What stands between them is written by hand.
pub fn renewed(page: &str) -> String {
    let page = with(page, "codes", &codes());
    with(&page, "ways", &ways())
}

fn with(page: &str, name: &str, made: &str) -> String {
    let (begin, end) = (
        format!("<!-- begin: {name} -->\n"),
        format!("<!-- end: {name} -->"),
    );
    let (before, rest) = page.split_once(&begin).unwrap();
    let (_, after) = rest.split_once(&end).unwrap();
    format!("{before}{begin}{made}{end}{after}")
}

fn codes() -> String {
    let mut page = String::new();
    let language = Language::En;
    let mut line = |text: std::fmt::Arguments<'_>| {
        page.write_fmt(text).unwrap();
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
    page.trim_start().to_owned()
}

fn ways() -> String {
    let mut table =
        "| class | way | question | enough to prove it |\n|---|---|---|---|\n".to_owned();
    for way in WAYS {
        let sets: Vec<String> = way.enough().iter().map(|set| needs(set)).collect();
        writeln!(
            table,
            "| `{}` | `{}` | {} | {} |",
            way.class,
            way.name,
            way.question,
            sets.join("; or ")
        )
        .unwrap();
    }
    table
}
