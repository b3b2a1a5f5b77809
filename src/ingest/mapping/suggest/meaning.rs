//! What sentences and names say was answered, as far as a guess goes. Where they may say
//! something else, too, nothing is guessed.

mod doubt;
mod spoken;
mod subject;

pub(super) use doubt::{affirms, refused_otherwise};
use doubt::{doubtful, of_another, unrefused, words};
pub(super) use spoken::spoken;
use spoken::{uncamel, without_calls, without_fenced_things};
pub(super) use subject::is_of_it;

/// Words of a sentence, and what they say, the most telling first.
const PHRASES: [(&[&str], &str); 50] = [
    (&["release", "noop"], "release-noop"),
    (&["nothing to release"], "release-noop"),
    (&["not released"], "release-rejected-not-owner"),
    (&["release", "refused"], "release-rejected-not-owner"),
    (&["release", "rejected"], "release-rejected-not-owner"),
    (&["release", "denied"], "release-rejected-not-owner"),
    (&["release", "not", "owner"], "release-rejected-not-owner"),
    (&["unlock", "failed"], "release-rejected-not-owner"),
    (&["unlock", "refused"], "release-rejected-not-owner"),
    (&["unlock", "rejected"], "release-rejected-not-owner"),
    (&["unlock", "denied"], "release-rejected-not-owner"),
    (&["unlock", "not", "owner"], "release-rejected-not-owner"),
    (&["not renewed"], "renew-rejected-not-owner"),
    (&["renew", "refused"], "renew-rejected-not-owner"),
    (&["renew", "rejected"], "renew-rejected-not-owner"),
    (&["renew", "denied"], "renew-rejected-not-owner"),
    (&["already applied"], "rejected-duplicate"),
    (&["already processed"], "rejected-duplicate"),
    (&["already written"], "rejected-duplicate"),
    (&["already done"], "rejected-duplicate"),
    (&["already seen"], "rejected-duplicate"),
    (&["duplicate"], "rejected-duplicate"),
    (&["stale"], "rejected-stale-fence"),
    (&["token", "too old"], "rejected-stale-fence"),
    (&["token", "too low"], "rejected-stale-fence"),
    (&["token", "outdated"], "rejected-stale-fence"),
    (&["rejected", "is older than"], "rejected-stale-fence"),
    (&["refused", "is older than"], "rejected-stale-fence"),
    (&["denied", "is older than"], "rejected-stale-fence"),
    (&["epoch", "too old"], "rejected-stale-fence"),
    (&["fenced"], "rejected-stale-fence"),
    (&["busy"], "acquire-rejected-held"),
    (&["already held"], "acquire-rejected-held"),
    (&["released"], "released"),
    (&["unlocked"], "released"),
    (&["renewed"], "renewed"),
    (&["lease extended"], "renewed"),
    (&["expired"], "expired"),
    (&["lease lost"], "expired"),
    (&["lock lost"], "expired"),
    (&["acquired"], "acquired"),
    (&["acquire"], ACQUIRE),
    (&["lock obtained"], "acquired"),
    (&["obtained lock"], "acquired"),
    (&["write", "accepted"], "accepted"),
    (&["write", "committed"], "accepted"),
    (&["write", "succeeded"], "accepted"),
    (&["write", "ok"], "accepted"),
    (&["wrote"], "accepted"),
    (&["applied"], "accepted"),
];

/// Says something only where it is denied.
const ACQUIRE: &str = "acquire";

/// Words that make a refusal of what is stale or a duplicate: caches and connections are stale, too.
const OF_WRITES: [&str; 20] = [
    "write",
    "token",
    "fenc",
    "epoch",
    "term",
    "generation",
    "lock",
    "lease",
    "owner",
    "holder",
    "reject",
    "refus",
    "denied",
    "applied",
    "deliver",
    "operation",
    "request",
    "message",
    "job",
    "worker",
];

/// What says that something is not there, or that it was there before.
const ABSENCES: [&str; 18] = [
    "not stale",
    "not a stale",
    "no stale",
    "not duplicate",
    "not a duplicate",
    "no duplicate",
    "already acquired",
    "already locked",
    "already taken",
    "already accepted",
    "previously accepted",
    "last accepted",
    "latest accepted",
    "highest accepted",
    "newest accepted",
    "accepted so far",
    "accepted token",
    "accepted epoch",
];

/// Words of what is only tried out.
const REHEARSALS: [&str; 3] = ["dry run", "dry-run", "simulat"];

/// Words before what has not happened yet.
const INTENTS: [&str; 9] = [
    "checking",
    "looking for",
    "will be",
    "waiting",
    "trying to",
    "attempting",
    "about to",
    "going to",
    "would ",
];

/// How ShedLock says until when it has locked at most, which is no intent.
const HELD_AT_MOST: &str = "lock will be held";

/// Words that deny the rest.
const DENIALS: [&str; 15] = [
    "not", "never", "failed", "failure", "unable", "cannot", "can't", "couldn't", "wasn't",
    "denied", "refused", "rejected", "declined", "didn't", "isn't",
];

/// The evidence word that a sentence or a word stands for.
pub(super) fn meaning(text: &str) -> Option<&'static str> {
    let is_name = !text.contains(' ');
    let text = if is_name { spoken(text) } else { uncamel(text) };
    said(&text, is_name).filter(|says| is_of_it(&text, is_name, says))
}

/// Whether a text says that what follows is only tried out.
pub(super) fn is_rehearsed(text: &str) -> bool {
    let text = text.to_lowercase();
    REHEARSALS.iter().any(|words| text.contains(words))
}

fn said(text: &str, is_name: bool) -> Option<&'static str> {
    let text = ABSENCES
        .iter()
        .fold(text.to_owned(), |text, words| text.replace(words, ""));
    // `Locked 'send', lock will be held at most until 10:00`, said once it is locked.
    if says(&text, "locked") && text.contains(HELD_AT_MOST) && text.contains("until") {
        let once = text.replace(HELD_AT_MOST, "");
        let doubted = denies(&once) || INTENTS.iter().any(|words| once.contains(words));
        return (!doubted && !doubtful(&once) && !of_another(&once)).then_some("acquired");
    }
    let intended = INTENTS.iter().any(|words| text.contains(words));
    if intended || is_rehearsed(&text) || unrefused(&text) {
        return None;
    }
    let text = without_fenced_things(without_calls(&text));
    let denied = denies(&text);
    let mut all = PHRASES
        .iter()
        .filter(|(words, _)| words.iter().all(|word| says(&text, word)))
        .map(|(_, meaning)| *meaning);
    let Some(meaning) = all.next() else {
        return said_shortly(&text, is_name);
    };
    match meaning {
        // Who acquired it is then why something else was refused.
        "acquired" | ACQUIRE
            if ["releas", "renew", "unlock"].iter().any(|step| {
                let acquire = text.find("acquire");
                text.find(step)
                    .is_some_and(|at| denied || acquire.is_some_and(|a| at < a))
            }) =>
        {
            None
        }
        "acquired" | ACQUIRE if denied || is_false(&text, "acquired") => {
            Some("acquire-rejected-held")
        }
        ACQUIRE => None,
        // Why it did not happen is another question, and one sentence is of one step.
        meaning
            if is_done(meaning)
                && (denied
                    || (meaning == "expired" && says(&text, "write"))
                    || (meaning != "expired" && doubtful(&text))
                    || of_another(&text)
                    || all.any(|other| is_done(other) && other != meaning)) =>
        {
            None
        }
        "rejected-stale-fence" | "rejected-duplicate"
            if affirms(&text) || !is_name && !OF_WRITES.iter().any(|word| text.contains(word)) =>
        {
            None
        }
        meaning => Some(meaning),
    }
}

/// Whether a word denies the rest.
fn denies(text: &str) -> bool {
    words(text).any(|word| DENIALS.contains(&word))
}

/// Whether an answer says that a step was done.
fn is_done(meaning: &str) -> bool {
    matches!(
        meaning,
        "acquired" | "released" | "renewed" | "expired" | "accepted"
    )
}

/// Whether words stand in a text, from the beginning of a word: `unaccepted` does not say
/// `accepted`, `released` says `release`. Short ones are whole words: a token is no `ok`.
fn says(text: &str, words: &str) -> bool {
    let part = |c: char| c.is_alphanumeric();
    let whole = matches!(words, "ok" | "write" | "not" | "owner");
    text.match_indices(words).any(|(at, _)| {
        let before = text.get(..at).and_then(|text| text.chars().next_back());
        let after = text.get(at + words.len()..);
        let after = after.and_then(|text| text.chars().next());
        !(before.is_some_and(part) || whole && after.is_some_and(part))
    })
}

/// `acquired=false`, `acquired: no`.
fn is_false(text: &str, word: &str) -> bool {
    text.split_once(word).is_some_and(|(_, rest)| {
        let value = rest.trim_start_matches(['=', ':', ' ', '"', '\'']);
        value.len() < rest.len()
            && rest
                .trim_start_matches(['"', '\'', ' '])
                .starts_with(['=', ':'])
            && ["false", "no", "0"].iter().any(|no| value.starts_with(no))
    })
}

/// What one or two words say, where there is nothing else that might qualify them; before the
/// last two words of a name stands only whose it is.
fn said_shortly(text: &str, is_name: bool) -> Option<&'static str> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (last, rest) = words.split_last()?;
    let from = if is_name {
        rest.len().saturating_sub(1)
    } else {
        0
    };
    let rest = rest.get(from..)?;
    let of_the_lock = rest.is_empty() || matches!(rest, ["lock" | "lease" | "write" | "fenced"]);
    match (rest, *last) {
        // Of a write that has a token, the vocabulary takes it for stale.
        (["write"], "rejected" | "refused" | "denied") => Some("rejected"),
        (_, "obtained" | "taken" | "locked") if of_the_lock => Some("acquired"),
        (_, "written" | "committed" | "saved" | "stored") if of_the_lock => Some("accepted"),
        (_, "freed") if of_the_lock => Some("released"),
        (_, "extended" | "refreshed") if of_the_lock => Some("renewed"),
        _ => None,
    }
}

/// Whether a word says that whoever asked is not the owner, of a step that is known otherwise.
pub(super) fn is_not_owner(text: &str) -> bool {
    let text = spoken(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    let denied = words
        .iter()
        .any(|word| matches!(*word, "not" | "wrong" | "isn't"));
    denied
        && words
            .iter()
            .any(|word| matches!(*word, "owner" | "owned" | "holder"))
}

#[cfg(test)]
mod tests;
