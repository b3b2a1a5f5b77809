//! A long log is linted in a stream: what is kept does not grow with its lines.

use lockdiag::evidence::{Answer, Event, Place, Record};
use lockdiag::ingest::Sink;
use lockdiag::lint::{Code, LintSink, Settings};

use super::{lint_text, settings};

#[test]
fn findings_beyond_the_limit_are_counted_and_not_kept() {
    let line = "{\"lockName\":\"a\",\"event\":\"release\",\"leaseId\":\"x\",\"result\":\"done\"}\n";
    let text: String = (0..500)
        .map(|seq| line.replace("\"x\"", &format!("\"x{seq}\"")))
        .collect();
    let report = lint_text(&text, settings(None));
    let kept = report
        .findings
        .iter()
        .filter(|one| one.code == Code::UnknownResult);
    assert_eq!(kept.count(), lockdiag::lint::settings::DEFAULT_LIMIT);
    let counts = report.counts();
    let count = counts
        .iter()
        .find(|one| one.code == Code::UnknownResult)
        .unwrap();
    assert_eq!((count.tally.total, count.kept), (500, 50));
    let folded = report
        .findings
        .iter()
        .filter(|one| one.code == Code::FieldForProof);
    assert!(folded.clone().all(|one| one.occurrences == 500));
    assert!(folded.count() > 0);
}

#[test]
fn what_is_remembered_has_a_bound() {
    let by_number = Settings {
        window: 64,
        ..Settings::default()
    };
    let by_size = Settings {
        memory: 100_000,
        ..Settings::default()
    };
    for settings in [by_number, by_size] {
        bounded(settings);
    }
    let report = lint_text("", Settings::default());
    assert!(!report.forgot);
}

fn bounded(settings: Settings) {
    let mut sink = LintSink::new(Settings {
        limit: 3,
        ..settings
    });
    for arrival in 0..20_000_u64 {
        let lease = format!("{arrival:08}-lease");
        let frame = format!("{{\"lockName\":\"a\",\"leaseId\":\"{lease}\",\"ts\":{arrival}}}");
        let place = Place {
            arrival,
            source: 0,
            line: arrival + 1,
        };
        let record = Record {
            lease: Some(lease.as_str().into()),
            token: Some(arrival % 7),
            seq: Some(arrival),
            ..Record::new("a", Event::Acquire, Answer::Acquired)
        };
        sink.frame(place, frame.as_bytes());
        let _ = sink.record(place, &record);
    }
    // The names of leases stay out of what is printed, so its length shows what is held.
    let held = format!("{sink:?}").len();
    assert!(held < 400_000, "{held}");
    let report = sink.finish();
    assert!(report.findings.len() < 3 * Code::ALL.len());
    assert_eq!(report.records, 20_000);
    assert!(report.forgot);
}
