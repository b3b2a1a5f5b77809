//! What came of holding the verdicts against the truth, in words.

use std::fmt::Write as _;

use crate::model::{Agreement, Found, Names};

/// What came of the comparison, in a few lines.
pub(super) fn report(agreement: &Agreement, names: &Names) -> String {
    let count = |wanted| {
        agreement
            .found
            .iter()
            .filter(|(_, found)| *found == wanted)
            .count()
    };
    let incidents = match agreement.found.len() {
        1 => "1 true incident".to_owned(),
        n => format!("{n} true incidents"),
    };
    let mut text = format!(
        "{incidents}: {} proven, {} suspected, {} undecided, {} missed; {} falsely proven\n",
        count(Found::Proven),
        count(Found::Suspected),
        count(Found::Undecided),
        count(Found::Missed),
        agreement.false_proofs.len()
    );
    for incident in &agreement.false_proofs {
        let _ = writeln!(
            text,
            "falsely proven: {} ({}) at {}",
            incident.class(),
            incident.variant,
            incident.lock_name
        );
    }
    for incident in &agreement.excused {
        let assumed: Vec<&str> = incident
            .assumes
            .iter()
            .map(|assumption| assumption.name())
            .collect();
        let _ = writeln!(
            text,
            "not true, as it warned: {} ({}) at {} assumes {}",
            incident.class(),
            incident.variant,
            incident.lock_name,
            assumed.join(", ")
        );
    }
    for gap in agreement.gaps() {
        let lock = names.text(|n, out| n.lock(out, gap.lock));
        let _ = writeln!(
            text,
            "shown and not proven: {} at {lock}: {}",
            gap.class,
            gap.kind.says()
        );
    }
    text.push_str(if agreement.holds() {
        "the verdicts agree with the truth\n"
    } else {
        "the verdicts differ from the truth\n"
    });
    text
}
