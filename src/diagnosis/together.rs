//! Several observers of one run: each judged alone, and all together.
//!
//! What one observer's records show alone is never lost by reading another's beside them:
//! its own incidents stand unless the records of the others say the same or more of the
//! same event.

mod groups;

use hashbrown::HashMap;

use super::at_end::{Found, Told};
use super::lock::Lock;
use super::naming::Namer;
use super::{Diagnosis, OrderBy};
use crate::evidence::{Origin, Place};
use crate::incident::{CautionKind, Class, Incident, Status, Variant, WithheldReason};
use crate::observers::Observers;
use crate::observers::join::{self, Joined, join, knows};
use crate::rules::LockJudge;
use crate::rules::own_tokens::{Whose, whose};
use crate::rules::settle::{Finding, Together, View, settle, settle_views};
use crate::rules::two_locks::{Foreign, SharedKeys};
use crate::timeline::{Step, Symbol, Symbols};
use groups::Group;
pub use groups::Groups;

/// One lock with the records of its observers joined.
struct Table {
    joined: Joined,
    /// One for each observer, in its own order.
    views: Vec<(Lock, LockJudge)>,
    /// Every event once, without any order.
    whole: LockJudge,
}

impl Table {
    fn of(
        group: &mut Group,
        observers: &Observers,
        symbols: &mut Symbols,
        by: OrderBy,
        vouched: Option<Origin>,
    ) -> Option<Table> {
        let steps = std::mem::take(&mut group.steps);
        if group.given_up || group.members.len() < 2 {
            return None;
        }
        let mut told: Vec<join::Told> = Vec::new();
        for step in steps {
            let observer = observers.of(step.place.source);
            match told.iter_mut().find(|one| one.observer == observer) {
                Some(known) => known.steps.push(step),
                None => told.push(join::Told {
                    observer,
                    decides: observers.role(observer).is_some_and(Origin::decides),
                    steps: vec![step],
                }),
            }
        }
        observers.sort(&mut told, |one| one.observer);
        let joined = join(told, symbols);
        let views = joined
            .views
            .iter()
            .map(|told| Lock::judge_all(group.name, &told.steps, vouched, by, symbols));
        let views = views.collect();
        let mut whole = LockJudge::new(false);
        whole.claims.remember_deciding();
        for event in &joined.events {
            // A number counts the records of one observer only.
            let step = Step {
                seq: None,
                seq_by: None,
                ..event.step
            };
            whole.take(&step, false);
        }
        Some(Table {
            joined,
            views,
            whole,
        })
    }
}

/// Judges the records of several observers when the input has ended.
pub fn finish(diagnosis: &mut Diagnosis, sources: &[String]) -> (Found, u64) {
    let by = diagnosis.options.order;
    let names = &mut diagnosis.symbols;
    let own: Vec<LockJudge> = diagnosis
        .locks
        .iter_mut()
        .map(|lock| lock.finish(by, names, None))
        .collect();
    let Diagnosis {
        options,
        symbols,
        groups,
        ..
    } = diagnosis;
    let tables: Vec<Option<Table>> = groups
        .all
        .iter_mut()
        .map(|group| Table::of(group, &options.observers, symbols, by, options.seq_by))
        .collect();
    let court = Court {
        diagnosis,
        own: &own,
        tables: &tables,
        namer: Namer {
            symbols: &diagnosis.symbols,
            names: &diagnosis.symbols,
            sources: Some(sources),
        },
        by,
    };
    (court.found(), diagnosis.groups.all.len() as u64)
}

/// What other locks have to do with one.
struct Others<'o> {
    /// Their tokens at its keys.
    foreign: &'o Foreign,
    /// How firmly each key is told to be shared, under whichever lock.
    keys: &'o HashMap<Symbol, Status>,
}

struct Court<'d> {
    diagnosis: &'d Diagnosis,
    /// The judge of each observer of each lock, alone.
    own: &'d [LockJudge],
    /// By group.
    tables: &'d [Option<Table>],
    namer: Namer<'d>,
    by: OrderBy,
}

impl<'d> Court<'d> {
    fn groups(&self) -> &'d Groups {
        &self.diagnosis.groups
    }

    /// The judge that knows most of a lock.
    fn knows_most(&self, at: usize) -> Option<&'d LockJudge> {
        match &self.tables[at] {
            Some(table) => Some(&table.whole),
            None => {
                let (_, first) = self.groups().all[at].members.first()?;
                self.own.get(*first)
            }
        }
    }

    fn found(&self) -> Found {
        let groups = self.groups();
        let all = groups.all.iter().enumerate();
        let shared = SharedKeys::of(
            all.clone()
                .filter_map(|(at, group)| Some((group.name, self.knows_most(at)?))),
        );
        let mut shared_alone: HashMap<u32, SharedKeys> = HashMap::new();
        for (observer, _) in groups.all.iter().flat_map(|group| &group.members) {
            shared_alone.entry(*observer).or_insert_with(|| {
                SharedKeys::of(groups.all.iter().filter_map(|group| {
                    let (_, at) = group.members.iter().find(|(one, _)| one == observer)?;
                    Some((group.name, &self.own[*at]))
                }))
            });
        }
        let mut found = Found::default();
        let foreign: Vec<Foreign> = all
            .clone()
            .map(|(at, group)| {
                let knows_most = |name| self.knows_most(groups.get(name)?.0);
                match self.knows_most(at) {
                    Some(judge) => Foreign::readings(group.name, judge, &shared, knows_most),
                    None => Foreign::default(),
                }
            })
            .collect();
        // A shared key is told under one of its locks.
        let mut keys: HashMap<Symbol, Status> = HashMap::new();
        for claim in foreign.iter().flat_map(Foreign::claims) {
            let status = match claim.status {
                Status::Proven if claim.grounds.doubted => Status::Suspected,
                status => status,
            };
            if let Some(key) = claim.key {
                let known = keys.entry(key).or_insert(status);
                *known = status.max(*known);
            }
        }
        for ((at, group), foreign) in all.zip(&foreign) {
            let others = Others {
                foreign,
                keys: &keys,
            };
            let told = Told {
                lock_name: self.namer.symbols.name(group.name).to_owned(),
                cautions: self.judge(at, group, &others, &shared_alone, &mut found.incidents),
                withheld: self.withheld(at, group),
            };
            found.told.insert(at, told);
        }
        found
    }

    fn judge(
        &self,
        at: usize,
        group: &Group,
        others: &Others<'_>,
        shared_alone: &HashMap<u32, SharedKeys>,
        incidents: &mut Vec<(Place, Incident)>,
    ) -> Vec<(CautionKind, u64)> {
        // In whatever order the inputs were given.
        let mut members = group.members.clone();
        let observers = &self.diagnosis.options.observers;
        observers.sort(&mut members, |(observer, _)| *observer);
        let alone = |(_, at): &(u32, usize)| View {
            judge: &self.own[*at],
            facts: &self.diagnosis.locks[*at].facts,
        };
        let table = self.tables[at].as_ref();
        let views: Vec<View<'_>> = match table {
            Some(table) => {
                let view = |(lock, judge): &'d (Lock, LockJudge)| View {
                    judge,
                    facts: &lock.facts,
                };
                table.views.iter().map(view).collect()
            }
            None => members.iter().map(alone).collect(),
        };
        let together = table.map(|table| Together {
            whole: &table.whole,
            joined: &table.joined,
        });
        let names = self.namer.names;
        let settled = settle_views(&views, together, names, self.by, others.foreign);
        let mut findings = settled.findings;
        // Findings name their judge by its number: the views, all together, each alone.
        let mut judges: Vec<&LockJudge> = views.iter().map(|view| view.judge).collect();
        judges.extend(together.map(|together| together.whole));
        for member in &members {
            let (observer, _) = *member;
            let View { judge, facts } = alone(member);
            let foreign_alone = match shared_alone.get(&observer) {
                Some(shared) => Foreign::readings(group.name, judge, shared, |name| {
                    let at = self.diagnosis.index.get(&(name, observer))?;
                    self.own.get(*at)
                }),
                None => Foreign::default(),
            };
            let settled = settle(View { judge, facts }, names, self.by, &foreign_alone, true);
            for mut finding in settled.findings {
                if !is_covered(&finding, &findings, others, table) {
                    finding.view = judges.len();
                    add(finding, &mut findings);
                }
            }
            judges.push(judge);
        }
        for finding in &findings {
            if let Some(judge) = judges.get(finding.view) {
                let incident = self.namer.incident(group.name, judge, finding);
                incidents.push((finding.first, incident));
            }
        }
        settled.cautions
    }

    /// Why verdicts of a lock are withheld.
    fn withheld(&self, at: usize, group: &Group) -> Vec<WithheldReason> {
        let mut reasons: Vec<WithheldReason> = Vec::new();
        let several = group.members.len() > 1;
        reasons.extend(several.then_some(match self.tables[at] {
            Some(_) => WithheldReason::SeveralObservers,
            None => WithheldReason::NotJoined,
        }));
        for (_, at) in &group.members {
            let reason = self.diagnosis.locks[*at].facts.withheld(self.by);
            reasons.extend(reason.filter(|reason| !reasons.contains(reason)));
        }
        reasons
    }
}

/// Whether what an observer shows alone is said by all together as well: of the same
/// event, in the same class, as firmly; or the event is explained otherwise by what only
/// another observer knows. What was undecided for want of a field is no longer so where
/// another observer knows it.
fn is_covered(
    alone: &Finding,
    together: &[Finding],
    others: &Others<'_>,
    table: Option<&Table>,
) -> bool {
    let claim = &alone.claim;
    let arrivals = [claim.first.place.arrival, claim.last.place.arrival];
    let events = arrivals.map(|arrival| match table {
        Some(table) => table.joined.count_as(arrival),
        None => arrival,
    });
    let shares = |other: &Finding| other.decided.iter().any(|one| events.contains(one));
    let said = together.iter().any(|other| {
        let subject = other.claim.subject == claim.subject;
        let same = subject && other.claim.variant == claim.variant || shares(other);
        let class = other.claim.variant.class();
        let as_firm = class == claim.variant.class() && other.claim.status >= claim.status;
        let explains = class == Class::TokenOrder || other.claim.variant == Variant::SameLeaseToken;
        same && as_firm || explains && claim.grounds.refusal.is_some() && shares(other)
    });
    let token = claim.first.handle.token;
    let refusal = claim.grounds.refusal;
    let by_another_lock = match (claim.variant, claim.key) {
        (Variant::TwoLocksOneKey, Some(key)) => others.keys.get(&key) >= Some(&claim.status),
        _ => {
            refusal.is_some_and(|refusal| others.foreign.explains(claim.key, refusal.before, token))
        }
    };
    // The newer token is of the asking lease itself, as another observer knows.
    let own = table
        .is_some_and(|table| matches!(whose(&table.whole, claim), Whose::Own | Whose::MaybeOwn));
    let undecided = claim.status == Status::Undecided;
    let answered = || {
        let event = table.and_then(|table| table.joined.event(arrivals[0]));
        let missing = claim.missing.list();
        event.is_some_and(|event| missing.iter().all(|field| knows(&event.step, *field)))
            && !missing.is_empty()
    };
    said || own || by_another_lock || undecided && (together.iter().any(shares) || answered())
}

/// Adds what an observer shows alone.
fn add(alone: Finding, findings: &mut Vec<Finding>) {
    let same = findings.iter_mut().find(|one| {
        one.claim.variant == alone.claim.variant && one.claim.subject == alone.claim.subject
    });
    match same {
        Some(known) => {
            // Nobody can say which of their records are of one event.
            let count = known.claim.count.max(alone.claim.count);
            known.take(alone);
            known.claim.count = count;
        }
        None => findings.push(alone),
    }
}
