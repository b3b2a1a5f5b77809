//! Writes down what reading brings, and checks what is told of a bad line.

use std::ops::ControlFlow;

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::diagnostic::Finding;
use lockdiag::ingest::{Broken, Counts, Output, Problem, Rejected, Sink};
use miette::{GraphicalReportHandler, GraphicalTheme};

use super::outputs::assert_shown;

/// Everything that a reader reported, in words, and the diagnosis of the records.
#[derive(Default)]
pub struct Seen {
    pub log: Vec<String>,
    pub records: u64,
    pub other: u64,
    pub rejected: u64,
    pub flawed: u64,
    pub broken: bool,
    pub diagnosis: Diagnosis,
}

impl Seen {
    pub fn new(options: Options) -> Seen {
        Seen {
            diagnosis: Diagnosis::new(options),
            ..Seen::default()
        }
    }

    /// The counts say what was reported.
    pub fn assert_counted(&self, counts: &Counts) {
        assert!(!counts.stopped);
        let total = &counts.total;
        assert_eq!(total.records, self.records);
        assert_eq!(total.other, self.other);
        assert_eq!(total.flawed + total.rejected, self.flawed + self.rejected);
        assert!(total.flawed <= total.records);
        assert_eq!(total.broken, self.broken);
    }
}

impl Sink for Seen {
    fn other(&mut self) {
        self.other += 1;
        self.log.push("other".to_owned());
    }

    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        assert_eq!(place.arrival, self.records, "records are counted from 0");
        assert!(place.line > 0, "lines are counted from 1");
        assert!(!record.lock.is_empty(), "a record names its lock");
        self.records += 1;
        self.log.push(format!("{place:?} {record:?}"));
        self.diagnosis.observe(place, record);
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        assert!(!rejected.problems.is_empty());
        if rejected.used {
            self.flawed += 1;
        } else {
            self.rejected += 1;
        }
        for located in rejected.problems {
            assert!(located.line >= rejected.place.line && located.column > 0);
            assert!(located.excerpt.get(located.mark.clone()).is_some());
            assert!(!located.problem.message.is_empty());
            assert!(!located.problem.hint.is_empty());
        }
        let theme = GraphicalTheme::unicode_nocolor();
        let handler = GraphicalReportHandler::new_themed(theme).with_width(80);
        for finding in Finding::of(rejected) {
            let mut told = String::new();
            handler
                .render_report(&mut told, &finding)
                .expect("a String takes everything");
            assert_shown(&told);
        }
        let problems = rejected.problems;
        self.log.push(format!("{:?} {problems:?}", rejected.place));
        ControlFlow::Continue(())
    }

    fn broken(&mut self, broken: &Broken<'_>) -> ControlFlow<()> {
        self.broken = true;
        assert_shown(&Finding::broken(broken).to_string());
        ControlFlow::Continue(())
    }
}

/// What a dialect reported of one frame.
#[derive(Default)]
pub struct OneFrame {
    pub records: Vec<(Record<'static>, Vec<Problem>)>,
    pub rejects: Vec<Problem>,
    pub other: usize,
}

impl OneFrame {
    /// Records, or one reject, or another line: nothing is lost and nothing told twice.
    pub fn assert_whole(&self, frame: &[u8]) {
        match (self.records.len(), self.rejects.len(), self.other) {
            (1.., 0, 0) | (0, 1, 0) | (0, 0, 1) => {}
            other => panic!("records, rejects and other lines of one frame: {other:?}"),
        }
        self.assert_located(frame);
    }

    /// Each problem lies inside the frame and says what would be right.
    pub fn assert_located(&self, frame: &[u8]) {
        let flaws = self.records.iter().flat_map(|(_, problems)| problems);
        for problem in flaws.chain(&self.rejects) {
            assert!(problem.span.start <= problem.span.end, "{problem:?}");
            assert!(problem.span.end <= frame.len(), "{problem:?}");
            assert!(!problem.message.is_empty() && !problem.hint.is_empty());
        }
    }
}

impl Output for OneFrame {
    fn record(&mut self, _: usize, record: &Record<'_>, problems: &[Problem]) {
        assert!(!record.lock.is_empty(), "a record names its lock");
        self.records.push((owned(record), problems.to_vec()));
    }

    fn reject(&mut self, problem: Problem) {
        self.rejects.push(problem);
    }

    fn other(&mut self) {
        self.other += 1;
    }
}

/// A record that outlives its line.
fn owned(record: &Record<'_>) -> Record<'static> {
    use lockdiag::evidence::Active;
    use std::borrow::Cow;
    let text = |text: &Option<Cow<'_, str>>| text.as_ref().map(|t| Cow::Owned(t.to_string()));
    Record {
        lock: Cow::Owned(record.lock.to_string()),
        event: record.event,
        answer: record.answer,
        owner: text(&record.owner),
        lease: text(&record.lease),
        token: record.token,
        before: record.before,
        after: record.after,
        seq: record.seq,
        seq_by: record.seq_by,
        key: text(&record.key),
        operation: text(&record.operation),
        active: match &record.active {
            Active::Unrecorded => Active::Unrecorded,
            Active::None => Active::None,
            Active::Lease {
                owner,
                lease,
                token,
            } => Active::Lease {
                owner: text(owner),
                lease: text(lease),
                token: *token,
            },
        },
    }
}
