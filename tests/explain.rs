//! What `explain` shows is what the rules say: its examples and near misses are judged.

use lockdiag::diagnosis::{Diagnosis, Options};
use lockdiag::evidence::{Place, Record};
use lockdiag::explain::samples::sample;
use lockdiag::incident::Variant;
use lockdiag::ingest::{Dialect, NativeJson, Output, Problem};

struct Judge {
    diagnosis: Diagnosis,
    arrival: u64,
}

impl Output for Judge {
    fn record(&mut self, _offset: usize, record: &Record<'_>, problems: &[Problem]) {
        assert!(
            problems.is_empty(),
            "an example has no unusable field: {problems:?}"
        );
        let place = Place {
            arrival: self.arrival,
            source: 0,
            line: self.arrival + 1,
        };
        self.diagnosis.observe(place, record);
        self.arrival += 1;
    }

    fn reject(&mut self, problem: Problem) {
        panic!("an example is evidence: {problem:?}");
    }

    fn other(&mut self) {
        panic!("an example is evidence");
    }
}

fn variants(lines: &[&str]) -> Vec<Variant> {
    let mut judge = Judge {
        diagnosis: Diagnosis::new(Options::default()),
        arrival: 0,
    };
    let mut dialect = NativeJson;
    for line in lines {
        dialect.read(line.as_bytes(), &mut judge);
    }
    let verdict = judge.diagnosis.finish(&["example".to_owned()]);
    verdict
        .incidents
        .iter()
        .map(|incident| incident.variant)
        .collect()
}

#[test]
fn examples_show_their_variant_and_near_misses_do_not() {
    let mut wrong = Vec::new();
    for variant in Variant::ALL {
        let sample = sample(*variant);
        if !variants(sample.example).contains(variant) {
            wrong.push(format!(
                "{variant}: example shows {:?}",
                variants(sample.example)
            ));
        }
        if variants(sample.near_miss).contains(variant) {
            wrong.push(format!("{variant}: near miss shows it"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
