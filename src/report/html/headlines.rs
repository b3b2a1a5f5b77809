//! What stands first: the worst of each lock in a sentence, and the cautions.

use std::fmt::Write as _;

use super::{Page, grade, inline};
use crate::escape::xml;
use crate::incident::catalogue::{self, Label, Noun};
use crate::report::words::{fill, words};

impl Page<'_> {
    pub(super) fn headlines(&mut self) {
        let report = self.report;
        let words = words(self.language);
        self.section(0);
        put!(self, "<ul class=\"headlines\">");
        for one in &report.headlines {
            let (class, _) = grade(one.status, one.outcome);
            let chip = self.chip(one.status, one.outcome);
            let text = inline(&one.text);
            put!(self, "<li class=\"{class}\">{chip} <p>{text}");
            if one.incident > 0 {
                let title = fill(words.incident, &[&one.incident.to_string()]);
                put!(
                    self,
                    " <a href=\"#incident-{}\">{}</a>",
                    one.incident,
                    xml(&title)
                );
            }
            put!(self, "</p></li>");
        }
        if report.quiet_locks > 0 || report.headlines.is_empty() {
            let locks = catalogue::count(self.language, report.quiet_locks, Noun::Lock);
            put!(
                self,
                "<li class=\"quiet\"><p>{}</p></li>",
                xml(&fill(words.quiet, &[&locks]))
            );
        }
        put!(self, "</ul>");
        if report.more_headlines > 0 {
            let locks = catalogue::count(self.language, report.more_headlines, Noun::Lock);
            self.more(&fill(words.more, &[&locks]));
        }
        if !report.cautions.is_empty() {
            put!(
                self,
                "<aside aria-labelledby=\"cautions\"><h3 id=\"cautions\">{}</h3>",
                xml(self.label(Label::Cautions))
            );
            self.list(&report.cautions);
            if report.more_cautions > 0 {
                self.more(&fill(words.more, &[&report.more_cautions.to_string()]));
            }
            put!(self, "</aside>");
        }
        put!(self, "</section>");
    }
}
