//! Is this evidence, and what can it decide?
//!
//! [`Lint`] takes what the reader delivers, line by line, and keeps a bounded number of
//! findings of each [`Code`]; the rest is counted. What it remembers for comparing is
//! bounded too, and grows with locks, never with lines. At the end it says for every lock
//! what the records could prove: [`decidability`].
//!
//! The codes are data: number, name and severity in [`code`], their words in
//! [`catalogue`], what raises them in [`checks`], one file a family.

pub mod baseline;
pub mod catalogue;
pub mod checks;
pub mod clock;
pub mod code;
pub mod collect;
pub mod decidability;
pub(crate) mod explain;
pub mod finding;
pub mod members;
pub mod profile;
pub mod recent;
pub mod render;
pub mod report;
pub mod settings;
pub mod sink;

pub use code::{Code, Family, Severity};
pub use finding::{Finding, Spot, Where};
pub use report::Report;
pub use settings::Settings;
pub use sink::LintSink;

use hashbrown::HashMap;

use crate::evidence::{Active, Place, Record};
use crate::ingest::{Broken, Rejected};
use crate::timeline::{ActiveLease, Handle, Kind, Step, Symbol, Symbols};
use checks::fields::FieldCheck;
use checks::handles::HandleCheck;
use checks::identity::IdentityCheck;
use checks::order::{LockOrder, Novelty, OrderCheck};
use checks::reading::ReadingCheck;
use checks::{Checked, Desk, privacy, tokens, upkeep};
use collect::Collector;
use decidability::Carried;
use members::Members;
use report::LockReport;

/// What is known of one lock.
#[derive(Debug, Default)]
struct Lock {
    order: LockOrder,
    carried: Carried,
}

/// Reads records and says what is wrong with them.
///
/// ```
/// use lockdiag::evidence::{Answer, Event, Place, Record};
/// use lockdiag::lint::{Code, Lint, Settings};
///
/// let mut lint = Lint::new(Settings::default());
/// let line = br#"{"lockName":"a","event":"release","result":"released"}"#;
/// let record = Record::new("a", Event::Release, Answer::Released);
/// lint.record(Place { arrival: 0, source: 0, line: 1 }, &record, line);
/// let report = lint.finish();
/// assert!(report.findings.iter().any(|one| one.code == Code::ReleaseWithoutHandle));
/// ```
#[derive(Debug)]
pub struct Lint {
    symbols: Symbols,
    locks: Vec<(Symbol, Lock)>,
    /// By lock and observer.
    index: HashMap<(Symbol, u32), usize, foldhash::fast::FixedState>,
    collector: Collector,
    fields: FieldCheck,
    reading: ReadingCheck,
    order: OrderCheck,
    identity: IdentityCheck,
    handles: HandleCheck,
    records: u64,
    others: u64,
    rejected: u64,
}

impl Lint {
    /// A lint that has seen nothing yet.
    pub fn new(settings: Settings) -> Lint {
        let window = settings.window;
        Lint {
            symbols: Symbols::default(),
            locks: Vec::new(),
            index: HashMap::default(),
            collector: Collector::new(settings),
            fields: FieldCheck::default(),
            reading: ReadingCheck::default(),
            order: OrderCheck::new(window),
            identity: IdentityCheck::new(window),
            handles: HandleCheck::new(window),
            records: 0,
            others: 0,
            rejected: 0,
        }
    }

    /// Takes one record and the line or value that it was read from.
    pub fn record(&mut self, place: Place, record: &Record<'_>, frame: &[u8]) {
        self.records += 1;
        let name = self.symbols.intern(Kind::Lock, &record.lock);
        let locks = &mut self.locks;
        let observer = self.collector.settings.observers.of(place.source);
        let at = *self.index.entry((name, observer)).or_insert_with(|| {
            locks.push((name, Lock::default()));
            locks.len() - 1
        });
        let mapped = self.collector.settings.mapped;
        let members = if mapped {
            Members::of(frame).foreign()
        } else {
            Members::of(frame)
        };
        let checked = Checked {
            place,
            record,
            members: &members,
            lock: name,
        };
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.symbols,
        };
        let desk = &mut desk;
        let lock = &mut self.locks[at].1;
        let step = presence(record, place, name);
        if self.order.check(&checked, &step, &mut lock.order, desk) == Novelty::Repeated {
            return;
        }
        lock.carried.note(&step);
        if !mapped {
            self.reading
                .nearly_fields(place.source, place.line, &members, Some(name), desk);
        }
        self.fields.check(&checked, desk);
        tokens::check(&checked, desk);
        self.identity.check(&checked, desk);
        self.handles.check(&checked, desk);
        privacy::check(&checked, desk);
    }

    /// Takes a line that is no evidence.
    pub fn other(&mut self, place: Place, frame: &[u8]) {
        self.others += 1;
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.symbols,
        };
        self.reading
            .other(place.source, place.line, frame, &mut desk);
    }

    /// Takes what the reader found wrong with a line or value.
    pub fn rejected(&mut self, rejected: &Rejected<'_>) {
        self.rejected += u64::from(!rejected.used);
        let members = Members::of(rejected.bytes);
        let lock: Option<String> = members
            .get(crate::evidence::Field::LockName)
            .and_then(|member| serde_json::from_str(members.raw(member)).ok());
        let lock = lock
            .filter(|name| !name.is_empty())
            .map(|name| self.symbols.intern(Kind::Lock, &name));
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.symbols,
        };
        self.reading.rejected(rejected, lock, &mut desk);
    }

    /// Takes an input that ended in the middle.
    pub fn broken(&mut self, broken: &Broken<'_>) {
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.symbols,
        };
        self.reading.broken(broken, &mut desk);
    }

    /// The input ended.
    pub fn finish(mut self) -> Report {
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.symbols,
        };
        for (name, lock) in &self.locks {
            lock.order.finish(*name, &mut desk);
        }
        upkeep::check(&mut desk);
        let by = self.collector.settings.order;
        let mut locks: Vec<LockReport> = Vec::new();
        let mut known: HashMap<Symbol, usize, foldhash::fast::FixedState> = HashMap::default();
        for (name, lock) in &self.locks {
            let report = LockReport {
                lock_name: self.symbols.name(*name).to_owned(),
                records: lock.order.records,
                ways: decidability::decide(&lock.carried, &lock.order.facts, by),
            };
            let at = *known.entry(*name).or_insert(locks.len());
            match locks.get_mut(at) {
                Some(known) => known.take(report),
                None => locks.push(report),
            }
        }
        let coverage = self.fields.coverage().collect();
        let tallies = self
            .collector
            .tallies
            .iter()
            .map(|((code, lock), tally)| (*code, self.symbols.owned(*lock), *tally))
            .collect();
        Report {
            records: self.records,
            others: self.others,
            rejected: self.rejected,
            loudest: self.collector.loudest(),
            severities: Code::ALL
                .iter()
                .filter_map(|code| Some((*code, self.collector.settings.severity(*code)?)))
                .collect(),
            tallies,
            findings: self.collector.into_findings(),
            coverage,
            locks,
        }
    }
}

/// The step of a record as far as lint needs it: which parts are there. Names stay out of
/// it, so that they need not be kept.
fn presence(record: &Record<'_>, place: Place, some: Symbol) -> Step {
    let there = |text: &Option<std::borrow::Cow<'_, str>>| text.as_ref().map(|_| some);
    Step {
        place,
        seq: record.seq,
        seq_by: record.seq_by,
        event: record.event,
        answer: record.answer,
        handle: Handle {
            owner: there(&record.owner),
            lease: there(&record.lease),
            token: record.token,
        },
        before: record.before,
        after: record.after,
        key: there(&record.key),
        operation: there(&record.operation),
        active: match &record.active {
            Active::Unrecorded => ActiveLease::Unrecorded,
            Active::None => ActiveLease::None,
            Active::Lease {
                owner,
                lease,
                token,
            } => ActiveLease::Lease(Handle {
                owner: there(owner),
                lease: there(lease),
                token: *token,
            }),
        },
    }
}
