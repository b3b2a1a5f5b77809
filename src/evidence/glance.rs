//! A record at a glance: its fields, wherever they are kept, each looked at only when it is
//! asked for.

use std::borrow::Cow;
use std::hash::{BuildHasher, Hasher};

use super::{Active, Answer, Event, Origin, Record, Token};

/// What a [`Record`] says. Texts are bytes here; they are UTF-8 by contract, and one that is
/// not is shown as an empty text.
pub trait Glance {
    /// See [`Record::lock`].
    fn lock(&self) -> &[u8];
    /// See [`Record::event`].
    fn event(&self) -> Event;
    /// See [`Record::answer`].
    fn answer(&self) -> Answer;
    /// See [`Record::owner`].
    fn owner(&self) -> Option<&[u8]>;
    /// See [`Record::lease`].
    fn lease(&self) -> Option<&[u8]>;
    /// See [`Record::token`].
    fn token(&self) -> Option<Token>;
    /// See [`Record::before`].
    fn before(&self) -> Option<Token>;
    /// See [`Record::after`].
    fn after(&self) -> Option<Token>;
    /// See [`Record::seq`].
    fn seq(&self) -> Option<u64>;
    /// See [`Record::seq_by`].
    fn seq_by(&self) -> Option<Origin>;
    /// See [`Record::key`].
    fn key(&self) -> Option<&[u8]>;
    /// See [`Record::operation`].
    fn operation(&self) -> Option<&[u8]>;
    /// See [`Record::active`].
    fn active(&self) -> ActiveGlance<'_>;

    /// The [`name_hash`]es of the locks of this record and those that follow it, as far as they
    /// were read ahead.
    fn coming(&self) -> &[u64] {
        &[]
    }

    /// All of it, put together.
    fn record(&self) -> Record<'_> {
        let name = |bytes: Option<_>| bytes.map(text);
        Record {
            lock: text(self.lock()),
            event: self.event(),
            answer: self.answer(),
            owner: name(self.owner()),
            lease: name(self.lease()),
            token: self.token(),
            before: self.before(),
            after: self.after(),
            seq: self.seq(),
            seq_by: self.seq_by(),
            key: name(self.key()),
            operation: name(self.operation()),
            active: match self.active() {
                ActiveGlance::Unrecorded => Active::Unrecorded,
                ActiveGlance::None => Active::None,
                ActiveGlance::Lease {
                    owner,
                    lease,
                    token,
                } => Active::Lease {
                    owner: name(owner),
                    lease: name(lease),
                    token,
                },
            },
        }
    }
}

/// What an [`Active`] says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ActiveGlance<'a> {
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

/// The hash by which names are looked up. It needs nothing but the name, so it can be taken of
/// a lock while its record is read, long before the record is judged.
#[inline]
pub fn name_hash(name: &[u8]) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write(name);
    hasher.finish()
}

fn text(bytes: &[u8]) -> Cow<'_, str> {
    Cow::Borrowed(std::str::from_utf8(bytes).unwrap_or_default())
}

fn bytes<'a>(text: &'a Option<Cow<'_, str>>) -> Option<&'a [u8]> {
    Some(text.as_ref()?.as_bytes())
}

impl Glance for Record<'_> {
    fn lock(&self) -> &[u8] {
        self.lock.as_bytes()
    }

    fn event(&self) -> Event {
        self.event
    }

    fn answer(&self) -> Answer {
        self.answer
    }

    fn owner(&self) -> Option<&[u8]> {
        bytes(&self.owner)
    }

    fn lease(&self) -> Option<&[u8]> {
        bytes(&self.lease)
    }

    fn token(&self) -> Option<Token> {
        self.token
    }

    fn before(&self) -> Option<Token> {
        self.before
    }

    fn after(&self) -> Option<Token> {
        self.after
    }

    fn seq(&self) -> Option<u64> {
        self.seq
    }

    fn seq_by(&self) -> Option<Origin> {
        self.seq_by
    }

    fn key(&self) -> Option<&[u8]> {
        bytes(&self.key)
    }

    fn operation(&self) -> Option<&[u8]> {
        bytes(&self.operation)
    }

    fn active(&self) -> ActiveGlance<'_> {
        match &self.active {
            Active::Unrecorded => ActiveGlance::Unrecorded,
            Active::None => ActiveGlance::None,
            Active::Lease {
                owner,
                lease,
                token,
            } => ActiveGlance::Lease {
                owner: bytes(owner),
                lease: bytes(lease),
                token: *token,
            },
        }
    }
}
