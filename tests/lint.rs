//! `lint`: every code shows and almost shows, every format holds hostile names, the pack
//! tables and the verdicts agree, and memory has a bound.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "lint/backwards.rs"]
mod backwards;
#[path = "lint/bounds.rs"]
mod bounds;
#[path = "lint/cases.rs"]
mod cases;
#[path = "lint/forgetting.rs"]
mod forgetting;
#[path = "lint/formats.rs"]
mod formats;
#[path = "lint/levels.rs"]
mod levels;
#[path = "lint/packs.rs"]
mod packs;
#[path = "lint/page.rs"]
mod page;
#[path = "lint/schedules.rs"]
mod schedules;

use lockdiag::config::Config;
use lockdiag::ingest::mapping::Reading;
use lockdiag::ingest::{self, ReadOptions, Source};
use lockdiag::lint::settings::Date;
use lockdiag::lint::{LintSink, Report, Settings};

/// The day of every test.
fn today() -> Option<Date> {
    Date::parse("2026-11-29")
}

/// Settings of the test's day, with what a configuration says.
fn settings(config: Option<&str>) -> Settings {
    let mut settings = Settings {
        today: today(),
        ..Settings::default()
    };
    if let Some(text) = config {
        Config::parse(text)
            .and_then(|config| config.lint("lockdiag.toml", text, &mut settings))
            .unwrap();
    }
    settings
}

/// Lints inputs given as name and bytes.
fn lint(inputs: Vec<(String, Vec<u8>)>, settings: Settings) -> Report {
    lint_by(&Reading::Native, inputs, settings)
}

/// The same, read in another way.
fn lint_by(how: &Reading, inputs: Vec<(String, Vec<u8>)>, settings: Settings) -> Report {
    let sources = inputs
        .into_iter()
        .map(|(name, bytes)| {
            Source::reader(name, std::io::Cursor::new(bytes)).read_by(how.dialect())
        })
        .collect();
    let mut sink = LintSink::new(settings);
    ingest::read(sources, &ReadOptions::default(), &mut sink).unwrap();
    sink.finish()
}

/// Lints one text.
fn lint_text(text: &str, settings: Settings) -> Report {
    lint(vec![("log".to_owned(), text.as_bytes().to_vec())], settings)
}
