//! What can be read from the lines of a block before its turn comes.
//!
//! A line of a dialect without memory means the same wherever it stands, so any thread may
//! read it. What it finds is kept here in small structs that point into the block; nothing
//! is allocated for a record. Only what is plain is kept: one good record, or no evidence.
//! All else (a reject, a flawed field, a value of several lines) is read again when its
//! turn comes, by the one way of reading that knows where it stands.

use memchr::memchr;

use super::blocks::Text;
use super::compact::{Compact, Span};
use super::dialect::{Dialect, Framing, Output, Problem};
use super::frames::is_blank;
use super::kept::Kept;
use crate::evidence::{Record, name_hash};

/// The lines of a block that are read already, in order.
#[derive(Debug, Default)]
pub(super) struct Prepared {
    pub(super) lines: Vec<Line>,
    records: Vec<Compact>,
    /// By record: the hash of the name of its lock.
    lock_hashes: Vec<u64>,
    /// Texts that do not stand in the block as they are.
    pub(super) extra: String,
    /// Line ends in the block.
    pub(super) line_ends: u64,
}

/// One line that is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    /// Where it begins in the block.
    pub(super) start: u32,
    /// Behind its line end.
    pub(super) end: u32,
    /// Its record; [`Line::OTHER`] where it is no evidence.
    record: u32,
}

impl Line {
    const OTHER: u32 = u32::MAX;

    /// Whether it is no evidence.
    #[inline]
    pub(super) fn is_other(self) -> bool {
        self.record == Line::OTHER
    }

    /// The line in its block, without the line end.
    #[inline]
    pub(super) fn frame(self, block: &[u8]) -> &[u8] {
        let line = block.get(self.start as usize..self.end as usize - 1);
        let line = line.unwrap_or_default();
        line.strip_suffix(b"\r").unwrap_or(line)
    }
}

impl Prepared {
    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.records.clear();
        self.lock_hashes.clear();
        self.extra.clear();
        self.line_ends = 0;
    }

    /// Counts the lines and reads them as far as `dialect`, which has no memory, can.
    pub(super) fn read(
        &mut self,
        text: &mut Text,
        at_line_start: bool,
        max_line: usize,
        dialect: &mut dyn Dialect,
    ) {
        self.clear();
        let all = text.check();
        let framing = dialect.framing();
        if u32::try_from(all.len()).is_err() {
            self.line_ends = super::frames::line_ends(all.as_bytes());
            return;
        }
        let (mut at, mut whole) = (0, at_line_start);
        loop {
            let start = at;
            let known = self.records.len();
            let plain = match framing {
                Framing::Json => dialect.plain(all, start, &mut self.records),
                Framing::Lines | Framing::Rows { .. } => None,
            };
            let plain = plain.and_then(|plain| Some((line_end(all, plain.end)?, plain.is_record)));
            if plain.is_none() {
                self.records.truncate(known);
            }
            let Some(stop) = (match plain {
                Some((stop, _)) => Some(stop),
                None => memchr(b'\n', &all.as_bytes()[start..]).map(|len| start + len),
            }) else {
                break;
            };
            at = stop + 1;
            self.line_ends += 1;
            // The rest of a line that began in another block is none.
            if !std::mem::replace(&mut whole, true) || stop - start > max_line {
                continue;
            }
            let found = match plain {
                Some((_, true)) => {
                    self.hash_lock(all);
                    Some(known as u32)
                }
                Some((_, false)) => Some(Line::OTHER),
                None => all
                    .get(start..stop)
                    .and_then(|line| self.line(all, line, framing, dialect)),
            };
            if let Some(record) = found {
                self.lines.push(Line {
                    start: start as u32,
                    end: at as u32,
                    record,
                });
            }
        }
    }

    /// Keeps a record, and gives its number.
    fn keep(&mut self, all: &str, compact: Compact) -> u32 {
        self.records.push(compact);
        self.hash_lock(all);
        self.records.len() as u32 - 1
    }

    /// Notes the hash of the lock of the newest record, while its name is near.
    #[inline(always)]
    fn hash_lock(&mut self, all: &str) {
        let record = self.records.last();
        let lock = record.and_then(|record| record.lock.bytes(all.as_bytes(), &self.extra));
        self.lock_hashes.push(name_hash(lock.unwrap_or_default()));
    }

    /// Reads one line; `None` where it has to wait for its turn.
    fn line(
        &mut self,
        all: &str,
        line: &str,
        framing: Framing,
        dialect: &mut dyn Dialect,
    ) -> Option<u32> {
        let line = match framing {
            // Zeros may stand for what is no text.
            Framing::Rows { .. } => return None,
            // A mark in front is none of the line's.
            _ if line.starts_with('\u{feff}') => return None,
            Framing::Lines if is_blank(line.as_bytes()) || line.starts_with('\0') => return None,
            Framing::Lines => line.strip_suffix('\r').unwrap_or(line),
            Framing::Json => match line.as_bytes().first()? {
                b'{' if line.trim_ascii_end().ends_with('}') => line,
                b'{' | b'[' | 0..=b' ' => return None,
                _ => line.strip_suffix('\r').unwrap_or(line),
            },
        };
        let mut keep = Keep {
            prepared: self,
            all,
            found: None,
            doubt: false,
        };
        dialect.read_text(line, &mut keep);
        if keep.doubt { None } else { keep.found }
    }

    /// The record of a line that is evidence; `all` is the text of the block.
    #[inline]
    pub(super) fn kept<'a>(&'a self, all: &'a [u8], line: Line) -> Option<Kept<'a>> {
        Some(Kept {
            compact: self.records.get(line.record as usize)?,
            line,
            prepared: self,
            all,
        })
    }

    /// The hash of the name of the lock of its record, and of those of the records behind it.
    #[inline]
    pub(super) fn lock_hashes(&self, line: Line) -> &[u64] {
        let hashes = self.lock_hashes.get(line.record as usize..);
        hashes.unwrap_or_default()
    }
}

/// The line end that stands at `at`, behind a carriage return or none.
#[inline]
fn line_end(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes().get(at..)? {
        [b'\n', ..] => Some(at),
        [b'\r', b'\n', ..] => Some(at + 1),
        _ => None,
    }
}

/// The [`Output`] that keeps what is plain.
struct Keep<'p, 't> {
    prepared: &'p mut Prepared,
    all: &'t str,
    found: Option<u32>,
    doubt: bool,
}

impl Keep<'_, '_> {
    fn found(&mut self, record: u32) {
        self.doubt |= self.found.replace(record).is_some();
    }

    /// Where a text stands in the block, if it does.
    fn place(all: &str, text: &str) -> Option<usize> {
        let distance = (text.as_ptr() as usize).wrapping_sub(all.as_ptr() as usize);
        (distance < all.len() && distance + text.len() <= all.len()).then_some(distance)
    }

    /// Where a text stands: in the block, or else behind it, where it is kept.
    fn span(all: &str, extra: &mut String, text: &str) -> Option<Span> {
        let start = Keep::place(all, text).unwrap_or_else(|| {
            let start = all.len() + extra.len();
            extra.push_str(text);
            start
        });
        Span::new(start, text.len())
    }
}

impl Output for Keep<'_, '_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        if offset != 0 || !problems.is_empty() {
            self.doubt = true;
            return;
        }
        let (all, extra) = (self.all, &mut self.prepared.extra);
        match Compact::of(record, |text| Keep::span(all, extra, text)) {
            Some(compact) => {
                let number = self.prepared.keep(all, compact);
                self.found(number);
            }
            None => self.doubt = true,
        }
    }

    fn compact(&mut self, record: Compact, frame: &str) {
        let begin = Keep::place(self.all, frame);
        match begin.and_then(|begin| record.moved(u32::try_from(begin).ok()?)) {
            Some(compact) => {
                let number = self.prepared.keep(self.all, compact);
                self.found(number);
            }
            None => self.record(0, &record.record(frame.as_bytes(), ""), &[]),
        }
    }

    fn reject(&mut self, _problem: Problem) {
        self.doubt = true;
    }

    fn other(&mut self) {
        self.found(Line::OTHER);
    }
}

#[cfg(test)]
mod tests {
    use super::Prepared;
    use crate::evidence::Record;
    use crate::ingest::NativeJson;
    use crate::ingest::blocks::Text;
    use crate::ingest::dialect::{Dialect, Output, Problem};

    /// The records as the dialect itself gives them, of lines that have nothing wrong.
    #[derive(Default)]
    struct Direct(Vec<Record<'static>>);
    impl Output for Direct {
        fn record(&mut self, _: usize, record: &Record<'_>, _: &[Problem]) {
            // Debug shows each field; equality is compared as that text below.
            self.0.push(Record {
                lock: format!("{record:?}").into(),
                ..Record::new("", record.event, record.answer)
            });
        }
        fn reject(&mut self, _: Problem) {}
        fn other(&mut self) {}
    }

    #[test]
    fn a_record_comes_back_as_it_was() {
        let lines = concat!(
            r#"{"lockName":"a","event":"write","result":"accepted","fenceToken":7,"ownerId":"o","#,
            r#""leaseId":5,"resourceKey":"k","operationId":"p","seq":0,"seqBy":"resource","#,
            r#""resourceHighestTokenBefore":6,"resourceHighestTokenAfter":18446744073709551615}"#,
            "\n",
            r#"{"lockName":"caf\u00e9","event":"release","activeLease":null}"#,
            "\n",
            r#"{"lockName":"é","event":"release","activeLease":{"ownerId":"x","fenceToken":1}}"#,
            "\r\n",
            r#"{"lockName":"b","event":"renew","activeLeaseId":"l"}"#,
            "\n",
        );
        let mut direct = Direct::default();
        for line in lines.lines() {
            NativeJson.read(line.as_bytes(), &mut direct);
        }
        let mut text = Text::from(lines.as_bytes().to_vec());
        let mut prepared = Prepared::default();
        prepared.read(&mut text, true, 1000, &mut NativeJson);
        let kept: Vec<String> = prepared
            .lines
            .iter()
            .map(|line| {
                format!(
                    "{:?}",
                    prepared.kept(text.text_bytes(), *line).unwrap().record()
                )
            })
            .collect();
        let direct: Vec<&str> = direct.0.iter().map(|record| &*record.lock).collect();
        assert_eq!(kept, direct);
        assert_eq!(kept.len(), 4);
    }

    #[test]
    fn what_is_not_plain_waits_for_its_turn() {
        let good = r#"{"lockName":"a","event":"write"}"#;
        for line in [
            "{",
            "",
            " ",
            "[",
            "{}]",
            r#"{"lockName":"a"}"#,
            r#"{"lockName":"a","event":"write","fenceToken":-1}"#,
            " {\"lockName\":\"a\",\"event\":\"write\"}",
        ] {
            let mut text = Text::from(format!("{line}\n{good}\nINFO\n{good}").into_bytes());
            let mut prepared = Prepared::default();
            prepared.read(&mut text, true, 1000, &mut NativeJson);
            assert_eq!(prepared.line_ends, 3);
            let known: Vec<bool> = prepared
                .lines
                .iter()
                .map(|line| prepared.kept(text.text_bytes(), *line).is_some())
                .collect();
            assert_eq!(known, [true, false], "{line}");
            prepared.read(&mut text, false, 1000, &mut NativeJson);
            assert_eq!(prepared.lines.len(), 2);
        }
    }
}
