//! What every output format promises of text that came from a log. A format that is
//! added gets its own function here.

use lockdiag::escape::terminal;
use lockdiag::incident::catalogue::Language;
use lockdiag::incident::{Actor, Classification, Incident};
use lockdiag::render::text::{self, Change, Style, summary};
use lockdiag::render::{Format, LineCounts, View, render};
use serde_json::Value;

/// The name of an input that every format must tame.
pub const SOURCE: &str = "=we,ird\u{202e};::error::\r\n\"<a>&.jsonl";

/// Renders a classification in every format, and checks each.
pub fn check_all(of: &Classification) {
    let view = View {
        shown: of.incidents.iter().collect(),
        all: &of.incidents,
        summary: &of.summary,
        lines: LineCounts {
            other: 1,
            rejected: 2,
        },
        threads: 1,
    };
    for format in Format::ALL {
        let written = written(|out| render(format, &view, &Style::default(), out));
        check_form(format, &written);
        let all = &of.incidents;
        match format {
            Format::Text => check_text(&view, &written),
            Format::Jsonl => check_jsonl(all, &written),
            Format::Json => check_json(all, &written),
            Format::Csv => check_csv(all, &written),
            Format::Sarif => check_sarif(all, &written),
            Format::Github => assert_eq!(written.lines().count(), all.len()),
            Format::Junit => check_junit(&view, &written),
        }
    }
}

/// What holds of a format, whoever writes it and of what.
pub fn check_form(format: Format, written: &str) {
    match format {
        Format::Csv => assert_shown(&written.replace("\r\n", "\n")),
        _ => assert_shown(written),
    }
    match format {
        Format::Text => {}
        Format::Jsonl => written.lines().for_each(|line| drop(json(line))),
        Format::Json => drop(json(written)),
        Format::Csv => drop(cells(written)),
        Format::Sarif => sarif_form(&json(written)),
        Format::Github => written.lines().for_each(github_form),
        Format::Junit => drop(xml(written)),
    }
}

pub fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("a Vec takes everything");
    String::from_utf8(out).expect("every format is UTF-8")
}

/// Nothing but line ends moves the cursor, and nothing reorders or hides what is shown.
pub fn assert_shown(written: &str) {
    for c in written.chars() {
        assert!(c == '\n' || !hides(c), "{c:?} in {written:?}");
    }
}

/// The controls, the separators of lines and paragraphs, and what Unicode lists as
/// bidirectional controls or as ignorable by default; written here from those lists.
fn hides(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            // Bidi_Control
            0x61c | 0x200e..=0x200f | 0x202a..=0x202e | 0x2066..=0x2069
            // line and paragraph separators
            | 0x2028..=0x2029
            // Default_Ignorable_Code_Point
            | 0xad | 0x34f | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f
            | 0x200b..=0x200f | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff
            | 0xffa0 | 0xfff0..=0xfff8 | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a
            | 0xe0000..=0xe0fff
            // interlinear annotation, and what is no character
            | 0xfff9..=0xfffb | 0xfffe..=0xffff)
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The text forms of every kind; colour adds its own codes and nothing else.
fn check_text(view: &View<'_>, plain: &str) {
    for language in Language::ALL {
        let style = Style {
            language,
            ..Style::default()
        };
        assert_shown(&written(|out| render(Format::Text, view, &style, out)));
        assert_shown(&written(|out| summary::render(view, &style, out)));
        for one in view.all {
            assert_shown(&written(|out| text::one(one, Change::New, &style, out)));
            assert_shown(&written(|out| text::withdrawn(one, &style, out)));
        }
    }
    let colored = Style {
        colored: true,
        ..Style::default()
    };
    let colored = written(|out| render(Format::Text, view, &colored, out));
    assert_eq!(uncolored(&colored), plain);
    // Whole, though it may be wrapped.
    let words = |text: &str| text.replace([' ', '\n'], "");
    let shown = words(plain);
    for key in view.all.iter().filter_map(|one| one.resource_key.as_ref()) {
        if key.chars().count() <= 160 {
            assert!(shown.contains(&words(&terminal(key))), "{key:?} in {plain}");
        }
    }
}

/// The text without the codes for colour and weight.
fn uncolored(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (code, rest) = part.split_once('m').expect("a code ends with m");
        assert!(code.bytes().all(|b| b.is_ascii_digit() || b == b';'));
        plain.push_str(rest);
    }
    plain
}

fn check_jsonl(all: &[Incident], written: &str) {
    let lines: Vec<Value> = written.lines().map(json).collect();
    assert_same(all, &lines);
}

fn check_json(all: &[Incident], written: &str) {
    let document = json(written);
    assert_same(all, document["incidents"].as_array().expect("a list"));
    assert!(document["summary"].is_object());
}

/// Every name comes back as it was, and every token to its last digit.
fn assert_same(all: &[Incident], values: &[Value]) {
    assert_eq!(all.len(), values.len());
    for (one, value) in all.iter().zip(values) {
        assert_eq!(value["lockName"], *one.lock_name);
        assert_eq!(value["resourceKey"].as_str(), one.resource_key.as_deref());
        assert_eq!(value["operationId"].as_str(), one.operation_id.as_deref());
        assert_eq!(value["occurrences"].as_u64(), Some(one.occurrences));
        for (name, actor) in [("late", &one.late), ("current", &one.current)] {
            let read = value[name].as_object().map(|read| Actor {
                owner_id: read["ownerId"].as_str().map(str::to_owned),
                lease_id: read["leaseId"].as_str().map(str::to_owned),
                fence_token: read["fenceToken"].as_u64(),
            });
            assert_eq!(read, *actor);
        }
        let evidence = value["evidence"].as_array().expect("a list");
        assert_eq!(evidence.len(), one.evidence.len());
        for (read, witness) in evidence.iter().zip(&one.evidence) {
            assert_eq!(read["source"], *witness.source);
            assert_eq!(read["line"].as_u64(), Some(witness.line));
            assert_eq!(read["seq"].as_u64(), witness.seq);
        }
    }
}

/// The rows of a table, none of whose cells a spreadsheet would compute.
fn cells(written: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(written.as_bytes());
    let rows = reader.records().map(|row| {
        let row = row.expect("every row has the cells of the header");
        row.iter().map(str::to_owned).collect()
    });
    let rows: Vec<Vec<String>> = rows.collect();
    for cell in rows.iter().flatten() {
        assert!(!cell.contains(['\r', '\t']), "{cell:?}");
        assert!(!computes(cell), "{cell:?}");
        // Where the decimal mark is a comma, a semicolon begins a new cell.
        assert!(!cell.split(';').any(computes), "{cell:?}");
    }
    rows
}

fn computes(cell: &str) -> bool {
    let signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
    cell.trim_start_matches(|c: char| c.is_whitespace() || c == '"')
        .starts_with(signs)
}

fn check_csv(all: &[Incident], written: &str) {
    let rows = cells(written);
    assert_eq!(rows.len(), all.len() + 1);
    let column = |name| rows[0].iter().position(|cell| cell == name);
    let token = column("lateFenceToken").expect("documented columns");
    for (one, row) in all.iter().zip(&rows[1..]) {
        let late = one.late.as_ref().and_then(|late| late.fence_token);
        assert_eq!(row[token], late.map_or(String::new(), |t| t.to_string()));
    }
}

/// No message holds a link or a placeholder, and every place is a path.
fn sarif_form(log: &Value) {
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    for result in run["results"].as_array().expect("results") {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let message = result["message"]["text"].as_str().expect("a message");
        assert!(!message.contains("]("), "{message}");
        let braces = message.replace("{{", "").replace("}}", "");
        assert!(!braces.contains(['{', '}']), "{message}");
        let related = result["relatedLocations"].as_array();
        let locations = result["locations"].as_array().expect("locations");
        assert!(!locations.is_empty());
        for location in locations.iter().chain(related.into_iter().flatten()) {
            let place = &location["physicalLocation"];
            assert!(place["region"]["startLine"].as_u64() >= Some(1));
            let uri = place["artifactLocation"]["uri"].as_str().expect("a URI");
            let path = uri.strip_prefix("file://").unwrap_or(uri);
            let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/%".contains(&b);
            assert!(path.bytes().all(plain), "{uri}");
        }
    }
}

fn check_sarif(all: &[Incident], written: &str) {
    let log = json(written);
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), all.len());
    for (one, result) in all.iter().zip(results) {
        assert_eq!(result["properties"]["lockName"], *one.lock_name);
    }
}

/// One line, read as a runner reads it, is one annotation with known properties.
fn github_form(line: &str) {
    let rest = line.strip_prefix("::").expect("a command");
    let (head, message) = rest.split_once("::").expect("a message");
    let (command, properties) = head.split_once(' ').unwrap_or((head, ""));
    assert!(["error", "warning", "notice"].contains(&command), "{line}");
    for property in properties.split(',').filter(|one| !one.is_empty()) {
        let (key, value) = property.split_once('=').expect("a property");
        let known = ["file", "line", "col", "endColumn", "title"];
        assert!(known.contains(&key), "{line}");
        assert!(!value.contains(['\r', '\n', ':']), "{line}");
    }
    assert!(!message.contains(['\r', '\n']), "{line}");
    assert_percents(line);
}

/// Each `%` begins one of the codes that stand for a character.
fn assert_percents(line: &str) {
    for (at, _) in line.match_indices('%') {
        let code = line.get(at..at + 3).unwrap_or_default();
        assert!(
            ["%25", "%0D", "%0A", "%3A", "%2C"].contains(&code),
            "{line}"
        );
    }
}

/// The document, which has only characters that XML allows.
fn xml(written: &str) -> roxmltree::Document<'_> {
    let allowed = |c: char| {
        matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}')
            || c > '\u{ffff}'
    };
    assert!(written.chars().all(allowed), "{written:?}");
    roxmltree::Document::parse(written).unwrap_or_else(|error| panic!("{error}: {written}"))
}

fn check_junit(view: &View<'_>, written: &str) {
    let document = xml(written);
    let cases: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .collect();
    let suite = document.root_element();
    assert_eq!(suite.attribute("tests"), Some(&*cases.len().to_string()));
    for one in view.all {
        let name = terminal(&one.lock_name);
        let case = cases
            .iter()
            .find(|case| case.attribute("name") == Some(&*name));
        let case = case.unwrap_or_else(|| panic!("{name} in {written}"));
        let body: String = case
            .descendants()
            .filter(|node| node.is_text())
            .filter_map(|node| node.text())
            .collect();
        assert!(body.contains(&one.id), "{} in {body}", one.id);
    }
}
