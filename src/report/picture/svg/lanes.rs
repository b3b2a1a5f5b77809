//! What a drawing stands on: its lanes, its axis, and the places where records are left out.

use std::fmt::Write as _;

use super::Writer;
use super::labels::{fit, shown, time_of_day};
use crate::escape;
use crate::incident::catalogue::{self, Label};
use crate::report::model::Column;
use crate::report::picture::layout::{Drawing, GUTTER, Of, PITCH};
use crate::report::words::words;

impl Writer<'_> {
    pub(super) fn lanes(&mut self, drawing: &Drawing) {
        let words = words(self.language);
        for lane in &drawing.lanes {
            let (class, kind, name) = match &lane.of {
                Of::Owner(name) => (
                    "owner",
                    Label::Owner,
                    shown(name.as_deref(), words.unnamed_owner),
                ),
                Of::Key(name) => (
                    "key",
                    Label::ResourceKey,
                    shown(name.as_deref(), words.unnamed_key),
                ),
            };
            let (y, height) = (lane.y, lane.height);
            put!(
                self.text,
                "<rect class=\"lane {class}\" x=\"0\" y=\"{y}\" width=\"{}\" height=\"{height}\"/>",
                drawing.width
            );
            let middle = y + height / 2;
            put!(
                self.text,
                "<text class=\"kind\" x=\"10\" y=\"{}\">{}</text><text class=\"name\" x=\"10\" y=\"{}\">{}</text>",
                middle - 5,
                escape::xml(catalogue::label(self.language, kind)),
                middle + 10,
                escape::xml(&fit(&name, 18))
            );
        }
        if let Some(key) = drawing
            .lanes
            .iter()
            .find(|lane| matches!(lane.of, Of::Key(_)))
        {
            put!(
                self.text,
                "<path class=\"shore\" d=\"M0 {y}H{width}\"/>",
                y = key.y,
                width = drawing.width
            );
        }
    }

    pub(super) fn axis(&mut self, drawing: &Drawing) {
        let mut last = None;
        for (index, column) in drawing.columns.clone().enumerate() {
            let Some(one) = self.timeline.columns.get(column) else {
                continue;
            };
            let Some(entry) = one.entry() else {
                last = None;
                continue;
            };
            let x = drawing_x(index);
            put!(
                self.text,
                "<path class=\"grid\" d=\"M{x} 40V{floor}\"/>",
                floor = drawing.floor
            );
            let number = match one {
                Column::Run { last_position, .. } => format!("{}–{last_position}", entry.position),
                _ => entry.position.to_string(),
            };
            put!(
                self.text,
                "<text class=\"number\" x=\"{x}\" y=\"18\">{}</text>",
                escape::xml(&fit(&number, 9))
            );
            // A wall clock stands here as a label only, and only its time of day.
            let time = entry.record.ts.as_deref().and_then(time_of_day);
            if let Some(time) = time.filter(|time| last != Some(*time)) {
                put!(
                    self.text,
                    "<text class=\"time\" x=\"{x}\" y=\"33\">{}</text>",
                    escape::xml(time)
                );
            }
            last = time;
        }
    }

    pub(super) fn breaks(&mut self, drawing: &Drawing) {
        for one in &drawing.breaks {
            let (x, floor) = (one.x, drawing.floor);
            put!(
                self.text,
                "<rect class=\"break\" x=\"{}\" y=\"38\" width=\"20\" height=\"{}\"/>",
                x - 10,
                floor - 38
            );
            for side in [-10, 10] {
                let mut d = format!("M{} 38", x + side);
                let mut y = 38;
                let mut out = 4;
                while y < floor {
                    let step = 8.min(floor - y);
                    put!(d, "l{out} {step}");
                    out = -out;
                    y += step;
                }
                put!(self.text, "<path class=\"tear\" d=\"{d}\"/>");
            }
            put!(
                self.text,
                "<text class=\"number\" x=\"{x}\" y=\"18\">…</text><text class=\"time\" x=\"{x}\" y=\"33\">+{}</text>",
                one.count
            );
        }
    }
}

fn drawing_x(index: usize) -> i32 {
    GUTTER + i32::try_from(index).unwrap_or(0) * PITCH + PITCH / 2
}
