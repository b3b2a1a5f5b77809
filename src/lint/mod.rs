//! Is this evidence, and what can it decide?
//!
//! [`Lint`] takes what the reader delivers, line by line, and keeps a bounded number of
//! findings of each [`Code`]; the rest is counted. What it remembers for comparing is
//! bounded too, and grows with locks, never with lines. At the end it says for every lock
//! what the records could prove: [`decidability`].
//!
//! The codes are data: number, name and severity in [`Code`], their words in
//! [`catalogue`]; what raises them stands in `checks`, one file a family.

pub mod baseline;
pub mod catalogue;
pub(crate) mod checks;
pub(crate) mod clock;
pub(crate) mod code;
pub(crate) mod collect;
pub mod decidability;
pub(crate) mod explain;
pub(crate) mod finding;
pub(crate) mod gaps;
pub(crate) mod members;
pub mod profile;
pub(crate) mod recent;
pub mod render;
pub(crate) mod report;
pub mod settings;
pub(crate) mod sink;
pub(crate) mod stood;

pub use checks::fields::Coverage;
pub use code::{Code, Family, Severity};
pub use collect::Tally;
pub use finding::{Finding, Spot, Where};
pub(crate) use gaps::Gaps;
pub use report::{CodeCount, LockReport, Report, WaySummary};
pub use settings::Settings;
pub use sink::LintSink;

use crate::evidence::{Place, Record};
use crate::ingest::{Broken, Rejected};
use crate::timeline::{Kind, Symbol};
use checks::fields::FieldCheck;
use checks::handles::HandleCheck;
use checks::identity::IdentityCheck;
use checks::order::{LockOrder, OrderCheck};
use checks::reading::ReadingCheck;
use checks::{Checked, Desk, Hashes, privacy, tokens, upkeep};
use collect::Collector;
use gaps::Repetition;
use hashbrown::HashMap;
use members::{Members, Names};
use std::sync::Arc;

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
    gaps: Gaps,
    /// By index of the lock in `gaps`.
    orders: Vec<LockOrder>,
    /// The names of members.
    names: Names,
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
        let window = settings.room();
        Lint {
            gaps: Gaps::new(&settings),
            orders: Vec::new(),
            names: Names::default(),
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
        let (at, repetition) = self.gaps.record(place, record, frame);
        if self.orders.len() <= at {
            self.orders.resize_with(at + 1, LockOrder::default);
        }
        let lock = &self.gaps.locks[at];
        let mapped = self.collector.settings.mapped;
        let members = if mapped {
            Members::among(frame, &mut self.names).foreign()
        } else {
            Members::among(frame, &mut self.names)
        };
        let checked = Checked {
            place,
            record,
            members: &members,
            lock: lock.name,
            hashes: &Hashes::of(record),
            sure: repetition != Repetition::Unsure,
        };
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.gaps.symbols,
        };
        let desk = &mut desk;
        let order = &mut self.orders[at];
        self.order
            .check(&checked, &lock.facts, repetition, order, desk);
        if matches!(repetition, Repetition::Repeated(_)) {
            return;
        }
        self.identity.check(&checked, desk);
        self.handles.check(&checked, lock, desk);
        if !checked.sure {
            return;
        }
        if !mapped {
            self.reading
                .nearly_fields(place.source, place.line, &members, Some(lock.name), desk);
        }
        self.fields.check(&checked, desk);
        tokens::check(&checked, desk);
        privacy::check(&checked, desk);
    }

    /// Takes a line that is no evidence.
    pub fn other(&mut self, place: Place, frame: &[u8]) {
        self.others += 1;
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.gaps.symbols,
        };
        self.reading
            .other(place.source, place.line, frame, &mut desk);
    }

    /// Takes what the reader found wrong with a line or value.
    pub fn rejected(&mut self, rejected: &Rejected<'_>) {
        self.rejected += 1;
        let members = Members::of(rejected.bytes);
        let lock: Option<String> = members
            .get(crate::evidence::Field::LockName)
            .and_then(|member| serde_json::from_str(members.raw(member)).ok());
        let lock = lock
            .filter(|name| !name.is_empty())
            .map(|name| self.gaps.symbols.intern(Kind::Lock, &name));
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.gaps.symbols,
        };
        self.reading.rejected(rejected, lock, &mut desk);
    }

    /// Takes an input that ended in the middle.
    pub fn broken(&mut self, broken: &Broken<'_>) {
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.gaps.symbols,
        };
        self.reading.broken(broken, &mut desk);
    }

    /// The input ended.
    pub fn finish(mut self) -> Report {
        self.gaps.end();
        let mut desk = Desk {
            collector: &mut self.collector,
            symbols: &self.gaps.symbols,
        };
        for (lock, order) in self.gaps.locks.iter().zip(&self.orders) {
            order.finish(lock, &mut desk);
        }
        let forgot = self.gaps.forgot()
            || self.order.forgot()
            || self.identity.forgot()
            || self.handles.forgot();
        upkeep::check(&mut desk, forgot);
        let coverage = self.fields.coverage().collect();
        let mut names: HashMap<Symbol, Arc<str>> = HashMap::default();
        let symbols = &self.gaps.symbols;
        let mut name = |lock: Symbol| {
            let name = names
                .entry(lock)
                .or_insert_with(|| symbols.name(lock).into());
            Arc::clone(name)
        };
        let tallies = self
            .collector
            .tallies()
            .map(|(code, lock, tally)| (code, lock.map(&mut name), tally))
            .collect();
        drop(names);
        Report {
            forgot,
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
            locks: self.gaps.finish(),
        }
    }
}
