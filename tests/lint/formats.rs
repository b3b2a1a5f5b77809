//! Every format, with names that want to be more than names.

use lockdiag::lint::Report;
use lockdiag::lint::render::{View, render};
use lockdiag::render::Format;
use lockdiag::render::text::Style;

use super::{lint, settings};

const NAME: &str = "=cmd|'/c calc'!A1\u{1b}[31m\u{202e}\n::error::x](http://e.example){0}%0A<b>&\"";

fn report() -> (Report, Vec<String>) {
    let record = |result: &str, token: &str| {
        let lock = serde_json::to_string(NAME).unwrap();
        format!(
            "{{\"lockName\":{lock},\"event\":\"release\",\"ownerId\":{lock},\"leaseId\":{lock},\"fenceToken\":{token},\"result\":{result}}}\n"
        )
    };
    let strange = serde_json::to_string(NAME).unwrap();
    let text = record("\"released\"", "7")
        + &record(&strange, "8")
        + &record("\"released\"", "-9")
        + "{\"lockName\":\"cut\u{1b}[2J";
    let source = "logs/a b,c:\u{1b}%\n.jsonl".to_owned();
    let report = lint(vec![(source.clone(), text.into_bytes())], settings(None));
    (report, vec![source])
}

fn rendered(format: Format) -> String {
    let (report, sources) = report();
    let view = View {
        report: &report,
        sources: &sources,
        details: true,
    };
    let mut out = Vec::new();
    render(format, &view, &Style::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// What a terminal, a spreadsheet or a CI server would obey.
fn is_tame(text: &str) -> bool {
    !text.contains(['\u{1b}', '\u{202e}', '\u{7f}'])
}

#[test]
fn the_formats_are_as_they_were() {
    for format in Format::ALL {
        let text = rendered(format);
        assert!(is_tame(&text), "{}", format.name());
        // The rules of SARIF are the words of the catalogue, and change with them.
        let text = match (format, text.split_once("\"results\":")) {
            (Format::Sarif, Some((_, results))) => results.to_owned(),
            _ => text,
        };
        insta::assert_snapshot!(format!("lint_{}", format.name()), text);
    }
}

#[test]
fn sarif_has_a_place_and_a_fingerprint_for_every_result() {
    let log: serde_json::Value = serde_json::from_str(&rendered(Format::Sarif)).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() > 5);
    let rules = log["runs"][0]["tool"]["driver"]["rules"]
        .as_array()
        .unwrap();
    let mut prints = std::collections::HashSet::new();
    for result in results {
        let place = &result["locations"][0]["physicalLocation"];
        assert!(place["region"]["startLine"].as_u64().unwrap() > 0);
        assert_eq!(
            place["artifactLocation"]["uri"],
            "logs/a%20b%2Cc%3A%1B%25%0A.jsonl"
        );
        let print = result["partialFingerprints"]["lockdiagFinding/v1"]
            .as_str()
            .unwrap();
        assert!(prints.insert(print.to_owned()));
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let message = result["message"]["text"].as_str().unwrap();
        assert!(!message.contains("]("), "{message}");
    }
}

/// The schema is the one that OASIS publishes.
#[test]
fn sarif_validates() {
    let schema = include_str!("sarif-2.1.0.schema.json");
    let mut schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    // As published, this pattern has a bracket too many to be a regular expression.
    for definition in ["run", "toolComponent"] {
        let pointer = format!("/definitions/{definition}/properties/language");
        let language = schema.pointer_mut(&pointer).unwrap();
        language.as_object_mut().unwrap().remove("pattern");
    }
    let validator = jsonschema::validator_for(&schema).unwrap();
    let log = serde_json::from_str(&rendered(Format::Sarif)).unwrap();
    let errors: Vec<String> = validator
        .iter_errors(&log)
        .map(|one| one.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn what_is_written_as_json_fits_its_schema() {
    use lockdiag::schema::{Name, schema};
    let valid = |name: Name, text: &str| {
        let schema = schema(name).to_value();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|one| one.to_string())
            .collect();
        assert!(errors.is_empty(), "{}: {errors:#?}", name.name());
    };
    valid(Name::Lint, &rendered(Format::Json));
    for line in rendered(Format::Jsonl).lines() {
        let name = if line.contains("lockdiag.lock/1") {
            Name::Lock
        } else {
            Name::Finding
        };
        valid(name, line);
    }
}

#[test]
fn annotations_are_one_command_a_line() {
    let text = rendered(Format::Github);
    let (report, _) = report();
    assert_eq!(text.lines().count(), report.findings.len());
    for line in text.lines() {
        let command = line.split_whitespace().next().unwrap();
        assert!(
            ["::error", "::warning", "::notice"].contains(&command),
            "{line}"
        );
    }
}

#[test]
fn no_cell_is_a_formula() {
    let text = rendered(Format::Csv);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut rows = 0;
    for row in reader.records() {
        rows += 1;
        for cell in &row.unwrap() {
            assert!(!cell.starts_with(['=', '+', '-', '@']), "{cell}");
        }
    }
    assert!(rows > 5);
}

#[test]
fn json_gives_names_back_byte_for_byte() {
    let document: serde_json::Value = serde_json::from_str(&rendered(Format::Json)).unwrap();
    assert_eq!(document["schema"], "lockdiag.lint/1");
    let locks = document["decidability"]["locks"].as_array().unwrap();
    assert_eq!(locks[0]["lockName"], NAME);
    for line in rendered(Format::Jsonl).lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let schema = line["schema"].as_str().unwrap();
        assert!(["lockdiag.finding/1", "lockdiag.lock/1"].contains(&schema));
    }
}
