//! What is heard of the parts of a frame, and of the whole.

use super::piece::Piece;
use crate::evidence::{Answer, Record};
use crate::ingest::{Output, Problem, ProblemKind};

/// What a value came to, the better the later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Found {
    /// Other text.
    Nothing,
    /// What was meant as evidence, with something wrong.
    Flawed,
    /// A record without an answer: labels may look so.
    Unanswered,
    /// A record.
    Sound,
}

/// The [`Output`] for one part. An object that names no lock is no evidence in it.
pub(super) struct Named<'o, 'p> {
    output: &'o mut dyn Output,
    /// Whether the output gets to know.
    aloud: bool,
    piece: &'p Piece<'p>,
    pub(super) found: Found,
}

impl<'o, 'p> Named<'o, 'p> {
    pub(super) fn new(
        output: &'o mut dyn Output,
        aloud: bool,
        piece: &'p Piece<'p>,
    ) -> Named<'o, 'p> {
        Named {
            output,
            aloud,
            piece,
            found: Found::Nothing,
        }
    }

    fn placed(&self, problem: &Problem) -> Problem {
        Problem {
            span: self.piece.span(&problem.span),
            ..problem.clone()
        }
    }
}

impl Output for Named<'_, '_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        self.found = match (problems, record.answer) {
            ([_, ..], _) => Found::Flawed,
            ([], Answer::InDoubt) => Found::Unanswered,
            ([], _) => Found::Sound,
        };
        if self.aloud {
            let problems: Vec<_> = problems.iter().map(|one| self.placed(one)).collect();
            let offset = self.piece.span(&(offset..offset)).start;
            self.output.record(offset, record, &problems);
        }
    }

    fn reject(&mut self, problem: Problem) {
        if problem.kind == ProblemKind::NoLock {
            return;
        }
        self.found = Found::Flawed;
        if self.aloud {
            self.output.reject(self.placed(&problem));
        }
    }

    fn also(&mut self, problem: Problem) {
        if self.aloud && self.found == Found::Flawed {
            self.output.also(self.placed(&problem));
        }
    }

    fn other(&mut self) {}
}

/// The [`Output`] for the whole frame: what is wrong with it waits until its parts were read.
pub(super) struct Whole<'o> {
    pub(super) output: &'o mut dyn Output,
    pub(super) is_record: bool,
    problems: Vec<Problem>,
}

impl<'o> Whole<'o> {
    pub(super) fn new(output: &'o mut dyn Output) -> Whole<'o> {
        Whole {
            output,
            is_record: false,
            problems: Vec::new(),
        }
    }

    /// Whether it is other text as a whole.
    pub(super) fn is_other(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether it can't be read as JSON.
    pub(super) fn is_unreadable(&self) -> bool {
        let first = self.problems.first();
        first.is_some_and(|problem| problem.kind == ProblemKind::Unreadable)
    }

    /// Says what the frame is, once it is known what its parts came to.
    pub(super) fn finish(self, found: Found) {
        let mut problems = self.problems.into_iter();
        match problems.next() {
            _ if found > Found::Nothing => {}
            Some(problem) => {
                self.output.reject(problem);
                problems.for_each(|problem| self.output.also(problem));
            }
            None => self.output.other(),
        }
    }
}

impl Output for Whole<'_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        self.is_record = true;
        self.output.record(offset, record, problems);
    }

    fn reject(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn also(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn other(&mut self) {}
}
