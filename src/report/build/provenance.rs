//! Where a report comes from: its inputs, its command, and what ordered the records.

use super::Builder;
use crate::diagnosis::OrderBy;
use crate::report::model::{Input, Provenance};

impl Builder<'_, '_> {
    pub(super) fn provenance(&mut self) -> Provenance {
        let origins = self.run.origins;
        let mut inputs = Vec::new();
        for (name, read) in self.run.inputs.iter().zip(&self.run.read.sources) {
            if inputs.len() == self.limits.inputs {
                break;
            }
            inputs.push(Input {
                name: self.names.input(name),
                bytes: read.bytes,
                lines: read.lines,
                records: read.records,
                other_lines: read.other,
                rejected_lines: read.rejected + read.flawed,
                sha256: read
                    .digest
                    .map(|digest| digest.iter().map(|byte| format!("{byte:02x}")).collect()),
            });
        }
        let command: Vec<String> = origins
            .command
            .iter()
            .map(|word| shell(&self.word(word)))
            .collect();
        Provenance {
            tool: format!("lockdiag {}", env!("CARGO_PKG_VERSION")),
            command: command.join(" "),
            generated: origins.generated.clone(),
            more_inputs: (self.run.inputs.len() - inputs.len()) as u64,
            inputs,
            order: match origins.order {
                OrderBy::Auto => "auto",
                OrderBy::Seq => "seq",
                OrderBy::Input => "input",
                OrderBy::None => "none",
            },
            vouched_by: origins.vouched_by.map(crate::evidence::Origin::word),
            redacted: self.names.replaced(),
        }
    }

    /// A word of the command: a file of it is shown like an input.
    fn word(&mut self, word: &str) -> String {
        match word.split_once('=') {
            Some((option, value)) if !option.contains(['/', '\\']) => {
                format!("{option}={}", self.names.input(value))
            }
            _ => self.names.input(word),
        }
    }
}

/// A word of a command line, quoted where a shell would read more into it.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
