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
mod prose;
mod reading;
mod score;
mod sentences;
mod steps;
mod toml;
mod trial;
mod words;
mod write;

use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Write as _;

use crate::escape;
use crate::evidence::{Event, Field};

use super::Preset;
use super::sample::{Form, Sample, looked_at};
use choice::{Aside, Guess};
use doubts::doubted;
use trial::Row;
use write::{HEAD, write};

/// How much of a line is shown.
const LINE: usize = 400;
/// Lines that are shown where there is nothing else to say.
const FIRST_LINES: usize = 20;

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
    let mut preset = known::preset_of(text);
    let mut remark = preset.map_or_else(|| known::unread(text), known::remark);
    let around = (preset == Some(Preset::WrappedEvidence)).then(|| propose(text));
    let mut proposal = match preset {
        Some(_) if let Some((proposal, fields)) = around.and_then(|all| beside(all, text)) => {
            remark = known::reads_less(&fields);
            preset = None;
            proposal
        }
        Some(preset) if known::is_whole(preset) => match of_messages(preset, text) {
            Some(proposal) => {
                remark.push_str(known::MESSAGES);
                proposal
            }
            None => {
                remark.push_str(&known::instead(preset));
                return Suggestion {
                    toml: remark,
                    records: known::records(preset, text),
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
    proposal.records = trial::rows(&proposal.toml, text).len();
    proposal
}

/// A proposal that finds as many records as a log holds whole, and fields beside these.
fn beside(proposal: Suggestion, text: &str) -> Option<(Suggestion, Vec<Field>)> {
    let rows = trial::rows_by(Preset::WrappedEvidence.dialect(), text);
    let is_beside = |field: &Field| !rows.iter().any(|row| row.has(*field));
    let fields: Vec<Field> = proposal.found.iter().copied().filter(is_beside).collect();
    let reads_all = || trial::rows(&proposal.toml, text).len() >= rows.len();
    (!fields.is_empty() && reads_all()).then_some((proposal, fields))
}

/// A proposal for messages with pairs in the log of a system.
fn of_messages(preset: Preset, text: &str) -> Option<Suggestion> {
    let proposal = known::has_messages(preset).then(|| propose(text))?;
    let has = |field| proposal.found.contains(&field);
    let told = proposal.toml.contains(".@logfmt.");
    (told && has(Field::LockName) && has(Field::Result)).then_some(proposal)
}

fn propose(text: &str) -> Suggestion {
    let (proposal, named) = look(text);
    // What lines say that name no lock is not asked: their `status` is none of a step.
    match named {
        Some(lines) => look(&lines).0,
        None => proposal,
    }
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
            match sentences_instead(&proposal, guess.sample, &samples, text) {
                Some(sentences) => (sentences, None),
                None => (proposal, named_lines(&guess)),
            }
        }
        _ => (tried_sentences(text_lines(&samples)), None),
    }
}

/// A proposal for sentences, where one for the pairs behind them reads nothing: the name of the
/// lock may stand in the sentence itself.
fn sentences_instead(
    pairs: &Suggestion,
    sample: &Sample,
    samples: &[Sample],
    text: &str,
) -> Option<Suggestion> {
    let reads = |proposal: &Suggestion| !trial::rows(&proposal.toml, text).is_empty();
    let behind = [Form::Logfmt, Form::Sentences, Form::JsonAtEnd].contains(&sample.form);
    if !behind || reads(pairs) {
        return None;
    }
    Some(tried_sentences(text_lines(samples))).filter(reads)
}

/// Fields that are taken back, at most.
const MAX_ASIDE: usize = 16;

/// A proposal without the fields that can't be what they are called, once the log is read by
/// it.
fn tried(sample: &Sample, text: &str) -> Suggestion {
    let mut aside: Vec<Aside> = Vec::new();
    loop {
        let mut guess = Guess::of(sample, text, &aside);
        let mut proposal = write(&guess);
        let mut rows = trial::rows(&proposal.toml, text);
        let lock = guess.path(Field::LockName);
        let lock_is_key = lock.is_some() && lock == guess.path(Field::ResourceKey);
        if lock_is_key && !all_are_acquired(&rows) {
            guess.leave_out(Field::LockName);
            proposal = write(&guess);
            rows = Vec::new();
        }
        match doubted(&guess, &rows) {
            Some(one) if aside.len() < MAX_ASIDE => aside.push(one),
            _ => return proposal,
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

/// The same for sentences.
fn tried_sentences(lines: &[String]) -> Suggestion {
    let text = lines.join("\n");
    let mut taken = prose::Taken::default();
    loop {
        let proposal = text_skeleton(lines, &taken);
        let rows = trial::rows(&proposal.toml, &text);
        let has = |field| proposal.found.contains(&field);
        // Each is taken back once, so this ends.
        let once = |told: &mut bool| !std::mem::replace(told, true);
        let no_operation =
            has(Field::OperationId) && operation::no_operation(&rows, "op", &[]).is_some();
        if no_operation && once(&mut taken.no_operation) {
            continue;
        }
        let after = has(Field::ResourceHighestTokenAfter) || taken.no_before;
        let again = match reading::highest(&rows, "highest") {
            reading::Highest::After if !after => once(&mut taken.before_is_after),
            reading::Highest::Unsure if has(Field::ResourceHighestTokenBefore) => {
                once(&mut taken.no_before)
            }
            _ => false,
        };
        if !again {
            return proposal;
        }
    }
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
    let lines = lines.filter(|line| line.contains(&values.names.0));
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

/// Lines of text: patterns of their sentences, or a beginning for a person who writes some.
fn text_skeleton(lines: &[String], taken: &prose::Taken) -> Suggestion {
    let mut out = format!("{HEAD}format = \"text\"\n");
    let found = match prose::shapes(lines, taken) {
        Some((shapes, found)) => {
            out.push_str(
                "\n# Guessed from sentences. A group that bears the name of an evidence field is that\n\
                 # field; lines that none of them fits are other lines.\n",
            );
            out.push_str(&shapes);
            found
        }
        None => {
            out.push_str(
                "\n# No sentence was found here that names a lock and tells what was answered: this proposal\n\
                 # reads nothing before somebody writes a pattern for each sentence, such as\n\
                 #   [[shape]]\n\
                 #   name = \"acquired\"\n\
                 #   pattern = 'lock (?<lockName>\\S+) acquired by (?<ownerId>\\S+)'\n\
                 #   fields.result = { value = \"acquired\" }\n\
                 # A group that bears the name of an evidence field is that field. The first lines of the sample:\n",
            );
            for line in lines.iter().take(FIRST_LINES) {
                let line: String = line.chars().take(LINE).collect();
                let _ = writeln!(out, "#   {}", escape::terminal(&line));
            }
            Vec::new()
        }
    };
    Suggestion {
        toml: out,
        records: 0,
        found,
        preset: None,
    }
}
