//! The documentation page, made from the same words as `explain`.

use std::fmt::Write as _;

use super::{entry, examples, headings};
use crate::diagnosis::OrderBy;
use crate::incident::catalogue::Language;
use crate::lint::code::{Code, Family};
use crate::lint::decidability::{Carried, decide};
use crate::lint::render::needs;
use crate::timeline::OrderFacts;

const OPENING: &str = "\
# Lint codes

What `lockdiag lint` may say, and what to do about it. This page is made from the text
that `lockdiag explain CODE` shows. Severities are the default ones; `lockdiag.toml` can
change each of them.

To find what contradicts what, lint remembers leases, tokens, names and records, however long
the log is: in `--memory` (`--window` bounds their number as well). What was not seen for longest
is forgotten first; the summary says whether anything was, and in JSON `summary.forgot` does.
Less is found then, and nothing that would not be found with more memory: a record whose `seq` was
passed and may have been there before is counted, and not judged. That two records of a lock
share a `seq` may go unseen, too, so the order of a lock with such a record counts as unknown in
what it can decide, and `forgot` stands at that lock in JSON. An ignore or a baseline entry that
matched nothing is not told then.

Beside `--memory`, each lock takes 0.6 KB where the locks of a log carry the same fields equally
often, and 1.4 KB where each carries them in other numbers. That is the greatest resident size of
one log less that of a smaller one, over the locks between, by GNU time with `--memory 1M`: `lint`
took 198 MB for 300,000 locks with one record each and 39 MB for 30,000 (`report` 183 and 61 MB),
and 36.5 MB for 8,000 locks of which each has other counts of records and 26.3 MB for 800.
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
    page.push_str(&decidability());
    page
}

const DECIDABILITY: &str = "
## What a pack can decide

After the findings, `lint` says of every lock and class whether its records *can prove* such
an incident, *can only suspect* it (or leave it undecided with this class among the
candidates), or are *blind* to it; `--details` says so lock by lock. A class shows in one way
or in two, and each way asks one question. *In part* means that some of the records concerned
lack what the others carry, or that some such incidents would not show.

Where something is missing, the smallest sets of fields are named that would make it provable
throughout, each with the records that need them; that the records stand in some known order
is taken for granted in the table below, and looked at in a pack. A `seqBy` there means that the resource or
the authority gave `seq`. This is the answer to what should be logged next time; it says
nothing of whether an incident happened.

| class | way | question | enough to prove it |
|---|---|---|---|
";

/// The ways, and what is enough for each: from the same table by which they are judged.
fn decidability() -> String {
    let mut text = DECIDABILITY.to_owned();
    let nothing = Carried::default();
    for verdict in decide(&nothing, &OrderFacts::default(), OrderBy::Auto).iter() {
        let way = verdict.way;
        let sets: Vec<String> = verdict.needs.iter().map(|set| needs(set)).collect();
        let _ = writeln!(
            text,
            "| `{}` | `{}` | {} | {} |",
            way.class,
            way.name,
            way.question,
            sets.join("; or ")
        );
    }
    text
}
