//! What the command line knows of its surroundings: colours, width, language.

use std::env;
use std::io::{self, IsTerminal, Write};

use anstyle::{AnsiColor, Style as Ansi};

use super::args::{Color, Global, Lang};
use crate::escape;
use crate::incident::catalogue::Language;
use crate::render::text::Style;

/// The width where there is no terminal to ask.
const PLAIN_WIDTH: usize = 80;
/// Lines longer than this are hard to read on any terminal.
const WIDEST: usize = 110;

/// The surroundings of one run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terminal {
    /// For what goes to standard output.
    pub(super) stdout: Style,
    /// For what goes to standard error.
    pub(super) stderr: Style,
    /// For what goes to a file.
    pub(super) file: Style,
    /// Whether somebody watches standard error.
    pub(super) watched: bool,
}

impl Terminal {
    pub(super) fn new(global: &Global) -> Terminal {
        let language = match global.lang {
            Some(Lang::En) => Language::En,
            Some(Lang::Ru) => Language::Ru,
            None => locale(),
        };
        let file = Style {
            language,
            width: PLAIN_WIDTH,
            colored: false,
        };
        let stdout = io::stdout();
        let stderr = io::stderr();
        Terminal {
            stdout: Style {
                width: width(terminal_size::terminal_size_of(&stdout)),
                colored: colored(global.color, anstream::AutoStream::choice(&stdout)),
                ..file
            },
            stderr: Style {
                width: width(terminal_size::terminal_size_of(&stderr)),
                colored: colored(global.color, anstream::AutoStream::choice(&stderr)),
                ..file
            },
            file,
            watched: stderr.is_terminal(),
        }
    }

    /// Tells what is wrong, on standard error.
    pub(super) fn error(&self, message: &str, hint: Option<&str>) {
        self.tell("error", AnsiColor::Red, message);
        if let Some(hint) = hint {
            self.tell("hint", AnsiColor::Cyan, hint);
        }
    }

    fn tell(&self, word: &str, color: AnsiColor, message: &str) {
        let ansi = Ansi::new().bold().fg_color(Some(color.into()));
        let word = if self.stderr.colored {
            format!("{ansi}{word}{ansi:#}")
        } else {
            word.to_owned()
        };
        // Where standard error is closed there is nobody left to tell.
        let _ = writeln!(io::stderr(), "{word}: {}", escape::terminal(message));
    }
}

fn width(size: Option<(terminal_size::Width, terminal_size::Height)>) -> usize {
    size.map_or(PLAIN_WIDTH, |(width, _)| {
        usize::from(width.0).clamp(40, WIDEST)
    })
}

fn colored(wish: Color, auto: anstream::ColorChoice) -> bool {
    match wish {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => !matches!(auto, anstream::ColorChoice::Never),
    }
}

/// The language of the locale, as POSIX ranks its variables; English unless it is one
/// that is spoken here.
fn locale() -> Language {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| env::var(name).ok())
        .find(|value| !value.is_empty())
        .and_then(|value| Language::from_tag(&value))
        .unwrap_or_default()
}
