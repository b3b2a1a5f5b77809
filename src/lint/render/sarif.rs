//! SARIF 2.1.0: one rule a code, one result a finding.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::View;
use crate::escape;
use crate::incident::catalogue::Language;
use crate::ingest::source::STDIN_NAME;
use crate::lint::catalogue::entry;
use crate::lint::code::{Code, Severity};
use crate::lint::finding::Finding;

/// The name under which the fingerprint of a finding is kept. It changes only where the
/// meaning of a fingerprint does.
const FINGERPRINT: &str = "lockdiagFinding/v1";

pub(super) fn render(view: &View<'_>, out: &mut dyn Write) -> io::Result<()> {
    let rules: Vec<Value> = Code::ALL.iter().map(|code| rule(*code)).collect();
    let driver = json!({
        "name": "lockdiag",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    out.write_all(b"{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\",\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":")?;
    escape::json(out, &driver)?;
    out.write_all(b"},\"columnKind\":\"unicodeCodePoints\",\"results\":[")?;
    for (at, finding) in view.report.findings.iter().enumerate() {
        out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        escape::json(out, &result(view, finding))?;
    }
    out.write_all(b"\n]}]}\n")
}

fn level(severity: Severity) -> &'static str {
    severity.name()
}

fn text(text: &str) -> Value {
    json!({ "text": escape::sarif_message(text) })
}

fn rule(code: Code) -> Value {
    let entry = entry(Language::En, code);
    json!({
        "id": code.id(),
        "name": code.name(),
        "shortDescription": text(entry.summary),
        "fullDescription": text(entry.why),
        "help": text(entry.fix),
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

fn message(finding: &Finding) -> String {
    let end = if finding.hint.ends_with('?') { "" } else { "." };
    format!("{}; {}{end}", finding.message, finding.hint)
}

fn result(view: &View<'_>, finding: &Finding) -> Value {
    let (source, line) = view.place(finding);
    // Standard input has no file; a relative reference is still a valid one.
    let uri = if source == STDIN_NAME {
        "stdin".to_owned()
    } else {
        escape::uri(source)
    };
    let mut region = json!({ "startLine": line.max(1) });
    if finding.spot.column > 0 {
        let width = finding
            .spot
            .excerpt
            .get(finding.spot.mark.clone())
            .map_or(0, |marked| marked.chars().count() as u64);
        region["startColumn"] = finding.spot.column.into();
        region["endColumn"] = (finding.spot.column + width.max(1)).into();
    }
    let index = Code::ALL.iter().position(|code| *code == finding.code);
    json!({
        "ruleId": finding.code.id(),
        "ruleIndex": index.unwrap_or_default(),
        "level": level(finding.severity),
        "message": text(&message(finding)),
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri },
                "region": region,
            },
        }],
        "partialFingerprints": { FINGERPRINT: finding.fingerprint },
        "occurrenceCount": finding.occurrences,
        "properties": {
            "lockName": finding.lock_name,
            "event": finding.event,
            "field": finding.field,
        },
    })
}
