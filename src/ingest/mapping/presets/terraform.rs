//! Terraform state locks: the lock item as it is stored (`LockID` is the name, `ID` the
//! handle), its changes in a DynamoDB stream, and the refusal that the command prints.

use std::borrow::Cow;

use serde::Deserialize;

use crate::evidence::{Active, Answer, Event, Record};
use crate::ingest::mapping::Mapped;
use crate::ingest::mapping::meant::is_meant_as_json;
use crate::ingest::mapping::record::Watch;
use crate::ingest::{Dialect, Framing, Output, colour};

use super::wrapped::{Heard, inside};

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
        let line = unframed(line);
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

    /// The block inside a message of `terraform -json`, which is one text.
    fn diagnostic(&mut self, frame: &[u8], output: &mut dyn Output) -> Option<()> {
        let message: Message<'_> = serde_json::from_slice(frame).ok()?;
        let detail = message.diagnostic?.detail?;
        let mut any = None;
        for line in detail.lines() {
            any = self.line(line, output).or(any);
        }
        self.block = None;
        any
    }
}

#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    diagnostic: Option<Diagnostic<'a>>,
}

#[derive(Deserialize)]
struct Diagnostic<'a> {
    #[serde(borrow)]
    detail: Option<Cow<'a, str>>,
}

/// A line without what stands before it: the frame that the command draws around errors,
/// and the time that a CI runner writes.
fn unframed(line: &str) -> &str {
    let line = line.trim();
    let timed = |word: &&str| {
        word.starts_with(['[', '0', '1', '2']) && word.contains('T') && word.contains(':')
    };
    let rest = match line.split_once(' ') {
        Some((first, rest)) if timed(&first) => rest,
        _ => line,
    };
    rest.trim_start_matches(['│', '|', ' ']).trim()
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
        mut watch: Option<&mut dyn Watch>,
    ) {
        if is_meant_as_json(frame) {
            self.block = None;
            // What is no list is asked itself.
            let listed = inside(frame, output, &mut |frame, output| {
                let watch = watch.as_mut().map(|watch| &mut **watch as &mut dyn Watch);
                self.items.read_watched(frame, output, watch);
            });
            if listed {
                return;
            }
            let mut heard = Heard::new(output, 0);
            self.items.read_watched(frame, &mut heard, watch);
            if heard.other && self.diagnostic(frame, output).is_none() {
                output.other();
            }
            return;
        }
        let line = String::from_utf8_lossy(frame);
        let bare = colour::bare(&line);
        let line = bare.as_ref().map_or(line.as_ref(), |bare| &bare.text);
        if self.line(line, output).is_none() {
            output.other();
        }
    }
}
