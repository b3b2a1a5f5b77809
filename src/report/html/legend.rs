//! What the marks of the pictures mean.

use std::fmt::Write as _;

use super::Page;
use crate::escape::xml;
use crate::incident::catalogue::{self, Label};
use crate::report::picture::layout::{Drawing, Shape};
use crate::report::picture::svg;
use crate::report::words::words;

impl Page<'_> {
    /// What the marks mean, as far as they occur.
    pub(super) fn legend<'d>(&mut self, drawings: impl Iterator<Item = &'d Drawing>) {
        let words = words(self.language);
        let mut shapes = std::collections::BTreeSet::new();
        let (mut open, mut arrows, mut removals, mut breaks, mut lines) =
            (false, false, false, false, false);
        for drawing in drawings {
            shapes.extend(drawing.marks.iter().map(|mark| mark.shape));
            open |= drawing
                .bars
                .iter()
                .any(|bar| bar.open_start || bar.open_end);
            arrows |= drawing.arrows.iter().any(|arrow| !arrow.removal);
            removals |= drawing.arrows.iter().any(|arrow| arrow.removal);
            breaks |= !drawing.breaks.is_empty();
            lines |= !drawing.lines.is_empty();
        }
        put!(
            self,
            "<details class=\"legend\" open><summary>{}</summary>\n<ul>",
            xml(words.legend)
        );
        for shape in shapes {
            put!(
                self,
                "<li>{}<span>{}</span></li>",
                svg::symbol(shape),
                xml(self.shape(shape))
            );
        }
        for (shown, key, text) in [
            (true, "lease", words.legend_lease),
            (open, "open", words.legend_open),
            (lines, "highest", self.label(Label::HighestToken)),
            (arrows, "meeting", words.legend_arrow),
            (removals, "removal", words.legend_removed),
            (breaks, "tear", words.legend_gap),
        ] {
            if shown {
                let inside = match key {
                    "lease" => {
                        "<rect class=\"bar\" x=\"2\" y=\"5\" width=\"26\" height=\"12\"/><path class=\"edge\" d=\"M2 5H28V17H2Z\"/>"
                    }
                    "open" => {
                        "<rect class=\"bar open-end\" x=\"2\" y=\"5\" width=\"26\" height=\"12\"/><path class=\"edge\" d=\"M28 5H2V17H28\"/>"
                    }
                    "highest" => "<polyline class=\"highest\" points=\"2,17 15,17 15,6 28,6\"/>",
                    "meeting" => {
                        "<path class=\"meeting\" d=\"M28 17Q15 -2 4 14\"/><path class=\"tip\" d=\"M2 17L3 9L9 13Z\"/>"
                    }
                    "removal" => {
                        "<path class=\"removal\" d=\"M15 3V14\"/><path class=\"tip\" d=\"M11 13H19L15 20Z\"/>"
                    }
                    _ => "<path class=\"tear\" d=\"M10 2l4 5l-4 5l4 5M20 2l4 5l-4 5l4 5\"/>",
                };
                put!(
                    self,
                    "<li><svg class=\"symbol\" width=\"30\" height=\"22\" viewBox=\"0 0 30 22\" aria-hidden=\"true\" focusable=\"false\">{inside}</svg><span>{}</span></li>",
                    xml(text)
                );
            }
        }
        put!(self, "</ul></details>");
    }

    fn shape(&self, shape: Shape) -> &'static str {
        use crate::evidence::Answer;
        let answer = |answer| catalogue::answer(self.language, answer).name;
        match shape {
            Shape::Acquired => answer(Answer::Acquired),
            Shape::Renewed => answer(Answer::Renewed),
            Shape::Expired => answer(Answer::Expired),
            Shape::Released => answer(Answer::Released),
            Shape::RefusedByAuthority => words(self.language).legend_refused,
            Shape::Nothing => answer(Answer::ReleaseNoop),
            Shape::Sent => words(self.language).legend_write,
            Shape::Accepted => answer(Answer::Accepted),
            Shape::RefusedAsStale => answer(Answer::RejectedStaleFence),
            Shape::RefusedAsDuplicate => answer(Answer::RejectedDuplicate),
            Shape::RefusedOtherwise => answer(Answer::RejectedOther),
            Shape::InDoubt => answer(Answer::InDoubt),
        }
    }
}
