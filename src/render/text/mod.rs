//! The form for people: what happened, who, which lines show it, what to check, what to
//! do next, what may not be concluded.
//!
//! The worst comes first. What a whole group of incidents has in common is said once.

mod block;
mod group;
mod paint;
mod phrases;
pub mod summary;

use std::io::{self, Write};

use super::View;
use crate::incident::catalogue::{self, Label};
use crate::incident::{CautionKind, Incident, Status};
pub use block::Change;
pub(crate) use block::short;
use group::{Section, groups};
pub use paint::Style;
use phrases::phrases;

pub(super) fn render(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    if view.shown.is_empty() {
        return nothing(view, style, out);
    }
    let mut first = true;
    for section in Section::ALL {
        let groups = groups(&view.shown, section, style.language);
        if groups.is_empty() {
            continue;
        }
        if !std::mem::take(&mut first) {
            writeln!(out)?;
        }
        let members = || groups.iter().flat_map(|group| &group.members);
        let suspected = members().filter(|one| one.incident.status == Status::Suspected);
        style.heading(section, members().count(), suspected.count(), out)?;
        for group in &groups {
            writeln!(out)?;
            group.write(style, out)?;
        }
    }
    Ok(())
}

/// Writes one incident on its own, as it is concluded.
///
/// # Errors
/// What the writer says.
pub fn one(
    incident: &Incident,
    change: Change,
    style: &Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    block::change(incident, change, style, out)?;
    group::alone(incident, style.language).write(style, out)?;
    writeln!(out)
}

/// Says of an incident concluded before that later records took it back.
///
/// # Errors
/// What the writer says.
pub fn withdrawn(incident: &Incident, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    block::change(incident, Change::Withdrawn, style, out)?;
    let headline = catalogue::headline(style.language, &block::shortened(incident));
    style.wrapped("", &headline, paint::DIM, out)?;
    writeln!(out)
}

/// There is nothing to show: what that means, and what it does not.
fn nothing(view: &View<'_>, style: &Style, out: &mut dyn Write) -> io::Result<()> {
    let language = style.language;
    let words = phrases(language);
    if view.summary.records == 0 {
        return style.wrapped("", words.no_evidence, paint::PLAIN, out);
    }
    if view.hidden() > 0 {
        let hidden = catalogue::count(language, view.hidden() as u64, catalogue::Noun::Incident);
        let text = words.all_hidden.replace("{}", &hidden);
        return style.wrapped("", &text, paint::PLAIN, out);
    }
    let headline = format!("{}.", catalogue::label(language, Label::NoIncident));
    style.wrapped("", &headline, paint::BOLD, out)?;
    if view.summary.decided_writes == 0 {
        let caution = catalogue::caution_kind(language, CautionKind::NoWriteDecided);
        style.wrapped("", caution.meaning, paint::PLAIN, out)?;
    }
    if view.lines.rejected > 0 {
        let lines = catalogue::count(language, view.lines.rejected, catalogue::Noun::RejectedLine);
        style.wrapped(
            "",
            &words.lines_rejected.replace("{}", &lines),
            paint::PLAIN,
            out,
        )?;
    }
    if !view.summary.withheld.is_empty() {
        let locks = catalogue::count(
            language,
            view.summary.withheld.len() as u64,
            catalogue::Noun::Lock,
        );
        let text = words.verdicts_withheld.replace("{}", &locks);
        style.wrapped("", &text, paint::PLAIN, out)?;
    }
    let means = catalogue::label(language, Label::NoIncidentMeans);
    style.wrapped("", means, paint::PLAIN, out)
}
