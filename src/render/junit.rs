//! JUnit XML: one suite, one test case a lock.
//!
//! A lock fails where its records show or fit a failure of the protection, is skipped
//! where they leave it open, and passes where the protection held.

use std::collections::HashMap;
use std::io::{self, Write};

use super::{Severity, View};
use crate::escape::xml;
use crate::incident::catalogue::{self, Language};
use crate::incident::{Incident, Status};

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let cases = cases(view);
    let failures = cases
        .iter()
        .filter(|case| case.verdict == Verdict::Failure)
        .count();
    let skipped = cases
        .iter()
        .filter(|case| case.verdict == Verdict::Skipped)
        .count();
    let quiet = view.summary.locks.saturating_sub(cases.len() as u64);
    let tests = cases.len() + usize::from(quiet > 0);
    let totals = format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\"");
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<testsuites name=\"lockdiag\" {totals}>")?;
    writeln!(
        out,
        "  <testsuite name=\"lockdiag\" {totals} skipped=\"{skipped}\">"
    )?;
    for case in &cases {
        write_case(case, out)?;
    }
    if quiet > 0 {
        writeln!(
            out,
            "    <testcase classname=\"lockdiag\" name=\"locks without an incident here: {quiet}\"/>"
        )?;
    }
    writeln!(out, "  </testsuite>\n</testsuites>")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Passed,
    Skipped,
    Failure,
}

struct Case<'a> {
    incidents: Vec<&'a Incident>,
    verdict: Verdict,
}

/// The shown incidents by lock, in order of the first of each.
fn cases<'a>(view: &View<'a>) -> Vec<Case<'a>> {
    let mut index: HashMap<&str, usize> = HashMap::new();
    let mut cases: Vec<Case<'a>> = Vec::new();
    for incident in &view.shown {
        let at = *index.entry(&incident.lock_name).or_insert(cases.len());
        match cases.get_mut(at) {
            Some(case) => case.incidents.push(incident),
            None => cases.push(Case {
                incidents: vec![incident],
                verdict: Verdict::Passed,
            }),
        }
    }
    for case in &mut cases {
        let any = |test: fn(&Incident) -> bool| case.incidents.iter().any(|one| test(one));
        case.verdict = if any(|one| Severity::of(one) > Severity::Note) {
            Verdict::Failure
        } else if any(|one| one.status == Status::Undecided) {
            Verdict::Skipped
        } else {
            Verdict::Passed
        };
        case.incidents.sort_by_key(|one| {
            let decided = one.status != Status::Undecided;
            (std::cmp::Reverse(Severity::of(one)), decided)
        });
    }
    cases
}

fn write_case(case: &Case<'_>, out: &mut dyn Write) -> io::Result<()> {
    // A case is only made for an incident.
    let Some(worst) = case.incidents.first() else {
        return Ok(());
    };
    writeln!(
        out,
        "    <testcase classname=\"lockdiag\" name=\"{}\">",
        xml(&worst.lock_name)
    )?;
    let headline = catalogue::headline(Language::En, worst);
    match case.verdict {
        Verdict::Failure => {
            let kind = format!("{}/{}", worst.class(), worst.variant);
            write!(
                out,
                "      <failure type=\"{}\" message=\"{}\">",
                xml(&kind),
                xml(&headline)
            )?;
            body(case, out)?;
            writeln!(out, "</failure>")?;
        }
        Verdict::Skipped | Verdict::Passed => {
            if case.verdict == Verdict::Skipped {
                writeln!(out, "      <skipped message=\"{}\"/>", xml(&headline))?;
            }
            write!(out, "      <system-out>")?;
            body(case, out)?;
            writeln!(out, "</system-out>")?;
        }
    }
    writeln!(out, "    </testcase>")
}

fn body(case: &Case<'_>, out: &mut dyn Write) -> io::Result<()> {
    for incident in &case.incidents {
        let told = catalogue::tell(Language::En, incident);
        writeln!(
            out,
            "\n{}/{} ({}, {}) {}",
            incident.class(),
            incident.variant,
            incident.status.name(),
            incident.outcome.name(),
            incident.id
        )?;
        let headline = catalogue::headline(Language::En, incident);
        for text in [&headline, &told.observation, &told.next_action] {
            writeln!(out, "{}", xml(text))?;
        }
        for witness in &incident.evidence {
            writeln!(
                out,
                "  {}:{} {}",
                xml(&witness.source),
                witness.line,
                witness.role.name()
            )?;
        }
    }
    Ok(())
}
