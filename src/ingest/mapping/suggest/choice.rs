//! Which path a field is most likely at, by its name and by the values there.

use super::current::field_inside;
use super::meaning::meaning;
use super::steps::{event_in, event_of_words};
use super::words::{answered, is_answer, is_code, is_refusal, is_row_count, truth};
use crate::evidence::{Event, Field, Origin};
use crate::ingest::mapping::sample::{Sample, Values};
use crate::ingest::mapping::synonyms::NAMES;
use crate::near::plain;

/// What a path to what lies around the records is less likely.
const AROUND: i64 = 50;
/// Other candidates that are named.
const OTHERS: usize = 3;

/// The path of a field.
#[derive(Clone)]
pub(super) struct Choice<'s> {
    pub(super) field: Field,
    pub(super) path: &'s str,
    /// Other paths, the best first.
    pub(super) others: Vec<&'s str>,
}

impl<'s> Choice<'s> {
    /// A path beside which there is no other.
    pub(super) fn only(field: Field, path: &'s str) -> Choice<'s> {
        Choice {
            field,
            path,
            others: Vec::new(),
        }
    }
}

/// A path that is not that of a field, though its name says so.
pub(super) struct Aside {
    pub(super) field: Field,
    pub(super) path: String,
    pub(super) why: String,
    /// The field that it is instead.
    pub(super) becomes: Option<Field>,
}

impl Aside {
    pub(super) fn new(field: Field, path: String, why: String) -> Aside {
        Aside {
            field,
            path,
            why,
            becomes: None,
        }
    }
}

/// What is known to be a field by its values.
const KNOWN: i64 = 1000;

/// The best path of each field. One path is not used for two fields.
pub(super) fn choose<'s>(sample: &'s Sample, aside: &[Aside]) -> Vec<Choice<'s>> {
    let mut scores: Vec<(i64, Field, &str)> = Vec::new();
    for (field, names) in NAMES {
        for (path, values) in &sample.paths {
            let around = path.starts_with('$');
            // Around the records there may be who wrote them; what is always the same is not.
            if around && (field != Field::OwnerId || values.seen.len() < 2) {
                continue;
            }
            // What was found last counts.
            if let Some(one) = aside.iter().rev().find(|one| one.path == *path) {
                if one.becomes == Some(field) {
                    scores.push((KNOWN, field, path));
                }
                // What it is not, it may not be of another field either.
                continue;
            }
            if let Some(found) = score(field, names, values) {
                let found = if around { found - AROUND } else { found };
                let fits = |values: &Values| score(field, names, values).is_some();
                scores.push((found, field_inside(sample, values, field, fits), path));
            }
        }
    }
    // The best score first; what is equal keeps the order of fields and paths.
    scores.sort_by(|a, b| {
        b.0.cmp(&a.0)
            .then(a.2.len().cmp(&b.2.len()))
            .then(a.2.cmp(b.2))
    });
    let mut chosen: Vec<Choice<'_>> = Vec::new();
    for (_, field, path) in &scores {
        if chosen.iter().any(|c| c.path == *path) {
            continue;
        }
        match chosen.iter_mut().find(|c| c.field == *field) {
            None => chosen.push(Choice::only(*field, path)),
            Some(choice) if choice.others.len() < OTHERS => choice.others.push(path),
            Some(_) => {}
        }
    }
    if chosen.len() >= 2
        && chosen.iter().all(|c| c.field != Field::LockName)
        && let Some(path) = like_a_lock(sample)
    {
        chosen.retain(|c| c.path != path);
        chosen.push(Choice::only(Field::LockName, path));
    }
    if chosen.iter().all(|c| c.field != Field::LockName)
        && let Some(path) = key_of_all(sample, &chosen)
    {
        chosen.push(Choice::only(Field::LockName, path));
    }
    if chosen.iter().all(|c| c.field != Field::Seq) {
        chosen.retain(|c| c.field != Field::SeqBy);
    }
    if chosen.iter().all(|c| c.field != Field::FenceToken) {
        // Old and new tokens without one that came are those of an authority, not of a resource.
        chosen.retain(|c| {
            !matches!(
                c.field,
                Field::ResourceHighestTokenBefore | Field::ResourceHighestTokenAfter
            )
        });
    }
    if chosen.iter().all(|c| c.field != Field::Event)
        && let Some(path) = like_events(sample, &chosen)
    {
        chosen.push(Choice::only(Field::Event, path));
    }
    chosen
}

/// Where nothing bears the name of a step: a free path whose values all name one, such as
/// `msg` or the name of a span.
fn like_events<'s>(sample: &'s Sample, chosen: &[Choice<'_>]) -> Option<&'s str> {
    let free = |path: &str| !path.starts_with('$') && chosen.iter().all(|c| c.path != path);
    let paths = sample.paths.iter();
    let steps = paths.filter(|(path, values)| {
        let mut texts = values.seen.iter().map(|(text, _)| text);
        // Not all lines need to be of a lock, but one word alone may say anything.
        free(path)
            && !values.more
            && values.seen.len() >= 2
            && texts.all(|text| event_of_words(text).is_some())
    });
    steps
        .max_by_key(|(_, values)| values.count)
        .map(|(path, _)| path.as_str())
}

/// Where nothing bears the name of a lock: a key or a name whose values speak of one.
fn like_a_lock(sample: &Sample) -> Option<&str> {
    let speaks = |values: &Values| {
        let texts = values.seen.iter().map(|(text, _)| text.to_lowercase());
        let mut texts =
            texts.filter(|text| ["lock", "mutex", "lease"].iter().any(|w| text.contains(w)));
        texts.next().is_some()
    };
    let named = |values: &Values| {
        matches!(
            plain(&values.names.0).as_str(),
            "key" | "name" | "resource" | "path" | "id"
        )
    };
    let mut paths = sample.paths.iter();
    paths
        .find(|(_, values)| named(values) && speaks(values))
        .map(|(path, _)| path.as_str())
}

/// Where nothing bears the name of a lock: the key that every record has, acquisitions and
/// releases included. These are of a lock, which has then the name of the key.
fn key_of_all<'s>(sample: &'s Sample, chosen: &[Choice<'s>]) -> Option<&'s str> {
    let of = |field| chosen.iter().find(|c| c.field == field);
    let key = of(Field::ResourceKey)?.path;
    let result = of(Field::Result).and_then(|c| sample.paths.get(c.path));
    let sentences = sample.sentences.iter().map(|one| &one.values);
    let mut answers = result
        .into_iter()
        .chain(sentences)
        .flat_map(|values| &values.seen)
        .filter_map(|(text, _)| meaning(text));
    let all = sample.paths.get(key)?.count == sample.records;
    (all && answers.any(|to| matches!(to, "acquired" | "released"))).then_some(key)
}

/// How well a path fits a field, or that it does not.
fn score(field: Field, names: &[&str], values: &Values) -> Option<i64> {
    if values.count == 0 {
        return None;
    }
    let (last, both) = (plain(&values.names.0), plain(&values.names.1));
    let rank = |name: &str| names.iter().position(|n| *n == name);
    let by_name = [both.as_str(), last.as_str()]
        .into_iter()
        .filter_map(rank)
        .min();
    let score = match by_name {
        Some(rank) => 100 - 3 * i64::try_from(rank).unwrap_or(20),
        None => {
            if is_of_another(&both) {
                return None;
            }
            // `lock.fencing_token`: the name of a field with something before it.
            let tail = names
                .iter()
                .take(6)
                .position(|n| n.len() > 5 && both.ends_with(n))?;
            60 - 3 * i64::try_from(tail).unwrap_or(6)
        }
    };
    if field.is_number() && (!values.numbers || is_of_program(values)) {
        return None;
    }
    let texts = || values.seen.iter().map(|(text, _)| text.as_str());
    let by_values = match field {
        Field::FenceToken if is_clock(values, &last) => return None,
        // Only a random one is a handle.
        Field::LeaseId if last == "token" && values.numbers => return None,
        // A small number is a generation; a handle is random or long.
        Field::LeaseId | Field::ActiveLeaseId
            if values.numbers && texts().all(|text| text.len() < 8) =>
        {
            -30
        }
        Field::Result => score_of_results(values)?,
        Field::Event => score_of_events(values)?,
        // Only who knows our words means this by it.
        Field::SeqBy if values.more || texts().any(|text| Origin::from_word(text).is_none()) => {
            return None;
        }
        // A nil id is none.
        Field::OperationId if texts().all(is_nil) => return None,
        Field::OperationId if texts().all(|text| Event::from_word(text).is_ok()) => return None,
        _ => 0,
    };
    Some(score + by_values)
}

/// How much values are like results, or that they are none.
fn score_of_results(values: &Values) -> Option<i64> {
    let texts = || values.seen.iter().map(|(text, _)| text.as_str());
    let is_known = |text: &&str| is_answer(text) || truth(values, text).is_some();
    let known = texts().filter(is_known).count();
    let codes = texts().all(is_code);
    // That all were `fenced` may say that all had a fence.
    let flags = texts().all(|text| text == "true" || truth(values, text) == Some(true));
    let refuses = answered(&values.names.0, "true").is_some_and(is_refusal);
    if flags && refuses && !values.more {
        return None;
    }
    let rows = is_row_count(&values.names.0) && values.numbers;
    if known == 0 && !codes && !rows && texts().filter_map(meaning).count() == 0 {
        return None;
    }
    let mut score = fraction(known, values.seen.len()) / 2;
    if codes {
        score -= 30;
    }
    if values.more {
        score -= 60;
    }
    Some(score)
}

/// How much values are like events, or that they are none.
fn score_of_events(values: &Values) -> Option<i64> {
    let texts = || values.seen.iter().map(|(text, _)| text.as_str());
    let known = texts().filter(|text| event_in(text).is_some()).count();
    // What all lines are about is no step.
    let about = values.seen.len() == 1 && texts().all(|text| text.eq_ignore_ascii_case("lock"));
    if known == 0 || values.more || about {
        return None;
    }
    let score = fraction(known, values.seen.len()) / 2;
    // `lock acquired` under `event` is a message.
    let message = known < values.seen.len();
    Some(if message { score - 40 } else { score })
}

/// Whether a name says that it is of another lease or token than the one that a record is of:
/// `next_holder`, `previous_lease_id`, `current_fencing_token`.
fn is_of_another(name: &str) -> bool {
    [
        "active", "current", "existing", "expected", "former", "highest", "last", "latest", "max",
        "new", "next", "old", "other", "prev", "seen", "stored",
    ]
    .iter()
    .any(|word| name.starts_with(word))
}

/// Whether an id says that there is none: `0`, or nothing but zeros in groups.
pub(super) fn is_nil(text: &str) -> bool {
    text.contains('0') && text.bytes().all(|b| b == b'0' || b == b'-')
}

/// Whether numbers are those of a clock, in seconds or parts of them, which is another one on
/// nearly every line. A name that speaks of a fence, a lock or a lease is believed.
pub(super) fn is_clock(values: &Values, name: &str) -> bool {
    let told = ["fenc", "lock", "lease"]
        .iter()
        .any(|word| name.contains(word));
    // From 2001 to 2096.
    let of_clock = |(text, _): &(String, u64)| {
        text.parse::<u64>().is_ok_and(|n| {
            [1, 1_000, 1_000_000, 1_000_000_000]
                .iter()
                .any(|unit| (1_000_000_000..4_000_000_000).contains(&(n / unit)))
        })
    };
    let distinct = values.seen.len() as u64;
    let differ = values.more || distinct * 10 >= values.count * 9;
    !told && differ && values.count > 1 && values.seen.iter().all(of_clock)
}

/// Whether a version is that of a program or a format: it is always the same.
fn is_of_program(values: &Values) -> bool {
    let name = values.names.0.as_str();
    plain(name) == "version" && (name.starts_with('@') || values.seen.len() < 2)
}

fn fraction(part: usize, whole: usize) -> i64 {
    i64::try_from(part * 100 / whole.max(1)).unwrap_or(0)
}
