//! Advisory locks in a PostgreSQL log, `csvlog` or `jsonlog`.
//!
//! The log shows statements, not their answers. So `pg_advisory_lock` is in doubt, unless
//! a duration line says that it came back, or `log_lock_waits` says that it was granted.
//! The end of a session ends all its locks.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Deserialize;

use crate::evidence::{Answer, Event, Record};
use crate::ingest::mapping::meant::is_meant_as_json;
use crate::ingest::{Dialect, Framing, Output, Problem};

use super::super::columns;
use super::advisory::{Call, calls, lock_of_tag};
use super::common::unread;
use super::databases::Databases;

#[derive(Debug, Default, Deserialize)]
struct Row<'a> {
    /// The whole row as it was written.
    #[serde(skip)]
    frame: &'a [u8],
    #[serde(borrow)]
    user: Option<Cow<'a, str>>,
    #[serde(borrow)]
    dbname: Option<Cow<'a, str>>,
    pid: Option<u64>,
    #[serde(borrow)]
    application_name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    message: Option<Cow<'a, str>>,
    #[serde(borrow)]
    detail: Option<Cow<'a, str>>,
    /// The statement that a warning or an error is about.
    #[serde(borrow)]
    statement: Option<Cow<'a, str>>,
}

/// Reads rows of a log.
#[derive(Debug)]
pub(super) struct PostgresLog {
    json: bool,
    /// For each process, the locks that it asked for.
    asked: HashMap<u64, BTreeSet<String>>,
    /// For each process, the lock that it gave back last: a warning that it had none does
    /// not repeat the statement.
    given_back: HashMap<u64, String>,
    /// Processes that were warned of it before their statement: with durations alone it is
    /// written when it came back.
    disowned: HashSet<u64>,
    databases: Databases,
}

impl PostgresLog {
    pub(super) fn csv() -> PostgresLog {
        PostgresLog {
            json: false,
            asked: HashMap::new(),
            given_back: HashMap::new(),
            disowned: HashSet::new(),
            databases: Databases::default(),
        }
    }

    pub(super) fn json() -> PostgresLog {
        PostgresLog {
            json: true,
            ..PostgresLog::csv()
        }
    }

    fn row(&mut self, row: &Row<'_>, output: &mut dyn Output) -> Option<()> {
        let message = row.message.as_deref()?;
        let pid = row.pid?;
        if message.starts_with("disconnection: ") || message.starts_with("terminating connection") {
            return self.ended(row, pid, output);
        }
        if let Some((process, tag, granted)) = waiting(message) {
            let lock = lock_of_tag(tag)?;
            let answer = if granted {
                Answer::Acquired
            } else {
                Answer::AcquireRejectedHeld
            };
            if let Some(problem) = self.elsewhere(row, &lock) {
                output.reject(problem);
                return Some(());
            }
            // The wait is about the lock of the line before, in the words of the server.
            self.asked.entry(process).or_default().insert(lock.clone());
            said(row, process, &lock, (Event::Acquire, answer), &[], output);
            return Some(());
        }
        if message.starts_with("you don't own a lock of type") {
            let told = row.statement.as_deref().map(|sql| calls(sql, None));
            let told = told.and_then(|calls| calls.into_iter().find(Call::is_unlock));
            let lock = match told {
                Some(call) => Some(call.lock),
                None => self.given_back.remove(&pid),
            };
            let Some(lock) = lock else {
                self.disowned.insert(pid);
                return None;
            };
            let step = (Event::Release, Answer::ReleaseRejectedNotOwner);
            return self.refused(row, pid, &lock, step, output);
        }
        if message.starts_with("canceling statement due to lock timeout") {
            let call = calls(row.statement.as_deref()?, None)
                .into_iter()
                .find(|c| !c.is_unlock())?;
            let step = (Event::Acquire, Answer::AcquireRejectedHeld);
            return self.refused(row, pid, &call.lock, step, output);
        }
        self.statement(row, pid, message, output)
    }

    fn statement(
        &mut self,
        row: &Row<'_>,
        pid: u64,
        message: &str,
        output: &mut dyn Output,
    ) -> Option<()> {
        // `duration: 0.1 ms  statement: …` is written when the statement came back.
        let done = message.starts_with("duration: ");
        let begins = |text: &str| {
            ["statement: ", "execute "]
                .into_iter()
                .filter_map(|word| text.find(word))
                .min()
        };
        let sql = message.get(begins(message)?..)?;
        let sql = sql.split_once(": ")?.1;
        self.given_back.remove(&pid);
        let disowned = self.disowned.remove(&pid) && done;
        let mut elsewhere = Vec::new();
        let mut any = None;
        let mut calls = calls(sql, row.detail.as_deref());
        calls.retain(|call| {
            let problem = self.elsewhere(row, &call.lock);
            let ours = problem.is_none();
            elsewhere.extend(problem);
            ours
        });
        // Of several the warning does not say which one it was.
        let disowned = disowned && calls.iter().filter(|call| call.is_unlock()).count() == 1;
        for call in calls {
            let (event, answer) = match (call.is_unlock(), done && call.is_certain()) {
                (true, _) if disowned => (Event::Release, Answer::ReleaseRejectedNotOwner),
                (true, _) => (Event::Release, Answer::InDoubt),
                (false, true) => (Event::Acquire, Answer::Acquired),
                (false, false) => (Event::Acquire, Answer::InDoubt),
            };
            if event == Event::Acquire {
                self.asked.entry(pid).or_default().insert(call.lock.clone());
            } else if !done {
                self.given_back.insert(pid, call.lock.clone());
            }
            said(row, pid, &call.lock, (event, answer), &elsewhere, output);
            elsewhere.clear();
            any = Some(());
        }
        for problem in elsewhere {
            if any.replace(()).is_none() {
                output.reject(problem);
            } else {
                output.also(problem);
            }
        }
        any
    }

    /// What is wrong where the lock is one of another database than the row.
    fn elsewhere(&mut self, row: &Row<'_>, lock: &str) -> Option<Problem> {
        let database = row.dbname.as_deref()?;
        self.databases.take(lock, database, row.frame)
    }

    /// The server refused something.
    fn refused(
        &mut self,
        row: &Row<'_>,
        pid: u64,
        lock: &str,
        step: (Event, Answer),
        output: &mut dyn Output,
    ) -> Option<()> {
        match self.elsewhere(row, lock) {
            Some(problem) => output.reject(problem),
            None => said(row, pid, lock, step, &[], output),
        }
        Some(())
    }

    /// A session is gone, and with it every lock that it asked for.
    fn ended(&mut self, row: &Row<'_>, pid: u64, output: &mut dyn Output) -> Option<()> {
        self.given_back.remove(&pid);
        self.disowned.remove(&pid);
        let locks = self.asked.remove(&pid)?;
        for lock in &locks {
            let step = (Event::Expire, Answer::Expired);
            said(row, pid, lock, step, &[], output);
        }
        (!locks.is_empty()).then_some(())
    }

    fn csv_line(&mut self, line: &str, output: &mut dyn Output) {
        if let Some(quote) = columns::open_quote(line, b',') {
            return output.reject(columns::never_closed(quote));
        }
        let mut row = Row {
            frame: line.as_bytes(),
            ..Row::default()
        };
        columns::cells(line, b',', |number, _, text| {
            if text.is_empty() {
                return;
            }
            match number {
                1 => row.user = Some(text),
                2 => row.dbname = Some(text),
                3 => row.pid = text.parse().ok(),
                13 => row.message = Some(text),
                14 => row.detail = Some(text),
                19 => row.statement = Some(text),
                22 => row.application_name = Some(text),
                _ => {}
            }
        });
        if self.row(&row, output).is_none() {
            output.other();
        }
    }
}

impl Dialect for PostgresLog {
    fn framing(&self) -> Framing {
        if self.json {
            Framing::Json
        } else {
            Framing::Rows { delimiter: b',' }
        }
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        if !self.json {
            let line = String::from_utf8_lossy(frame);
            return self.csv_line(&line, output);
        }
        if !is_meant_as_json(frame) {
            return output.other();
        }
        match serde_json::from_slice::<Row<'_>>(frame) {
            Ok(mut row) => {
                row.frame = frame;
                if self.row(&row, output).is_none() {
                    output.other();
                }
            }
            Err(error) => unread(&error, frame, output),
        }
    }
}

fn said(
    row: &Row<'_>,
    pid: u64,
    lock: &str,
    (event, answer): (Event, Answer),
    problems: &[Problem],
    output: &mut dyn Output,
) {
    let mut record = Record::new(lock, event, answer);
    let owner = row
        .application_name
        .as_deref()
        .filter(|name| !name.is_empty());
    record.owner = owner.or(row.user.as_deref()).map(Cow::Borrowed);
    record.lease = Some(Cow::Owned(pid.to_string()));
    output.record(0, &record, problems);
}

/// `process 7 acquired ExclusiveLock on advisory lock [5,0,42,1] after 2.0 ms`, or `still
/// waiting for`: the process, the tag, and whether it was granted.
fn waiting(message: &str) -> Option<(u64, &str, bool)> {
    let rest = message.strip_prefix("process ")?;
    let (process, rest) = rest.split_once(' ')?;
    let granted = rest.starts_with("acquired ExclusiveLock");
    let waits = rest.starts_with("still waiting for ExclusiveLock");
    (granted || waits).then_some(())?;
    let (_, rest) = rest.split_once("on advisory lock [")?;
    let (tag, _) = rest.split_once(']')?;
    Some((process.parse().ok()?, tag, granted))
}
