//! Logs that a preset reads, which need no mapping, and forms of such systems that nothing
//! reads.

use std::fmt::Write as _;
use std::ops::ControlFlow;

use super::trial::read_sample;
use crate::evidence::{Field, Place, Record};
use crate::ingest::mapping::Preset;
use crate::ingest::{NativeJson, Rejected, Sink};

/// How much of a log the presets are tried on.
const SAMPLE: usize = 1 << 20;
/// So many records to one with something wrong show that a reader fits.
const MOSTLY: usize = 9;

/// The preset that finds most records in the beginning of a log, and how many.
pub(super) fn preset_of(text: &str) -> Option<(Preset, usize)> {
    let text = &text[..text.floor_char_boundary(SAMPLE)];
    let counts = Preset::ALL.into_iter().map(|preset| match preset {
        Preset::WrappedEvidence => (preset, wrapped_records(text)),
        _ => (
            preset,
            read_sample::<Counted>(text, preset.dialect()).records,
        ),
    });
    // Of two as good the first one.
    counts
        .filter(|(_, count)| *count > 0)
        .reduce(|best, one| if one.1 > best.1 { one } else { best })
}

/// Records inside other text. None where evidence stands alone, which needs no preset, and
/// where the objects that name a lock are mostly no records: their other fields have other
/// names, or stand elsewhere.
fn wrapped_records(text: &str) -> usize {
    let all: Counted = read_sample(text, Preset::WrappedEvidence.dialect());
    let alone: Counted = read_sample(text, Box::new(NativeJson));
    match all.records > alone.records && all.records > MOSTLY * all.rejected {
        true => all.records,
        false => 0,
    }
}

/// Whether only logs of its system hold what a preset reads, so that no other mapping of it
/// would be right.
pub(super) const fn is_whole(preset: Preset) -> bool {
    !matches!(preset, Preset::BrokerRefusals | Preset::TerraformLock)
}

/// What is said of a log that a preset reads.
pub(super) fn remark(preset: Preset) -> String {
    let name = preset.name();
    format!(
        "# The preset {name} reads this log, or lines of it, without a mapping:\n\
         #   lockdiag classify --preset {name} FILE\n\
         # What it takes from where, and what such a log does not show: lockdiag map show {name}\n"
    )
}

/// What is said of a log whose records stand inside other text, and some of their fields
/// beside them.
pub(super) fn reads_less(beside: &[Field]) -> String {
    let names: Vec<&str> = beside.iter().map(|field| field.name()).collect();
    format!(
        "# The preset {} reads the records in this log, but not what seems to stand beside them:\n\
         # {}.\n",
        Preset::WrappedEvidence.name(),
        names.join(", ")
    )
}

/// What a file says that stands in the place of a mapping.
pub(super) fn instead(preset: Preset) -> String {
    format!("preset = \"{}\"\n", preset.name())
}

/// Whether a preset reads only what a system says of its own locks, where applications may
/// write theirs between.
pub(super) const fn has_messages(preset: Preset) -> bool {
    matches!(preset, Preset::PostgresCsvlog | Preset::PostgresJsonlog)
}

/// What stands before a mapping for messages that a preset does not read.
pub(super) const MESSAGES: &str = "#\n# It does not read messages with pairs, which this log has too: the mapping below does, each of the two\n\
     # on its own.\n";

/// Counts records, and what has something wrong.
#[derive(Default)]
struct Counted {
    records: usize,
    rejected: usize,
}

impl Sink for Counted {
    fn record(&mut self, _place: Place, _record: &Record<'_>) -> ControlFlow<()> {
        self.records += 1;
        ControlFlow::Continue(())
    }

    fn rejected(&mut self, _rejected: &Rejected<'_>) -> ControlFlow<()> {
        self.rejected += 1;
        ControlFlow::Continue(())
    }
}

/// What a line of a system that has a preset holds where it is in a form that none reads, and
/// what to do.
const UNREAD: [(&[&str], &str); 4] = [
    (
        &["advisory_", " LOG:  "],
        "PostgreSQL's log of this form is not read: `log_destination = 'jsonlog'` (or 'csvlog') is, \
         by the preset postgres-jsonlog (postgres-csvlog)",
    ),
    (
        &["\"error_severity\"", "\"session_start\""],
        "PostgreSQL's log does not hold what a function returned, nor how many rows an update met: of a \
         lock in a table let the function log its answer (docs/recording.md)",
    ),
    (
        &["audit", "znode=", "operation="],
        "ZooKeeper's audit log shows requests without their place in the queue: the transaction log \
         is read, by the preset zookeeper-txnlog",
    ),
    (
        &["etcdserver", "request"],
        "etcd's own log shows slow requests only: `etcdctl watch -w json --prev-kv` is read, by the \
         preset etcd-watch",
    ),
];

/// What to do about a form that nothing reads.
pub(super) fn unread(text: &str) -> String {
    let mut out = String::new();
    let lines: Vec<&str> = text.lines().take(200).collect();
    for (words, advice) in UNREAD {
        let fits = |line: &&str| words.iter().all(|word| line.contains(word));
        if lines.iter().any(fits) {
            let _ = writeln!(out, "# {advice}.");
        }
    }
    let simple = lines.contains(&"PUT") && lines.iter().any(|l| l.starts_with('/'));
    if simple {
        out.push_str(
            "# etcdctl's simple form has neither leases nor revisions: `-w json` or `-w fields` is \
             read, by the preset etcd-watch.\n",
        );
    }
    out
}
