//! Consul keys with sessions, as `consul watch` or the HTTP API print them: one state of a
//! key after another. `LockIndex` counts the acquisitions, `Session` is the handle.

use std::collections::HashMap;

use serde::Deserialize;

use crate::evidence::{Answer, Event};
use crate::ingest::mapping::meant::is_meant_as_json;
use crate::ingest::{Dialect, Framing, Output};

use super::common::{cow, name_of_base64, numbered, owner_of, seq_of, unread};
use super::queue::Member;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Pair<'a> {
    key: String,
    lock_index: u64,
    session: Option<&'a str>,
    value: Option<&'a str>,
    modify_index: u64,
}

/// Reads the states of keys.
#[derive(Debug, Default)]
pub(super) struct ConsulKv {
    held: HashMap<String, Member>,
    /// The last index of a key: a state may be printed again.
    seen: HashMap<String, u64>,
}

impl ConsulKv {
    fn state(&mut self, pair: &Pair<'_>, output: &mut dyn Output) -> Option<()> {
        let index = pair.modify_index;
        match self.seen.get(&pair.key) {
            Some(before) if *before >= index => return None,
            _ => self.seen.insert(pair.key.clone(), index),
        };
        let session = pair.session.filter(|session| !session.is_empty());
        let before = self.held.get(&pair.key);
        let same = before.is_some_and(|before| {
            before.lease.as_deref() == session && before.token == Some(pair.lock_index)
        });
        if same {
            return None;
        }
        let before = self.held.remove(&pair.key);
        let any = before.is_some() || session.is_some();
        if let Some(before) = before {
            // Given back or invalidated: the state does not say which.
            let mut record = numbered(&pair.key, Event::Expire, Answer::Expired, seq_of(index, 0));
            record.owner = cow(&before.owner);
            record.lease = cow(&before.lease);
            record.token = before.token;
            output.record(0, &record, &[]);
        }
        if let Some(session) = session {
            let member = Member {
                name: pair.key.clone(),
                lease: Some(session.to_owned()),
                owner: pair.value.and_then(name_of_base64).and_then(owner_of),
                token: Some(pair.lock_index),
            };
            let mut record = numbered(
                &pair.key,
                Event::Acquire,
                Answer::Acquired,
                seq_of(index, 1),
            );
            record.owner = cow(&member.owner);
            record.lease = cow(&member.lease);
            record.token = member.token;
            output.record(0, &record, &[]);
            self.held.insert(pair.key.clone(), member);
        }
        any.then_some(())
    }
}

impl Dialect for ConsulKv {
    fn framing(&self) -> Framing {
        Framing::Json
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        if !is_meant_as_json(frame) {
            return output.other();
        }
        let mut any = None;
        if frame.trim_ascii_start().starts_with(b"[") {
            // A watch of a prefix prints all its keys each time, in one array.
            match serde_json::from_slice::<Vec<Pair<'_>>>(frame) {
                Ok(pairs) => {
                    for pair in &pairs {
                        any = self.state(pair, output).or(any);
                    }
                }
                Err(error) => return unread(&error, frame, output),
            }
        } else {
            match serde_json::from_slice::<Pair<'_>>(frame) {
                Ok(pair) => any = self.state(&pair, output),
                Err(error) => return unread(&error, frame, output),
            }
        }
        if any.is_none() {
            output.other();
        }
    }
}
