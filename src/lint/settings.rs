//! What the user decides about lint: severities, ignores, the required profile, the
//! baseline, and the limits.

use std::collections::BTreeMap;

use globset::GlobMatcher;
use hashbrown::HashMap;

use super::baseline::Baseline;
use super::checks::handles::HandleCheck;
use super::checks::identity::IdentityCheck;
use super::checks::order::OrderCheck;
use super::code::{Code, Severity};
use super::gaps::Gaps;
use super::profile::Profile;
use super::recent;
use crate::diagnosis::{DEFAULT_MEMORY, OrderBy};
use crate::evidence::{Field, Origin};
use crate::observers::Observers;

/// How many findings of one code are kept, unless the user says otherwise.
pub const DEFAULT_LIMIT: usize = 50;

/// How many leases, tokens, names and records are remembered for comparing, unless the
/// user says otherwise.
pub const DEFAULT_WINDOW: usize = 1 << 18;

/// A day, as the calendar has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date {
    /// The year.
    pub year: u16,
    /// The month, from 1.
    pub month: u8,
    /// The day, from 1.
    pub day: u8,
}

impl Date {
    /// Reads `2027-01-31`.
    pub fn parse(text: &str) -> Option<Date> {
        let mut parts = text.split('-');
        let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
        if parts.next().is_some() || [year.len(), month.len(), day.len()] != [4, 2, 2] {
            return None;
        }
        let date = Date {
            year: year.parse().ok()?,
            month: month.parse().ok()?,
            day: day.parse().ok()?,
        };
        ((1..=12).contains(&date.month) && (1..=31).contains(&date.day)).then_some(date)
    }

    /// The day that many days after 1 January 1970.
    pub fn from_days(days: u64) -> Date {
        // The calendar of the year that begins in March: leap days come last.
        let days = days + 719_468;
        let (era, day) = (days / 146_097, days % 146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let day = day - (153 * month + 2) / 5 + 1;
        let month = if month < 10 { month + 3 } else { month - 9 };
        let year = year + era * 400 + u64::from(month <= 2);
        Date {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            month: month as u8,
            day: day as u8,
        }
    }
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// Findings that the user has decided to live with.
#[derive(Debug, Clone)]
pub struct Ignore {
    /// The code.
    pub code: Code,
    /// Only at locks whose name matches.
    pub lock: Option<GlobMatcher>,
    /// Only about this field.
    pub field: Option<Field>,
    /// Why.
    pub reason: String,
    /// The last day on which it counts.
    pub until: Option<Date>,
    /// The line of the configuration that says so.
    pub line: u64,
    /// That line.
    pub text: String,
}

/// Everything that the user decides.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Severities that differ from the code's own; none switches the code off.
    pub severities: HashMap<Code, Option<Severity>>,
    /// The ignores, in order.
    pub ignores: Vec<Ignore>,
    /// The path of the file that they stand in.
    pub config_path: String,
    /// The fields that must be there.
    pub profile: Profile,
    /// What was found before and is accepted.
    pub baseline: Option<Baseline>,
    /// Its path.
    pub baseline_path: String,
    /// How many findings of one code are kept; the rest is counted.
    pub limit: usize,
    /// How many leases, tokens, names and records are remembered for comparing.
    pub window: usize,
    /// How many bytes all of that may take: where fewer fit, fewer are remembered.
    pub memory: u64,
    /// Whether a mapping reads the input: then the names in it are not those of the
    /// evidence.
    pub mapped: bool,
    /// Today, for ignores with a last day.
    pub today: Option<Date>,
    /// Which order of records may be used.
    pub order: OrderBy,
    /// Who gave the `seq` of records that do not say so themselves.
    pub seq_by: Option<Origin>,
    /// The names of the inputs, to name another one in a finding.
    pub inputs: Vec<String>,
    /// Who wrote which input: each observer's records are ordered by themselves.
    pub observers: Observers,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            severities: HashMap::default(),
            ignores: Vec::new(),
            config_path: String::new(),
            profile: Profile::default(),
            baseline: None,
            baseline_path: String::new(),
            limit: DEFAULT_LIMIT,
            window: DEFAULT_WINDOW,
            memory: DEFAULT_MEMORY as u64,
            mapped: false,
            today: None,
            order: OrderBy::default(),
            seq_by: None,
            inputs: Vec::new(),
            observers: Observers::default(),
        }
    }
}

impl Settings {
    /// How many of each are remembered.
    pub(super) fn room(&self) -> usize {
        let bytes = Gaps::BYTES + OrderCheck::BYTES + IdentityCheck::BYTES + HandleCheck::BYTES;
        let fit = recent::room(self.memory, bytes, IdentityCheck::TEXTS);
        self.window.min(fit)
    }

    /// How much a code matters; `None` where it is switched off.
    pub fn severity(&self, code: Code) -> Option<Severity> {
        self.severities
            .get(&code)
            .copied()
            .unwrap_or(Some(code.severity()))
    }

    /// The baseline as a budget to be used up.
    pub(super) fn budget(&self) -> BTreeMap<(Code, Option<String>), u64> {
        self.baseline.iter().flat_map(Baseline::entries).collect()
    }
}

impl Ignore {
    /// Whether its last day has passed.
    pub fn is_expired(&self, today: Option<Date>) -> bool {
        matches!((self.until, today), (Some(until), Some(today)) if today > until)
    }

    /// Whether it is about such a finding.
    pub fn covers(&self, code: Code, lock: Option<&str>, field: Option<Field>) -> bool {
        self.code == code
            && self.field.is_none_or(|wanted| field == Some(wanted))
            && self
                .lock
                .as_ref()
                .is_none_or(|glob| lock.is_some_and(|lock| glob.is_match(lock)))
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT_WINDOW, Date, Settings};

    #[test]
    fn the_window_fits_into_the_memory_unless_it_is_made_smaller() {
        let room = |memory: u64| {
            let settings = Settings {
                memory,
                ..Settings::default()
            };
            settings.room()
        };
        assert_eq!(Settings::default().room(), DEFAULT_WINDOW);
        assert_eq!(room(u64::MAX), DEFAULT_WINDOW);
        assert!(room(64 << 20) < DEFAULT_WINDOW / 4);
        assert!(room(64 << 20) > 10_000);
        assert_eq!(room(1), 1);
    }

    #[test]
    fn days_are_days_of_the_calendar() {
        assert_eq!(Date::from_days(0).to_string(), "1970-01-01");
        assert_eq!(Date::from_days(19_782).to_string(), "2024-02-29");
        assert_eq!(Date::from_days(20_786).to_string(), "2026-11-29");
        let day = Date::parse("2026-11-29").unwrap();
        assert_eq!(day, Date::from_days(20_786));
        assert!(day < Date::from_days(20_787));
        for bad in ["2026-13-01", "2026-1-1", "2026-01-00", "x", "2026-01-01-01"] {
            assert_eq!(Date::parse(bad), None, "{bad}");
        }
    }
}
