//! From findings to incidents: symbols become names again.

use crate::evidence::Token;
use crate::incident::{Actor, Incident, Role, Witness, incident_id};
use crate::rules::LockJudge;
use crate::rules::claim::{Claim, Met, Subject};
use crate::rules::settle::Finding;
use crate::timeline::{Handle, Kind, Seen, Symbol, Symbols};

/// What is needed to name things.
pub struct Namer<'n> {
    /// The names of locks and keys.
    pub symbols: &'n Symbols,
    /// The names of owners, leases and operations at the lock.
    pub names: &'n Symbols,
    /// The inputs, as the user named them; until they are known, one is told by its number.
    pub sources: Option<&'n [String]>,
}

impl Namer<'_> {
    /// The incident of a finding at one lock.
    pub fn incident(&self, lock: Symbol, judge: &LockJudge, finding: &Finding) -> Incident {
        let claim = &finding.claim;
        let (current, met) = self.met(claim, judge);
        Incident {
            id: self.id(lock, claim),
            variant: claim.variant,
            status: claim.status,
            outcome: claim.outcome,
            lock_name: self.symbols.name(lock).to_owned(),
            resource_key: self.symbols.owned(claim.key),
            late: self.actor(&claim.first.handle).known(),
            current,
            operation_id: self.names.owned(claim.first.operation),
            occurrences: claim.count,
            assumes: finding.assumes.clone(),
            missing: claim.missing.list(),
            candidates: claim.candidates.to_vec(),
            evidence: self.evidence(finding, met),
        }
    }

    fn name(&self, symbol: Symbol) -> &str {
        match symbol.kind() {
            Kind::Lock | Kind::Key => self.symbols.name(symbol),
            Kind::Owner | Kind::Lease | Kind::Operation => self.names.name(symbol),
        }
    }

    fn actor(&self, handle: &Handle) -> Actor {
        Actor {
            owner_id: self.names.owned(handle.owner),
            lease_id: self.names.owned(handle.lease),
            fence_token: handle.token,
        }
    }

    /// Whom the deciding record met, and the record that shows it.
    fn met(&self, claim: &Claim, judge: &LockJudge) -> (Option<Actor>, Option<(Seen, Role)>) {
        match claim.met {
            Met::Nobody => (None, None),
            Met::Record(seen, role) => (self.actor(&seen.handle).known(), Some((seen, role))),
            Met::Lease(handle) => (self.actor(&handle).known(), acquisition(judge, &handle)),
            Met::Token(token) => match holder(judge, claim.key, token) {
                Some((seen, role)) => (self.actor(&seen.handle).known(), Some((seen, role))),
                None => (
                    Actor {
                        fence_token: Some(token),
                        ..Actor::default()
                    }
                    .known(),
                    None,
                ),
            },
        }
    }

    fn evidence(&self, finding: &Finding, met: Option<(Seen, Role)>) -> Vec<Witness> {
        let claim = &finding.claim;
        let last = Some((claim.last, claim.role)).filter(|_| claim.last != claim.first);
        let refusal = finding.refusal.map(|seen| (seen, Role::Refusal));
        let all = [
            Some((claim.first, claim.role)),
            met,
            claim.also,
            refusal,
            last,
        ];
        let mut witnesses: Vec<Witness> = Vec::with_capacity(3);
        for (seen, role) in all.into_iter().flatten() {
            let witness = self.witness(&seen, role);
            if !witnesses.contains(&witness) {
                witnesses.push(witness);
            }
        }
        witnesses
    }

    fn witness(&self, seen: &Seen, role: Role) -> Witness {
        let source = seen.place.source;
        Witness {
            source: match self.sources {
                Some(sources) => source_name(sources, source as usize),
                None => source.to_string(),
            },
            line: seen.place.line,
            seq: seen.seq,
            role,
        }
    }

    fn id(&self, lock: Symbol, claim: &Claim) -> String {
        let name = |symbol: Option<Symbol>| symbol.map_or("", |symbol| self.name(symbol));
        let token = |token: Option<Token>| token.map_or(String::new(), |token| token.to_string());
        let known = |symbol: Option<Symbol>| if symbol.is_some() { "known" } else { "unknown" };
        let parts: [&str; 4] = match claim.subject {
            Subject::Write { key, lease, .. } => ["write", known(key), name(key), name(lease)],
            Subject::Fork { key, .. } => ["fork", name(Some(key)), "", ""],
            Subject::Lease(lease, _) => ["lease", known(lease), name(lease), ""],
            Subject::Owner(owner) => ["owner", known(owner), name(owner), ""],
            Subject::RemovedBy(lease, _) => ["removed by", known(lease), name(lease), ""],
            Subject::Operation(operation) => ["operation", self.names.name(operation), "", ""],
            Subject::Token(_) => ["token", "", "", ""],
            Subject::Key(key) => ["key", name(Some(key)), "", ""],
            Subject::Lock => ["lock", "", "", ""],
        };
        let number = match claim.subject {
            Subject::Write { token: number, .. } | Subject::Token(number) => token(number),
            Subject::Lease(_, number) | Subject::RemovedBy(_, number) => token(number),
            Subject::Fork { before, .. } => before.to_string(),
            _ => String::new(),
        };
        let [kind, a, b, c] = parts;
        incident_id(
            claim.variant,
            self.symbols.name(lock),
            &[kind, a, b, c, &number],
        )
    }
}

/// How the user named an input.
pub fn source_name(sources: &[String], source: usize) -> String {
    sources.get(source).cloned().unwrap_or_default()
}

/// The record under which a token is known: its first accepted write at the key, else
/// its first accepted write without one, else the lease that carries it.
fn holder(judge: &LockJudge, key: Option<Symbol>, token: Token) -> Option<(Seen, Role)> {
    let timeline = &judge.timeline;
    let written = |key| {
        timeline
            .key(key)
            .and_then(|state| state.generations.get(token))
    };
    if let Some(generation) = written(key).or_else(|| written(None)) {
        return Some((generation.first, Role::NewerWrite));
    }
    let seen = *timeline.leases().holders.get(token)?;
    Some((seen, Role::CurrentLease))
}

/// The acquisition of a lease that the authority named.
fn acquisition(judge: &LockJudge, handle: &Handle) -> Option<(Seen, Role)> {
    let lease = judge.timeline.leases().get(handle.lease)?;
    Some((lease.acquired?.seen, Role::CurrentLease))
}
