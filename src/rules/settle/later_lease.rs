//! Whether acquisitions show the one that a claim takes for an old owner to be the newer one.

use super::Court;
use super::ruling::origin_field;
use crate::evidence::{Field, Token};
use crate::incident::Variant;
use crate::rules::claim::{Basis, Claim, Met};
use crate::timeline::{Acquired, Leases, Strength, Symbol};

impl Court<'_> {
    /// The doubts that acquisitions leave a refusal below `newer` which no finding explains.
    pub(super) fn doubt_by_acquisitions(
        &self,
        view: usize,
        writer: Option<Symbol>,
        claim: &mut Claim,
        newer: Token,
    ) {
        let leases = self.knows_most(view).timeline.leases();
        // Where an id may stand in two spellings, it may not show that a lease with a lower
        // token lived on after this one was refused.
        if leases.get(writer).is_some_and(|lease| lease.told_lost) && self.are_some_spelled_twice()
        {
            claim.doubt();
        }
        let own = claim.first.handle.token;
        // Without lease ids no finding says that tokens went back; the acquisitions do.
        if own.is_some_and(|own| leases.fell(own, &claim.last)) {
            claim.doubt_for_want_of(Field::LeaseId);
        }
        // Nor where acquisitions do not tell their tokens, or their order does not decide, and
        // says it.
        let lease = writer.or_else(|| leases.holder(own));
        if let Some(field) = self.is_later_lease(view, lease, claim, newer) {
            claim.doubt_for_want_of(field);
        }
    }

    /// Whether the writer's lease was acquired after the one that carries `newer`, and nothing
    /// before its write shows it lost: by the order it is no older lease, though its token is the
    /// lower one. Where no finding says that tokens went back, the order does not decide, or an
    /// acquisition does not tell its token: which of the two is the field.
    fn is_later_lease(
        &self,
        view: usize,
        writer: Option<Symbol>,
        claim: &Claim,
        newer: Token,
    ) -> Option<Field> {
        let leases = self.knows_most(view).timeline.leases();
        let holder = leases.holder(Some(newer));
        let states = |lease| {
            self.all_spellings(lease)
                .filter_map(|id| leases.get(Some(id)))
        };
        let own = claim.first.handle.token;
        let token = |acquired: &Acquired| acquired.seen.handle.token;
        let acquired = |lease| states(lease).filter_map(|state| state.acquired.as_ref());
        let last = acquired(holder).max_by_key(|held| held.position);
        let later = last.and_then(|holder| {
            let later = |acquired: &&Acquired| {
                acquired.position > holder.position
                    && (token(acquired).is_none() || token(acquired) == own)
            };
            let later = acquired(writer).find(later)?;
            Some(token(later).is_some() && token(holder).is_some())
        });
        let told = match later {
            Some(told) => told,
            None if self.was_later_before(leases, (writer, own), holder) => true,
            None => return None,
        };
        let field = match self.strength(view, Basis::LeaseOrder) {
            _ if !told => Field::FenceToken,
            Strength::Deciding => return None,
            strength => origin_field(strength),
        };
        let lost = states(writer).filter_map(|state| state.lost.as_ref());
        let lives = lost
            .into_iter()
            .all(|lost| lost.standing() > claim.last.standing());
        lives.then_some(field)
    }

    /// The same of what lies before another input began, where only acquisitions with their
    /// tokens are known: whether one of the writer came behind one of the holder.
    #[cold]
    fn was_later_before(
        &self,
        leases: &Leases,
        (writer, own): (Option<Symbol>, Option<Token>),
        holder: Option<Symbol>,
    ) -> bool {
        if leases.restarts.is_empty() {
            return false;
        }
        let [writer, holder] = [writer, holder].map(|lease| {
            let all = self.all_spellings(lease);
            all.collect::<Vec<Symbol>>()
        });
        let mut restarts = leases.restarts.iter().copied();
        let mut next = restarts.next();
        let mut held = false;
        for (at, acquired) in leases.acquisitions.iter().enumerate() {
            while next.is_some_and(|restart| restart <= at) {
                (next, held) = (restarts.next(), false);
            }
            // Of the last input the last acquisitions are known.
            if next.is_none() {
                return false;
            }
            let handle = acquired.seen.handle;
            let is_of = |ids: &[Symbol]| handle.lease.is_some_and(|lease| ids.contains(&lease));
            if held && is_of(&writer) && handle.token == own {
                return true;
            }
            held |= is_of(&holder);
        }
        false
    }

    /// Whether a write that is late at another key is of a lease that the order or the authority
    /// itself shows to be no older one than that of the greater token.
    pub(super) fn may_be_of_a_newer_lease(&self, view: usize, claim: &Claim) -> bool {
        let Met::Record(met, _) = claim.met else {
            return false;
        };
        if claim.variant != Variant::LateWriteOtherKey {
            return false;
        }
        let leases = self.knows_most(view).timeline.leases();
        let writer = leases.lease_of(&claim.first.handle);
        let states = |lease| {
            self.all_spellings(lease)
                .filter_map(|id| leases.get(Some(id)))
        };
        let spellings = self.all_spellings(writer);
        let named = spellings.filter_map(|id| leases.last_named(id)).max();
        let given = states(leases.lease_of(&met.handle)).filter_map(|lease| lease.acquired);
        let given = given.map(|acquired| acquired.position).max();
        let later = |newer| self.is_later_lease(view, writer, claim, newer).is_some();
        named.is_some() && named > given || met.handle.token.is_some_and(later)
    }

    /// The same where acquisitions have no lease ids: the token of the late write was acquired
    /// after a greater one.
    pub(super) fn token_fell(&self, view: usize, claim: &Claim) -> bool {
        let leases = self.knows_most(view).timeline.leases();
        let fell = |token| leases.fell(token, &claim.last);
        claim.variant == Variant::LateWriteOtherKey && claim.first.handle.token.is_some_and(fell)
    }
}
