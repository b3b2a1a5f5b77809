//! What was found of the records of a lock before they were forgotten.

use hashbrown::HashMap;

use super::lock::Lock;
use super::naming::{Namer, source_name};
use crate::diagnosis::OrderBy;
use crate::evidence::Place;
use crate::incident::{CautionKind, Class, Incident, Outcome, Status, Variant};
use crate::rules::LockJudge;
use crate::rules::settle::{Settled, View, settle};
use crate::rules::two_locks::Foreign;
use crate::timeline::{Order, OrderFacts, Symbols};

/// Incidents that the records showed which are gone, and cautions.
#[derive(Debug, Clone, Default)]
pub struct Early {
    forgot: bool,
    incidents: Vec<Shown>,
    /// Where in `incidents` the one of an id is.
    by_id: HashMap<String, usize>,
    cautions: Vec<(CautionKind, u64)>,
}

/// An incident, and what it rests on.
#[derive(Debug, Clone)]
pub struct Shown {
    /// Where the first deciding record stood.
    pub first: Place,
    /// The incident; its witnesses tell the number of their input.
    pub incident: Incident,
    /// Whether it uses what earlier records showed.
    pub ordered: bool,
    /// Whether it was judged before anything was forgotten.
    pub knew_all: bool,
}

impl Early {
    /// Whether records were forgotten.
    pub fn forgot(&self) -> bool {
        self.forgot
    }

    /// Some of the records are about to be forgotten that showed this.
    pub fn add(&mut self, shown: impl IntoIterator<Item = Shown>, cautions: &[(CautionKind, u64)]) {
        self.forgot = true;
        for one in shown {
            let next = self.incidents.len();
            let at = *self.by_id.entry_ref(&one.incident.id).or_insert(next);
            match self.incidents.get_mut(at) {
                Some(known) => known.absorb(one),
                None => self.incidents.push(one),
            }
        }
        for (kind, count) in cautions {
            match self.cautions.iter_mut().find(|(known, _)| known == kind) {
                Some((_, known)) => *known += count,
                None => self.cautions.push((*kind, *count)),
            }
        }
    }

    /// What still stands of it, now that all is known of the order of the records.
    ///
    /// Records that are gone may have held an accusation back, and so may later ones that
    /// show what was forgotten in another light. So nothing of it is proven.
    pub fn standing(
        self,
        facts: &OrderFacts,
        by: OrderBy,
    ) -> (Vec<Shown>, Vec<(CautionKind, u64)>) {
        let unordered = matches!(facts.order(by), Order::Unknown(_));
        let mut incidents = self.incidents;
        incidents.retain(|one| !(unordered && one.ordered));
        // Which operations its earlier writes named is forgotten.
        incidents.retain(|one| one.knew_all || one.incident.variant != Variant::TokenRepeated);
        for one in &mut incidents {
            weigh(&mut one.incident);
        }
        (incidents, self.cautions)
    }
}

/// How a lock forgets while it is judged: what a judge knows takes several times the memory
/// of the records that wait.
pub struct Forgetting<'f> {
    /// The names of locks and keys.
    pub symbols: &'f Symbols,
    /// Which order may be used.
    pub by: OrderBy,
    /// How many records are judged before they are forgotten.
    pub most: usize,
}

impl Forgetting<'_> {
    /// A record that is judged takes about so many bytes.
    const RECORD: usize = 256;

    /// How many records can be judged within so many bytes.
    pub fn within(bytes: usize) -> usize {
        (bytes / Self::RECORD).max(1)
    }

    /// Adds to `early` what the records show that are about to be forgotten.
    pub fn tell(&self, lock: &Lock, judge: &mut LockJudge, names: &Symbols, early: &mut Early) {
        judge.drop_unsettled();
        let (judged, alone) = ((lock, &*judge, names), Foreign::default());
        let knew_all = !early.forgot();
        let (shown, cautions) = shown(self.symbols, judged, self.by, &alone, knew_all, false);
        early.add(shown, &cautions);
    }
}

impl Shown {
    /// The incident with its inputs named.
    pub fn named(mut self, sources: &[String]) -> (Place, Incident) {
        for witness in &mut self.incident.evidence {
            let number = witness.source.parse().unwrap_or(usize::MAX);
            witness.source = source_name(sources, number);
        }
        (self.first, self.incident)
    }

    /// Takes in what later records show of the same incident: the strongest speaks.
    fn absorb(&mut self, later: Shown) {
        let count = self.incident.occurrences + later.incident.occurrences;
        let mut witnesses = std::mem::take(&mut self.incident.evidence);
        let role = witnesses.first().map(|first| first.role);
        let mut of_role = later.incident.evidence.iter();
        // The last record of the deciding role takes the place of the one before.
        if let Some(last) = of_role.rfind(|witness| Some(witness.role) == role) {
            let mut n = 0;
            witnesses.retain(|witness| {
                n += 1;
                n == 1 || Some(witness.role) != role
            });
            if !witnesses.contains(last) {
                witnesses.push(last.clone());
            }
        }
        let rank = |one: &Shown| (one.incident.status, one.incident.outcome);
        if rank(&later) > rank(self) {
            let first = self.first;
            *self = Shown { first, ..later };
        }
        self.incident.occurrences = count;
        self.incident.evidence = witnesses;
    }
}

/// Weakens what is told of a lock that forgot records: these may have held it back.
pub fn weigh(incident: &mut Incident) {
    incident.status = incident.status.min(Status::Suspected);
    if incident.class() == Class::MissingFencing {
        incident.outcome = incident.outcome.min(Outcome::Exposed);
    }
}

/// What the records of a lock show that are judged. `ended` is whether these are all.
pub fn shown(
    symbols: &Symbols,
    (lock, judge, names): (&Lock, &LockJudge, &Symbols),
    by: OrderBy,
    foreign: &Foreign,
    knew_all: bool,
    ended: bool,
) -> (Vec<Shown>, Vec<(CautionKind, u64)>) {
    let facts = &lock.facts;
    let settled = settle(View { judge, facts }, names, by, foreign, ended);
    let Settled { findings, cautions } = settled;
    let namer = Namer {
        symbols,
        names,
        sources: None,
    };
    let shown = findings.iter().map(|finding| {
        let grounds = &finding.claim.grounds;
        Shown {
            first: finding.first,
            incident: namer.incident(lock.name, judge, finding),
            ordered: grounds.ordered,
            knew_all,
        }
    });
    (shown.collect(), cautions)
}
