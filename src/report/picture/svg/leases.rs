//! The leases as bars, and the highest token as a line.

use std::fmt::Write as _;

use super::Writer;
use super::labels::{fit, shown, token_label};
use crate::escape;
use crate::report::picture::layout::{BAR, BarBox, Line, MARK};
use crate::report::picture::story::End;

impl Writer<'_> {
    pub(super) fn line(&mut self, line: &Line) {
        let points: Vec<String> = line
            .points
            .iter()
            .map(|(x, y)| format!("{x},{y}"))
            .collect();
        put!(
            self.text,
            "<polyline class=\"highest\" points=\"{}\"/>",
            points.join(" ")
        );
        // A token that a write brings is named at its mark; here, the others.
        for (x, y, token) in &line.labels {
            put!(
                self.text,
                "<text class=\"level\" x=\"{}\" y=\"{}\">{}</text>",
                x + 3,
                y + 13,
                token_label(*token)
            );
        }
    }

    pub(super) fn bar(&mut self, bar: &BarBox) {
        let (x, y, width) = (bar.x, bar.y, bar.width);
        let (right, bottom) = (x + width, y + BAR);
        let mut class = String::from("bar");
        if bar.open_start {
            class.push_str(" open-start");
        }
        if bar.open_end {
            class.push_str(" open-end");
        }
        put!(
            self.text,
            "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BAR}\"/><path class=\"edge\" d=\"M{x} {y}H{right}M{x} {bottom}H{right}\"/>"
        );
        if !bar.open_start {
            put!(self.text, "<path class=\"edge\" d=\"M{x} {y}V{bottom}\"/>");
        }
        match bar.end {
            End::Open => {}
            End::Released | End::Expired => {
                put!(
                    self.text,
                    "<path class=\"edge\" d=\"M{right} {y}V{bottom}\"/>"
                );
            }
            End::Removed(_) => {
                put!(
                    self.text,
                    "<path class=\"cut\" d=\"M{right} {}V{}\"/>",
                    y - 4,
                    bottom + 4
                );
            }
        }
        // The lease is named after the mark of its acquisition, as far as there is room.
        let room = width - MARK - 16;
        let name = match (&bar.lease, bar.token) {
            (Some(lease), _) => shown(Some(lease), ""),
            (None, Some(token)) => token_label(token),
            (None, None) => return,
        };
        let letters = usize::try_from(room / 6).unwrap_or(0);
        if letters >= 3 {
            put!(
                self.text,
                "<text class=\"lease\" x=\"{}\" y=\"{}\">{}</text>",
                x + MARK + 4,
                y - 3,
                escape::xml(&fit(&name, letters))
            );
        }
    }
}
