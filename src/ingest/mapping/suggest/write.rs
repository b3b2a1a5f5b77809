//! How a proposal is written down: as a mapping, with remarks on what was guessed and what
//! was not.

mod unused;

use std::fmt::Write as _;

use super::Suggestion;
use super::choice::{Choice, Guess};
use super::reasons;
use super::score::is_nil;
use super::sentences::answers;
use super::toml::{quoted, shown};
use super::words::words;
use crate::evidence::Field;
use crate::ingest::mapping::sample::{Form, Sample, json_at_end, pairs_at_end};
use crate::ingest::mapping::synonyms::{NAMES, names_of};
use crate::near::plain;
use unused::{also, no_tokens, unused};

/// What stands first.
pub(super) const HEAD: &str = "# A proposal, from the names and the values of a sample. Check every line: a name\n\
     # that fits is no proof that the value is what the evidence needs.\n";

const NO_NAME: &str = "# lockName: nothing here looks like the name of a lock. Of a log of one lock say\n\
     # lockName = { value = \"NAME\" }; where each key has a lock of its own, give the path of the key.\n";

const KEY_OF_ALL: &str =
    "# Acquisitions and releases have this key, too: each key seems to have a lock of its own.\n";

/// The proposal, with what was left out of it and why.
pub(super) fn write(guess: &Guess<'_>) -> Suggestion {
    let sample = guess.sample;
    let mut out = HEAD.to_owned();
    out.push_str(&head(sample));
    let name = guess.path(Field::LockName);
    out.push_str(&when(guess));
    let split = split(guess);
    out.push_str(&split);
    out.push_str("\n[fields]\n");
    let mut tables = String::new();
    let answers = answers(guess);
    let answered = answers.as_ref().map(|(path, _)| *path);
    let stepped = guess.has(Field::Event);
    for field in NAMES.map(|(field, _)| field) {
        match guess.choice(field) {
            Some(_) if field == Field::Result && answered.is_some() => {}
            // What was answered says of which step, and a name of both is none of a step.
            Some(choice) if field == Field::Event && answered == Some(choice.path) => {}
            Some(choice) => {
                if field == Field::LockName && guess.path(Field::ResourceKey) == name {
                    out.push_str(KEY_OF_ALL);
                }
                write_field(&mut out, &mut tables, choice, guess);
            }
            None if field == Field::LockName => {
                out.push_str(NO_NAME);
            }
            None => {}
        }
        for one in guess.aside.iter().filter(|one| one.field == field) {
            let becomes = one.becomes.map_or("left out", |_| "not this");
            let (name, path) = (field.name(), quoted(&one.path));
            let _ = writeln!(out, "# {name} = {path} # {becomes}: {}", one.why);
        }
    }
    let is_answered = answered.is_some() || guess.has(Field::Result);
    match answers {
        Some((_, table)) => tables.push_str(&table),
        None if !is_answered => {
            out.push_str("# result: nothing here looks like an answer");
            if stepped {
                out.push_str(", so that each step is in doubt");
            }
            out.push('\n');
        }
        None => {}
    }
    if split.is_empty() {
        out.push_str(&no_tokens(guess));
    }
    let reasons = reasons::before_answers(guess, answered);
    let reason = reasons.as_ref().map(|(path, _)| *path);
    let is_unused = |path: &str| {
        guess.is_free(path)
            && reason != Some(path)
            && !split.contains(&quoted(path))
            && answered != Some(path)
    };
    if name.is_some() && is_answered {
        out.push_str(&also(sample, is_unused));
    } else {
        out.push_str(&unused(sample, is_unused));
    }
    if let Some((_, reasons)) = reasons {
        reasons::put_before(&reasons, &mut out, &mut tables);
    }
    out.push_str(&tables);
    Suggestion {
        toml: out,
        records: 0,
        found: guess.chosen.iter().map(|c| c.field).collect(),
        preset: None,
    }
}

/// Which lines are read, where not all of the form are.
fn when(guess: &Guess<'_>) -> String {
    let sample = guess.sample;
    let mut all: Vec<String> = Vec::new();
    let name = guess.path(Field::LockName);
    if let (Some(name), Form::JsonAtEnd | Form::Sentences) = (name, sample.form) {
        // Lines of other programs have the form too, and are no lock events.
        all.push(format!("{} = {{ exists = true }}", quoted(name)));
    }
    for (path, values) in &sample.paths {
        // What is only tried out did not happen.
        let name = plain(&values.name);
        let rehearsed = matches!(
            name.as_str(),
            "dryrun" | "isdryrun" | "simulated" | "simulation"
        );
        let value = values.seen.iter().find(|(text, _)| text == "true");
        if rehearsed && value.is_some() && !path.starts_with('$') {
            let not = if sample.form == Form::Json {
                "true"
            } else {
                "\"true\""
            };
            all.push(format!("{} = {{ not = {not} }}", quoted(path)));
        }
    }
    match all.is_empty() {
        true => String::new(),
        false => format!("when = {{ {} }}\n", all.join(", ")),
    }
}

/// How the lines are read, whatever the fields are.
pub(super) fn head(sample: &Sample) -> String {
    let mut out = String::new();
    let _ = match sample.form {
        Form::Json => writeln!(out, "format = \"json\""),
        Form::JsonAtEnd => writeln!(out, "format = \"text\"\npattern = '{}'", json_at_end()),
        Form::Sentences => writeln!(out, "format = \"text\"\npattern = '{}'", pairs_at_end()),
        Form::Logfmt => writeln!(out, "format = \"logfmt\""),
        Form::Columns(b'\t') => writeln!(out, "format = \"tsv\""),
        Form::Columns(b',') => writeln!(out, "format = \"csv\""),
        Form::Columns(delimiter) => {
            let delimiter = char::from(delimiter);
            writeln!(out, "format = \"csv\"\ndelimiter = \"{delimiter}\"")
        }
        Form::PostgresCsvlog => writeln!(out, "format = \"postgres-csvlog\""),
        Form::Text => Ok(()),
    };
    if let Some(each) = &sample.each {
        let _ = writeln!(out, "each = {}", quoted(each));
    }
    out
}

/// The split of two readings in one text, as in `highest=1->2`.
fn split(guess: &Guess<'_>) -> String {
    let (before, after) = (
        Field::ResourceHighestTokenBefore,
        Field::ResourceHighestTokenAfter,
    );
    if guess.has(before) || guess.has(after) {
        return String::new();
    }
    let number = |text: &str| text == "-" || text.parse::<u64>().is_ok();
    let split = guess.sample.paths.iter().find_map(|(path, values)| {
        let name = plain(&values.name);
        if values.seen.is_empty() || !names_of(before).contains(&name.as_str()) {
            return None;
        }
        let by = ["->", "=>", "\u{2192}", "/", ".."].into_iter().find(|by| {
            values.seen.iter().all(|(text, _)| {
                let halves = text.split_once(by);
                halves.is_some_and(|(one, other)| number(one.trim()) && number(other.trim()))
            })
        })?;
        let (path, before, after) = (quoted(path), before.name(), after.name());
        Some(format!(
            "split = [{{ path = {path}, by = \"{by}\", into = [\"{before}\", \"{after}\"], none = \"-\" }}]\n"
        ))
    });
    split.unwrap_or_default()
}

fn write_field(out: &mut String, tables: &mut String, choice: &Choice<'_>, guess: &Guess<'_>) {
    let sample = guess.sample;
    let Some(values) = sample.paths.get(choice.path) else {
        return;
    };
    let of_operation = choice.field == Field::OperationId;
    let mut remark = format!("in {} of {}", values.count, sample.records);
    let says = |(text, _): &&(String, u64)| !(of_operation && is_nil(text));
    let example = values.seen.iter().find(says);
    if let Some((example, _)) = example.or(values.seen.first()) {
        let _ = write!(remark, ", such as {}", shown(example));
    }
    if choice.field.is_of_active() && !values.blanks.is_empty() {
        remark.push_str("; none = […] where such a text says that there was no lease");
    }
    if !choice.others.is_empty() {
        let others: Vec<String> = choice.others.iter().map(|path| shown(path)).collect();
        let _ = write!(remark, "; or {}", others.join(", "));
    }
    let name = choice.field.name();
    let path = quoted(choice.path);
    let mut nothing = values.blanks.clone();
    if of_operation {
        let nil = values.seen.iter().filter(|(text, _)| is_nil(text));
        nothing.extend(nil.map(|(text, _)| text.clone()));
    }
    let blanks: Vec<String> = nothing.iter().map(|blank| quoted(blank)).collect();
    let absent =
        needs_absent(sample.form, &nothing).then(|| format!("absent = [{}]", blanks.join(", ")));
    if let Some(words) = words(choice.field, values, guess.has(Field::Event)) {
        let absent = absent.map_or_else(String::new, |absent| absent + "\n");
        let _ = write!(
            tables,
            "\n# {remark}\n[fields.{name}]\npath = {path}\n{absent}{words}"
        );
        return;
    }
    if values.null && choice.field.is_of_active() {
        // Whether null says that there was none, only the writer knows.
        remark.push_str("; null is read as \"there was no lease\"");
    }
    let is_within = matches!(choice.field, Field::LockName | Field::ResourceKey);
    let space = guess.space.filter(|_| is_within);
    let value = match (absent, space) {
        (None, Some(space)) => {
            let space = quoted(space);
            let _ = match choice.field {
                Field::LockName => write!(remark, "; for each {space} tokens are counted anew"),
                _ => write!(remark, "; within {space}, as the lock"),
            };
            format!("{{ join = [{space}, {path}], with = \"/\" }}")
        }
        (Some(absent), _) => format!("{{ path = {path}, {absent} }}"),
        (None, None) => path,
    };
    let _ = writeln!(out, "{name} = {value} # {remark}");
}

/// Whether a text for nothing must be named as one. In columns and pairs an empty one is
/// nothing.
fn needs_absent(form: Form, blanks: &[String]) -> bool {
    let empty_is_absent = matches!(form, Form::Columns(_) | Form::Logfmt);
    blanks
        .iter()
        .any(|blank| !(empty_is_absent && blank.is_empty()))
}
