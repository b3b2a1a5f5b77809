//! How well the name and the values of a path fit a field.

use super::meaning::meaning;
use super::steps::event_in;
use super::words::{answered, is_answer, is_code, is_refusal, is_row_count, truth};
use crate::evidence::{Event, Field, Origin};
use crate::ingest::mapping::sample::Values;
use crate::near::plain;

/// How well a path fits a field, or that it does not.
pub(super) fn score(field: Field, names: &[&str], values: &Values) -> Option<i64> {
    if values.count == 0 {
        return None;
    }
    let (last, both) = (plain(&values.name), plain(&values.full_name));
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
    let refuses = answered(&values.name, "true").is_some_and(is_refusal);
    if flags && refuses && !values.more {
        return None;
    }
    let rows = is_row_count(&values.name) && values.numbers;
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
    let name = values.name.as_str();
    plain(name) == "version" && (name.starts_with('@') || values.seen.len() < 2)
}

fn fraction(part: usize, whole: usize) -> i64 {
    i64::try_from(part * 100 / whole.max(1)).unwrap_or(0)
}
