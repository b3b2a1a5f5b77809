//! A mapping file and the lines that it reads. Between them stands a line of three
//! dashes; where there is none, the whole is a mapping, or else a log for every preset.

use std::sync::{Arc, Mutex};

use lockdiag::evidence::{Field, Record};
use lockdiag::ingest::mapping::{
    Explaining, Explanation, Mapped, Mapping, Preset, Reading, suggest,
};
use lockdiag::ingest::{Dialect, Output, Problem};

use super::layout::said;
use super::outputs::assert_shown;
use super::seen::OneFrame;

/// What is read where the data bring no lines of their own.
const LINES: &str = r#"{"lock":"a","owner":"w","token":7,"msg":"write accepted","a":{"b":[1]}}
lock=a owner="w 1" token=0x7 result=ok
a,w,7,accepted
2026-01-01 INFO lock a acquired by w token 7"#;

/// A mapping is faulty with located faults, or reads any lines frame by frame.
pub fn mapping(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (mapping, lines) = match text.split_once("\n---\n") {
        Some((mapping, lines)) => (mapping, Some(lines)),
        None => (&*text, None),
    };
    match Mapping::parse("map.toml", mapping) {
        Ok(mapping) => {
            let mapping = Arc::new(mapping);
            let lines = lines.unwrap_or(LINES);
            let mut mapped = Mapped::new(Arc::clone(&mapping));
            read(&mut mapped, lines);
            let (mut explaining, explained) = Explaining::new(&Reading::Mapped(mapping), 5);
            let explain = || explained.lock().expect("nobody panicked with it");
            for line in lines.lines().take(60) {
                explain().frame(line.as_bytes());
                explaining.read(line.as_bytes(), &mut Told(&explained));
            }
            explaining.finish(&mut Told(&explained));
            assert_shown(&explain().text());
        }
        Err(errors) => {
            assert!(!errors.is_empty(), "faulty without a fault");
            for error in &errors {
                assert!(!error.message.is_empty());
                assert!(error.line >= 1 && error.column >= 1, "{error}");
                assert!(mapping.get(error.span.clone()).is_some(), "{error:?}");
                assert!(error.line <= mapping.matches('\n').count() + 1, "{error}");
            }
            presets(lines.unwrap_or(&text));
        }
    }
}

/// Tells an explanation what became of a line.
struct Told<'e>(&'e Mutex<Explanation>);

impl Told<'_> {
    fn tell(&self, tell: impl FnOnce(&mut Explanation)) {
        tell(&mut self.0.lock().expect("nobody panicked with it"));
    }
}

impl Output for Told<'_> {
    fn record(&mut self, _: usize, record: &Record<'_>, _: &[Problem]) {
        self.tell(|explained| explained.record(record));
    }

    fn reject(&mut self, _: Problem) {}

    fn other(&mut self) {
        self.tell(Explanation::other);
    }
}

fn presets(lines: &str) {
    for preset in Preset::ALL {
        read(&mut *preset.dialect(), lines);
    }
    // A proposal is shown, and can be used where it found a lock and a step.
    let proposal = suggest(lines);
    assert_shown(&proposal.toml);
    let found = |field| proposal.found.contains(&field);
    if found(Field::LockName) && (found(Field::Event) || found(Field::Result)) {
        let errors = Mapping::parse("proposal", &proposal.toml).err();
        assert_eq!(errors, None, "{}", proposal.toml);
    }
}

/// What is wrong lies in the line that was read, and no line is both evidence and
/// another line. A reader that keeps state (a table with a cell of several lines, a
/// watch) may wait with what it tells.
fn read(dialect: &mut dyn Dialect, lines: &str) {
    let lines = lines.lines().filter(|line| !line.trim().is_empty());
    for line in lines.take(60) {
        let mut seen = OneFrame::default();
        dialect.read(line.as_bytes(), &mut seen);
        seen.assert_located(line.as_bytes());
        assert!(seen.records.is_empty() || seen.other == 0, "{line}");
        assert!(seen.rejects.is_empty() || seen.other == 0, "{line}");
        // Where no line needs another, what was learned from them changes nothing.
        if let Some(mut fresh) = dialect.fork() {
            let learned = said(dialect, line.as_bytes());
            assert_eq!(learned, said(&mut *fresh, line.as_bytes()), "{line}");
        }
    }
    dialect.finish(&mut OneFrame::default());
}
