//! The authority of one lock: who holds it, until when, and under which token.

use crate::evidence::Answer;

use super::event::Grant;
use super::fault::{Bound, TokenFault};

/// One lock as its authority keeps it.
#[derive(Debug, Clone, Default)]
pub struct Authority {
    holder: Option<(Grant, u64)>,
    counter: u64,
    granted: u64,
}

/// What became of a request to give back or prolong a lease.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// What the authority said.
    pub answer: Answer,
    /// The lease that was current when it decided.
    pub current: Option<Grant>,
    /// The lease that was really removed, or really prolonged.
    pub touched: Option<Grant>,
}

impl Authority {
    /// The lease that is held, whether or not its time is over.
    pub fn holder(&self) -> Option<Grant> {
        self.holder.map(|(grant, _)| grant)
    }

    /// Takes away a lease whose time is over at `now`, and returns it.
    pub fn expire(&mut self, now: u64) -> Option<Grant> {
        let (grant, until) = self.holder?;
        (until <= now).then(|| {
            self.holder = None;
            grant
        })
    }

    /// Grants a lease until `until`, unless somebody holds one. The token comes with it
    /// but where it is taken afterwards, or where there are none.
    pub fn acquire(
        &mut self,
        owner: u32,
        event: u64,
        until: u64,
        tokens: TokenFault,
    ) -> Option<Grant> {
        if self.holder.is_some() {
            return None;
        }
        self.granted += 1;
        let token = match tokens {
            TokenFault::Ordered | TokenFault::Reset => Some(self.next_token()),
            // The counter was raised by the last release, if there was one.
            TokenFault::Reused => Some(self.counter + 1),
            TokenFault::AfterAcquire | TokenFault::None => None,
        };
        let grant = Grant {
            number: self.granted,
            owner,
            token,
            event,
        };
        self.holder = Some((grant, until));
        Some(grant)
    }

    /// Raises the counter and returns it.
    pub fn next_token(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// Notes the token of a lease that took it after the grant.
    pub fn note_token(&mut self, number: u64, token: u64) {
        if let Some((grant, _)) = &mut self.holder
            && grant.number == number
        {
            grant.token = Some(token);
        }
    }

    /// Loses everything but the count of leases, as a restart without a disk does.
    pub fn restart(&mut self) {
        self.holder = None;
        self.counter = 0;
    }

    /// Gives back a lease.
    pub fn release(&mut self, asked: Grant, bound: Bound, tokens: TokenFault) -> Decision {
        let current = self.holder();
        let passes = current.filter(|current| matches(*current, asked, bound));
        if passes.is_some() {
            self.holder = None;
            if tokens == TokenFault::Reused {
                self.counter += 1;
            }
        }
        let answer = match (passes, current) {
            (Some(_), _) => Answer::Released,
            _ if bound == Bound::Idempotent => Answer::Released,
            (None, None) => Answer::ReleaseNoop,
            (None, Some(_)) => Answer::ReleaseRejectedNotOwner,
        };
        Decision {
            answer,
            current,
            touched: passes,
        }
    }

    /// Prolongs a lease until `until`.
    pub fn renew(&mut self, asked: Grant, until: u64, bound: Bound) -> Decision {
        let current = self.holder();
        let passes = current.filter(|current| matches(*current, asked, bound));
        if passes.is_some()
            && let Some((_, end)) = &mut self.holder
        {
            *end = until;
        }
        let answer = if passes.is_some() || bound == Bound::Idempotent {
            Answer::Renewed
        } else {
            Answer::RenewRejectedNotOwner
        };
        Decision {
            answer,
            current,
            touched: passes,
        }
    }
}

fn matches(current: Grant, asked: Grant, bound: Bound) -> bool {
    match bound {
        Bound::ByLease | Bound::Idempotent => current.number == asked.number,
        Bound::ByOwner => current.owner == asked.owner,
        Bound::ByName => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{Authority, Bound, TokenFault};
    use crate::evidence::Answer;

    fn two_leases(owners: [u32; 2]) -> (Authority, [super::Grant; 2]) {
        let mut authority = Authority::default();
        let first = authority
            .acquire(owners[0], 0, 5, TokenFault::Ordered)
            .unwrap();
        assert!(authority.expire(5).is_some());
        let second = authority
            .acquire(owners[1], 1, 11, TokenFault::Ordered)
            .unwrap();
        (authority, [first, second])
    }

    #[test]
    fn a_lease_is_exclusive_and_ends_with_its_time() {
        let mut authority = Authority::default();
        let grant = authority.acquire(0, 0, 5, TokenFault::Ordered).unwrap();
        assert_eq!(authority.acquire(1, 1, 9, TokenFault::Ordered), None);
        assert_eq!(authority.expire(4), None);
        assert_eq!(authority.expire(5), Some(grant));
        assert_eq!(
            authority
                .acquire(1, 2, 9, TokenFault::Ordered)
                .unwrap()
                .token,
            Some(2)
        );
    }

    #[test]
    fn only_the_exact_handle_is_bound() {
        for (bound, owners, answer, removes) in [
            (
                Bound::ByLease,
                [0, 1],
                Answer::ReleaseRejectedNotOwner,
                false,
            ),
            (
                Bound::ByLease,
                [0, 0],
                Answer::ReleaseRejectedNotOwner,
                false,
            ),
            (
                Bound::ByOwner,
                [0, 1],
                Answer::ReleaseRejectedNotOwner,
                false,
            ),
            (Bound::ByOwner, [0, 0], Answer::Released, true),
            (Bound::ByName, [0, 1], Answer::Released, true),
            (Bound::Idempotent, [0, 1], Answer::Released, false),
        ] {
            let (mut authority, [old, new]) = two_leases(owners);
            let decision = authority.release(old, bound, TokenFault::Ordered);
            assert_eq!(decision.answer, answer, "{bound} {owners:?}");
            assert_eq!(
                decision.touched,
                removes.then_some(new),
                "{bound} {owners:?}"
            );
            assert_eq!(
                authority.holder(),
                (!removes).then_some(new),
                "{bound} {owners:?}"
            );
        }
    }

    #[test]
    fn an_unbound_renewal_prolongs_what_it_does_not_name() {
        let (mut authority, [old, new]) = two_leases([0, 1]);
        let decision = authority.renew(old, 20, Bound::ByName);
        assert_eq!(
            (decision.answer, decision.touched),
            (Answer::Renewed, Some(new))
        );
        assert_eq!(authority.expire(19), None);
        let decision = authority.renew(old, 30, Bound::Idempotent);
        assert_eq!((decision.answer, decision.touched), (Answer::Renewed, None));
        assert_eq!(authority.expire(20), Some(new));
    }

    #[test]
    fn a_restart_starts_the_tokens_again_and_an_expiry_reuses_one() {
        let (mut authority, _) = two_leases([0, 1]);
        authority.restart();
        let grant = authority.acquire(0, 2, 20, TokenFault::Reset).unwrap();
        assert_eq!((grant.number, grant.token), (3, Some(1)));

        let mut authority = Authority::default();
        let first = authority.acquire(0, 0, 5, TokenFault::Reused).unwrap();
        authority.expire(5);
        let second = authority.acquire(1, 1, 9, TokenFault::Reused).unwrap();
        assert_eq!(first.token, second.token);
        authority.release(second, Bound::ByLease, TokenFault::Reused);
        let third = authority.acquire(1, 2, 9, TokenFault::Reused).unwrap();
        assert_eq!(third.token, Some(2));
    }
}
