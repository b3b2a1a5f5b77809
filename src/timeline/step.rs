//! One record as the rules see it: names as symbols, and no wall clock.

use std::borrow::Cow;

use super::symbols::{Kind, Symbol, Symbols};
use crate::evidence::{Active, Answer, Event, Origin, Place, Record, Token};

/// One step of the lock protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step {
    /// Where the record stood.
    pub place: Place,
    /// The position in the order of the lock's events.
    pub seq: Option<u64>,
    /// Who gave `seq`.
    pub seq_by: Option<Origin>,
    /// What was asked.
    pub event: Event,
    /// What was answered.
    pub answer: Answer,
    /// Who asked, with which handle.
    pub handle: Handle,
    /// The highest token before, as the resource read it.
    pub before: Option<Token>,
    /// The highest token after, as the resource read it.
    pub after: Option<Token>,
    /// The resource key; none is the unnamed key of the lock.
    pub key: Option<Symbol>,
    /// The business operation.
    pub operation: Option<Symbol>,
    /// The lease current at the authority, as the authority recorded it.
    pub active: ActiveLease,
}

/// The lease current at the authority when it decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ActiveLease {
    /// Not recorded.
    Unrecorded,
    /// There was none.
    None,
    /// This one.
    Lease(Handle),
}

/// What is known of a lease: who holds it, its id, its token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Handle {
    /// The owner.
    pub owner: Option<Symbol>,
    /// The lease id.
    pub lease: Option<Symbol>,
    /// The fencing token.
    pub token: Option<Token>,
}

/// How two handles compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// One lease id, or (where an id is missing) one token.
    SameLease,
    /// One owner, and nothing else to compare.
    SameOwner,
    /// Two leases.
    Different,
    /// Nothing is known on both sides.
    Unknown,
}

impl Handle {
    /// Compares two handles by lease id where it is known on both sides, else by token,
    /// else by owner.
    #[inline]
    pub fn compare(&self, other: &Handle) -> Likeness {
        let verdict = |same, likeness| if same { likeness } else { Likeness::Different };
        if let (Some(a), Some(b)) = (self.lease, other.lease) {
            return verdict(a == b, Likeness::SameLease);
        }
        if let (Some(a), Some(b)) = (self.token, other.token) {
            return verdict(a == b, Likeness::SameLease);
        }
        if let (Some(a), Some(b)) = (self.owner, other.owner) {
            return verdict(a == b, Likeness::SameOwner);
        }
        Likeness::Unknown
    }

    /// Whether the owners of two handles are known and differ.
    #[inline]
    pub fn has_another_owner(&self, other: &Handle) -> bool {
        matches!((self.owner, other.owner), (Some(a), Some(b)) if a != b)
    }

    /// Whether the handle names a lease: by id or by token.
    #[inline]
    pub fn names_lease(&self) -> bool {
        self.lease.is_some() || self.token.is_some()
    }
}

/// Who says that a lease has a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VouchedBy {
    /// The one who asked, and nobody agreed: no answer came, or a refusal. An old message
    /// may have brought an old token.
    Nobody,
    /// The one who asked, and was let through.
    Consent,
    /// The authority, which gave it.
    Authority,
}

/// A record remembered as evidence: where it stood and who acted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Where it stood.
    pub place: Place,
    /// Its `seq`.
    pub seq: Option<u64>,
    /// Who acted.
    pub handle: Handle,
    /// The operation it names.
    pub operation: Option<Symbol>,
}

impl Seen {
    /// Gives its names other symbols.
    pub fn rename(&mut self, rename: &mut dyn FnMut(Symbol) -> Symbol) {
        let Handle { owner, lease, .. } = &mut self.handle;
        for name in [owner, lease, &mut self.operation].into_iter().flatten() {
            *name = rename(*name);
        }
    }

    /// Where it stands among the records of its lock, for what is told of them: by `seq`
    /// where there is one, so that lines and files do not matter, else as it arrived.
    pub fn standing(&self) -> (Option<u64>, Place) {
        (self.seq, self.place)
    }
}

impl Step {
    /// The step of a record, its names interned.
    pub fn of(record: &Record<'_>, place: Place, symbols: &mut Symbols) -> Step {
        Step::after(None, record, place, symbols)
    }

    /// The step of a record, its names interned: they are likely to be those of the step
    /// `before`.
    pub fn after(
        before: Option<&Step>,
        record: &Record<'_>,
        place: Place,
        symbols: &mut Symbols,
    ) -> Step {
        Step::named(record, place, |kind, text| {
            let near = before.and_then(|before| match kind {
                Kind::Owner => before.handle.owner,
                Kind::Lease => before.handle.lease,
                Kind::Key => before.key,
                Kind::Operation => before.operation,
                Kind::Lock => None,
            });
            symbols.of_mut(kind).intern_near(near, text.as_bytes())
        })
    }

    /// The step of a record, with the symbols that `symbol` gives its names.
    pub fn named(
        record: &Record<'_>,
        place: Place,
        mut symbol: impl FnMut(Kind, &str) -> Symbol,
    ) -> Step {
        let mut name = |kind, text: &Option<Cow<'_, str>>| Some(symbol(kind, text.as_deref()?));
        let handle = Handle {
            owner: name(Kind::Owner, &record.owner),
            lease: name(Kind::Lease, &record.lease),
            token: record.token,
        };
        let key = name(Kind::Key, &record.key);
        let operation = name(Kind::Operation, &record.operation);
        let active = match &record.active {
            Active::Unrecorded => ActiveLease::Unrecorded,
            Active::None => ActiveLease::None,
            Active::Lease {
                owner,
                lease,
                token,
            } => ActiveLease::Lease(Handle {
                owner: name(Kind::Owner, owner),
                lease: name(Kind::Lease, lease),
                token: *token,
            }),
        };
        Step {
            place,
            seq: record.seq,
            seq_by: record.seq_by,
            event: record.event,
            answer: record.answer,
            handle,
            before: record.before,
            after: record.after,
            key,
            operation,
            active,
        }
    }

    /// The step as evidence.
    #[inline]
    pub fn seen(&self) -> Seen {
        Seen {
            place: self.place,
            seq: self.seq,
            handle: self.handle,
            operation: self.operation,
        }
    }

    /// Whether two steps agree in every evidence field; where they stood does not count.
    pub fn repeats(&self, other: &Step) -> bool {
        Step {
            place: other.place,
            ..*self
        } == *other
    }

    /// Whether the lease that asks has the token that the record names: an attempt to
    /// acquire that was refused or got no answer shows none.
    #[inline]
    pub fn shows_token(&self) -> bool {
        let no_lease = matches!(self.answer, Answer::InDoubt | Answer::AcquireRejectedHeld);
        self.event != Event::Acquire || !no_lease
    }

    /// Who says that the lease that asks has the token that the record names.
    #[inline]
    pub fn vouches(&self) -> VouchedBy {
        match self.answer {
            Answer::Acquired | Answer::Renewed | Answer::Expired => VouchedBy::Authority,
            Answer::Released | Answer::Accepted => VouchedBy::Consent,
            _ => VouchedBy::Nobody,
        }
    }

    /// Whether this is a write that the resource accepted.
    #[inline]
    pub fn is_accepted_write(&self) -> bool {
        self.event == Event::Write && self.answer == Answer::Accepted
    }

    /// Whether the lease or its owner asked and was told that the lease is not current.
    #[inline]
    pub fn is_refused_handle(&self) -> bool {
        matches!(
            self.answer,
            Answer::ReleaseRejectedNotOwner | Answer::RenewRejectedNotOwner
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Handle, Likeness};
    use crate::timeline::{Kind, Symbols};

    #[test]
    fn a_lease_id_outweighs_a_token_and_a_token_an_owner() {
        let mut symbols = Symbols::default();
        let mut name = |text| Some(symbols.intern(Kind::Lease, text));
        let (a, b) = (name("a"), name("b"));
        let handle = |owner, lease, token| Handle {
            owner,
            lease,
            token,
        };
        let compare = |x: Handle, y: Handle| x.compare(&y);
        assert_eq!(
            compare(handle(a, a, Some(1)), handle(b, a, Some(2))),
            Likeness::SameLease
        );
        assert_eq!(
            compare(handle(a, None, Some(1)), handle(a, b, Some(2))),
            Likeness::Different
        );
        assert_eq!(
            compare(handle(a, None, None), handle(a, b, Some(2))),
            Likeness::SameOwner
        );
        assert_eq!(
            compare(handle(None, a, None), handle(b, None, None)),
            Likeness::Unknown
        );
    }
}
