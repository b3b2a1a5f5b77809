//! The result of a lint run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::baseline::Baseline;
use super::checks::fields::Coverage;
use super::code::{Code, Severity};
use super::collect::Tally;
use super::decidability::{Level, Need, WAYS, Way, WayVerdict};
use super::finding::Finding;
use crate::evidence::{Event, Field};

/// What lint says of a pack.
#[derive(Debug, Default)]
pub struct Report {
    /// Whether leases, tokens, names or records were forgotten, so that what contradicts
    /// them later is not found.
    pub forgot: bool,
    /// Evidence records read.
    pub records: u64,
    /// Lines that are no evidence, and no error.
    pub others: u64,
    /// Lines or values with something that can't be used, be it one field.
    pub rejected: u64,
    /// The kept findings, by place.
    pub findings: Vec<Finding>,
    /// How often each code was raised at each lock.
    pub tallies: Vec<(Code, Option<Arc<str>>, Tally)>,
    /// The severity that each code had; those switched off are not there.
    pub severities: BTreeMap<Code, Severity>,
    /// The loudest severity of what was neither ignored nor known.
    pub loudest: Option<Severity>,
    /// How many of the records that should carry a field do.
    pub coverage: Vec<(Event, Field, Coverage)>,
    /// What each lock's records can decide, locks in order of appearance.
    pub locks: Vec<LockReport>,
}

/// What the records of one lock can decide.
#[derive(Debug)]
pub struct LockReport {
    /// The lock.
    pub lock_name: String,
    /// Its records, repeated ones once.
    pub records: u64,
    /// One verdict a way; locks whose records carry the same share them.
    pub ways: Arc<[WayVerdict]>,
    /// Whether records were forgotten that would tell if two of them share a `seq`: then
    /// its order counts as unknown.
    pub forgot: bool,
}

impl LockReport {
    /// Takes in what another observer's records of the lock can decide: what one of them
    /// can, all together can as well.
    pub(super) fn take(&mut self, other: LockReport) {
        self.records += other.records;
        self.forgot |= other.forgot;
        let best = self.ways.iter().zip(other.ways.iter()).map(|(own, other)| {
            if (other.level, other.complete) > (own.level, own.complete) {
                other.clone()
            } else {
                own.clone()
            }
        });
        self.ways = best.collect();
    }
}

/// One code over the whole input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeCount {
    /// The code.
    pub code: Code,
    /// How much it mattered.
    pub severity: Severity,
    /// How often it was raised.
    pub tally: Tally,
    /// How many of these the kept findings stand for.
    pub kept: u64,
}

/// One way over all locks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaySummary {
    /// The way.
    pub way: &'static Way,
    /// Locks that can prove it throughout.
    pub prove: u64,
    /// Locks that can prove it for some records, or some of such incidents.
    pub in_part: u64,
    /// Locks that can only suspect it.
    pub suspect: u64,
    /// Locks at which it would not show.
    pub blind: u64,
    /// Of these, those without any record of the step concerned.
    pub unseen: u64,
    /// The sets of fields that would change that, with how many locks each would help;
    /// the one that helps most first, small before large.
    pub needs: Vec<(Vec<Need>, u64)>,
}

impl Report {
    /// The counts of every code that was raised, loudest first.
    pub fn counts(&self) -> Vec<CodeCount> {
        let mut counts: Vec<CodeCount> = self
            .severities
            .iter()
            .map(|(code, severity)| {
                let mut tally = Tally::default();
                for (_, _, one) in self.tallies.iter().filter(|(other, _, _)| other == code) {
                    tally.total += one.total;
                    tally.known += one.known;
                    tally.ignored += one.ignored;
                }
                let kept = self.findings.iter().filter(|one| one.code == *code);
                CodeCount {
                    code: *code,
                    severity: *severity,
                    tally,
                    kept: kept.map(|one| one.occurrences).sum(),
                }
            })
            .filter(|count| count.tally != Tally::default())
            .collect();
        counts.sort_by(|a, b| b.severity.cmp(&a.severity).then(a.code.cmp(&b.code)));
        counts
    }

    /// How many new findings of a severity there are, kept or not.
    pub fn of_severity(&self, severity: Severity) -> u64 {
        self.tallies
            .iter()
            .filter(|(code, _, _)| self.severities.get(code) == Some(&severity))
            .map(|(_, _, tally)| tally.total - tally.known)
            .sum()
    }

    /// The ways over all locks, worst first.
    pub fn summary(&self) -> Vec<WaySummary> {
        let mut summary: Vec<WaySummary> = WAYS
            .iter()
            .enumerate()
            .map(|(at, way)| self.of_way(at, way))
            .collect();
        // Stable, so that ways which are alike stay in documented order.
        summary.sort_by_key(|way| {
            // What a lock never does is no gap in its records.
            std::cmp::Reverse((way.blind - way.unseen, way.suspect, way.in_part, way.unseen))
        });
        summary
    }

    fn of_way(&self, at: usize, way: &'static Way) -> WaySummary {
        let mut summary = WaySummary {
            way,
            prove: 0,
            in_part: 0,
            suspect: 0,
            blind: 0,
            unseen: 0,
            needs: Vec::new(),
        };
        let mut needs: BTreeMap<&[Need], u64> = BTreeMap::new();
        for verdict in self.locks.iter().filter_map(|lock| lock.ways.get(at)) {
            *match (verdict.level, verdict.complete) {
                (Level::CanProve, true) => &mut summary.prove,
                (Level::CanProve, false) => &mut summary.in_part,
                (Level::CanOnlySuspect, _) => &mut summary.suspect,
                (Level::Blind, _) => &mut summary.blind,
            } += 1;
            summary.unseen += u64::from(verdict.level == Level::Blind && verdict.of == 0);
            for set in verdict.needs.iter() {
                *needs.entry(set.as_slice()).or_default() += 1;
            }
        }
        summary.needs = needs
            .into_iter()
            .map(|(set, locks)| (set.to_vec(), locks))
            .collect();
        summary
            .needs
            .sort_by_key(|(set, locks)| (std::cmp::Reverse(*locks), set.len(), set.clone()));
        summary
    }

    /// A baseline that accepts everything found.
    pub fn baseline(&self) -> Baseline {
        let upkeep = crate::lint::Family::Upkeep;
        Baseline::of(
            self.tallies
                .iter()
                .filter(|(code, _, tally)| tally.total > 0 && code.family() != upkeep)
                .map(|(code, lock, tally)| {
                    (*code, lock.as_deref().map(str::to_owned), tally.total)
                }),
        )
    }
}
