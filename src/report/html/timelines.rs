//! The timeline of each lock, as pictures and as a table.

use std::fmt::Write as _;

use super::{Page, inline};
use crate::escape::xml;
use crate::incident::catalogue::{self, Label, Noun};
use crate::report::model::{Incident, Timeline};
use crate::report::picture::layout::Drawing;
use crate::report::picture::{lay_out, story, svg};
use crate::report::text::Text;
use crate::report::view;
use crate::report::words::{fill, words};

impl Page<'_> {
    pub(super) fn timelines(&mut self) {
        let report = self.report;
        self.section(5);
        let incidents: Vec<&Incident> = report.incidents().collect();
        let drawn: Vec<(&Timeline, Vec<Drawing>)> = report
            .timelines
            .iter()
            .map(|one| (one, lay_out(&story::read(one, &incidents), &one.columns)))
            .collect();
        if !drawn.is_empty() {
            self.legend(drawn.iter().flat_map(|(_, parts)| parts));
        } else {
            put!(self, "<p>{}</p>", xml(self.label(Label::None)));
        }
        for (index, (timeline, parts)) in drawn.iter().enumerate() {
            self.timeline(timeline, parts, index + 1);
        }
        if report.more_timelines > 0 {
            let locks = catalogue::count(self.language, report.more_timelines, Noun::Lock);
            self.more(&fill(words(self.language).more_timelines, &[&locks]));
        }
        put!(self, "</section>");
    }

    fn timeline(&mut self, timeline: &Timeline, parts: &[Drawing], number: usize) {
        let words = words(self.language);
        let lock = inline(&Text::name(&timeline.lock_name));
        put!(
            self,
            "<h3>{lock}</h3>\n<p>{}</p>",
            inline(&view::order(timeline, self.language))
        );
        for (at, drawing) in parts.iter().enumerate() {
            let id = format!("t{number}-{}", at + 1);
            let part = fill(
                words.part,
                &[&(at + 1).to_string(), &parts.len().to_string()],
            );
            let name = Text::words(words.picture)
                .and(": ")
                .and(&timeline.lock_name)
                .and(", ")
                .and(&part);
            put!(
                self,
                "<div class=\"wide picture\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">",
                xml(&name.plain())
            );
            if parts.len() > 1 {
                put!(self, "<p class=\"part\">{}</p>", xml(&part));
            }
            put!(
                self,
                "{}\n</div>",
                svg::svg(drawing, timeline, self.language, &id)
            );
        }
        put!(
            self,
            "<details><summary>{}</summary>",
            xml(self.label(Label::AsTable))
        );
        self.table(&view::timeline(timeline, self.language), "steps");
        put!(self, "</details>");
    }
}
