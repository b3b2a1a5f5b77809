//! Claims of one variant and subject become one finding, which counts each event once.

use std::cmp::Reverse;

use hashbrown::HashMap;

use super::{Court, Finding, Key, Standing, Together};
use crate::incident::{Outcome, Variant};
use crate::observers::join::Joined;

impl Court<'_> {
    /// Puts the claims of one variant and subject together.
    pub(super) fn fold(
        &self,
        standing: Vec<Standing>,
        refusals: Vec<(Key, Standing)>,
    ) -> Vec<Finding> {
        let mut at: HashMap<Key, usize> = HashMap::new();
        let mut findings: Vec<Finding> = Vec::new();
        for one in standing {
            let claim = one.claim;
            let next = findings.len();
            let index = *at.entry((claim.variant, claim.subject)).or_insert(next);
            let finding = Finding {
                claim,
                first: claim.first.place,
                assumes: self.assumes(one.view, &claim),
                refusal: None,
                view: one.view,
                decided: one.decided,
            };
            match findings.get_mut(index) {
                Some(known) => known.take(finding),
                None => findings.push(finding),
            }
        }
        for (key, refusal) in refusals {
            if let Some(finding) = at.get(&key).and_then(|index| findings.get_mut(*index)) {
                finding.claim.count += refusal.claim.count;
                finding.refusal.get_or_insert(refusal.claim.first);
                finding.decided.extend(refusal.decided);
            }
        }
        if let Some(Together { joined, .. }) = &self.together {
            for finding in &mut findings {
                finding.count_once(joined);
            }
        }
        findings
    }
}

impl Finding {
    /// Takes in a claim of the same variant and subject: the strongest speaks, and of two
    /// as strong the one that takes less on trust.
    pub fn take(&mut self, other: Finding) {
        let rank = |one: &Finding| {
            let claim = &one.claim;
            let harm = harm(claim.outcome);
            (claim.status, harm, Reverse(one.assumes.len()))
        };
        let (mut speaks, silent) = if rank(&other) > rank(self) {
            self.assumes = other.assumes;
            self.view = other.view;
            (other.claim, self.claim)
        } else {
            (self.claim, other.claim)
        };
        speaks.count += silent.count;
        if silent.last.standing() > speaks.last.standing() {
            speaks.last = silent.last;
        }
        self.claim = speaks;
        self.decided.extend(other.decided);
    }

    /// Counts what several observers saw of one event once.
    fn count_once(&mut self, joined: &Joined) {
        for arrival in &mut self.decided {
            *arrival = joined.count_as(*arrival);
        }
        self.decided.sort_unstable();
        self.decided.dedup();
        // A shared key is judged once, for all observers.
        if self.claim.variant != Variant::TwoLocksOneKey {
            self.claim.count = self.decided.len() as u64;
        }
    }
}

/// How much harm an outcome leaves open or shows: where one record of an incident was refused
/// and of another nothing is known, the protection is not known to have held.
fn harm(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Guarded => 0,
        Outcome::Unknown => 1,
        Outcome::Exposed => 2,
        Outcome::Breached => 3,
    }
}
