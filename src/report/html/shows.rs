//! What the records show, what they do not, and what to record next time.

use std::fmt::Write as _;

use super::{Page, inline};
use crate::escape::xml;
use crate::incident::catalogue::Label;
use crate::report::view;
use crate::report::words::words;

impl Page<'_> {
    pub(super) fn shows(&mut self) {
        self.section(2);
        self.list(&self.report.shows);
        put!(self, "</section>");
    }

    pub(super) fn does_not_show(&mut self) {
        self.section(3);
        self.list(&self.report.does_not_show);
        let table = view::coverage(self.report, self.language);
        put!(self, "<h3>{}</h3>", xml(self.label(Label::Coverage)));
        self.table(&table, "coverage");
        put!(self, "</section>");
    }

    pub(super) fn record_next(&mut self) {
        let words = words(self.language);
        self.section(4);
        if self.report.record_next.is_empty() {
            put!(self, "<p>{}</p>", xml(words.nothing_missing));
        } else {
            put!(self, "<ul>");
            for one in &self.report.record_next {
                let text = view::record_next(one, self.language);
                put!(self, "<li>{}</li>", inline(&text));
            }
            put!(self, "</ul>");
        }
        put!(self, "</section>");
    }
}
