//! What a command does with each thing that is read: records go to its observer, complaints
//! to standard error, rejected lines to their file.

use std::io::{self, Write};
use std::ops::ControlFlow;

use miette::GraphicalReportHandler;

use super::further::Further;
use super::rejects::Rejects;
use super::unused::Unused;
use super::{Observer, handler};
use crate::cli::exit::Stop;
use crate::cli::observers::Team;
use crate::cli::progress::Progress;
use crate::cli::terminal::Terminal;
use crate::evidence::{Place, Record};
use crate::ingest::diagnostic::Finding;
use crate::ingest::{self, Broken, Kept, Rejected, Sink};

/// Complaints that are shown; of further ones the lines are told.
const SHOWN: u64 = 20;

/// Hands on what is read to the observer of a command, and tells the rest to people.
pub(super) struct Taking<'a> {
    observer: &'a mut dyn Observer,
    /// The names of the inputs, by [`Place::source`].
    names: &'a [String],
    team: &'a Team,
    terminal: &'a Terminal,
    handler: GraphicalReportHandler,
    rejects: Option<Rejects>,
    strict: bool,
    progress: Progress,
    records: u64,
    unused: Unused,
    complaints: u64,
    further: Further,
    broken: bool,
    stop: Option<Stop>,
}

impl<'a> Taking<'a> {
    pub(super) fn new(
        observer: &'a mut dyn Observer,
        names: &'a [String],
        team: &'a Team,
        terminal: &'a Terminal,
        rejects: Option<Rejects>,
        strict: bool,
    ) -> Taking<'a> {
        Taking {
            observer,
            names,
            team,
            terminal,
            handler: handler(terminal),
            rejects,
            strict,
            progress: Progress::new(terminal.watched),
            records: 0,
            unused: Unused::default(),
            complaints: 0,
            further: Further::default(),
            broken: false,
            stop: None,
        }
    }

    /// Whether an input ended before its end, and what is no evidence.
    ///
    /// # Errors
    /// Why reading stopped, or why the rejects could not be kept.
    pub(super) fn finish(mut self) -> Result<(bool, Unused), Stop> {
        self.progress.clear();
        self.count_the_rest();
        // A run that stops early has kept its lines as well.
        let kept = self.rejects.map_or(Ok(()), Rejects::finish);
        if let Some(stop) = self.stop {
            return Err(stop);
        }
        kept.map(|()| (self.broken, self.unused))
    }

    fn show(&mut self, rejected: &Rejected<'_>) {
        for (finding, located) in Finding::of(rejected).zip(rejected.problems) {
            self.complaints += 1;
            if self.complaints > SHOWN {
                self.further.add(rejected.source_name, located.line);
            } else {
                self.show_one(&finding);
            }
        }
    }

    fn show_one(&mut self, finding: &Finding) {
        self.progress.clear();
        let mut text = String::new();
        if self.handler.render_report(&mut text, finding).is_ok() {
            let _ = writeln!(io::stderr(), "{}", text.trim_end());
        }
    }

    fn count_the_rest(&self) {
        if let Some(further) = self.further.told() {
            let _ = writeln!(io::stderr(), "{further}");
        }
    }

    fn stop(&mut self, stop: Stop) -> ControlFlow<()> {
        self.stop = Some(stop);
        ControlFlow::Break(())
    }
}

impl Sink for Taking<'_> {
    fn frame(&mut self, place: Place, bytes: &[u8]) {
        if self.records == 0 {
            self.unused.keep(bytes);
        }
        if self.team.may_leave_evidence(place.source) {
            self.unused.look_inside(place, bytes);
        }
        self.observer.frame(place, bytes);
    }

    fn other(&mut self) {
        self.unused.other();
        self.observer.other();
    }

    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        self.records += 1;
        match self.team.adapted(place.source, record) {
            Some(record) => self.observer.record(place, &record),
            None => self.observer.record(place, record),
        }
        ControlFlow::Continue(())
    }

    fn kept(&mut self, place: Place, kept: &Kept<'_>) -> ControlFlow<()> {
        if self.team.adapts(place.source) {
            self.frame(place, kept.frame());
            return self.record(place, &kept.record());
        }
        self.records += 1;
        self.observer.kept(place, kept);
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        // Who stops here is told why, and gets no result that would tell it.
        if !self.observer.rejected(rejected) || self.strict {
            self.show(rejected);
        }
        if let Some(rejects) = &mut self.rejects
            && let Err(stop) = rejects.keep(rejected)
        {
            self.rejects = None;
            return self.stop(stop);
        }
        if self.strict {
            let place = rejected.problems.first().map_or_else(
                || rejected.source_name.to_owned(),
                |one| format!("{}:{}:{}", rejected.source_name, one.line, one.column),
            );
            let without = if rejected.used {
                "without --strict the record is used but for what is wrong in it"
            } else {
                "without --strict the line is left out and the others are used"
            };
            return self.stop(
                Stop::no_evidence(format!("{place}: stopped here, as --strict asks")).hint(without),
            );
        }
        ControlFlow::Continue(())
    }

    fn rejected_rest(&mut self, bytes: &[u8]) {
        if let Some(rejects) = &mut self.rejects
            && let Err(stop) = rejects.keep_more(bytes)
        {
            self.rejects = None;
            self.stop.get_or_insert(stop);
        }
    }

    fn wants_rest(&self) -> bool {
        self.rejects.is_some()
    }

    fn broken(&mut self, broken: &Broken<'_>) -> ControlFlow<()> {
        self.broken = true;
        self.observer.broken(broken);
        self.progress.clear();
        // Never lost among the complaints about lines: a part of the input is missing.
        let finding = Finding::broken(broken);
        let hint = miette::Diagnostic::help(&finding).map(|hint| hint.to_string());
        self.terminal.error(&finding.to_string(), hint.as_deref());
        ControlFlow::Continue(())
    }

    fn idle(&mut self, progress: &ingest::Progress<'_>) -> ControlFlow<()> {
        if !self.observer.tells_of_evidence_inside()
            && let Some(place) = self.unused.take_first(self.records, progress.total)
        {
            self.progress.clear();
            let name = self.names.get(place.source as usize);
            let (name, line) = (name.map_or("", String::as_str), place.line);
            self.terminal.warning(
                &format!("{name}:{line}: evidence stands inside other text here, and none is read from such lines"),
                &self.unused.reads_the_first(),
            );
        }
        self.progress.tick(progress, self.records);
        if self.stop.is_some() {
            return ControlFlow::Break(());
        }
        match self.observer.idle() {
            Ok(()) => ControlFlow::Continue(()),
            Err(stop) => self.stop(stop),
        }
    }
}
