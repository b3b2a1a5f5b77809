//! The incidents, in groups of one advice.

use std::fmt::Write as _;

use super::{Page, grade, inline};
use crate::escape::xml;
use crate::incident::catalogue::Label;
use crate::report::model::{Group, Incident};
use crate::report::view;
use crate::report::words::{fill, words};

impl Page<'_> {
    pub(super) fn incidents(&mut self) {
        let report = self.report;
        self.section(1);
        if report.groups.is_empty() {
            put!(self, "<p>{}.</p>", xml(self.label(Label::NoIncident)));
        }
        for group in &report.groups {
            self.group(group);
        }
        put!(self, "</section>");
    }

    fn group(&mut self, group: &Group) {
        let (class, _) = grade(group.status, group.outcome);
        put!(
            self,
            "<div class=\"group {class}\">\n<h3>{} {}</h3>\n<p class=\"names\">{}/{}</p>",
            xml(group.title),
            self.chip(group.status, group.outcome),
            group.class,
            group.variant
        );
        for incident in &group.incidents {
            self.incident(incident, group.incidents.len() == 1);
        }
        if group.more > 0 {
            self.more(&fill(
                words(self.language).more_incidents,
                &[&group.more.to_string()],
            ));
        }
        if group.incidents.len() > 1 {
            put!(self, "<h4>{}</h4>", xml(words(self.language).for_all));
        }
        put!(self, "<dl class=\"advice\">");
        let next = inline(&group.next_action);
        put!(
            self,
            "<div class=\"next\"><dt>{}</dt><dd>{next}</dd></div>",
            xml(self.label(Label::NextAction))
        );
        let boundary = inline(&group.boundary);
        put!(
            self,
            "<div><dt>{}</dt><dd>{boundary}</dd></div>",
            xml(self.label(Label::Boundary))
        );
        for (label, texts) in [
            (Label::Check, &group.check),
            (Label::NotCovered, &group.not_covered),
        ] {
            put!(self, "<div><dt>{}</dt><dd>", xml(self.label(label)));
            self.list(texts);
            put!(self, "</dd></div>");
        }
        put!(self, "</dl>\n</div>");
    }

    fn incident(&mut self, incident: &Incident, open: bool) {
        let words = words(self.language);
        let number = incident.number;
        let title = fill(words.incident, &[&number.to_string()]);
        put!(
            self,
            "<article id=\"incident-{number}\" aria-labelledby=\"incident-{number}-title\">\n<h4 id=\"incident-{number}-title\"><span class=\"ordinal\">{}</span> {}</h4>",
            xml(&title),
            inline(&incident.headline)
        );
        put!(
            self,
            "<p>{} <span class=\"id\">{}</span></p>",
            inline(&incident.story),
            xml(&incident.id)
        );
        // One incident is told openly; of many, each is unfolded by whoever wants it.
        let open = if open { " open" } else { "" };
        put!(
            self,
            "<details{open}><summary>{}</summary>\n<dl class=\"facts\">",
            xml(words.details)
        );
        let facts = view::facts(incident, self.language);
        let mut last = "";
        for (name, value) in &facts {
            if *name != last {
                if !last.is_empty() {
                    put!(self, "</div>");
                }
                put!(self, "<div><dt>{}</dt>", xml(name));
                last = name;
            }
            put!(self, "<dd>{}</dd>", inline(value));
        }
        put!(
            self,
            "{}</dl>",
            if facts.is_empty() { "" } else { "</div>" }
        );
        let mut table = view::evidence(incident, self.report, self.language);
        table.caption = table.caption.and(&format!(" ({})", title));
        self.table(&table, "evidence");
        put!(self, "</details>\n</article>");
    }
}
