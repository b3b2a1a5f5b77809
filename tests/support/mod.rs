//! What the data-driven tests share: evidence in, verdicts out, through the real reader.

#![allow(dead_code)]

use std::collections::BTreeSet;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use lockdiag::diagnosis::{Diagnosis, Options, OrderBy};
use lockdiag::evidence::{Origin, Place, Record};
use lockdiag::incident::{Classification, Incident};
use lockdiag::ingest::{NativeJson, Source};
use lockdiag::ingest::{ReadOptions, Rejected, Sink, read};
use serde_json::Value;

/// One input: its name and its bytes.
pub type Input = (String, Vec<u8>);

struct Feed {
    diagnosis: Diagnosis,
    /// Where the input is followed: every incident told on the way.
    told: Option<Vec<Incident>>,
    sources: Vec<String>,
}

impl Sink for Feed {
    fn record(&mut self, place: Place, record: &Record<'_>) -> ControlFlow<()> {
        self.diagnosis.observe(place, record);
        if let Some(told) = &mut self.told {
            told.extend(self.diagnosis.changes(&self.sources));
        }
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, _: &Rejected<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn run(inputs: &[Input], options: Options) -> (Classification, Vec<Incident>) {
    let sources: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
    let mut feed = Feed {
        told: options.follow.then(Vec::new),
        diagnosis: Diagnosis::new(options),
        sources: sources.clone(),
    };
    let readers = inputs
        .iter()
        .map(|(name, bytes)| Source::reader(name.clone(), Cursor::new(bytes.clone())))
        .collect();
    let counts = read(readers, &ReadOptions::default(), &mut feed);
    assert!(counts.is_ok(), "inputs in memory can be read");
    (
        feed.diagnosis.finish(&sources),
        feed.told.unwrap_or_default(),
    )
}

/// Reads the inputs and judges them.
pub fn diagnose(inputs: &[Input], options: Options) -> Classification {
    run(inputs, options).0
}

/// Follows the inputs record by record: the final verdicts, and what was told on the way.
pub fn follow(inputs: &[Input], options: Options) -> (Classification, Vec<Incident>) {
    run(
        inputs,
        Options {
            follow: true,
            ..options
        },
    )
}

/// A file as an input, under its own file name.
pub fn input(path: &Path) -> Input {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (file_name(path), bytes)
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}

/// JSON values as one input of JSON Lines.
pub fn lines(name: &str, records: &[Value]) -> Input {
    let mut bytes = Vec::new();
    for record in records {
        bytes.extend_from_slice(record.to_string().as_bytes());
        bytes.push(b'\n');
    }
    (name.to_owned(), bytes)
}

/// The JSON values of a file of JSON Lines.
pub fn values(path: &Path) -> Vec<Value> {
    let text =
        std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            serde_json::from_str(line)
                .unwrap_or_else(|error| panic!("{}: {error}: {line}", path.display()))
        })
        .collect()
}

/// All files below `root` whose names end in `ending`, in order of their paths.
pub fn files(root: &str, ending: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(directory) = waiting.pop() {
        let entries = std::fs::read_dir(&directory)
            .unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else if file_name(&path).ends_with(ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Options as an expectation file writes them.
pub fn options(head: &Value) -> Options {
    Options {
        order: match head["order"].as_str() {
            Some("seq") => OrderBy::Seq,
            Some("input") => OrderBy::Input,
            Some("none") => OrderBy::None,
            _ => OrderBy::Auto,
        },
        seq_by: head["seqBy"].as_str().and_then(Origin::from_word),
        ..Options::default()
    }
}

/// What a verdict says apart from names of files and lines; two runs over the same facts
/// must agree in it.
pub fn gist(incident: &Incident) -> String {
    format!(
        "{} {}/{} {} {} key={:?} op={:?} late={:?} n={} assumes={:?} missing={:?} candidates={:?}",
        incident.lock_name,
        incident.class(),
        incident.variant,
        incident.status.name(),
        incident.outcome.name(),
        incident.resource_key,
        incident.operation_id,
        incident.late,
        incident.occurrences,
        incident.assumes,
        incident.missing,
        incident.candidates,
    )
}

/// The verdicts of a run, whatever their order.
pub fn gists(classification: &Classification) -> BTreeSet<String> {
    classification.incidents.iter().map(gist).collect()
}

/// Collects what the native dialect finds in one line.
struct Lines<'d> {
    diagnosis: &'d mut Diagnosis,
    place: Place,
}

impl lockdiag::ingest::Output for Lines<'_> {
    fn record(&mut self, _: usize, record: &Record<'_>, _: &[lockdiag::ingest::Problem]) {
        self.diagnosis.observe(self.place, record);
        self.place.arrival += 1;
    }
    fn reject(&mut self, _: lockdiag::ingest::Problem) {}
    fn other(&mut self) {}
}

/// Judges JSON records, one list an input, without the driver that reads files: thousands
/// of small histories. With `options.follow`, what was told on the way comes as well.
pub fn judge(inputs: &[Vec<Value>], options: Options) -> (Classification, Vec<Incident>) {
    use lockdiag::ingest::Dialect;
    let sources: Vec<String> = (0..inputs.len()).map(|at| format!("input-{at}")).collect();
    let follow = options.follow;
    let mut diagnosis = Diagnosis::new(options);
    let mut told = Vec::new();
    let mut arrival = 0;
    for (source, records) in inputs.iter().enumerate() {
        for (at, record) in records.iter().enumerate() {
            let place = Place {
                arrival,
                source: source as u32,
                line: at as u64 + 1,
            };
            let mut lines = Lines {
                diagnosis: &mut diagnosis,
                place,
            };
            NativeJson.read(record.to_string().as_bytes(), &mut lines);
            arrival = lines.place.arrival;
            if follow {
                told.extend(diagnosis.changes(&sources));
            }
        }
    }
    (diagnosis.finish(&sources), told)
}
