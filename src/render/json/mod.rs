//! JSON for machines: one incident a line, or one document.
//!
//! The shapes are versioned and stand apart from the types that the rest of the crate
//! works with, see [`v1`]. The words in them are English in every language.

pub mod v1;

use std::io::{self, Write};

use super::View;
use crate::escape;
use crate::incident::Incident;

/// Writes the shown incidents, one a line.
pub(super) fn lines(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    view.shown
        .iter()
        .try_for_each(|incident| line(incident, out))
}

/// Writes one incident as one line.
///
/// # Errors
/// What the writer says.
pub fn line(incident: &Incident, out: &mut dyn Write) -> io::Result<()> {
    escape::json(out, &v1::Incident::new(incident))?;
    out.write_all(b"\n")
}

/// Writes one document. Each incident has its own line, so that a difference between two
/// runs can be read, and no more than one of them is held in words at a time.
pub(super) fn document(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"schema\":")?;
    escape::json(out, v1::CLASSIFICATION)?;
    out.write_all(b",\"incidents\":[")?;
    for (index, incident) in view.shown.iter().enumerate() {
        out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
        escape::json(out, &v1::Incident::new(incident))?;
    }
    out.write_all(b"\n],\"summary\":")?;
    escape::json(out, &v1::Summary::new(view))?;
    out.write_all(b"}\n")
}

#[cfg(test)]
pub(crate) mod tests;
