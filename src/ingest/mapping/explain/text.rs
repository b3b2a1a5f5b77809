//! An explanation for people: nothing of a log reaches it unescaped.

use std::fmt::Write as _;

use super::{Answered, CameOf, Explained, Explanation, FieldUse};
use crate::escape;

impl Explanation {
    /// The explanation for people.
    pub fn text(&mut self) -> String {
        self.settle();
        let mut out = String::new();
        for one in &self.first {
            self.line(one, &mut out);
        }
        if !self.first.is_empty() {
            out.push('\n');
        }
        let values = match self.frames {
            1 => "1 line or value".to_owned(),
            n => format!("{n} lines or values"),
        };
        let _ = writeln!(out, "In all {values}:");
        for shape in &self.shapes {
            let _ = writeln!(out, "  {}: {}", self.called(&shape.name), shape.lines);
            for used in &shape.fields {
                let _ = writeln!(out, "    {:<26} {}", used.field.name(), counts(used));
            }
        }
        if self.mapped {
            let _ = writeln!(out, "  fits no shape: {}", self.unmatched);
        }
        let _ = writeln!(out, "  other lines: {}", self.others);
        let _ = writeln!(out, "  could not be read: {}", self.unreadable);
        let _ = writeln!(out, "  evidence records: {}", self.records);
        out
    }

    /// What a shape is called.
    fn called(&self, name: &str) -> String {
        match name {
            "" => "the mapping".to_owned(),
            name if !self.mapped || name == self.reader => name.to_owned(),
            name => format!("shape `{}`", escape::terminal(name)),
        }
    }

    fn line(&self, one: &Explained, out: &mut String) {
        let excerpt = escape::terminal(&one.excerpt);
        let number = one.number;
        let _ = match &one.came_of {
            CameOf::Shape(name) if name.is_empty() || *name == self.reader => {
                writeln!(out, "{number}: {excerpt}")
            }
            CameOf::Shape(name) => writeln!(out, "{number}: {}: {excerpt}", self.called(name)),
            CameOf::NoShape => writeln!(out, "{number}: fits no shape: {excerpt}"),
            CameOf::Other => writeln!(out, "{number}: another line: {excerpt}"),
            CameOf::Unreadable(why) => {
                let why = escape::terminal(why);
                writeln!(out, "{number}: could not be read, {why}: {excerpt}")
            }
        };
        for (field, answered) in &one.fields {
            let (value, from) = match answered {
                Answered::Value(value, from) => (value.as_str(), format!("from {from}")),
                Answered::Read(value) => (value.as_str(), String::new()),
                Answered::Null(from) => ("null", format!("from {from}")),
                Answered::Nothing(tried) if tried.is_empty() => ("-", String::new()),
                Answered::Nothing(tried) => ("-", format!("nothing at {tried}")),
                Answered::Unusable(at) => ("-", format!("nothing usable at {at}")),
            };
            let value = escape::terminal(value);
            let _ = write!(out, "    {:<26} {value}", field.name());
            if !from.is_empty() {
                let _ = write!(out, "  ({})", escape::terminal(&from));
            }
            out.push('\n');
        }
    }
}

fn counts(used: &FieldUse) -> String {
    let mut parts = Vec::new();
    for (from, n) in &used.from {
        parts.push(format!("{n} from {}", escape::terminal(from)));
    }
    if used.read > 0 {
        parts.push(format!("{} read", used.read));
    }
    for (at, n) in &used.unusable {
        parts.push(format!(
            "{n} found nothing usable at {}",
            escape::terminal(at)
        ));
    }
    if used.nothing > 0 && used.tried.is_empty() {
        parts.push(format!("{} found nothing", used.nothing));
    } else if used.nothing > 0 {
        let tried = escape::terminal(&used.tried);
        parts.push(format!("{} found nothing at {tried}", used.nothing));
    }
    parts.join("; ")
}
