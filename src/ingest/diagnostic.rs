//! Shows what is wrong with a line: the file, the place, the slice marked, one hint.

use std::fmt;

use miette::{
    Diagnostic, LabeledSpan, MietteError, MietteSpanContents, Severity, SourceCode, SourceSpan,
    SpanContents,
};

use super::sink::{Broken, Located, Rejected};
use crate::escape::terminal;

/// One problem, ready to be shown. Everything that comes from the log is escaped.
#[derive(Debug)]
pub struct Finding {
    message: String,
    hint: String,
    excerpt: Option<Excerpt>,
    mark: SourceSpan,
    severity: Severity,
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
            excerpt: None,
            mark: (0, 0).into(),
            severity: Severity::Error,
        }
    }

    fn located(name: &str, used: bool, located: &Located) -> Finding {
        let cut = |range| terminal(located.excerpt.get(range).unwrap_or_default());
        let mut text = cut(0..located.mark.start).into_owned();
        let start = text.len();
        text.push_str(&cut(located.mark.clone()));
        let length = text.len() - start;
        text.push_str(&cut(located.mark.end..located.excerpt.len()));
        Finding {
            message: terminal(&located.problem.message).into_owned(),
            hint: terminal(&located.problem.hint).into_owned(),
            excerpt: Some(Excerpt {
                name: terminal(name).into_owned(),
                text,
                line: located.line,
                column: located.column,
            }),
            mark: (start, length).into(),
            severity: if used {
                Severity::Warning
            } else {
                Severity::Error
            },
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
        self.excerpt.as_ref()?;
        let label = LabeledSpan::new_with_span(Some("here".to_owned()), self.mark);
        Some(Box::new(std::iter::once(label)))
    }
}

/// A piece of one line that knows where in the file it stands.
#[derive(Debug)]
struct Excerpt {
    name: String,
    text: String,
    line: u64,
    column: u64,
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        _after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        if span.offset() + span.len() > self.text.len() {
            return Err(MietteError::OutOfBounds);
        }
        let zero_based = |n: u64| usize::try_from(n).unwrap_or(usize::MAX).saturating_sub(1);
        // The place is asked for without context; the piece is one line in any case.
        let column = if before == 0 {
            zero_based(self.column)
        } else {
            0
        };
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            self.text.as_bytes(),
            (0, self.text.len()).into(),
            zero_based(self.line),
            column,
            1,
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::Finding;
    use crate::evidence::{Place, Record};
    use crate::ingest::{self, NativeJson, ReadOptions, Rejected, Sink, Source};
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
        ingest::read(
            vec![source],
            &ReadOptions::default(),
            &mut |_, _| Box::new(NativeJson),
            &mut shown,
        )
        .unwrap();
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
