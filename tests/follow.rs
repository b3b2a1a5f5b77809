//! What is told while an input is followed accuses no more than the end does.

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Answer, Event, Place, Record};

fn write(lock: &'static str, token: u64, before: u64, answer: Answer) -> Record<'static> {
    Record {
        token: Some(token),
        before: Some(before),
        key: Some("cluster/x".into()),
        ..Record::new(lock, Event::Write, answer)
    }
}

/// The variants told after each record.
fn told(records: &[Record<'_>]) -> Vec<Vec<&'static str>> {
    let options = Options {
        follow: true,
        ..Options::default()
    };
    let sources = ["log".to_owned()];
    let mut diagnosis = Diagnosis::new(options);
    let mut all = Vec::new();
    for (arrival, record) in (0..).zip(records) {
        let place = Place {
            arrival,
            source: 0,
            line: arrival + 1,
        };
        diagnosis.observe(place, record);
        let changes = diagnosis.changes(&sources);
        all.push(changes.iter().map(|one| one.variant.name()).collect());
    }
    all
}

#[test]
fn a_refusal_that_another_lock_explains_is_told_as_nobodys_staleness() {
    let other = write("configmap/ctrl", 40, 39, Answer::Accepted);
    let refused = write("lease/ctrl", 3, 40, Answer::RejectedStaleFence);
    assert_eq!(told(&[other, refused.clone()])[1], Vec::<&str>::new());
    // Without the other lock it is what it looks like.
    assert_eq!(told(&[refused])[0], ["write-refused"]);
}
