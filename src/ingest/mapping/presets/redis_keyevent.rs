//! `redis-cli psubscribe '__keyevent@*__:expired'`, or `'__keyspace@*__:lock:*'`: which keys
//! Redis counted as gone.
//!
//! The event comes when Redis removes the key, which may be later than its time ran out,
//! and names the key only.

use crate::evidence::{Answer, Event, Record};
use crate::ingest::{Dialect, Framing, Output};

use super::databases::Databases;

/// Reads the messages, in the shapes that `redis-cli` prints: a word a line, numbered
/// words, or `--csv`.
#[derive(Debug, Default)]
pub(super) struct RedisKeyevent {
    next: Next,
    databases: Databases,
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
    /// `__keyevent@0__:expired`: the database, and the key that ended follows.
    End(String),
    /// `__keyspace@0__:KEY`: what happened to this key of that database.
    Key(String, String),
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
            return self.said(channel_of(channel), word, line, output);
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
            Next::Payload(channel) => return self.said(channel, text, line, output),
            Next::Confirmed(more) if more > 1 => Next::Confirmed(more - 1),
            Next::Confirmed(_) => Next::Kind,
        };
        output.other();
    }
}

impl RedisKeyevent {
    /// The word after a channel.
    fn said(&mut self, channel: Channel, word: &str, line: &str, output: &mut dyn Output) {
        match channel {
            Channel::End(database) => self.expired(&database, word, line, output),
            Channel::Key(database, key) if ["expired", "evicted"].contains(&word) => {
                self.expired(&database, &key, line, output);
            }
            Channel::Key(..) | Channel::Other => output.other(),
        }
    }

    fn expired(&mut self, database: &str, key: &str, line: &str, output: &mut dyn Output) {
        if key.is_empty() {
            return output.other();
        }
        if let Some(problem) = self.databases.take(key, database, line.as_bytes()) {
            return output.reject(problem);
        }
        output.record(0, &Record::new(key, Event::Expire, Answer::Expired), &[]);
    }
}

/// What a channel is about.
fn channel_of(channel: &str) -> Channel {
    let of = |kind: &str| {
        let (database, rest) = channel.strip_prefix(kind)?.split_once("__:")?;
        let digits = !database.is_empty() && database.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| (database.to_owned(), rest))
    };
    match (of("__keyevent@"), of("__keyspace@")) {
        (Some((database, "expired" | "evicted")), _) => Channel::End(database),
        (_, Some((database, key))) => Channel::Key(database, key.to_owned()),
        _ => Channel::Other,
    }
}

fn word(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"')
        .and_then(|t| t.strip_suffix('"'))
        .unwrap_or(text)
}
