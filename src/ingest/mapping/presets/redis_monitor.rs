//! `redis-cli MONITOR`: every command that a server received, and none of its replies.
//!
//! So a `SET … NX` is in doubt, and so is a plain `DEL`. What a script did is known where
//! the script compares before it deletes: its own commands follow as `[0 lua]`, and a
//! `del` among them shows that the comparison held.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::evidence::{Active, Answer, Event, Record};
use crate::ingest::{Dialect, Framing, Output};

use super::databases::Databases;
use super::redis_counters::Counters;
use super::redis_line::{has_option, split};
use super::redis_scripts::{Running, ScriptSet, Scripts};

/// How many connections are remembered at most.
const MAX_KNOWN: usize = 1 << 20;

/// Reads the lines of MONITOR.
#[derive(Debug, Default)]
pub(super) struct RedisMonitor {
    /// Keys that were set with NX, locks, and the database of each.
    locks: Databases,
    scripts: Scripts,
    /// The script that runs: the commands that follow as `lua` are its own.
    running: Option<Running>,
    counters: Counters,
    /// For each connection, the lock that it asked for last, until its next command.
    asked: HashMap<String, (String, String)>,
}

/// The line that is read.
#[derive(Debug, Clone, Copy)]
struct At<'l> {
    database: &'l str,
    client: &'l str,
    line: &'l str,
}

impl RedisMonitor {
    fn command(&mut self, text: &str, output: &mut dyn Output) -> Option<()> {
        let Some(line) = split(text) else {
            if text.trim_start_matches('+').trim() == "OK" {
                // MONITOR begins, perhaps anew: commands before it may have been missed.
                self.counters.forget();
                self.asked.clear();
                self.running = None;
            }
            return None;
        };
        let at = At {
            database: line.database,
            client: line.client,
            line: text,
        };
        let (client, words) = (line.client, &line.words);
        let name = words.first()?.to_ascii_uppercase();
        let args: Vec<&str> = words.iter().skip(1).map(|word| &**word).collect();
        let counted = self.counters.command(line.database, &name, &args);
        if client == "lua" {
            if matches!(name.as_str(), "INCR" | "INCRBY") {
                let client = &self.running.as_ref()?.client;
                let asked = self
                    .asked
                    .remove(client)
                    .map(|asked| (client.clone(), asked));
                let (client, asked) = asked?;
                return count(&client, args.first()?, counted?, &asked, output);
            }
            return self.in_script(at, &name, &args, output);
        }
        self.running = None;
        let asked = self.asked.remove(client);
        match name.as_str() {
            "SET" => self.set(at, &args, output),
            "SETNX" => {
                let (key, value) = (*args.first()?, *args.get(1)?);
                self.ask(at, key, value, output)
            }
            "DEL" | "UNLINK" | "GETDEL" => self.delete(at, &args, output),
            // The server compares: Valkey, and Redis since 8.4.
            "DELIFEQ" => self.delete_if(at, args.first()?, args.get(1)?, output),
            "DELEX" if args.get(1)?.eq_ignore_ascii_case("IFEQ") => {
                self.delete_if(at, args.first()?, args.get(2)?, output)
            }
            "PEXPIRE" | "EXPIRE" | "PEXPIREAT" | "EXPIREAT" => {
                let key = args
                    .first()
                    .filter(|key| self.locks.has(key, at.database))?;
                attempt(client, key, None, Event::Renew, output);
                Some(())
            }
            "EVAL" | "EVALSHA" | "EVAL_RO" | "FCALL" => self.script(client, &name, &args),
            "SCRIPT" if args.first()?.eq_ignore_ascii_case("load") => {
                self.scripts.learn(args.get(1)?);
                None
            }
            "INCR" | "INCRBY" => count(client, args.first()?, counted?, &asked?, output),
            _ => None,
        }
    }

    fn set(&mut self, at: At<'_>, args: &[&str], output: &mut dyn Output) -> Option<()> {
        let (key, value) = (*args.first()?, *args.get(1)?);
        if has_option(args, "NX") {
            return self.ask(at, key, value, output);
        }
        if self.locks.has(key, at.database) {
            let event = if has_option(args, "XX") || has_option(args, "IFEQ") {
                Event::Renew
            } else {
                Event::Acquire
            };
            attempt(at.client, key, Some(value), event, output);
            return Some(());
        }
        None
    }

    fn delete_if(&self, at: At<'_>, key: &str, value: &str, output: &mut dyn Output) -> Option<()> {
        self.locks.has(key, at.database).then_some(())?;
        attempt(at.client, key, Some(value), Event::Release, output);
        Some(())
    }

    /// A conditional set: somebody asks for a lock.
    fn ask(&mut self, at: At<'_>, key: &str, value: &str, output: &mut dyn Output) -> Option<()> {
        let client = at.client;
        if let Some(problem) = self.locks.take(key, at.database, at.line.as_bytes()) {
            output.reject(problem);
            return Some(());
        }
        if self.asked.len() < MAX_KNOWN {
            self.asked
                .insert(client.to_owned(), (key.to_owned(), value.to_owned()));
        }
        attempt(client, key, Some(value), Event::Acquire, output);
        Some(())
    }

    fn delete(&self, at: At<'_>, args: &[&str], output: &mut dyn Output) -> Option<()> {
        let mut any = None;
        for key in args {
            if self.locks.has(key, at.database) {
                attempt(at.client, key, None, Event::Release, output);
                any = Some(());
            }
        }
        any
    }

    fn script(&mut self, client: &str, name: &str, args: &[&str]) -> Option<()> {
        let script = args.first()?;
        let looks = match name {
            "EVAL" | "EVAL_RO" => self.scripts.learn(script),
            _ => self.scripts.of_hash(script),
        };
        let count: usize = args.get(1)?.parse().ok()?;
        let keys: Vec<String> = args
            .iter()
            .skip(2)
            .take(count)
            .map(|k| (*k).to_owned())
            .collect();
        let handle = args
            .get(2usize.checked_add(count)?)
            .map(|h| (*h).to_owned());
        self.running = Some(Running {
            client: client.to_owned(),
            keys,
            handle,
            looks,
        });
        None
    }

    /// A command that a script gave.
    fn in_script(
        &mut self,
        at: At<'_>,
        name: &str,
        args: &[&str],
        output: &mut dyn Output,
    ) -> Option<()> {
        let key = *args.first()?;
        let running = self.running.as_ref()?;
        if running.looks.counts_holds && matches!(name, "HEXISTS" | "HINCRBY") {
            return self.holds(at, name, key, args, output);
        }
        let set = match name {
            "SET" => running.set(args),
            _ => ScriptSet::Other,
        };
        match set {
            ScriptSet::Asks(value) => {
                let client = &running.client.clone();
                self.ask(At { client, ..at }, key, &value, output)
            }
            ScriptSet::Takes => {
                if let Some(problem) = self.locks.take(key, at.database, at.line.as_bytes()) {
                    output.reject(problem);
                    return Some(());
                }
                let (client, handle) = (&running.client, running.handle.as_deref());
                let record = by_client(client, key, handle, Event::Acquire, Answer::Acquired);
                output.record(0, &record, &[]);
                Some(())
            }
            ScriptSet::Other => self.of_held(at, name, key, args, output),
        }
    }

    /// A command that a script gave to a lock that it found.
    fn of_held(
        &self,
        at: At<'_>,
        name: &str,
        key: &str,
        args: &[&str],
        output: &mut dyn Output,
    ) -> Option<()> {
        let running = self.running.as_ref()?;
        if !self.locks.has(key, at.database) || !running.has_key(key) {
            return None;
        }
        let compares = running.looks.compares;
        let (event, answer) = match name {
            "DEL" | "UNLINK" => (Event::Release, Answer::Released),
            "PEXPIRE" | "EXPIRE" => (Event::Renew, Answer::Renewed),
            // What it compared with is set anew (npm redlock 5).
            "SET" if compares && running.gives(args) => (Event::Renew, Answer::Renewed),
            _ => return None,
        };
        let (client, handle) = (&running.client, running.handle.as_deref());
        if !compares {
            // It may have compared or not: only that it was asked for is known.
            attempt(client, key, handle, event, output);
            return Some(());
        }
        let mut record = by_client(client, key, handle, event, answer);
        if record.lease.is_some() {
            record.active = Active::Lease {
                owner: None,
                lease: record.lease.clone(),
                token: None,
            };
        }
        output.record(0, &record, &[]);
        Some(())
    }

    /// A script looks whether a handle holds a lock, or counts one hold more or less. What
    /// it does next, it does to the lock of that handle.
    fn holds(
        &mut self,
        at: At<'_>,
        name: &str,
        key: &str,
        args: &[&str],
        output: &mut dyn Output,
    ) -> Option<()> {
        let running = self.running.as_mut()?;
        let handle = *args.get(1)?;
        // One that was asked for before holds the lock already, if it is counted now.
        let held = running.handle.as_deref() == Some(handle) && running.looks.compares;
        running.handle = Some(handle.to_owned());
        running.looks.compares = true;
        if name != "HINCRBY" || args.get(2)?.starts_with('-') || !running.has_key(key) {
            return None;
        }
        if let Some(problem) = self.locks.take(key, at.database, at.line.as_bytes()) {
            output.reject(problem);
            return Some(());
        }
        if held {
            return None;
        }
        let client = &running.client;
        let record = by_client(client, key, Some(handle), Event::Acquire, Answer::Acquired);
        output.record(0, &record, &[]);
        // The time that it sets now belongs to that.
        self.running = None;
        Some(())
    }
}

impl Dialect for RedisMonitor {
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        let line = String::from_utf8_lossy(frame);
        if self.command(&line, output).is_none() {
            output.other();
        }
    }
}

/// A counter that the asking connection raises next to its lock is the token, where its value
/// is known.
fn count(
    client: &str,
    counter: &str,
    value: u64,
    (lock, handle): &(String, String),
    output: &mut dyn Output,
) -> Option<()> {
    belongs(counter, lock).then_some(())?;
    let mut record = by_client(client, lock, Some(handle), Event::Acquire, Answer::InDoubt);
    record.token = Some(value);
    output.record(0, &record, &[]);
    Some(())
}

/// What a connection asked for, without an answer.
fn attempt(client: &str, key: &str, handle: Option<&str>, event: Event, output: &mut dyn Output) {
    let record = by_client(client, key, handle, event, Answer::InDoubt);
    output.record(0, &record, &[]);
}

fn by_client<'a>(
    client: &'a str,
    key: &'a str,
    handle: Option<&'a str>,
    event: Event,
    answer: Answer,
) -> Record<'a> {
    let mut record = Record::new(key, event, answer);
    record.owner = Some(Cow::Borrowed(client));
    record.lease = handle.map(Cow::Borrowed);
    record
}

/// Whether a counter bears the name of a lock: the last part of both is the same.
fn belongs(counter: &str, lock: &str) -> bool {
    let tail = lock.split_once(':').map_or(lock, |(_, tail)| tail);
    !tail.is_empty() && counter.contains(tail)
}
