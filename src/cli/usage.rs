//! What a wrong command line is told: one sentence and one hint, as every other error.

use std::error::Error as _;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::exit::Stop;
use crate::near;

/// Says what is wrong with the arguments. `None` where help or the version was asked for,
/// or nothing was asked for at all.
pub(super) fn told(error: &clap::Error) -> Option<Stop> {
    let said = Said(error);
    let (message, hint) = match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => return None,
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => said.value()?,
        ErrorKind::UnknownArgument => said.argument()?,
        ErrorKind::InvalidSubcommand => said.command()?,
        ErrorKind::ArgumentConflict => said.conflict()?,
        ErrorKind::MissingRequiredArgument => {
            let names = said.strings(ContextKind::InvalidArg);
            let names: Vec<String> = names.into_iter().map(either).collect();
            let message = format!("`{}` needs {}", said.path(), names.join(" and "));
            (message, said.help("says more"))
        }
        ErrorKind::TooManyValues => said.valueless()?,
        _ => (said.first_line(), said.help("says how it is called")),
    };
    Some(Stop::unusable(message).hint(hint))
}

/// What clap has to say of an error.
struct Said<'e>(&'e clap::Error);

impl Said<'_> {
    fn string(&self, kind: ContextKind) -> Option<&str> {
        match self.0.get(kind)? {
            ContextValue::String(text) => Some(text),
            _ => None,
        }
    }

    fn strings(&self, kind: ContextKind) -> Vec<&str> {
        match self.0.get(kind) {
            Some(ContextValue::String(text)) => vec![text],
            Some(ContextValue::Strings(texts)) => texts.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        }
    }

    /// The command that was called, as in `lockdiag map show`.
    fn path(&self) -> String {
        let usage = match self.0.get(ContextKind::Usage) {
            Some(ContextValue::StyledStr(usage)) => usage.to_string(),
            _ => String::new(),
        };
        let words = usage.trim_start_matches("Usage:").split_whitespace();
        let words: Vec<&str> = words
            .take_while(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))
            .collect();
        if words.is_empty() {
            return "lockdiag".to_owned();
        }
        words.join(" ")
    }

    fn help(&self, does: &str) -> String {
        format!("`{} --help` {does}", self.path())
    }

    /// What clap would have begun with.
    fn first_line(&self) -> String {
        let text = self.0.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.trim_start_matches("error: ").to_owned()
    }

    fn value(&self) -> Option<(String, String)> {
        let argument = bare(self.string(ContextKind::InvalidArg)?);
        let value = self.string(ContextKind::InvalidValue)?;
        let words = self.strings(ContextKind::ValidValue);
        let message = if value.is_empty() {
            format!("`{argument}` needs a value")
        } else {
            format!("`{argument}` can't be `{value}`")
        };
        // A list is longer than one word, and worth more than a far one.
        let hint = match (near::nearest(value, words.iter().copied()), self.0.source()) {
            (Some(nearest), _) => did_you_mean(nearest),
            (None, Some(reason)) => reason.to_string(),
            (None, None) if words.is_empty() => {
                let whole = self.string(ContextKind::InvalidArg)?;
                format!("write it as `{}`", whole.replace(['<', '>'], ""))
            }
            (None, None) => format!("it can be {}", words.join(", ")),
        };
        Some((message, hint))
    }

    fn valueless(&self) -> Option<(String, String)> {
        let argument = bare(self.string(ContextKind::InvalidArg)?);
        let message = format!("`{argument}` takes no value");
        Some((message, format!("write `{argument}` alone")))
    }

    fn argument(&self) -> Option<(String, String)> {
        let argument = self.string(ContextKind::InvalidArg)?;
        let path = self.path();
        let message = if argument.starts_with('-') {
            format!("`{path}` has no option `{argument}`")
        } else {
            format!("`{argument}` is one argument too many for `{path}`")
        };
        let near = |known: &&str| near::distance(argument, bare(known)).is_some();
        let suggested = self.strings(ContextKind::SuggestedArg);
        let hint = match suggested.into_iter().find(near) {
            Some(nearest) => did_you_mean(bare(nearest)),
            None => self.help("lists what it takes"),
        };
        Some((message, hint))
    }

    fn command(&self) -> Option<(String, String)> {
        let name = self.string(ContextKind::InvalidSubcommand)?;
        let path = self.path();
        let message = format!("there is no command `{name}`");
        let near = |known: &&str| near::distance(name, known).is_some();
        let suggested = self.strings(ContextKind::SuggestedSubcommand);
        let hint = match suggested.into_iter().find(near) {
            Some(nearest) => did_you_mean(nearest),
            // Somebody named the log at once.
            None if path == "lockdiag" && Path::new(name).exists() => {
                did_you_mean(&format!("lockdiag classify {name}"))
            }
            // What `show` shows.
            None if path == "lockdiag map" && matches!(name, "presets" | "preset" | "list") => {
                "`lockdiag map show` lists the presets".to_owned()
            }
            None => commands(&path),
        };
        Some((message, hint))
    }

    fn conflict(&self) -> Option<(String, String)> {
        let argument = bare(self.string(ContextKind::InvalidArg)?);
        let others = self.strings(ContextKind::PriorArg);
        let others: Vec<&str> = others.into_iter().map(bare).collect();
        if others.is_empty() || others == [argument] {
            let message = format!("`{argument}` is given twice");
            return Some((message, "give it once".to_owned()));
        }
        let others: Vec<String> = others.into_iter().map(quoted).collect();
        let message = format!("`{argument}` does not go with {}", others.join(", "));
        Some((message, "leave one of them out".to_owned()))
    }
}

/// `--memory` of `--memory <SIZE>`, and `NAME` of `<NAME>`.
fn bare(argument: &str) -> &str {
    let first = argument.split_whitespace().next().unwrap_or(argument);
    first
        .trim_end_matches('.')
        .trim_matches(['<', '>', '[', ']'])
}

/// Each of several arguments of which one is needed: `<--story <NAME>|--seed <N>>`.
fn either(arguments: &str) -> String {
    let all: Vec<String> = arguments
        .split('|')
        .map(|one| quoted(bare(one.trim_start_matches('<'))))
        .collect();
    all.join(" or ")
}

fn quoted(word: &str) -> String {
    format!("`{word}`")
}

pub(super) fn did_you_mean(nearest: &str) -> String {
    format!("did you mean `{nearest}`?")
}

/// The command that was likely meant, or all.
pub(super) fn command_hint(tool: &clap::Command, name: &str) -> String {
    let names = tool.get_subcommands().map(clap::Command::get_name);
    near::nearest(name, names).map_or_else(|| listed(tool), did_you_mean)
}

fn listed(tool: &clap::Command) -> String {
    let names: Vec<&str> = tool
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    format!("the commands are {}", names.join(", "))
}

/// The commands of a command, by its path.
fn commands(path: &str) -> String {
    let tool = super::command();
    let mut found = &tool;
    for word in path.split_whitespace().skip(1) {
        found = found.find_subcommand(word).unwrap_or(found);
    }
    listed(found)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Cli;
    use super::super::exit::{Exit, Stop};
    use super::told;

    fn said(arguments: &[&str]) -> Option<(String, String)> {
        let all = std::iter::once("lockdiag").chain(arguments.iter().copied());
        match told(&Cli::try_parse_from(all).unwrap_err())? {
            Stop::Because {
                message,
                hint,
                exit,
            } => {
                assert_eq!(exit, Exit::Unusable);
                Some((message, hint.unwrap()))
            }
            Stop::ClosedPipe => panic!("nothing was written"),
        }
    }

    #[test]
    fn help_and_version_are_no_errors() {
        for arguments in [&["--help"][..], &["--version"], &["help", "lint"], &[]] {
            assert_eq!(said(arguments), None, "{arguments:?}");
        }
    }

    #[test]
    fn every_wrong_argument_is_one_sentence_and_one_hint() {
        for arguments in [
            &["clasify"][..],
            &["frobnicate"],
            &["map", "shwo"],
            &["map", "frobnicate"],
            &["classify", "--folow"],
            &["classify", "--frobnicate"],
            &["classify", "-x"],
            &["classify", "--threads", "0"],
            &["classify", "--threads"],
            &["classify", "--threads=1", "--threads=2"],
            &["classify", "--timeline", "--follow"],
            &["classify", "--quiet=yes"],
            &["classify", "--order", ""],
            &["classify", "--lock", "["],
            &["completions"],
            &["schema", "incident", "twice"],
            &["simulate", "--story", "trainin"],
        ] {
            let (message, hint) = said(arguments).unwrap();
            for text in [&message, &hint] {
                assert!(!text.is_empty() && !text.contains('\n'), "{text:?}");
                assert!(!text.ends_with('.') && !text.contains("error:"), "{text:?}");
            }
        }
    }
}
