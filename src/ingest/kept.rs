//! A record that was read before its turn came, as it is handed over.

use super::compact::{
    ACTIVE_LEASE, ACTIVE_NONE, ACTIVE_TOKEN, AFTER, BEFORE, Compact, SEQ, Span, TOKEN,
};
use super::frames::bare;
use super::prepare::{Line, Prepared};
use crate::evidence::{ActiveGlance, Answer, Event, Glance, Origin, Record, Token};

/// A record that was read before its turn came, and its line.
#[derive(Debug, Clone, Copy)]
pub struct Kept<'a> {
    pub(super) compact: &'a Compact,
    pub(super) line: Line,
    /// What was read with it.
    pub(super) prepared: &'a Prepared,
    /// What it points into.
    pub(super) all: &'a [u8],
}

impl<'a> Kept<'a> {
    /// The bytes of its line. How much of the space behind an object belongs to it says
    /// nothing, so none does.
    #[inline]
    pub fn frame(&self) -> &'a [u8] {
        bare(self.line.frame(self.all))
    }

    /// The record.
    #[inline]
    pub fn record(&self) -> Record<'a> {
        self.compact.record(self.all, &self.prepared.extra)
    }

    #[inline]
    fn text(&self, span: Span) -> Option<&'a [u8]> {
        span.bytes(self.all, &self.prepared.extra)
    }

    #[inline]
    fn number(&self, bit: u8, number: u64) -> Option<u64> {
        (self.compact.has & bit != 0).then_some(number)
    }
}

impl Glance for Kept<'_> {
    #[inline]
    fn coming(&self) -> &[u64] {
        self.prepared.lock_hashes(self.line)
    }

    #[inline]
    fn lock(&self) -> &[u8] {
        self.text(self.compact.lock).unwrap_or_default()
    }

    #[inline]
    fn event(&self) -> Event {
        self.compact.event
    }

    #[inline]
    fn answer(&self) -> Answer {
        self.compact.answer
    }

    #[inline]
    fn owner(&self) -> Option<&[u8]> {
        self.text(self.compact.owner)
    }

    #[inline]
    fn lease(&self) -> Option<&[u8]> {
        self.text(self.compact.lease)
    }

    #[inline]
    fn token(&self) -> Option<Token> {
        self.number(TOKEN, self.compact.token)
    }

    #[inline]
    fn before(&self) -> Option<Token> {
        self.number(BEFORE, self.compact.before)
    }

    #[inline]
    fn after(&self) -> Option<Token> {
        self.number(AFTER, self.compact.after)
    }

    #[inline]
    fn seq(&self) -> Option<u64> {
        self.number(SEQ, self.compact.seq)
    }

    #[inline]
    fn seq_by(&self) -> Option<Origin> {
        self.compact.seq_by
    }

    #[inline]
    fn key(&self) -> Option<&[u8]> {
        self.text(self.compact.key)
    }

    #[inline]
    fn operation(&self) -> Option<&[u8]> {
        self.text(self.compact.operation)
    }

    #[inline]
    fn active(&self) -> ActiveGlance<'_> {
        let compact = self.compact;
        if compact.has & ACTIVE_LEASE != 0 {
            ActiveGlance::Lease {
                owner: self.text(compact.active_owner),
                lease: self.text(compact.active_lease),
                token: self.number(ACTIVE_TOKEN, compact.active_token),
            }
        } else if compact.has & ACTIVE_NONE != 0 {
            ActiveGlance::None
        } else {
            ActiveGlance::Unrecorded
        }
    }
}
