//! Takes findings as they are raised: severities, ignores and the baseline are applied
//! here and nowhere else, the first of each code are kept, the rest is counted.

use std::collections::BTreeMap;
use std::ops::Range;

use hashbrown::HashMap;

use super::code::{Code, Severity};
use super::finding::{Finding, Spot, Where, fingerprint};
use super::settings::Settings;
use crate::evidence::{Event, Field};
use crate::timeline::{Kind, Symbol, Symbols};

/// What a check says before it is known whether it will be kept.
#[derive(Debug, Clone, Copy, Default)]
pub struct About {
    /// The lock.
    pub lock: Option<Symbol>,
    /// The step.
    pub event: Option<Event>,
    /// The field.
    pub field: Option<Field>,
    /// Whether it is told once for each lock, step and field, with a count.
    pub folded: bool,
}

/// The words of a finding, made only where it is kept.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// One sentence.
    pub message: String,
    /// One hint.
    pub hint: String,
    /// What tells it apart from other findings of its code at this lock: values, never
    /// lines.
    pub subject: String,
}

/// A place in an input: the frame, and what in it is pointed at.
#[derive(Debug, Clone)]
pub struct Pointed<'f> {
    /// Index of the input.
    pub source: u32,
    /// The line on which the frame begins.
    pub line: u64,
    /// The frame.
    pub frame: &'f [u8],
    /// The bytes pointed at.
    pub span: Range<usize>,
    /// What stands there.
    pub label: &'static str,
}

/// How often one code was raised at one lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// All of them but the ignored ones.
    pub total: u64,
    /// Those that the baseline knows.
    pub known: u64,
    /// Those that an ignore covers; not among `total`.
    pub ignored: u64,
}

/// What was raised so far.
#[derive(Debug)]
pub struct Collector {
    /// What the user decided.
    pub settings: Settings,
    budget: BTreeMap<(Code, Option<String>), u64>,
    used: Vec<u64>,
    kept: Vec<Finding>,
    /// By code.
    kept_of: [usize; Code::ALL.len()],
    /// The kept findings that are folded.
    folded: HashMap<(Code, About2), usize>,
    repetitions: HashMap<String, u64>,
    /// By code, and by the number of the lock from 1; 0 is for what is about none.
    tallies: [Vec<Tally>; Code::ALL.len()],
}

type About2 = (Option<Symbol>, Option<Event>, Option<Field>);

impl Collector {
    /// Nothing raised yet.
    pub fn new(settings: Settings) -> Collector {
        Collector {
            budget: settings.budget(),
            used: vec![0; settings.ignores.len()],
            settings,
            kept: Vec::new(),
            kept_of: [0; Code::ALL.len()],
            folded: HashMap::default(),
            repetitions: HashMap::default(),
            tallies: [const { Vec::new() }; Code::ALL.len()],
        }
    }

    /// Raises a finding at a place in an input.
    pub fn raise(
        &mut self,
        symbols: &Symbols,
        code: Code,
        about: About,
        at: &Pointed<'_>,
        words: impl FnOnce() -> Words,
    ) {
        self.add(symbols, code, about, |_| {
            let (spot, line) = Spot::of(at.frame, at.span.clone(), at.label);
            let place = Where::Input {
                source: at.source,
                line: at.line + line,
            };
            (place, spot, words())
        });
    }

    /// Raises a finding with a place of its own.
    pub fn add(
        &mut self,
        symbols: &Symbols,
        code: Code,
        about: About,
        make: impl FnOnce(&Settings) -> (Where, Spot, Words),
    ) {
        let Some(severity) = self.settings.severity(code) else {
            return;
        };
        let lock_name = about.lock.map(|lock| symbols.name(lock));
        let tallies = &mut self.tallies[code as usize];
        let at = about.lock.map_or(0, |lock| lock.number() + 1);
        if tallies.len() <= at {
            tallies.resize(at + 1, Tally::default());
        }
        let tally = &mut tallies[at];
        let today = self.settings.today;
        let ignore = self.settings.ignores.iter().position(|ignore| {
            !ignore.is_expired(today) && ignore.covers(code, lock_name, about.field)
        });
        if let Some(ignore) = ignore {
            tally.ignored += 1;
            self.used[ignore] += 1;
            return;
        }
        tally.total += 1;
        if !self.budget.is_empty() {
            let key = (code, lock_name.map(str::to_owned));
            if let Some(left) = self.budget.get_mut(&key).filter(|left| **left > 0) {
                *left -= 1;
                tally.known += 1;
                return;
            }
        }
        let key = (code, (about.lock, about.event, about.field));
        if about.folded
            && let Some(at) = self.folded.get(&key)
        {
            self.kept[*at].occurrences += 1;
            return;
        }
        let kept_of = &mut self.kept_of[code as usize];
        if *kept_of >= self.settings.limit {
            return;
        }
        *kept_of += 1;
        if about.folded {
            self.folded.insert(key, self.kept.len());
        }
        let (place, spot, words) = make(&self.settings);
        let field = about.field.map_or("", Field::name);
        let event = about.event.map_or("", Event::word);
        let lock = lock_name.unwrap_or_default();
        let parts = [code.id(), lock, event, field, &words.subject];
        let first = fingerprint(&parts, 0);
        let repetition = self.repetitions.entry(first.clone()).or_default();
        let unique = match *repetition {
            0 => first,
            again => fingerprint(&parts, again),
        };
        *repetition += 1;
        self.kept.push(Finding {
            code,
            severity,
            place,
            spot,
            lock_name: lock_name.map(str::to_owned),
            event: about.event,
            field: about.field,
            message: words.message,
            hint: words.hint,
            occurrences: 1,
            folded: about.folded,
            fingerprint: unique,
        });
    }

    /// How often each code was raised at each lock.
    pub fn tallies(&self) -> impl Iterator<Item = (Code, Option<Symbol>, Tally)> {
        let lock = |at: usize| Some(Symbol::new(Kind::Lock, at.checked_sub(1)?));
        Code::ALL
            .iter()
            .zip(&self.tallies)
            .flat_map(move |(code, of)| {
                let raised = of
                    .iter()
                    .enumerate()
                    .filter(|(_, tally)| **tally != Tally::default());
                raised.map(move |(at, tally)| (*code, lock(at), *tally))
            })
    }

    /// How often each ignore was used, in their order.
    pub fn used(&self) -> &[u64] {
        &self.used
    }

    /// What is left of the baseline: entries that allow more than was found.
    pub fn stale(&self) -> impl Iterator<Item = (&(Code, Option<String>), u64)> {
        self.budget
            .iter()
            .filter(|(_, left)| **left > 0)
            .map(|(key, left)| (key, *left))
    }

    /// The loudest severity of what was raised and neither ignored nor known.
    pub fn loudest(&self) -> Option<Severity> {
        self.tallies()
            .filter(|(_, _, tally)| tally.total > tally.known)
            .filter_map(|(code, _, _)| self.settings.severity(code))
            .max()
    }

    /// The kept findings: by input and line, those about files of the user's last.
    pub fn into_findings(self) -> Vec<Finding> {
        let mut kept = self.kept;
        kept.sort_by(|a, b| {
            let key = |finding: &Finding| match &finding.place {
                Where::Input { source, line } => (*source, *line, String::new()),
                Where::File { path, line } => (u32::MAX, *line, path.clone()),
            };
            (key(a), a.spot.column, a.code).cmp(&(key(b), b.spot.column, b.code))
        });
        kept
    }
}
