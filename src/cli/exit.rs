//! How a run ends: the same codes for every command and every format.

use std::io;
use std::process::ExitCode;

/// The exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done, and nothing at or above `--fail-on`.
    Done,
    /// 1: something at or above `--fail-on`.
    Found,
    /// 2: wrong usage, unreadable input, or an output that can't be written.
    Unusable,
    /// 3: `--strict` and a rejected line, or not one evidence record in the input.
    NoEvidence,
}

impl Exit {
    /// Every exit, by its code.
    pub const ALL: [Exit; 4] = [Exit::Done, Exit::Found, Exit::Unusable, Exit::NoEvidence];

    /// The number that the process ends with.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Found => 1,
            Exit::Unusable => 2,
            Exit::NoEvidence => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Why a command can't go on.
#[derive(Debug)]
pub enum Stop {
    /// Something to be told, and how the run ends.
    Because {
        /// What is wrong: one sentence, no full stop.
        message: String,
        /// What to do about it.
        hint: Option<String>,
        /// How the run ends.
        exit: Exit,
    },
    /// Whoever read the output has read enough.
    ClosedPipe,
}

impl Stop {
    /// Wrong usage, unreadable input, an output that can't be written.
    pub fn unusable(message: impl Into<String>) -> Stop {
        Stop::Because {
            message: message.into(),
            hint: None,
            exit: Exit::Unusable,
        }
    }

    /// The input holds no evidence, or not only.
    pub fn no_evidence(message: impl Into<String>) -> Stop {
        Stop::Because {
            message: message.into(),
            hint: None,
            exit: Exit::NoEvidence,
        }
    }

    /// With a hint.
    #[must_use]
    pub fn hint(self, text: impl Into<String>) -> Stop {
        match self {
            Stop::Because { message, exit, .. } => Stop::Because {
                message,
                hint: Some(text.into()),
                exit,
            },
            Stop::ClosedPipe => Stop::ClosedPipe,
        }
    }

    /// A write that failed. `name` is what was written to.
    pub fn writing(name: &str, error: &io::Error) -> Stop {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Stop::ClosedPipe
        } else {
            Stop::unusable(format!("{name}: cannot be written: {error}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;
    use crate::incident::catalogue::{self, Language};

    #[test]
    fn codes_are_distinct_and_explained() {
        for (code, exit) in (0..).zip(Exit::ALL) {
            assert_eq!(exit.code(), code);
            for language in Language::ALL {
                assert!(catalogue::exit_code(language, code).is_some());
            }
        }
    }
}
