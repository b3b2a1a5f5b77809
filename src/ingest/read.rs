//! The driver: inputs in, records and located rejects out.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZero;

use super::blocks::BlockReader;
use super::decode::Decoder;
use super::order::InOrder;
use super::pipeline::{Way, run};
use super::sink::{Counts, Sink};
use super::source::{Input, Source};

/// More threads than this only take memory.
pub(crate) const MOST_THREADS: usize = 256;

/// Limits and preferences for reading.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The longest line, or JSON value, in bytes.
    pub max_line: usize,
    /// How much may come out of one compressed input, in bytes.
    pub max_decompressed: u64,
    /// Whether to take the SHA-256 of each input.
    pub digest: bool,
    /// How many threads parse, up to 256; 0 is as many as the machine has. With 1, all is done on
    /// the calling thread. The results are the same for any number.
    pub threads: usize,
    /// How many bytes are read, parsed and handed over at once. A block, with the records read
    /// from it, should fit into the cache of one core; each thread keeps a few blocks.
    pub block: usize,
}

impl Default for ReadOptions {
    /// Lines to 16 MiB, decompressed inputs to 64 GiB, no digest, all threads, blocks of 256 KiB.
    fn default() -> ReadOptions {
        ReadOptions {
            max_line: 16 << 20,
            max_decompressed: 64 << 30,
            digest: false,
            threads: 0,
            block: 256 * 1024,
        }
    }
}

/// Why nothing more can be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// An input cannot be opened, be it that it was removed after it had been found.
    #[error("{name}: cannot be opened: {error}")]
    Open {
        /// The input.
        name: String,
        /// What the system said.
        #[source]
        error: io::Error,
    },
}

/// Reads all inputs in order, each by its own dialect.
///
/// Whatever is wrong inside an input goes to the sink, and reading goes on. The sink is only
/// ever called on the calling thread.
///
/// # Errors
/// [`ReadError`] where an input can't be opened.
pub fn read(
    sources: Vec<Source>,
    options: &ReadOptions,
    sink: &mut dyn Sink,
) -> Result<Counts, ReadError> {
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, NonZero::get),
        threads => threads.min(MOST_THREADS),
    };
    let mut counts = Counts::default();
    let count = sources.len();
    for (index, source) in sources.into_iter().enumerate() {
        let Source {
            name,
            input,
            dialect,
        } = source;
        let (reader, size) = open(&name, input)?;
        let fork = dialect.fork();
        let mut order = InOrder::new(&name, index, dialect, options.max_line, sink);
        order.before(&counts.total, count, size);
        match Decoder::new(reader, options.max_decompressed, options.digest) {
            Ok(decoder) => {
                let way = Way {
                    threads,
                    max_line: options.max_line,
                    // What waits for nobody needs no thread of its own to be read.
                    alone: decoder.is_plain() && size.is_some(),
                    small: size.is_some_and(|size| size < options.block as u64),
                };
                let reader = BlockReader::new(decoder, options.block, size.is_some());
                run(way, reader, fork, &mut order);
            }
            Err(error) => order.unreadable(&error),
        }
        let (one, stopped) = order.finish();
        counts.stopped |= stopped;
        counts.total.add(&one);
        counts.sources.push(one);
        if counts.stopped {
            break;
        }
    }
    Ok(counts)
}

type Reader = Box<dyn Read + Send>;

fn open(name: &str, input: Input) -> Result<(Reader, Option<u64>), ReadError> {
    match input {
        Input::Stdin => {
            let stdin = io::stdin();
            enlarge_pipe(&stdin);
            Ok((Box::new(stdin), None))
        }
        Input::Reader(reader) => Ok((reader, None)),
        Input::File(path) => {
            let file = File::open(path).map_err(|error| ReadError::Open {
                name: name.to_owned(),
                error,
            })?;
            enlarge_pipe(&file);
            let size = file.metadata().ok().filter(|meta| meta.is_file());
            Ok((Box::new(file), size.map(|meta| meta.len())))
        }
    }
}

/// A pipe holds 64 KiB unless asked for more, and each refill costs two switches between
/// the processes. What is no pipe, or may not grow, stays as it is.
#[cfg(target_os = "linux")]
fn enlarge_pipe(input: &impl std::os::fd::AsFd) {
    let _ = rustix::pipe::fcntl_setpipe_size(input, 1 << 20);
}

#[cfg(not(target_os = "linux"))]
fn enlarge_pipe<T>(_input: &T) {}
