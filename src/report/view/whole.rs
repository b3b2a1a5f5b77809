//! What is said of a whole run: its counts, its inputs, and which questions a token answers.

use super::{Table, label};
use crate::incident::catalogue::{self, Label, Language, Noun};
use crate::report::model::{Provenance, Report};
use crate::report::text::Text;
use crate::report::words::{fill, words};

/// Which questions a token answers.
pub fn coverage(report: &Report, language: Language) -> Table {
    let head = vec![
        label(language, Label::Question),
        label(language, Label::CoveredByToken),
        label(language, Label::WhatDoes),
    ];
    let mut table = Table::new(Text::words(label(language, Label::Coverage)), head);
    for row in &report.coverage {
        table.rows.push(vec![
            Text::words(row.question),
            Text::words(row.covered),
            Text::words(row.what_does),
        ]);
    }
    table
}

/// The inputs.
pub fn inputs(provenance: &Provenance, language: Language) -> Table {
    let head = vec![
        label(language, Label::Source),
        label(language, Label::Size),
        label(language, Label::Lines),
        words(language).records,
        label(language, Label::OtherLines),
        label(language, Label::RejectedLines),
        label(language, Label::Sha256),
    ];
    let caption = Text::words(label(language, Label::Source));
    let mut table = Table::new(caption, head);
    for input in &provenance.inputs {
        let count = |n: u64| Text::words(n.to_string());
        table.rows.push(vec![
            Text::name(&input.name),
            Text::words(format!("{} {}", input.bytes, words(language).bytes)),
            count(input.lines),
            count(input.records),
            count(input.other_lines),
            count(input.rejected_lines),
            input.sha256.as_deref().map_or_else(
                || Text::words(label(language, Label::NotRecorded)),
                Text::name,
            ),
        ]);
    }
    table
}

/// Facts of the provenance beside the inputs: a name and a value.
pub fn origins(provenance: &Provenance, language: Language) -> Vec<(&'static str, Text)> {
    let words = words(language);
    let mut facts = vec![
        (
            label(language, Label::ToolVersion),
            Text::words(provenance.tool.as_str()),
        ),
        (
            label(language, Label::Command),
            Text::name(&provenance.command),
        ),
    ];
    if let Some(generated) = &provenance.generated {
        facts.push((
            label(language, Label::Generated),
            Text::words(generated.as_str()),
        ));
    }
    facts.push((
        label(language, Label::OrderUsed),
        Text::name(&fill(words.order_option, &[provenance.order])),
    ));
    let vouched = provenance.vouched_by.unwrap_or(words.nobody_vouched);
    facts.push((label(language, Label::OrderVouchedBy), Text::words(vouched)));
    if let Some(one) = provenance.redacted {
        let counts = [one.owners, one.leases, one.addresses, one.directories];
        let counts = counts.map(|count| count.to_string());
        let counts: Vec<&str> = counts.iter().map(String::as_str).collect();
        facts.push((
            label(language, Label::Redacted),
            Text::words(fill(words.replaced, &counts)),
        ));
    }
    facts
}

/// What was read, in one line.
pub fn counts(report: &Report, language: Language) -> String {
    let counts = &report.counts;
    let mut said = vec![
        catalogue::count(language, counts.records, Noun::Record),
        catalogue::count(language, counts.locks, Noun::Lock),
        catalogue::count(language, counts.decided_writes, Noun::DecidedWrite),
    ];
    for (n, noun) in [
        (counts.repeated_records, Noun::RepeatedRecord),
        (counts.other_lines, Noun::OtherLine),
        (counts.rejected_lines, Noun::RejectedLine),
    ] {
        if n > 0 {
            said.push(catalogue::count(language, n, noun));
        }
    }
    said.join(", ")
}
