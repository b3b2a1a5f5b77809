//! Undoes gzip and zstd, known by their first bytes, while counting what passes.

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;
use sha2::{Digest, Sha256};
use zstd::stream::{raw, zio};

/// Compressed bytes are taken from the file in blocks of this size.
const BLOCK: usize = 256 * 1024;

/// Why an input ended before its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// Compressed data that stop in the middle.
    #[error("the compressed data end too early: the file was cut short")]
    Truncated,
    /// Compressed data that can't be undone.
    #[error("the compressed data are damaged ({0})")]
    Damaged(String),
    /// Whole compressed data, and something else behind them.
    #[error("what follows the compressed data is no {0}")]
    Trailing(&'static str),
    /// More decompressed data than the user allows.
    #[error("more than {} after decompression", bytes(*.0))]
    TooMuch(u64),
    /// The system could not read on.
    #[error("cannot be read further: {0}")]
    Io(#[source] io::Error),
}

fn bytes(count: u64) -> String {
    match count {
        1 => "1 byte".to_owned(),
        n => format!("{n} bytes"),
    }
}

impl InputError {
    /// What the user can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            InputError::Truncated | InputError::Damaged(_) => {
                "everything before this place was used; fetch the file again for the rest"
            }
            InputError::Trailing(_) => {
                "everything before this place was used; if more was written behind it, give it as a \
                 file of its own"
            }
            InputError::TooMuch(_) => {
                "everything before this place was used; if the size is expected, raise the limit with \
                 --max-decompressed"
            }
            InputError::Io(_) => "everything before this place was used",
        }
    }
}

/// A reader that counts, and digests if asked, what is taken from it.
pub(crate) struct Tap<R> {
    inner: R,
    bytes: u64,
    digest: Option<Sha256>,
}

impl<R: Read> Read for Tap<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.bytes += n as u64;
        if let (Some(digest), Some(read)) = (&mut self.digest, buf.get(..n)) {
            digest.update(read);
        }
        Ok(n)
    }
}

/// The first bytes, looked at, before the rest.
type Rewound<R> = io::Chain<io::Cursor<Vec<u8>>, Tap<R>>;

/// Compressed bytes, of which some may be looked at before they are read.
struct Ahead<R: Read> {
    seen: Vec<u8>,
    rest: BufReader<Rewound<R>>,
}

impl<R: Read> Ahead<R> {
    fn new(rewound: Rewound<R>) -> Ahead<R> {
        Ahead {
            seen: Vec::new(),
            rest: BufReader::with_capacity(BLOCK, rewound),
        }
    }

    /// The next `wanted` bytes, fewer where there are no more.
    fn peek(&mut self, wanted: usize) -> io::Result<&[u8]> {
        while self.seen.len() < wanted {
            let Some(byte) = self.rest.by_ref().bytes().next() else {
                break;
            };
            self.seen.push(byte?);
        }
        Ok(&self.seen)
    }

    /// Passes zeros, with which archives and tapes fill their last block.
    fn skip_zeros(&mut self) -> io::Result<()> {
        loop {
            let zeros = match self.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                bytes => bytes?.iter().take_while(|byte| **byte == 0).count(),
            };
            if zeros == 0 {
                return Ok(());
            }
            self.consume(zeros);
        }
    }
}

impl<R: Read> Read for Ahead<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(buf)?;
        self.consume(n);
        Ok(n)
    }
}

impl<R: Read> BufRead for Ahead<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.seen.is_empty() {
            self.rest.fill_buf()
        } else {
            Ok(&self.seen)
        }
    }

    fn consume(&mut self, n: usize) {
        if self.seen.is_empty() {
            self.rest.consume(n);
        } else {
            self.seen.drain(..n.min(self.seen.len()));
        }
    }
}

/// A part of the compressed data that can be undone alone: several may follow each other.
enum Codec<R: Read> {
    Plain(Rewound<R>),
    Gzip(Box<GzDecoder<Ahead<R>>>),
    Zstd(Frame<R>),
    /// Nothing follows.
    Ended(Ahead<R>),
}

/// One frame of zstd.
type Frame<R> = zio::Reader<Ahead<R>, raw::Decoder<'static>>;

/// What compressed data begin with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A frame, or a skippable one before it.
fn is_zstd(magic: &[u8]) -> bool {
    magic.starts_with(&ZSTD) || matches!(magic, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

impl<R: Read> Codec<R> {
    fn gzip(ahead: Ahead<R>) -> Codec<R> {
        Codec::Gzip(Box::new(GzDecoder::new(ahead)))
    }

    fn zstd(ahead: Ahead<R>, decoder: raw::Decoder<'static>) -> Codec<R> {
        let mut frame = zio::Reader::new(ahead, decoder);
        frame.set_single_frame();
        Codec::Zstd(frame)
    }

    /// What follows where one part has ended.
    fn next(self) -> (Codec<R>, Option<InputError>) {
        let (mut ahead, gzip) = match self {
            Codec::Gzip(decoder) => (decoder.into_inner(), true),
            Codec::Zstd(frame) => (frame.into_inner(), false),
            ended @ (Codec::Plain(_) | Codec::Ended(_)) => return (ended, None),
        };
        let magic = match ahead.skip_zeros().and_then(|()| ahead.peek(4)) {
            Ok(magic) => magic,
            Err(error) => return (Codec::Ended(ahead), Some(InputError::Io(error))),
        };
        let (begins, name) = match gzip {
            true => (GZIP.starts_with(magic), "gzip"),
            false => (ZSTD.starts_with(magic), "zstd"),
        };
        let failure = match magic {
            [] => None,
            magic if gzip && magic.starts_with(&GZIP) => return (Codec::gzip(ahead), None),
            magic if !gzip && is_zstd(magic) => match raw::Decoder::new() {
                Ok(decoder) => return (Codec::zstd(ahead, decoder), None),
                Err(error) => Some(InputError::Io(error)),
            },
            _ if begins => Some(InputError::Truncated),
            _ => Some(InputError::Trailing(name)),
        };
        (Codec::Ended(ahead), failure)
    }
}

/// The decompressed bytes of one input.
pub(crate) struct Decoder<R: Read> {
    /// None only while one part is left for the next.
    codec: Option<Codec<R>>,
    left: u64,
    limit: u64,
}

impl<R: Read> Decoder<R> {
    /// Looks at the first bytes of `reader`. At most `limit` bytes may come out of
    /// compressed data.
    pub(crate) fn new(reader: R, limit: u64, digest: bool) -> Result<Decoder<R>, InputError> {
        let mut tap = Tap {
            inner: reader,
            bytes: 0,
            digest: digest.then(Sha256::new),
        };
        let mut magic = Vec::with_capacity(4);
        // One byte at first: a pipe may hold a single short line for a long time.
        for wanted in [1, 4] {
            let may_be = matches!(magic.first(), None | Some(0x1f | 0x28 | 0x50..=0x5f));
            if may_be {
                let missing = wanted - magic.len() as u64;
                tap.by_ref()
                    .take(missing)
                    .read_to_end(&mut magic)
                    .map_err(InputError::Io)?;
            }
        }
        let kind = magic.clone();
        let rewound = io::Cursor::new(magic).chain(tap);
        let codec = match kind.as_slice() {
            magic if magic.starts_with(&GZIP) => Codec::gzip(Ahead::new(rewound)),
            magic if is_zstd(magic) => {
                let decoder = raw::Decoder::new().map_err(InputError::Io)?;
                Codec::zstd(Ahead::new(rewound), decoder)
            }
            _ => Codec::Plain(rewound),
        };
        Ok(Decoder {
            codec: Some(codec),
            left: limit,
            limit,
        })
    }

    /// Reads on; 0 is the end.
    pub(crate) fn read(&mut self, buf: &mut [u8]) -> Result<usize, InputError> {
        let result = loop {
            let result = match &mut self.codec {
                Some(Codec::Plain(reader)) => reader.read(buf),
                Some(Codec::Gzip(reader)) => reader.read(buf),
                Some(Codec::Zstd(reader)) => reader.read(buf),
                Some(Codec::Ended(_)) | None => return Ok(0),
            };
            match result {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(0) if !buf.is_empty() && !self.is_plain() => {
                    if let Some(codec) = self.codec.take() {
                        let (next, failure) = codec.next();
                        self.codec = Some(next);
                        failure.map_or(Ok(()), Err)?;
                    }
                }
                result => break result,
            }
        };
        let plain = self.is_plain();
        match result {
            Ok(n) if plain => Ok(n),
            Ok(n) => {
                self.left = self
                    .left
                    .checked_sub(n as u64)
                    .ok_or(InputError::TooMuch(self.limit))?;
                Ok(n)
            }
            Err(error) if plain || error.raw_os_error().is_some() => Err(InputError::Io(error)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Err(InputError::Truncated)
            }
            Err(error) => Err(InputError::Damaged(error.to_string())),
        }
    }

    /// Whether the bytes come out as they lie there.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self.codec, Some(Codec::Plain(_)))
    }

    /// Bytes taken from the file so far, as they lie there.
    pub(crate) fn raw_bytes(&self) -> u64 {
        self.tap().map_or(0, |tap| tap.bytes)
    }

    fn tap(&self) -> Option<&Tap<R>> {
        let ahead = match self.codec.as_ref()? {
            Codec::Plain(rewound) => return Some(rewound.get_ref().1),
            Codec::Gzip(reader) => reader.get_ref(),
            Codec::Zstd(reader) => reader.reader(),
            Codec::Ended(ahead) => ahead,
        };
        Some(ahead.rest.get_ref().get_ref().1)
    }

    /// The SHA-256 of the bytes as they lie in the file, if it was asked for.
    pub(crate) fn digest(&self) -> Option<[u8; 32]> {
        Some(self.tap()?.digest.clone()?.finalize().into())
    }
}

#[cfg(test)]
mod tests;
