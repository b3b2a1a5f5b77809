//! A record at a glance: small, copied freely, its texts where they were read.

use std::borrow::Cow;

use super::{Active, Answer, Event, Origin, Record, Token};

/// What a [`Record`] says, with its texts as the bytes that stand somewhere else. They
/// are UTF-8; what is not is taken for an empty text where it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordView<'a> {
    /// See [`Record::lock`].
    pub lock: &'a [u8],
    /// See [`Record::event`].
    pub event: Event,
    /// See [`Record::answer`].
    pub answer: Answer,
    /// See [`Record::owner`].
    pub owner: Option<&'a [u8]>,
    /// See [`Record::lease`].
    pub lease: Option<&'a [u8]>,
    /// See [`Record::token`].
    pub token: Option<Token>,
    /// See [`Record::before`].
    pub before: Option<Token>,
    /// See [`Record::after`].
    pub after: Option<Token>,
    /// See [`Record::seq`].
    pub seq: Option<u64>,
    /// See [`Record::seq_by`].
    pub seq_by: Option<Origin>,
    /// See [`Record::key`].
    pub key: Option<&'a [u8]>,
    /// See [`Record::operation`].
    pub operation: Option<&'a [u8]>,
    /// See [`Record::active`].
    pub active: ActiveView<'a>,
}

/// What an [`Active`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ActiveView<'a> {
    /// Not recorded.
    #[default]
    Unrecorded,
    /// No lease was current.
    None,
    /// A lease was current; the parts that were recorded.
    Lease {
        /// Its owner.
        owner: Option<&'a [u8]>,
        /// Its handle.
        lease: Option<&'a [u8]>,
        /// Its token.
        token: Option<Token>,
    },
}

fn bytes<'a>(text: &'a Option<Cow<'_, str>>) -> Option<&'a [u8]> {
    Some(text.as_ref()?.as_bytes())
}

impl<'a> From<&'a Record<'_>> for RecordView<'a> {
    #[inline]
    fn from(record: &'a Record<'_>) -> RecordView<'a> {
        RecordView {
            lock: record.lock.as_bytes(),
            event: record.event,
            answer: record.answer,
            owner: bytes(&record.owner),
            lease: bytes(&record.lease),
            token: record.token,
            before: record.before,
            after: record.after,
            seq: record.seq,
            seq_by: record.seq_by,
            key: bytes(&record.key),
            operation: bytes(&record.operation),
            active: match &record.active {
                Active::Unrecorded => ActiveView::Unrecorded,
                Active::None => ActiveView::None,
                Active::Lease {
                    owner,
                    lease,
                    token,
                } => ActiveView::Lease {
                    owner: bytes(owner),
                    lease: bytes(lease),
                    token: *token,
                },
            },
        }
    }
}

impl<'a> RecordView<'a> {
    /// The record that says the same.
    pub fn record(&self) -> Record<'a> {
        let text = |bytes: &'a [u8]| Cow::Borrowed(std::str::from_utf8(bytes).unwrap_or_default());
        Record {
            lock: text(self.lock),
            event: self.event,
            answer: self.answer,
            owner: self.owner.map(text),
            lease: self.lease.map(text),
            token: self.token,
            before: self.before,
            after: self.after,
            seq: self.seq,
            seq_by: self.seq_by,
            key: self.key.map(text),
            operation: self.operation.map(text),
            active: match self.active {
                ActiveView::Unrecorded => Active::Unrecorded,
                ActiveView::None => Active::None,
                ActiveView::Lease {
                    owner,
                    lease,
                    token,
                } => Active::Lease {
                    owner: owner.map(text),
                    lease: lease.map(text),
                    token,
                },
            },
        }
    }
}
