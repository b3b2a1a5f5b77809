//! Terraform state locks: the lock item as it is stored (`LockID` is the name, `ID` the
//! handle), its changes in a DynamoDB stream, and the refusal that the command prints.

use std::borrow::Cow;

use crate::evidence::{Active, Answer, Event, Record};
use crate::ingest::mapping::Mapped;
use crate::ingest::mapping::record::Watch;
use crate::ingest::{Dialect, Framing, Output};

use super::common::is_json;

/// The JSON shapes are a plain mapping; only the printed block needs memory.
#[derive(Debug)]
pub(in crate::ingest::mapping) struct TerraformLock {
    items: Mapped,
    /// Inside the block that follows `Lock Info:`.
    block: Option<Block>,
}

#[derive(Debug, Default)]
struct Block {
    id: Option<String>,
    path: Option<String>,
    who: Option<String>,
}

impl TerraformLock {
    pub(in crate::ingest::mapping) fn new(items: Mapped) -> TerraformLock {
        TerraformLock { items, block: None }
    }

    /// A line of what the command printed.
    fn line(&mut self, line: &str, output: &mut dyn Output) -> Option<()> {
        // The command draws a frame around errors.
        let line = line.trim_start_matches(['│', '|', ' ']).trim();
        if line.ends_with("Lock Info:") {
            self.block = Some(Block::default());
            return None;
        }
        let block = self.block.as_mut()?;
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.trim();
        let value = (!value.is_empty()).then(|| value.to_owned());
        match key {
            "ID" => block.id = value,
            "Path" => block.path = value,
            "Who" => block.who = value,
            "Operation" | "Version" | "Info" => {}
            // The last line but one; the block is complete.
            "Created" => {
                let block = self.block.take()?;
                let path = block.path?;
                let mut record = Record::new(path, Event::Acquire, Answer::AcquireRejectedHeld);
                if block.id.is_some() || block.who.is_some() {
                    record.active = Active::Lease {
                        owner: block.who.map(Cow::Owned),
                        lease: block.id.map(Cow::Owned),
                        token: None,
                    };
                }
                output.record(0, &record, &[]);
                return Some(());
            }
            _ => self.block = None,
        }
        None
    }
}

impl Dialect for TerraformLock {
    fn framing(&self) -> Framing {
        Framing::Json
    }

    fn read(&mut self, frame: &[u8], output: &mut dyn Output) {
        self.read_watched(frame, output, None);
    }
}

impl TerraformLock {
    /// Reads a frame and shows the watcher what was found in an item.
    pub(in crate::ingest::mapping) fn read_watched(
        &mut self,
        frame: &[u8],
        output: &mut dyn Output,
        watch: Option<&mut dyn Watch>,
    ) {
        if is_json(frame) {
            self.block = None;
            return self.items.read_watched(frame, output, watch);
        }
        let line = String::from_utf8_lossy(frame);
        if self.line(&line, output).is_none() {
            output.other();
        }
    }
}
