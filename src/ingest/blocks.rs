//! Blocks of whole lines: the unit in which input is read, parsed on some thread, and
//! handed over in order.

use std::io::Read;

use memchr::memrchr;

use super::decode::{Decoder, InputError};
use super::prepare::Prepared;

/// Some bytes of an input, nearly always whole lines, and what could be read from them.
#[derive(Default)]
pub(super) struct Block {
    /// How many blocks of the input came before.
    pub(super) number: u64,
    pub(super) text: Text,
    /// Whether its first byte begins a line.
    pub(super) at_line_start: bool,
    /// Bytes taken from the input up to its end, as they lie there.
    pub(super) raw_bytes: u64,
    /// How the input ended, where nothing follows.
    pub(super) end: Option<End>,
    /// What is known of its lines.
    pub(super) prepared: Prepared,
}

/// The end of an input.
pub(super) struct End {
    /// Why it came too early.
    pub(super) failure: Option<InputError>,
    /// The SHA-256, where it was asked for.
    pub(super) digest: Option<[u8; 32]>,
}

/// The bytes of a block and, where not all of them are text, those that are.
#[derive(Default)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// Where some lines are no UTF-8: the same with zeros in their place.
    patched: Option<String>,
}

impl From<Vec<u8>> for Text {
    fn from(bytes: Vec<u8>) -> Text {
        Text {
            bytes,
            patched: None,
        }
    }
}

impl Text {
    /// As they were read.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What is text among them, each line where it is, once [`Text::check`] has looked.
    pub(super) fn text_bytes(&self) -> &[u8] {
        match &self.patched {
            Some(text) => text.as_bytes(),
            None => &self.bytes,
        }
    }

    /// Checks all of it, and gives what is text, each line where it is.
    pub(super) fn check(&mut self) -> &str {
        self.patched = None;
        match simdutf8::basic::from_utf8(&self.bytes) {
            Ok(text) => text,
            Err(_) => self.patched.insert(patched(&self.bytes)),
        }
    }

    /// The room they take, to be used again.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

fn patched(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match std::str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => {
                let line_end = usize::from(line.ends_with(b"\n"));
                text.extend(std::iter::repeat_n('\0', line.len() - line_end));
                text.push_str(if line_end == 1 { "\n" } else { "" });
            }
        }
    }
    text
}

/// Reads an input in blocks.
pub(super) struct BlockReader<R: Read> {
    decoder: Decoder<R>,
    /// Bytes of a block.
    size: usize,
    buffer: Vec<u8>,
    filled: usize,
    /// Whether to wait until a block is full. Of a pipe, what is there may be all that
    /// comes for a long time.
    patient: bool,
    number: u64,
    at_line_start: bool,
    ended: bool,
}

impl<R: Read> BlockReader<R> {
    pub(super) fn new(decoder: Decoder<R>, size: usize, patient: bool) -> BlockReader<R> {
        BlockReader {
            decoder,
            size: size.max(1),
            buffer: Vec::new(),
            filled: 0,
            patient,
            number: 0,
            at_line_start: true,
            ended: false,
        }
    }

    /// Fills `block` with the next bytes; `false` if the last block was filled before.
    pub(super) fn fill(&mut self, block: &mut Block) -> bool {
        if self.ended {
            return false;
        }
        self.buffer.resize(self.size, 0);
        let mut searched = 0;
        let (cut, end) = loop {
            let Some(room) = self.buffer.get_mut(self.filled..).filter(|r| !r.is_empty()) else {
                let all = self.buffer.get(searched..).unwrap_or_default();
                // Of a line longer than a block, the first part.
                break (
                    memrchr(b'\n', all).map_or(self.size, |n| searched + n + 1),
                    None,
                );
            };
            let read = self.decoder.read(room);
            let (n, failure) = match read {
                Ok(n) => (n, None),
                Err(error) => (0, Some(error)),
            };
            self.filled += n;
            if n == 0 {
                let whole = failure.is_none();
                let digest = whole.then(|| self.decoder.digest()).flatten();
                break (self.filled, Some(End { failure, digest }));
            }
            if !self.patient {
                let new = self.buffer.get(searched..self.filled).unwrap_or_default();
                if let Some(n) = memrchr(b'\n', new) {
                    break (searched + n + 1, None);
                }
                searched = self.filled;
            }
        };
        let mut bytes = std::mem::take(&mut block.text).into_bytes();
        if cut >= self.size / 2 {
            std::mem::swap(&mut bytes, &mut self.buffer);
            self.buffer.resize(self.size, 0);
            let rest = bytes.get(cut..self.filled).unwrap_or_default();
            if let Some(room) = self.buffer.get_mut(..rest.len()) {
                room.copy_from_slice(rest);
            }
            bytes.truncate(cut);
        } else {
            bytes.clear();
            bytes.extend_from_slice(self.buffer.get(..cut).unwrap_or_default());
            self.buffer.copy_within(cut..self.filled, 0);
        }
        self.filled -= cut;
        block.number = self.number;
        block.at_line_start = self.at_line_start;
        block.raw_bytes = self.decoder.raw_bytes();
        self.at_line_start = bytes.last().map_or(self.at_line_start, |&b| b == b'\n');
        self.number += 1;
        self.ended = end.is_some();
        block.end = end;
        block.text = Text::from(bytes);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, BlockReader, Text};
    use crate::ingest::decode::Decoder;
    use std::io::Read;

    const BLOCK: usize = 4096;

    struct Trickle<'a>(&'a [u8], usize);
    impl Read for Trickle<'_> {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            let n = self.1.min(buf.len());
            self.0.read(&mut buf[..n])
        }
    }

    fn blocks(bytes: &[u8], step: usize, patient: bool) -> Vec<(Vec<u8>, bool)> {
        let decoder = Decoder::new(Trickle(bytes, step), 1 << 30, false).unwrap();
        let mut reader = BlockReader::new(decoder, BLOCK, patient);
        let mut block = Block::default();
        let mut all = Vec::new();
        while reader.fill(&mut block) {
            assert_eq!(block.number, all.len() as u64);
            all.push((block.text.bytes().to_vec(), block.at_line_start));
        }
        assert!(block.end.is_some());
        all
    }

    #[test]
    fn blocks_are_whole_lines_that_together_are_the_input() {
        let short = b"{\"lockName\":\"a\"}\n".repeat(1000);
        let mut long = vec![b'x'; 3 * BLOCK];
        long.extend_from_slice(b"\nshort\n");
        long.extend_from_slice(&short);
        long.extend_from_slice(b"no line end");
        for input in [&b""[..], b"\n", &short, &long] {
            for (step, patient) in [(BLOCK, true), (701, true), (701, false)] {
                let blocks = blocks(input, step, patient);
                let together: Vec<u8> = blocks.iter().flat_map(|(b, _)| b.clone()).collect();
                assert!(together == input);
                let mut at_line_start = true;
                for (bytes, starts_line) in blocks {
                    assert_eq!(starts_line, at_line_start);
                    assert!(bytes.len() <= BLOCK);
                    at_line_start = bytes.is_empty() || bytes.ends_with(b"\n");
                }
            }
        }
    }

    #[test]
    fn a_patient_reader_cuts_the_same_blocks_however_bytes_arrive() {
        let input = b"some line\n".repeat(2000);
        assert!(blocks(&input, 1 << 20, true) == blocks(&input, 1013, true));
    }

    #[test]
    fn lines_that_are_no_text_leave_the_others_in_place() {
        let bytes = "erste\n\u{fc}ber\n".as_bytes();
        let all = [bytes, b"\xfcber\n", bytes].concat();
        let mut text = Text::from(all.clone());
        let known = "erste\n\u{fc}ber\n\0\0\0\0\nerste\n\u{fc}ber\n";
        assert_eq!(text.check(), known);
        assert_eq!(text.text_bytes(), known.as_bytes());
        assert_eq!((text.bytes(), known.len()), (&*all, all.len()));
    }
}
