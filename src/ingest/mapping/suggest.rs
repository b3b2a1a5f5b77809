//! Proposes a mapping for a foreign log, from names and from the shape of values. It is a
//! text for a person to check; nothing applies it.

mod answer_field;
mod asker;
mod carried;
mod choice;
mod current;
mod doubts;
mod holder;
mod known;
mod meaning;
mod operation;
mod order;
mod prose;
mod reading;
mod reasons;
mod score;
mod sentences;
mod space;
mod steps;
mod token;
mod toml;
mod trial;
mod words;
mod write;

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::evidence::{Event, Field};

use super::Preset;
use super::sample::{Form, Sample, looked_at};
use choice::{Aside, Guess};
use doubts::doubted;
use trial::Row;
use write::write;

/// A proposal.
#[derive(Debug)]
pub struct Suggestion {
    /// The mapping as TOML, with remarks on what was guessed; where a preset reads the log, the
    /// name of that.
    pub toml: String,
    /// How many records are read by it as it stands, of at most the first 20,000. With none
    /// it has to be completed first.
    pub records: usize,
    /// The fields that something was found for.
    pub found: Vec<Field>,
    /// The preset that reads the log, or lines of it, where one does.
    pub preset: Option<Preset>,
}

/// Looks at the beginning of a log and proposes a mapping for it: of the forms that it may
/// have, by the one that gives the most fields.
///
/// Where a preset reads it, that is said first, and no mapping is proposed that could only do
/// worse.
pub fn suggest(text: &str) -> Suggestion {
    let found = known::preset_of(text);
    let mut preset = found.map(|(preset, _)| preset);
    let mut remark = preset.map_or_else(|| known::unread(text), known::remark);
    let around = (preset == Some(Preset::WrappedEvidence)).then(|| propose(text));
    let mut proposal = match found {
        Some(_) if let Some((proposal, fields)) = around.and_then(|all| beside(all, text)) => {
            remark = known::reads_less(&fields);
            preset = None;
            proposal
        }
        Some((preset, records)) if known::is_whole(preset) => match of_messages(preset, text) {
            Some(proposal) => {
                remark.push_str(known::MESSAGES);
                proposal
            }
            None => {
                remark.push_str(&known::instead(preset));
                return Suggestion {
                    toml: remark,
                    records,
                    found: Vec::new(),
                    preset: Some(preset),
                };
            }
        },
        _ => propose(text),
    };
    proposal.toml.insert_str(0, &remark);
    if let Some((first, later)) = looked_at(text) {
        let remark = format!(
            "# Looked at: the first {first} lines, and {later} later ones that speak of locks. What other lines say\n\
             # is not known here: `lockdiag map explain` counts those that this mapping does not fit.\n"
        );
        proposal.toml.insert_str(0, &remark);
    }
    if !proposal.found.contains(&Field::LockName)
        && let Some(remark) = carried::remark(text)
    {
        proposal.toml.insert_str(0, &remark);
    }
    proposal.preset = preset;
    proposal
}

/// A proposal that finds as many records as a log holds whole, and fields beside these.
fn beside(proposal: Suggestion, text: &str) -> Option<(Suggestion, Vec<Field>)> {
    let rows = trial::rows_by(Preset::WrappedEvidence.dialect(), text);
    let is_beside = |field: &Field| !rows.iter().any(|row| row.has(*field));
    let fields: Vec<Field> = proposal.found.iter().copied().filter(is_beside).collect();
    (!fields.is_empty() && proposal.records >= rows.len()).then_some((proposal, fields))
}

/// A proposal for messages with pairs in the log of a system.
fn of_messages(preset: Preset, text: &str) -> Option<Suggestion> {
    let proposal = known::has_messages(preset).then(|| propose(text))?;
    let has = |field| proposal.found.contains(&field);
    let told = proposal.toml.contains(".@logfmt.");
    (told && has(Field::LockName) && has(Field::Result)).then_some(proposal)
}

fn propose(text: &str) -> Suggestion {
    let (mut proposal, named) = look(text);
    // What lines say that name no lock is not asked: their `status` is none of a step.
    if let Some(lines) = named {
        proposal = look(&lines).0;
        proposal.records = trial::rows(&proposal.toml, text).len();
    }
    proposal
}

/// A proposal and, where many lines name no lock, those that do.
fn look(text: &str) -> (Suggestion, Option<String>) {
    let samples = Sample::all(text);
    let guesses = samples.iter().map(|sample| Guess::of(sample, text, &[]));
    let best = guesses.enumerate().max_by_key(|(n, guess)| {
        let named = guess.has(Field::LockName);
        let usual = guess.sample.usual;
        let count = if named || usual {
            guess.chosen.len()
        } else {
            0
        };
        // Of two as good the likelier one, which comes first.
        (named, count, usual, Reverse(*n))
    });
    match best {
        Some((_, guess)) if guess.sample.form != Form::Text => {
            let proposal = tried(guess.sample, text);
            // Where pairs behind sentences say nothing, the sentences may name the lock.
            let behind = [Form::Logfmt, Form::Sentences, Form::JsonAtEnd];
            if proposal.records == 0 && behind.contains(&guess.sample.form) {
                let sentences = prose::propose(text_lines(&samples), text);
                if sentences.records > 0 {
                    return (sentences, None);
                }
            }
            (proposal, named_lines(&guess))
        }
        _ => (prose::propose(text_lines(&samples), text), None),
    }
}

/// Fields that are taken back, at most.
const MAX_ASIDE: usize = 16;

/// A proposal without the fields that can't be what they are called, once the log is read by
/// it.
fn tried(sample: &Sample, text: &str) -> Suggestion {
    let mut aside: Vec<Aside> = Vec::new();
    let mut space: Option<String> = None;
    loop {
        let mut guess = Guess::of(sample, text, &aside);
        let found = space
            .as_ref()
            .and_then(|path| sample.paths.get_key_value(path));
        guess.space = found.map(|(path, _)| path.as_str());
        let mut proposal = write(&guess);
        let mut rows = trial::rows(&proposal.toml, text);
        let lock = guess.path(Field::LockName);
        let lock_is_key = lock.is_some() && lock == guess.path(Field::ResourceKey);
        if lock_is_key && !all_are_acquired(&rows) {
            // Without a lock nothing is read.
            guess.leave_out(Field::LockName);
            proposal = write(&guess);
            rows.clear();
        }
        if space.is_none() {
            space = space::space(&guess, &rows).map(str::to_owned);
            if space.is_some() {
                continue;
            }
        }
        match doubted(&guess, &rows) {
            Some(one) if aside.len() < MAX_ASIDE => aside.push(one),
            _ => {
                proposal.records = rows.len();
                return proposal;
            }
        }
    }
}

/// Whether each lock that was written under is one that a step of a lease names, too.
fn all_are_acquired(rows: &[Row]) -> bool {
    let of_a_lease = |row: &&Row| row.event != Event::Write;
    let held: HashSet<&str> = rows
        .iter()
        .filter(of_a_lease)
        .map(|row| &*row.lock)
        .collect();
    rows.iter().all(|row| held.contains(&*row.lock))
}

/// The lines that have the name of the lock, where each record is one line and many have none.
fn named_lines(guess: &Guess<'_>) -> Option<String> {
    let sample = guess.sample;
    let values = guess.values(Field::LockName)?;
    let by_line = sample.each.is_none()
        && !matches!(
            sample.form,
            Form::Columns(_) | Form::PostgresCsvlog | Form::Text
        );
    if !by_line || values.count >= sample.records {
        return None;
    }
    let lines = guess.text.lines();
    let lines = lines.filter(|line| line.contains(&values.name));
    let mut named = String::new();
    let mut count = 0;
    for line in lines {
        named.push_str(line);
        named.push('\n');
        count += 1;
    }
    // A value over several lines has its name in one of them.
    (count >= values.count && !named.is_empty() && Sample::all(&named).len() > 1).then_some(named)
}

/// The first lines of the log.
fn text_lines(samples: &[Sample]) -> &[String] {
    let text = samples.iter().find(|sample| sample.form == Form::Text);
    text.map_or(&[], |sample| &sample.lines)
}
