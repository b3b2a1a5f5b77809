//! What the authority or the resource answered, and the words real systems use for it.

use serde::{Deserialize, Serialize};

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

/// How alike a word must be for a person to have meant it.
const NEAR: f64 = 0.75;

/// A word outside the vocabulary, or one that does not belong to the event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownWord {
    /// The nearest known word, which may be far.
    pub nearest: &'static str,
    /// Whether it is near enough that a person would have meant it.
    pub is_near: bool,
    /// The words to choose from: the events, or the answers that belong to the event.
    pub known: Vec<&'static str>,
    /// The step whose answer the nearest word is, where it is none of the given one.
    pub of_step: Option<Event>,
}

impl UnknownWord {
    /// A word that none of `known` is, nor any of the synonyms.
    fn new(
        wrong: &str,
        known: Vec<&'static str>,
        synonyms: impl Iterator<Item = &'static str>,
    ) -> UnknownWord {
        let bare_wrong = bare(wrong);
        let mut nearest = ("", -1.0);
        for word in known.iter().copied().chain(synonyms) {
            let score = strsim::jaro_winkler(&bare_wrong, &bare(word));
            // Of two that are as near, the first documented one.
            if score > nearest.1 {
                nearest = (word, score);
            }
        }
        UnknownWord {
            nearest: nearest.0,
            is_near: nearest.1 >= NEAR,
            known,
            of_step: None,
        }
    }

    /// The same where no word of the step is near: an answer of another one may be meant.
    fn or_of_another_step(self, wrong: &str) -> UnknownWord {
        if self.is_near {
            return self;
        }
        let bare_wrong = bare(wrong);
        let scored = Answer::ALL.into_iter().filter_map(|answer| {
            let score = strsim::jaro_winkler(&bare_wrong, &bare(answer.word()));
            Some((answer, answer.event()?, score))
        });
        match scored.max_by(|one, other| one.2.total_cmp(&other.2)) {
            Some((answer, step, score)) if score >= NEAR => UnknownWord {
                nearest: answer.word(),
                of_step: Some(step),
                ..self
            },
            _ => self,
        }
    }

    /// What to write: the nearest word and, where that is far, all that there are.
    pub fn hint(&self) -> String {
        let UnknownWord { nearest, known, .. } = self;
        if self.is_near {
            return format!("did you mean `{nearest}`?");
        }
        let known = known.join(", ");
        if let Some(step) = self.of_step {
            let step = step.word();
            return format!(
                "the nearest known word is `{nearest}`, which follows `{step}`; known here: {known}"
            );
        }
        format!("the nearest known word is `{nearest}`; known here: {known}")
    }
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
    /// [`UnknownWord`] with the nearest event.
    pub fn from_word(word: &str) -> Result<Event, UnknownWord> {
        // The word as documented, without a copy of it.
        if let Some(event) = Event::canonical(word) {
            return Ok(event);
        }
        let bare = bare(word);
        Event::canonical(&bare).ok_or_else(|| {
            let known = Event::ALL.map(Event::word).to_vec();
            UnknownWord::new(word, known, std::iter::empty())
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
        let fits = |answer: &Answer| belongs(*answer, event);
        // The word as documented, without a copy of it.
        if let Some(answer) = Answer::canonical(word).filter(fits) {
            return Ok(answer);
        }
        let bare = bare(word);
        // `accepted` is an answer of its own and, of another step, a synonym.
        let answer = Answer::of_bare(&bare)
            .filter(fits)
            .or_else(|| synonym(&bare, event, has_token).filter(fits));
        match answer {
            Some(answer) => Ok(answer),
            None => Err(
                UnknownWord::new(word, answers_of(event), synonyms_of(event))
                    .or_of_another_step(word),
            ),
        }
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

/// The answers that belong to an event.
fn answers_of(event: Option<Event>) -> Vec<&'static str> {
    let answers = Answer::ALL.into_iter();
    let own = answers.filter(|answer| belongs(*answer, event));
    own.map(Answer::word).collect()
}

fn synonyms_of(event: Option<Event>) -> impl Iterator<Item = &'static str> {
    SYNONYMS.into_iter().filter(move |word| {
        synonym(&bare(word), event, true).is_some_and(|answer| belongs(answer, event))
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
