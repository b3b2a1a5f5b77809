//! Random schedules: what happens next, from a seed.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::action::{Action, Delivery, Lost};
use super::fault::{DeliveryFault, Faults, ResourceFault, TokenFault};
use super::rng::Rng;
use super::world::World;

/// How often things go other than planned, each in times of a thousand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct Rates {
    /// A step is made by a worker that comes back with an old handle.
    pub old_handles: u16,
    /// A write carries an operation that was delivered before (where the delivery
    /// repeats any).
    pub redelivered: u16,
    /// A request or its answer is lost.
    pub lost: u16,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            old_handles: 120,
            redelivered: 150,
            lost: 0,
        }
    }
}

/// A random schedule.
#[derive(Debug, Clone)]
pub struct Schedule {
    rng: Rng,
    rates: Rates,
    next: VecDeque<Action>,
}

impl Schedule {
    /// The schedule of that seed.
    pub fn new(seed: u64, rates: Rates) -> Schedule {
        Schedule {
            rng: Rng::new(seed),
            rates,
            next: VecDeque::new(),
        }
    }

    /// The next action in this world.
    pub fn next(&mut self, world: &World) -> Action {
        if self.next.is_empty() {
            self.plan(world);
        }
        self.next.pop_front().unwrap_or(Action::Advance { us: 1 })
    }

    fn plan(&mut self, world: &World) {
        let setup = *world.setup();
        let locks = u64::from(setup.locks.max(1));
        let lock = self.rng.below(locks) as u32;
        self.pass_time(setup.ttl, locks);
        match self.rng.below(1000) {
            0..15 if setup.faults.tokens == TokenFault::Reset => {
                self.next.push_back(Action::Restart { lock })
            }
            15..40 if setup.faults.resource == ResourceFault::Forgets => {
                self.next.push_back(Action::FailOver { lock })
            }
            _ => {}
        }
        let old = 1 + self.rng.below(3) as u8;
        if self.rng.chance(self.rates.old_handles) && world.handle(lock, old).is_some() {
            return self.act_late(world, lock, old);
        }
        let lost = self.lost();
        let worker = self.rng.below(u64::from(setup.workers.max(1))) as u32;
        let acquire = Action::Acquire { lock, worker, lost };
        let Some(holder) = world.holder(lock) else {
            self.next.push_back(acquire);
            self.let_fault_show(setup.faults, setup.ttl, lock);
            return;
        };
        let known = world
            .handle(lock, 0)
            .is_some_and(|handle| handle.number == holder.number);
        match self.rng.below(100) {
            _ if !known => self.next.push_back(acquire),
            0..66 => self.write(world, lock, 0),
            66..76 => self.next.push_back(Action::Renew {
                lock,
                back: 0,
                lost,
            }),
            76..92 => self.next.push_back(Action::Release {
                lock,
                back: 0,
                lost,
            }),
            _ => self.next.push_back(acquire),
        }
    }

    /// Time passes: a little at each step, and now and then more than a lease lasts.
    fn pass_time(&mut self, ttl: u64, locks: u64) {
        let step = self.rng.below(1 + ttl / 4 / locks);
        let pause = locks <= 64 && self.rng.below(25 * locks) == 0;
        self.next.push_back(Action::Advance {
            us: if pause { ttl + 1 } else { step },
        });
    }

    /// Some faults need a certain course to show at all: a lease that runs out before its
    /// token is taken, or more than nine leases.
    fn let_fault_show(&mut self, faults: Faults, ttl: u64, lock: u32) {
        if faults.tokens == TokenFault::AfterAcquire && self.rng.below(3) == 0 {
            self.next.push_back(Action::Advance { us: ttl + 1 });
        }
        if faults.resource == ResourceFault::TextCompare && self.rng.below(3) == 0 {
            let lost = Lost::Nothing;
            self.next.push_back(Action::Release {
                lock,
                back: 0,
                lost,
            });
        }
    }

    /// A worker that was away goes on where it was.
    fn act_late(&mut self, world: &World, lock: u32, back: u8) {
        let lost = self.lost();
        match self.rng.below(100) {
            0..60 => self.write(world, lock, back),
            60..85 => self.next.push_back(Action::Release { lock, back, lost }),
            _ => self.next.push_back(Action::Renew { lock, back, lost }),
        }
    }

    fn write(&mut self, world: &World, lock: u32, back: u8) {
        let faults = world.setup().faults;
        let effect = self.rng.below(2) as u8;
        if world.has_checked(lock, back) && self.rng.below(2) == 0 {
            self.next.push_back(Action::Set { lock, back });
            return;
        }
        let again =
            faults.delivery != DeliveryFault::Once && self.rng.chance(self.rates.redelivered);
        let op = match faults.delivery {
            DeliveryFault::AgainToNextOwner if again => Delivery::Again(self.rng.below(4) as u8),
            _ => Delivery::Fresh,
        };
        if faults.resource == ResourceFault::CheckThenSet && self.rng.below(2) == 0 {
            self.next.push_back(Action::Check {
                lock,
                back,
                op,
                effect,
            });
            return;
        }
        let lost = self.lost();
        let write = |op, lost| Action::Write {
            lock,
            back,
            op,
            effect,
            lost,
        };
        self.next.push_back(write(op, lost));
        // Without an answer the worker asks again; a queue without an acknowledgement
        // delivers again.
        let again = again && faults.delivery == DeliveryFault::Again;
        if lost != Lost::Nothing || again {
            self.next
                .push_back(write(Delivery::Again(0), Lost::Nothing));
        }
    }

    fn lost(&mut self) -> Lost {
        if !self.rng.chance(self.rates.lost) {
            return Lost::Nothing;
        }
        if self.rng.below(2) == 0 {
            Lost::Answer
        } else {
            Lost::Request
        }
    }
}
