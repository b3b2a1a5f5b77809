//! Lines read by what the lines before looked like, beside the JSON parser alone.

use lockdiag::evidence::Record;
use lockdiag::ingest::{Dialect, NativeJson, Output, Problem};

/// Everything that a dialect says of a line.
#[derive(Default, Debug, PartialEq)]
pub struct Said(Vec<String>);

impl Output for Said {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        self.0.push(format!("{offset} {record:?} {problems:?}"));
    }
    fn reject(&mut self, problem: Problem) {
        self.0.push(format!("{problem:?}"));
    }
    fn other(&mut self) {
        self.0.push("other".to_owned());
    }
}

/// What a dialect says of one line.
pub fn said(dialect: &mut dyn Dialect, line: &[u8]) -> Said {
    let mut said = Said::default();
    match std::str::from_utf8(line) {
        Ok(text) => dialect.read_text(text, &mut said),
        Err(_) => dialect.read(line, &mut said),
    }
    said
}

/// Records and problems, with their places, are the same whatever was learned before.
pub fn layout(data: &[u8]) {
    let mut learning = NativeJson.fork().expect("lines that need no others");
    let lines: Vec<&[u8]> = data.split(|&b| b == b'\n').take(200).collect();
    // Three times: to learn them, to read them as learned, and by what came later.
    for round in 0..3 {
        for line in &lines {
            let learned = said(&mut *learning, line);
            let alone = said(&mut NativeJson, line);
            assert_eq!(learned, alone, "round {round}: {line:?}");
        }
    }
}
