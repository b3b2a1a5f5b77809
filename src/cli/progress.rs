//! A line on the terminal that says how far reading has come.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::escape;
use crate::ingest::Progress as Read;

/// Nothing is shown of what is over sooner.
const PATIENCE: Duration = Duration::from_secs(1);
const INTERVAL: Duration = Duration::from_millis(200);

/// The progress line. It is there only while somebody waits for something.
#[derive(Debug)]
pub(super) struct Progress {
    wanted: bool,
    next: Instant,
    shown: bool,
}

impl Progress {
    /// `wanted`: standard error is a terminal.
    pub(super) fn new(wanted: bool) -> Progress {
        Progress {
            wanted,
            next: Instant::now() + PATIENCE,
            shown: false,
        }
    }

    pub(super) fn tick(&mut self, read: &Read<'_>, records: u64) {
        if !self.wanted {
            return;
        }
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + INTERVAL;
        self.shown = true;
        let share = read
            .size
            .filter(|size| *size > 0)
            .map(|size| format!(" {}%", read.bytes.saturating_mul(100) / size))
            .unwrap_or_default();
        let name: String = escape::terminal(read.source_name)
            .chars()
            .take(40)
            .collect();
        let s = if records == 1 { "" } else { "s" };
        let line = format!(
            "\r\x1b[K{}/{} {name}{share}, {} MiB, {records} record{s}",
            read.source + 1,
            read.sources,
            read.total >> 20,
        );
        let mut stderr = io::stderr();
        let _ = stderr
            .write_all(line.as_bytes())
            .and_then(|()| stderr.flush());
    }

    /// Takes the line away, so that something else can be written.
    pub(super) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }
}
