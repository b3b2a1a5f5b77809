//! What can be read from the lines of a block before its turn comes.
//!
//! A line of a dialect without memory means the same wherever it stands, so any thread may
//! read it. What it finds is kept here in small structs that point into the block; nothing
//! is allocated for a record. Only what is plain is kept: one good record, or no evidence.
//! All else (a reject, a flawed field, a value of several lines) is read again when its
//! turn comes, by the one way of reading that knows where it stands.

use std::borrow::Cow;

use memchr::memchr;

use super::blocks::Text;
use super::dialect::{Dialect, Framing, Output, Problem};
use super::frames::is_blank;
use crate::evidence::{Active, Answer, Event, Origin, Record, Token};

/// The lines of a block that are read already, in order.
#[derive(Default)]
pub(super) struct Prepared {
    pub(super) lines: Vec<Line>,
    records: Vec<Compact>,
    /// Texts that do not stand in the block as they are.
    extra: String,
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
    pub(super) fn is_other(self) -> bool {
        self.record == Line::OTHER
    }
}

/// A text: where it begins in the block, or behind the block in the extra texts.
#[derive(Debug, Clone, Copy)]
struct Span {
    start: u32,
    len: u32,
}

impl Span {
    const ABSENT: Span = Span {
        start: u32::MAX,
        len: 0,
    };
}

/// A record that points into its block.
#[derive(Debug)]
struct Compact {
    lock: Span,
    owner: Span,
    lease: Span,
    key: Span,
    operation: Span,
    active_owner: Span,
    active_lease: Span,
    token: Token,
    before: Token,
    after: Token,
    seq: u64,
    active_token: Token,
    /// Which of the numbers are there, and of which kind the active lease is.
    has: u8,
    event: Event,
    answer: Answer,
    seq_by: Option<Origin>,
}

const TOKEN: u8 = 1;
const BEFORE: u8 = 2;
const AFTER: u8 = 4;
const SEQ: u8 = 8;
const ACTIVE_TOKEN: u8 = 16;
const ACTIVE_NONE: u8 = 32;
const ACTIVE_LEASE: u8 = 64;

impl Prepared {
    pub(super) fn clear(&mut self) {
        self.lines.clear();
        self.records.clear();
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
        text.check();
        let framing = dialect.framing();
        let all = text.text();
        if u32::try_from(all.len()).is_err() {
            self.line_ends = super::frames::line_ends(all.as_bytes());
            return;
        }
        let mut at = 0;
        let mut whole = at_line_start;
        while let Some(n) = memchr(b'\n', all.as_bytes().get(at..).unwrap_or_default()) {
            let (start, stop) = (at, at + n);
            at = stop + 1;
            self.line_ends += 1;
            // The rest of a line that began in another block is none.
            if !std::mem::replace(&mut whole, true) || n > max_line {
                continue;
            }
            let Some(line) = all.get(start..stop) else {
                continue;
            };
            if let Some(record) = self.line(all, line, framing, dialect) {
                self.lines.push(Line {
                    start: start as u32,
                    end: at as u32,
                    record,
                });
            }
        }
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

    /// The record of a line that is evidence.
    pub(super) fn record<'a>(&'a self, text: &'a str, line: Line) -> Option<Record<'a>> {
        let compact = self.records.get(line.record as usize)?;
        let text = |span: Span| -> Option<Cow<'a, str>> {
            let (start, len) = (span.start as usize, span.len as usize);
            if start < text.len() {
                return text.get(start..start + len).map(Cow::Borrowed);
            }
            if span.start == Span::ABSENT.start {
                return None;
            }
            let start = start - text.len();
            self.extra.get(start..start + len).map(Cow::Borrowed)
        };
        let has = |bit| compact.has & bit != 0;
        let number = |bit, value| has(bit).then_some(value);
        Some(Record {
            lock: text(compact.lock)?,
            event: compact.event,
            answer: compact.answer,
            owner: text(compact.owner),
            lease: text(compact.lease),
            token: number(TOKEN, compact.token),
            before: number(BEFORE, compact.before),
            after: number(AFTER, compact.after),
            seq: number(SEQ, compact.seq),
            seq_by: compact.seq_by,
            key: text(compact.key),
            operation: text(compact.operation),
            active: if has(ACTIVE_LEASE) {
                Active::Lease {
                    owner: text(compact.active_owner),
                    lease: text(compact.active_lease),
                    token: number(ACTIVE_TOKEN, compact.active_token),
                }
            } else if has(ACTIVE_NONE) {
                Active::None
            } else {
                Active::Unrecorded
            },
        })
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

    fn span(&mut self, text: &str) -> Span {
        let distance = (text.as_ptr() as usize).wrapping_sub(self.all.as_ptr() as usize);
        let inside = distance < self.all.len() && distance + text.len() <= self.all.len();
        let start = if inside {
            distance
        } else {
            let start = self.all.len() + self.prepared.extra.len();
            self.prepared.extra.push_str(text);
            start
        };
        match (u32::try_from(start), u32::try_from(text.len())) {
            (Ok(start), Ok(len)) if start != Span::ABSENT.start => Span { start, len },
            _ => {
                self.doubt = true;
                Span::ABSENT
            }
        }
    }

    fn optional(&mut self, text: &Option<Cow<'_, str>>) -> Span {
        match text {
            Some(text) => self.span(text),
            None => Span::ABSENT,
        }
    }
}

impl Output for Keep<'_, '_> {
    fn record(&mut self, offset: usize, record: &Record<'_>, problems: &[Problem]) {
        if offset != 0 || !problems.is_empty() {
            self.doubt = true;
            return;
        }
        let mut has = 0;
        let mut number = |bit, value: Option<u64>| {
            if value.is_some() {
                has |= bit;
            }
            value.unwrap_or_default()
        };
        let (token, before) = (number(TOKEN, record.token), number(BEFORE, record.before));
        let (after, seq) = (number(AFTER, record.after), number(SEQ, record.seq));
        let mut compact = Compact {
            lock: self.span(&record.lock),
            owner: self.optional(&record.owner),
            lease: self.optional(&record.lease),
            key: self.optional(&record.key),
            operation: self.optional(&record.operation),
            active_owner: Span::ABSENT,
            active_lease: Span::ABSENT,
            token,
            before,
            after,
            seq,
            active_token: 0,
            has,
            event: record.event,
            answer: record.answer,
            seq_by: record.seq_by,
        };
        match &record.active {
            Active::Unrecorded => {}
            Active::None => compact.has |= ACTIVE_NONE,
            Active::Lease {
                owner,
                lease,
                token,
            } => {
                compact.has |= ACTIVE_LEASE;
                compact.active_owner = self.optional(owner);
                compact.active_lease = self.optional(lease);
                if let Some(token) = token {
                    compact.active_token = *token;
                    compact.has |= ACTIVE_TOKEN;
                }
            }
        }
        self.found(self.prepared.records.len() as u32);
        self.prepared.records.push(compact);
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
    use super::{Compact, Prepared};
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
        let mut text = Text::Bytes(lines.as_bytes().to_vec());
        let mut prepared = Prepared::default();
        prepared.read(&mut text, true, 1000, &mut NativeJson);
        let kept: Vec<String> = prepared
            .lines
            .iter()
            .map(|line| format!("{:?}", prepared.record(text.text(), *line).unwrap()))
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
            let mut text = Text::Bytes(format!("{line}\n{good}\nINFO\n{good}").into_bytes());
            let mut prepared = Prepared::default();
            prepared.read(&mut text, true, 1000, &mut NativeJson);
            assert_eq!(prepared.line_ends, 3);
            let known: Vec<bool> = prepared
                .lines
                .iter()
                .map(|line| prepared.record(text.text(), *line).is_some())
                .collect();
            assert_eq!(known, [true, false], "{line}");
            prepared.read(&mut text, false, 1000, &mut NativeJson);
            assert_eq!(prepared.lines.len(), 2);
        }
    }

    #[test]
    fn a_record_takes_little_room() {
        assert_eq!(size_of::<Compact>(), 104);
    }
}
