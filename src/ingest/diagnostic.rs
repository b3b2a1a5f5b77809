//! Shows what is wrong with a line: the file, the place, the slice marked, one hint.

use std::fmt;

use miette::{Diagnostic, LabeledSpan, Severity, SourceCode};

use super::excerpt::Excerpt;
use super::sink::{Broken, Located, Rejected};
use crate::escape::terminal;

/// One problem, ready to be shown. Everything that comes from the log is escaped.
#[derive(Debug)]
pub struct Finding {
    /// What is wrong.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: String,
    /// What it is called.
    pub(crate) code: Option<String>,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// Where it is.
    pub(crate) excerpt: Option<Excerpt>,
}

impl Finding {
    /// One finding for each problem of a line or value: an error where nothing of it can
    /// be used, a warning where only a field is left out.
    pub fn of(rejected: &Rejected<'_>) -> impl Iterator<Item = Finding> {
        let (name, used) = (rejected.source_name, rejected.used);
        rejected
            .problems
            .iter()
            .map(move |located| Finding::located(name, used, located))
    }

    /// An input that ended before its end.
    pub fn broken(broken: &Broken<'_>) -> Finding {
        Finding {
            message: format!(
                "{}:{}:{}: {}",
                terminal(broken.source_name),
                broken.line,
                broken.column,
                terminal(&broken.error.to_string())
            ),
            hint: broken.error.hint().to_owned(),
            code: None,
            severity: Severity::Error,
            excerpt: None,
        }
    }

    fn located(name: &str, used: bool, located: &Located) -> Finding {
        let place = (located.line, located.column);
        Finding {
            message: terminal(&located.problem.message).into_owned(),
            hint: terminal(&located.problem.hint).into_owned(),
            code: None,
            severity: if used {
                Severity::Warning
            } else {
                Severity::Error
            },
            excerpt: Some(Excerpt::new(
                name,
                place,
                &located.excerpt,
                &located.mark,
                "here",
            )),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Finding {}

impl Diagnostic for Finding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let code = self.code.as_ref()?;
        Some(Box::new(code))
    }

    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(&self.hint))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt
            .as_ref()
            .map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let label = self.excerpt.as_ref()?.label().clone();
        Some(Box::new(std::iter::once(label)))
    }
}

#[cfg(test)]
mod tests {
    use super::Finding;
    use crate::evidence::{Place, Record};
    use crate::ingest::{self, ReadOptions, Rejected, Sink, Source};
    use miette::{GraphicalReportHandler, GraphicalTheme};
    use std::ops::ControlFlow;

    struct Shown(String);

    impl Sink for Shown {
        fn record(&mut self, _: Place, _: &Record<'_>) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }

        fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
            let handler = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
                .with_width(90);
            for finding in Finding::of(rejected) {
                handler.render_report(&mut self.0, &finding).unwrap();
            }
            ControlFlow::Continue(())
        }
    }

    fn show(input: String) -> String {
        let mut shown = Shown(String::new());
        let source = Source::reader("logs/\u{1b}[1mapp.jsonl", std::io::Cursor::new(input));
        ingest::read(vec![source], &ReadOptions::default(), &mut shown).unwrap();
        shown.0
    }

    #[test]
    fn the_slice_is_marked_in_its_line() {
        insta::assert_snapshot!(show(
            "\n\n{\"lockName\":\"a\",\"event\":\"write\",\"result\":\"acepted\",\"fenceToken\":-1}\n".to_owned()
        ));
    }

    #[test]
    fn hostile_text_is_written_out_and_a_long_line_cut() {
        let long = "x".repeat(10_000);
        let shown = show(format!(
            "{{\"lockName\":\"\u{202e}\u{9b}31m{long}\",\"event\":\"\u{202e}wr\u{7f}\",\"result\":\"released\",\"y\":\"{long}\"}}"
        ));
        assert!(!shown.contains(['\u{202e}', '\u{9b}', '\u{7f}', '\u{1b}']));
        assert!(shown.len() < 2000, "{}", shown.len());
        insta::assert_snapshot!(shown);
    }
}
