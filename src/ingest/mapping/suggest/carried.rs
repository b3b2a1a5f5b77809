//! Logs whose lines a collector put into JSON as text: what would read the text.

use std::fmt::Write as _;

use serde_json::Value;

use super::suggest;
use crate::evidence::Field;

/// The members under which collectors keep the lines that they carry.
const CARRIED: [&str; 6] = ["log", "message", "MESSAGE", "msg", "textPayload", "content"];
/// Lines that are looked at.
const LINES: usize = 2000;

/// What to do where nothing was found, and the text that the objects carry is a log by itself.
pub(super) fn remark(log: &str) -> Option<String> {
    let objects: Vec<Value> = log
        .lines()
        .filter(|line| line.starts_with('{'))
        .take(LINES)
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    CARRIED.iter().find_map(|name| {
        let mut text = String::new();
        for carried in objects.iter().filter_map(|one| one.get(name)?.as_str()) {
            let _ = writeln!(text, "{}", carried.trim_end_matches('\n'));
        }
        let inner = (!text.is_empty()).then(|| suggest(&text))?;
        let command = match inner.preset {
            Some(preset) => format!("classify --preset {}", preset.name()),
            None if inner.found.contains(&Field::LockName) => "map suggest".to_owned(),
            None => return None,
        };
        Some(format!(
            "# These objects carry the lines of another log as text. It is read alone:\n\
             #   jq -Rr 'fromjson? | objects | .{name} // empty | rtrimstr(\"\\n\")' FILE | lockdiag {command}\n"
        ))
    })
}
