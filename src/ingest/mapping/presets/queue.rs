//! Locks that are queues: whoever has the lowest place holds the lock, the others wait.

use std::collections::BTreeMap;

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
        self.members
            .values()
            .any(|member| member.lease.as_deref() == Some(lease))
    }

    /// The lease of a member, by its name.
    pub(super) fn lease_of(&self, name: &str) -> Option<&str> {
        let mut members = self.members.values();
        members.find(|member| member.name == name)?.lease.as_deref()
    }

    /// Removes a member by name.
    pub(super) fn leave(&mut self, name: &str) -> Removed {
        let place = self.members.iter().find(|(_, member)| member.name == name);
        let Some(place) = place.map(|(place, _)| *place) else {
            return Removed::Unknown;
        };
        let held = self
            .members
            .first_key_value()
            .is_some_and(|(first, _)| *first == place);
        match self.members.remove(&place) {
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
}
