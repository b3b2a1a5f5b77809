//! The records as marks, the arrows between them, and the numbers of incidents.

use std::fmt::Write as _;

use super::Writer;
use super::labels::token_label;
use super::shapes::mark_shape;
use crate::escape;
use crate::report::model::Column;
use crate::report::picture::layout::{Arrow, Drawing, MARK, Mark, Shape};
use crate::report::view;

impl Writer<'_> {
    pub(super) fn arrow(&mut self, arrow: &Arrow, id: &str) {
        let class = if arrow.removal { "removal" } else { "meeting" };
        let ((x0, y0), (x1, y1), (x2, y2)) = (arrow.from, arrow.via, arrow.to);
        put!(
            self.text,
            "<path class=\"{class}\" marker-end=\"url(#{id}-a)\" d=\"M{x0} {y0}Q{x1} {y1} {x2} {y2}\"/>"
        );
        if let Some(position) = arrow.elsewhere {
            let (anchor, x) = if x2 < x0 {
                ("end", x2 - 3)
            } else {
                ("end", x2 - 14)
            };
            put!(
                self.text,
                "<text class=\"level\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{}\">№ {position}</text>",
                if x2 < x0 { y2 + 4 } else { y2 - 2 }
            );
        }
    }

    pub(super) fn mark(&mut self, mark: &Mark) {
        let column = self.timeline.columns.get(mark.column);
        self.text.push_str("<g>");
        if let Some(column) = column {
            put!(
                self.text,
                "<title>{}</title>",
                escape::xml(&view::line(column, self.language))
            );
        }
        mark_shape(mark.shape, mark.x, mark.y, &mut self.text);
        if let Some(Column::Run { count, .. }) = column
            && mark.shape != Shape::Sent
        {
            put!(
                self.text,
                "<text class=\"times\" x=\"{}\" y=\"{}\">×{count}</text>",
                mark.x + MARK + 1,
                mark.y - MARK + 2
            );
        }
        if let Some(token) = mark.token {
            put!(
                self.text,
                "<text class=\"token\" x=\"{}\" y=\"{}\">{}</text>",
                mark.x + MARK + 1,
                mark.y + 13,
                token_label(token)
            );
        }
        self.text.push_str("</g>");
    }

    pub(super) fn flags(&mut self, drawing: &Drawing) {
        for flag in &drawing.flags {
            let (x, y) = (flag.x, drawing.floor + 18);
            put!(
                self.text,
                "<path class=\"pole\" d=\"M{x} {}V{}\"/>",
                flag.y,
                y - 9
            );
            let text = if flag.more == 0 {
                flag.first.to_string()
            } else {
                format!("{} +{}", flag.first, flag.more)
            };
            let width = 12 + 7 * i32::try_from(text.chars().count()).unwrap_or(0);
            put!(
                self.text,
                "<rect class=\"flag\" x=\"{}\" y=\"{}\" width=\"{width}\" height=\"18\" rx=\"3\"/><text class=\"flag-number\" x=\"{x}\" y=\"{}\">{text}</text>",
                x - width / 2,
                y - 9,
                y + 4
            );
        }
    }
}
