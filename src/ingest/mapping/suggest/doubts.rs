//! The fields of a proposal that can't be what they are called, once the log is read by it.

use super::choice::{Aside, Guess};
use super::operation::{delivered_again, no_operation};
use super::order::{is_of_leases, no_order};
use super::reading::{Highest, highest};
use super::steps::event_in;
use super::trial::Row;
use super::{asker, holder, token};
use crate::evidence::{Event, Field};
use crate::ingest::mapping::synonyms::is_either;
use crate::near::plain;

/// A field that can't be what it is called.
pub(super) fn doubted(guess: &Guess<'_>, rows: &[Row]) -> Option<Aside> {
    let at = |field| {
        let path = guess.path(field)?;
        Some((path, guess.name(path)))
    };
    if let Some(one) = asker::doubted(guess, rows) {
        return Some(one);
    }
    if let Some((path, name)) = at(Field::FenceToken)
        && let Some(why) = token::no_token(rows, name)
    {
        return Some(Aside::new(Field::FenceToken, path, why.to_owned()));
    }
    if let Some((path, _)) = at(Field::Event)
        && is_of_the_lock_itself(guess, path, rows)
    {
        let why = "it may be the lock that is written there: no step of a lock has another word";
        return Some(Aside::new(Field::Event, path, why.to_owned()));
    }
    for field in [
        Field::ActiveOwnerId,
        Field::ActiveLeaseId,
        Field::ActiveFenceToken,
    ] {
        if let Some((path, name)) = at(field)
            && let Some(why) = holder::doubt(rows, field, name)
        {
            return Some(Aside::new(field, path, why));
        }
    }
    if let Some((path, name)) = at(Field::OperationId)
        && let Some(why) = no_operation(rows, name, &delivered_again(guess))
    {
        let why = format!("{why}: it would show each write after the first as a repetition");
        return Some(Aside::new(Field::OperationId, path, why));
    }
    // What is called so and repeats leaves the order unknown; without it the lines would count.
    if let (Some((path, name)), Some(why)) = (at(Field::Seq), no_order(rows))
        && !plain(name).starts_with("seq")
    {
        // The revision of the key of a lock, which its lease has for all its steps.
        if plain(name) == "revision" && !guess.has(Field::FenceToken) && is_of_leases(rows) {
            let why = "each lease has one of its own: it is the token of the lease";
            return Some(Aside::new(Field::Seq, path, why).becoming(Field::FenceToken));
        }
        return Some(Aside::new(Field::Seq, path, why));
    }
    if let Some((path, name)) = at(Field::ActiveFenceToken)
        && is_either(name)
        && let Some(one) = on_writes(guess, path, rows)
    {
        return Some(one);
    }
    let (path, name) = at(Field::ResourceHighestTokenBefore)?;
    let aside = |why| Some(Aside::new(Field::ResourceHighestTokenBefore, path, why));
    match highest(rows, name) {
        Highest::Before => None,
        Highest::After if !guess.has(Field::ResourceHighestTokenAfter) => {
            aside("it holds the token of the write itself: it was read after it")
                .map(|aside| aside.becoming(Field::ResourceHighestTokenAfter))
        }
        Highest::NoWrite => aside("no write has it: it is not what a resource had before"),
        _ if is_either(name) => aside(EITHER),
        _ => aside("no accepted write is above it: was it read before the write, or after it?"),
    }
}

const EITHER: &str = "is it what the resource had before, or the lease that was current?";

/// Words of any interface. A lock may be taken by them as well.
const ANY_WRITE: [&str; 8] = [
    "append", "insert", "patch", "post", "put", "save", "set", "update",
];

/// Whether what seems to be writes may be how a lock is taken: no word is that of a step of a
/// lock, and nothing shows a resource.
fn is_of_the_lock_itself(guess: &Guess<'_>, path: &str, rows: &[Row]) -> bool {
    let Some(words) = guess.sample.paths.get(path) else {
        return false;
    };
    let steps = || {
        words
            .seen
            .iter()
            .filter(|(word, _)| event_in(word).is_some())
    };
    let any = |word: &str| ANY_WRITE.contains(&word.to_ascii_lowercase().as_str());
    let of_a_resource = |row: &Row| {
        let key = row.key.as_ref();
        row.before.is_some()
            || row.after.is_some()
            || row.operation.is_some()
            || key.is_some_and(|key| !key.contains(&row.lock))
    };
    steps().next().is_some()
        && steps().all(|(word, _)| any(word))
        && !rows.iter().any(of_a_resource)
}

/// A `current_token` of writes, which is what the resource had before, where they bear it out.
fn on_writes(guess: &Guess<'_>, path: &str, rows: &[Row]) -> Option<Aside> {
    let has = |row: &&Row| row.active.token.is_some();
    let of_writes = |row: &Row| row.event == Event::Write;
    if !rows.iter().filter(has).any(of_writes) {
        return None;
    }
    let aside = |why| Aside::new(Field::ActiveFenceToken, path, why);
    let before = Field::ResourceHighestTokenBefore;
    // The name is one that may be of either, whatever it is.
    if !guess.has(before)
        && highest(&guess.probe(&[(before, path)]), "current_token") == Highest::Before
    {
        return Some(aside("it is what the resource had before").becoming(before));
    }
    let only = rows.iter().filter(has).all(of_writes);
    only.then(|| aside(EITHER))
}
