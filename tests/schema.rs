//! The schemas are current, and the reader and a public validator agree on records.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{self, ReadOptions, Rejected, Sink, Source};
use lockdiag::schema::{Name, schema, text};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Made anew with `UPDATE_DOCS=1 cargo test --test schema`.
#[test]
fn the_files_are_current() {
    for name in Name::ALL {
        let path = root().join("docs/schema").join(name.file_name());
        let text = text(name);
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        let written = fs::read_to_string(&path).unwrap_or_default();
        assert!(written == text, "{} is out of date", path.display());
    }
}

#[test]
fn the_schemas_are_schemas() {
    for name in Name::ALL {
        let schema = schema(name).to_value();
        assert_eq!(
            schema["$schema"],
            "https://json-schema.org/draft/2020-12/schema"
        );
        jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// What the reader says of one line: whether it is a record without a complaint.
#[derive(Default)]
struct Verdict {
    records: u64,
    complaints: Vec<String>,
}

impl Sink for Verdict {
    fn record(&mut self, _: Place, _: &Record<'_>) -> ControlFlow<()> {
        self.records += 1;
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) -> ControlFlow<()> {
        let messages = rejected
            .problems
            .iter()
            .map(|one| one.problem.message.clone());
        self.complaints.extend(messages);
        ControlFlow::Continue(())
    }
}

fn read(line: &str) -> Verdict {
    let source = Source::reader("line", std::io::Cursor::new(line.to_owned()));
    let mut verdict = Verdict::default();
    ingest::read(vec![source], &ReadOptions::default(), &mut verdict).unwrap();
    verdict
}

/// Each line of the corpus says what it should be: `good`, `bad`, or `differs` with the
/// reason why a schema can't say what the reader says.
#[test]
fn the_reader_and_a_validator_agree() {
    let schema = schema(Name::Record).to_value();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let corpus = fs::read_to_string(root().join("tests/schema/records.txt")).unwrap();
    let (mut good, mut bad, mut differs) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(corpus.lines()) {
        let Some((kind, record)) = line.split_once('\t') else {
            assert!(line.is_empty() || line.starts_with('#'), "line {number}");
            continue;
        };
        let read = read(record);
        let accepted = read.records == 1 && read.complaints.is_empty();
        // A validator gets what a reader of JSON made of the line.
        let valid = serde_json::from_str(record).is_ok_and(|value| validator.is_valid(&value));
        let context = format!("line {number}: {record}: {:?}", read.complaints);
        let agrees = match kind {
            "good" => {
                good += 1;
                accepted && valid
            }
            "bad" => {
                bad += 1;
                !accepted && !valid
            }
            _ => {
                let reason = kind.strip_prefix("differs: ").unwrap();
                assert!(REASONS.contains(&reason), "line {number}: {reason}");
                differs += 1;
                !accepted && valid
            }
        };
        if !agrees {
            wrong.push(format!(
                "reader {accepted}, validator {valid}: {kind} {context}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(good >= 100 && bad >= 100, "{good} good, {bad} bad");
    assert!(differs < 15, "{differs}");
}

/// What the schema lets pass and the reader does not.
const REASONS: [&str; 4] = [
    // JSON Schema sees an object after its names were made unique.
    "a field twice in one spelling",
    // Two names are two members to a schema; that they are one field it can't know.
    "a field twice in two spellings",
    // To JSON Schema 7.0 is an integer. To the reader it was a float on its way.
    "a fraction of zero",
    // One beyond 64 bits is the same float as the last number within.
    "a float in the validator",
];
