//! The end of the page: what people fill in, where the report comes from, and its data.

use std::fmt::Write as _;

use super::{Page, inline};
use crate::escape::xml;
use crate::incident::catalogue::{self, Label, Noun};
use crate::report::view;
use crate::report::words::{fill, words};

impl Page<'_> {
    pub(super) fn people(&mut self) {
        self.section(6);
        put!(
            self,
            "<p>{}</p>\n<dl class=\"blanks\">",
            xml(words(self.language).people)
        );
        let people = &self.report.for_people;
        let blank = self.label(Label::FillIn);
        for (label, value) in [
            (Label::Impact, &people.impact),
            (Label::RootCause, &people.root_cause),
            (Label::ActionOwners, &people.action_owners),
            (Label::Dates, &people.dates),
        ] {
            let value = value.as_deref().unwrap_or(blank);
            put!(
                self,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                xml(self.label(label)),
                xml(value)
            );
        }
        put!(self, "</dl>\n</section>");
    }

    pub(super) fn end(&mut self, data: &str) {
        let provenance = &self.report.provenance;
        let words = words(self.language);
        put!(self, "<footer>");
        self.section(7);
        put!(self, "<dl class=\"facts\">");
        for (name, value) in view::origins(provenance, self.language) {
            put!(
                self,
                "<div><dt>{}</dt><dd>{}</dd></div>",
                xml(name),
                inline(&value)
            );
        }
        put!(self, "</dl>");
        self.table(&view::inputs(provenance, self.language), "inputs");
        if provenance.more_inputs > 0 {
            let inputs = catalogue::count(self.language, provenance.more_inputs, Noun::Input);
            self.more(&fill(words.more, &[&inputs]));
        }
        put!(
            self,
            "<h3>{}</h3>\n<p>{}</p>\n</section>\n</footer>",
            xml(words.as_data),
            xml(words.as_data_means)
        );
        put!(
            self,
            "<script type=\"application/json\" id=\"report-data\">{data}</script>\n</body>\n</html>"
        );
    }
}
