//! A drawing as SVG, to stand inside a page whose style sheet has its classes.

// Writing to a String cannot fail, so its results are let go throughout.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{ let _ = write!($out, $($arg)*); }};
}

mod labels;
mod lanes;
mod leases;
mod marks;
mod shapes;

use std::fmt::Write as _;

use self::labels::shown;
use self::shapes::mark_shape;
use super::layout::{Drawing, MARK, Shape};
use crate::escape;
use crate::incident::catalogue::{self, Label, Language};
use crate::report::model::{Column, Timeline};
use crate::report::words::{fill, words};

/// The SVG of one part of a timeline. `id` is what its ids begin with: unlike that of any
/// other drawing of the page.
pub fn svg(drawing: &Drawing, timeline: &Timeline, language: Language, id: &str) -> String {
    let mut out = Writer {
        text: String::new(),
        timeline,
        language,
    };
    out.picture(drawing, id);
    out.text
}

/// The same drawing alone, for a legend.
pub fn symbol(shape: Shape) -> String {
    let mut text = String::from(
        "<svg class=\"symbol\" width=\"22\" height=\"22\" viewBox=\"0 0 22 22\" aria-hidden=\"true\" focusable=\"false\">",
    );
    mark_shape(shape, 11, 11, &mut text);
    text.push_str("</svg>");
    text
}

struct Writer<'w> {
    text: String,
    timeline: &'w Timeline,
    language: Language,
}

impl Writer<'_> {
    fn picture(&mut self, drawing: &Drawing, id: &str) {
        let (width, height) = (drawing.width, drawing.height);
        let lock = shown(Some(&self.timeline.lock_name), "");
        let mut title = format!(
            "{}: {lock}",
            catalogue::label(self.language, Label::Timeline)
        );
        let (part, parts) = drawing.part;
        if parts > 1 {
            let of = [part.to_string(), parts.to_string()];
            let of = fill(words(self.language).part, &[&of[0], &of[1]]);
            title.push_str(", ");
            title.push_str(&of);
        }
        let records: u64 = self
            .timeline
            .columns
            .get(drawing.columns.clone())
            .unwrap_or_default()
            .iter()
            .map(Column::count)
            .sum();
        let records = catalogue::count(self.language, records, catalogue::Noun::Record);
        let describe = fill(words(self.language).describe, &[&lock, &records]);
        put!(
            self.text,
            "<svg class=\"timeline\" role=\"img\" aria-labelledby=\"{id}-t {id}-d\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\"><title id=\"{id}-t\">{}</title><desc id=\"{id}-d\">{}</desc>",
            escape::xml(&title),
            escape::xml(&describe)
        );
        put!(
            self.text,
            "<defs><marker id=\"{id}-a\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"10\" markerHeight=\"10\" orient=\"auto\"><path class=\"tip\" d=\"M0 0L8 4L0 8Z\"/></marker></defs>"
        );
        self.lanes(drawing);
        self.axis(drawing);
        for line in &drawing.lines {
            self.line(line);
        }
        for bar in &drawing.bars {
            self.bar(bar);
        }
        for mark in &drawing.marks {
            if let Some(from) = mark.from {
                let (y1, y2) = (from + 4, mark.y - MARK);
                put!(
                    self.text,
                    "<path class=\"sent\" d=\"M{x} {y1}V{y2}\"/>",
                    x = mark.x
                );
            }
        }
        for arrow in &drawing.arrows {
            self.arrow(arrow, id);
        }
        for mark in &drawing.marks {
            self.mark(mark);
        }
        self.breaks(drawing);
        self.flags(drawing);
        self.text.push_str("</svg>");
    }
}
