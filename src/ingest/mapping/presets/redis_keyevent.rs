//! `redis-cli psubscribe '__keyevent@*__:expired'`, or `'__keyspace@*__:lock:*'`: which keys
//! Redis counted as gone.
//!
//! The event comes when Redis removes the key, which may be later than its time ran out,
//! and names the key only.

use crate::evidence::{Answer, Event, Record};
use crate::ingest::{Dialect, Framing, Output};

/// Reads the messages, in the shapes that `redis-cli` prints: a word a line, numbered
/// words, or `--csv`.
#[derive(Debug, Default)]
pub(super) struct RedisKeyevent {
    next: Next,
}

/// What the next word is.
#[derive(Debug, Default)]
enum Next {
    /// The kind of a message.
    #[default]
    Kind,
    /// The pattern that was subscribed to, which looks like a channel.
    Pattern,
    Channel,
    Payload(Channel),
    /// Of a confirmation, which says as many words more.
    Confirmed(u8),
}

/// What the word after a channel means.
#[derive(Debug)]
enum Channel {
    Other,
    /// `__keyevent@0__:expired`: the key that ended.
    End,
    /// `__keyspace@0__:KEY`: what happened to this key.
    Key(String),
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
            let [.., channel, word] = words.as_slice() else {
                return output.other();
            };
            return said(channel_of(channel), word, output);
        }
        // `3) "…"` in a terminal.
        let text = line
            .split_once(") ")
            .filter(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()))
            .map_or(line, |(_, text)| text);
        let text = word(text);
        self.next = match std::mem::take(&mut self.next) {
            Next::Kind => match text {
                "message" => Next::Channel,
                "pmessage" => Next::Pattern,
                "subscribe" | "psubscribe" | "unsubscribe" | "punsubscribe" => Next::Confirmed(2),
                _ => Next::Kind,
            },
            Next::Pattern => Next::Channel,
            Next::Channel => Next::Payload(channel_of(text)),
            Next::Payload(channel) => return said(channel, text, output),
            Next::Confirmed(more) if more > 1 => Next::Confirmed(more - 1),
            Next::Confirmed(_) => Next::Kind,
        };
        output.other();
    }
}

/// The word after a channel.
fn said(channel: Channel, word: &str, output: &mut dyn Output) {
    match channel {
        Channel::End => expired(word, output),
        Channel::Key(key) if ["expired", "evicted"].contains(&word) => expired(&key, output),
        Channel::Key(_) | Channel::Other => output.other(),
    }
}

fn expired(key: &str, output: &mut dyn Output) {
    if key.is_empty() {
        return output.other();
    }
    output.record(0, &Record::new(key, Event::Expire, Answer::Expired), &[]);
}

/// What a channel is about.
fn channel_of(channel: &str) -> Channel {
    let of = |kind: &str| {
        let (database, rest) = channel.strip_prefix(kind)?.split_once("__:")?;
        let digits = !database.is_empty() && database.bytes().all(|b| b.is_ascii_digit());
        digits.then_some(rest)
    };
    match (of("__keyevent@"), of("__keyspace@")) {
        (Some("expired" | "evicted"), _) => Channel::End,
        (_, Some(key)) => Channel::Key(key.to_owned()),
        _ => Channel::Other,
    }
}

fn word(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .unwrap_or(text)
}
