//! Reads evidence and does nothing with it: what reading takes of the whole job.
//! `ingest_only FILE [THREADS [parser]]`; with `parser` the JSON parser reads every line, as
//! if none looked like the one before.
#![allow(clippy::print_stdout)]

use std::ops::ControlFlow;

use lockdiag::evidence::{Place, Record};
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
        self.0 += record.lock.len() as u64;
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, _: &Rejected<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

fn main() -> Result<(), ingest::ReadError> {
    let mut arguments = std::env::args().skip(1);
    let source = arguments.next().map_or_else(Source::stdin, Source::file);
    let mut options = ReadOptions::default();
    options.threads = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let parser = arguments.next().is_some_and(|word| word == "parser");
    let mut native = |_: usize, _: &Source| -> Box<dyn Dialect> {
        if parser {
            Box::new(Parser)
        } else {
            Box::new(NativeJson)
        }
    };
    let mut count = Count(0);
    let counts = ingest::read(vec![source], &options, &mut native, &mut count)?;
    println!("{} {}", counts.total.records, count.0);
    Ok(())
}
