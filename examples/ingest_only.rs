//! Reads evidence and does nothing with it: what reading takes of the whole job.
//! `ingest_only FILE [THREADS]`.
#![allow(clippy::print_stdout)]

use std::ops::ControlFlow;

use lockdiag::evidence::{Place, Record};
use lockdiag::ingest::{self, Dialect, NativeJson, ReadOptions, Rejected, Sink, Source};

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
    let mut native = |_: usize, _: &Source| -> Box<dyn Dialect> { Box::new(NativeJson) };
    let mut count = Count(0);
    let counts = ingest::read(vec![source], &options, &mut native, &mut count)?;
    println!("{} {}", counts.total.records, count.0);
    Ok(())
}
