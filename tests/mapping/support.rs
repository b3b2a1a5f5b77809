//! Reads a file through a dialect and keeps what it reported.

use lockdiag::evidence::{Active, Record};
use lockdiag::ingest::{Dialect, Framing, Output, Problem};

/// What a dialect reported.
#[derive(Debug, Default)]
pub struct Seen {
    pub records: Vec<String>,
    pub problems: Vec<String>,
    pub rejects: Vec<String>,
    pub others: usize,
}

impl Output for Seen {
    fn record(&mut self, _offset: usize, record: &Record<'_>, problems: &[Problem]) {
        self.records.push(line(record));
        self.problems
            .extend(problems.iter().map(|p| p.message.clone()));
    }
    fn reject(&mut self, problem: Problem) {
        self.rejects.push(problem.message);
    }
    fn other(&mut self) {
        self.others += 1;
    }
}

/// A record as one line: its fields in documented order, absent ones left out.
pub fn line(record: &Record<'_>) -> String {
    let mut text = format!(
        "{} {} {}",
        record.lock,
        record.event.word(),
        record.answer.word()
    );
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text.push_str(&format!(" {name}={value}"));
        }
    };
    let of = |value: &Option<std::borrow::Cow<'_, str>>| value.as_ref().map(ToString::to_string);
    add("owner", of(&record.owner));
    add("lease", of(&record.lease));
    add("token", record.token.map(|t| t.to_string()));
    add("before", record.before.map(|t| t.to_string()));
    add("after", record.after.map(|t| t.to_string()));
    add("seq", record.seq.map(|t| t.to_string()));
    add("by", record.seq_by.map(|o| o.word().to_owned()));
    add("key", of(&record.key));
    add("op", of(&record.operation));
    match &record.active {
        Active::Unrecorded => {}
        Active::None => add("active", Some("none".to_owned())),
        Active::Lease {
            owner,
            lease,
            token,
        } => {
            add("active.owner", of(owner));
            add("active.lease", of(lease));
            add("active.token", token.map(|t| t.to_string()));
        }
    }
    text
}

/// Reads a file: line by line, or, for JSON that is one value, as one frame.
pub fn read(dialect: &mut dyn Dialect, bytes: &[u8]) -> Seen {
    let mut seen = Seen::default();
    let whole = dialect.framing() == Framing::Json
        && serde_json::from_slice::<serde_json::Value>(bytes).is_ok();
    if whole {
        dialect.read(bytes, &mut seen);
    } else {
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let (rows, mut quoted) = (matches!(dialect.framing(), Framing::Rows { .. }), false);
        let frames = text.split(|b| {
            quoted ^= *b == b'"' && rows;
            *b == b'\n' && !quoted
        });
        for frame in frames {
            dialect.read(frame.strip_suffix(b"\r").unwrap_or(frame), &mut seen);
        }
    }
    dialect.finish(&mut seen);
    seen
}

/// A file of the test data.
pub fn data(name: &str) -> Vec<u8> {
    let path = format!("{}/tests/mapping/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The files in a directory of the test data, by name.
pub fn names(dir: &str) -> Vec<String> {
    let dir = format!("{}/tests/mapping/{dir}", env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(&dir).unwrap_or_else(|e| panic!("{dir}: {e}"));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// A mapping of the samples.
pub fn sample(name: &str) -> lockdiag::ingest::mapping::Mapped {
    let path = format!(
        "{}/samples/mappings/{name}.toml",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    mapped(name, &text)
}

/// A mapping from its text; the faults are shown where there are any.
pub fn mapped(name: &str, text: &str) -> lockdiag::ingest::mapping::Mapped {
    match lockdiag::ingest::mapping::Mapping::parse(name, text) {
        Ok(mapping) => lockdiag::ingest::mapping::Mapped::new(mapping.into()),
        Err(errors) => {
            let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
            panic!("{}", all.join("\n"));
        }
    }
}
