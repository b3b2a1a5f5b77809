//! Releases that fit no lease.

use super::{Checked, Desk, words};
use crate::evidence::{Active, Answer, Event, Field};
use crate::lint::code::Code;
use crate::lint::gaps::Lock;
use crate::lint::recent::{Recent, hash};
use crate::lint::stood::Stood;
use crate::timeline::Order;

/// The record that shows that a lease ended.
#[derive(Debug, Clone, Copy)]
struct Ended {
    seq: Option<u64>,
    stood: Stood,
}

impl Ended {
    /// Whether it came before a record of its lock: by `seq`, or by the lines of one input.
    fn is_before(&self, checked: &Checked<'_, '_>, order: Order) -> bool {
        match order {
            Order::BySeq => self.seq < checked.record.seq,
            Order::ByLine => self.stood.is_in_the_input_of(checked.place),
            Order::Unknown(_) => false,
        }
    }
}

/// Which leases have ended.
#[derive(Debug)]
pub struct HandleCheck {
    /// By lock and lease: none while it lives.
    ended: Recent<Option<Ended>>,
}

impl HandleCheck {
    /// What a bucket of all its tables takes.
    pub const BYTES: u64 = Recent::<Option<Ended>>::BYTES;

    /// Whether something seen was forgotten.
    pub fn forgot(&self) -> bool {
        self.ended.forgot
    }

    /// A check that remembers `window` leases.
    pub fn new(window: usize) -> HandleCheck {
        HandleCheck {
            ended: Recent::new(window),
        }
    }

    /// Looks at one record of a lock.
    pub fn check(&mut self, checked: &Checked<'_, '_>, lock: &Lock, desk: &mut Desk<'_>) {
        let record = checked.record;
        if record.event == Event::Write {
            return;
        }
        let lease = record.lease.as_deref();
        let key = checked
            .hashes
            .lease
            .map(|lease| hash(&(checked.lock, lease)));
        if record.answer == Answer::Released {
            let order = lock.order(desk.collector.settings.order);
            let ended = key.and_then(|key| self.ended.get_mut(key).copied().flatten());
            let ended = ended.filter(|ended| ended.is_before(checked, order));
            if record.active == Active::None {
                desk.at_field(Code::ReleaseWithoutLease, checked, Field::Result, || {
                    words(
                        "answered `released`, and the authority recorded that no lease was current",
                        "answer `release-noop` where there is nothing to remove",
                        lease.unwrap_or_default(),
                    )
                });
            } else if let Some(ended) = ended {
                let line = desk.line(checked, ended.stood);
                desk.at_field(Code::ReleaseWithoutLease, checked, Field::LeaseId, || {
                    words(
                        format!("this lease is released, and it had ended in {line}"),
                        "answer `release-noop` or `release-rejected-not-owner` where the lease is gone; record `activeLeaseId` to show what was removed",
                        lease.unwrap_or_default(),
                    )
                });
            }
        }
        let Some(key) = key else { return };
        match record.answer {
            // Whether it lives or ended is not known then; that it ended twice is no less so.
            Answer::Acquired | Answer::Renewed if !checked.sure => self.ended.remove(key),
            _ if !checked.sure => {}
            Answer::Acquired | Answer::Renewed => self.ended.insert(key, None),
            Answer::Released
            | Answer::Expired
            | Answer::ReleaseNoop
            | Answer::ReleaseRejectedNotOwner => {
                let ended = Ended {
                    seq: record.seq,
                    stood: Stood::at(checked.place),
                };
                self.ended.insert(key, Some(ended));
            }
            _ => {}
        }
    }
}
