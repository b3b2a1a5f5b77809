//! What the authority or the resource answered, and the words real systems use for it.

mod unknown;

use serde::{Deserialize, Serialize};

pub use unknown::UnknownWord;
pub(crate) use unknown::nearest_answer;

/// The step of the lock protocol that a record is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A lease was asked for.
    Acquire,
    /// A lease was asked to last longer.
    Renew,
    /// The authority stopped counting a lease.
    Expire,
    /// A lease was given back.
    Release,
    /// The resource was asked to change.
    Write,
}

/// The answer to a step, in the words of the evidence format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// acquire: the lease was given.
    Acquired,
    /// acquire: somebody else holds it.
    AcquireRejectedHeld,
    /// renew: the lease lasts longer.
    Renewed,
    /// renew: the lease is not the current one.
    RenewRejectedNotOwner,
    /// expire: the authority no longer counts the lease.
    Expired,
    /// release: the lease was removed.
    Released,
    /// release: the lease is not the current one.
    ReleaseRejectedNotOwner,
    /// release: there was nothing to remove.
    ReleaseNoop,
    /// write: applied.
    Accepted,
    /// write: refused, the token is older than the highest one.
    RejectedStaleFence,
    /// write: refused, the effect ledger had the operation.
    RejectedDuplicate,
    /// write: refused for another reason.
    RejectedOther,
    /// any: no answer came. It may have happened or not, and proves neither.
    InDoubt,
}

impl Event {
    /// Every event, in documented order.
    pub const ALL: [Event; 5] = [
        Event::Acquire,
        Event::Renew,
        Event::Expire,
        Event::Release,
        Event::Write,
    ];

    /// The word that a record writes.
    pub const fn word(self) -> &'static str {
        match self {
            Event::Acquire => "acquire",
            Event::Renew => "renew",
            Event::Expire => "expire",
            Event::Release => "release",
            Event::Write => "write",
        }
    }

    /// The event of that word; case, `_` and `-` do not matter.
    ///
    /// # Errors
    /// [`UnknownWord`] with the nearest event, where one is near.
    pub fn from_word(word: &str) -> Result<Event, UnknownWord> {
        // The word as documented, without a copy of it.
        if let Some(event) = Event::canonical(word) {
            return Ok(event);
        }
        let bare = bare(word);
        Event::canonical(&bare).ok_or_else(|| {
            let known = Event::ALL.map(|event| (event.word(), event));
            UnknownWord::new(word, &known, std::iter::empty())
        })
    }

    fn canonical(word: &str) -> Option<Event> {
        let event = match word {
            "acquire" => Event::Acquire,
            "renew" => Event::Renew,
            "expire" => Event::Expire,
            "release" => Event::Release,
            "write" => Event::Write,
            _ => return None,
        };
        Some(event)
    }
}

impl Answer {
    /// Every answer, in documented order.
    pub const ALL: [Answer; 13] = [
        Answer::Acquired,
        Answer::AcquireRejectedHeld,
        Answer::Renewed,
        Answer::RenewRejectedNotOwner,
        Answer::Expired,
        Answer::Released,
        Answer::ReleaseRejectedNotOwner,
        Answer::ReleaseNoop,
        Answer::Accepted,
        Answer::RejectedStaleFence,
        Answer::RejectedDuplicate,
        Answer::RejectedOther,
        Answer::InDoubt,
    ];

    /// The canonical word.
    pub const fn word(self) -> &'static str {
        match self {
            Answer::Acquired => "acquired",
            Answer::AcquireRejectedHeld => "acquire-rejected-held",
            Answer::Renewed => "renewed",
            Answer::RenewRejectedNotOwner => "renew-rejected-not-owner",
            Answer::Expired => "expired",
            Answer::Released => "released",
            Answer::ReleaseRejectedNotOwner => "release-rejected-not-owner",
            Answer::ReleaseNoop => "release-noop",
            Answer::Accepted => "accepted",
            Answer::RejectedStaleFence => "rejected-stale-fence",
            Answer::RejectedDuplicate => "rejected-duplicate",
            Answer::RejectedOther => "rejected-other",
            Answer::InDoubt => "in-doubt",
        }
    }

    /// The event that this answer belongs to; `in-doubt` belongs to any.
    pub const fn event(self) -> Option<Event> {
        match self {
            Answer::Acquired | Answer::AcquireRejectedHeld => Some(Event::Acquire),
            Answer::Renewed | Answer::RenewRejectedNotOwner => Some(Event::Renew),
            Answer::Expired => Some(Event::Expire),
            Answer::Released | Answer::ReleaseRejectedNotOwner | Answer::ReleaseNoop => {
                Some(Event::Release)
            }
            Answer::Accepted
            | Answer::RejectedStaleFence
            | Answer::RejectedDuplicate
            | Answer::RejectedOther => Some(Event::Write),
            Answer::InDoubt => None,
        }
    }

    /// The answer of this canonical word.
    pub(crate) fn canonical(word: &str) -> Option<Answer> {
        let answer = match word {
            "acquired" => Answer::Acquired,
            "acquire-rejected-held" => Answer::AcquireRejectedHeld,
            "renewed" => Answer::Renewed,
            "renew-rejected-not-owner" => Answer::RenewRejectedNotOwner,
            "expired" => Answer::Expired,
            "released" => Answer::Released,
            "release-rejected-not-owner" => Answer::ReleaseRejectedNotOwner,
            "release-noop" => Answer::ReleaseNoop,
            "accepted" => Answer::Accepted,
            "rejected-stale-fence" => Answer::RejectedStaleFence,
            "rejected-duplicate" => Answer::RejectedDuplicate,
            "rejected-other" => Answer::RejectedOther,
            "in-doubt" => Answer::InDoubt,
            _ => return None,
        };
        Some(answer)
    }

    /// The answer of a canonical word in any spelling; no synonym of it.
    pub(crate) fn spelled(word: &str) -> Option<Answer> {
        Answer::canonical(word).or_else(|| Answer::of_bare(&bare(word)))
    }

    fn of_bare(bare: &str) -> Option<Answer> {
        let letters = |answer: &Answer| answer.word().bytes().filter(|byte| *byte != b'-');
        let mut all = Answer::ALL.into_iter();
        all.find(|answer| letters(answer).eq(bare.bytes()))
    }

    /// Whether a word is in the vocabulary of any event.
    pub(crate) fn is_word(word: &str) -> bool {
        let is_synonym = |bare: &str| {
            let events = Event::ALL.into_iter().map(Some).chain([None]);
            let mut meanings = events.map(|event| synonym(bare, event, true));
            meanings.any(|answer| answer.is_some())
        };
        Answer::spelled(word).is_some() || is_synonym(&bare(word))
    }

    /// Reads an answer word. `event` is the record's event where it has one;
    /// `has_token` is whether the record carries a usable `fenceToken`, which decides
    /// what a bare `rejected` of a write means.
    ///
    /// Case, `_` and `-` do not matter.
    ///
    /// # Errors
    /// [`UnknownWord`] where the word is not in the vocabulary, does not belong to the
    /// event, or needs an event to mean anything.
    pub fn from_word(
        word: &str,
        event: Option<Event>,
        has_token: bool,
    ) -> Result<Answer, UnknownWord> {
        Answer::of_word(word, event, has_token).ok_or_else(|| {
            UnknownWord::new(word, &answers_of(event), synonyms_of(event))
                .and_most_alike(word)
                .or_of_another_step(word)
        })
    }

    /// The same, where nobody asks what may have been meant instead.
    pub(crate) fn of_word(word: &str, event: Option<Event>, has_token: bool) -> Option<Answer> {
        let fits = |answer: &Answer| belongs(*answer, event);
        // The word as documented, without a copy of it.
        if let Some(answer) = Answer::canonical(word).filter(fits) {
            return Some(answer);
        }
        let bare = bare(word);
        // `accepted` is an answer of its own and, of another step, a synonym.
        Answer::of_bare(&bare)
            .filter(fits)
            .or_else(|| synonym(&bare, event, has_token).filter(fits))
    }
}

/// The synonyms of the evidence format: words that real systems say, told by their letters.
fn synonym(bare: &str, event: Option<Event>, has_token: bool) -> Option<Answer> {
    let yes = || match event? {
        Event::Acquire => Some(Answer::Acquired),
        Event::Renew => Some(Answer::Renewed),
        Event::Release => Some(Answer::Released),
        Event::Write => Some(Answer::Accepted),
        Event::Expire => None,
    };
    match bare {
        "ok" | "success" | "accepted" => yes(),
        // A grant without an event is a lease given.
        "granted" => yes().or((event.is_none()).then_some(Answer::Acquired)),
        "busy" | "held" => Some(Answer::AcquireRejectedHeld),
        "denied" => Some(Answer::AcquireRejectedHeld),
        "lost" => Some(Answer::Expired),
        "notowner" | "refused" => match event? {
            Event::Renew => Some(Answer::RenewRejectedNotOwner),
            Event::Release => Some(Answer::ReleaseRejectedNotOwner),
            _ => None,
        },
        "notheld" | "absent" | "releasenoopabsent" => Some(Answer::ReleaseNoop),
        "applied" => Some(Answer::Accepted),
        "stale" | "fenced" => Some(Answer::RejectedStaleFence),
        // Without a token nothing was compared, so the refusal had another reason.
        "rejected" if has_token => Some(Answer::RejectedStaleFence),
        "rejected" => Some(Answer::RejectedOther),
        "duplicate" => Some(Answer::RejectedDuplicate),
        "unknown" | "timeout" => Some(Answer::InDoubt),
        _ => None,
    }
}

/// Every synonym, for hints, documentation and schemas.
pub const SYNONYMS: [&str; 21] = [
    "ok",
    "success",
    "granted",
    "denied",
    "busy",
    "held",
    "lost",
    "not-owner",
    "refused",
    "not-held",
    "absent",
    "release-noop-absent",
    "applied",
    "stale",
    "fenced",
    "rejected",
    "duplicate",
    "unknown",
    "timeout",
    "accepted",
    "in-doubt",
];

fn belongs(answer: Answer, event: Option<Event>) -> bool {
    event.is_none() || answer.event().is_none() || answer.event() == event
}

/// The words of the answers that belong to an event.
fn answers_of(event: Option<Event>) -> Vec<(&'static str, Answer)> {
    let answers = Answer::ALL.into_iter();
    let own = answers.filter(|answer| belongs(*answer, event));
    own.map(|answer| (answer.word(), answer)).collect()
}

/// The synonyms that answer an event, and what each says of it.
fn synonyms_of(event: Option<Event>) -> impl Iterator<Item = (&'static str, Answer)> {
    SYNONYMS.into_iter().filter_map(move |word| {
        let answer = synonym(&bare(word), event, true)?;
        belongs(answer, event).then_some((word, answer))
    })
}

/// The letters of a word, in lower case: `_`, `-` and spaces do not matter, be they there or
/// not.
pub(super) fn bare(word: &str) -> String {
    word.trim()
        .chars()
        .filter(|c| !matches!(c, '_' | '-' | ' '))
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests;
