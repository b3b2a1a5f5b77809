//! JUnit XML: one suite, one test case a code that was raised.
//!
//! A code of severity `error` or `warning` fails, a note is told and passes.

use std::io::{self, Write};

use super::View;
use crate::escape::xml;
use crate::incident::catalogue::Language;
use crate::lint::catalogue::entry;
use crate::lint::code::Severity;
use crate::lint::report::CodeCount;

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let cases: Vec<CodeCount> = view
        .report
        .counts()
        .into_iter()
        .filter(|count| count.tally.total > count.tally.known)
        .collect();
    let failures = cases
        .iter()
        .filter(|count| count.severity > Severity::Note)
        .count();
    let quiet = cases.is_empty();
    let tests = cases.len() + usize::from(quiet);
    let totals = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"lockdiag lint\" {totals}>")?;
    writeln!(
        out,
        "  <testsuite name=\"lockdiag lint\" {totals} skipped=\"0\">"
    )?;
    for case in &cases {
        write_case(view, case, out)?;
    }
    if quiet {
        writeln!(
            out,
            "    <testcase classname=\"lockdiag.lint\" name=\"{} record{}\"/>",
            view.report.records,
            if view.report.records == 1 { "" } else { "s" }
        )?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

fn write_case(view: &View<'_>, case: &CodeCount, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "    <testcase classname=\"lockdiag.lint\" name=\"{} {}\">",
        case.code,
        case.code.name()
    )?;
    let summary = entry(Language::En, case.code).summary;
    let (open, close) = if case.severity > Severity::Note {
        let open = format!(
            "      <failure type=\"{}\" message=\"{}\">",
            case.severity,
            xml(summary)
        );
        (open, "</failure>")
    } else {
        ("      <system-out>".to_owned(), "</system-out>")
    };
    writeln!(out, "{open}")?;
    let findings = view
        .report
        .findings
        .iter()
        .filter(|finding| finding.code == case.code);
    for finding in findings {
        let (source, line) = view.place(finding);
        writeln!(out, "{}:{line}: {}", xml(source), xml(&finding.message))?;
    }
    let left = (case.tally.total - case.tally.known).saturating_sub(case.kept);
    if left > 0 {
        writeln!(out, "and {left} more")?;
    }
    writeln!(out, "{close}")?;
    writeln!(out, "    </testcase>")
}
