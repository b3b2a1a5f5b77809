//! The records that were kept, as a report says them, and the names in them.

use super::Builder;
use crate::incident::{self, Role};
use crate::report::keep::{Kept, KeptLock};
use crate::report::model::{Active, Actor, Saying, Witness};
use crate::report::names::Names;
use crate::timeline::{ActiveLease, Handle, Symbols};

impl Builder<'_, '_> {
    /// Makes the owners and leases known before any other name is shown, so that they are
    /// found inside the others.
    pub(super) fn meet(&mut self, all: &[&incident::Incident]) {
        if !self.names.redacts() {
            return;
        }
        let actors = all.iter().flat_map(|one| [&one.late, &one.current]);
        for actor in actors.flatten() {
            self.actor(actor);
        }
        for lock in self.locks(all) {
            let Some(kept) = self.keeper.lock(lock) else {
                continue;
            };
            let handles: Vec<Handle> = kept
                .first
                .iter()
                .chain(&kept.last)
                .flat_map(|kept| {
                    let active = match kept.step.active {
                        ActiveLease::Lease(handle) => Some(handle),
                        ActiveLease::None | ActiveLease::Unrecorded => None,
                    };
                    [Some(kept.step.handle), active]
                })
                .flatten()
                .collect();
            for handle in handles {
                handle_names(&handle, &self.keeper.symbols, &mut self.names);
            }
        }
    }

    /// The input in which a witness stands.
    pub(super) fn source(&self, witness: &incident::Witness) -> Option<usize> {
        let mut inputs = self.run.inputs.iter();
        inputs.position(|name| *name == witness.source)
    }

    pub(super) fn witness(
        &mut self,
        one: &incident::Incident,
        witness: &incident::Witness,
    ) -> Witness {
        let source = self.source(witness);
        let lock = self.keeper.lock(&one.lock_name);
        let mut kept = lock.and_then(|lock| find(lock, source, witness)).cloned();
        let mut other = None;
        // Of a key that two locks share, the other's record is kept under the other.
        if kept.is_none() && witness.role == Role::OtherWrite {
            let symbols = &self.keeper.symbols;
            let key = one.resource_key.as_deref();
            let known = self.keeper.locks().find_map(|(name, lock)| {
                let found = find(lock, source, witness)?;
                let same_key = found.step.key.map(|key| symbols.name(key)) == key;
                same_key.then_some((name, found))
            });
            if let Some((name, found)) = known {
                (other, kept) = (Some(self.names.other(name)), Some(found.clone()));
            }
        }
        Witness {
            role: witness.role,
            source: self.names.input(&witness.source),
            line: witness.line,
            seq: witness.seq,
            other_lock_name: other,
            record: kept.map(|kept| saying(&kept, &self.keeper.symbols, &mut self.names)),
        }
    }
}

fn find<'k>(
    lock: &'k KeptLock,
    source: Option<usize>,
    witness: &incident::Witness,
) -> Option<&'k Kept> {
    lock.first.iter().chain(&lock.last).find(|kept| {
        let place = kept.step.place;
        Some(place.source as usize) == source
            && place.line == witness.line
            && kept.step.seq == witness.seq
    })
}

fn handle_names(handle: &Handle, symbols: &Symbols, names: &mut Names) -> Actor {
    Actor {
        owner_id: handle.owner.map(|one| names.owner(symbols.name(one))),
        lease_id: handle.lease.map(|one| names.lease(symbols.name(one))),
        fence_token: handle.token,
    }
}

pub(super) fn saying(kept: &Kept, symbols: &Symbols, names: &mut Names) -> Saying {
    let step = &kept.step;
    let actor = handle_names(&step.handle, symbols, names);
    Saying {
        ts: kept.ts.as_deref().map(|ts| names.other(ts)),
        event: step.event,
        result: step.answer,
        owner_id: actor.owner_id,
        lease_id: actor.lease_id,
        fence_token: actor.fence_token,
        resource_key: step.key.map(|key| names.other(symbols.name(key))),
        operation_id: step.operation.map(|one| names.other(symbols.name(one))),
        resource_highest_token_before: step.before,
        resource_highest_token_after: step.after,
        active: match step.active {
            ActiveLease::Unrecorded => None,
            ActiveLease::None => Some(Active::None),
            ActiveLease::Lease(handle) => {
                Some(Active::Lease(handle_names(&handle, symbols, names)))
            }
        },
    }
}
