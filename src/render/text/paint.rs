//! Width, colour and the few shapes that lines of text have.

use std::io::{self, Write};

use anstyle::{AnsiColor, Effects, Style as Ansi};
use textwrap::{WordSeparator, WordSplitter, WrapAlgorithm};

use super::group::Section;
use super::phrases::phrases;
use crate::escape;
use crate::incident::catalogue::Language;

/// How the text form looks. Nothing in it is said by colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// The language of the words.
    pub language: Language,
    /// Columns to wrap to, at least 20.
    pub width: usize,
    /// Whether to colour.
    pub colored: bool,
}

impl Default for Style {
    /// English, 80 columns, no colour.
    fn default() -> Style {
        Style {
            language: Language::En,
            width: 80,
            colored: false,
        }
    }
}

pub(super) const PLAIN: Ansi = Ansi::new();
pub(super) const BOLD: Ansi = Ansi::new().effects(Effects::BOLD);
pub(super) const DIM: Ansi = Ansi::new().effects(Effects::DIMMED);

impl Style {
    /// Text that may hold words from a log, wrapped.
    pub(super) fn wrapped(
        &self,
        indent: &str,
        text: &str,
        ansi: Ansi,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.hanging(indent, indent, text, ansi, out)
    }

    /// Text with one indent for its first line and another for the rest.
    pub(super) fn hanging(
        &self,
        first: &str,
        rest: &str,
        text: &str,
        ansi: Ansi,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let text = escape::terminal(text);
        let options = textwrap::Options::new(self.width.max(20))
            .initial_indent(first)
            .subsequent_indent(rest)
            .word_separator(WordSeparator::AsciiSpace)
            .word_splitter(WordSplitter::NoHyphenation)
            .wrap_algorithm(WrapAlgorithm::FirstFit);
        for line in textwrap::wrap(&text, options) {
            writeln!(out, "{}", self.painted(&line, ansi))?;
        }
        Ok(())
    }

    /// A label, and the text after it.
    pub(super) fn labelled(
        &self,
        label: &str,
        text: &str,
        ansi: Ansi,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        self.hanging("  ", "    ", &format!("{label}: {text}"), ansi, out)
    }

    /// A label, and a list below it.
    pub(super) fn list(
        &self,
        label: &str,
        items: &[String],
        ansi: Ansi,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        match items {
            [] => Ok(()),
            [one] => self.labelled(label, one, ansi, out),
            many => {
                self.wrapped("  ", &format!("{label}:"), ansi, out)?;
                many.iter()
                    .try_for_each(|item| self.hanging("    - ", "      ", item, ansi, out))
            }
        }
    }

    pub(super) fn painted(&self, text: &str, ansi: Ansi) -> String {
        if self.colored && ansi != PLAIN {
            format!("{ansi}{text}{ansi:#}")
        } else {
            text.to_owned()
        }
    }

    pub(super) fn heading(
        &self,
        section: Section,
        count: usize,
        suspected: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let name = section.name(self.language).to_uppercase();
        let meaning = section.meaning(self.language, count, suspected);
        let words = phrases(self.language);
        let many = suspected.to_string();
        let count = match suspected {
            0 => count.to_string(),
            _ if suspected == count => words.all_suspected.replace("{}", &many),
            _ => {
                let all = words.some_suspected.replace("{all}", &count.to_string());
                all.replace("{}", &many)
            }
        };
        let text = format!("{name} ({count}): {meaning}");
        self.wrapped("", &text, section.colour().effects(Effects::BOLD), out)
    }
}

impl Section {
    /// The colour of a section, for its heading and the headlines in it.
    pub(super) fn colour(self) -> Ansi {
        let plain = Ansi::new();
        match self {
            Section::Breached => plain.fg_color(Some(AnsiColor::Red.into())),
            Section::Exposed => plain.fg_color(Some(AnsiColor::Yellow.into())),
            Section::Unknown | Section::Undecided => {
                plain.fg_color(Some(AnsiColor::Magenta.into()))
            }
            Section::Guarded => DIM,
        }
    }
}
