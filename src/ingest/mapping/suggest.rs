//! Proposes a mapping for a foreign log, from names and from the shape of values. It is a
//! text for a person to check; nothing applies it.

mod choice;
mod known;
mod meaning;
mod prose;
mod steps;
mod toml;
mod trial;
mod words;

use std::cmp::Reverse;
use std::fmt::Write as _;

use crate::escape;
use crate::evidence::Field;

use super::Preset;
use super::sample::{Form, JSON_AT_END, PAIRS_AT_END, Sample, looked_at};
use super::synonyms::{NAMES, plain};
use choice::{Aside, Choice, choose};
use toml::{quoted, shown};
use words::{answers, words};

/// How much of a line is shown.
const LINE: usize = 400;
/// Lines that are shown where there is nothing else to say.
const FIRST_LINES: usize = 20;
/// Paths that are named where a field was not found.
const UNUSED: usize = 24;

/// A proposal.
#[derive(Debug)]
pub struct Suggestion {
    /// The mapping as TOML, with remarks on what was guessed.
    pub toml: String,
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
    let preset = known::preset_of(text);
    if let Some(preset) = preset.filter(|preset| known::is_whole(*preset)) {
        return Suggestion {
            toml: known::remark(preset),
            found: Vec::new(),
            preset: Some(preset),
        };
    }
    let mut proposal = propose(text);
    let remark = preset.map_or_else(|| known::unread(text), known::remark);
    proposal.toml.insert_str(0, &remark);
    if let Some((first, later)) = looked_at(text) {
        let remark = format!(
            "# Looked at: the first {first} lines, and {later} later ones that speak of locks. What other lines say\n\
             # is not known here: `lockdiag map explain` counts those that this mapping does not fit.\n"
        );
        proposal.toml.insert_str(0, &remark);
    }
    proposal.preset = preset;
    proposal
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
    let found: Vec<_> = samples.iter().map(|sample| choose(sample, &[])).collect();
    let best = samples
        .iter()
        .zip(&found)
        .enumerate()
        .max_by_key(|(n, (sample, found))| {
            let named = found.iter().any(|c| c.field == Field::LockName);
            let count = if named || sample.usual {
                found.len()
            } else {
                0
            };
            // Of two as good the likelier one, which comes first.
            (named, count, sample.usual, Reverse(*n))
        });
    match best {
        Some((_, (sample, chosen))) if sample.form != Form::Text => {
            (tried(sample, text), named_lines(text, sample, chosen))
        }
        _ => (tried_sentences(text_lines(&samples)), None),
    }
}

/// Fields that are taken back, at most.
const MAX_ASIDE: usize = 8;

/// A proposal without the fields that can't be what they are called, once the log is read by
/// it.
fn tried(sample: &Sample, text: &str) -> Suggestion {
    let mut aside: Vec<Aside> = Vec::new();
    loop {
        let chosen = choose(sample, &aside);
        let proposal = write(sample, &chosen, &aside, text);
        let rows = trial::rows(&proposal.toml, text);
        match doubted(sample, &chosen, &rows) {
            Some(one) if aside.len() < MAX_ASIDE => aside.push(one),
            _ => return proposal,
        }
    }
}

/// A field that can't be what it is called.
fn doubted(sample: &Sample, chosen: &[Choice<'_>], rows: &[trial::Row]) -> Option<Aside> {
    let at = |field| {
        let choice = chosen.iter().find(|c| c.field == field)?;
        let name = &sample.paths.get(choice.path)?.names.0;
        Some((choice.path.to_owned(), name))
    };
    if let Some((path, name)) = at(Field::OperationId)
        && let Some(why) = trial::no_operation(rows, name)
    {
        let why = format!("{why}: it would show each write after the first as a repetition");
        return Some(Aside::new(Field::OperationId, path, why));
    }
    let (path, name) = at(Field::ResourceHighestTokenBefore)?;
    let aside = |why: &str| Aside::new(Field::ResourceHighestTokenBefore, path, why.to_owned());
    match trial::highest(rows, name) {
        trial::Highest::Before => None,
        trial::Highest::After if at(Field::ResourceHighestTokenAfter).is_none() => {
            let mut aside = aside("it holds the token of the write itself: it was read after it");
            aside.becomes = Some(Field::ResourceHighestTokenAfter);
            Some(aside)
        }
        _ => Some(aside(
            "no accepted write is above it: was it read before the write, or after it?",
        )),
    }
}

/// The same for sentences.
fn tried_sentences(lines: &[String]) -> Suggestion {
    let text = lines.join("\n");
    let mut taken = prose::Taken::default();
    loop {
        let proposal = text_skeleton(lines, &taken);
        let rows = trial::rows(&proposal.toml, &text);
        let has = |field| proposal.found.contains(&field);
        if has(Field::OperationId) && trial::no_operation(&rows, "op").is_some() {
            taken.no_operation = true;
            continue;
        }
        let after = has(Field::ResourceHighestTokenAfter);
        match trial::highest(&rows, "highest") {
            trial::Highest::After if !after && !taken.no_before => taken.before_is_after = true,
            trial::Highest::Unsure if has(Field::ResourceHighestTokenBefore) => {
                taken.no_before = true;
            }
            _ => return proposal,
        }
    }
}

/// The lines that have the name of the lock, where each record is one line and many have none.
fn named_lines(text: &str, sample: &Sample, chosen: &[Choice<'_>]) -> Option<String> {
    let name = chosen.iter().find(|c| c.field == Field::LockName)?;
    let values = sample.paths.get(name.path)?;
    let by_line = sample.each.is_none() && !matches!(sample.form, Form::Columns(_) | Form::Text);
    if !by_line || values.count >= sample.records {
        return None;
    }
    let lines = text.lines().filter(|line| line.contains(&values.names.0));
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

const HEAD: &str = "# A proposal, from the names and the values of a sample. Check every line: a name\n\
     # that fits is no proof that the value is what the evidence needs.\n";

const NO_NAME: &str = "# lockName: nothing here looks like the name of a lock. Of a log of one lock say\n\
     # lockName = { value = \"NAME\" }; where each key has a lock of its own, give the path of the key.\n";

fn write(sample: &Sample, chosen: &[Choice<'_>], aside: &[Aside], text: &str) -> Suggestion {
    let mut out = HEAD.to_owned();
    out.push_str(&head(sample));
    let name = chosen.iter().find(|c| c.field == Field::LockName);
    if let (Some(name), Form::JsonAtEnd | Form::Sentences) = (name, sample.form) {
        // Lines of other programs have the form too, and are no lock events.
        let _ = writeln!(
            out,
            "when = {{ {} = {{ exists = true }} }}",
            quoted(name.path)
        );
    }
    let split = split(sample, chosen);
    out.push_str(&split);
    out.push_str("\n[fields]\n");
    let mut tables = String::new();
    let answers = answers(sample, chosen, text);
    let stepped = chosen.iter().any(|c| c.field == Field::Event);
    for field in NAMES.map(|(field, _)| field) {
        match chosen.iter().find(|c| c.field == field) {
            Some(_) if field == Field::Result && answers.is_some() => {}
            // What was answered says of which step, and a name of both is none of a step.
            Some(choice)
                if field == Field::Event
                    && answers.as_ref().is_some_and(|a| a.0 == choice.path) => {}
            Some(choice) => write_field(&mut out, &mut tables, choice, sample, stepped),
            None if field == Field::LockName => {
                out.push_str(NO_NAME);
            }
            None => {}
        }
        for one in aside.iter().filter(|one| one.field == field) {
            let becomes = one.becomes.map_or("left out", |_| "not this");
            let (name, path) = (field.name(), quoted(&one.path));
            let _ = writeln!(out, "# {name} = {path} # {becomes}: {}", one.why);
        }
    }
    let has = |field| chosen.iter().any(|c| c.field == field);
    match answers {
        Some((_, table)) => tables.push_str(&table),
        None if !has(Field::Result) => {
            out.push_str("# result: nothing here looks like an answer");
            if has(Field::Event) {
                out.push_str(", so that each step is in doubt");
            }
            out.push('\n');
        }
        None => {}
    }
    if split.is_empty() {
        out.push_str(&no_tokens(sample, chosen));
    }
    if !has(Field::LockName) || !tables.contains("[fields.result]") && !has(Field::Result) {
        out.push_str(&unused(sample, chosen));
    }
    out.push_str(&tables);
    Suggestion {
        toml: out,
        found: chosen.iter().map(|c| c.field).collect(),
        preset: None,
    }
}

/// How the lines are read, whatever the fields are.
fn head(sample: &Sample) -> String {
    let mut out = String::new();
    let _ = match sample.form {
        Form::Json => writeln!(out, "format = \"json\""),
        Form::JsonAtEnd => writeln!(out, "format = \"text\"\npattern = '{JSON_AT_END}'"),
        Form::Sentences => writeln!(out, "format = \"text\"\npattern = '{PAIRS_AT_END}'"),
        Form::Logfmt => writeln!(out, "format = \"logfmt\""),
        Form::Columns(b'\t') => writeln!(out, "format = \"tsv\""),
        Form::Columns(b',') => writeln!(out, "format = \"csv\""),
        Form::Columns(delimiter) => {
            let delimiter = char::from(delimiter);
            writeln!(out, "format = \"csv\"\ndelimiter = \"{delimiter}\"")
        }
        Form::Text => Ok(()),
    };
    if let Some(each) = &sample.each {
        let _ = writeln!(out, "each = {}", quoted(each));
    }
    out
}

/// The split of two readings in one text, as in `highest=1->2`.
fn split(sample: &Sample, chosen: &[Choice<'_>]) -> String {
    let readings = NAMES
        .iter()
        .find(|(field, _)| *field == Field::ResourceHighestTokenBefore);
    let names = readings.map_or(&[][..], |(_, names)| *names);
    let free = |field| chosen.iter().all(|c| c.field != field);
    if !free(Field::ResourceHighestTokenBefore) || !free(Field::ResourceHighestTokenAfter) {
        return String::new();
    }
    let number = |text: &str| text == "-" || text.parse::<u64>().is_ok();
    for (path, values) in &sample.paths {
        let named = names.contains(&plain(&values.names.0).as_str());
        let by = ["->", "=>", "\u{2192}", "/", ".."].into_iter().find(|by| {
            let halves = |(text, _): &(String, u64)| {
                let halves = text.split_once(by);
                halves.is_some_and(|(one, other)| number(one.trim()) && number(other.trim()))
            };
            !values.seen.is_empty() && values.seen.iter().all(halves)
        });
        if let (true, Some(by)) = (named, by) {
            return format!(
                "split = [{{ path = {}, by = \"{by}\", into = [\"resourceHighestTokenBefore\", \
                 \"resourceHighestTokenAfter\"], none = \"-\" }}]\n",
                quoted(path)
            );
        }
    }
    String::new()
}

/// What is called a token and can't be one, where nothing else is.
fn no_tokens(sample: &Sample, chosen: &[Choice<'_>]) -> String {
    let mut out = String::new();
    for field in [Field::FenceToken, Field::ResourceHighestTokenBefore] {
        let names = NAMES.iter().find(|(named, _)| *named == field);
        let names = names.map_or(&[][..], |(_, names)| *names);
        if chosen.iter().any(|c| c.field == field) {
            continue;
        }
        let called = sample.paths.iter().filter(|(path, values)| {
            let (last, both) = (plain(&values.names.0), plain(&values.names.1));
            let free = chosen.iter().all(|c| c.path != path.as_str());
            let told = ["token", "fenc", "epoch", "highest", "zxid"];
            let named = told.iter().any(|word| last.contains(word))
                && (names.contains(&last.as_str()) || names.contains(&both.as_str()));
            let is_none = !values.numbers || choice::is_clock(values, &last);
            free && named && is_none && !path.starts_with('$')
        });
        for (path, values) in called {
            if values.numbers {
                let (name, path) = (field.name(), quoted(path));
                let _ = writeln!(
                    out,
                    "# {name} = {path} # not used: it looks like a clock, which is another on each line"
                );
                continue;
            }
            let number = |text: &str| crate::evidence::token::parse_token(text).is_ok();
            let Some((example, _)) = values.seen.iter().find(|(text, _)| !number(text)) else {
                continue;
            };
            let hex = |(text, _): &(String, u64)| {
                text.len() <= 16 && text.bytes().all(|b| b.is_ascii_hexdigit())
            };
            let _ = write!(
                out,
                "# {} = {} # not used: {} is no token, which is a whole number",
                field.name(),
                quoted(path),
                shown(example)
            );
            if values.seen.iter().all(hex) {
                out.push_str("; a hexadecimal one is read by base = 16");
            }
            out.push('\n');
        }
    }
    out
}

/// What else there is, for a person who looks for the field that was not found.
fn unused(sample: &Sample, chosen: &[Choice<'_>]) -> String {
    let mut out = String::new();
    let free =
        |path: &&String| !path.starts_with('$') && chosen.iter().all(|c| c.path != path.as_str());
    for path in sample.paths.keys().filter(free).take(UNUSED) {
        let example = sample
            .paths
            .get(path)
            .and_then(|values| values.seen.first());
        if let Some((example, _)) = example {
            let _ = writeln!(
                out,
                "# not used: {}, such as {}",
                shown(path),
                shown(example)
            );
        }
    }
    out
}

fn write_field(
    out: &mut String,
    tables: &mut String,
    choice: &Choice<'_>,
    sample: &Sample,
    stepped: bool,
) {
    let Some(values) = sample.paths.get(choice.path) else {
        return;
    };
    let of_operation = choice.field == Field::OperationId;
    let mut remark = format!("in {} of {}", values.count, sample.records);
    let says = |(text, _): &&(String, u64)| !(of_operation && choice::is_nil(text));
    let example = values.seen.iter().find(says);
    if let Some((example, _)) = example.or(values.seen.first()) {
        let _ = write!(remark, ", such as {}", shown(example));
    }
    if !choice.others.is_empty() {
        let others: Vec<String> = choice.others.iter().map(|path| shown(path)).collect();
        let _ = write!(remark, "; or {}", others.join(", "));
    }
    let name = choice.field.name();
    let path = quoted(choice.path);
    let mut nothing = values.blanks.clone();
    if of_operation {
        let nil = values.seen.iter().filter(|(text, _)| choice::is_nil(text));
        nothing.extend(nil.map(|(text, _)| text.clone()));
    }
    let blanks: Vec<String> = nothing.iter().map(|blank| quoted(blank)).collect();
    let absent = needs_absent(choice.field, sample.form, &nothing)
        .then(|| format!("absent = [{}]", blanks.join(", ")));
    match words(choice.field, values, stepped) {
        Some(words) => {
            let absent = absent.map_or_else(String::new, |absent| absent + "\n");
            let _ = write!(
                tables,
                "\n# {remark}\n[fields.{name}]\npath = {path}\n{absent}{words}"
            );
        }
        None if values.null && is_active(choice.field) => {
            // Whether null says that there was none, only the writer knows.
            let _ = writeln!(
                out,
                "{name} = {path} # {remark}; null is read as \"there was no lease\""
            );
        }
        None => {
            let value = absent.map_or_else(
                || path.clone(),
                |absent| format!("{{ path = {path}, {absent} }}"),
            );
            let _ = writeln!(out, "{name} = {value} # {remark}");
        }
    }
}

/// Whether a text for nothing must be named as one. In columns and pairs an empty one is
/// nothing, and of an `active…` field only the writer knows what nothing means.
fn needs_absent(field: Field, form: Form, blanks: &[String]) -> bool {
    let empty_is_absent = matches!(form, Form::Columns(_) | Form::Logfmt);
    let named = blanks
        .iter()
        .any(|blank| !(empty_is_absent && blank.is_empty()));
    named && !is_active(field)
}

const fn is_active(field: Field) -> bool {
    matches!(
        field,
        Field::ActiveOwnerId | Field::ActiveLeaseId | Field::ActiveFenceToken
    )
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
                "\n# Lines of text need a pattern for each sentence. A group that bears the name of an\n\
                 # evidence field is that field. The first lines of the sample:\n",
            );
            for line in lines.iter().take(FIRST_LINES) {
                let line: String = line.chars().take(LINE).collect();
                let _ = writeln!(out, "#   {}", escape::terminal(&line));
            }
            out.push_str(
                "\n[[shape]]\nname = \"acquired\"\n\
                 pattern = '''lock (?<lockName>\\S+) acquired by (?<ownerId>\\S+)'''\n\
                 fields.result = { value = \"acquired\" }\n",
            );
            Vec::new()
        }
    };
    Suggestion {
        toml: out,
        found,
        preset: None,
    }
}
