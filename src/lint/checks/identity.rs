//! Names and handles that should agree and do not.

mod spelling;

use std::hash::Hash;

use super::{Checked, Desk, words};
use crate::evidence::{Active, Answer, Event, Field, Place, Token};
use crate::lint::code::Code;
use crate::lint::finding::quoted;
use crate::lint::recent::{Recent, hash};
use crate::lint::stood::Stood;
use spelling::{lease_forms, normal};

/// What was seen of leases, tokens and names.
#[derive(Debug)]
pub struct IdentityCheck {
    leases: Recent<Lease>,
    tokens: Recent<Holder>,
    spellings: Recent<Spelling>,
    names: Recent<Spelling>,
    known: Recent<()>,
}

#[derive(Debug, Clone)]
struct Lease {
    owner: Option<(u64, Stood)>,
    token: Option<(Token, Stood)>,
}

#[derive(Debug, Clone, Copy)]
struct Holder {
    lease: u64,
    stood: Stood,
}

/// A name as it was written where it was seen first.
#[derive(Debug, Clone)]
struct Spelling {
    /// The name as a number, all of it.
    hash: u64,
    /// Its beginning.
    text: Box<str>,
    stood: Stood,
}

/// How much of a name is kept: what can be shown of most.
const KEPT: usize = 96;

impl Spelling {
    fn new(name: &str, place: Place) -> Spelling {
        let text = match name.len() {
            0..=KEPT => name.into(),
            _ => {
                let end = (0..=KEPT).rev().find(|at| name.is_char_boundary(*at));
                format!("{}…", &name[..end.unwrap_or(0)]).into()
            }
        };
        Spelling {
            hash: hash(name),
            text,
            stood: Stood::at(place),
        }
    }
}

/// A lease that a record names, with what it shows of it.
struct Named<'r> {
    field: Field,
    lease: &'r str,
    /// The name of the lease as a number, and that of its owner.
    hash: u64,
    owner: Option<u64>,
    token: Option<Token>,
}

impl IdentityCheck {
    /// What a bucket of all its tables takes.
    pub const BYTES: u64 = Recent::<Lease>::BYTES
        + Recent::<Holder>::BYTES
        + Recent::<Spelling>::BYTES * 2
        + Recent::<()>::RECALLING;
    /// What the texts take for one entry in each of its maps.
    pub const TEXTS: u64 = 2 * (KEPT as u64 + 32);

    /// Whether something seen was forgotten.
    pub fn forgot(&self) -> bool {
        self.leases.forgot
            || self.tokens.forgot
            || self.spellings.forgot
            || self.names.forgot
            || self.known.forgot
    }

    /// A check that remembers `window` leases, tokens and names.
    pub fn new(window: usize) -> IdentityCheck {
        IdentityCheck {
            leases: Recent::new(window),
            tokens: Recent::new(window),
            spellings: Recent::new(window),
            names: Recent::new(window),
            known: Recent::recalling(window),
        }
    }

    /// Looks at the names and handles of one record.
    pub fn check(&mut self, checked: &Checked<'_, '_>, desk: &mut Desk<'_>) {
        let (record, hashes) = (checked.record, checked.hashes);
        if let Some(checked) = self.if_new(checked, &(Field::LockName, checked.lock)) {
            self.alike(&checked, desk, Field::LockName, &record.lock);
        }
        if let (Some(key), Some(hash)) = (&record.key, hashes.key)
            && let Some(checked) = self.if_new(checked, &(Field::ResourceKey, hash))
        {
            self.alike(&checked, desk, Field::ResourceKey, key);
        }
        // Who asked for a lease and did not get one has no handle of his own.
        let shows = record.event != Event::Acquire || record.answer == Answer::Acquired;
        if let (Some(lease), Some(hash), true) = (&record.lease, hashes.lease, shows) {
            let handle = Named {
                field: Field::LeaseId,
                lease,
                hash,
                owner: hashes.owner,
                token: record.token,
            };
            self.lease(checked, desk, &handle);
        }
        if let (
            Active::Lease {
                lease: Some(lease),
                token,
                ..
            },
            Some(hash),
        ) = (&record.active, hashes.active_lease)
        {
            let handle = Named {
                field: Field::ActiveLeaseId,
                lease,
                hash,
                owner: hashes.active_owner,
                token: *token,
            };
            self.lease(checked, desk, &handle);
        }
    }

    /// The record, if a name in it was not seen lately: a sure one only where the name was
    /// never seen, since what is alike is told once.
    fn if_new<'r, 'f>(
        &mut self,
        checked: &Checked<'r, 'f>,
        name: &impl Hash,
    ) -> Option<Checked<'r, 'f>> {
        let name = hash(name);
        if self.known.get_or_insert(name, ()).is_some() {
            return None;
        }
        let sure = checked.sure && !self.known.may_have_forgotten(name);
        Some(Checked { sure, ..*checked })
    }

    fn lease(&mut self, checked: &Checked<'_, '_>, desk: &mut Desk<'_>, handle: &Named<'_>) {
        let id = hash(&(checked.lock, handle.hash));
        if let Some(checked) = self.if_new(checked, &(Field::LeaseId, id)) {
            self.spelled(&checked, desk, handle);
        }
        if !checked.sure {
            self.doubt(checked, handle, id);
            return;
        }
        let (field, lease) = (handle.field, handle.lease);
        let stood = Stood::at(checked.place);
        let own_field = |own, active| if field == Field::LeaseId { own } else { active };
        let own = Lease {
            owner: handle.owner.map(|owner| (owner, stood)),
            token: handle.token.map(|token| (token, stood)),
        };
        if let Some(known) = self.leases.get_or_insert(id, own.clone()) {
            // What was shown later is compared with from now on.
            let owner = changed(&mut known.owner, own.owner);
            let token = changed(&mut known.token, own.token);
            if let Some((_, at)) = owner {
                let field = own_field(Field::OwnerId, Field::ActiveOwnerId);
                let at = desk.line(checked, at);
                desk.at_field(Code::LeaseTwoOwners, checked, field, || {
                    words(
                        format!(
                            "lease {} has another owner here than in {at}",
                            quoted(lease)
                        ),
                        "log one name for one client, and a new lease id for every acquisition",
                        lease,
                    )
                });
            }
            if let (Some((first, at)), Some(token)) = (token, handle.token) {
                let field = own_field(Field::FenceToken, Field::ActiveFenceToken);
                let at = desk.line(checked, at);
                desk.at_field(Code::LeaseTwoTokens, checked, field, || {
                    words(
                        format!(
                            "lease {} has token {token} here and {first} in {at}",
                            quoted(lease)
                        ),
                        "log the token that came with the acquisition; where a renewal issues a new token, say so in the lease id",
                        lease,
                    )
                });
            }
        }
        if let Some(token) = handle.token {
            self.holder(checked, desk, handle, token);
        }
    }

    /// Forgets of a lease what a record shows otherwise that may have been there before.
    fn doubt(&mut self, checked: &Checked<'_, '_>, handle: &Named<'_>, id: u64) {
        if let Some(known) = self.leases.get_mut(id) {
            let (owner, token) = (handle.owner, handle.token);
            known
                .owner
                .take_if(|(known, _)| owner.is_some_and(|owner| owner != *known));
            known
                .token
                .take_if(|(known, _)| token.is_some_and(|token| token != *known));
        }
        let Some(token) = handle.token else { return };
        let key = hash(&(checked.lock, token));
        if self
            .tokens
            .get_mut(key)
            .is_some_and(|holder| holder.lease != handle.hash)
        {
            self.tokens.remove(key);
        }
    }

    fn holder(
        &mut self,
        checked: &Checked<'_, '_>,
        desk: &mut Desk<'_>,
        handle: &Named<'_>,
        token: Token,
    ) {
        let (field, lease) = (handle.field, handle.lease);
        let own = Holder {
            lease: handle.hash,
            stood: Stood::at(checked.place),
        };
        let key = hash(&(checked.lock, token));
        let Some(holder) = self.tokens.get_or_insert(key, own) else {
            return;
        };
        if holder.lease == own.lease {
            return;
        }
        let line = desk.line(checked, holder.stood);
        *holder = own;
        desk.at_field(Code::TokenTwoLeases, checked, field, || {
            words(
                format!(
                    "token {token} belongs to lease {} here and to another lease in {line}",
                    quoted(lease)
                ),
                "an authority that gives one token twice can't fence: look at its counter, or at how the token is logged",
                format!("{token} {lease}"),
            )
        });
    }

    /// One lease id in two spellings: hexadecimal and decimal, case, `0x`.
    fn spelled(&mut self, checked: &Checked<'_, '_>, desk: &mut Desk<'_>, handle: &Named<'_>) {
        let (field, lease) = (handle.field, handle.lease);
        let mut told = false;
        for form in lease_forms(lease) {
            let key = hash(&(checked.lock, form));
            match self.spellings.get_mut(key) {
                None => {
                    let own = Spelling::new(lease, checked.place);
                    self.spellings.insert(key, own);
                }
                Some(other) if other.hash != handle.hash && !told => {
                    told = true;
                    let line = desk.line(checked, other.stood);
                    desk.at_field(Code::LeaseTwoSpellings, checked, field, || {
                        words(
                            format!(
                                "{} and {} in {line} may be one lease in two spellings",
                                quoted(lease),
                                quoted(&other.text)
                            ),
                            "write a lease id everywhere as the authority writes it: one base, one case",
                            lease,
                        )
                    });
                }
                Some(_) => {}
            }
        }
    }

    /// Two names that differ only in case, leading zeros, separators or space.
    fn alike(&mut self, checked: &Checked<'_, '_>, desk: &mut Desk<'_>, field: Field, name: &str) {
        let key = hash(&(field, normal(name)));
        match self.names.get_mut(key) {
            None => {
                let own = Spelling::new(name, checked.place);
                self.names.insert(key, own);
            }
            Some(other) if other.hash != hash(name) => {
                let line = desk.line(checked, other.stood);
                desk.at_field(Code::NamesAlike, checked, field, || {
                    words(
                        format!(
                            "{} differs from {} in {line} only in how it is written",
                            quoted(name),
                            quoted(&other.text)
                        ),
                        "names are compared byte by byte: if the two are one thing, write it in one way, or its fence covers only half of it",
                        name,
                    )
                });
            }
            Some(_) => {}
        }
    }
}

/// What was known, where it is something else than `shown`, which takes its place.
fn changed<T: PartialEq>(
    known: &mut Option<(T, Stood)>,
    shown: Option<(T, Stood)>,
) -> Option<(T, Stood)> {
    let shown = shown?;
    match known {
        Some((first, _)) if *first == shown.0 => None,
        _ => known.replace(shown),
    }
}
