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
                colored: colored(global.color, variable, stdout.is_terminal()),
                ..file
            },
            stderr: Style {
                width: width(terminal_size::terminal_size_of(&stderr)),
                colored: colored(global.color, variable, stderr.is_terminal()),
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

    /// Tells what may be missing from the result, on standard error.
    pub(super) fn warning(&self, message: &str, hint: &str) {
        self.tell("warning", AnsiColor::Yellow, message);
        self.tell("hint", AnsiColor::Cyan, hint);
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

fn variable(name: &str) -> Option<String> {
    let value = env::var_os(name)?;
    Some(value.to_string_lossy().into_owned())
}

/// Whether to colour: what the arguments say, else what the variables say that tools have
/// in common, else whether it is a terminal that can.
fn colored(wish: Color, variable: impl Fn(&str) -> Option<String>, terminal: bool) -> bool {
    match wish {
        Color::Always => return true,
        Color::Never => return false,
        Color::Auto => {}
    }
    let set = |name| variable(name).filter(|value| !value.is_empty());
    let clicolor = set("CLICOLOR");
    if set("NO_COLOR").is_some() {
        false
    } else if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") {
        true
    } else if !terminal || clicolor.as_deref() == Some("0") {
        false
    } else {
        // Windows has no TERM, and its terminals can.
        let dumb = match set("TERM") {
            Some(term) => term == "dumb",
            None => cfg!(unix),
        };
        !dumb || clicolor.is_some() || set("CI").is_some()
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

#[cfg(test)]
mod tests {
    use super::{Color, colored};

    #[test]
    fn variables_decide_only_where_no_argument_does() {
        let ask = |wish, set: &[(&str, &str)], terminal| {
            let variable = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            colored(wish, variable, terminal)
        };
        let term = ("TERM", "xterm");
        for (set, terminal, expected) in [
            (&[term][..], true, true),
            (&[term], false, false),
            (&[("TERM", "dumb")], true, false),
            (&[("TERM", "dumb"), ("CLICOLOR", "1")], true, true),
            (&[term, ("NO_COLOR", "1")], true, false),
            (&[term, ("NO_COLOR", "")], true, true),
            (
                &[term, ("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")],
                true,
                false,
            ),
            (&[("CLICOLOR_FORCE", "1")], false, true),
            (&[("CLICOLOR_FORCE", "0")], false, false),
            (&[("CLICOLOR_FORCE", "")], false, false),
            (&[term, ("CLICOLOR_FORCE", "0")], true, true),
            (&[term, ("CLICOLOR", "0")], true, false),
            (
                &[term, ("CLICOLOR", "0"), ("CLICOLOR_FORCE", "0")],
                true,
                false,
            ),
            (
                &[term, ("CLICOLOR", "0"), ("CLICOLOR_FORCE", "1")],
                true,
                true,
            ),
        ] {
            assert_eq!(
                ask(Color::Auto, set, terminal),
                expected,
                "{set:?} {terminal}"
            );
            assert!(ask(Color::Always, set, terminal), "{set:?}");
            assert!(!ask(Color::Never, set, terminal), "{set:?}");
        }
    }
}
