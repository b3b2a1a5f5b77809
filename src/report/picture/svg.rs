//! A drawing as SVG, to stand inside a page whose style sheet has its classes.

use std::fmt::Write as _;

use super::layout::{Arrow, BAR, BarBox, Drawing, Line, MARK, Mark, Of, PITCH, Shape};
use super::story::End;
use crate::escape;
use crate::incident::catalogue::{self, Label, Language};
use crate::report::model::{Column, Timeline};
use crate::report::view;
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

// Writing to a String cannot fail, so its results are let go throughout.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{ let _ = write!($out, $($arg)*); }};
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

    fn lanes(&mut self, drawing: &Drawing) {
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

    fn axis(&mut self, drawing: &Drawing) {
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

    fn line(&mut self, line: &Line) {
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

    fn bar(&mut self, bar: &BarBox) {
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

    fn arrow(&mut self, arrow: &Arrow, id: &str) {
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

    fn mark(&mut self, mark: &Mark) {
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

    fn breaks(&mut self, drawing: &Drawing) {
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

    fn flags(&mut self, drawing: &Drawing) {
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

fn drawing_x(index: usize) -> i32 {
    super::layout::GUTTER + i32::try_from(index).unwrap_or(0) * PITCH + PITCH / 2
}

/// A mark. Accepted things are filled, refused ones are not.
fn mark_shape(shape: Shape, x: i32, y: i32, out: &mut String) {
    let r = MARK;
    let class = match shape {
        Shape::Acquired | Shape::Renewed | Shape::Released => "mark lease-mark",
        Shape::Expired | Shape::Nothing => "mark hollow",
        Shape::RefusedByAuthority => "mark hollow bad",
        Shape::Sent => "mark dot",
        Shape::Accepted => "mark good",
        Shape::RefusedAsStale | Shape::RefusedAsDuplicate | Shape::RefusedOtherwise => {
            "mark hollow bad"
        }
        Shape::InDoubt => "mark hollow doubt",
    };
    put!(out, "<g class=\"{class}\">");
    match shape {
        Shape::Acquired => {
            put!(
                out,
                "<path d=\"M{} {}L{} {y}L{} {}Z\"/>",
                x - 6,
                y - r,
                x + r,
                x - 6,
                y + r
            );
        }
        Shape::Renewed => {
            put!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"4\" height=\"{}\"/>",
                x - 2,
                y - r,
                r * 2
            );
        }
        Shape::Released => {
            put!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>",
                x - 6,
                y - 6
            );
        }
        Shape::Expired => {
            put!(
                out,
                "<path d=\"M{x} {}L{} {y}L{x} {}L{} {y}Z\"/>",
                y - r,
                x + r,
                y + r,
                x - r
            );
        }
        Shape::Nothing => {
            put!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"12\"/>",
                x - 6,
                y - 6
            );
        }
        Shape::RefusedByAuthority => {
            put!(
                out,
                "<rect x=\"{l}\" y=\"{t}\" width=\"12\" height=\"12\"/><path d=\"M{l} {t}L{r} {b}M{r} {t}L{l} {b}\"/>",
                l = x - 6,
                t = y - 6,
                r = x + 6,
                b = y + 6
            );
        }
        Shape::Sent => put!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"),
        Shape::Accepted => put!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\"/>", r - 1),
        Shape::RefusedAsStale => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><path d=\"M{l} {t}L{e} {b}M{e} {t}L{l} {b}\"/>",
            l = x - 4,
            t = y - 4,
            e = x + 4,
            b = y + 4
        ),
        Shape::RefusedAsDuplicate => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><path d=\"M{l} {}H{e}M{l} {}H{e}\"/>",
            y - 2,
            y + 2,
            l = x - 4,
            e = x + 4
        ),
        Shape::RefusedOtherwise => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><path d=\"M{} {y}H{}\"/>",
            x - 4,
            x + 4
        ),
        Shape::InDoubt => put!(
            out,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/><text x=\"{x}\" y=\"{}\">?</text>",
            y + 4
        ),
    }
    out.push_str("</g>");
}

/// A name as it is shown, or the words for none.
fn shown(name: Option<&str>, none: &str) -> String {
    match name {
        None => none.to_owned(),
        Some("") => "\"\"".to_owned(),
        Some(name) => escape::terminal(name).into_owned(),
    }
}

/// As much of a text as stands in so many letters of one width. Wide ones count twice.
pub(super) fn fit(text: &str, letters: usize) -> String {
    let width = |c: char| if u32::from(c) >= 0x1100 { 2 } else { 1 };
    if text.chars().map(width).sum::<usize>() <= letters {
        return text.to_owned();
    }
    let mut out = String::new();
    let mut used = 1;
    for c in text.chars() {
        used += width(c);
        if used > letters {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}

/// A token, its last digits where it is long: neighbours differ at the end.
fn token_label(token: u64) -> String {
    let digits = token.to_string();
    match digits.len() {
        0..=5 => digits,
        length => format!("…{}", digits.get(length - 4..).unwrap_or_default()),
    }
}

/// The time of day in a timestamp, if it has one.
fn time_of_day(ts: &str) -> Option<&str> {
    let at = ts.find(['T', ' '])? + 1;
    let time = ts.get(at..at + 8)?;
    let digits = |b: &u8, i: usize| {
        if matches!(i, 2 | 5) {
            *b == b':'
        } else {
            b.is_ascii_digit()
        }
    };
    time.bytes()
        .enumerate()
        .all(|(i, b)| digits(&b, i))
        .then_some(time)
}

#[cfg(test)]
mod tests {
    use super::{fit, time_of_day, token_label};

    #[test]
    fn a_text_never_leaves_its_room() {
        assert_eq!(fit("worker", 6), "worker");
        assert_eq!(fit("worker-A", 6), "worke…");
        assert_eq!(fit("鍵鍵鍵", 5), "鍵鍵…");
    }

    #[test]
    fn a_long_token_shows_where_it_differs() {
        assert_eq!(token_label(33), "33");
        assert_eq!(token_label(u64::MAX), "…1615");
    }

    #[test]
    fn a_clock_is_cut_to_the_time_of_day() {
        assert_eq!(time_of_day("2026-03-01T10:00:02.5Z"), Some("10:00:02"));
        assert_eq!(time_of_day("1772359202"), None);
        assert_eq!(time_of_day("2026-03-01T1é:00:02"), None);
    }
}
