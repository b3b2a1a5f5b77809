//! `redis-cli psubscribe '__keyevent@*__:expired'`: which keys Redis counted as gone.
//!
//! The event comes when Redis removes the key, which may be later than its time ran out,
//! and names the key only.

use crate::evidence::{Answer, Event, Record};
use crate::ingest::{Dialect, Framing, Output};

/// Reads the messages, in the shapes that `redis-cli` prints: a word a line, numbered
/// words, or `--csv`.
#[derive(Debug, Default)]
pub(super) struct RedisKeyevent {
    /// The channel was an end of a key: the next word is the key.
    ended: bool,
}

impl Dialect for RedisKeyevent {
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        let line = String::from_utf8_lossy(frame);
        let line = line.trim();
        if line.starts_with("\"pmessage\",") || line.starts_with("\"message\",") {
            let words: Vec<&str> = line.split(',').map(word).collect();
            let key = match words.as_slice() {
                [.., channel, key] if ends(channel) => *key,
                _ => return output.other(),
            };
            return expired(key, output);
        }
        // `3) "…"` in a terminal.
        let text = line
            .split_once(") ")
            .filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()))
            .map_or(line, |(_, text)| text);
        let text = word(text);
        if std::mem::take(&mut self.ended) {
            return expired(text, output);
        }
        self.ended = ends(text);
        output.other();
    }
}

fn expired(key: &str, output: &mut dyn Output) {
    if key.is_empty() {
        return output.other();
    }
    output.record(0, &Record::new(key, Event::Expire, Answer::Expired), &[]);
}

/// The channel of an end. A pattern that was subscribed to has a `*` for the database.
fn ends(channel: &str) -> bool {
    let inside = channel.strip_prefix("__keyevent@").and_then(|rest| {
        rest.strip_suffix("__:expired")
            .or_else(|| rest.strip_suffix("__:evicted"))
    });
    inside.is_some_and(|database| {
        !database.is_empty() && database.bytes().all(|b| b.is_ascii_digit())
    })
}

fn word(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .unwrap_or(text)
}
