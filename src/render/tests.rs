//! Every format, with names that want to be more than names.

use super::json::tests::incident;
use super::{Format, LineCounts, View, render, text};
use crate::incident::catalogue::Language;
use crate::incident::{
    Actor, Caution, CautionKind, Class, Incident, Outcome, Status, Summary, Variant, Withheld,
    WithheldReason, Witness,
};

const NAME: &str = "=x|\u{1b}]0;t\u{7}<b>\"'&\u{202e},;%0A::error::\r\n](http://e.example){0}\u{0}\u{9b}\u{2028}\u{e0041}\u{ffff}";

fn hostile() -> Incident {
    let name = || Some(NAME.to_owned());
    Incident {
        id: "00000001".to_owned(),
        variant: Variant::NotCompared,
        outcome: Outcome::Breached,
        lock_name: NAME.to_owned(),
        resource_key: name(),
        operation_id: name(),
        occurrences: 3,
        late: Some(Actor {
            owner_id: name(),
            lease_id: name(),
            fence_token: Some(1),
        }),
        evidence: vec![Witness {
            source: format!("logs/{NAME}.jsonl"),
            ..incident().evidence[0].clone()
        }],
        ..incident()
    }
}

fn undecided() -> Incident {
    Incident {
        id: "00000002".to_owned(),
        variant: Variant::KeyUnknown,
        status: Status::Undecided,
        outcome: Outcome::Unknown,
        candidates: vec![Class::MissingFencing, Class::WrongKeyScope],
        ..incident()
    }
}

fn summary() -> Summary {
    Summary {
        records: 12,
        locks: 3,
        repeated_records: 1,
        decided_writes: 4,
        cautions: vec![Caution {
            kind: CautionKind::LateLine,
            lock_name: Some(NAME.to_owned()),
            count: 1,
        }],
        withheld: vec![Withheld {
            lock_name: NAME.to_owned(),
            reason: WithheldReason::SeqShared,
        }],
    }
}

fn rendered(format: Format, incidents: &[Incident], language: Language) -> String {
    let summary = summary();
    let view = View {
        shown: incidents.iter().collect(),
        all: incidents,
        summary: &summary,
        lines: LineCounts {
            other: 2,
            rejected: 1,
        },
        threads: 1,
    };
    let style = text::Style {
        language,
        ..text::Style::default()
    };
    let mut out = Vec::new();
    render(format, &view, &style, &mut out).unwrap();
    if format == Format::Text {
        text::summary::render(&view, &style, &mut out).unwrap();
    }
    String::from_utf8(out).unwrap()
}

fn mixed() -> Vec<Incident> {
    vec![incident(), undecided(), hostile()]
}

#[test]
fn each_format_shows_hostile_names_and_obeys_none() {
    for format in Format::ALL {
        let out = rendered(format, &mixed(), Language::En);
        for c in out.chars() {
            let line_end = c == '\n' || (c == '\r' && format == Format::Csv);
            assert!(line_end || !c.is_control(), "{c:?} in {format:?}");
            assert!(
                !matches!(c, '\u{202e}' | '\u{2028}' | '\u{e0041}' | '\u{ffff}'),
                "{c:?} in {format:?}"
            );
        }
        // SARIF names the tool's version, which is not what this test is about.
        let out = out.replace(env!("CARGO_PKG_VERSION"), "VERSION");
        insta::assert_snapshot!(format!("hostile_{}", format.name()), results_only(&out));
    }
}

/// SARIF lists every rule; the words of the rules have their own tests.
fn results_only(out: &str) -> String {
    match (out.find("\"rules\":["), out.find("\"columnKind\"")) {
        (Some(from), Some(to)) => format!("{}…{}", &out[..from], &out[to..]),
        _ => out.to_owned(),
    }
}

#[test]
fn only_the_text_form_has_a_language() {
    for format in Format::ALL {
        let same =
            rendered(format, &mixed(), Language::En) == rendered(format, &mixed(), Language::Ru);
        assert_eq!(same, format != Format::Text, "{format:?}");
    }
}

#[test]
fn the_worst_is_told_first_and_what_went_well_last() {
    let out = rendered(Format::Text, &mixed(), Language::En);
    let at = |word: &str| out.find(word).unwrap();
    assert!(at("BREACHED (1)") < at("UNDECIDED (1)"));
    assert!(at("UNDECIDED (1)") < at("GUARDED (1)"));
}

#[test]
fn advice_for_many_is_given_once() {
    let many: Vec<Incident> = (0..200)
        .map(|n| Incident {
            id: format!("{n:08x}"),
            lock_name: format!("lock-{n}"),
            occurrences: 1 + n % 3,
            ..incident()
        })
        .collect();
    let out = rendered(Format::Text, &many, Language::En);
    assert_eq!(out.matches("\n  Likely boundary: ").count(), 1);
    for one in &many {
        assert!(out.contains(&format!("\n{}: ", one.lock_name)));
    }
}

#[test]
fn text_fits_its_width_and_long_names_are_cut() {
    let mut long = hostile();
    long.lock_name = "n".repeat(10_000);
    for width in [40, 80, 110] {
        let style = text::Style {
            width,
            ..text::Style::default()
        };
        let mut out = Vec::new();
        text::one(&long, text::Change::New, &style, &mut out).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.lines().all(|line| line.chars().count() <= width));
        assert!(out.contains("(+9880)"));
    }
}

#[test]
fn colour_is_all_that_colour_adds() {
    let view_text = |colored| {
        let mut out = Vec::new();
        let style = text::Style {
            colored,
            ..text::Style::default()
        };
        text::one(&hostile(), text::Change::New, &style, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_ne!(view_text(true), view_text(false));
    assert_eq!(
        anstream::adapter::strip_str(&view_text(true)).to_string(),
        view_text(false)
    );
}

#[test]
fn nothing_found_is_not_said_to_be_safe() {
    let said = |decided_writes, all: &[Incident]| {
        let summary = Summary {
            decided_writes,
            ..summary()
        };
        let view = View {
            shown: Vec::new(),
            all,
            summary: &summary,
            lines: LineCounts::default(),
            threads: 1,
        };
        let mut out = Vec::new();
        render(Format::Text, &view, &text::Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap().replace('\n', " ")
    };
    assert!(said(0, &[]).contains("they say nothing of fencing"));
    assert!(!said(4, &[]).contains("they say nothing of fencing"));
    assert!(said(4, &[]).contains("withheld: 1 lock"));
    let hidden = said(4, &[incident()]);
    assert!(hidden.contains("not shown: 1 incident"));
    assert!(!hidden.contains("No incident in these records"));
}

#[test]
fn csv_is_read_back_cell_by_cell() {
    let out = rendered(Format::Csv, &mixed(), Language::En);
    assert!(out.lines().count() == 4 && out.ends_with("\r\n"));
    let mut table = csv::Reader::from_reader(out.as_bytes());
    let header = table.headers().unwrap().clone();
    for row in table.records() {
        let row = row.unwrap();
        assert_eq!(row.len(), header.len());
        for cell in &row {
            assert!(
                !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
                "{cell}"
            );
        }
    }
}

#[test]
fn lines_are_the_same_with_any_number_of_threads() {
    let incidents: Vec<Incident> = (0..1300)
        .map(|number| Incident {
            id: number.to_string(),
            ..incident()
        })
        .collect();
    let summary = summary();
    let [one, three] = [1, 3].map(|threads| {
        let view = View {
            shown: incidents.iter().collect(),
            all: &incidents,
            summary: &summary,
            lines: LineCounts::default(),
            threads,
        };
        let mut out = Vec::new();
        render(Format::Jsonl, &view, &text::Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    });
    assert!(one == three);
    assert_eq!(one.lines().count(), incidents.len());
}

#[test]
fn a_document_counts_what_it_hides() {
    let incidents = mixed();
    let summary = summary();
    let view = View {
        shown: vec![&incidents[0]],
        all: &incidents,
        summary: &summary,
        lines: LineCounts::default(),
        threads: 1,
    };
    let mut out = Vec::new();
    render(Format::Json, &view, &text::Style::default(), &mut out).unwrap();
    let json: serde_json::Value = serde_json::from_slice(&out).unwrap();
    assert_eq!(json["incidents"].as_array().unwrap().len(), 1);
    assert_eq!(json["summary"]["shown"], 1);
    assert_eq!(json["summary"]["hidden"], 2);
    assert_eq!(json["summary"]["incidents"].as_array().unwrap().len(), 3);
    assert_eq!(json["summary"]["withheld"][0]["reason"], "seq-shared");
}

#[test]
fn endings_name_formats() {
    for (path, format) in [
        ("a.txt", Some(Format::Text)),
        ("a.NDJSON", Some(Format::Jsonl)),
        ("a.json", Some(Format::Json)),
        ("a.csv", Some(Format::Csv)),
        ("a.sarif", Some(Format::Sarif)),
        ("a.xml", Some(Format::Junit)),
        ("a.pdf", None),
        ("json", None),
    ] {
        assert_eq!(Format::from_path(path.as_ref()), format, "{path}");
    }
    for format in Format::ALL {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
}

#[test]
fn a_heading_asserts_no_more_than_its_incidents() {
    let suspected = |n: u32, outcome| Incident {
        id: format!("{n:08x}"),
        status: Status::Suspected,
        outcome,
        ..incident()
    };
    let breached = Outcome::Breached;
    let alone = rendered(Format::Text, &[suspected(1, breached)], Language::En);
    assert!(alone.starts_with("BREACHED (1, only suspected): It looks as if"));
    let proven = Incident {
        outcome: breached,
        ..incident()
    };
    let both = [proven, suspected(2, breached)];
    let both = rendered(Format::Text, &both, Language::En);
    assert!(both.starts_with("BREACHED (2, 1 of them only suspected): The harm is"));
    for outcome in Outcome::ALL {
        let one = rendered(Format::Text, &[suspected(1, outcome)], Language::Ru);
        assert!(one.contains("(1, только подозрение)"), "{one}");
        assert!(
            !one.contains("Показано, что") && !one.contains("Вред виден"),
            "{one}"
        );
    }
}
