//! Releases that by the lines came after a newer lease, which then lived on: their lines came
//! late.

use crate::evidence::{Active, Answer, Event, Field, Token};
use crate::lint::checks::{Checked, Desk, words};
use crate::lint::code::Code;
use crate::lint::collect::{About, Words};
use crate::lint::finding::{Spot, Where};
use crate::timeline::{OrderFacts, Strength};

/// The leases of one lock by the lines. Leases are known by the hashes of their ids.
#[derive(Debug, Clone, Default)]
pub(super) struct Leases {
    /// The current one, and its token.
    current: Option<(u64, Option<Token>)>,
    /// A release that removed a newer lease.
    open: Option<Box<Open>>,
}

/// A release, as long as it is open whether the lease that it removed lives on.
#[derive(Debug, Clone)]
struct Open {
    removed: u64,
    found: (Where, Spot, Words),
}

impl Leases {
    /// Takes the next line, and tells of a release that it shows to have come late.
    pub(super) fn follow(
        &mut self,
        checked: &Checked<'_, '_>,
        facts: &OrderFacts,
        desk: &mut Desk<'_>,
    ) {
        let record = checked.record;
        let order = desk.collector.settings.order;
        if facts.strength_of_leases(order) == Strength::Deciding {
            return;
        }
        let Some(lease) = checked.hashes.lease else {
            return;
        };
        match record.answer {
            Answer::Acquired => {
                self.current = Some((lease, record.token));
                self.open = None;
            }
            Answer::Released | Answer::Renewed => {
                if let Some(open) = self.open.take_if(|open| open.removed == lease) {
                    let about = About {
                        lock: Some(checked.lock),
                        event: Some(Event::Release),
                        field: Some(Field::LeaseId),
                        folded: false,
                    };
                    let code = Code::ReadingContradictsOrder;
                    desk.collector
                        .add(desk.symbols, code, about, |_| open.found);
                }
                let unread = record.active == Active::Unrecorded;
                let newer = self.current.filter(|(current, token)| {
                    *current != lease
                        && matches!((*token, record.token), (Some(a), Some(b)) if a > b)
                });
                match newer {
                    Some((removed, _)) if record.answer == Answer::Released && unread => {
                        let (span, label) = checked.members.point(Field::LeaseId);
                        let (spot, line) = Spot::of(checked.members.frame, span, label);
                        let place = Where::Input {
                            source: checked.place.source,
                            line: checked.place.line + line,
                        };
                        let words = words(
                            "by the lines this release came after a newer lease, and that lease lived on",
                            "the line came late; record `activeLeaseId`, or a `seq` that the authority gave",
                            "",
                        );
                        self.open = Some(Box::new(Open {
                            removed,
                            found: (place, spot, words),
                        }));
                    }
                    None if self.current.is_some_and(|(current, _)| current == lease)
                        && record.answer == Answer::Released =>
                    {
                        self.current = None;
                    }
                    _ => {}
                }
            }
            Answer::Expired | Answer::ReleaseRejectedNotOwner | Answer::RenewRejectedNotOwner => {
                if self.current.is_some_and(|(current, _)| current == lease) {
                    self.current = None;
                }
                if self.open.as_ref().is_some_and(|open| open.removed == lease) {
                    self.open = None;
                }
            }
            _ => {}
        }
    }
}
