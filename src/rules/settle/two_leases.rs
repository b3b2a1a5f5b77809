//! Whether two lease ids are surely two leases: one number may be written in two ways.
//!
//! | a claim rests on | is at most suspected where |
//! |---|---|
//! | two lease ids being two leases | the two may be one number |
//! | a newer token being of another lease | the ids of the two may be one number |
//! | which lease was current, by order | one of its leases is on record in another spelling too: what ended it may not be known as its end |

use super::Court;
use crate::evidence::Token;
use crate::incident::Variant;
use crate::rules::claim::{Claim, Met};
use crate::rules::own_tokens::old_and_new;
use crate::timeline::spelling::{are_plain_hex, keys, may_be_one};
use crate::timeline::{Handle, Symbol};

impl Court<'_> {
    /// Whether all leases of a claim may be one, or one of them may be another than it
    /// seems.
    pub(super) fn may_be_one_lease(&self, view: usize, claim: &Claim) -> bool {
        use Variant::{
            BothAccepted, KeyUnknown, LateWriteOtherKey, NotCompared, ReleaseRefused,
            RemovedOtherLease, RenewedOtherLease, WriteRefused,
        };
        let one = |leases: Option<[Symbol; 2]>| {
            leases
                .is_some_and(|[a, b]| a != b && may_be_one(self.names.name(a), self.names.name(b)))
        };
        one(claim.grounds.leases)
            || match claim.variant {
                NotCompared | BothAccepted | LateWriteOtherKey | KeyUnknown | WriteRefused => {
                    one(old_and_new(self.knows_most(view), claim))
                        || self.may_carry(view, &claim.first.handle, met(claim).token)
                        || self.one_is_unknown(view, claim)
                }
                RemovedOtherLease | RenewedOtherLease | ReleaseRefused => {
                    let (asking, current) = (claim.first.handle, met(claim));
                    let told_by_id = asking.lease.is_some() && current.lease.is_some();
                    claim.grounds.ordered && self.is_spelled_twice(claim)
                        || !told_by_id
                            && (self.may_carry(view, &asking, current.token)
                                || self.may_carry(view, &current, asking.token)
                                || self.one_is_unknown(view, claim))
                }
                _ => false,
            }
    }

    /// Whether a token is on record under the lease of this handle, if that is written in
    /// another way there.
    fn may_carry(&self, view: usize, handle: &Handle, token: Option<Token>) -> bool {
        let leases = self.knows_most(view).timeline.leases();
        let lease = leases.lease_of(handle);
        let mut others = lease.into_iter().flat_map(|own| self.other_spellings(own));
        token.is_some_and(|token| {
            others.any(|other| {
                let state = leases.get(Some(other));
                state.is_some_and(|state| state.tokens.contains(&token))
            })
        })
    }

    /// Whether nothing tells one of the two leases, and the tokens of the other, between
    /// which its own may lie, stand under several spellings.
    fn one_is_unknown(&self, view: usize, claim: &Claim) -> bool {
        let leases = self.knows_most(view).timeline.leases();
        let lease = |handle: Handle| leases.lease_of(&handle);
        match (lease(claim.first.handle), lease(met(claim))) {
            (Some(known), None) | (None, Some(known)) => {
                self.other_spellings(known).next().is_some()
            }
            _ => false,
        }
    }

    pub(super) fn is_spelled_twice(&self, claim: &Claim) -> bool {
        let also = claim.also.and_then(|(seen, _)| seen.handle.lease);
        let leases = [claim.first.handle.lease, met(claim).lease, also];
        let mut leases = leases.into_iter().flatten();
        leases.any(|lease| self.other_spellings(lease).next().is_some())
    }

    /// Whether any leases on record may be one in two spellings.
    pub(super) fn are_some_spelled_twice(&self) -> bool {
        !self
            .spelled_twice
            .get_or_init(|| self.spelled_twice())
            .is_empty()
    }

    /// A lease, and those on record that may be the same one in another spelling.
    pub(super) fn all_spellings(&self, lease: Option<Symbol>) -> impl Iterator<Item = Symbol> + '_ {
        let others = lease.into_iter().flat_map(|own| self.other_spellings(own));
        lease.into_iter().chain(others)
    }

    /// The leases on record that may be this one in another spelling.
    pub(super) fn other_spellings(&self, lease: Symbol) -> impl Iterator<Item = Symbol> + '_ {
        let name = self.names.name(lease);
        let alike = keys(name).flat_map(|key| {
            let known = self.spelled_twice.get_or_init(|| self.spelled_twice());
            let first = known.partition_point(|(other, _)| *other < key);
            let found = known.get(first..).unwrap_or_default().iter();
            found.take_while(move |(other, _)| *other == key)
        });
        let others = alike.map(|(_, other)| *other);
        others.filter(move |other| *other != lease && may_be_one(name, self.names.name(*other)))
    }

    /// Leases by the keys of their spellings, in order, where several have one.
    fn spelled_twice(&self) -> Vec<(u64, Symbol)> {
        let whole = self.together.map(|together| together.whole);
        let judges = self.views.iter().map(|view| view.judge).chain(whole);
        let leases = || {
            let judges = judges.clone();
            judges.flat_map(|judge| judge.timeline.leases().by_id.iter())
        };
        if are_plain_hex(leases().map(|(lease, _)| self.names.bytes(lease))) {
            return Vec::new();
        }
        let mut known = Vec::new();
        for (lease, _) in leases() {
            let keys = keys(self.names.name(lease));
            known.extend(keys.map(|key| (key, lease)));
        }
        known.sort_unstable();
        known.dedup();
        let mut several: Vec<(u64, Symbol)> = Vec::new();
        for alike in known.chunk_by(|a, b| a.0 == b.0) {
            several.extend(alike.iter().filter(|_| alike.len() > 1));
        }
        several
    }
}

/// The one that a claim met, as far as it says itself.
fn met(claim: &Claim) -> Handle {
    match claim.met {
        Met::Nobody => Handle::default(),
        Met::Token(token) => Handle {
            token: Some(token),
            ..Handle::default()
        },
        Met::Record(seen, _) => seen.handle,
        Met::Lease(handle) => handle,
    }
}
