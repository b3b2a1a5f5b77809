//! JSON for machines: one incident a line, or one document.
//!
//! The shapes are versioned and stand apart from the types that the rest of the crate
//! works with, see [`v1`]. The words in them are English in every language.

pub mod v1;

use std::io::{self, Write};
use std::thread;

use super::View;
use crate::escape;
use crate::incident::Incident;

/// So many incidents are put into words by one thread at a time.
const BATCH: usize = 128;

/// Writes the shown incidents, one a line.
pub(super) fn lines(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut together = view.shown.chunks(BATCH * view.threads.max(1));
    together.try_for_each(|incidents| lines_on_threads(incidents, out))
}

/// The same of a few batches: each by a thread of its own, the first one by the calling thread.
fn lines_on_threads(incidents: &[&Incident], out: &mut dyn Write) -> io::Result<()> {
    let mut batches = incidents.chunks(BATCH);
    let first = batches.next().unwrap_or_default();
    thread::scope(|scope| {
        let told = |batch| {
            let mut lines = Vec::new();
            each_line(batch, &mut lines).map(|()| lines)
        };
        let others: Vec<_> = batches
            .map(|batch| {
                let thread = thread::Builder::new().spawn_scoped(scope, move || told(batch));
                (batch, thread)
            })
            .collect();
        each_line(first, out)?;
        for (batch, thread) in others {
            match thread {
                Ok(thread) => {
                    let lines = thread.join();
                    out.write_all(
                        &lines.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?,
                    )?;
                }
                // No thread could be had.
                Err(_) => each_line(batch, out)?,
            }
        }
        Ok(())
    })
}

fn each_line(incidents: &[&Incident], out: &mut dyn Write) -> io::Result<()> {
    incidents
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
