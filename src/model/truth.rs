//! The incidents of a run as the model knows them, and whether what was seen shows them.

use std::collections::BTreeMap;

use hashbrown::{HashMap, HashSet};

use crate::evidence::{Answer, Field};
use crate::incident::Class;

use super::event::{Current, Event, Key};
use super::fact::{Fact, FactKind};
use super::fault::{Faults, KeyFault, TokenFault};
use super::sighting::{FieldSet, Sighting};

/// What tells two incidents of one class at one lock apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// The late writes of one token at one key.
    Write(Option<Key>, Option<u64>),
    /// The writes of one lease at one key, where there are no tokens.
    WriteOfLease(Option<Key>, Option<u64>),
    /// What was done to one lease.
    Lease(Option<u64>),
    /// The deliveries of one operation.
    Operation(Option<u64>),
    /// A key.
    Key(Option<Key>),
    /// The lock itself.
    Lock,
}

impl Fact {
    /// The subject of the incident that this fact belongs to.
    pub fn subject(&self) -> Subject {
        match self.kind {
            FactKind::AppliedUnderOldLease => Subject::WriteOfLease(self.key, self.lease),
            FactKind::OldReleaseRefused
            | FactKind::RemovedOtherLease
            | FactKind::RenewedOtherLease
            | FactKind::TokenShared
            | FactKind::TokenWentBack
            | FactKind::TokenOutOfStep => Subject::Lease(self.lease),
            FactKind::AppliedAgain | FactKind::RefusedAgain | FactKind::DeliveredAgain => {
                Subject::Operation(self.operation)
            }
            FactKind::HeldTokenOfOtherLock => Subject::Key(self.key),
            FactKind::KeysDiverge => Subject::Lock,
            _ => Subject::Write(self.key, self.token),
        }
    }
}

/// One line of evidence: which file, and which line of it, from 1.
pub type Line = (u32, u64);

/// One incident as it truly was.
#[derive(Debug, Clone)]
pub struct TrueIncident {
    /// Its class.
    pub class: Class,
    /// The kind of its first fact.
    pub kind: FactKind,
    /// The lock.
    pub lock: u32,
    /// What it is about.
    pub subject: Subject,
    /// Its facts, in the order in which they happened.
    pub facts: Vec<Fact>,
    /// The lines about its events, in the order of files and lines.
    pub lines: Vec<Line>,
    /// Whether nothing was done that should not have been.
    pub contained: bool,
    /// Whether the lines show it, by a reading or by the order of who decided.
    pub decidable: bool,
}

/// Collects what happened and what was seen of it.
#[derive(Debug, Clone)]
pub struct Truth {
    faults: Faults,
    facts: Vec<Fact>,
    events: HashMap<u64, Seen>,
    lines: Vec<Vec<u64>>,
    locks: HashMap<u32, OrderSeen>,
    /// The tokens of each lock's leases.
    issued: HashSet<(u32, u64)>,
}

/// One event, and the lines about it.
#[derive(Debug, Clone)]
struct Seen {
    event: Event,
    lines: Vec<(Line, Sighting)>,
}

/// What the lines of one lock say of their order.
#[derive(Debug, Clone, Default)]
struct OrderSeen {
    /// Some line has no number of a deciding party, or two lines share one.
    broken: bool,
    /// Some line came, or is numbered, after that of a later event.
    late: bool,
    newest: u64,
    greatest: u64,
    /// Some line says less than it could: no answer, or a write without its key.
    vague: bool,
    numbers: HashMap<u64, Sighting>,
}

impl Truth {
    /// A truth about a run with those faults.
    pub fn new(faults: Faults) -> Truth {
        Truth {
            faults,
            facts: Vec::new(),
            events: HashMap::new(),
            lines: Vec::new(),
            locks: HashMap::new(),
            issued: HashSet::new(),
        }
    }

    /// What was wrong in this run.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Takes what happened.
    pub fn happened(&mut self, events: &[Event], facts: &[Fact]) {
        for event in events {
            if let (Answer::Acquired, Some(token)) = (event.answer, event.token) {
                self.issued.insert((event.lock, token));
            }
        }
        self.facts.extend_from_slice(facts);
    }

    /// Takes a line that was written, in the order of its file, and returns its place.
    pub fn saw(&mut self, sighting: &Sighting) -> Line {
        let file = sighting.file as usize;
        if self.lines.len() <= file {
            self.lines.resize(file + 1, Vec::new());
        }
        self.lines[file].push(sighting.event.id);
        let line = (sighting.file, self.lines[file].len() as u64);
        let seen = self
            .events
            .entry(sighting.event.id)
            .or_insert_with(|| Seen {
                event: sighting.event,
                lines: Vec::new(),
            });
        seen.lines.push((line, *sighting));
        let order = self.locks.entry(sighting.event.lock).or_default();
        let numbered = sighting
            .fields
            .has_all(FieldSet::of(&[Field::Seq, Field::SeqBy]));
        let same = Sighting {
            file: 0,
            ..*sighting
        };
        order.broken |= !numbered
            || !sighting.seq_by.decides()
            || *order.numbers.entry(sighting.seq).or_insert(same) != same;
        order.late |= sighting.event.seq < order.newest;
        if sighting.fields.has(Field::Seq) {
            order.late |= sighting.seq < order.greatest;
            order.greatest = order.greatest.max(sighting.seq);
        }
        let keyless = sighting.event.key.is_some() && !sighting.fields.has(Field::ResourceKey);
        order.vague |= !sighting.decided() || keyless;
        order.newest = order.newest.max(sighting.event.seq);
        line
    }

    /// The event that a line is about.
    pub fn event_at(&self, (file, line): Line) -> Option<u64> {
        let lines = self.lines.get(file as usize)?;
        lines
            .get(usize::try_from(line).ok()?.checked_sub(1)?)
            .copied()
    }

    /// Everything that is true.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// The incidents, in the order in which they began.
    pub fn incidents(&self) -> Vec<TrueIncident> {
        let mut found: Vec<TrueIncident> = Vec::new();
        let mut index: BTreeMap<(Class, u32, Subject), usize> = BTreeMap::new();
        for fact in self.facts.iter().filter(|fact| !fact.implied) {
            let class = fact.kind.class();
            let at = *index
                .entry((class, fact.lock, fact.subject()))
                .or_insert_with(|| {
                    found.push(TrueIncident {
                        class,
                        kind: fact.kind,
                        lock: fact.lock,
                        subject: fact.subject(),
                        facts: Vec::new(),
                        lines: Vec::new(),
                        contained: true,
                        decidable: false,
                    });
                    found.len() - 1
                });
            let incident = &mut found[at];
            incident.contained &= fact.kind.contained();
            incident.decidable |= self.decidable(fact);
            incident.lines.extend(self.lines_of(fact.event));
            incident.lines.extend(
                fact.other
                    .into_iter()
                    .flat_map(|other| self.lines_of(other)),
            );
            incident.facts.push(*fact);
        }
        for incident in &mut found {
            incident.lines.sort_unstable();
            incident.lines.dedup();
        }
        found
    }

    fn lines_of(&self, event: u64) -> impl Iterator<Item = Line> + '_ {
        let seen = self.events.get(&event);
        seen.into_iter()
            .flat_map(|seen| seen.lines.iter().map(|(line, _)| *line))
    }

    /// Whether one line about the event has all of these fields, and an answer.
    fn shows(&self, event: u64, fields: &[Field]) -> bool {
        let fields = FieldSet::of(fields);
        self.events.get(&event).is_some_and(|seen| {
            seen.lines
                .iter()
                .any(|(_, line)| line.decided() && line.fields.has_all(fields))
        })
    }

    /// Whether every line about the event that has an answer has all of these fields.
    fn always_shows(&self, event: u64, fields: &[Field]) -> bool {
        let fields = FieldSet::of(fields);
        self.shows(event, &[])
            && self.events.get(&event).is_some_and(|seen| {
                let mut decided = seen.lines.iter().filter(|(_, line)| line.decided());
                decided.all(|(_, line)| line.fields.has_all(fields))
            })
    }

    fn late(&self, lock: u32) -> bool {
        self.locks.get(&lock).is_none_or(|order| order.late)
    }

    fn ordered(&self, lock: u32) -> bool {
        self.locks.get(&lock).is_some_and(|order| !order.broken)
    }

    /// Whether the lines show a fact: for each kind, the fields that hold it.
    fn decidable(&self, fact: &Fact) -> bool {
        use Field::{
            ActiveLeaseId, FenceToken, LeaseId, OperationId, ResourceHighestTokenAfter,
            ResourceHighestTokenBefore, ResourceKey,
        };
        let of = |event: u64| self.events.get(&event).map(|seen| seen.event);
        let Some(event) = of(fact.event) else {
            return false;
        };
        let other = fact.other.and_then(of);
        let both = |fields: &[Field]| self.both_show(fact, fields);
        let own = other.is_some_and(|other| other.lock == fact.lock);
        let by_order = || own && self.ordered(fact.lock) && both(&[FenceToken, ResourceKey]);
        let read_above = event.before > event.token
            && self.shows(fact.event, &[FenceToken, ResourceHighestTokenBefore]);
        match fact.kind {
            FactKind::AppliedBelowHighest => read_above || by_order(),
            FactKind::HighestNotStored => {
                self.shows(fact.event, &[FenceToken, ResourceHighestTokenAfter])
            }
            FactKind::HighestLost => {
                other.is_some_and(|other| event.before < other.token)
                    && by_order()
                    && self.shows(
                        fact.event,
                        &[ResourceHighestTokenBefore, ResourceKey, FenceToken],
                    )
            }
            // Where tokens do not follow the leases a refusal says nothing of the owner,
            // and where two locks share a key the reading may be the other lock's.
            FactKind::OldWriteRefused => {
                let reading =
                    read_above && self.faults.keys != KeyFault::TwoLocks && !self.late(fact.lock);
                self.faults.tokens == TokenFault::Ordered && (by_order() || reading)
            }
            FactKind::OldReleaseRefused
            | FactKind::RemovedOtherLease
            | FactKind::RenewedOtherLease => {
                matches!(event.current, Current::Lease(_))
                    && self.shows(fact.event, &[LeaseId, ActiveLeaseId])
            }
            // Writes that rose from one reading say that first.
            FactKind::AppliedBelowOtherKey => {
                by_order()
                    && !self.facts.iter().any(|other| {
                        other.kind == FactKind::HighestLost
                            && (other.lock, other.key) == (fact.lock, fact.key)
                    })
            }
            FactKind::HeldTokenOfOtherLock => {
                other.is_some_and(|other| self.reads_other_lock(fact, event, other))
            }
            FactKind::AppliedAgain => {
                other.is_some_and(|other| self.applies_again(fact, event, other))
            }
            FactKind::RefusedAgain => {
                self.shows(fact.event, &[]) && event.answer == Answer::RejectedDuplicate
                    || event.answer == Answer::RejectedStaleFence
                        && both(&[OperationId])
                        && self.ordered(fact.lock)
            }
            FactKind::TokenShared => both(&[LeaseId, FenceToken]),
            FactKind::TokenWentBack | FactKind::TokenOutOfStep => {
                self.ordered(fact.lock) && both(&[LeaseId, FenceToken])
            }
            FactKind::AppliedUnderOldLease
            | FactKind::KeysDiverge
            | FactKind::DeliveredAgain
            | FactKind::RefusedByTokenOrder
            | FactKind::RefusedInOrder
            | FactKind::EqualRefused => false,
        }
    }

    /// Whether a line about each of the two events of a fact has all of these fields.
    fn both_show(&self, fact: &Fact, fields: &[Field]) -> bool {
        self.shows(fact.event, fields) && fact.other.is_some_and(|other| self.shows(other, fields))
    }

    /// Whether the lines show that the event read what only a write of another lock put there.
    fn reads_other_lock(&self, fact: &Fact, event: Event, other: Event) -> bool {
        use Field::{FenceToken, ResourceHighestTokenBefore, ResourceKey};
        event.before.is_some_and(|before| {
            before != 0
                && other.token == Some(before)
                // Where this lock had the same number, its own write may have put it there.
                && !self.issued.contains(&(fact.lock, before))
        }) && self.shows(fact.event, &[ResourceHighestTokenBefore, ResourceKey])
            && self.shows(other.id, &[FenceToken, ResourceKey])
            && self.locks.get(&fact.lock).is_some_and(|lines| !lines.vague)
            && self.faults.resource.keeps_highest()
    }

    /// Whether the lines show that one operation was applied twice: under two tokens, or under
    /// one with two readings, which one write that was told twice can't have.
    fn applies_again(&self, fact: &Fact, event: Event, other: Event) -> bool {
        use Field::{FenceToken, OperationId, ResourceHighestTokenBefore, ResourceKey};
        if event.token != other.token {
            return self.both_show(fact, &[OperationId, FenceToken]);
        }
        let two_readings = event.before != other.before && event.before.and(other.before).is_some();
        let fields = [
            OperationId,
            FenceToken,
            ResourceKey,
            ResourceHighestTokenBefore,
        ];
        event.token.is_some()
            && event.key == other.key
            && two_readings
            && self.always_shows(event.id, &fields)
            && self.always_shows(other.id, &fields)
    }
}
