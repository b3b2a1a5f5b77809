//! Locks that are queues: whoever has the lowest place holds the lock, the others wait.

use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One that holds or waits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Member {
    /// The name of its key or node.
    pub(super) name: String,
    /// The handle: a lease, a session.
    pub(super) lease: Option<String>,
    /// Who it says it is.
    pub(super) owner: Option<String>,
    /// The generation.
    pub(super) token: Option<u64>,
}

/// The members of one lock, by place.
#[derive(Debug, Default)]
pub(super) struct Queue {
    members: BTreeMap<u64, Member>,
    /// The places by name, and how many members each lease has: there may be very many.
    names: BTreeSet<(String, u64)>,
    leases: HashMap<String, usize>,
}

/// What a removal did.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Removed {
    /// Nobody of that name was known.
    Unknown,
    /// It had been waiting.
    Waiter(Member),
    /// It held the lock; the next one holds it now.
    Holder(Member, Option<Member>),
}

impl Queue {
    /// Takes a new member; whether it holds the lock at once.
    pub(super) fn join(&mut self, place: u64, member: Member) -> bool {
        self.remove(place);
        self.names.insert((member.name.clone(), place));
        if let Some(lease) = &member.lease {
            *self.leases.entry(lease.clone()).or_default() += 1;
        }
        self.members.insert(place, member);
        self.members
            .first_key_value()
            .is_some_and(|(first, _)| *first == place)
    }

    /// The one that holds the lock.
    pub(super) fn holder(&self) -> Option<&Member> {
        self.members.first_key_value().map(|(_, member)| member)
    }

    /// Whether a member of that lease is known.
    pub(super) fn knows_lease(&self, lease: &str) -> bool {
        self.leases.contains_key(lease)
    }

    /// The lease of a member, by its name.
    pub(super) fn lease_of(&self, name: &str) -> Option<&str> {
        let member = self.members.get(&self.place_of(name)?)?;
        member.lease.as_deref()
    }

    /// The lowest place of a member, by its name.
    fn place_of(&self, name: &str) -> Option<u64> {
        let from = (name.to_owned(), 0);
        let (found, place) = self.names.range(from..).next()?;
        (found == name).then_some(*place)
    }

    fn remove(&mut self, place: u64) -> Option<Member> {
        let member = self.members.remove(&place)?;
        self.names.remove(&(member.name.clone(), place));
        if let Some(lease) = &member.lease
            && let Some(count) = self.leases.get_mut(lease)
        {
            *count -= 1;
            if *count == 0 {
                self.leases.remove(lease);
            }
        }
        Some(member)
    }

    /// Removes a member by name.
    pub(super) fn leave(&mut self, name: &str) -> Removed {
        let Some(place) = self.place_of(name) else {
            return Removed::Unknown;
        };
        let held = self
            .members
            .first_key_value()
            .is_some_and(|(first, _)| *first == place);
        match self.remove(place) {
            Some(member) if held => Removed::Holder(member, self.holder().cloned()),
            Some(member) => Removed::Waiter(member),
            None => Removed::Unknown,
        }
    }

    /// Nobody is left.
    pub(super) fn is_empty(&self) -> bool {
        self.members.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::{Member, Queue, Removed};

    fn member(name: &str) -> Member {
        Member {
            name: name.to_owned(),
            ..Member::default()
        }
    }

    #[test]
    fn the_lowest_place_holds_and_the_next_follows() {
        let mut queue = Queue::default();
        assert!(queue.join(5, member("a")));
        assert!(!queue.join(6, member("b")));
        assert!(!queue.join(7, member("c")));
        assert_eq!(queue.leave("b"), Removed::Waiter(member("b")));
        assert_eq!(queue.leave("x"), Removed::Unknown);
        assert_eq!(
            queue.leave("a"),
            Removed::Holder(member("a"), Some(member("c")))
        );
        assert_eq!(queue.leave("c"), Removed::Holder(member("c"), None));
        assert!(queue.is_empty());
    }

    #[test]
    fn names_and_leases_are_those_of_the_members() {
        let of = |name: &str, lease: &str| Member {
            lease: Some(lease.to_owned()),
            ..member(name)
        };
        let mut queue = Queue::default();
        queue.join(5, of("a", "l1"));
        queue.join(6, of("ab", "l1"));
        queue.join(7, of("a", "l2"));
        // One that takes the place of another.
        queue.join(6, of("b", "l3"));
        assert_eq!(queue.lease_of("ab"), None);
        assert_eq!(queue.lease_of("a"), Some("l1"));
        assert!(queue.knows_lease("l1") && queue.knows_lease("l3"));
        queue.leave("a");
        assert!(!queue.knows_lease("l1"));
        assert_eq!(queue.lease_of("a"), Some("l2"));
        queue.leave("a");
        queue.leave("b");
        assert!(queue.is_empty() && !queue.knows_lease("l2"));
    }
}
