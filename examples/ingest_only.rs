//! Reads evidence and does nothing with it: what reading takes of the whole job.
//! `ingest_only FILE [THREADS [parser | MAPPING]]`; with `parser` the JSON parser reads every
//! line, as if none looked like the one before; any other word is the file of a mapping.
//!
//! It prints how many records there are and a sum over their fields, so that two ways of
//! logging the same records can be told to be that.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Arc;

use lockdiag::evidence::{Active, Place, Record};
use lockdiag::ingest::mapping::{Mapping, Reading};
use lockdiag::ingest::{
    self, Dialect, Framing, NativeJson, Output, ReadOptions, Rejected, Sink, Source,
};

/// The native dialect that learns nothing.
struct Parser;

impl Dialect for Parser {
    fn framing(&self) -> Framing {
        NativeJson.framing()
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        NativeJson.read(frame, output);
    }

    fn read_text(&mut self, frame: &str, output: &mut dyn Output) {
        NativeJson.read_text(frame, output);
    }

    fn fork(&self) -> Option<Box<dyn Dialect + Send>> {
        Some(Box::new(Parser))
    }
}

struct Count(u64);

impl Sink for Count {
    fn record(&mut self, _: Place, record: &Record<'_>) -> ControlFlow<()> {
        let text = |text: &Option<_>| {
            text.as_deref()
                .map_or(0, |text: &str| text.len() as u64 + 1)
        };
        let mut sum = record.lock.len() as u64 * (1 + record.answer as u64);
        sum += text(&record.owner) + 3 * text(&record.lease) + 5 * text(&record.key);
        sum += 7 * text(&record.operation) + 11 * record.seq_by.map_or(0, |by| 1 + by as u64);
        for (n, number) in [record.token, record.before, record.after, record.seq]
            .into_iter()
            .enumerate()
        {
            sum += number.map_or(0, |number| (number % 1_000_000 + 1) * (n as u64 + 1));
        }
        if let Active::Lease {
            owner,
            lease,
            token,
        } = &record.active
        {
            sum += 13 * text(owner) + 17 * text(lease) + token.map_or(0, |token| token % 1_000_000);
        }
        self.0 = self.0.wrapping_add(sum);
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, _: &Rejected<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let source = arguments.next().map_or_else(Source::stdin, Source::file);
    let mut options = ReadOptions::default();
    options.threads = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let way = arguments.next();
    let reading = match way.as_deref() {
        None | Some("parser") => Reading::Native,
        Some(file) => {
            let mapping = Mapping::parse(file, &std::fs::read_to_string(file)?);
            Reading::Mapped(Arc::new(mapping.map_err(|errors| {
                let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
                errors.join("\n")
            })?))
        }
    };
    let parser = way.as_deref() == Some("parser");
    let source = source.read_by(if parser {
        Box::new(Parser)
    } else {
        reading.dialect()
    });
    let mut count = Count(0);
    let counts = ingest::read(vec![source], &options, &mut count)?;
    println!("{} {}", counts.total.records, count.0);
    Ok(())
}
