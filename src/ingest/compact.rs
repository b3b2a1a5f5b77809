//! A record that is told by where its texts stand, so that it can wait for its turn
//! without holding on to its line.

use std::borrow::Cow;

use crate::evidence::{Active, Answer, Event, Origin, Record, Token};

/// A text: where it begins, in bytes, and how long it is.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Span {
    /// No text.
    pub(super) const ABSENT: Span = Span {
        start: u32::MAX,
        len: 0,
    };

    /// `None` beyond four GiB.
    pub(super) fn new(start: usize, len: usize) -> Option<Span> {
        let span = Span {
            start: u32::try_from(start).ok()?,
            len: u32::try_from(len).ok()?,
        };
        (span.start != Span::ABSENT.start).then_some(span)
    }

    /// What stands between two places; they are known to be within four GiB.
    #[inline]
    pub(super) fn between(start: usize, end: usize) -> Span {
        Span {
            start: start as u32,
            len: (end - start) as u32,
        }
    }

    /// The same text, so many bytes further on.
    #[inline]
    fn moved(self, by: u32) -> Option<Span> {
        match self.start.checked_add(by) {
            _ if self.start == Span::ABSENT.start => Some(self),
            Some(start) if start != Span::ABSENT.start => Some(Span { start, ..self }),
            _ => None,
        }
    }

    /// The bytes of the text, in `all` or, where it begins behind that, in `extra`.
    #[inline]
    pub(super) fn bytes<'a>(self, all: &'a [u8], extra: &'a str) -> Option<&'a [u8]> {
        let (start, len) = (self.start as usize, self.len as usize);
        match all.get(start..start + len) {
            None if self.start != Span::ABSENT.start => {
                let start = start.checked_sub(all.len())?;
                extra.as_bytes().get(start..start + len)
            }
            found => found,
        }
    }
}

/// A record that points into its text.
#[derive(Debug)]
pub struct Compact {
    pub(super) lock: Span,
    pub(super) owner: Span,
    pub(super) lease: Span,
    pub(super) key: Span,
    pub(super) operation: Span,
    pub(super) active_owner: Span,
    pub(super) active_lease: Span,
    pub(super) token: Token,
    pub(super) before: Token,
    pub(super) after: Token,
    pub(super) seq: u64,
    pub(super) active_token: Token,
    /// Which of the numbers are there, and of which kind the active lease is.
    pub(super) has: u8,
    pub(super) event: Event,
    pub(super) answer: Answer,
    pub(super) seq_by: Option<Origin>,
}

/// Bits of [`Compact::has`].
pub(super) const TOKEN: u8 = 1;
pub(super) const BEFORE: u8 = 2;
pub(super) const AFTER: u8 = 4;
pub(super) const SEQ: u8 = 8;
pub(super) const ACTIVE_TOKEN: u8 = 16;
/// No lease was current.
pub(super) const ACTIVE_NONE: u8 = 32;
/// Some lease was current.
pub(super) const ACTIVE_LEASE: u8 = 64;

impl Default for Compact {
    /// A step of which nothing is known.
    fn default() -> Compact {
        let absent = Span::ABSENT;
        Compact {
            lock: absent,
            owner: absent,
            lease: absent,
            key: absent,
            operation: absent,
            active_owner: absent,
            active_lease: absent,
            token: 0,
            before: 0,
            after: 0,
            seq: 0,
            active_token: 0,
            has: 0,
            event: Event::Write,
            answer: Answer::InDoubt,
            seq_by: None,
        }
    }
}

impl Compact {
    /// The same, where its texts stand so many bytes further on. `None` beyond four GiB.
    #[inline]
    pub(super) fn moved(&self, by: u32) -> Option<Compact> {
        Some(Compact {
            lock: self.lock.moved(by)?,
            owner: self.owner.moved(by)?,
            lease: self.lease.moved(by)?,
            key: self.key.moved(by)?,
            operation: self.operation.moved(by)?,
            active_owner: self.active_owner.moved(by)?,
            active_lease: self.active_lease.moved(by)?,
            ..*self
        })
    }

    /// The record; `all` is the text that it points into, and `extra` stands behind that.
    #[inline]
    pub(super) fn record<'a>(&self, all: &'a [u8], extra: &'a str) -> Record<'a> {
        let text = |span: Span| {
            let bytes = span.bytes(all, extra)?;
            // It was text when it was read.
            std::str::from_utf8(bytes).ok().map(Cow::Borrowed)
        };
        let has = |bit| self.has & bit != 0;
        let number = |bit, value| has(bit).then_some(value);
        Record {
            lock: text(self.lock).unwrap_or_default(),
            event: self.event,
            answer: self.answer,
            owner: text(self.owner),
            lease: text(self.lease),
            token: number(TOKEN, self.token),
            before: number(BEFORE, self.before),
            after: number(AFTER, self.after),
            seq: number(SEQ, self.seq),
            seq_by: self.seq_by,
            key: text(self.key),
            operation: text(self.operation),
            active: if has(ACTIVE_LEASE) {
                Active::Lease {
                    owner: text(self.active_owner),
                    lease: text(self.active_lease),
                    token: number(ACTIVE_TOKEN, self.active_token),
                }
            } else if has(ACTIVE_NONE) {
                Active::None
            } else {
                Active::Unrecorded
            },
        }
    }

    /// The compact form of `record`; `span` says where a text stands, and gives `None` for
    /// a text that can't be pointed at.
    pub(super) fn of(
        record: &Record<'_>,
        mut span: impl FnMut(&str) -> Option<Span>,
    ) -> Option<Compact> {
        let if_some = |bit, number: Option<u64>| if number.is_some() { bit } else { 0 };
        let mut has = if_some(TOKEN, record.token)
            | if_some(BEFORE, record.before)
            | if_some(AFTER, record.after)
            | if_some(SEQ, record.seq);
        let (mut active_owner, mut active_lease, mut active_token) = (&None, &None, None);
        match &record.active {
            Active::Unrecorded => {}
            Active::None => has |= ACTIVE_NONE,
            Active::Lease {
                owner,
                lease,
                token,
            } => {
                (active_owner, active_lease, active_token) = (owner, lease, *token);
                has |= ACTIVE_LEASE | if_some(ACTIVE_TOKEN, active_token);
            }
        }
        let mut optional = |text: &Option<Cow<'_, str>>| match text {
            Some(text) => span(text),
            None => Some(Span::ABSENT),
        };
        let (owner, lease) = (optional(&record.owner)?, optional(&record.lease)?);
        let (key, operation) = (optional(&record.key)?, optional(&record.operation)?);
        Some(Compact {
            owner,
            lease,
            key,
            operation,
            active_owner: optional(active_owner)?,
            active_lease: optional(active_lease)?,
            lock: span(&record.lock)?,
            token: record.token.unwrap_or_default(),
            before: record.before.unwrap_or_default(),
            after: record.after.unwrap_or_default(),
            seq: record.seq.unwrap_or_default(),
            active_token: active_token.unwrap_or_default(),
            has,
            event: record.event,
            answer: record.answer,
            seq_by: record.seq_by,
        })
    }
}

/// What is found at the first look at a line.
#[derive(Debug)]
pub struct Plain {
    /// Where that ends.
    pub(super) end: usize,
    /// Whether it is one good record, which was added to the others, and all texts of which
    /// stand there as they are; else it is no evidence.
    pub(super) is_record: bool,
}

#[cfg(test)]
mod tests {
    use super::Compact;

    #[test]
    fn a_record_takes_little_room() {
        assert_eq!(size_of::<Compact>(), 104);
    }
}
